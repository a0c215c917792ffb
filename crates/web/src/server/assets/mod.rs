//! The files of the page. They are compiled in, so no file of the machine is served.

use std::sync::{LazyLock, OnceLock};

use super::bundle::{bundle, compacted};
use kelso_draughts::board::{Color, Position};
use kelso_reports::diagram::{self, Diagram};

/// A file of the page.
#[derive(Debug)]
pub(super) struct Asset {
    pub(super) content_type: &'static str,
    pub(super) bytes: &'static [u8],
    /// Whether the content at this path never changes, because other versions have other paths.
    pub(super) immutable: bool,
    packed: OnceLock<Vec<u8>>,
}

const SCRIPT: &str = "text/javascript; charset=utf-8";
const TEXT: &str = "text/plain; charset=utf-8";

/// All files except the page itself, its script and its style. The board's style is shared with other pages.
const FILES: [(&str, &str); 5] = [
    ("style.css", diagram::STYLE),
    ("icon.svg", include_str!("../../page/icon.svg")),
    ("boot.js", include_str!("../../page/boot.js")),
    ("problems.txt", include_str!("../../page/problems.txt")),
    ("games.pdn", include_str!("../../page/games.pdn")),
];

/// The modules of the page's script, as listed by `build.rs`. The board's script is shared with other pages.
const MODULES: [&[(&str, &str)]; 2] =
    [&[("diagram.js", kelso_reports::page::SCRIPT)], &include!(concat!(env!("OUT_DIR"), "/modules.rs"))];
const MAIN: &str = "main.js";
/// The module that connects the page to the program. Another module takes its place in the static site.
const TRANSPORT: &str = "transport.js";

/// The compression level, from 0 to 10.
const COMPRESSION: u8 = 6;

const INDEX: &str = include_str!("../../page/index.html");
/// A second set of pieces, whose names begin with `plain-`.
const PLAIN_PIECES: &str = include_str!("../../page/pieces.svg");
/// The icons of buttons, each a symbol whose name begins with `icon-`.
const ICONS: &str = include_str!("../../page/icons.svg");

/// A file of the page: its name and its content.
pub(super) type File<'a> = (&'a str, &'a [u8]);

/// Returns all files, except for the page itself and its script.
pub(super) fn files() -> impl Iterator<Item = File<'static>> {
    let style = ("page.css", STYLE_FILE.as_bytes());
    FILES.iter().map(|(name, text)| (*name, text.as_bytes())).chain([style])
}

/// Returns the page's script, with its name. `transport` is the module that connects the page to the engine.
#[expect(clippy::expect_used, reason = "a test bundles the modules, which are compiled in")]
pub(super) fn script(transport: &str) -> (&'static str, String) {
    let script = bundle(MAIN, |name| {
        let mut modules = MODULES.iter().copied().flatten();
        if name == TRANSPORT {
            Some(transport)
        } else {
            modules.find(|module| module.0 == name).map(|module| module.1)
        }
    });
    (MAIN, script.expect("the modules can be bundled"))
}

/// Returns the name of the folder of files: a checksum, so that the browser fetches each version only once.
pub(super) fn folder<'a>(files: impl Iterator<Item = File<'a>>) -> String {
    let mut hasher = crc32fast::Hasher::new();
    files.for_each(|(_, bytes)| hasher.update(bytes));
    format!("page-{:08x}", hasher.finalize())
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.') {
        Some((_, "js")) => SCRIPT,
        Some((_, "css")) => "text/css; charset=utf-8",
        Some((_, "txt" | "pdn")) => TEXT,
        _ => "image/svg+xml",
    }
}

static STYLE_FILE: LazyLock<String> = LazyLock::new(|| compacted(include_str!("../../page/page.css")));
static SCRIPT_FILE: LazyLock<String> = LazyLock::new(|| script(include_str!("../../page/transport.js")).1);
static FOLDER: LazyLock<String> = LazyLock::new(|| format!("/{}", folder(served())));
static PAGE: LazyLock<String> = LazyLock::new(|| index(&FOLDER, ""));
static ASSETS: LazyLock<Vec<(String, Asset)>> = LazyLock::new(|| {
    let page = Asset::new("text/html; charset=utf-8", PAGE.as_bytes(), false);
    let files = served()
        .map(|(name, bytes)| (format!("{}/{name}", *FOLDER), Asset::new(content_type(name), bytes, true)));
    [("/".to_owned(), page)].into_iter().chain(files).collect()
});

