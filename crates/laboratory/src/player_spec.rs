//! A player as text: `searcher=ab tt=on q=off depth=6 eval=v1`, or `random`.

use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

use crate::evaluations::{NamedEvaluation, evaluation_names};
use crate::textbook::{Config, Method, NoMoves, TEXTBOOK, textbook_with};
use kelso_engine::eval::EvaluationKind;
use kelso_engine::search::{Limits, MAX_DEPTH, MAX_PLY, TimeLimit};
use kelso_syntax::WordError;
use kelso_text::keyvalue::KeyValues;
use kelso_text::time::{self, Bare, IN_SECONDS};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayerKind {
    /// Random moves, all equally likely.
    Random,
    /// A textbook searcher with its switches.
    Textbook(Config),
    /// The engine's own searcher with one of its evaluations.
    AlphaBeta(EvaluationKind),
}

/// The description of a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayerSpec {
    pub kind: PlayerKind,
    pub evaluation: NamedEvaluation,
    /// The limits of each move.
    pub limits: Limits,
}

/// Maximum time per move. A larger number was probably meant to be in milliseconds.
const MAX_TIME: Duration = Duration::from_secs(60);
/// Depth of a player without any limit.
const DEFAULT_DEPTH: usize = 6;
type Switch = fn(&mut Config) -> &mut bool;
/// The switches of textbook searchers that are on or off.
const SWITCHES: [(&str, Switch); 4] = [
    ("tt", |config| &mut config.table),
    ("q", |config| &mut config.quiescence),
    ("id", |config| &mut config.deepening),
    ("order", |config| &mut config.ordering),
];
/// The valid words, for error messages.
const WORDS: &str = "\"random\", or KEY=VALUE, where KEY is one of searcher, eval, depth, time, nodes, tt, q, id, order, stuck";

/// The reason why text is not a player.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayerSpecError {
    #[error("empty player: expected {WORDS}")]
    Empty,
    #[error(transparent)]
    Word(#[from] WordError),
    #[error("searcher {searcher} has no switch {switch}")]
    NoSwitch { searcher: &'static str, switch: &'static str },
    #[error("searcher {ALPHABETA} has no evaluation {0}: expected one of {names}", names = EvaluationKind::NAMES.join(", "))]
    NoEvaluation(&'static str),
    #[error("\"random\" is an engine of its own")]
    RandomEngine,
}

/// The name of the engine's own searcher.
const ALPHABETA: &str = "alphabeta";

/// Returns the names of all searchers, starting with the engine's own.
pub fn searcher_names() -> Vec<&'static str> {
    [ALPHABETA].into_iter().chain(TEXTBOOK.iter().map(|(name, _)| *name)).collect()
}

/// Returns the name of a searcher, ignoring case, and its usual switches if it is a textbook searcher.
fn searcher(text: &str) -> Option<(&'static str, Option<Config>)> {
    let textbook = TEXTBOOK.iter().map(|&(name, config)| (name, Some(config)));
    [(ALPHABETA, None)].into_iter().chain(textbook).find(|(name, _)| name.eq_ignore_ascii_case(text))
}

fn one_of(names: &[&str]) -> String {
    format!("one of {}", names.join(", "))
}

fn positive(text: &str) -> Option<u64> {
    text.parse().ok().filter(|&number| number > 0)
}

fn move_time(text: &str) -> Option<Duration> {
    let time = time::parse(text, Bare::Seconds);
    time.filter(|&time| time >= Duration::from_millis(1) && time <= MAX_TIME)
}

impl PlayerSpec {
    /// Returns a player that makes random moves.
    pub fn random() -> Self {
        Self { kind: PlayerKind::Random, evaluation: NamedEvaluation::NETWORK, limits: Limits::default() }
    }

    /// Returns a textbook searcher that searches to a depth.
    pub fn textbook(config: Config, depth: usize, evaluation: NamedEvaluation) -> Self {
        Self { kind: PlayerKind::Textbook(config), evaluation, limits: Limits::depth(depth) }
    }

