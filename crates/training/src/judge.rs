//! Tests evaluations on positions with known results: how well they order won, drawn and lost positions, by
//! number of pieces.
//!
//! The positions are quiet and come from games that the evaluations were not fitted to. Their results come
//! from endgame databases or from a search, which is more reliable than any static evaluation. Positions
//! whose result remains open are skipped.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::book::search::best;
use crate::data::{OnSamples, SampleFiles};
use crate::engines::run_jobs;
use crate::fit::scale;
use crate::play::known;
use crate::sample::{DECIDED, TrainingSample};
use draughts::board::Position;
use draughts::notation::fen;
use draughts::result::Wdl;
use engine::Engine;
use engine::book::Key;
use engine::eval::Evaluate;
use engine::search::{Control, Limits};
use reports::statistics::auc;
use reports::table::Table;
use runs::checkpoint::CheckpointHeader;
use runs::stop::StopToken;
use runs::store::StoreError;

/// The piece counts that are tested.
const PIECES: RangeInclusive<u32> = 7..=12;
/// Minimum search score of a position that counts as won, in hundredths of a man.
const WON: i16 = 300;
/// Maximum absolute search score of a position that counts as drawn.
const DRAWN: i16 = 20;

/// The settings that must not change when a run is resumed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct JudgeHeader {
    /// The program that searches.
    pub program: String,
    /// The checksum of the positions.
    pub positions: u32,
    /// Nodes searched for each position.
    pub nodes: u64,
    /// The engine's options.
    pub options: String,
    /// Maximum number of pieces in the endgame databases.
    pub databases: u32,
}

/// A position with its result.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LabelledPosition {
    /// Number of the position in the set.
    #[serde(rename = "n")]
    pub number: u64,
    pub fen: String,
    /// The result for the side to move, or `None` if the search leaves it open.
    #[serde(with = "words")]
    pub label: Option<Wdl>,
}

/// Results as words: `win`, `draw` and `loss`.
mod words {
    use draughts::result::Wdl;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    const ALL: [Wdl; 3] = [Wdl::Loss, Wdl::Draw, Wdl::Win];

    #[expect(clippy::trivially_copy_pass_by_ref, clippy::ref_option, reason = "required by serde")]
    pub(super) fn serialize<S: Serializer>(label: &Option<Wdl>, serializer: S) -> Result<S::Ok, S::Error> {
        label.map(|label| label.to_string()).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Wdl>, D::Error> {
        let Some(word) = Option::<String>::deserialize(deserializer)? else { return Ok(None) };
        let label = ALL.into_iter().find(|label| label.to_string() == word);
        label.map(Some).ok_or_else(|| D::Error::custom(format_args!("unknown result {word:?}")))
    }
}

impl CheckpointHeader for JudgeHeader {
    type Item = LabelledPosition;
    const FORMAT: &'static str = "kelso_judge";
    const JOB: &'static str = "network test";