/// Returns all files that the server sends, except for the page itself.
fn served() -> impl Iterator<Item = File<'static>> {
    files().chain([(MAIN, SCRIPT_FILE.as_bytes())])
}

/// Returns the page, which loads its files from the address `folder` and has `head` in its head. Its board is
/// visible before the scripts have run.
pub(super) fn index(folder: &str, head: &str) -> String {
    let board = diagram::markup(&Diagram::new(Position::start()).seen_from(Color::Black));
    INDEX
        .replace("<!-- head -->\n", head)
        .replace("=\"page/", &format!("=\"{folder}/"))
        .replace("<!-- pieces -->", &format!("{}{PLAIN_PIECES}", diagram::PIECES))
        .replace("<!-- icons -->", ICONS)
        .replace("<!-- board -->", &board)
}

pub(super) fn find(path: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|(known, _)| known == path).map(|(_, asset)| asset)
}

impl Asset {
    fn new(content_type: &'static str, bytes: &'static [u8], immutable: bool) -> Self {
        Self { content_type, bytes, immutable, packed: OnceLock::new() }
    }

    /// Returns the entity tag of the content. Compressed content has a different tag.
    pub(super) fn tag(&self, is_packed: bool) -> String {
        let suffix = if is_packed { "-gzip" } else { "" };
        format!("\"{:08x}-{:x}{suffix}\"", crc32fast::hash(self.bytes), self.bytes.len())
    }

