//! The chances of a win, a draw and a loss.

use std::fmt;
use std::str::FromStr;

use crate::board::Color;
use crate::result::Wdl;
use kelso_syntax::WordError;

/// The chances of the results of a game for the side to move, in thousandths. They add up to 1000.
#[must_use]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Fields"))]
pub struct WinRates {
    win: u32,
    draw: u32,
    loss: u32,
}

impl WinRates {
    /// A certain win.
    pub const WON: Self = Self { win: 1000, draw: 0, loss: 0 };
    /// A certain draw.
    pub const DRAWN: Self = Self { win: 0, draw: 1000, loss: 0 };
    /// A certain loss.
    pub const LOST: Self = Self { win: 0, draw: 0, loss: 1000 };

    /// Returns the chances if they add up to 1000.
    pub fn new(win: u32, draw: u32, loss: u32) -> Option<Self> {
        let sum: u64 = [win, draw, loss].map(u64::from).into_iter().sum();
        (sum == 1000).then_some(Self { win, draw, loss })
    }

    /// Rounds the chances of a win and a loss to thousandths.
    pub fn rounded(win: f64, loss: f64) -> Self {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 1000")]
        let [win, loss] = [win, loss].map(|chance| (chance * 1000.0).round().clamp(0.0, 1000.0) as u32);
        let loss = loss.min(1000 - win);
        Self { win, draw: 1000 - win - loss, loss }
    }

    /// Returns the chances of a win, a draw and a loss.
    #[must_use]
    pub const fn thousandths(self) -> [u32; 3] {
        [self.win, self.draw, self.loss]
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
        let rates = match numbers.as_deref() {
            Some(&[win, draw, loss]) => Self::new(win, draw, loss),
            _ => None,
        };
        rates.ok_or_else(|| WordError::invalid("chances", text, EXPECTED))
    }
}

const EXPECTED: &str = "chances that add up to 1000, such as 203/712/85";

/// Chances in a file.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Fields {
    win: u32,
    draw: u32,
    loss: u32,
}

#[cfg(feature = "serde")]
impl TryFrom<Fields> for WinRates {
    type Error = WordError;

    fn try_from(Fields { win, draw, loss }: Fields) -> Result<Self, WordError> {
        Self::new(win, draw, loss)
            .ok_or_else(|| WordError::invalid("chances", &format!("{win}/{draw}/{loss}"), EXPECTED))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_name_the_sides() {
        let rates = WinRates::new(204, 711, 85).unwrap();
        assert_eq!(rates.describe(Color::White), "White wins 20%, draw 71%, Black wins 9%");
        let halves = WinRates::new(335, 330, 335).unwrap();
        assert_eq!(halves.describe(Color::White), "White wins 34%, draw 32%, Black wins 34%");
        assert_eq!(
            (rates.to_string(), rates.reversed().thousandths()),
            ("204/711/85".to_owned(), [85, 711, 204])
        );
    }

    #[test]
    fn chances_add_up_to_1000() {
        assert_eq!("204/711/85".parse(), Ok(WinRates { win: 204, draw: 711, loss: 85 }));
        for text in ["1005/0/0", "500/400/99", "4294967295/1001/0", "204/711", "204/711/85/0"] {
            let error = text.parse::<WinRates>().unwrap_err().to_string();
            assert!(error.contains(text) && error.ends_with(EXPECTED), "{error}");
        }
    }

    #[cfg(feature = "serde")]
    #[test]
    fn chances_in_files_add_up_to_1000() {
        let read = serde_json::from_str::<WinRates>;
        assert_eq!(read(r#"{"win":0,"draw":1000,"loss":0}"#).unwrap(), WinRates::DRAWN);
        let error = read(r#"{"win":1005,"draw":0,"loss":0}"#).unwrap_err().to_string();
        assert!(error.contains("1005/0/0"), "{error}");
    }
}
