//! When a game of an experiment is drawn.

use std::fmt;

use crate::board::{Game, Move, Outcome};
use crate::notation::syntax::Quoted;

/// A rule of draws.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DrawRule {
    /// Peterson's: 40 plies without a capture or a crowning.
    #[default]
    Paper,
    /// So many plies without a capture.
    Plies(u32),
    /// Those of the game: the third repetition, or 80 plies without a capture or a man's move.
    Rules,
}

/// Plies of [`DrawRule::Paper`].
const PAPER_PLIES: u32 = 40;
/// The longest wait for a capture that may be asked for.
const MOST_PLIES: u32 = 10_000;

/// Why a text is no rule of draws.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DrawError(String);

impl fmt::Display for DrawError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "bad rule of draws {}: expected \"paper\", \"rules\", or \"plies\" and a number from 1 to {MOST_PLIES}",
            Quoted(&self.0)
        )
    }
}

impl std::error::Error for DrawError {}

impl DrawRule {
    /// Reads a rule: `paper`, `rules`, or `plies N`.
    ///
    /// # Errors
    ///
    /// When it is none of these.
    pub fn parse(text: &str) -> Result<Self, DrawError> {
        let mut words = text.split_whitespace();
        let rule = match (words.next(), words.next(), words.next()) {
            (Some("paper"), None, _) => Some(Self::Paper),
            (Some("rules"), None, _) => Some(Self::Rules),
            (Some("plies"), Some(number), None) => {
                number.parse().ok().filter(|plies| (1..=MOST_PLIES).contains(plies)).map(Self::Plies)
            }
            _ => None,
        };
        rule.ok_or_else(|| DrawError(text.into()))
    }
}

/// A game under a rule of draws.
#[derive(Clone, Debug)]
pub(super) struct Refereed {
    pub(super) game: Game,
    rule: DrawRule,
    /// Plies since the last move that the rule asks for.
    waited: u32,
}

/// How a game stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Standing {
    Open,
    Drawn,
    /// The side to move has no move.
    Lost,
}

impl Refereed {
    pub(super) fn new(game: Game, rule: DrawRule) -> Self {
        Self { game, rule, waited: 0 }
    }

    pub(super) fn play(&mut self, mv: Move) {
        let counts = mv.is_capture() || self.rule == DrawRule::Paper && mv.is_crowning();
        self.waited = if counts { 0 } else { self.waited + 1 };
        self.game.play(mv);
    }

    pub(super) fn standing(&self) -> Standing {
        let most = match self.rule {
            DrawRule::Paper => PAPER_PLIES,
            DrawRule::Plies(plies) => plies,
            DrawRule::Rules => {
                return match self.game.outcome() {
                    None => Standing::Open,
                    Some(Outcome::Win(_)) => Standing::Lost,
                    Some(Outcome::Repetition | Outcome::NoProgress) => Standing::Drawn,
                };
            }
        };
        if !self.game.position().can_move() {
            Standing::Lost
        } else if self.waited >= most {
            Standing::Drawn
        } else {
            Standing::Open
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{fen, movetext};

    #[test]
    fn rules_are_read_and_nothing_else() {
        for (text, rule) in
            [("paper", DrawRule::Paper), ("rules", DrawRule::Rules), ("plies 80", DrawRule::Plies(80))]
        {
            assert_eq!(DrawRule::parse(text), Ok(rule));
        }
        for text in ["", "plies", "plies 0", "plies 10001", "plies x", "paper 40", "plies 80 80", "wcdf"] {
            let error = DrawRule::parse(text).unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("bad rule of draws \"{text}\": expected \"paper\"")),
                "{error}"
            );
        }
    }

    #[test]
    fn each_rule_waits_for_its_moves() {
        let play = |rule, texts: &[&str]| {
            let mut game = Refereed::new(Game::new(fen::parse("B:WK5,13:B25,K28").unwrap()), rule);
            for text in texts {
                let mv = movetext::parse(game.game.position(), text).unwrap();
                game.play(mv);
            }
            (game.waited, game.standing())
        };
        let king_walk = ["28-24", "5-9", "24-28", "9-5"];
        assert_eq!(play(DrawRule::Plies(4), &king_walk), (4, Standing::Drawn));
        assert_eq!(play(DrawRule::Plies(5), &king_walk), (4, Standing::Open));
        // A crowning counts for the paper, but not for those who wait for a capture.
        let crowning = ["28-24", "5-9", "25-30"];
        assert_eq!(play(DrawRule::Paper, &crowning).0, 0);
        assert_eq!(play(DrawRule::Plies(9), &crowning).0, 3);
        let circles: Vec<_> = king_walk.iter().cycle().take(8).copied().collect();
        assert_eq!(play(DrawRule::Rules, &circles).1, Standing::Drawn);
        let mut blocked = Refereed::new(Game::new(fen::parse("B:W9,14:B5").unwrap()), DrawRule::Plies(1));
        blocked.waited = 1;
        assert_eq!(blocked.standing(), Standing::Lost);
    }
}
