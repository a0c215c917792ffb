//! `kelso pdn find`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use anyhow::bail;
use serde::Serialize;

use super::output::{self, json};
use crate::cli::arguments::files::{GameFiles, Json};
use crate::cli::arguments::position::play_moves;
use crate::cli::outcome::{Outcome, say};
use crate::cli::values::{OptionValueParser, at_least, position};
use kelso_draughts::ballot::{Ballot, BallotName};
use kelso_draughts::board::{Move, Position};
use kelso_draughts::notation::pdn::{PdnEntry, parse_result};
use kelso_draughts::result::GameResult;
use kelso_library::conditions::{
    Material, MovePattern, PartRange, TagPart, TagPattern, first_in_lines, has_player,
};
use kelso_library::continuations::first_ply;
use kelso_text::plural::counted;

/// Find games by tags, result, position, material, moves or ballot
///
/// A game must meet all conditions. In a game with an error, only the moves before it are searched. The exit
/// status is 0 if a game is found, 1 if none is, and 2 if a file cannot be read. With --json, the output has
/// a line per game, with file, game, line, ply, result, plies and tags.
#[derive(clap::Args, Debug)]
#[command(mut_arg("json", |json| json.conflicts_with("split")))]
#[command(after_help = examples!(
    "kelso pdn find games.pdn --player Tinsley --result 1-0 -o won.pdn",
    "kelso pdn find collection/ --moves \"11-15 23-19\" --count"
))]
pub struct Args {
    #[command(flatten)]
    files: GameFiles,
    #[command(flatten)]
    conditions: Conditions,
    /// Stop after N games
    #[arg(long, value_name = "N", value_parser = at_least(1_u64))]
    limit: Option<u64>,
    /// Print only the number of games
    #[arg(long, short, conflicts_with_all = ["json", "split"])]
    count: bool,
    #[command(flatten)]
    json: Json,
    #[command(flatten)]
    output: output::Args,
}

/// The conditions that a game must meet.
#[derive(clap::Args, Clone, Debug, Default)]
struct Conditions {
    /// Tag with PART in its value, ignoring case, such as White=tinsley; can be repeated
    #[arg(long = "tag", value_name = "NAME=PART")]
    tags: Vec<TagPart>,
    /// Tag with a value that the regular expression PATTERN matches, such as "Event=^Cup [0-9]+$"; can be
    /// repeated
    #[arg(long = "regex", value_name = "NAME=PATTERN")]
    patterns: Vec<TagPattern>,
    /// Words of the name of either player; long ones may be misspelt; can be repeated
    #[arg(long = "player", value_name = "WORDS")]
    players: Vec<String>,
    /// Result: 1-0, 0-1, 1/2-1/2 or *; can be repeated for alternatives
    #[arg(long = "result", value_name = "RESULT", value_parser = parse_result)]
    results: Vec<Option<GameResult>>,
    /// Date of the game or event, such as 1954, 1954.06..1954.08 or ..1960; unknown parts match any
    #[arg(long, value_name = "RANGE", value_parser = PartRange::parse_dates)]
    date: Option<PartRange>,
    /// Number of plies, such as 40..80, 81.. or 0
    #[arg(long, value_name = "RANGE")]
    plies: Option<PartRange>,
    /// Position that occurs in the game
    #[arg(long = "fen", value_name = "FEN", value_parser = position())]
    position: Option<Position>,
    /// Material that occurs in the game: men and kings of each side, such as B3K1:W2K2
    #[arg(long, value_name = "MATERIAL")]
    material: Option<Material>,
    /// Number of pieces of a position that occurs in the game, such as 8 or 2..6
    #[arg(long, value_name = "RANGE")]
    pieces: Option<PartRange>,
    /// Also match positions and material with colours exchanged
    #[arg(long)]
    mirror: bool,
    /// Also search variations
    #[arg(long)]
    variations: bool,
    /// Consecutive moves anywhere in the game, such as "11-15 23-18"
    #[arg(long, value_name = "MOVES")]
    moves: Option<MovePattern>,
    /// First moves of the game, from the standard starting position
    #[arg(long, value_name = "MOVES", value_parser = beginning)]
    begins: Option<MovePattern>,
    /// Ballot: 57, three-move 57, eleven-man 8, or an opening name such as Cross; can be repeated for
    /// alternatives
    #[arg(long = "ballot", value_name = "BALLOT", value_parser = OptionValueParser(str::parse::<BallotName>))]
    ballots: Vec<BallotName>,
    /// Find the games that do not meet all of the other conditions
    #[arg(long)]
    not: bool,
}

/// Parses moves with which a game can begin from the standard starting position.
fn beginning(text: &str) -> anyhow::Result<MovePattern> {
    play_moves(Position::start(), text).and_then(|_| Ok(text.parse()?))
}

impl Conditions {
    /// Returns the number of plies before a game is to be found, or `None` if it is not.
    fn meets(&self, entry: &PdnEntry) -> Option<usize> {
        let met = self.first(entry);
        if self.not { met.is_none().then_some(0) } else { met }
    }

