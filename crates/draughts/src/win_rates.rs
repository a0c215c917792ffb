//! The chances of a win, a draw and a loss.

use std::fmt;
use std::str::FromStr;

use crate::board::Color;
use crate::result::Wdl;
use kelso_text::syntax::WordError;

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

impl FromStr for WinRates {
    type Err = WordError;

    fn from_str(text: &str) -> Result<Self, WordError> {
        let numbers: Option<Vec<u32>> = text.split('/').map(|number| number.parse().ok()).collect();
        match numbers.as_deref() {
            Some(&[win, draw, loss]) => Ok(Self { win, draw, loss }),
            _ => Err(WordError::invalid("chances", text, "chances such as 203/712/85")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_name_the_sides() {
        let rates = WinRates { win: 204, draw: 711, loss: 85 };
        assert_eq!(rates.describe(Color::White), "White wins 20%, draw 71%, Black wins 9%");
        let halves = WinRates { win: 335, draw: 330, loss: 335 };
        assert_eq!(halves.describe(Color::White), "White wins 34%, draw 32%, Black wins 34%");
        assert_eq!((rates.to_string(), rates.reversed().win), ("204/711/85".to_owned(), 85));
    }
}
