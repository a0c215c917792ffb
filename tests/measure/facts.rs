//! Facts about endings: the longest wins, and how often a shallow search judges endings rightly.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::{Args, Subcommand};
use kelso_draughts::board::{Game, Move, Position};
use kelso_draughts::notation::{fen, movetext};
use kelso_draughts::result::Wdl;
use kelso_draughts::win_rates::WinRates;
use kelso_endgames::{DatabaseOptions, Databases, Slice};
use kelso_engine::search::{Control, Limits};
use kelso_engine::{Engine, Setting};
use kelso_random::{Random, RngExt, SeedableRng};

use crate::progress::Progress;

#[derive(Subcommand)]
pub enum Command {
    /// Find the longest win for each number of pieces, with its moves
    Longest {
        #[command(flatten)]
        endings: Endings,
    },
    /// Count the positions whose result a search without databases judges rightly
    Judged {
        #[command(flatten)]
        endings: Endings,
        /// Depth of the search in plies
        #[arg(long, value_name = "N", default_value_t = 1)]
        depth: usize,
        /// Number of positions, drawn from all with the number of pieces
        #[arg(long, value_name = "N", default_value_t = 100_000)]
        positions: usize,
    },
}

#[derive(Args)]
pub struct Endings {
    /// Directory of additional databases
    #[arg(long, value_name = "DIR")]
    databases: Option<PathBuf>,
    /// Number of pieces, at most
    #[arg(long, value_name = "N", default_value_t = 4)]
    pieces: u32,
}

impl Endings {
    fn open(&self) -> Result<Databases> {
        let folder = self.databases.clone();
        let databases =
            Databases::open(&DatabaseOptions { folder, cache: 1024, ..DatabaseOptions::default() });
        let pieces = self.pieces;
        ensure!(databases.covers(pieces), "databases of {pieces} pieces are missing; use --databases");
        Ok(databases)
    }
}

impl Command {
    pub fn run(self) -> Result<()> {
        match self {
            Self::Longest { endings } => longest(&endings.open()?, endings.pieces),
            Self::Judged { endings, depth, positions } => judged(&endings, depth, positions),
        }
    }
}

fn longest(databases: &Databases, most: u32) -> Result<()> {
    for pieces in 2..=most {
        let mut best = None;
        for slice in Slice::all(pieces..=pieces) {
            for number in 0..slice.positions() {
                let position = slice.position(number);
                let value =
                    databases.distance(&position).context("distances are missing; use --databases")?;
                if value.wdl == Wdl::Win && best.is_none_or(|(plies, _)| value.plies > plies) {
                    best = Some((value.plies, position));
                }
            }
        }
        let (plies, position) = best.context("no position is won")?;
        let line = movetext::format_line(&position, &best_line(databases, position));
        println!("{pieces} pieces: {} plies: {}: {line}", plies.unwrap_or(0), fen::format(&position));
    }
    Ok(())
}

/// Returns the first line in which the winner hurries and the loser delays.
fn best_line(databases: &Databases, mut position: Position) -> Vec<Move> {
    let mut line = Vec::new();
    while let Some(left) = plies(databases, &position).and_then(|plies| plies.checked_sub(1)) {
        let result = databases.probe(&position).map(Wdl::reversed);
        let next = position.moves().into_iter().find(|mv| {
            let next = position.after(*mv);
            plies(databases, &next) == Some(left) && databases.probe(&next) == result
        });
        let Some(mv) = next else { break };
        line.push(mv);
        position = position.after(mv);
    }
    line
}

fn plies(databases: &Databases, position: &Position) -> Option<u32> {
    databases.distance(position).and_then(|value| value.plies)
}

fn judged(endings: &Endings, depth: usize, count: usize) -> Result<()> {
    let databases = endings.open()?;
    let mut engine = Engine::new([Setting::Hash(1), Setting::ShowWdl(true), Setting::EgdbPieces(0)])?;
    let slices = Slice::all(endings.pieces..=endings.pieces);
    let total: u64 = slices.iter().map(|slice| slice.positions()).sum();
    let mut random = Random::seed_from_u64(1);
    let mut progress = Progress::new("positions", count);
    // By result: positions, and those judged rightly.
    let mut counts = [[0_u32; 2]; 3];
    for _ in 0..count {
        let mut number = random.random_range(0..total);
        let mut slice = slices.iter();
        let position = loop {
            let slice = slice.next().context("a number of a position")?;
            match number.checked_sub(slice.positions()) {
                Some(rest) => number = rest,
                None => break slice.position(number),
            }
        };
        engine.new_game();
        let answer = engine.search(&Game::new(position), &Limits::depth(depth), &Control::new(), &mut |_| {});
        let result = databases.probe(&position).context("a result")?;
        // A side without a move has lost.
        let chances = answer.win_rates.unwrap_or(WinRates::LOST).reversed().thousandths();
        let is_right = chances[result as usize] == chances.into_iter().max().unwrap_or(0);
        counts[result as usize][0] += 1;
        counts[result as usize][1] += u32::from(is_right);
        progress.add(1);
    }
    let sum = counts.into_iter().fold([0, 0], |sum, next| [sum[0] + next[0], sum[1] + next[1]]);
    println!("{} pieces, depth {depth}: {}", endings.pieces, share(sum));
    for (name, counts) in ["lost", "drawn", "won"].iter().zip(counts) {
        println!("{name}: {}", share(counts));
    }
    Ok(())
}

fn share([all, right]: [u32; 2]) -> String {
    format!("{all} positions, {:.1}% judged rightly", 100.0 * f64::from(right) / f64::from(all.max(1)))
}
