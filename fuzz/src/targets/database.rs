//! A small endgame database with mutations: positions can be looked up in it, or a fault is reported.

use std::sync::LazyLock;

use crate::file::{number, patched, repair, with_file};
use kelso_draughts::notation::fen;
use kelso_endgames::{COMPILED_IN, Content, DatabaseOptions, Databases, Slice};

const HEADER: usize = 84;
/// Maximum number of pieces of the mutated files. Larger files take longer to open.
const PIECES: u8 = 3;

/// The offsets of the parts of a file.
struct Layout {
    directory: usize,
    groups: usize,
    end: usize,
}

impl Layout {
    fn of(bytes: &[u8]) -> Self {
        let number = |at: usize, length: usize| number(bytes, at..at + length);
        let (model, groups) = (number(20, 4), number(64, 8));
        let blocks = number(24, 8).div_ceil(number(16, 4).max(1));
        let directory = HEADER.saturating_add(model);
        let entries = if groups == 0 { 0 } else { blocks.div_ceil(64) };
        let start = directory.saturating_add(entries.saturating_mul(8));
        Self { directory, groups: start, end: start.saturating_add(groups) }
    }
}

/// The compiled-in files for positions with few pieces.
static FILES: LazyLock<Vec<&[u8]>> = LazyLock::new(|| {
    let mut files = Vec::new();
    for mut rest in COMPILED_IN.iter().copied() {
        while !rest.is_empty() {
            let (file, others) = rest.split_at(Layout::of(rest).end);
            files.push(file);
            rest = others;
        }
    }
    files.retain(|file| file[12..16].iter().sum::<u8>() <= PIECES);
    files
});

fn repair_all(bytes: &mut [u8]) {
    let Layout { directory, groups, .. } = Layout::of(bytes);
    let mut at = groups;
    for entry in (directory..groups.min(bytes.len())).step_by(8) {
        let end = at.saturating_add(number(bytes, entry..entry + 4));
        repair(bytes, at..end, entry + 4);
        at = end;
    }
    repair(bytes, HEADER..directory, 72);
    repair(bytes, directory..groups, 76);
    repair(bytes, 0..HEADER - 4, HEADER - 4);
}

/// The slice in the name of a file whose header states no slice.
const MEN: Slice = Slice::new([1, 1], [0, 0]).unwrap();

/// Returns the name that matches the header, so that a changed header is not rejected because of the name.
fn name(bytes: &[u8]) -> String {
    let at = |index: usize| bytes.get(index).copied().unwrap_or_default();
    let slice = Slice::new([at(12), at(14)], [at(13), at(15)]).unwrap_or(MEN);
    let content = if at(10) == 2 { Content::Distances } else { Content::Results };
    content.file_name(slice)
}

const POSITIONS: [&str; 6] =
    ["B:WK32:BK1", "B:W21:B12", "W:WK18:B3", "B:WK32:BK22,23", "W:WK5,K29:BK4", "B:W21:B9,10"];

pub fn run(data: &[u8]) {
    let Some((&choice, patch)) = data.split_first() else { return };
    let mut bytes = patched(FILES[usize::from(choice) % FILES.len()], patch);
    repair_all(&mut bytes);
    with_file(&name(&bytes), &bytes, |path| {
        let folder = path.parent().map(Into::into);
        let pieces = PIECES.into();
        let options = DatabaseOptions { folder, embedded: &[], files_first: true, pieces, cache: 1 };
        let databases = Databases::open(&options);
        for text in POSITIONS {
            let position = fen::parse(text).expect("a valid position");
            // A changed file may contain any values, but must be readable.
            let _ = (databases.probe(&position), databases.distance(&position));
        }
        databases.read_all();
        for error in databases.take_errors() {
            assert!(!error.to_string().contains('\n'));
        }
    });
}
