//! Shots: positions in which only a combination wins, and a search with pruning misses it. A search without
//! pruning finds them: the same engine with margins too wide to prune any node.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Subcommand;
use draughts::board::{Game, Move, Position};
use engine::search::{Bound, Control, Limits, LineReport, ScoreKind, SearchEvent, SearchParams};
use engine::{Engine, Setting};
use runs::pool;
use training::{GameSamples, SampleReader};

use crate::progress::Progress;
use crate::shared::data;
use crate::shared::problems::{balance, engine, is_candidate};
use crate::shared::shots::{FILE, Shot, format, is_combination, shots, solved, threads};
use crate::{read, write};

/// Margins so narrow that the search misses combinations.
const BLIND: &str = "rfp_margin=5 futility_margin=50 probcut_margin=40 probcut_reduction=400";
/// Nodes for an initial search, which finds most combinations.
const LOOK: u64 = 20_000;
/// Nodes within which the search with narrow margins must miss the shot.
const MISS: u64 = 400_000;
/// Nodes within which the search without pruning must find this win and no other.
const PROOF: u64 = 250_000;
/// Nodes for confirming the win after the move.
const CONFIRM: u64 = 6_000_000;
/// Scores in hundredths of a man: the minimum for a win in the search without pruning, and the maximum for
/// other moves in both searches.
const WON: i32 = 100;
const OPEN: i32 = 60;
/// Scores of at least this value are proved or database results.
const KNOWN: i32 = 15_001;
/// Number of games between writes of the data file.
const BLOCK: usize = 4096;

#[derive(Subcommand)]
pub enum Command {
    /// Add shots from a file of positions to the data file, after its last number (hours)
    Find {
        /// File of positions, from `kelso train play`
        positions: PathBuf,
        /// Number of the first position in the file
        #[arg(long, value_name = "N", default_value_t = 1)]
        first: u64,
        /// Stop when the data file has N shots
        #[arg(long, value_name = "N", default_value_t = 200)]
        count: usize,
    },
    /// Count the shots that are solved, with the engine's margins and with the narrow ones
    Solve {
        /// Nodes for each shot
        #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "200000,1000000,4000000")]
        nodes: Vec<u64>,
    },
}

impl Command {
    pub fn run(self) -> Result<()> {
        match self {
            Self::Find { positions, first, count } => find(&positions, first, count),
            Self::Solve { nodes } => solve(&nodes),
        }
    }
}

fn margins(text: &str) -> Result<SearchParams> {
    SearchParams::parse(text).with_context(|| format!("invalid margins {text:?}"))
}

fn solve(nodes: &[u64]) -> Result<()> {
    for (name, margins) in [("the engine", SearchParams::default()), (BLIND, margins(BLIND)?)] {
        for &nodes in nodes {
            let [(tuned, odd), (held_out, even)] = solved(&margins, &Limits::nodes(nodes));
            println!(
                "{name}, {nodes} nodes: odd numbers {tuned} of {odd}, even numbers {held_out} of {even}"
            );
        }
    }
    Ok(())
}

fn find(positions: &Path, first: u64, count: usize) -> Result<()> {
    let mut text = read(&data(FILE))?;
    let known = shots();
    let (last, mut found) = (known.last().map_or(0, |shot| shot.number), known.len());
    let mut reader =
        SampleReader::open(positions).with_context(|| format!("cannot read \"{}\"", positions.display()))?;
    let mut number = first;
    let section = format!("# {BLIND}, numbers from {first}");
    if !text.lines().any(|line| line == section) {
        writeln!(text, "\n{section}")?;
    }
    while found < count {
        let games = next_games(&mut reader, &mut number)?;
        if games.is_empty() {
            break;
        }
        let new = |(first, game): &&(u64, GameSamples)| first + game.samples.len() as u64 > last + 1;
        let judges = (0..threads()).map(|_| Judge::new()).collect::<Result<Vec<_>>>()?;
        let work = |judge: &mut Judge, (first, game): &(u64, GameSamples)| shots_of(game, *first, judge);
        let (mut block, mut progress) = (Vec::new(), Progress::new("games", games.len()));
        let receive = |shots: Option<Vec<Shot>>| {
            progress.add(usize::from(shots.is_some()));
            block.extend(shots.into_iter().flatten());
            anyhow::Ok(true)
        };
        pool::divide(judges, games.iter().filter(new), work, receive)?;
        // Keep the shots in numerical order, for any number of threads.
        block.retain(|shot| shot.number > last);
        block.sort_by_key(|shot| shot.number);
        for shot in &block {
            writeln!(text, "{}", format(shot))?;
        }
        write(&data(FILE), &text)?;
        found += block.len();
        eprintln!("{found} of {count} shots, {} positions", number - first);
    }
    println!("{found} shots");
    Ok(())
}

