//! A model of the chances of a win, a draw and a loss, from the score, the number of pieces and the side to
//! move.

use super::score::Score;
use kelso_draughts::board::{Color, Position};
use kelso_draughts::score::ReportedScore;
use kelso_draughts::win_rates::WinRates;

impl Score {
    /// Returns the chances for this score of a search of `root`. Known results are certain.
    pub fn win_rates(self, is_known_draw: bool, root: &Position) -> WinRates {
        match self.reported() {
            ReportedScore::Win(_) => WinRates::WON,
            ReportedScore::Loss(_) => WinRates::LOST,
            ReportedScore::Cp(_) if is_known_draw => WinRates::DRAWN,
            ReportedScore::Cp(cp) => {
                let [win, _, loss] = WinRateModel::FITTED.chances(cp, root.piece_count(), root.side());
                WinRates::rounded(win, loss)
            }
        }
    }
}

/// The coefficients of the model: an ordered logistic regression. The log-odds of a win are the distance of
/// the score from a threshold, divided by a width. Threshold and width are exponentials of polynomials in the
/// number of pieces.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WinRateModel {
    /// The coefficients of the logarithm of the threshold.
    pub threshold: [f64; 3],
    /// The coefficients of the logarithm of the width.
    pub width: [f64; 3],
    /// The offset added to Black's scores, in hundredths of a man.
    pub black: f64,
}

impl WinRateModel {
    /// The coefficients fitted by `measure rates fit`.
    pub const FITTED: Self =
        Self { threshold: [4.243, -0.941, 0.178], width: [3.796, 0.265, -0.092], black: 1.13 };

    /// Returns the chances of a win, a draw and a loss for a score of `side`, which is to move.
    #[must_use]
    pub fn chances(&self, cp: i32, pieces: u32, side: Color) -> [f64; 3] {
        let x = f64::from(pieces) / 12.0 - 1.0;
        let [threshold, width] = [self.threshold, self.width].map(|[a, b, c]| (a + x * (b + x * c)).exp());
        let score = f64::from(cp) + if side == Color::Black { self.black } else { -self.black };
        let [win, loss] = [score, -score].map(|own| 1.0 / (1.0 + (-(own - threshold) / width).exp()));
        [win, 1.0 - win - loss, loss]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_draughts::notation::fen;

    fn rates(cp: i32, fen: &str) -> [u32; 3] {
        Score::evaluation(cp).win_rates(false, &fen::parse(fen).unwrap()).thousandths()
    }

    const FENS: [&str; 3] = ["B:W21-32:B1-12", "B:W21-32:B2-12", "W:WK32,31,30:BK1,2,3"];

    #[test]
    fn win_rates_sum_to_1000_and_follow_the_score() {
        for text in FENS {
            let all: Vec<_> = (-400..=400).step_by(20).map(|cp| rates(cp, text)).collect();
            assert!(all.iter().all(|rates| rates.iter().sum::<u32>() == 1000), "{all:?}");
            assert!(all.is_sorted_by_key(|rates| rates[0]), "{all:?}");
            assert!(all.is_sorted_by(|one, other| one[2] >= other[2]), "{all:?}");
            assert!(all.first().is_some_and(|rates| rates[2] > 900), "{all:?}");
            assert!(all.last().is_some_and(|rates| rates[0] > 900), "{all:?}");
        }
    }

    #[test]
    fn known_results_are_certain() {
        let root = fen::parse("B:W32:BK22,K23").unwrap();
        for (score, is_known_draw, expected) in [
            (Score::win_in(5), false, WinRates::WON),
            (Score::loss_in(4), false, WinRates::LOST),
            (Score::database_win(5, 0, 3), false, WinRates::WON),
            (-Score::database_win(5, 0, 3), false, WinRates::LOST),
            (Score::DRAW, true, WinRates::DRAWN),
        ] {
            assert_eq!(score.win_rates(is_known_draw, &root), expected, "{score:?}");
        }
        assert_ne!(Score::DRAW.win_rates(false, &root), WinRates::DRAWN);
    }
}
