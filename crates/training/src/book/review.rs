//! Reviews of books: positions are searched much longer than when the book was built. If the search prefers a
//! different move, both moves are searched longer still to decide which is better.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::search::best;
use crate::engines::run_jobs;
use draughts::board::Position;
use draughts::notation::{fen, movetext};
use engine::Engine;
use engine::book::{Book, Drop, Key};
use engine::search::{Control, Limits, TimeLimit};
use reports::table::Table;
use runs::checkpoint::CheckpointHeader;
use runs::rng::{self, SliceRandom};
use runs::stop::StopToken;

/// The settings that must not change when a review is resumed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ReviewHeader {
    /// The description of the book.
    pub book: String,
    /// The size of the book in bytes.
    pub bytes: usize,
    /// The program that searches.
    pub program: String,
    /// The search limits for each position.
    #[serde(rename = "effort")]
    pub limits: Limits,
    /// If the book and the search disagree, both moves are searched with limits multiplied by this factor.
    pub times: u32,
    /// Minimum depth of a position in the book.
    pub depth: u8,
    /// Seed of the sample.
    pub seed: u64,
    /// The engine's options.
    pub options: String,
    /// Maximum number of pieces in the endgame databases.
    pub databases: u32,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PositionReview {
    /// Number of the position in the sample.
    #[serde(rename = "n")]
    pub number: u64,
    pub fen: String,
    /// Depth of the position in the book.
    pub depth: u8,
    /// The book's move and value.
    pub book: (String, i16),
    /// The move and the value found by the search.
    pub search: (String, i16),
    /// The values of both moves in the longer search, the book's first, or `None` if the book rates the
    /// search's move as high as its own.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub longer: Option<(i16, i16)>,
}

impl CheckpointHeader for ReviewHeader {
    type Item = PositionReview;
    const FORMAT: &'static str = "kelso_review";
    const JOB: &'static str = "review";

    fn number(finding: &PositionReview) -> u64 {
        finding.number
    }
}

/// Returns a random sample of positions with several moves. With the same seed, a smaller sample is a prefix
/// of a larger one.
pub fn sample(book: &Book, depth: u8, seed: u64, most: usize) -> Vec<Key> {
    let entries = book.entries().flatten();
    let deep = entries.filter(|(_, entry)| entry.depth >= depth && entry.drops.len() > 1);
    let mut keys: Vec<Key> = deep.map(|(key, _)| key).collect();
    keys.shuffle(&mut rng::stream(&[seed]));
    keys.truncate(most);
    keys
}

/// Reviews the positions with the given numbers until all are done or `stop` is set. Calls `on_review` with
/// each result; an error from it ends the work. Returns whether the review was stopped.
pub fn run<E>(
    book: &Book,
    header: &ReviewHeader,
    keys: &[Key],
    left: &[usize],
    engines: Vec<Engine>,
    stop: &StopToken,
    on_review: &mut dyn FnMut(PositionReview) -> Result<(), E>,
) -> Result<bool, E> {
    let review = |engine: &mut Engine, number: usize, stop: &StopToken| {
        examine(engine, book, header, number as u64, &keys.get(number)?.position()?, stop)
    };
    run_jobs(engines, left, stop, review, on_review)
}

/// Returns the limits multiplied by a factor.
fn longer(limits: &Limits, times: u32) -> Limits {
    Limits {
        nodes: limits.nodes.map(|nodes| nodes.saturating_mul(times.into())),
        time: limits.exact_time().map(|time| TimeLimit::Exact(time.saturating_mul(times))),
        ..limits.clone()
    }
}

/// Searches a position and, if the search's move differs from the book's, both moves. Returns `None` if the
/// work was stopped.
fn examine(
    engine: &mut Engine,
    book: &Book,
    header: &ReviewHeader,
    number: u64,
    position: &Position,
    stop: &StopToken,
) -> Option<PositionReview> {
    let known = book.look_up(position)?;
    let first = known.moves.first()?.mv;
    let mut search = |position: &Position, times| {
        engine.new_game();
        best(engine, position, &longer(&header.limits, times), &Control::under(stop))
    };
    let (mv, judgement) = search(position, 1)?;
    let mv = mv?;
    let mut after = |mv| search(&position.after(mv), header.times).map(|(_, found)| (-found.score).number());
    let as_good = known.moves.iter().any(|known| known.mv == mv && known.drop == Drop(0));
    let longer = if as_good { None } else { Some((after(first)?, after(mv)?)) };
    Some(PositionReview {
        number,
        fen: fen::format(position),
        depth: known.depth,
        book: (movetext::format(position, first), known.score.number()),
        search: (movetext::format(position, mv), judgement.score.number()),
        longer,
    })
}

/// Number of consecutive depths that are counted together.
const PLIES: u8 = 3;

/// Counts of how often the book and the search agree, and of which is right when they disagree.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ReviewSummary {
    classes: BTreeMap<u8, DepthCounts>,
    pub whole: DepthCounts,
}

