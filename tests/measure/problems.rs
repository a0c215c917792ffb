//! Counts the problems of the tests that the engine solves.

use std::time::{Duration, Instant};

use clap::Args;
use kelso_draughts::notation::movetext;
use kelso_engine::search::Limits;

use crate::duration;
use crate::shared::problems::{CLASSES, answer, engine, format, problems};

/// The limits of the searches.
#[derive(Args)]
pub struct Arguments {
    /// Time for each problem
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = duration)]
    time: Duration,
}

impl Arguments {
    pub fn run(self) {
        let mut engine = engine(64);
        let (mut solved, mut all) = ([0; CLASSES.len()], [0; CLASSES.len()]);
        for problem in problems() {
            let pieces = problem.position.piece_count();
            let class = CLASSES.iter().position(|class| class.pieces.contains(&pieces)).unwrap_or(0);
            let began = Instant::now();
            let answer = answer(&mut engine, &problem.position, &Limits::move_time(self.time));
            let took = began.elapsed();
            let right = answer == problem.best;
            solved[class] += usize::from(right);
            all[class] += 1;
            println!(
                "{:6} {:4} ms {:9} {}",
                if right { "solved" } else { "missed" },
                took.as_millis(),
                movetext::format(&problem.position, answer),
                format(&problem)
            );
        }
        for (class, (solved, all)) in CLASSES.iter().zip(solved.iter().zip(all)) {
            println!("{}: {solved} of {all}", class.title);
        }
        println!("solved: {} of {}", solved.iter().sum::<usize>(), all.iter().sum::<usize>());
    }
}
