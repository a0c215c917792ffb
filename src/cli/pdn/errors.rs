//! `kelso pdn check` and `kelso pdn format`, which report the errors in games.

use clap::ValueEnum;
use serde::Serialize;

use super::output::{self, GameOutput, InPlace, json};
use super::{fault, severity};
use crate::cli::arguments::files::{GameFiles, Json};
use crate::cli::outcome::{Outcome, say};
use kelso_draughts::notation::pdn::PdnEntry;
use kelso_draughts::record::{GameRecord, Ply, SearchInfo};
use kelso_text::plural::counted;

/// Report every error in games
///
/// Prints one error per line: the file, line, column and game, and what was expected. After an error, the
/// rest of the game, variation or tag is skipped. Contradictory results and moves after the result are
/// warnings. The exit status is 0 if there are no errors or warnings, 1 if there are any, and 2 if a file
/// cannot be read. With --json, the last line has the counts.
#[derive(clap::Args, Debug)]
#[command(after_help = examples!("kelso pdn check games.pdn", "kelso pdn check collection/ --json"))]
pub struct CheckArgs {
    #[command(flatten)]
    files: GameFiles,
    #[command(flatten)]
    json: Json,
}

#[derive(Serialize)]
struct FaultLine<'a> {
    file: &'a str,
    game: usize,
    line: usize,
    column: usize,
    severity: &'static str,
    message: &'a str,
}

#[derive(Default, Serialize)]
struct Totals {
    games: u64,
    plies: u64,
    /// Number of games whose moves cannot all be read.
    incomplete: u64,
    errors: u64,
    warnings: u64,
}

pub(super) fn check(args: &CheckArgs) -> Outcome {
    let mut counts = Totals::default();
    let mut out = GameOutput::standard();
    let work = |entry: PdnEntry, _: &[u8]| entry;
    let readable = args.files.each(work, |site, entry| {
        counts.games += 1;
        counts.plies += entry.game.plies.len() as u64;
        counts.incomplete += u64::from(!entry.is_complete());
        for error in entry.errors() {
            *(if error.kind.is_warning() { &mut counts.warnings } else { &mut counts.errors }) += 1;
            if args.json.json {
                out.write(&json(&FaultLine {
                    file: &site.source.to_string(),
                    game: site.number,
                    line: error.line,
                    column: error.column,
                    severity: severity(&error.kind),
                    message: &error.kind.to_string(),
                }))?;
            } else {
                out.write(&(fault(&site, error) + "\n"))?;
            }
        }
        anyhow::Ok(true)
    })?;
    if args.json.json {
        out.write(&json(&counts))?;
    }
    let status = out.finish(readable, counts.errors + counts.warnings == 0)?;
    let Totals { games, plies, incomplete, errors, warnings } = counts;
    // If nothing could be read, only the errors are printed.
    if !args.json.json && (readable || games > 0) {
        say(&format!(
            "{}, {}: {}, {}; {} incomplete",
            counted(games, "game"),
            counted(plies, "ply"),
            counted(errors, "error"),
            counted(warnings, "warning"),
            counted(incomplete, "game"),
        ));
    }
    Ok(status)
}

/// Write games in a uniform format
///
/// The output is UTF-8, with tags in a fixed order, numbered moves in lines of up to eighty characters, and
/// numeric glyphs. Comments, variations and all tags are kept, except with --strip. Errors are reported on
/// standard error. The exit status is 0 if there are none, 1 if there are any, and 2 if a file cannot be
/// read.
#[derive(clap::Args, Debug)]
#[command(after_help = examples!(
    "kelso pdn format games.pdn -o tidy.pdn",
    "kelso pdn format --in-place collection/"
))]
pub struct FormatArgs {
    #[command(flatten)]
    files: GameFiles,
    #[command(flatten)]
    output: output::Args,
    #[command(flatten)]
    in_place: InPlace,
    /// Treat men on their last row as kings instead of reporting an error
    #[arg(long)]
    crown: bool,
    /// Leave out comments (with clocks and scores), variations or glyphs such as $1; can be repeated
    #[arg(long, value_enum, value_name = "PART")]
    strip: Vec<GamePart>,
}

/// A part of a game that can be left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum GamePart {
    Comments,
    Variations,
    Glyphs,
}

impl GamePart {
    fn strip(self, game: &mut GameRecord) {
        if self == Self::Comments {
            game.comment.clear();
        }
        self.strip_plies(&mut game.plies);
    }

    fn strip_plies(self, plies: &mut [Ply]) {
        for ply in plies {
            match self {
                Self::Comments => {
                    ply.search = SearchInfo::default();
                    ply.clock = None;
                    ply.comment.clear();
                }
                Self::Variations => ply.variations.clear(),
                Self::Glyphs => ply.glyphs.clear(),
            }
            for variation in &mut ply.variations {
                if self == Self::Comments {
                    variation.comment.clear();
                }
                self.strip_plies(&mut variation.plies);
            }
        }
    }
}

pub(super) fn format(args: &FormatArgs) -> Outcome {
    let mut out = args.output.open_or_replace(args.in_place, &args.files)?;
    let mut well = true;
    let work = |mut entry: PdnEntry, text: &[u8]| {
        args.strip.iter().for_each(|part| part.strip(&mut entry.game));
        (args.output.written(&entry, text), entry)
    };
    let readable = args.files.each_crowning(args.crown, work, |site, (text, entry)| {
        // The error that ends the command is not reported twice.
        for error in entry.errors().filter(|&error| text.as_ref().err() != Some(error)) {
            say(&fault(&site, error));
        }
        well &= entry.errors().next().is_none();
        out.game(&site, &text)?;
        anyhow::Ok(true)
    })?;
    out.finish(readable, well)
}
