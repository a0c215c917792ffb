//! The shots of `tests/data/shots.txt`: positions in which a single move wins, by a combination that a
//! carelessly pruning search misses. Unlike self-play, shots reveal blind spots that both sides share.

use std::sync::Mutex;

use kelso_batch::pool::Queue;
use kelso_draughts::board::{Move, Position};
use kelso_draughts::notation::{fen, movetext};
use kelso_engine::Setting;
use kelso_engine::search::{Limits, SearchParams};
use kelso_runtime::sync::lock;

use super::problems::{answer, balance, engine, material};

pub const FILE: &str = "shots.txt";
/// Maximum number of offers in a combination.
const OFFERS: u32 = 5;

/// A position and the only move that wins.
pub struct Shot {
    pub position: Position,
    pub best: Move,
    pub won: String,
    /// Number of the shot's position in the file where it was found.
    pub number: u64,
}

/// Returns the shots in the data file.
pub fn shots() -> Vec<Shot> {
    let read = |line: String| {
        let parts: Vec<&str> = line.split("; ").collect();
        let [position, best, won, number] = parts[..] else { panic!("invalid shot: {line:?}") };
        let position = fen::parse(position).unwrap();
        let best = movetext::parse(&position, best).unwrap();
        let number = number.strip_prefix("number ").unwrap().parse().unwrap();
        Shot { position, best, won: won.into(), number }
    };
    super::lines(FILE).into_iter().map(read).collect()
}

/// Formats a shot as a line of the data file.
pub fn format(shot: &Shot) -> String {
    let (position, best) = (fen::format(&shot.position), movetext::format(&shot.position, shot.best));
    format!("{position}; {best}; {}; number {}", shot.won, shot.number)
}

/// Returns whether two or more offers, each of which forces a capture, win a man, but a single one does not.
pub fn is_combination(position: &Position) -> bool {
    let min = balance(position) + 2;
    !forces(position, 1, min) && forces(position, OFFERS, min)
}

/// Returns whether the side to move can force a gain of material by at most `offers` offers.
fn forces(position: &Position, offers: u32, min: i32) -> bool {
    let moves = position.moves();
    if position.must_capture() {
        return moves.iter().any(|&mv| is_forced(&position.after(mv), offers, min));
    }
    offers > 0
        && moves.iter().any(|&mv| {
            let next = position.after(mv);
            next.must_capture() && is_forced(&next, offers - 1, min)
        })
}

/// Like `forces`, with the other side to move: each of that side's captures must allow the gain. In a quiet
/// position, that side must have no move that wins material back.
fn is_forced(position: &Position, offers: u32, min: i32) -> bool {
    if position.must_capture() {
        position.moves().iter().all(|&mv| forces(&position.after(mv), offers, min))
    } else {
        -material(position, 1, -20_000, 20_000) >= min
    }
}

/// Returns the numbers of solved shots and of all shots, first for odd-numbered shots, on which margins may
/// be tuned, then for even-numbered ones.
pub fn solved(margins: &SearchParams, limits: &Limits) -> [(usize, usize); 2] {
    let queue = Queue::new(shots());
    let counts = Mutex::new([(0, 0); 2]);
    std::thread::scope(|scope| {
        for _ in 0..threads() {
            scope.spawn(|| {
                let mut engine = engine(16);
                engine.apply(Setting::Margins(margins.clone())).unwrap();
                while let Some(shot) = queue.next() {
                    let found = answer(&mut engine, &shot.position, limits) == shot.best;
                    let (solved, all) = &mut lock(&counts)[usize::from(shot.number % 2 == 0)];
                    *solved += usize::from(found);
                    *all += 1;
                }
            });
        }
    });
    counts.into_inner().unwrap()
}

/// Returns the number of threads that the machine can run concurrently.
pub fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
