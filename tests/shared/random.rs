//! Random positions, the same in every run.

use kelso_draughts::board::{Bitboard, Color, Piece, PieceKind, Position, Setup, Square};
use kelso_random::{Rng, RngExt};

pub struct Random(kelso_random::Random);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(kelso_random::stream(&[seed]))
    }

    pub fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0.random_range(0..bound)
    }

    /// Returns `true` in one of `times` calls on average.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// Plays a random game from a position, and calls `each` with every position.
pub fn walk(random: &mut Random, start: Position, plies: usize, mut each: impl FnMut(&Position)) {
    let mut position = start;
    for _ in 0..plies {
        each(&position);
        let moves = position.moves();
        if moves.is_empty() {
            return;
        }
        position = position.after(random.pick(&moves));
    }
    each(&position);
}

/// Returns random pieces: few or many, men or kings, or kings with long captures. No man is on its last row,
/// and a side has at most twelve pieces, possibly none.
pub fn setup(random: &mut Random) -> Setup {
    let side = random.pick(&Color::BOTH);
    let mut setup = Setup::empty(side);
    let kings_in_four = random.below(5);
    let mut free: Vec<Square> = Square::all().collect();
    if random.one_in(2) {
        // Enemies on every second inner row, which a king can capture in sequence.
        let parity = u8::from(random.one_in(2));
        let inner = |square: &Square| {
            (1..7).contains(&square.row()) && (1..7).contains(&square.column()) && square.row() % 2 == parity
        };
        let jumped: Vec<Square> = free.iter().copied().filter(inner).collect();
        let share = random.below(4) + 1;
        for square in jumped {
            if random.below(4) < share {
                put(random, &mut setup, &mut free, square, !side, kings_in_four);
            }
        }
        for _ in 0..=random.below(4) {
            let square = random.pick(&free);
            let kings = 2 + random.below(3);
            put(random, &mut setup, &mut free, square, side, kings);
        }
    } else {
        for color in Color::BOTH {
            for _ in 0..random.below(13) {
                let square = random.pick(&free);
                put(random, &mut setup, &mut free, square, color, kings_in_four);
            }
        }
    }
    if setup.squares.iter().all(Option::is_none) {
        let square = random.pick(&free);
        put(random, &mut setup, &mut free, square, side, 4);
    }
    setup
}

fn put(
    random: &mut Random,
    setup: &mut Setup,
    free: &mut Vec<Square>,
    square: Square,
    color: Color,
    kings_in_four: usize,
) {
    let crowned = random.below(4) < kings_in_four || square.row() == color.crown_row();
    let kind = if crowned { PieceKind::King } else { PieceKind::Man };
    setup.put(square, Piece { color, kind });
    free.retain(|&other| other != square);
}

/// Returns a legal position from [`setup`].
pub fn position(random: &mut Random) -> Position {
    Position::try_from(setup(random)).expect("random setups are legal")
}

/// Returns the numbers of the squares in a set.
pub fn numbers(set: Bitboard) -> Vec<u8> {
    set.iter().map(Square::number).collect()
}
