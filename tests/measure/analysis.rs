//! Independent checks of `kelso analyse`: results are compared with databases, and problems are proved by an
//! exhaustive search with the tests' own implementation of the rules.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::Subcommand;
use kelso_analysis::record::GameAnalysis;
use kelso_analysis::verdict::VerdictKind;
use kelso_draughts::board::{Color, Move, Piece, PieceKind, Position, Square};
use kelso_draughts::notation::pdn::PdnReader;
use kelso_draughts::notation::{fen, movetext};
use kelso_draughts::result::{GameResult, Wdl};
use kelso_endgames::{DatabaseOptions, Databases as Opened};

use crate::progress::Progress;
use crate::shared::rules::Board;
use crate::{Databases, read};

#[derive(Subcommand)]
pub enum Command {
    /// Compare every verdict on positions of at most six pieces with the databases
    Verdicts {
        /// State of an analysis (FILE.jsonl)
        analysis: PathBuf,
        #[command(flatten)]
        databases: Databases,
    },
    /// Prove every problem in a file again
    Problems {
        /// Problems, from `kelso analyse --problems`
        problems: PathBuf,
        #[command(flatten)]
        databases: Databases,
    },
}

impl Command {
    pub fn run(self) -> Result<()> {
        let open = |databases: Databases| databases.open(6, DatabaseOptions::default().cache);
        match self {
            Self::Verdicts { analysis, databases } => verdicts(&analysis, &open(databases)?),
            Self::Problems { problems, databases } => problems_of(&problems, &open(databases)?),
        }
    }
}

fn verdicts(analysis: &Path, databases: &Opened) -> Result<()> {
    let (mut seen, mut claims, mut wrong, mut missed) = (0, HashMap::new(), 0, 0);
    let text = read(analysis)?;
    let mut progress = Progress::new("games", text.lines().count().saturating_sub(1));
    for (number, line) in (1..).zip(text.lines()).skip(1) {
        let game: GameAnalysis = serde_json::from_str(line)
            .with_context(|| format!("cannot read \"{}\", line {number}", analysis.display()))?;
        for ((position, played), ply) in game.record.positions().zip(&game.plies) {
            let next = position.after(played.mv);
            if let (Some(before), Some(after)) = (databases.probe(&position), databases.probe(&next)) {
                seen += 1;
                let truth = match (before, after) {
                    (Wdl::Win, Wdl::Draw) => Some(VerdictKind::MissedWin),
                    (Wdl::Win, Wdl::Win) => Some(VerdictKind::LostWin),
                    (Wdl::Draw, Wdl::Win) => Some(VerdictKind::LostDraw),
                    _ => None,
                };
                match ply.error().filter(|verdict| verdict.kind.changes_result()) {
                    Some(verdict) => {
                        *claims.entry(format!("{:?} by {:?}", verdict.kind, verdict.by)).or_insert(0) += 1;
                        if truth != Some(verdict.kind) {
                            println!("{} {}: {verdict:?}, not {truth:?}", fen::format(&position), ply.text);
                            wrong += 1;
                        }
                    }
                    None => missed += usize::from(truth.is_some()),
                }
            }
        }
        progress.add(1);
    }
    println!(
        "{seen} positions of at most six pieces; verdicts: {claims:?}; {wrong} wrong; {missed} changes missed"
    );
    ensure!(wrong == 0, "{wrong} verdicts contradict the databases");
    Ok(())
}

fn problems_of(problems: &Path, databases: &Opened) -> Result<()> {
    let (mut by_database, mut by_search, mut open) = (0, 0, 0);
    let text = read(problems)?;
    let games =
        PdnReader::new(text.as_bytes()).map(|entry| Ok(entry.whole()?)).collect::<Result<Vec<_>>>()?;
    let mut progress = Progress::new("problems", games.len());
    for game in games {
        let (position, win) = (game.start, game.result != Some(GameResult::Draw));
        let best = game.moves().next().context("a problem has no solution")?;
        let shown = format!("{} {}", fen::format(&position), movetext::format(&position, best));
        match confirmed(databases, &position, best, win) {
            Some(true) if databases.covers(position.piece_count()) => by_database += 1,
            Some(true) => by_search += 1,
            Some(false) => bail!("{shown}: not the only solution"),
            None => open += 1,
        }
        ensure!(!game.last_position().must_capture(), "{shown}: the solution ends before a capture");
        progress.add(1);
    }
    println!("confirmed: {by_database} by databases, {by_search} by search; {open} too long to prove");
    Ok(())
}

/// An exhaustive search with the slow rules, up to a number of quiet plies or to positions in the databases.
struct Exhaust<'a> {
    databases: &'a Opened,
    /// The side that should win or draw.
    color: Color,
    win: bool,
    /// For each position, the smallest sufficient and the largest insufficient number of plies.
    known: HashMap<Vec<u8>, (i32, i32)>,
    nodes: u64,
}

/// Larger proofs are abandoned.
const MAX_NODES: u64 = 4_000_000;

impl<'a> Exhaust<'a> {
    fn new(databases: &'a Opened, color: Color, win: bool) -> Self {
        Self { databases, color, win, known: HashMap::new(), nodes: 0 }
    }

    fn reached(&self, result: Wdl, mover: Color) -> bool {
        match result {
            Wdl::Draw => !self.win,
            Wdl::Win => mover == self.color,
            Wdl::Loss => mover != self.color,
        }
    }

    /// Returns whether the goal is proved, or `None` if that takes too long.
    fn proves(&mut self, board: &Board, plies: i32) -> Option<bool> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return None;
        }
        let setup = board.setup();
        let turns = board.turns();
        let quiet = turns.iter().all(|turn| turn.captured.is_empty());
        if turns.is_empty() {
            return Some(self.reached(Wdl::Loss, setup.side));
        }
        if quiet {
            if let Ok(position) = Position::try_from(setup)
                && let Some(result) = self.databases.probe(&position)
            {
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

    fn proves_within(&mut self, board: &Board, max: i32) -> Option<bool> {
        for plies in 0..=max {
            if self.proves(board, plies)? {
                return Some(true);
            }
        }
        Some(false)
    }
}

fn code(piece: Piece) -> u8 {
    1 + 2 * u8::from(piece.color == Color::White) + u8::from(piece.kind == PieceKind::King)
}

/// Returns whether a move is the only one that reaches the goal, or `None` if proving that takes too long.
fn confirmed(databases: &Opened, position: &Position, best: Move, win: bool) -> Option<bool> {
    let side = position.side();
    for mv in position.moves() {
        let next = position.after(mv);
        let board = Board::new(&(&next).into());
        let reached = match databases.probe(&next) {
            Some(Wdl::Loss) => true,
            Some(Wdl::Draw) => !win,
            Some(Wdl::Win) => false,
            // The best move reaches the goal, and every other move lets the other side prevent it.
            None if mv == best => Exhaust::new(databases, side, win).proves_within(&board, 23)?,
            None => !Exhaust::new(databases, !side, !win).proves_within(&board, 23)?,
        };
        if reached != (mv == best) {
            return Some(false);
        }
    }
    Some(true)
}
