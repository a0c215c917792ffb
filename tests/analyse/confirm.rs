//! What an analysis says, confirmed by other means: results by databases of six pieces, problems by an exhaustive search with the
//! slow rules of the tests, which share nothing with the engine's.

use std::collections::HashMap;
use std::fs;

use analysis::record::GameAnalysis;
use analysis::verdict::VerdictKind;
use draughts::board::{Color, Position, Square};
use draughts::notation::pdn::{Games, PdnResult};
use draughts::notation::{fen, movetext};
use endgames::{Databases, Sources, Wld};

use crate::reference::rules::Board;

/// Databases of six pieces, in the folder that `KELSO_EGDB` names.
fn databases() -> Databases {
    let folder =
        std::env::var_os("KELSO_EGDB").expect("KELSO_EGDB names a folder with databases of six pieces");
    let databases = Databases::open(&Sources { folder: Some(folder.into()), ..Sources::default() });
    assert!(databases.covers(6), "{:?}", databases.take_problems());
    databases
}

/// The file that a variable of the environment names.
fn file(variable: &str) -> String {
    let path = std::env::var(variable).unwrap_or_else(|_| panic!("{variable} names a file"));
    fs::read_to_string(path).unwrap()
}

/// Every verdict on a position of at most six pieces, held against the databases.
///
/// `KELSO_EGDB=folder KELSO_STATE=analysis.jsonl cargo test --release verdicts_agree -- --ignored --nocapture`
#[test]
#[ignore = "takes an analysis and databases of six pieces"]
fn verdicts_agree_with_the_databases() {
    let databases = databases();
    let (mut seen, mut claims, mut wrong, mut silent) = (0, HashMap::new(), Vec::new(), 0);
    for line in file("KELSO_STATE").lines().skip(1) {
        let game: GameAnalysis = serde_json::from_str(line).unwrap();
        let mut position =
            if game.fen.is_empty() { Position::start() } else { fen::parse(&game.fen).unwrap() };
        for ply in &game.plies {
            let next = position.after(movetext::parse(&position, &ply.text).unwrap());
            if let (Some(had), Some(theirs)) = (databases.probe(&position), databases.probe(&next)) {
                seen += 1;
                let truth = match (had, theirs) {
                    (Wld::Win, Wld::Draw) => Some(VerdictKind::MissedWin),
                    (Wld::Win, Wld::Win) => Some(VerdictKind::LostWin),
                    (Wld::Draw, Wld::Win) => Some(VerdictKind::LostDraw),
                    _ => None,
                };
                let said = ply.error().filter(|verdict| verdict.kind.changes_result());
                match said {
                    Some(verdict) => {
                        *claims.entry(format!("{} by {}", verdict.kind, verdict.by.word())).or_insert(0) += 1;
                        if truth != Some(verdict.kind) {
                            wrong.push(format!(
                                "{} {}: {verdict:?}, not {truth:?}",
                                fen::format(&position),
                                ply.text
                            ));
                        }
                    }
                    None => silent += usize::from(truth.is_some()),
                }
            }
            position = next;
        }
    }
    println!(
        "{seen} positions of at most six pieces; verdicts: {claims:?}; {} wrong; {silent} changes untold",
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every move of both sides with the slow rules, to a number of quiet plies, and the databases at the ends.
struct Exhaust<'a> {
    databases: &'a Databases,
    /// Who is to reach what.
    color: Color,
    win: bool,
    /// For each position the fewest plies that are enough, and the most that are not.
    known: HashMap<Vec<u8>, (i32, i32)>,
    nodes: u64,
}

/// Larger proofs are given up.
const MOST_NODES: u64 = 4_000_000;

impl<'a> Exhaust<'a> {
    fn new(databases: &'a Databases, color: Color, win: bool) -> Self {
        Self { databases, color, win, known: HashMap::new(), nodes: 0 }
    }

    fn reached(&self, result: Wld, mover: Color) -> bool {
        match result {
            Wld::Draw => !self.win,
            Wld::Win => mover == self.color,
            Wld::Loss => mover != self.color,
        }
    }

    /// None if it takes too long.
    fn proves(&mut self, board: &Board, plies: i32) -> Option<bool> {
        self.nodes += 1;
        if self.nodes > MOST_NODES {
            return None;
        }
        let setup = board.setup();
        let turns = board.turns();
        let quiet = turns.iter().all(|turn| turn.captured.is_empty());
        if turns.is_empty() {
            return Some(self.reached(Wld::Loss, setup.side));
        }
        if quiet {
            if let Some(result) = self.databases.probe(&Position::try_from(setup).unwrap()) {
                return Some(self.reached(result, setup.side));
            }
            if plies <= 0 {
                return Some(false);
            }
        }
        let mut key: Vec<u8> = Square::all().map(|square| setup.piece_at(square).map_or(0, code)).collect();
        key.push(u8::from(setup.side == Color::White));
        let (enough, too_few) = self.known.get(&key).copied().unwrap_or((i32::MAX, -1));
        if plies >= enough || plies <= too_few {
            return Some(plies >= enough);
        }
        let ours = setup.side == self.color;
        let mut proved = !ours;
        for turn in &turns {
            if self.proves(&board.after(turn), plies - i32::from(quiet))? == ours {
                proved = ours;
                break;
            }
        }
        let entry = if proved { (plies, too_few) } else { (enough, plies) };
        self.known.insert(key, entry);
        Some(proved)
    }

    fn proves_within(&mut self, board: &Board, most: i32) -> Option<bool> {
        for plies in 0..=most {
            if self.proves(board, plies)? {
                return Some(true);
            }
        }
        Some(false)
    }
}

fn code(piece: draughts::board::Piece) -> u8 {
    1 + 2 * u8::from(piece.color == Color::White) + u8::from(piece.kind == draughts::board::Kind::King)
}

/// Whether a problem's first move is the only one that reaches its goal; none if that takes too long.
fn confirmed(
    databases: &Databases,
    position: &Position,
    best: draughts::board::Move,
    win: bool,
) -> Option<bool> {
    let side = position.side();
    for mv in position.moves() {
        let next = position.after(mv);
        let board = Board::new(&(&next).into());
        let reached = match databases.probe(&next) {
            Some(Wld::Loss) => true,
            Some(Wld::Draw) => !win,
            Some(Wld::Win) => false,
            // The best move reaches the goal, and each other leaves the other side what keeps it from that.
            None if mv == best => Exhaust::new(databases, side, win).proves_within(&board, 23)?,
            None => !Exhaust::new(databases, !side, !win).proves_within(&board, 23)?,
        };
        if reached != (mv == best) {
            return Some(false);
        }
    }
    Some(true)
}

/// Every problem of a file, proved once more.
///
/// `KELSO_EGDB=folder KELSO_PROBLEMS=problems.pdn cargo test --release problems_are_confirmed -- --ignored --nocapture`
#[test]
#[ignore = "takes problems and databases of six pieces, and minutes"]
fn problems_are_confirmed() {
    let databases = databases();
    let (mut by_database, mut by_search, mut open) = (0, 0, 0);
    for entry in Games::new(file("KELSO_PROBLEMS").as_bytes()) {
        let game = entry.whole().unwrap();
        let (position, win) = (game.start, game.result != PdnResult::Draw);
        let best = game.moves().next().unwrap();
        match confirmed(&databases, &position, best, win) {
            Some(true) if databases.covers(position.piece_count()) => by_database += 1,
            Some(true) => by_search += 1,
            Some(false) => {
                panic!("{} {}: no problem", fen::format(&position), movetext::format(&position, best))
            }
            None => open += 1,
        }
        let end = game.moves().fold(position, |position, mv| position.after(mv));
        assert!(!end.must_capture(), "{}: the solution ends in the middle", fen::format(&position));
    }
    println!("confirmed: {by_database} by databases, {by_search} by search; {open} too long to prove");
    assert!(by_database + by_search > 0);
}
