//! When a game is over: by the rules, and by what the organiser has agreed on to save time.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::course::Course;
use super::record::{GameResult, Reason};
use super::score::Score;
use crate::board::{Color, Move, Position, REPETITIONS};
use crate::common::keyvalue::{KeyValueError, KeyValues};

/// What counts as progress; a game without it for long enough is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum DrawRule {
    /// A capture or a man's move (WCDF rules), 80 plies
    #[default]
    Standard,
    /// A capture or a crowning (Peterson 2023), 40 plies
    Paper,
    /// A capture (Alex), 80 plies
    Alex,
}

impl DrawRule {
    /// The number of plies that goes with the rule.
    #[must_use]
    pub const fn plies(self) -> u32 {
        match self {
            Self::Standard | Self::Alex => 80,
            Self::Paper => 40,
        }
    }

    fn is_progress(self, mv: Move) -> bool {
        match self {
            Self::Standard => mv.is_irreversible(),
            Self::Paper => mv.is_capture() || mv.is_crowning(),
            Self::Alex => mv.is_capture(),
        }
    }
}

/// A draw is agreed when both sides have shown a score near equality for long enough.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Agreement {
    /// Plies that have to be played first.
    pub from: u32,
    /// Moves in a row by each side.
    pub moves: u32,
    /// How far from equality, in hundredths of a man.
    pub score: i32,
}

/// A side that has shown a hopeless score for long enough resigns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Resignation {
    /// Moves in a row.
    pub moves: u32,
    /// How hopeless, in hundredths of a man.
    pub score: i32,
    /// Whether the other side has to see it so too.
    pub both: bool,
}

/// By what rules a match is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Rules {
    /// What counts as progress.
    pub draw_rule: DrawRule,
    /// Plies without progress that make a draw.
    pub draw_plies: u32,
    /// The longest game; longer ones are drawn.
    pub max_plies: Option<u32>,
    /// Draws by agreement.
    pub agreement: Option<Agreement>,
    /// Resignation.
    pub resignation: Option<Resignation>,
    /// Pieces with which games end where the endgame database knows the result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub database: Option<u32>,
}

impl Default for Rules {
    fn default() -> Self {
        let draw_rule = DrawRule::default();
        Self {
            draw_rule,
            draw_plies: draw_rule.plies(),
            max_plies: None,
            agreement: None,
            resignation: None,
            database: None,
        }
    }
}

/// `standard 80`, followed by what else has been agreed on.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = match self.draw_rule {
            DrawRule::Standard => "standard",
            DrawRule::Paper => "paper",
            DrawRule::Alex => "alex",
        };
        write!(f, "{rule} {}", self.draw_plies)?;
        if let Some(plies) = self.max_plies {
            write!(f, ", max {plies}")?;
        }
        if let Some(Agreement { from, moves, score }) = self.agreement {
            write!(f, ", draw from={from},moves={moves},score={score}")?;
        }
        if let Some(Resignation { moves, score, both }) = self.resignation {
            write!(f, ", resign moves={moves},score={score},both={}", if both { "on" } else { "off" })?;
        }
        match self.database {
            Some(pieces) => write!(f, ", database {pieces}"),
            None => Ok(()),
        }
    }
}

/// Something that knows endgames for certain.
pub trait Oracle: Send + Sync {
    /// How a position ends with best play, if it is known.
    fn result(&self, position: &Position) -> Option<GameResult>;
}

impl std::str::FromStr for Agreement {
    type Err = KeyValueError;

    fn from_str(text: &str) -> Result<Self, KeyValueError> {
        let expected = "from=PLIES, moves=N or score=CP, joined by commas";
        let mut pairs = KeyValues::split(text, expected)?;
        let agreement = Self {
            from: pairs.take_parsed("from", "a number of plies")?.unwrap_or(60),
            moves: moves(&mut pairs)?.unwrap_or(8),
            score: score(&mut pairs, 0)?.unwrap_or(5),
        };
        pairs.finish(expected)?;
        Ok(agreement)
    }
}

impl std::str::FromStr for Resignation {
    type Err = KeyValueError;

    fn from_str(text: &str) -> Result<Self, KeyValueError> {
        let expected = "moves=N, score=CP or both=on|off, joined by commas";
        let mut pairs = KeyValues::split(text, expected)?;
        let resignation = Self {
            moves: moves(&mut pairs)?.unwrap_or(4),
            score: score(&mut pairs, 1)?.unwrap_or(500),
            both: pairs.take_switch("both")?.unwrap_or(true),
        };
        pairs.finish(expected)?;
        Ok(resignation)
    }
}