    /// Parses one player.
    ///
    /// # Errors
    ///
    /// If the text is invalid or describes several players.
    pub fn parse(text: &str) -> Result<Self, PlayerSpecError> {
        one(text, Self::parse_all(text)?)
    }

    /// Parses a player, or several with a range of depths (`depth=3..9`).
    pub fn parse_all(text: &str) -> Result<Vec<Self>, PlayerSpecError> {
        if text.trim() == "random" {
            return Ok(vec![Self::random()]);
        }
        let mut all = Self::read(text)?;
        for spec in &mut all {
            if !spec.limits.is_set() {
                spec.limits.depth = Some(DEFAULT_DEPTH);
            }
        }
        Ok(all)
    }

    /// Parses a player that gets limits for each move, in addition to its own.
    ///
    /// # Errors
    ///
    /// If the text is invalid or describes several players.
    pub fn parse_open(text: &str) -> Result<Self, PlayerSpecError> {
        if text.trim() == "random" {
            return Err(PlayerSpecError::RandomEngine);
        }
        one(text, Self::read(text)?)
    }

    /// Parses a searching player, or one for each depth.
    fn read(text: &str) -> Result<Vec<Self>, PlayerSpecError> {
        let mut pairs = KeyValues::split(text, WORDS)?;
        if pairs.is_empty() {
            return Err(PlayerSpecError::Empty);
        }
        let searcher = pairs.take_read("searcher", one_of(&searcher_names()), searcher)?;
        let (searcher, config) = searcher.unwrap_or((ALPHABETA, None));
        let evaluation = pairs.take_read("eval", one_of(&evaluation_names()), NamedEvaluation::find)?;
        let evaluation = evaluation.unwrap_or(NamedEvaluation::NETWORK);
        let max = MAX_DEPTH;
        let expected = format_args!("a depth or a range of depths from 1 to {max}");
        let depths = pairs.take_read("depth", expected, depths)?;
        let expected = format_args!("{IN_SECONDS}, from 1ms to {}s", MAX_TIME.as_secs());
        let time = pairs.take_read("time", expected, move_time)?;
        let nodes = pairs.take_read("nodes", "a number, at least 1", positive)?;
        let kind = if let Some(config) = config {
            // When a time or node limit is reached, only iterative deepening has a move to return.
            let deepening = time.is_some() || nodes.is_some();
            let config = switches(config, searcher, &mut pairs)?;
            PlayerKind::Textbook(Config { deepening: config.deepening || deepening, ..config })
        } else {
            for switch in SWITCHES.map(|(key, _)| key).into_iter().chain(["stuck"]) {
                if pairs.take(switch).is_some() {
                    return Err(PlayerSpecError::NoSwitch { searcher, switch });
                }
            }
            let kind = EvaluationKind::from_name(evaluation.name);
            PlayerKind::AlphaBeta(kind.ok_or(PlayerSpecError::NoEvaluation(evaluation.name))?)
        };
        pairs.finish(WORDS)?;
        let limits = Limits { nodes, time: time.map(TimeLimit::Exact), ..Limits::default() };
        let spec = Self { kind, evaluation, limits };
        Ok(match depths {
            Some(range) => range.map(|depth| spec.at_depth(Some(depth))).collect(),
            None => vec![spec],
        })
    }

    fn at_depth(&self, depth: Option<usize>) -> Self {
        Self { limits: Limits { depth, ..self.limits.clone() }, ..*self }
    }

