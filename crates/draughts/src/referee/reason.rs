//! Reasons of results.

use std::fmt;

/// The reason of a result.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Reason {
    /// A side has no legal move.
    NoMove,
    /// The third repetition.
    Repetition,
    /// Too many plies without progress.
    NoProgress,
    /// The game reached its maximum length.
    MaxPlies,
    /// Both scores were level for a while.
    Agreement,
    /// A score was hopeless for a while.
    Resignation,
    /// The endgame database knows the result.
    Database,
    /// An engine answered too late.
    Time,
    /// An engine never answered.
    Hang,
    /// An engine ended, closed its pipes, or could not be started again.
    Crash,
    /// An engine flooded its output.
    Flood,
    /// An engine gave an illegal move.
    IllegalMove,
    /// An engine gave a move without being asked.
    ExtraMove,
    /// The file gives no reason.
    Unknown,
}

impl Reason {
    /// Each reason as one word, and as a phrase, in their order.
    const TEXTS: [(Self, &'static str, &'static str); 14] = [
        (Self::NoMove, "no-move", "no move left"),
        (Self::Repetition, "repetition", "third repetition"),
        (Self::NoProgress, "no-progress", "no progress"),
        (Self::MaxPlies, "max-plies", "longest game"),
        (Self::Agreement, "agreement", "draw agreed"),
        (Self::Resignation, "resignation", "resignation"),
        (Self::Database, "database", "endgame database"),
        (Self::Time, "time", "time forfeit"),
        (Self::Hang, "hang", "hang"),
        (Self::Crash, "crash", "crash"),
        (Self::Flood, "flood", "flood"),
        (Self::IllegalMove, "illegal-move", "illegal move"),
        (Self::ExtraMove, "extra-move", "unasked move"),
        (Self::Unknown, "unknown", "reason not given"),
    ];

    /// Returns true if an engine lost by misbehaving rather than on the board.
    #[must_use]
    pub const fn is_fault(self) -> bool {
        matches!(
            self,
            Self::Time | Self::Hang | Self::Crash | Self::Flood | Self::IllegalMove | Self::ExtraMove
        )
    }

    /// Returns the reason as one word, as in the PDN tag `Termination`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        Self::TEXTS[self as usize].1
    }

    /// Parses the word of a reason.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::TEXTS.iter().find(|(_, known, _)| *known == word).map(|(reason, ..)| *reason)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(Self::TEXTS[*self as usize].2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_have_distinct_words() {
        for (reason, word, _) in Reason::TEXTS {
            assert_eq!(reason.word(), word);
            assert_eq!(Reason::from_word(word), Some(reason));
            #[cfg(feature = "serde")]
            assert_eq!(serde_json::to_string(&reason).unwrap(), format!("\"{}\"", reason.word()));
        }
    }
}
