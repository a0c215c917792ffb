//! Why games end.

use std::fmt;

/// Why a game ended.
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
    /// All reasons.
    pub const ALL: [Self; 14] = [
        Self::NoMove,
        Self::Repetition,
        Self::NoProgress,
        Self::MaxPlies,
        Self::Agreement,
        Self::Resignation,
        Self::Database,
        Self::Time,
        Self::Hang,
        Self::Crash,
        Self::Flood,
        Self::IllegalMove,
        Self::ExtraMove,
        Self::Unknown,
    ];

    /// Returns whether an engine lost by misbehaving rather than on the board.
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
        match self {
            Self::NoMove => "no-move",
            Self::Repetition => "repetition",
            Self::NoProgress => "no-progress",
            Self::MaxPlies => "max-plies",
            Self::Agreement => "agreement",
            Self::Resignation => "resignation",
            Self::Database => "database",
            Self::Time => "time",
            Self::Hang => "hang",
            Self::Crash => "crash",
            Self::Flood => "flood",
            Self::IllegalMove => "illegal-move",
            Self::ExtraMove => "extra-move",
            Self::Unknown => "unknown",
        }
    }

    /// Parses the word of a reason.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.word() == word)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::NoMove => "no move left",
            Self::Repetition => "third repetition",
            Self::NoProgress => "no progress",
            Self::MaxPlies => "longest game",
            Self::Agreement => "draw agreed",
            Self::Resignation => "resignation",
            Self::Database => "endgame database",
            Self::Time => "time forfeit",
            Self::Hang => "hang",
            Self::Crash => "crash",
            Self::Flood => "flood",
            Self::IllegalMove => "illegal move",
            Self::ExtraMove => "unasked move",
            Self::Unknown => "reason not given",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_have_distinct_words() {
        for reason in Reason::ALL {
            assert_eq!(Reason::from_word(reason.word()), Some(reason));
            #[cfg(feature = "serde")]
            assert_eq!(serde_json::to_string(&reason).unwrap(), format!("\"{}\"", reason.word()));
        }
    }
}