    /// Returns the configuration in the form of the studies: `AB, TT, D=6, E=1`.
    pub fn configuration(&self) -> String {
        let method = match self.kind {
            PlayerKind::Random => return "random".to_owned(),
            PlayerKind::AlphaBeta(_) => ALPHABETA,
            PlayerKind::Textbook(config) => match config.method {
                Method::Negamax => "",
                Method::AlphaBeta => "AB",
                Method::Mtdf => "MTD(f)",
                Method::Bns => "BNS",
            },
        };
        let mut parts = vec![method.to_owned()];
        if let PlayerKind::Textbook(config) = self.kind {
            let switches = [(config.table, "TT"), (config.quiescence, "Q"), (config.deepening, "ID")];
            parts.extend(switches.into_iter().filter(|(on, _)| *on).map(|(_, name)| name.to_owned()));
        }
        parts.extend(self.limits.depth.map(|depth| format!("D={depth}")));
        parts.extend(self.limits.exact_time().map(|time| format!("{}s", time.as_secs_f64())));
        parts.extend(self.limits.nodes.map(|nodes| format!("{nodes} nodes")));
        let name = self.evaluation.name;
        parts.push(format!("E={}", if ["v1", "v2", "v3"].contains(&name) { &name[1..] } else { name }));
        parts.retain(|part| !part.is_empty());
        parts.join(", ")
    }

    /// Returns the description without the depth, which all points of a curve share.
    pub fn family(&self) -> String {
        self.at_depth(None).to_string()
    }
}

fn one(text: &str, specs: Vec<PlayerSpec>) -> Result<PlayerSpec, PlayerSpecError> {
    match <[PlayerSpec; 1]>::try_from(specs) {
        Ok([one]) => Ok(one),
        Err(_) => Err(WordError::invalid("setting", text, "one depth").into()),
    }
}

fn depth(text: &str) -> Option<usize> {
    text.parse().ok().filter(|depth| (1..MAX_PLY).contains(depth))
}

fn depths(text: &str) -> Option<RangeInclusive<usize>> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let first = depth(first)?;
    let last = depth(last.strip_prefix('=').unwrap_or(last))?;
    (first <= last).then_some(first..=last)
}

fn switches(
    mut config: Config,
    searcher: &'static str,
    pairs: &mut KeyValues<'_>,
) -> Result<Config, PlayerSpecError> {
    for (key, switch) in SWITCHES {
        if let Some(on) = pairs.take_switch(key)? {
            *switch(&mut config) = on;
        }
    }
    let no_moves = pairs.take_read("stuck", "loss or eval", |value| match value {
        "loss" => Some(NoMoves::Loss),
        "eval" => Some(NoMoves::Evaluation),
        _ => None,
    })?;
    config.no_moves = no_moves.unwrap_or(config.no_moves);
    if config.method == Method::Negamax && config.table {
        return Err(PlayerSpecError::NoSwitch { searcher, switch: "tt" });
    }
    if config.ordering && !config.table {
        let expected = "order=off without a table (tt=on), which remembers the move to try first".to_owned();
        return Err(WordError::invalid("setting", "order=on", expected).into());
    }
    Ok(config)
}

