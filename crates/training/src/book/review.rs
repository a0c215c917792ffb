//! Whether a book is right: its positions searched anew, for much longer than each was when the book was made. Where the search
//! wants another move than the book, both moves are searched longer still, which settles who is right.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::search::{Found, best};
use common::chance::{self, SliceRandom};
use common::checkpoint::{Checkpoint, CheckpointHeader};
use common::pool::{self, Queue};
use common::stop::StopToken;
use common::table::Table;
use draughts::board::Position;
use draughts::notation::{fen, movetext};
use engine::Engine;
use engine::book::{Book, Drop, Key};
use engine::search::{Control, Limits};

/// How positions are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effort {
    /// For so long.
    Time(Duration),
    /// So many nodes.
    Nodes(u64),
}

impl Effort {
    fn times(self, number: u32) -> Limits {
        match self {
            Self::Time(time) => Limits::move_time(time.saturating_mul(number)),
            Self::Nodes(nodes) => Limits::nodes(nodes.saturating_mul(number.into())),
        }
    }
}

/// How a book is reviewed. Only runs that agree in all of it can go on with each other's work.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// What the book says of itself.
    pub book: String,
    /// How large it is.
    pub bytes: usize,
    /// The program that searches.
    pub program: String,
    /// How long a position is searched.
    pub effort: Effort,
    /// How many times as long the two moves are, where they differ.
    pub times: u32,
    /// Only positions that the book has looked at so deeply.
    pub depth: u8,
    /// What decides which positions are taken.
    pub seed: u64,
    /// The engine's options.
    pub options: String,
    /// Up to how many pieces there are endgame databases.
    pub databases: u32,
}

/// What came of a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// Its number among those that are taken.
    #[serde(rename = "n")]
    pub number: u64,
    /// The position.
    pub fen: String,
    /// How deeply the book has looked at it.
    pub depth: u8,
    /// The book's move, and what the position is worth by it.
    pub book: (String, i16),
    /// The move of the search, and what it says that the position is worth.
    pub search: (String, i16),
    /// What the longer search says of both moves, the book's first; none if the book holds the search's move to be as good.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub longer: Option<(i16, i16)>,
}

/// The findings on disk.
pub type Findings = Checkpoint<Header>;

impl CheckpointHeader for Header {
    type Item = Finding;
    const FORMAT: &'static str = "kelso_review";
    const JOB: &'static str = "review";

    fn program(&self) -> Option<&str> {
        Some(&self.program)
    }

    fn number(finding: &Finding) -> u64 {
        finding.number
    }
}

/// So many positions with a choice, by chance; more of them begin with the same.
#[must_use]
pub fn sample(book: &Book, depth: u8, seed: u64, most: usize) -> Vec<Key> {
    let entries = book.entries().flatten();
    let deep = entries.filter(|(_, entry)| entry.depth >= depth && entry.drops.len() > 1);
    let mut keys: Vec<Key> = deep.map(|(key, _)| key).collect();
    keys.shuffle(&mut chance::stream(&[seed]));
    keys.truncate(most);
    keys
}

/// Searches a position, and if need be the two moves; none if it was stopped.
fn examine(engine: &mut Engine, work: &Work<'_>, number: usize, stop: &StopToken) -> Option<Finding> {
    let header = work.header;
    let position = work.keys.get(number)?.position()?;
    let known = work.book.look_up(&position)?;
    let first = known.moves.first()?.mv;
    engine.new_game();
    let found = best(engine, &position, &header.effort.times(1), &Control::under(stop))?;
    let mv = found.mv?;
    let as_good = known.moves.iter().any(|known| known.mv == mv && known.drop == Drop(0));
    let longer = if as_good {
        None
    } else {
        let mut after = |mv| {
            engine.new_game();
            let after: Position = position.after(mv);
            let found = best(engine, &after, &header.effort.times(header.times), &Control::under(stop))?;
            Some((-found.judgement.worth).number())
        };
        Some((after(first)?, after(mv)?))
    };
    let Found { judgement, .. } = found;
    Some(Finding {
        number: number as u64,
        fen: fen::format(&position),
        depth: known.depth,
        book: (movetext::format(&position, first), known.worth.number()),
        search: (movetext::format(&position, mv), judgement.worth.number()),
        longer,
    })
}