/// The counts of a range of depths.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DepthCounts {
    pub positions: u32,
    /// Positions in which the book rates the search's move as high as its own.
    pub agreed: u32,
    /// Positions in which the book's move is better.
    pub book: u32,
    /// Positions in which the search's move is better.
    pub search: u32,
    /// Total loss by the book's moves where the search is right, in hundredths of a man.
    pub book_loses: u32,
    /// Total loss by the search's moves where the book is right.
    pub search_loses: u32,
}

/// Values are clamped to this many hundredths of a man, beyond which the game is decided.
const DECIDED: i16 = 300;

impl DepthCounts {
    fn count(&mut self, finding: &PositionReview, error: u32) {
        self.positions += 1;
        let Some((book, search)) = finding.longer else {
            self.agreed += 1;
            return;
        };
        let seen = |score: i16| i32::from(score.clamp(-DECIDED, DECIDED));
        let less = (seen(search) - seen(book)).unsigned_abs();
        if less <= error {
            return;
        }
        if search > book {
            self.search += 1;
            self.book_loses += less;
        } else {
            self.book += 1;
            self.search_loses += less;
        }
    }

    /// Formats the average loss in men.
    fn loss(&self, sum: u32) -> String {
        format!("{:.3}", f64::from(sum) / 100.0 / f64::from(self.positions.max(1)))
    }
}

impl ReviewSummary {
    /// Adds a review. Moves within `error` hundredths of a man count as equal.
    pub fn count(&mut self, finding: &PositionReview, error: u32) {
        self.classes.entry(finding.depth / PLIES * PLIES).or_default().count(finding, error);
        self.whole.count(finding, error);
    }

    /// Returns a table with a row for each range of depths and a row for all depths.
    pub fn table(&self) -> Table {
        let depths = self
            .classes
            .iter()
            .map(|(&depth, &class)| (format!("{depth}-{}", depth.saturating_add(PLIES - 1)), class));
        let rows: Vec<_> = depths.chain([("all".to_owned(), self.whole)]).collect();
        Table::of(&rows)
            .words("depth", |(depths, _)| depths.clone())
            .number("positions", |(_, class)| class.positions)
            .number("agreed", |(_, class)| class.agreed)
            .number("book right", |(_, class)| class.book)
            .number("even", |(_, class)| class.positions - class.agreed - class.book - class.search)
            .number("search right", |(_, class)| class.search)
            .number("book loses", |(_, class)| class.loss(class.book_loses))
            .number("search loses", |(_, class)| class.loss(class.search_loses))
            .build()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn finding(depth: u8, longer: Option<(i16, i16)>) -> PositionReview {
        let [book, search] = [("9-13".to_owned(), 5), ("9-14".to_owned(), 9)];
        PositionReview { number: 0, fen: String::new(), depth, book, search, longer }
    }

    #[test]
    fn limits_in_files_name_what_is_limited() {
        for (limits, json) in [
            (Limits::move_time(Duration::from_millis(1500)), r#"{"time":{"secs":1,"nanos":500000000}}"#),
            (Limits::nodes(7), r#"{"nodes":7}"#),
        ] {
            assert_eq!(serde_json::to_string(&limits).unwrap(), json);
            assert_eq!(serde_json::from_str::<Limits>(json).unwrap(), limits);
        }
    }

    #[test]
    fn findings_are_counted_by_depth_and_by_who_is_right() {
        let mut summary = ReviewSummary::default();
        for (depth, longer) in [
            (18, None),
            (20, Some((4, 9))),
            (20, Some((4, 10))),
            (21, Some((-20_000, -40))),
            (21, Some((30, 10))),
        ] {
            summary.count(&finding(depth, longer), 5);
        }
        let whole = summary.whole;
        let counts = [whole.positions, whole.agreed, whole.book, whole.search];
        assert_eq!((counts, whole.book_loses, whole.search_loses), ([5, 1, 1, 2], 6 + 260, 20));
        let expected = "\
depth  positions  agreed  book right  even  search right  book loses  search loses
18-20          3       1           0     1             1       0.020         0.000
21-23          2       0           1     0             1       1.300         0.100
all            5       1           1     1             2       0.532         0.040
";
        assert_eq!(summary.table().to_string(), expected);
    }

    #[test]
    fn books_of_others_may_say_any_depth() {
        let mut summary = ReviewSummary::default();
        summary.count(&finding(u8::MAX, Some((i16::MIN, i16::MAX))), 5);
        let table = summary.table().to_string();
        assert!(
            table.contains("\n255-255          1 ") && table.ends_with("       6.000         0.000\n"),
            "{table}"
        );
    }

    #[test]
    fn a_larger_sample_begins_with_a_smaller_one() {
        let book = Book::default_one().unwrap();
        let few = sample(&book, 18, 7, 20);
        let many = sample(&book, 18, 7, 50);
        assert_eq!((few.len(), &many[..20]), (20, few.as_slice()));
        assert_ne!(few, sample(&book, 18, 8, 20));
        let depth = |key: &Key| book.look_up(&key.position().unwrap()).unwrap().depth;
        assert!(many.iter().all(|key| depth(key) >= 18));
    }
}
