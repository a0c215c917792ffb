//! Decides when a game ends: by the rules, or by adjudication to save time.

use std::fmt;

use serde::{Deserialize, Serialize};

use kelso_draughts::board::{Color, Game};
use kelso_draughts::referee::{DrawRules, Oracle, ProgressRule, Referee};
use kelso_draughts::result::{EndReason, GameEnd};
use kelso_draughts::score::ReportedScore;
use kelso_syntax::WordError;
use kelso_text::keyvalue::KeyValues;

/// Settings for draws by agreement: both sides report scores near 0 for several moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Agreement {
    /// The first ply at which draws may be agreed.
    pub from: u32,
    /// Number of consecutive moves by each side with scores near 0.
    pub moves: u32,
    /// Maximum absolute score, in hundredths of a man.
    pub score: i32,
}

/// Settings for resignations: a side reports losing scores for several moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Resignation {
    /// Number of consecutive moves with losing scores.
    pub moves: u32,
    /// A score of minus this or less is losing, in hundredths of a man.
    pub score: i32,
    /// Whether the other side must report a winning score.
    pub both: bool,
}

/// The rules for the games of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Rules {
    #[serde(flatten, with = "DrawFields")]
    pub draws: DrawRules,
    /// The maximum length of a game. Only matches of older versions have one; they can be read, but not resumed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_plies: Option<u32>,
    /// Draws by agreement.
    pub agreement: Option<Agreement>,
    pub resignation: Option<Resignation>,
    /// Maximum number of pieces of positions that the endgame databases adjudicate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub database: Option<u32>,
}

/// The fields of the draw rules in a checkpoint.
#[derive(Serialize, Deserialize)]
#[serde(remote = "DrawRules")]
struct DrawFields {
    #[serde(rename = "draw_rule")]
    progress: ProgressRule,
    #[serde(rename = "draw_plies")]
    no_progress_plies: u32,
    #[serde(default = "counts", skip_serializing_if = "is_counted")]
    repetition: bool,
}

/// Repetitions count unless the file says otherwise.
const fn counts() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde expects")]
const fn is_counted(repetition: &bool) -> bool {
    *repetition
}