    fn number(position: &LabelledPosition) -> u64 {
        position.number
    }
}

/// Chooses about `most` different quiet positions, the same number for each piece count, in random order. The
/// choice depends only on the positions. Returns `None` if stopped.
pub fn choose(
    files: &SampleFiles,
    most: usize,
    on_progress: OnSamples<'_>,
) -> Result<Option<Vec<TrainingSample>>, StoreError> {
    let each = most.div_ceil(PIECES.count());
    let mut chosen: BTreeMap<u32, BTreeMap<u64, TrainingSample>> = BTreeMap::new();
    let finished = files.each(on_progress, &mut Vec::new(), &mut |game| {
        for sample in game.samples.into_iter().filter(is_quiet) {
            let of_number = chosen.entry(sample.pieces()).or_default();
            of_number.insert(mixed(sample.key), sample);
            if of_number.len() > each {
                of_number.pop_last();
            }
        }
        Ok(())
    })?;
    let mut samples: Vec<TrainingSample> = chosen.into_values().flat_map(BTreeMap::into_values).collect();
    samples.sort_by_key(|sample| mixed(sample.key));
    Ok(finished.then_some(samples))
}

/// Returns the checksum of samples.
pub fn checksum(samples: &[TrainingSample]) -> u32 {
    let bytes: Vec<u8> = samples.iter().flat_map(|sample| sample.to_bytes()).collect();
    crc32fast::hash(&bytes)
}

/// Returns whether neither side can capture and the piece count is tested.
fn is_quiet(sample: &TrainingSample) -> bool {
    let quiet = |position: Position| !position.must_capture() && !position.is_threatened();
    PIECES.contains(&sample.pieces()) && sample.position().is_some_and(quiet)
}

/// Finds the results of the samples with the given numbers until all are known or `stop` is set. Calls
/// `on_label` with each result; an error from it ends the work. Returns whether the work was stopped.
pub fn label<E>(
    samples: &[TrainingSample],
    numbers: &[usize],
    nodes: u64,
    engines: Vec<Engine>,
    stop: &StopToken,
    on_label: &mut dyn FnMut(LabelledPosition) -> Result<(), E>,
) -> Result<bool, E> {
    let work = |engine: &mut Engine, number: usize, stop: &StopToken| {
        let position = samples.get(number)?.position()?;
        let label = match known(engine.databases(), &position) {
            Some(label) => Some(label),
            None => result(search(engine, &position, nodes, stop)?),
        };
        Some(LabelledPosition { number: number as u64, fen: fen::format(&position), label })
    };
    run_jobs(engines, numbers, stop, work, on_label)
}

/// Returns the score of a search, or `None` if the search was stopped.
fn search(engine: &mut Engine, position: &Position, nodes: u64, stop: &StopToken) -> Option<i16> {
    engine.new_game();
    let (_, judgement) = best(engine, position, &Limits::nodes(nodes), &Control::under(stop))?;
    Some(judgement.score.number())
}

/// Returns the result implied by a search score, or `None` if it is unclear.
fn result(score: i16) -> Option<Wdl> {
    if score.abs() >= WON {
        return Some(if score > 0 { Wdl::Win } else { Wdl::Loss });
    }
    (score.abs() <= DRAWN).then_some(Wdl::Draw)
}

/// The positions with a certain piece count, and an evaluation's scores for them.
struct PieceGroup<'a> {
    evaluation: &'a str,
    pieces: String,
    samples: Vec<TrainingSample>,
    open: usize,
    scale: f64,
}

impl PieceGroup<'_> {
    /// Returns the scores of the positions with this result.
    fn scores(&self, label: Wdl) -> Vec<i32> {
        let samples = self.samples.iter().filter(|sample| sample.label == label);
        samples.map(|sample| sample.score.into()).collect()
    }

    /// Formats how well the scores separate positions with two different results.
    fn area(&self, lower: Wdl, higher: Wdl) -> String {
        let area = auc(&self.scores(lower), &self.scores(higher));
        area.map_or("-".to_owned(), |area| format!("{:.4} ± {:.4}", area.value, area.error()))
    }
}

/// Returns a table of how well each named evaluation orders the positions, with a row for each piece count
/// and a row for all. Positions without a label have an unclear result.
pub fn table(labelled: &[(TrainingSample, Option<Wdl>)], evaluations: &[(String, &dyn Evaluate)]) -> Table {
    let rows: Vec<PieceGroup<'_>> =
        evaluations.iter().flat_map(|(name, evaluation)| groups(labelled, name, *evaluation)).collect();
    Table::of(&rows)
        .words("evaluation", |row| row.evaluation.to_owned())
        .words("pieces", |row| row.pieces.clone())
        .number("won", |row| row.scores(Wdl::Win).len())
        .number("drawn", |row| row.scores(Wdl::Draw).len())
        .number("lost", |row| row.scores(Wdl::Loss).len())
        .number("open", |row| row.open)
        .number("win/draw", |row| row.area(Wdl::Draw, Wdl::Win))
        .number("draw/loss", |row| row.area(Wdl::Loss, Wdl::Draw))
        .number("log loss", |row| format!("{:.4}", scale::loss(&row.samples, row.scale)))
        .build()
}

