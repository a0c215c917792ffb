//! The chances of a win, a draw and a loss, modelled from the score, the number of pieces and the side to
//! move.

use std::fmt;

use super::score::Score;
use kelso_draughts::board::{Color, Position};
use kelso_draughts::result::Wdl;
use kelso_draughts::score::ReportedScore;

/// The chances of the results of a game for the side to move, in thousandths. They add up to 1000.
#[must_use]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WinRates {
    pub win: u32,
    pub draw: u32,
    pub loss: u32,
}

impl WinRates {
    /// A certain win.
    pub const WON: Self = Self { win: 1000, draw: 0, loss: 0 };
    /// A certain draw.
    pub const DRAWN: Self = Self { win: 0, draw: 1000, loss: 0 };
    /// A certain loss.
    pub const LOST: Self = Self { win: 0, draw: 0, loss: 1000 };

    /// Returns the chances for a score of a search of `root`. Known results are certain.
    pub fn of(score: Score, is_known_draw: bool, root: &Position) -> Self {
        match score.reported() {
            ReportedScore::Win(_) => Self::WON,
            ReportedScore::Loss(_) => Self::LOST,
            ReportedScore::Cp(_) if is_known_draw => Self::DRAWN,
            ReportedScore::Cp(cp) => {
                Self::of_chances(WinRateModel::FITTED.chances(cp, root.piece_count(), root.side()))
            }
        }
    }

    /// Returns the chances for the other side.
    pub const fn reversed(self) -> Self {
        Self { win: self.loss, draw: self.draw, loss: self.win }
    }

    /// Describes the chances of the results for `side`: `White wins 20%, draw 71%, Black wins 9%`.
    #[must_use]
    pub fn describe(self, side: Color) -> String {
        let win = (self.win + 5) / 10;
        // The three numbers add up.
        let loss = ((self.loss + 5) / 10).min(100 - win);
        format!(
            "{} wins {}%, draw {}%, {} wins {}%",
            side.title(),
            win,
            100 - win - loss,
            (!side).title(),
            loss,
        )
    }

    fn of_chances([win, _, loss]: [f64; 3]) -> Self {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 1000")]
        let [win, loss] = [win, loss].map(|chance| (chance * 1000.0).round().clamp(0.0, 1000.0) as u32);
        let loss = loss.min(1000 - win);
        Self { win, draw: 1000 - win - loss, loss }
    }
}

impl From<Wdl> for WinRates {
    fn from(result: Wdl) -> Self {
        match result {
            Wdl::Win => Self::WON,
            Wdl::Draw => Self::DRAWN,
            Wdl::Loss => Self::LOST,
        }
    }
}

/// Formats the chances for files: `203/712/85`.
impl fmt::Display for WinRates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.win, self.draw, self.loss)
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

    fn rates(cp: i32, fen: &str) -> WinRates {
        WinRates::of(Score::evaluation(cp), false, &fen::parse(fen).unwrap())
    }

    const FENS: [&str; 3] = ["B:W21-32:B1-12", "B:W21-32:B2-12", "W:WK32,31,30:BK1,2,3"];

    #[test]
    fn win_rates_sum_to_1000_and_follow_the_score() {
        for text in FENS {
            let all: Vec<WinRates> = (-400..=400).step_by(20).map(|cp| rates(cp, text)).collect();
            assert!(all.iter().all(|rates| rates.win + rates.draw + rates.loss == 1000), "{all:?}");
            assert!(all.is_sorted_by_key(|rates| rates.win), "{all:?}");
            assert!(all.is_sorted_by(|one, other| one.loss >= other.loss), "{all:?}");
            assert!(all.first().is_some_and(|rates| rates.loss > 900), "{all:?}");
            assert!(all.last().is_some_and(|rates| rates.win > 900), "{all:?}");
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
            assert_eq!(WinRates::of(score, is_known_draw, &root), expected, "{score:?}");
        }
        assert_ne!(WinRates::of(Score::DRAW, false, &root), WinRates::DRAWN);
    }

    #[test]
    fn descriptions_name_the_sides() {
        let rates = WinRates { win: 204, draw: 711, loss: 85 };
        assert_eq!(rates.describe(Color::White), "White wins 20%, draw 71%, Black wins 9%");
        let halves = WinRates { win: 335, draw: 330, loss: 335 };
        assert_eq!(halves.describe(Color::White), "White wins 34%, draw 32%, Black wins 34%");
        assert_eq!((rates.to_string(), rates.reversed().win), ("204/711/85".to_owned(), 85));
    }
}