    /// Returns the content compressed by gzip (RFC 1952). It is compressed at the first call.
    pub(super) fn packed(&self) -> &[u8] {
        const HEAD: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
        self.packed.get_or_init(|| {
            let [a, b, c, d, ..] = self.bytes.len().to_le_bytes();
            let data = miniz_oxide::deflate::compress_to_vec(self.bytes, COMPRESSION);
            [&HEAD[..], &data, &crc32fast::hash(self.bytes).to_le_bytes(), &[a, b, c, d]].concat()
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use kelso_draughts::board::Move;
    use kelso_draughts::notation::{fen, movetext};
    use kelso_draughts::result::Wdl;
    use kelso_endgames::Databases;

    const DOCUMENT: &str = include_str!("../../../../../docs/web.md");

    #[test]
    fn the_page_is_small_and_loads_nothing_from_elsewhere() {
        // Problems are loaded on demand.
        let at_once: Vec<_> = ASSETS.iter().filter(|(_, asset)| asset.content_type != TEXT).collect();
        let bytes: usize = at_once.iter().map(|(_, asset)| asset.packed().len()).sum();
        assert!(bytes <= 100_000 && at_once.len() <= 12, "{bytes} bytes in {} files", at_once.len());
        let on_demand = |name: &str| find(&format!("{}/{name}", *FOLDER)).unwrap().packed().len();
        let kelso_engine::EmbeddedData { databases, book } = kelso_engine::EmbeddedData::default();
        let packed = |bytes: &[u8]| miniz_oxide::deflate::compress_to_vec(bytes, COMPRESSION).len();
        for (row, bytes) in [
            ("| page, scripts and styles |", bytes),
            ("| `problems.txt` |", on_demand("problems.txt")),
            ("| `games.pdn` |", on_demand("games.pdn")),
            ("| `kelso.book` |", packed(book)),
            ("| `kelso.egdb` |", packed(&databases.concat())),
        ] {
            let line = DOCUMENT.lines().find(|line| line.starts_with(row)).expect(row);
            let stated: String =
                line.rsplit('|').nth(1).unwrap().chars().filter(char::is_ascii_digit).collect();
            let stated: usize = stated.parse().unwrap();
            assert!(bytes.abs_diff(stated) <= stated / 50, "{line} but {bytes} bytes");
        }
        for (path, asset) in ASSETS.iter() {
            let text = String::from_utf8_lossy(asset.bytes);
            let elsewhere = text.replace("http://www.w3.org/2000/svg", "");
            assert!(!elsewhere.contains("http://") && !elsewhere.contains("https://"), "{path}");
        }
    }

    #[test]
    fn every_file_is_named_by_another_and_every_name_is_a_file() {
        let mut named = vec!["/".to_owned()];
        for (_, asset) in ASSETS.iter() {
            let text = String::from_utf8_lossy(asset.bytes);
            let imports = text.split("\"./").skip(1).map(|rest| (FOLDER.as_str(), "/", rest));
            let links = text.split("=\"/page-").skip(1).map(|rest| ("", "/page-", rest));
            named.extend(imports.chain(links).filter_map(|(folder, slash, rest)| {
                Some(format!("{folder}{slash}{}", rest.split('"').next()?))
            }));
        }
        for name in &named {
            assert!(find(name).is_some(), "{name}");
        }
        for (path, asset) in ASSETS.iter() {
            assert!(named.contains(path) && asset.immutable == (path != "/"), "{path}");
        }
    }

    #[test]
    fn every_module_is_part_of_the_script() {
        for (name, _) in MODULES.iter().copied().flatten() {
            assert_eq!(SCRIPT_FILE.matches(&format!("bundled[\"{name}\"]={{")).count(), 1, "{name}");
        }
    }

    #[test]
    fn every_problem_is_fair_and_its_solution_is_legal() {
        let databases = Databases::compiled_in();
        let mut checked = 0;
        let mut seen = HashSet::new();
        let text = include_str!("../../page/problems.txt");
        for line in text.lines() {
            let [fen, goal, solution, grades] = line.split('|').collect::<Vec<_>>()[..] else {
                panic!("{line}")
            };
            assert_eq!(
                grades.split(' ').filter_map(|number| number.parse::<u32>().ok()).count(),
                3,
                "{line}"
            );
            let start = fen::parse(fen).unwrap();
            let side = start.side();
            assert!(seen.insert(start.key().min(start.flipped().key())), "twice: {line}");
            assert!(lead(&start, side) < 2, "begun a man ahead: {line}");
            let mut position = start;
            for word in solution.split(' ') {
                position = position.after(movetext::parse(&position, word).unwrap());
            }
            if let Some(gain) = goal.strip_prefix("gain ") {
                assert_eq!((lead(&position, side) - lead(&start, side)).to_string(), gain, "{line}");
            } else if ["win", "draw"].contains(&goal) && databases.covers(start.piece_count()) {
                let expected = if goal == "win" { Wdl::Loss } else { Wdl::Draw };
                let right = |&&mv: &&Move| databases.probe(&start.after(mv)) == Some(expected);
                let moves = start.moves();
                let right: Vec<Move> = moves.iter().filter(right).copied().collect();
                assert_eq!(
                    right,
                    [movetext::parse(&start, solution.split(' ').next().unwrap()).unwrap()],
                    "{line}"
                );
                checked += 1;
            } else {
                assert!(["win", "draw", "attack", "save"].contains(&goal), "{line}");
            }
        }
        assert!(checked >= 150, "{checked}");
    }

    /// Returns the material lead of a side: a man counts two, a king three.
    fn lead(position: &Position, side: Color) -> i32 {
        let count = |color| {
            let (men, kings) = (position.men(color).0.count_ones(), position.kings(color).0.count_ones());
            (2 * men + 3 * kings).cast_signed()
        };
        count(side) - count(!side)
    }

    #[test]
    fn the_page_has_a_board_before_its_scripts_run() {
        let text = String::from_utf8_lossy(find("/").unwrap().bytes);
        assert_eq!(text.matches("<use href=\"#black-man\"").count(), 12);
        assert_eq!(text.matches("fill=\"var(--board-number)\"").count(), 32);
        assert!(!text.contains("<!--"), "{text}");
    }
}
