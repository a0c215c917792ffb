//! The model of the chances of a win, a draw and a loss: games to fit it to, the fit, and its calibration.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::{Args, Subcommand};
use kelso_draughts::ballot::{Ballot, Deck};
use kelso_draughts::board::Color;
use kelso_draughts::referee::Oracle;
use kelso_draughts::result::{GameResult, Wdl};
use kelso_endgames::Databases;
use kelso_engine::search::{Bound, Control, Limits, LineReport, SearchEvent, WinRateModel};
use kelso_engine::{Engine, Setting};
use kelso_random::{IndexedRandom, Random, RngExt, SeedableRng, SliceRandom};
use kelso_tournament::openings;

use crate::progress::Progress;
use crate::{read, write};

#[derive(Subcommand)]
pub enum Command {
    /// Play games at mixed strengths, and write a line for each search
    Play(Play),
    /// Fit the model to three quarters of the openings, and print its calibration on the others
    Fit(Fit),
}

#[derive(Args)]
pub struct Play {
    /// Number of games; each begins with another eleven-man ballot
    #[arg(long, value_name = "N", default_value_t = 2000)]
    games: usize,
    /// Nodes of a move, drawn for each side of each game
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "1000,4000,16000")]
    nodes: Vec<u64>,
    /// Seed of the openings and strengths
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// File to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