    /// Returns the number of plies before a game first meets all conditions, or 0 without conditions on the
    /// position, the material or the moves.
    fn first(&self, entry: &PdnEntry) -> Option<usize> {
        let game = &entry.game;
        let names = &self.ballots;
        let cheap = self.tags.iter().all(|tag| tag.meets(game))
            && self.patterns.iter().all(|pattern| pattern.meets(game))
            && self.players.iter().all(|part| has_player(game, part))
            && (self.results.is_empty() || self.results.contains(&game.result))
            && self.date.as_ref().is_none_or(|range| range.has_game(game))
            && self.plies.as_ref().is_none_or(|range| range.contains(&[game.plies.len()]))
            && (names.is_empty()
                || Ballot::of_game(game).is_some_and(|ballot| names.iter().any(|name| name.is(ballot))));
        if !cheap {
            return None;
        }
        first_in_lines(game, self.variations, &|moves| self.line(game.start, moves))
    }

    /// Returns the number of plies before a line of moves meets the conditions on moves and on the board.
    fn line(&self, start: Position, moves: &[Move]) -> Option<usize> {
        if let Some(begins) = &self.begins {
            begins.first(moves, true)?;
        }
        let ply = self.moves.as_ref().map_or(Some(0), |sequence| sequence.first(moves, false))?;
        let is_any = self.position.is_none() && self.material.is_none() && self.pieces.is_none();
        let board = if is_any { 0 } else { self.reach(start, moves)? };
        Some(ply.max(board))
    }

    /// Returns the number of plies before the board first has the position, the material and the number of
    /// pieces.
    fn reach(&self, start: Position, moves: &[Move]) -> Option<usize> {
        let mirror = self.position.filter(|_| self.mirror).map(|position| position.flipped());
        let is_sought = |now: &Position| {
            let position = self.position.is_none_or(|sought| sought == *now) || mirror == Some(*now);
            position
                && self.material.is_none_or(|material| material.meets(now, self.mirror))
                && self.pieces.as_ref().is_none_or(|range| range.contains(&[now.occupied().len() as usize]))
        };
        first_ply(start, moves.iter().copied(), is_sought).map(|(ply, _)| ply)
    }
}

#[derive(Serialize)]
struct FoundGame<'a> {
    file: String,
    game: usize,
    line: usize,
    /// Number of plies before the conditions are met.
    ply: usize,
    result: String,
    plies: usize,
    tags: BTreeMap<&'a str, Cow<'a, str>>,
}

