//! The comparisons of Alex, "AI Course Final Project - Checkers": time by depth for alpha-beta and plain
//! minimax, and evaluations against each other at unequal depths.
//!
//! Games start with random moves, the same for both colours, since deterministic players would otherwise
//! repeat the same game.

use super::{Config, Experiment, Figures, Method, PlayerSpec, Series, Trial, named_evaluation};
use kelso_draughts::referee::{DrawRules, ProgressRule};
use kelso_text::plural::counted;

/// Published times per move in milliseconds, from depth 3 on.
const ALPHA_BETA: [f64; 7] = [1.0, 2.0, 3.0, 6.0, 21.0, 173.0, 1_680.0];
const MINIMAX: [f64; 5] = [2.0, 12.0, 13.0, 39.0, 568.0];
const FIRST_DEPTH: usize = 3;

const OPENING_PLIES: usize = 4;
/// The depth of the first player in comparisons of evaluations.
const FIXED_DEPTH: usize = 4;
const OTHER_DEPTHS: std::ops::RangeInclusive<usize> = 1..=10;

/// Returns the experiment with `games` games for each row. Times are measured up to depth `max` for
/// alpha-beta and `most_plain` for minimax; comparisons go one ply deeper than `max`.
pub fn alex(games: u32, seed: u64, max: usize, most_plain: usize) -> Experiment {
    let series = |first, second| Series {
        draw: DrawRules::of(ProgressRule::Capture),
        opening_plies: OPENING_PLIES,
        exchange: true,
        ..Series::new([first, second], games, seed)
    };
    let mut trials = Vec::new();
    let studies: [(_, _, &[f64], _); 2] = [
        (Method::AlphaBeta, "alpha-beta", &ALPHA_BETA, max),
        (Method::Negamax, "minimax", &MINIMAX, most_plain),
    ];
    for (method, name, times, max) in studies {
        for depth in FIRST_DEPTH..=max {
            let itself = player(method, depth, "alex1");
            trials.push(Trial {
                label: format!("{name} D{depth}, I - I"),
                series: series(itself.clone(), itself),
                published: times
                    .get(depth - FIRST_DEPTH)
                    .map(|&time| Figures { ms_per_move: Some(time), ..Figures::default() }),
            });
        }
    }
    for (first, second, name) in [("alex2", "alex1", "II D4 - I"), ("alex3", "alex4", "III D4 - IV")] {
        for depth in OTHER_DEPTHS.filter(|&depth| depth <= max + 1) {
            trials.push(Trial {
                label: format!("{name} D{depth}"),
                series: series(
                    player(Method::AlphaBeta, FIXED_DEPTH, first),
                    player(Method::AlphaBeta, depth, second),
                ),
                published: None,
            });
        }
    }
    Experiment {
        title: format!(
            "Alex: time by depth, and evaluations compared; {} per row from random openings",
            counted(games.into(), "game")
        ),
        trials,
        profiled: false,
        notes: NOTES,
    }
}

fn player(method: Method, depth: usize, evaluation: &str) -> PlayerSpec {
    PlayerSpec::textbook(Config { method, ..Config::default() }, depth, named_evaluation(evaluation))
}

const NOTES: &str = "\
The published times are from another machine. Published minimax did not finish at depth 8.
";