/// Formats the draw rules, such as `standard 80`, followed by the other settings.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.draws.fmt(f)?;
        if let Some(plies) = self.max_plies {
            write!(f, ", {plies} plies")?;
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

impl std::str::FromStr for Agreement {
    type Err = WordError;

    fn from_str(text: &str) -> Result<Self, WordError> {
        let expected = "from=PLIES, moves=N or score=CP, joined by commas";
        let mut pairs = KeyValues::split(text, expected)?;
        let agreement = Self {
            from: pairs.take_read("from", "a number of plies", |text| text.parse().ok())?.unwrap_or(60),
            moves: moves(&mut pairs)?.unwrap_or(8),
            score: score(&mut pairs, 0)?.unwrap_or(5),
        };
        pairs.finish(expected)?;
        Ok(agreement)
    }
}

impl std::str::FromStr for Resignation {
    type Err = WordError;

    fn from_str(text: &str) -> Result<Self, WordError> {
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

fn moves(pairs: &mut KeyValues<'_>) -> Result<Option<u32>, WordError> {
    pairs.take_read("moves", "a number of moves, at least 1", |text| {
        text.parse().ok().filter(|&moves| moves > 0)
    })
}

fn score(pairs: &mut KeyValues<'_>, min: i32) -> Result<Option<i32>, WordError> {
    let expected = format_args!("a score of at least {min}, in hundredths of a man");
    pairs.take_read("score", expected, |text| text.parse().ok().filter(|&score| score >= min))
}

/// Counts consecutive moves for which a condition holds.
const fn count(moves: &mut u32, holds: bool) {
    *moves = if holds { *moves + 1 } else { 0 };
}

/// Adjudicates a game.
pub struct Adjudicator<'a> {
    rules: Rules,
    referee: Referee<'a>,
    /// For each side, the number of consecutive moves with a score near 0.
    level: [u32; 2],
    /// For each side, the number of consecutive moves with a losing score.
    hopeless: [u32; 2],
    /// For each side, the number of consecutive moves with a winning score.
    winning: [u32; 2],
}

impl<'a> Adjudicator<'a> {
    /// Starts the adjudication of a game.
    pub fn new(rules: Rules, oracle: Option<&'a dyn Oracle>) -> Self {
        Self {
            rules,
            referee: Referee::new(rules.draws, oracle),
            level: [0; 2],
            hopeless: [0; 2],
            winning: [0; 2],
        }
    }

    /// Records the score of a move. The moves of the opening have none.
    pub fn record(&mut self, side: Color, score: Option<ReportedScore>) {
        let side = side.index();
        if let Some(Agreement { score: limit, .. }) = self.rules.agreement {
            count(&mut self.level[side], score.is_some_and(|score| score.within(limit)));
        }
        if let Some(Resignation { score: limit, .. }) = self.rules.resignation {
            count(&mut self.hopeless[side], score.is_some_and(|score| score.reversed().at_least(limit)));
            count(&mut self.winning[side], score.is_some_and(|score| score.at_least(limit)));
        }
    }

    /// Returns how the game ended, if it has. The rules take priority, then the databases, then the scores.
    pub fn end(&self, game: &Game) -> Option<GameEnd> {
        self.referee.end(game).or_else(|| self.by_scores(game))
    }

    fn by_scores(&self, game: &Game) -> Option<GameEnd> {
        if let Some(Agreement { from, moves, .. }) = self.rules.agreement
            && game.moves().len() >= from as usize
            && self.level.iter().all(|&count| count >= moves)
        {
            return Some(GameEnd::draw(EndReason::Agreement));
        }
        let Resignation { moves, both, .. } = self.rules.resignation?;
        let loser = Color::BOTH.into_iter().find(|&side| {
            let is_hopeless = self.hopeless[side.index()] >= moves;
            is_hopeless && (!both || self.winning[(!side).index()] >= moves)
        })?;
        Some(GameEnd::won_by(!loser, EndReason::Resignation))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_draughts::notation::{fen, movetext};

    /// Plays the given moves repeatedly until the game is adjudicated.
    fn play(
        rules: Rules,
        start: &str,
        moves: &[&str],
        score: impl Fn(Color) -> Option<ReportedScore>,
    ) -> (usize, Option<GameEnd>) {
        let mut game = Game::new(fen::parse(start).unwrap());
        let mut adjudicator = Adjudicator::new(rules, None);
        for (n, text) in moves.iter().cycle().take(500).enumerate() {
            if let Some(end) = adjudicator.end(&game) {
                return (n, Some(end));
            }
            let side = game.position().side();
            let mv = movetext::parse(game.position(), text).unwrap();
            game.play(mv);
            adjudicator.record(side, score(side));
        }
        (500, adjudicator.end(&game))
    }

    const KINGS: &str = "B:WK32:BK1";
    const SHUFFLE: [&str; 4] = ["1-5", "32-28", "5-1", "28-32"];

    #[test]
    fn games_are_adjudicated_by_score_on_request() {
        let agreement = Some("from=2,moves=2,score=5".parse().unwrap());
        let rules = Rules { agreement, ..Rules::default() };
        let level = |_| Some(ReportedScore::Cp(-5));
        assert_eq!(play(rules, KINGS, &SHUFFLE, level), (4, Some(GameEnd::draw(EndReason::Agreement))));
        let silent = |side| (side == Color::Black).then_some(ReportedScore::Cp(0));
        assert_eq!(play(rules, KINGS, &SHUFFLE, silent).1, Some(GameEnd::draw(EndReason::Repetition)));
        let resignation = Some("moves=2,score=400".parse().unwrap());
        let rules = Rules { resignation, ..Rules::default() };
        let agreed = |side| {
            Some(if side == Color::Black { ReportedScore::Loss(Some(9)) } else { ReportedScore::Cp(400) })
        };
        assert_eq!(
            play(rules, KINGS, &SHUFFLE, agreed),
            (4, Some(GameEnd::won_by(Color::White, EndReason::Resignation)))
        );
        let lonely = |side| Some(ReportedScore::Cp(if side == Color::Black { -900 } else { 0 }));
        assert_eq!(play(rules, KINGS, &SHUFFLE, lonely).1, Some(GameEnd::draw(EndReason::Repetition)));
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

    #[test]
    fn adjudication_limits_are_inclusive() {
        let open = GameEnd::draw(EndReason::Repetition);
        let agreed = GameEnd::draw(EndReason::Agreement);
        let resigned = |winner| GameEnd::won_by(winner, EndReason::Resignation);
        let rules = |agreement: Option<&str>, resignation: Option<&str>| Rules {
            agreement: agreement.map(|text| text.parse().unwrap()),
            resignation: resignation.map(|text| text.parse().unwrap()),
            ..Rules::default()
        };
        for (agreement, resignation, scores, expected) in [
            (Some("from=0,moves=1,score=5"), None, [5, -5], (2, agreed)),
            (Some("from=0,moves=1,score=5"), None, [6, 0], (8, open)),
            (Some("from=5,moves=1,score=5"), None, [0, 0], (5, agreed)),
            (Some("from=0,moves=3,score=5"), None, [0, 0], (6, agreed)),
            (None, Some("moves=2,score=400"), [-400, 400], (4, resigned(Color::White))),
            (None, Some("moves=2,score=400"), [-399, 400], (8, open)),
            (None, Some("moves=2,score=400"), [-400, 399], (8, open)),
            (None, Some("moves=2,score=400,both=off"), [-400, 0], (3, resigned(Color::White))),
            (None, Some("moves=1,score=400"), [400, -400], (2, resigned(Color::Black))),
        ] {
            let score = |side: Color| Some(ReportedScore::Cp(scores[side.index()]));
            let (plies, end) = play(rules(agreement, resignation), KINGS, &SHUFFLE, score);
            assert_eq!(
                (plies, end),
                (expected.0, Some(expected.1)),
                "{agreement:?} {resignation:?} {scores:?}"
            );
        }
    }

    #[test]
    fn settings_have_defaults_and_are_written_in_full() {
        let agreement: Agreement = "moves=9".parse().unwrap();
        assert_eq!(agreement, Agreement { from: 60, moves: 9, score: 5 });
        assert_eq!("from=1,moves=1,score=0".parse(), Ok(Agreement { from: 1, moves: 1, score: 0 }));
        let resignation: Resignation = "score=1".parse().unwrap();
        assert_eq!(resignation, Resignation { moves: 4, score: 1, both: true });
        assert_eq!("both=off,moves=2".parse(), Ok(Resignation { moves: 2, score: 500, both: false }));
        assert_eq!(Rules::default().to_string(), "standard 80");
        let rules = Rules {
            draws: DrawRules { no_progress_plies: 50, ..DrawRules::STANDARD },
            max_plies: Some(220),
            agreement: Some(agreement),
            resignation: Some(resignation),
            database: Some(6),
        };
        let text = "standard 50, 220 plies, draw from=60,moves=9,score=5, resign moves=4,score=1,both=on, database 6";
        assert_eq!(rules.to_string(), text);
    }

    #[test]
    fn rules_are_stored_by_name() {
        for (draws, max_plies, fields) in [
            (DrawRules::STANDARD, None, r#""draw_rule":"standard","draw_plies":80"#),
            (
                DrawRules::of(ProgressRule::Capture),
                Some(220),
                r#""draw_rule":"alex","draw_plies":80,"repetition":false,"max_plies":220"#,
            ),
            ("paper 40 with repetition".parse().unwrap(), None, r#""draw_rule":"paper","draw_plies":40"#),
        ] {
            let rules = Rules { draws, max_plies, ..Rules::default() };
            let text = format!("{{{fields},\"agreement\":null,\"resignation\":null}}");
            assert_eq!(serde_json::to_string(&rules).unwrap(), text);
            assert_eq!(serde_json::from_str::<Rules>(&text).unwrap(), rules);
        }
        let error = serde_json::from_str::<Rules>(r#"{"draw_rule":"x","draw_plies":80}"#).unwrap_err();
        assert!(error.to_string().starts_with("unknown variant `x`, expected one of `standard`"), "{error}");
    }
}
