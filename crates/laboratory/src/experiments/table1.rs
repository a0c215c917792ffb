//! Table 1 of Peterson, "Checking in on Checkers" (2023): search features and evaluations against random
//! moves.

use super::{Experiment, Figures, PlayerSpec, Series, Trial, peterson};
use kelso_draughts::result::WdlCounts;
use kelso_text::plural::counted;

/// A row: plain search, table, quiescence, evaluation; wins, losses and draws; the averages, in the
/// order of their columns.
type Published = (bool, bool, bool, u8, [u8; 3], [f64; 8]);

const ROWS: [Published; 15] = [
    (true, false, false, 1, [94, 2, 4], [26.35, 539_302.27, 0.0, 0.0, 0.0, 6.0, 158.8, 6.027]),
    (false, false, false, 1, [99, 1, 0], [23.82, 21_769.06, 6_719.53, 0.0, 0.0, 6.0, 7.8, 0.327]),
    (false, false, true, 1, [100, 0, 0], [23.54, 33_887.3, 12_456.0, 0.0, 0.0, 12.79, 11.175, 0.475]),
    (false, true, false, 1, [99, 1, 0], [23.0, 16_289.16, 4_639.19, 40.5, 963.95, 6.0, 6.55, 0.285]),
    (false, true, true, 1, [100, 0, 0], [23.18, 25_498.48, 8_898.48, 75.51, 1_351.32, 12.98, 11.05, 0.477]),
    (true, false, false, 2, [100, 0, 0], [23.06, 739_759.88, 0.0, 0.0, 0.0, 6.0, 247.2, 10.72]),
    (false, false, false, 2, [100, 0, 0], [23.51, 52_863.75, 15_491.52, 0.0, 0.0, 6.0, 16.1, 0.685]),
    (false, false, true, 2, [100, 0, 0], [22.59, 92_590.41, 34_328.23, 0.0, 0.0, 13.61, 33.045, 1.463]),
    (false, true, false, 2, [100, 0, 0], [22.58, 38_329.47, 10_476.31, 220.08, 2_440.82, 6.0, 16.65, 0.737]),
    (false, true, true, 2, [100, 0, 0], [22.95, 64_996.25, 22_217.23, 459.05, 3_885.71, 13.58, 29.05, 1.266]),
    (true, false, false, 3, [100, 0, 0], [22.23, 697_504.8, 0.0, 0.0, 0.0, 6.0, 391.8, 17.625]),
    (false, false, false, 3, [100, 0, 0], [22.08, 99_053.11, 22_213.0, 0.0, 0.0, 6.0, 47.275, 2.141]),
    (false, false, true, 3, [100, 0, 0], [22.73, 155_283.8, 54_617.9, 0.0, 0.0, 13.87, 72.65, 3.196]),
    (false, true, false, 3, [100, 0, 0], [22.5, 65_656.5, 14_374.71, 732.36, 3_434.82, 6.0, 38.325, 1.703]),
    (false, true, true, 3, [100, 0, 0], [22.2, 91_179.61, 30_212.89, 859.35, 4_883.83, 13.96, 53.1, 2.392]),
];

const DEPTH: usize = 6;

/// Returns the experiment with a given number of games for each row; the paper used 100.
pub fn table1(games: u32, seed: u64) -> Experiment {
    let trials = ROWS
        .iter()
        .map(|&(plain, table, quiescence, evaluation, results, averages)| {
            let [wins, losses, draws] = results.map(u64::from);
            let [moves, explored, beta_cuts, table_exact, table_cuts, max_depth, ms_per_game, ms_per_move] =
                averages.map(Some);
            let published = Figures {
                results: Some(WdlCounts { wins, draws, losses }),
                moves,
                explored,
                beta_cuts,
                table_exact,
                table_cuts,
                max_depth,
                ms_per_game,
                ms_per_move,
                ..Figures::default()
            };
            let player = peterson(plain, table, quiescence, DEPTH, evaluation);
            Trial {
                label: player.configuration(),
                series: Series::new([player, PlayerSpec::random()], games, seed),
                published: Some(published),
            }
        })
        .collect();
    Experiment {
        title: format!("Table 1: {} against random moves, averages per game", counted(games.into(), "game")),
        trials,
        profiled: false,
        notes: NOTES,
    }
}

const NOTES: &str = "\
Published times are from another machine and for the whole process; ours are the processor time of the first player's
moves. The published program did not crown men inside its search, evaluated a side without moves where ours scores a
loss, kept its table from game to game where ours is cleared, and generated moves in a different order.
";
