//! Plays out endings with a known result.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use clap::{Args, Subcommand};
use kelso_draughts::board::{Game, Position};
use kelso_draughts::notation::fen;
use kelso_draughts::result::Wdl;
use kelso_engine::search::Limits;
use kelso_engine::{Engine, Setting};
use kelso_random::{Random, SeedableRng};

use crate::duration;
use crate::progress::Progress;
use crate::shared::endings::{self, reply, with_result};

#[derive(Subcommand)]
pub enum Command {
    /// Count won endings that are won against an engine within the draw rule, and missed wins
    Wins(Wins),
    /// Count won endings that are won in the minimum number of plies against the best defence
    Shortest {
        /// Directory of additional databases with distances
        #[arg(long, value_name = "DIR")]
        databases: Option<PathBuf>,
        /// Number of pieces
        #[arg(long, value_name = "N", default_value_t = 4)]
        pieces: u32,
        /// Number of games
        #[arg(long, value_name = "N", default_value_t = 1000)]
        games: usize,
    },
    /// Count the drawn endings of four and five pieces that end in a draw
    Draws {
        /// Number of games
        #[arg(long, value_name = "N", default_value_t = 1000)]
        games: usize,
    },
}

#[derive(Args)]
pub struct Wins {
    /// Directory of further databases [default: the built-in ones and those in the user's data directory]
    #[arg(long, value_name = "DIR")]
    databases: Option<PathBuf>,
    /// Numbers of pieces to use in turn
    #[arg(long, value_name = "N,...", value_delimiter = ',', required = true)]
    pieces: Vec<u32>,
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u64,
    /// Number of the first game, to play different games in each run
    #[arg(long, value_name = "N", default_value_t = 0)]
    first: u64,
    /// Time per move
    #[arg(long, value_name = "TIME", default_value = "100ms", value_parser = duration)]
    time: Duration,
}

impl Command {
    pub fn run(self) -> Result<()> {
        match self {
            Self::Wins(wins) => wins.run(),
            Self::Shortest { databases, pieces, games } => shortest(databases.as_deref(), pieces, games),
            Self::Draws { games } => {
                let (mut progress, mut held) = (Progress::new("games", games), 0);
                endings::draws(games, |is_held| {
                    held += usize::from(is_held);
                    progress.add(1);
                });
                println!("{held} of {games} held");
                Ok(())
            }
        }
    }
}

fn engine(databases: Option<&Path>) -> Result<Engine> {
    let mut engine = endings::engine();
    if let Some(folder) = databases {
        engine.apply(Setting::EgdbPath(Some(folder.to_owned())))?;
    }
    Ok(engine)
}

fn covers(engine: &Engine, pieces: u32) -> Result<()> {
    ensure!(engine.databases().covers(pieces), "databases of {pieces} pieces are missing; use --databases");
    Ok(())
}

fn shortest(databases: Option<&Path>, pieces: u32, games: usize) -> Result<()> {
    let engine = engine(databases)?;
    covers(&engine, pieces)?;
    let (mut progress, mut exact) = (Progress::new("games", games), 0);
    endings::shortest_wins(&engine, games, pieces, |is_exact| {
        exact += usize::from(is_exact);
        progress.add(1);
    });
    println!("{exact} of {games} won in the fewest plies");
    Ok(())
}

/// Results so far.
#[derive(Default)]
struct Outcomes {
    won: u64,
    /// Number of moves that missed a win known to the databases.
    let_go: u64,
    /// The maxima of the won games: plies in a row without a capture or a man's move, and plies in total.
    without_progress: usize,
    longest: usize,
}

impl Wins {
    fn run(&self) -> Result<()> {
        let (winner, loser) = (engine(self.databases.as_deref())?, engine(self.databases.as_deref())?);
        for &pieces in &self.pieces {
            covers(&winner, pieces)?;
        }
        let numbers: Range<u64> = self.first..self.first + self.games;
        let mut progress = Progress::new("games", usize::try_from(self.games)?);
        let (mut outcomes, begun) = (Outcomes::default(), Instant::now());
        for number in numbers {
            let turn = usize::try_from(number % self.pieces.len() as u64)?;
            let mut random = Random::seed_from_u64(number);
            let start = with_result(&mut random, winner.databases(), self.pieces[turn], Wdl::Win);
            self.play(&winner, &loser, start, &mut outcomes);
            progress.add(1);
        }
        let Outcomes { won, let_go, without_progress, longest } = outcomes;
        println!(
            "{won} of {} won, {let_go} let go, at most {without_progress} plies without progress, {longest} in all; {:.0?}",
            self.games,
            begun.elapsed()
        );
        Ok(())
    }

    fn play(&self, winner: &Engine, loser: &Engine, start: Position, outcomes: &mut Outcomes) {
        let limits = Limits::move_time(self.time);
        let mut game = Game::new(start);
        let (mut plies, mut without_progress) = (0, 0);
        while game.end().is_none() {
            let ours = plies % 2 == 0;
            let before = *game.position();
            let mv = reply(if ours { winner } else { loser }, &game, &limits);
            game.play(mv);
            without_progress = game.reversible_plies().max(without_progress);
            plies += 1;
            if ours && winner.databases().probe(game.position()) != Some(Wdl::Loss) {
                println!("let go: {} by {mv:?} in {}", fen::format(&start), fen::format(&before));
                outcomes.let_go += 1;
                return;
            }
        }
        if game.position().can_move() {
            println!("not won, {:?} after {plies} plies: {}", game.end(), fen::format(&start));
        } else {
            outcomes.won += 1;
            outcomes.without_progress = outcomes.without_progress.max(without_progress);
            outcomes.longest = outcomes.longest.max(plies);
        }
    }
}