pub(super) fn run(args: &Args) -> Outcome {
    if args.output.library().is_some() && (args.json.json || args.count) {
        bail!("a library can only be made of games: leave out --json and --count");
    }
    let mut out = args.output.open(&args.files)?;
    let mut count = 0;
    let work = |entry: PdnEntry, text: &[u8]| {
        let ply = args.conditions.meets(&entry)?;
        let text =
            if args.json.json || args.count { Ok(String::new()) } else { args.output.written(&entry, text) };
        Some((ply, text, args.json.json.then_some(entry)))
    };
    let readable = args.files.each(work, |site, game| {
        let Some((ply, text, entry)) = game else { return Ok(true) };
        count += 1;
        out.game(&site, &text)?;
        if let Some(entry) = entry {
            out.write(&json(&FoundGame {
                file: site.source.to_string(),
                game: site.number,
                line: entry.line,
                ply,
                result: entry.game.result_text().to_owned(),
                plies: entry.game.plies.len(),
                tags: entry.game.all_tags().into_iter().collect(),
            }))?;
        }
        anyhow::Ok(args.limit.is_none_or(|limit| count < limit))
    })?;
    if args.count {
        out.write(&format!("{count}\n"))?;
    }
    let status = out.finish(readable, count > 0)?;
    if !args.count && !args.json.json {
        say(&counted(count, "game"));
    }
    Ok(status)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_draughts::notation::fen;
    use kelso_draughts::notation::pdn::PdnReader;

    fn plies(query: &Conditions, text: &str) -> Option<usize> {
        let entry = PdnReader::new(text.as_bytes()).next().unwrap();
        assert!(entry.is_complete(), "{:?}", entry.error);
        query.meets(&entry)
    }

    const GAME: &str = "[Event \"Harbour Cup\"]\n[Black \"Ann Lee\"]\n[White \"Bob\"]\n1. 11-15 23-18 2. 8-11 27-23 3. 11-16 18x11 1-0";

    #[test]
    fn games_are_found_if_they_meet_all_conditions() {
        let all = || Conditions::default();
        let reached = fen::parse("B:W18,21,22,24-32:B1-10,12,15").unwrap();
        for (query, found) in [
            (all(), Some(0)),
            (Conditions { tags: vec!["event=cup".parse().unwrap()], ..all() }, Some(0)),
            (Conditions { tags: vec!["Event=cups".parse().unwrap()], ..all() }, None),
            (Conditions { tags: vec!["Site=".parse().unwrap()], ..all() }, None),
            (Conditions { tags: vec!["Result=1-0".parse().unwrap()], ..all() }, Some(0)),
            (Conditions { tags: vec!["Result=0-1".parse().unwrap()], ..all() }, None),
            (Conditions { tags: vec!["gametype=21".parse().unwrap()], ..all() }, Some(0)),
            (Conditions { tags: vec!["FEN=W".parse().unwrap()], ..all() }, None),
            (Conditions { patterns: vec!["event=^Harbour.*p$".parse().unwrap()], ..all() }, Some(0)),
            (Conditions { patterns: vec!["Event=^harbour|^Cup".parse().unwrap()], ..all() }, None),
            (Conditions { pieces: "..23".parse().ok(), ..all() }, Some(6)),
            (Conditions { pieces: "24".parse().ok(), ..all() }, Some(0)),
            (Conditions { pieces: "..22".parse().ok(), ..all() }, None),
            (Conditions { players: vec!["lee".into(), "bob".into()], ..all() }, Some(0)),
            (Conditions { players: vec!["carol".into()], ..all() }, None),
            (Conditions { players: vec!["carol".into()], not: true, ..all() }, Some(0)),
            (Conditions { not: true, ..all() }, None),
            (Conditions { plies: "6".parse().ok(), ..all() }, Some(0)),
            (Conditions { plies: "7..".parse().ok(), ..all() }, None),
            (Conditions { date: "1900..".parse().ok(), ..all() }, None),
            (
                Conditions { results: vec![Some(GameResult::Draw), Some(GameResult::BlackWins)], ..all() },
                Some(0),
            ),
            (Conditions { results: vec![Some(GameResult::Draw)], ..all() }, None),
            (Conditions { position: Some(reached), ..all() }, Some(2)),
            (Conditions { position: Some(reached.flipped()), ..all() }, None),
            (Conditions { position: Some(reached.flipped()), mirror: true, ..all() }, Some(2)),
            (Conditions { material: Some("B11:W12".parse().unwrap()), ..all() }, Some(6)),
            (Conditions { material: Some("w11k0 : b12".parse().unwrap()), ..all() }, None),
            (Conditions { material: Some("w11k0 : b12".parse().unwrap()), mirror: true, ..all() }, Some(6)),
            (Conditions { moves: Some("8-11, 27-23".parse().unwrap()), ..all() }, Some(2)),
            (Conditions { begins: Some("8-11 27-23".parse().unwrap()), ..all() }, None),
            (Conditions { begins: Some("11-15 23-18".parse().unwrap()), ..all() }, Some(0)),
            (Conditions { ballots: vec!["cross".parse().unwrap()], ..all() }, Some(0)),
            (
                Conditions { ballots: vec!["eleven-man 1".parse().unwrap(), "1".parse().unwrap()], ..all() },
                None,
            ),
        ] {
            assert_eq!(plies(&query, GAME), found, "{query:?}");
        }
    }

    #[test]
    fn variations_count_if_they_are_asked_for() {
        let text = "1. 11-15 (1. 9-13 22-18 (1... 23-19 2. 11-15 (2. 6-9))) 23-18 2. 8-11 *";
        let all = |variations| Conditions { variations, ..Conditions::default() };
        let moves =
            |moves: &str, variations| Conditions { moves: Some(moves.parse().unwrap()), ..all(variations) };
        for (expected, found) in [
            ("9-13 22-18", Some(0)),
            ("23-19 11-15", Some(1)),
            ("9-13, 23-19, 6-9", Some(0)),
            ("22-18 11-15", None),
            ("23-18 8-11", Some(1)),
        ] {
            assert_eq!(plies(&moves(expected, true), text), found, "{expected}");
        }
        assert_eq!(plies(&moves("9-13 22-18", false), text), None);
        let begins = Conditions { begins: Some("9-13 23-19".parse().unwrap()), ..all(true) };
        assert_eq!(plies(&begins, text), Some(0));
        let reached = fen::parse("W:W21-32:B1-5,7-13").unwrap();
        assert_eq!(plies(&Conditions { position: Some(reached), ..all(true) }, text), None);
        let position = Position::start();
        let after = ["9-13", "23-19", "6-9"].iter().fold(position, |position, text| {
            position.after(kelso_draughts::notation::movetext::parse(&position, text).unwrap())
        });
        assert_eq!(plies(&Conditions { position: Some(after), ..all(true) }, text), Some(3));
        assert_eq!(plies(&Conditions { position: Some(after), ..all(false) }, text), None);
    }

    #[test]
    fn invalid_conditions_are_refused() {
        let tag = "cup".parse::<TagPart>().unwrap_err();
        assert_eq!(tag.to_string(), "expected NAME=PART, such as Event=cup");
        assert!("cup".parse::<TagPattern>().is_err());
        let pattern = "Event=(".parse::<TagPattern>().unwrap_err().to_string();
        assert!(pattern.starts_with("invalid regular expression: "), "{pattern}");
        for text in ["B3", "B3:B2", "3:2", "Bx:W1", "", "B3K1:W2K2:W1"] {
            assert!(text.parse::<Material>().is_err(), "{text}");
        }
        assert!("11-15 nonsense".parse::<MovePattern>().is_err() && " ".parse::<MovePattern>().is_err());
    }
}
