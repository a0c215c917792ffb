//! Plays out drawn and lost endings against engines without databases, to count their errors.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::{Args, Subcommand, ValueEnum};
use draughts::board::{Color, Game, Position};
use draughts::notation::fen;
use draughts::result::EndReason;
use endgames::{Databases, Wdl};
use engine::search::{Level, Limits};
use engine::{Engine, Setting};
use rand::SeedableRng;
use rand::rngs::SmallRng;

use crate::progress::Progress;
use crate::shared::endings::{reply, with_result};
use crate::{read, write};

#[derive(Subcommand)]
pub enum Command {
    /// Write a file of random endings with a known result and no possible capture
    Starts(Starts),
    /// Play each ending in a file with both colours, and count the results and the opponent's errors
    Play(Play),
}

/// The result of an ending for the side to move.
#[derive(Clone, Copy, ValueEnum)]
enum Known {
    Draw,
    Loss,
    Win,
}

#[derive(Args)]
pub struct Starts {
    /// Directory of further databases
    #[arg(long, value_name = "DIR")]
    databases: Option<PathBuf>,
    /// Result for the side to move
    #[arg(long, value_enum)]
    result: Known,
    /// Numbers of pieces to use in turn
    #[arg(long, value_name = "N,...", value_delimiter = ',', required = true)]
    pieces: Vec<u32>,
    /// Number of endings
    #[arg(long, value_name = "N", default_value_t = 150)]
    games: usize,
    /// Seed of the endings
    #[arg(long, value_name = "N")]
    seed: u64,
    /// File to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// An engine without databases.
#[derive(Clone, Copy)]
enum Opponent {
    Nodes(u64),
    Level(usize),
}

#[derive(Args)]
pub struct Play {
    /// Directory of further databases
    #[arg(long, value_name = "DIR")]
    databases: Option<PathBuf>,
    /// File of endings, one FEN per line
    #[arg(long, value_name = "FILE")]
    openings: PathBuf,
    /// Nodes per move
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    nodes: u64,
    /// Opponents without databases: nodes per move, or level=N
    #[arg(long, value_name = "NODES|level=N", value_delimiter = ',', default_value = "20000,2000,level=7", value_parser = opponent)]
    opponents: Vec<Opponent>,
    /// Play only the side that moves first
    #[arg(long)]
    mover: bool,
    /// Print how each game ended
    #[arg(long)]
    verbose: bool,
}

fn opponent(text: &str) -> Result<Opponent, &'static str> {
    let invalid = "expected a number of nodes, or level=N";
    match text.strip_prefix("level=") {
        Some(level) => level
            .parse()
            .ok()
            .filter(|&level| Level::new(level).is_some())
            .map(Opponent::Level)
            .ok_or(invalid),
        None => text.parse().map(Opponent::Nodes).map_err(|_| invalid),
    }
}

impl fmt::Display for Opponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nodes(nodes) => write!(f, "full strength, {nodes} nodes"),
            Self::Level(level) => write!(f, "level {level}"),
        }
    }
}

fn engine(databases: Option<&Path>) -> Result<Engine> {
    let mut engine = Engine::with_table(16)?;
    if let Some(folder) = databases {
        engine.apply(Setting::EgdbPath(Some(folder.to_owned())))?;
    }
    Ok(engine)
}

impl Command {
    pub fn run(self) -> Result<()> {
        match self {
            Self::Starts(starts) => starts.run(),
            Self::Play(play) => play.run(),
        }
    }
}

impl Starts {
    fn run(&self) -> Result<()> {
        let engine = engine(self.databases.as_deref())?;
        let result = match self.result {
            Known::Draw => Wdl::Draw,
            Known::Loss => Wdl::Loss,
            Known::Win => Wdl::Win,
        };
        let mut random = SmallRng::seed_from_u64(self.seed);
        let mut text = String::new();
        for pieces in self.pieces.iter().cycle().take(self.games) {
            ensure!(
                engine.databases().covers(*pieces),
                "databases of {pieces} pieces are missing; use --databases"
            );
            text += &fen::format(&with_result(&mut random, engine.databases(), *pieces, result));
            text.push('\n');
        }
        write(&self.out, &text)
    }
}