#[expect(clippy::expect_used, reason = "clamped before")]
fn groups<'a>(
    labelled: &[(TrainingSample, Option<Wdl>)],
    evaluation: &'a str,
    evaluator: &dyn Evaluate,
) -> Vec<PieceGroup<'a>> {
    let score = |&(sample, label): &(TrainingSample, Option<Wdl>)| {
        let value = sample.position().map_or(0, |position| evaluator.evaluate(&position));
        // A score of `DECIDED` would be mistaken for a known result.
        let most = i32::from(DECIDED) - 1;
        let score = i16::try_from(value.clamp(-most, most)).expect("a clamped score");
        Some(TrainingSample { score, label: label?, ..sample })
    };
    let scored: Vec<TrainingSample> = labelled.iter().filter_map(score).collect();
    let (scale, _) = scale::fit(&scored);
    let of = |pieces: String, range: RangeInclusive<u32>| {
        let is_in = |sample: &TrainingSample| range.contains(&sample.pieces());
        let samples = scored.iter().copied().filter(is_in).collect();
        let open = labelled.iter().filter(|(sample, label)| label.is_none() && is_in(sample)).count();
        PieceGroup { evaluation, pieces, samples, open, scale }
    };
    let numbers = PIECES.map(|number| of(number.to_string(), number..=number));
    numbers.chain([of("all".to_owned(), PIECES)]).collect()
}

/// Returns a hash of a position, for sorting in an arbitrary order.
fn mixed(Key { own, other, kings }: Key) -> u64 {
    let mix = |value: u64| {
        let value = (value ^ value >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        (value ^ value >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    };
    mix(mix(u64::from(own) << 32 | u64::from(other)).wrapping_add(kings.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::eval::MaterialEvaluation;

    fn sample(text: &str) -> TrainingSample {
        TrainingSample::new(&fen::parse(text).unwrap(), 0, Wdl::Draw, 0)
    }

    #[test]
    fn quiet_positions_of_seven_to_twelve_pieces_are_judged() {
        assert!(is_quiet(&sample("B:W29,30,31,32:B1,2,3")));
        // Too few and too many pieces; a capture for the side to move, and a capture for the other side.
        for text in [
            "B:W30,31,32:B1,2,3",
            "B:W21-32:B1-12",
            "B:W18,29,30,31,32:B1,2,3,15",
            "B:W18,K24,30,31,32:B1,2,3,19",
        ] {
            assert!(!is_quiet(&sample(text)), "{text}");
        }
    }

    #[test]
    fn results_come_from_a_search() {
        let mut engine = Engine::with_table(1).unwrap();
        let stop = StopToken::default();
        for (text, label) in [
            ("B:WK32:BK1,K2,K3,K5,K6,K7", Wdl::Win),
            ("W:WK32:BK1,K2,K3,K5,K6,K7", Wdl::Loss),
            ("B:WK32,K31,K30,K28:BK1,K2,K3,K5", Wdl::Draw),
        ] {
            let found = search(&mut engine, &fen::parse(text).unwrap(), 20_000, &stop);
            assert_eq!(found.map(result), Some(Some(label)), "{text}");
        }
        stop.stop();
        assert_eq!(search(&mut engine, &Position::start(), 20_000, &stop), None);
    }

    #[test]
    fn the_table_counts_and_compares_by_number_of_pieces() {
        let set = [
            ("B:W29,30,31:B1,2,3,4", Some(Wdl::Win)),
            ("B:W29,30,31,32:B1,2,3", Some(Wdl::Draw)),
            ("B:W28,29,30,31,32:B1,2", Some(Wdl::Loss)),
            ("B:W29,30,31,32:B1,2,3,4", Some(Wdl::Draw)),
            ("B:W28,30,31,32:B1,2,3,4", None),
        ];
        let set = set.map(|(text, label)| (sample(text), label));
        let table = table(&set, &[("counts".to_owned(), &MaterialEvaluation)]).to_string();
        let words: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(words[1][..8], ["counts", "7", "1", "1", "1", "0", "1.0000", "±"], "{table}");
        assert_eq!(words[2][..8], ["counts", "8", "0", "1", "0", "1", "-", "-"], "{table}");
        assert_eq!(words[7][1..6], ["all", "1", "2", "1", "1"], "{table}");
    }
}