fn moves(pairs: &mut KeyValues<'_>) -> Result<Option<u32>, KeyValueError> {
    let read = |value: &str| value.parse().ok().filter(|&moves| moves > 0);
    pairs.take_read("moves", "a number of moves from 1", read)
}

fn score(pairs: &mut KeyValues<'_>, least: i32) -> Result<Option<i32>, KeyValueError> {
    let read = |value: &str| value.parse().ok().filter(|&score| score >= least);
    pairs.take_read("score", format_args!("hundredths of a man from {least}"), read)
}

/// Follows one game and says when it is over.
pub struct Judge<'a> {
    rules: Rules,
    oracle: Option<&'a dyn Oracle>,
    /// Plies since the last progress.
    idle: u32,
    /// Moves in a row, by each side, whose score was near equality.
    level: [u32; 2],
    /// Moves in a row, by each side, whose score was hopeless.
    hopeless: [u32; 2],
    /// Moves in a row, by each side, whose score was winning.
    winning: [u32; 2],
}

impl<'a> Judge<'a> {
    /// For a game about to begin.
    #[must_use]
    pub fn new(rules: Rules, oracle: Option<&'a dyn Oracle>) -> Self {
        Self { rules, oracle, idle: 0, level: [0; 2], hopeless: [0; 2], winning: [0; 2] }
    }

    /// Takes note of a move by a side: to be called for every one, those of the opening included.
    pub fn saw(&mut self, side: Color, mv: Move, score: Option<Score>) {
        self.idle = if self.rules.draw_rule.is_progress(mv) { 0 } else { self.idle + 1 };
        let count = |counts: &mut [u32; 2], holds: bool| {
            if let Some(count) = counts.get_mut(side.index()) {
                *count = if holds { *count + 1 } else { 0 };
            }
        };
        if let Some(Agreement { score: limit, .. }) = self.rules.agreement {
            count(&mut self.level, score.is_some_and(|score| score.within(limit)));
        }
        if let Some(Resignation { score: limit, .. }) = self.rules.resignation {
            count(&mut self.hopeless, score.is_some_and(|score| score.reversed().at_least(limit)));
            count(&mut self.winning, score.is_some_and(|score| score.at_least(limit)));
        }
    }

    /// How the game has ended, if it has: by the rules first, then by what is certain, then by what the engines think.
    #[must_use]
    pub fn verdict(&self, course: &Course) -> Option<(GameResult, Reason)> {
        self.by_rules(course).or_else(|| self.by_knowledge(course)).or_else(|| self.by_scores(course))
    }

    fn by_rules(&self, course: &Course) -> Option<(GameResult, Reason)> {
        if !course.position().can_move() {
            Some((GameResult::won_by(!course.position().side()), Reason::NoMove))
        } else if course.game().repetitions() >= REPETITIONS {
            Some((GameResult::Draw, Reason::Repetition))
        } else if self.idle >= self.rules.draw_plies {
            Some((GameResult::Draw, Reason::NoProgress))
        } else if self.rules.max_plies.is_some_and(|most| course.plies() >= most) {
            Some((GameResult::Draw, Reason::MaxPlies))
        } else {
            None
        }
    }

    fn by_knowledge(&self, course: &Course) -> Option<(GameResult, Reason)> {
        let result = self.oracle?.result(course.position())?;
        Some((result, Reason::Database))
    }

