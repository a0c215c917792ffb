//! Response times of the program through its pipes. Measure on a quiet machine.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Subcommand;
use kelso_process::{CommandLine, Event, Process};

use crate::progress::Progress;
use crate::{Program, quantiles};

/// Maximum time to wait for an answer.
const PATIENCE: Duration = Duration::from_secs(30);

#[derive(Subcommand)]
pub enum Command {
    /// Time from the start of the program to `readyok`
    Start {
        #[command(flatten)]
        program: Program,
        /// Number of starts
        #[arg(long, value_name = "N", default_value_t = 50)]
        count: usize,
    },
    /// Time from `stop` to `bestmove`
    Stop {
        #[command(flatten)]
        program: Program,
        /// Number of searches
        #[arg(long, value_name = "N", default_value_t = 1000)]
        count: usize,
        /// Number of search threads
        #[arg(long, value_name = "N", default_value_t = 1)]
        threads: usize,
    },
    /// Share of the given time that `go movetime` uses, in a game
    Movetime {
        #[command(flatten)]
        program: Program,
        /// Maximum number of plies of the game
        #[arg(long, value_name = "N", default_value_t = 60)]
        plies: usize,
    },
    /// Number of `isready` commands answered per second
    Lines {
        #[command(flatten)]
        program: Program,
        /// Number of lines
        #[arg(long, value_name = "N", default_value_t = 100_000)]
        count: u32,
    },
}

impl Command {
    pub fn run(self) -> Result<()> {
        match self {
            Self::Start { program, count } => start(&program, count),
            Self::Stop { program, count, threads } => stop(&program, count, threads),
            Self::Movetime { program, plies } => movetime(&program, plies),
            Self::Lines { program, count } => lines(&program, count),
        }
    }
}

/// A running program.
struct Session(Process);

impl Session {
    fn start(program: &Program) -> Result<Self> {
        Ok(Self(Process::spawn(&CommandLine::new(program.path()?))?))
    }

    /// Sends a line and waits for the first line that begins with a prefix. Returns the lines and the arrival
    /// time of the last one.
    fn ask(&self, line: &str, prefix: &str) -> Result<(Vec<String>, Instant)> {
        self.0.send(line, Instant::now() + PATIENCE)?;
        let mut lines = Vec::new();
        loop {
            match self.0.recv_until(Instant::now() + PATIENCE) {
                Event::Line(line, at) => {
                    lines.push(line);
                    if lines.last().is_some_and(|line| line.starts_with(prefix)) {
                        return Ok((lines, at));
                    }
                }
                event => bail!("expected a line that begins with {prefix:?}, got {event:?}"),
            }
        }
    }
}

fn print(name: &str, times: Vec<Duration>) -> Result<()> {
    let (median, max, worst) = quantiles(times).context("nothing was measured")?;
    println!("{name}: median {median:?}, 99% {max:?}, worst {worst:?}");
    Ok(())
}

fn start(program: &Program, count: usize) -> Result<()> {
    let mut progress = Progress::new("starts", count);
    let mut times = Vec::new();
    for _ in 0..count {
        let begun = Instant::now();
        let (_, at) = Session::start(program)?.ask("isready", "readyok")?;
        times.push(at - begun);
        progress.add(1);
    }
    print("start to readyok", times)
}

fn stop(program: &Program, count: usize, threads: usize) -> Result<()> {
    let session = Session::start(program)?;
    session.ask(&format!("setoption name Threads value {threads}\nisready"), "readyok")?;
    let mut progress = Progress::new("searches", count);
    let mut times = Vec::new();
    for round in 0..count as u64 {
        session.0.send("go infinite", Instant::now() + PATIENCE)?;
        std::thread::sleep(Duration::from_millis(3 + round % 20));
        let begun = Instant::now();
        let (_, at) = session.ask("stop", "bestmove ")?;
        times.push(at.saturating_duration_since(begun));
        progress.add(1);
    }
    print("stop to bestmove", times)
}

fn movetime(program: &Program, plies: usize) -> Result<()> {
    let session = Session::start(program)?;
    let mut moves = String::new();
    let (mut lowest, mut highest) = (f64::INFINITY, 0.0_f64);
    for ply in 0..plies {
        let time = [5, 10, 20, 50, 100, 200, 500][ply % 7];
        let position = format!("position startpos moves{moves}");
        // A search ends early if there is only one move or the result is proved.
        let only = session.ask(&format!("{position}\nmoves"), "moves ")?.0;
        let only = only.last().is_some_and(|line| line.split(' ').count() == 2);
        let begun = Instant::now();
        let (lines, at) = session.ask(&format!("go movetime {time}"), "bestmove ")?;
        let used = at - begun;
        let last = lines.iter().rev().find(|line| line.starts_with("info depth"));
        let proved = last.is_some_and(|line| line.contains(" score win") || line.contains(" score loss"));
        let early = only || proved;
        println!("movetime {time}: {used:.1?}{}", if early { ", known early" } else { "" });
        let share = used.as_secs_f64() / Duration::from_millis(time).as_secs_f64();
        highest = highest.max(share);
        if !early {
            lowest = lowest.min(share);
        }
        let Some(mv) = lines.last().and_then(|line| line.split(' ').nth(1)).filter(|&mv| mv != "none") else {
            break;
        };
        moves.push(' ');
        moves.push_str(mv);
    }
    println!("between {:.1}% and {:.1}% of the time used", lowest * 100.0, highest * 100.0);
    Ok(())
}

fn lines(program: &Program, count: u32) -> Result<()> {
    let session = Session::start(program)?;
    let begun = Instant::now();
    for _ in 0..count {
        session.ask("isready", "readyok")?;
    }
    println!("{:.0} round trips a second", f64::from(count) / begun.elapsed().as_secs_f64());
    Ok(())
}
