//! `kelso pdn find`.

use serde::Serialize;

use super::output::{self, json};
use super::{Files, status};
use crate::cli::{Json, Outcome, at_least, play_moves, position, say};
use analysis::games::opening::Ballots;
use analysis::games::query::{BallotName, Material, Query, QueryError, Sequence, TagPart};
use common::count::counted;
use draughts::board::Position;
use draughts::notation::pdn::{Entry, parse_result};
use draughts::referee::GameResult;

/// Find games by tags, result, position, material, moves or ballot
///
/// A game must meet all conditions. Of an incomplete game the moves before the error count. The exit status is 0 if a game
/// is found, 1 if none is, and 2 if a file cannot be read. With --json the output has a line for each game, with file, game,
/// line, ply, result, plies and tags.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    files: Files,
    /// A tag whose value contains PART, regardless of case, such as Event=cup; can be repeated
    #[arg(long = "tag", value_name = "NAME=PART")]
    tags: Vec<TagPart>,
    /// Part of the name of either player; can be repeated
    #[arg(long = "player", value_name = "PART")]
    players: Vec<String>,
    /// Part of Black's name
    #[arg(long, value_name = "PART")]
    black: Option<String>,
    /// Part of White's name
    #[arg(long, value_name = "PART")]
    white: Option<String>,
    /// The result: 1-0, 0-1, 1/2-1/2 or *; repeated options are alternatives
    #[arg(long = "result", value_name = "RESULT", value_parser = parse_result)]
    results: Vec<Option<GameResult>>,
    /// A position of the game
    #[arg(long, value_name = "FEN", value_parser = position)]
    fen: Option<Position>,
    /// Men and kings of a position of the game, such as B3K1:W2K2
    #[arg(long, value_name = "MATERIAL")]
    material: Option<Material>,
    /// Also match positions and material with colours exchanged
    #[arg(long)]
    mirror: bool,
    /// Also match positions, material and moves in variations
    #[arg(long)]
    variations: bool,
    /// Consecutive moves anywhere in the game, such as "11-15 23-18"
    #[arg(long, value_name = "MOVES")]
    moves: Option<Sequence>,
    /// The first moves of a game from the usual start
    #[arg(long, value_name = "MOVES", value_parser = beginning)]
    begins: Option<Sequence>,
    /// The ballot: 57, three-move 57, eleven-man 8, or the name of an opening such as Cross; repeated options are alternatives
    #[arg(long = "ballot", value_name = "BALLOT")]
    ballots: Vec<BallotName>,
    /// Stop after N games
    #[arg(long, value_name = "N", value_parser = at_least(1_u64))]
    limit: Option<u64>,
    /// Write only the number of games
    #[arg(long, short, conflicts_with = "json")]
    count: bool,
    #[command(flatten)]
    json: Json,
    #[command(flatten)]
    output: output::Args,
}

/// Parses moves that a game can begin with from the usual start.
fn beginning(text: &str) -> Result<Sequence, String> {
    play_moves(Position::start(), text)?;
    text.parse().map_err(|error: QueryError| error.to_string())
}

#[derive(Serialize)]
struct Found<'a> {
    file: String,
    game: usize,
    line: usize,
    /// The number of plies before the conditions are met.
    ply: usize,
    result: String,
    plies: usize,
    tags: std::collections::BTreeMap<&'a str, &'a str>,
}

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
            if args.json.json || args.count { Ok(String::new()) } else { args.output.written(&entry, text) };
        Some((ply, text, args.json.json.then_some(entry)))
    };
    let readable = args.files.each(work, |site, game| {
        let Some((ply, text, entry)) = game else { return Ok(true) };
        found += 1;
        out.game(&site, &text)?;
        if let Some(entry) = entry {
            out.write(&json(&Found {
                file: site.place.to_string(),
                game: site.number,
                line: entry.line,
                ply,
                result: entry.game.result_text().to_owned(),
                plies: entry.game.plies.len(),
                tags: entry.game.tags.iter().collect(),
            }))?;
        }
        anyhow::Ok(args.limit.is_none_or(|limit| found < limit))
    })?;
    if args.count {
        out.write(&format!("{found}\n"))?;
    }
    out.finish()?;
    if !args.count && !args.json.json {
        say(&counted(found, "game"));
    }
    Ok(status(readable, found > 0))
}
