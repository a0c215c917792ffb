//! Table 3 of Peterson, "Checking in on Checkers" (2023): one engine against another. The paper has one game
//! per pairing, from the starting position. Here, each of these games is followed by a match from random
//! openings, each played with both colours.

use super::{Experiment, Figures, PlayerSpec, Series, Trial, peterson};
use kelso_draughts::result::{Wdl, WdlCounts};

/// A player: quiescence, depth, evaluation.
type Player = (bool, usize, u8);

/// A pairing with its published result for the first player and number of moves.
const PAIRINGS: [(Player, Player, Wdl, u8); 9] = [
    ((false, 6, 1), (false, 6, 2), Wdl::Draw, 59),
    ((false, 6, 1), (false, 6, 3), Wdl::Draw, 51),
    ((false, 6, 1), (false, 7, 3), Wdl::Loss, 37),
    ((false, 8, 1), (false, 7, 3), Wdl::Loss, 36),
    ((true, 8, 1), (false, 7, 3), Wdl::Loss, 56),
    ((false, 6, 1), (false, 3, 3), Wdl::Win, 30),
    ((false, 3, 3), (false, 6, 1), Wdl::Draw, 60),
    ((false, 6, 1), (true, 3, 3), Wdl::Draw, 60),
    ((false, 12, 1), (false, 6, 3), Wdl::Draw, 62),
];

/// Number of random moves before each game of a match: enough for hundreds of openings, and few enough to
/// keep most of them even.
const OPENING_PLIES: usize = 6;

/// Returns the experiment with a given number of games for each match.
pub fn table3(games: u32, seed: u64) -> Experiment {
    let mut trials = Vec::new();
    for (number, &(first, second, result, moves)) in PAIRINGS.iter().enumerate() {
        let player =
            |(quiescence, depth, evaluation): Player| peterson(false, true, quiescence, depth, evaluation);
        let players = [player(first), player(second)];
        let [one, other] = players.each_ref().map(PlayerSpec::configuration);
        let label = format!("{}. {one} - {other}", number + 1);
        let mut results = WdlCounts::default();
        results.count(result);
        let published = Figures { results: Some(results), moves: Some(moves.into()), ..Figures::default() };
        trials.push(Trial {
            label: label.clone(),
            series: Series::new(players.clone(), 1, seed),
            published: Some(published),
        });
        trials.push(Trial {
            label: format!("{label}, openings"),
            series: Series {
                opening_plies: OPENING_PLIES,
                exchange: true,
                ..Series::new(players, games, seed)
            },
            published: None,
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
