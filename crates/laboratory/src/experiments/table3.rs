//! Table 3 of Peterson, "Checking in on Checkers" (2023): one engine against another. The paper has one game
//! per pairing, from the starting position. Here, each of these games is followed by a match from random
//! openings, each played with both colours.

use super::{Experiment, Figures, PlayerSpec, Series, Trial, peterson};

/// A player: quiescence, depth, evaluation.
type Player = (bool, usize, u8);

/// A pairing with its published result (1: the first player won, 2: the second, 0: a draw) and number of
/// moves.
const PAIRINGS: [(Player, Player, u8, u8); 9] = [
    ((false, 6, 1), (false, 6, 2), 0, 59),
    ((false, 6, 1), (false, 6, 3), 0, 51),
    ((false, 6, 1), (false, 7, 3), 2, 37),
    ((false, 8, 1), (false, 7, 3), 2, 36),
    ((true, 8, 1), (false, 7, 3), 2, 56),
    ((false, 6, 1), (false, 3, 3), 1, 30),
    ((false, 3, 3), (false, 6, 1), 0, 60),
    ((false, 6, 1), (true, 3, 3), 0, 60),
    ((false, 12, 1), (false, 6, 3), 0, 62),
];

/// Number of random moves before each game of a match: enough for hundreds of openings, and few enough to
/// keep most of them even.
const OPENING_PLIES: usize = 6;

/// Returns the experiment with a given number of games for each match.
pub fn table3(games: u32, seed: u64) -> Experiment {
    let mut trials = Vec::new();
    for (number, &(first, second, winner, moves)) in PAIRINGS.iter().enumerate() {
        let player =
            |(quiescence, depth, evaluation): Player| peterson(false, true, quiescence, depth, evaluation);
        let players = [player(first), player(second)];
        let [one, other] = players.each_ref().map(PlayerSpec::configuration);
        let label = format!("{}. {one} - {other}", number + 1);
        let [won, lost, drawn] = [1, 2, 0].map(|result| if winner == result { 1.0 } else { 0.0 });
        let figures = [1.0, won, lost, drawn, moves.into()];
        trials.push(Trial {
            label: label.clone(),
            series: Series::new(players.clone(), 1, seed),
            published: figures.map(Some).into_iter().chain([None; 7]).collect(),
        });
        trials.push(Trial {
            label: format!("{label}, openings"),
            series: Series {
                opening_plies: OPENING_PLIES,
                exchange: true,
                ..Series::new(players, games, seed)
            },
            published: Figures::new(),
        });
    }
    Experiment {
        title: format!(
            "Table 3: one game from the start, then {games} over random openings of {OPENING_PLIES} plies"
        ),
        trials,
        profiled: false,
        notes: NOTES,
    }
}

const NOTES: &str = "\
A single game between two deterministic programs shows one line of play, and any change of move order gives a different
one. Judge the published findings by the matches over many openings.
";