/// Formats the canonical text, which [`PlayerSpec::parse`] accepts.
impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            PlayerKind::Random => return write!(f, "random"),
            PlayerKind::AlphaBeta(_) => write!(f, "searcher={ALPHABETA}")?,
            PlayerKind::Textbook(mut config) => {
                let (name, mut usual) = textbook_with(config.method);
                write!(f, "searcher={name}")?;
                for (key, switch) in SWITCHES {
                    let on = *switch(&mut config);
                    if on != *switch(&mut usual) {
                        write!(f, " {key}={}", if on { "on" } else { "off" })?;
                    }
                }
                if config.no_moves == NoMoves::Evaluation {
                    write!(f, " stuck=eval")?;
                }
            }
        }
        if let Some(depth) = self.limits.depth {
            write!(f, " depth={depth}")?;
        }
        if let Some(time) = self.limits.exact_time() {
            write!(f, " time={}", time.as_secs_f64())?;
        }
        if let Some(nodes) = self.limits.nodes {
            write!(f, " nodes={nodes}")?;
        }
        write!(f, " eval={}", self.evaluation.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn player_specs_round_trip() {
        for text in [
            "random",
            "searcher=ab tt=on depth=6 eval=v1",
            "searcher=negamax depth=3 eval=alex4-far",
            "searcher=mtdf depth=8 eval=classic",
            "searcher=bns tt=off order=off time=0.05 eval=lam",
            "searcher=ab tt=on q=on id=on order=on stuck=eval depth=4 nodes=1000 eval=v3",
            "searcher=alphabeta depth=12 eval=classic",
        ] {
            let spec = PlayerSpec::parse(text).unwrap();
            assert_eq!(spec.to_string(), text);
            assert_eq!(PlayerSpec::parse(&spec.to_string()), Ok(spec));
        }
        assert_eq!(PlayerSpec::parse("time=50ms"), PlayerSpec::parse("time=0.05"));
        assert_eq!(PlayerSpec::parse("eval=material").map(|s| s.limits.depth), Ok(Some(6)));
        let sweep = PlayerSpec::parse_all("searcher=ab depth=3..5 eval=v1").unwrap();
        assert_eq!(sweep.iter().map(|s| s.limits.depth).collect::<Vec<_>>(), [Some(3), Some(4), Some(5)]);
        assert_eq!(sweep[0].family(), "searcher=ab eval=v1");
        assert_eq!(sweep[0].configuration(), "AB, D=3, E=1");
        assert_eq!(PlayerSpec::parse_open("searcher=ab eval=v1").map(|s| s.limits.depth), Ok(None));
        assert!(PlayerSpec::parse_open("searcher=ab depth=3..5 eval=v1").is_err());
        let player = PlayerSpec::parse("searcher=ab tt=on q=on time=50ms eval=alex2").unwrap();
        assert_eq!(player.configuration(), "AB, TT, Q, ID, 0.05s, E=alex2");
    }

    #[test]
    fn errors_name_the_word_and_what_was_expected() {
        for (text, message) in [
            ("", "empty player: expected \"random\", or KEY=VALUE, where KEY is one of searcher, "),
            (
                "best",
                "invalid setting \"best\": expected \"random\", or KEY=VALUE, where KEY is one of searcher, ",
            ),
            (
                "speed=9",
                "invalid setting \"speed=9\": expected \"random\", or KEY=VALUE, where KEY is one of searcher, ",
            ),
            ("depth=3 depth=4", "invalid setting \"depth=4\": expected only one depth"),
            ("depth=0", "invalid setting \"depth=0\": expected a depth or a range of depths from 1 to 127"),
            ("depth=9..3", "invalid setting \"depth=9..3\": expected a depth or a range"),
            (
                "depth=99999999999999999999",
                "invalid setting \"depth=99999999999999999999\": expected a depth",
            ),
            ("eval=v9", "invalid setting \"eval=v9\": expected one of network, classic, material, v1, "),
            ("searcher=x", "invalid setting \"searcher=x\": expected one of alphabeta, "),
            ("searcher=ab tt=maybe", "invalid setting \"tt=maybe\": expected on or off"),
            ("time=0", "invalid setting \"time=0\": expected a time such as 0.5s or 50ms"),
            ("time=5x", "invalid setting \"time=5x\": expected a time such as 0.5s or 50ms"),
            (
                "time=100",
                "invalid setting \"time=100\": expected a time such as 0.5s or 50ms (a bare number is in seconds), from 1ms to 60s",
            ),
            ("searcher=alphabeta q=on", "searcher alphabeta has no switch q"),
            (
                "eval=v1",
                "searcher alphabeta has no evaluation v1: expected one of network, classic, material",
            ),
            ("searcher=negamax tt=on", "searcher negamax has no switch tt"),
            ("searcher=ab order=on", "invalid setting \"order=on\": expected order=off without a table"),
        ] {
            let error = PlayerSpec::parse(text).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
