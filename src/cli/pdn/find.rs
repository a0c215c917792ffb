//! `kelso pdn find`: games that meet conditions.

use std::ops::ControlFlow;

use serde::Serialize;

use super::super::{Outcome, position, say};
use super::output::{self, json};
use super::{Files, count, status};
use analysis::games::opening::Ballots;
use analysis::games::query::{BallotName, Material, Query, QueryError, Sequence, TagPart};
use draughts::board::Position;
use draughts::notation::pdn::{Entry, PdnResult};

/// Find games by tags, result, position, material, moves or ballot
///
/// A game has to meet all conditions. Of a game that can't be read as a whole, the moves before the fault count. The status is
/// 0 if a game is found, 1 if none is, and 2 if a file can't be read.
#[derive(clap::Args, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(super) struct Args {
    #[command(flatten)]
    files: Files,
    /// A tag whose value has this part, in upper or lower case, as in Event=cup; may be given more than once, as all that have
    /// a plural here
    #[arg(long = "tag", value_name = "NAME=PART")]
    tags: Vec<TagPart>,
    /// A part of the name of either player
    #[arg(long = "player", value_name = "PART")]
    players: Vec<String>,
    /// A part of Black's name
    #[arg(long, value_name = "PART")]
    black: Option<String>,
    /// A part of White's name
    #[arg(long, value_name = "PART")]
    white: Option<String>,
    /// The result: 1-0, 0-1, 1/2-1/2 or *; given more than once, any of them
    #[arg(long = "result", value_name = "RESULT", value_parser = result)]
    results: Vec<PdnResult>,
    /// A position that was on the board
    #[arg(long, value_name = "FEN", value_parser = position::parse)]
    fen: Option<Position>,
    /// Men and kings that were on the board, as in B3K1:W2K2
    #[arg(long, value_name = "MATERIAL")]
    material: Option<Material>,
    /// Positions and material with colours exchanged count as well
    #[arg(long)]
    mirror: bool,
    /// Positions, material and moves in variations count as well
    #[arg(long)]
    variations: bool,
    /// Moves that follow each other somewhere in the game, as in "11-15 23-18"
    #[arg(long, value_name = "MOVES")]
    moves: Option<Sequence>,
    /// Moves that the game begins with, legal from the usual start
    #[arg(long, value_name = "MOVES", value_parser = beginning)]
    begins: Option<Sequence>,
    /// The ballot: 57, three-move 57, eleven-man 8, or the name of an opening such as Cross; given more than once, any of them
    #[arg(long = "ballot", value_name = "BALLOT")]
    ballots: Vec<BallotName>,
    /// Stop after N games
    #[arg(long, value_name = "N", value_parser = super::super::at_least_one::<u64>)]
    limit: Option<u64>,
    /// Write how many games there are, and none of them
    #[arg(long, short, conflicts_with = "json")]
    count: bool,
    /// Write a line of JSON for each game instead of the game: file, game, line, ply, result, plies and tags
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    output: output::Args,
}

fn result(text: &str) -> Result<PdnResult, String> {
    PdnResult::parse(text).ok_or_else(|| "expected 1-0, 0-1, 1/2-1/2 or *".to_owned())
}

/// Parses moves that a game can begin with from the usual start.
fn beginning(text: &str) -> Result<Sequence, String> {
    position::play(Position::start(), text)?;
    text.parse().map_err(|error: QueryError| error.to_string())
}

/// A game, for programs.
#[derive(Serialize)]
struct Found<'a> {
    file: String,
    game: usize,
    line: usize,
    /// Before which ply the conditions are met.
    ply: usize,
    result: String,
    plies: usize,
    tags: std::collections::BTreeMap<&'a str, &'a str>,
}

/// Reads, and writes what is found.
///
/// # Errors
///
/// When a folder can't be listed, or games not be written.
pub(super) fn run(args: &Args) -> Outcome {
    let side = |name: &str, part: &Option<String>| part.as_ref().map(|part| TagPart::new(name, part));
    let sides = [side("Black", &args.black), side("White", &args.white)];
    let query = Query {
        tags: args.tags.iter().cloned().chain(sides.into_iter().flatten()).collect(),
        players: args.players.iter().map(|part| part.to_lowercase()).collect(),
        results: args.results.clone(),
        position: args.fen,
        material: args.material,
        mirror: args.mirror,
        variations: args.variations,
        moves: args.moves.clone(),
        begins: args.begins.clone(),
        ballots: args.ballots.clone(),
    };
    let known = Ballots::new();
    let mut out = args.output.open(&args.files)?;
    let mut found = 0;
    let work = |entry: Entry, text: &[u8]| {
        let ply = query.meets(&entry, &known)?;
        let text =
            if args.json || args.count { Ok(String::new()) } else { args.output.written(&entry, text) };
        Some((ply, text, args.json.then_some(entry)))
    };
    let readable = args.files.each(work, |site, game| {
        let Some((ply, text, entry)) = game else { return Ok(ControlFlow::Continue(())) };
        found += 1;
        out.game(&site, &text)?;
        if let Some(entry) = entry {
            out.write(&json(&Found {
                file: site.place.to_string(),
                game: site.number,
                line: entry.line,
                ply,
                result: entry.game.result.to_string(),
                plies: entry.game.plies.len(),
                tags: entry.game.tags.iter().collect(),
            }))?;
        }
        let enough = args.limit.is_some_and(|limit| found >= limit);
        anyhow::Ok(if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    if args.count {
        out.write(&format!("{found}\n"))?;
    }
    out.finish()?;
    if !args.count && !args.json {
        say(&count(found, "game"));
    }
    Ok(status(readable, found > 0))
}