/// Games against one opponent.
#[derive(Default)]
struct Outcomes {
    won: u32,
    lost: u32,
    repetitions: u32,
    no_progress: u32,
    plies: usize,
    /// Replies to a move in a known draw, and how many of them lose.
    drawn_moves: f64,
    losing: f64,
    /// Replies to a move in a lost position, and how many of them keep the win.
    lost_moves: f64,
    keeping: f64,
    /// Wins missed and draws lost by our own moves.
    thrown: u32,
}

impl Play {
    fn run(&self) -> Result<()> {
        let mut own = engine(self.databases.as_deref())?;
        let text = read(&self.openings)?;
        let start =
            |line: &str| fen::parse(line).with_context(|| format!("in \"{}\"", self.openings.display()));
        let starts = text.lines().map(start).collect::<Result<Vec<_>>>()?;
        for &opponent in &self.opponents {
            let mut other = engine(None)?;
            other.apply(Setting::EgdbPieces(0))?;
            let limits = match opponent {
                Opponent::Nodes(nodes) => Limits::nodes(nodes),
                Opponent::Level(level) => {
                    other.apply(Setting::Level(Level::new(level)))?;
                    Limits::nodes(self.nodes)
                }
            };
            let (mut outcomes, begun) = (Outcomes::default(), Instant::now());
            let mut progress = Progress::new("endings", starts.len());
            for start in &starts {
                for own_side in [start.side(), !start.side()] {
                    if own_side == start.side() || !self.mover {
                        own.new_game();
                        other.new_game();
                        self.play(&own, (&other, &limits), *start, own_side, &mut outcomes);
                    }
                }
                progress.add(1);
            }
            println!("{opponent}: {outcomes}; {:.0?}", begun.elapsed());
        }
        Ok(())
    }

    fn play(
        &self,
        own: &Engine,
        (other, limits): (&Engine, &Limits),
        start: Position,
        own_side: Color,
        outcomes: &mut Outcomes,
    ) {
        let (mut game, own_limits) = (Game::new(start), Limits::nodes(self.nodes));
        let end = loop {
            if let Some(end) = game.end() {
                break end;
            }
            outcomes.plies += 1;
            let ours = game.position().side() == own_side;
            if ours {
                let before = own.databases().probe(game.position());
                game.play(reply(own, &game, &own_limits));
                outcomes.count_replies(own.databases(), before, game.position());
            } else {
                game.play(reply(other, &game, limits));
            }
        };
        match (end.result.winner(), end.reason) {
            (Some(side), _) if side == own_side => outcomes.won += 1,
            (Some(_), _) => outcomes.lost += 1,
            (None, EndReason::Repetition) => outcomes.repetitions += 1,
            (None, _) => outcomes.no_progress += 1,
        }
        if self.verbose {
            println!("{} as {own_side}: {end} in {}", fen::format(&start), fen::format(game.position()));
        }
    }
}

impl Outcomes {
    /// Counts the replies to our move from a position with a known result.
    fn count_replies(&mut self, databases: &Databases, before: Option<Wdl>, position: &Position) {
        let replies = position.moves();
        let after = databases.probe(position).map(Wdl::reversed);
        let Some(before) = before else { return };
        self.thrown += u32::from(after != Some(before));
        let results = replies.iter().map(|&mv| databases.probe(&position.after(mv)));
        #[expect(clippy::cast_precision_loss, reason = "a few moves")]
        let share =
            |result| results.filter(|&own| own == Some(result)).count() as f64 / replies.len().max(1) as f64;
        match before {
            Wdl::Draw => {
                self.drawn_moves += 1.0;
                self.losing += share(Wdl::Win);
            }
            Wdl::Loss => {
                self.lost_moves += 1.0;
                self.keeping += share(Wdl::Loss);
            }
            Wdl::Win => {}
        }
    }
}

impl fmt::Display for Outcomes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { won, lost, repetitions, no_progress, plies, thrown, .. } = self;
        let drawn = repetitions + no_progress;
        write!(
            f,
            "+{won} ={drawn} -{lost} ({repetitions} by repetition, {no_progress} without progress), {plies} plies, \
             {thrown} results thrown away, {:.3} of the replies in draws lose, {:.3} in losses keep the win",
            self.losing / self.drawn_moves.max(1.0),
            self.keeping / self.lost_moves.max(1.0),
        )
    }
}