/// What is to be done.
#[derive(Clone, Copy, Debug)]
pub struct Work<'a> {
    /// The book.
    pub book: &'a Book,
    /// How.
    pub header: &'a Header,
    /// The positions.
    pub keys: &'a [Key],
    /// The numbers of those that are left.
    pub left: &'a [usize],
}

/// Reviews positions, each by one of the engines, until all are done or `stop` is raised, and tells each finding; an error ends
/// the work. Says whether it was stopped.
///
/// # Errors
///
/// When `tell` has one.
pub fn run<E>(
    work: Work<'_>,
    engines: Vec<Engine>,
    stop: &StopToken,
    tell: &mut dyn FnMut(Finding) -> Result<(), E>,
) -> Result<bool, E> {
    let halt = stop.child();
    let queue = Queue::new(work.left.iter().take_while(|_| !halt.is_stopped()));
    let review = |mut engine: Engine, report: &dyn Fn(Finding)| {
        while let Some(&number) = queue.next() {
            examine(&mut engine, &work, number, &halt).into_iter().for_each(report);
        }
    };
    let mut stopped = false;
    pool::run(
        engines,
        review,
        || halt.stop(),
        |finding| {
            finding.map_or(Ok(()), &mut *tell)?;
            stopped |= stop.is_stopped();
            Ok(!stopped)
        },
    )?;
    Ok(stopped)
}

/// Plies that are counted together.
const PLIES: u8 = 3;

/// How often book and search agree, and who is right where they don't.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    classes: BTreeMap<u8, Class>,
}

/// Positions that are looked at about as deeply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Class {
    /// How many there are.
    pub positions: u32,
    /// Those in which the book holds the search's move to be as good as its own.
    pub agreed: u32,
    /// Those in which the book's move comes out better.
    pub book: u32,
    /// Those in which the search's does.
    pub search: u32,
    /// What the book's moves lose in all where the search's come out better, in hundredths of a man.
    pub book_loses: u32,
    /// What the search's moves lose.
    pub search_loses: u32,
}

/// A move counts as worth no more than so many hundredths of a man, nor less: what lies beyond is decided.
const DECIDED: i16 = 300;

impl Class {
    fn count(&mut self, finding: &Finding, error: u32) {
        self.positions += 1;
        let Some((book, search)) = finding.longer else {
            self.agreed += 1;
            return;
        };
        let seen = |worth: i16| i32::from(worth.clamp(-DECIDED, DECIDED));
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

    fn add(&mut self, other: &Self) {
        self.positions += other.positions;
        self.agreed += other.agreed;
        self.book += other.book;
        self.search += other.search;
        self.book_loses += other.book_loses;
        self.search_loses += other.search_loses;
    }

    /// What moves lose on average, in men.
    fn loss(&self, sum: u32) -> String {
        format!("{:.3}", f64::from(sum) / 100.0 / f64::from(self.positions.max(1)))
    }
}

impl Summary {
    /// Counts a finding. Moves within `error` hundredths of a man are as good as each other.
    pub fn count(&mut self, finding: &Finding, error: u32) {
        self.classes.entry(finding.depth / PLIES * PLIES).or_default().count(finding, error);
    }

    /// All of them together.
    #[must_use]
    pub fn whole(&self) -> Class {
        let mut whole = Class::default();
        self.classes.values().for_each(|class| whole.add(class));
        whole
    }

    /// A row for each depth, and one for all.
    #[must_use]
    pub fn table(&self) -> Table {
        let depths = self
            .classes
            .iter()
            .map(|(&depth, &class)| (format!("{depth}-{}", depth.saturating_add(PLIES - 1)), class));
        let rows: Vec<_> = depths.chain([("all".to_owned(), self.whole())]).collect();
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
    use super::*;

    fn finding(depth: u8, longer: Option<(i16, i16)>) -> Finding {
        let [book, search] = [("9-13".to_owned(), 5), ("9-14".to_owned(), 9)];
        Finding { number: 0, fen: String::new(), depth, book, search, longer }
    }

    #[test]
    fn findings_are_counted_by_depth_and_by_who_is_right() {
        let mut summary = Summary::default();
        for (depth, longer) in [
            (18, None),
            (20, Some((4, 9))),
            (20, Some((4, 10))),
            (21, Some((-20_000, -40))),
            (21, Some((30, 10))),
        ] {
            summary.count(&finding(depth, longer), 5);
        }
        let whole = summary.whole();
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
        let mut summary = Summary::default();
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