/// Parameters that prune nothing.
const UNPRUNED: &str = "rfp_margin=3000 futility_margin=3000 probcut_margin=3000";

/// The result of a search.
struct Found {
    best: Move,
    /// The score in hundredths of a man. Known results are far outside the range of evaluations.
    value: i32,
    line: Vec<Move>,
}

/// An engine that misses combinations, and one that prunes nothing.
struct Judge {
    blind: Engine,
    seeing: Engine,
}

fn search(engine: &mut Engine, position: &Position, limits: &Limits) -> Option<Found> {
    engine.new_game();
    let mut found = None;
    let mut receive = |event| {
        if let SearchEvent::Line(LineReport { bound: Bound::Exact | Bound::Lower, score, line, .. }) = event
            && let Some(&best) = line.first()
        {
            let value = match score.kind() {
                ScoreKind::Win(Some(_)) => KNOWN + 1,
                ScoreKind::Loss(Some(_)) => -KNOWN - 1,
                _ => score.value(),
            };
            found = Some(Found { best, value, line });
        }
    };
    engine.search(&Game::new(*position), limits, &Control::new(false), &mut receive);
    found
}

/// Returns the material, in half men, that the side to move gains by a line and the captures after it.
fn gain(position: &Position, line: &[Move]) -> i32 {
    let end = line.iter().fold(*position, |position, &mv| position.after(mv));
    let sign = if end.side() == position.side() { 1 } else { -1 };
    sign * balance(&end) - balance(position)
}

impl Judge {
    fn new() -> Result<Self> {
        let with = |text| {
            let mut engine = engine(64);
            engine.apply(Setting::Margins(margins(text)?))?;
            anyhow::Ok(engine)
        };
        Ok(Self { blind: with(BLIND)?, seeing: with(UNPRUNED)? })
    }

    /// Returns the move of the engine that misses combinations, unless it finds a win.
    fn overlooks(&mut self, position: &Position, nodes: u64) -> Option<Move> {
        let found = search(&mut self.blind, position, &Limits::nodes(nodes))?;
        (found.value <= OPEN).then_some(found.best)
    }

    /// Returns the position as a shot, if it is one.
    fn judge(&mut self, position: &Position, number: u64) -> Option<Shot> {
        if !is_combination(position) {
            return None;
        }
        self.overlooks(position, LOOK)?;
        let proof = search(&mut self.seeing, position, &Limits::nodes(PROOF))?;
        if proof.value < WON || self.overlooks(position, MISS)? == proof.best {
            return None;
        }
        let others: Vec<Move> = position.moves().into_iter().filter(|&mv| mv != proof.best).collect();
        let limits = Limits { search_moves: others, ..Limits::nodes(PROOF) };
        for engine in [&mut self.seeing, &mut self.blind] {
            if search(engine, position, &limits)?.value > OPEN {
                return None;
            }
        }
        let after = position.after(proof.best);
        let confirmed = -search(&mut self.seeing, &after, &Limits::nodes(CONFIRM))?.value;
        let won = if proof.value < KNOWN { men(gain(position, &proof.line)) } else { "the game".to_owned() };
        (confirmed >= WON).then_some(Shot { position: *position, best: proof.best, won, number })
    }
}

/// Returns the shots in a game. `first` is the number of its first position.
fn shots_of(game: &GameSamples, first: u64, judge: &mut Judge) -> Vec<Shot> {
    let numbered = (first..).zip(&game.samples);
    let open = numbered.filter(|(_, sample)| (-400..=OPEN).contains(&i32::from(sample.score)));
    let worth_a_look = open.filter_map(|(number, sample)| Some((number, sample.position()?)));
    worth_a_look
        .filter(|(_, position)| is_candidate(position))
        .filter_map(|(number, position)| judge.judge(&position, number))
        .collect()
}

/// Formats a number of half men.
fn men(halves: i32) -> String {
    let half = if halves % 2 == 0 { "" } else { ".5" };
    format!("{}{half} men", halves / 2)
}

/// Reads the next games, each with the number of its first position.
fn next_games(reader: &mut SampleReader, number: &mut u64) -> Result<Vec<(u64, GameSamples)>> {
    let mut games = Vec::new();
    while games.len() < BLOCK
        && let Some(game) = reader.next().transpose()?
    {
        let first = *number;
        *number += game.samples.len() as u64;
        games.push((first, game));
    }
    Ok(games)
}