#[derive(Args)]
pub struct Fit {
    /// Files written by `play`
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

impl Command {
    pub fn run(&self) -> Result<()> {
        match self {
            Self::Play(play) => play.run(),
            Self::Fit(fit) => fit.run(),
        }
    }
}

impl Play {
    fn run(&self) -> Result<()> {
        let mut random = Random::seed_from_u64(self.seed);
        let ballots = openings::distinct(Deck::ElevenMan.in_play().map(Ballot::record).collect());
        let mut order: Vec<usize> = (0..ballots.len()).collect();
        order.shuffle(&mut random);
        let mut engines = [Engine::new([Setting::Hash(4)])?, Engine::new([Setting::Hash(4)])?];
        let (mut text, mut progress) = (String::new(), Progress::new("games", self.games));
        for &ballot in order.iter().cycle().take(self.games) {
            let nodes = std::array::from_fn::<_, 2, _>(|_| *self.nodes.choose(&mut random).unwrap_or(&1000));
            engines.iter_mut().for_each(Engine::new_game);
            // A random bit decides which side gets which strength.
            let nodes = if random.random() { nodes } else { [nodes[1], nodes[0]] };
            let Some(opening) = ballots.get(ballot) else { continue };
            let (seen, result) = play(&engines, nodes, opening.game());
            for Seen { side, pieces, cp } in seen {
                let label = result.half_points(side);
                writeln!(text, "{ballot} {side} {pieces} {cp} {label}")?;
            }
            progress.add(1);
        }
        write(&self.out, &text)
    }
}

/// The report of a search whose result was not yet known.
struct Seen {
    side: Color,
    pieces: u32,
    cp: i32,
}

/// Plays a game until its result is known. Black searches the first number of nodes.
fn play(
    engines: &[Engine; 2],
    nodes: [u64; 2],
    mut game: kelso_draughts::board::Game,
) -> (Vec<Seen>, GameResult) {
    let mut seen = Vec::new();
    loop {
        let (position, databases): (_, &Databases) = (*game.position(), engines[0].databases());
        if let Some(result) = game.end().map(|end| end.result).or_else(|| databases.result(&position)) {
            return (seen, result);
        }
        let index = usize::from(position.side() == Color::White);
        let (mut last, limits) = (None, Limits::nodes(nodes[index]));
        let answer = engines[index].search(&game, &limits, &Control::new(), &mut |event| {
            if let SearchEvent::Line(report @ LineReport { bound: Bound::Exact, rank: 1, .. }) = event {
                last = Some(report);
            }
        });
        let (Some(mv), Some(report)) = (answer.best, last) else { return (seen, GameResult::Draw) };
        if !report.score.is_evaluation() {
            let won = report.score.value() > 0;
            return (seen, GameResult::from_wdl(if won { Wdl::Win } else { Wdl::Loss }, position.side()));
        }
        if !report.known_draw {
            seen.push(Seen {
                side: position.side(),
                pieces: position.piece_count(),
                cp: report.score.value(),
            });
        }
        game.play(mv);
    }
}

/// Counts of each result, from a loss to a win, by side to move, number of pieces and score.
type Cells = BTreeMap<(bool, u32, i32), [f64; 3]>;

/// Larger scores are reduced to this value.
const LIMIT: i32 = 1500;
/// One in this many ballots is held out.
const HELD_OUT: usize = 4;

impl Fit {
    fn run(&self) -> Result<()> {
        let (mut fitted, mut held_out) = (Cells::new(), Cells::new());
        for file in &self.files {
            for (number, line) in read(file)?.lines().enumerate() {
                let fault = || format!("cannot read line {} of \"{}\"", number + 1, file.display());
                let (ballot, key, label) = parse(line).with_context(fault)?;
                let cells = if ballot % HELD_OUT == 0 { &mut held_out } else { &mut fitted };
                if let Some(count) = cells.entry(key).or_default().get_mut(label) {
                    *count += 1.0;
                }
            }
        }
        ensure!(!fitted.is_empty() && !held_out.is_empty(), "too few games");
        let model = fit(&fitted);
        println!("{model:?}");
        println!("positions {:.0}, held out {:.0}", total(&fitted), total(&held_out));
        println!("loss {:.4}, held out {:.4}", loss(&model, &fitted), loss(&model, &held_out));
        println!("loss of the shares of all results, held out {:.4}", loss_of_shares(&fitted, &held_out));
        for (index, name) in ["loss", "draw", "win"].into_iter().enumerate() {
            calibration(&model, &held_out, index, name);
        }
        Ok(())
    }
}

fn parse(line: &str) -> Option<(usize, (bool, u32, i32), usize)> {
    let mut words = line.split(' ');
    let ballot = words.next()?.parse().ok()?;
    let is_black = words.next()? == "black";
    let pieces = words.next()?.parse().ok()?;
    let cp: i32 = words.next()?.parse().ok()?;
    let label = words.next()?.parse().ok()?;
    Some((ballot, (is_black, pieces, cp.clamp(-LIMIT, LIMIT)), label))
}

fn total(cells: &Cells) -> f64 {
    cells.values().flatten().sum()
}

/// Returns the predicted chances, from a loss to a win.
fn predicted(model: &WinRateModel, &(is_black, pieces, cp): &(bool, u32, i32)) -> [f64; 3] {
    let [win, draw, loss] = model.chances(cp, pieces, if is_black { Color::Black } else { Color::White });
    [loss, draw, win]
}

/// Returns the mean negative logarithm of the predicted chance of the result.
fn loss(model: &WinRateModel, cells: &Cells) -> f64 {
    let of_cell = |(key, counts): (&(bool, u32, i32), &[f64; 3])| {
        let chances = predicted(model, key);
        counts.iter().zip(chances).map(|(count, chance)| -count * chance.max(1e-9).ln()).sum::<f64>()
    };
    cells.iter().map(of_cell).sum::<f64>() / total(cells)
}

/// Like `loss`, for a model that knows only the frequency of each result.
fn loss_of_shares(fitted: &Cells, held_out: &Cells) -> f64 {
    let sums = |cells: &Cells| {
        cells.values().fold([0.0; 3], |sums, counts| [0, 1, 2].map(|index| sums[index] + counts[index]))
    };
    let (of_fitted, of_held_out) = (sums(fitted), sums(held_out));
    let logs = of_fitted.map(|sum: f64| -(sum / total(fitted)).ln());
    of_held_out.iter().zip(logs).map(|(count, log)| count * log).sum::<f64>() / total(held_out)
}

/// Fits the weights one at a time. When no step reduces the loss, the steps become smaller.
fn fit(cells: &Cells) -> WinRateModel {
    let mut weights = [4.0, 0.0, 0.0, 3.5, 0.0, 0.0, 0.0];
    let mut steps = [0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 4.0];
    let of_weights =
        |[a, b, c, d, e, f, black]: [f64; 7]| WinRateModel { threshold: [a, b, c], width: [d, e, f], black };
    let mut best = loss(&of_weights(weights), cells);
    for _ in 0..200 {
        for index in 0..weights.len() {
            let tried = [1.0, -1.0].map(|sign| {
                let mut changed = weights;
                changed[index] += sign * steps[index];
                (loss(&of_weights(changed), cells), changed)
            });
            match tried.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)) {
                Some((loss, changed)) if loss < best => {
                    (best, weights) = (loss, changed);
                    steps[index] *= 1.3;
                }
                _ => steps[index] /= 2.0,
            }
        }
    }
    of_weights(weights.map(|weight| (weight * 1000.0).round() / 1000.0))
}

/// Prints the predicted and the observed chance of a result in ten bins, and the expected calibration error.
fn calibration(model: &WinRateModel, cells: &Cells, result: usize, name: &str) {
    let mut bins = [[0.0; 3]; 10];
    for (key, counts) in cells {
        let chance = predicted(model, key)[result];
        let count: f64 = counts.iter().sum();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 9")]
        let bin = &mut bins[((chance * 10.0) as usize).min(9)];
        for (sum, value) in bin.iter_mut().zip([count, count * chance, counts[result]]) {
            *sum += value;
        }
    }
    println!("{name}\npredicted  observed  positions");
    let mut error = 0.0;
    for [count, predicted, observed] in bins.into_iter().filter(|bin| bin[0] > 0.0) {
        println!("{:9.3}  {:8.3}  {count:9}", predicted / count, observed / count);
        error += (predicted - observed).abs();
    }
    println!("expected calibration error {:.4}", error / total(cells));
}