    fn by_scores(&self, course: &Course) -> Option<(GameResult, Reason)> {
        if let Some(Agreement { from, moves, .. }) = self.rules.agreement
            && course.plies() >= from
            && self.level.iter().all(|&count| count >= moves)
        {
            return Some((GameResult::Draw, Reason::Agreement));
        }
        let Resignation { moves, both, .. } = self.rules.resignation?;
        let long = |counts: &[u32; 2], side: Color| counts.get(side.index()).is_some_and(|&n| n >= moves);
        Color::BOTH
            .into_iter()
            .find(|&side| long(&self.hopeless, side) && (!both || long(&self.winning, !side)))
            .map(|loser| (GameResult::won_by(!loser), Reason::Resignation))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{fen, movetext};

    /// Plays moves in turn, from the start or a position, until the judge speaks.
    fn play(
        rules: Rules,
        start: &str,
        moves: &[&str],
        score: impl Fn(Color) -> Option<Score>,
    ) -> (usize, Option<(GameResult, Reason)>) {
        let mut game = Course::new(fen::parse(start).unwrap());
        let mut judge = Judge::new(rules, None);
        for (n, text) in moves.iter().cycle().take(500).enumerate() {
            if let Some(verdict) = judge.verdict(&game) {
                return (n, Some(verdict));
            }
            let side = game.position().side();
            let mv = movetext::parse(game.position(), text).unwrap();
            game.play(mv);
            judge.saw(side, mv, score(side));
        }
        (500, judge.verdict(&game))
    }

    const KINGS: &str = "B:WK32:BK1";
    const SHUFFLE: [&str; 4] = ["1-5", "32-28", "5-1", "28-32"];

    #[test]
    fn repetition_is_the_third_occurrence() {
        assert_eq!(
            play(Rules::default(), KINGS, &SHUFFLE, |_| None),
            (8, Some((GameResult::Draw, Reason::Repetition)))
        );
    }

    #[test]
    fn progress_is_what_the_rule_says() {
        let rules = |draw_rule, draw_plies| Rules { draw_rule, draw_plies, ..Rules::default() };
        // Seven moves of men, none of which captures or crowns; the repetition comes later.
        let men = ["9-13", "24-20", "5-9", "28-24", "1-5", "32-28", "10-14"];
        let start = "B:W24,28,32:B1,5,9,10";
        assert_eq!(play(rules(DrawRule::Alex, 4), start, &men, |_| None).0, 4);
        assert_eq!(play(rules(DrawRule::Paper, 5), start, &men, |_| None).0, 5);
        let kings = |plies| play(rules(DrawRule::Standard, plies), KINGS, &SHUFFLE, |_| None);
        assert_eq!(kings(6), (6, Some((GameResult::Draw, Reason::NoProgress))));
        let limited = Rules { max_plies: Some(3), ..Rules::default() };
        assert_eq!(play(limited, start, &men, |_| None), (3, Some((GameResult::Draw, Reason::MaxPlies))));
    }

    #[test]
    fn a_side_without_moves_has_lost() {
        let verdict = play(Rules::default(), "W:W:B1", &["1-5"], |_| None);
        assert_eq!(verdict, (0, Some((GameResult::BlackWins, Reason::NoMove))));
    }

    #[test]
    fn scores_end_games_when_asked_to() {
        let agreement = Some("from=2,moves=2,score=5".parse().unwrap());
        let rules = Rules { agreement, ..Rules::default() };
        let level = |_| Some(Score::Cp(-5));
        assert_eq!(play(rules, KINGS, &SHUFFLE, level), (4, Some((GameResult::Draw, Reason::Agreement))));
        let silent = |side| (side == Color::Black).then_some(Score::Cp(0));
        assert_eq!(play(rules, KINGS, &SHUFFLE, silent).1, Some((GameResult::Draw, Reason::Repetition)));
        let resignation = Some("moves=2,score=400".parse().unwrap());
        let rules = Rules { resignation, ..Rules::default() };
        let agreed = |side| Some(if side == Color::Black { Score::Loss(9) } else { Score::Cp(400) });
        assert_eq!(
            play(rules, KINGS, &SHUFFLE, agreed),
            (4, Some((GameResult::WhiteWins, Reason::Resignation)))
        );
        let lonely = |side| Some(Score::Cp(if side == Color::Black { -900 } else { 0 }));
        assert_eq!(play(rules, KINGS, &SHUFFLE, lonely).1, Some((GameResult::Draw, Reason::Repetition)));
    }

    #[test]
    fn what_is_known_for_certain_ends_a_game_but_not_against_the_rules() {
        struct Knows;
        impl Oracle for Knows {
            fn result(&self, position: &Position) -> Option<GameResult> {
                (position.piece_count() < 3).then_some(GameResult::BlackWins)
            }
        }
        let judge = Judge::new(Rules::default(), Some(&Knows));
        let verdict = |text| judge.verdict(&Course::new(fen::parse(text).unwrap()));
        assert_eq!(verdict("B:WK32:BK1"), Some((GameResult::BlackWins, Reason::Database)));
        assert_eq!(verdict("B:WK32,K31:BK1"), None);
        assert_eq!(verdict("B:WK32:B28"), Some((GameResult::WhiteWins, Reason::NoMove)));
    }

    #[test]
    fn wrong_settings_are_named() {
        for wrong in ["moves=0", "score=-1", "x=1", "from", "moves=x"] {
            assert!(wrong.parse::<Agreement>().unwrap_err().to_string().contains(wrong));
        }
        for wrong in ["both=maybe", "score=0", "moves="] {
            assert!(wrong.parse::<Resignation>().is_err(), "{wrong}");
        }
    }
}
