//! Zobrist keys. They are generated in this file, so that a new version of a dependency cannot change a hash,
//! the node count of a benchmark or a file that contains keys.

use super::piece::{Color, PieceKind};
use super::square::{Bits, bit_index};

/// 2^64 divided by the golden ratio. The multiples of this number are spread evenly, and differ.
pub const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns the number that `SplitMix64` returns in a state. Each bit of it depends on the whole state.
#[must_use]
pub const fn mix(state: u64) -> u64 {
    let z = state.wrapping_add(GOLDEN);
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

struct Keys {
    /// The keys of pieces, by colour, kind and bit number.
    pieces: [[[u64; 64]; 2]; 2],
    white_to_move: u64,
}

static KEYS: Keys = {
    let mut keys = Keys { pieces: [[[0; 64]; 2]; 2], white_to_move: 0 };
    let mut state = 0x4b65_6c73_6f20_3332;
    let mut color = 0;
    while color < 2 {
        let mut kind = 0;
        while kind < 2 {
            let mut index = 0;
            while index < 32 {
                keys.pieces[color][kind][bit_index(index) as usize] = mix(state);
                state = state.wrapping_add(GOLDEN);
                index += 1;
            }
            kind += 1;
        }
        color += 1;
    }
    keys.white_to_move = mix(state);
    keys
};

/// Returns the key of a piece at a bit number.
#[inline]
pub(super) fn piece(color: Color, kind: PieceKind, bit: u32) -> u64 {
    debug_assert!(bit < 35);
    KEYS.pieces[color.index()][kind as usize][bit as usize & 63]
}

/// Returns the key of a set of pieces of one kind.
pub(super) fn pieces(color: Color, kind: PieceKind, mut bits: Bits) -> u64 {
    let mut key = 0;
    while bits != 0 {
        key ^= piece(color, kind, bits.trailing_zeros());
        bits &= bits - 1;
    }
    key
}

#[inline]
pub(super) fn side(color: Color) -> u64 {
    match color {
        Color::Black => 0,
        Color::White => KEYS.white_to_move,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Position;
    use crate::notation::fen;

    /// Files contain keys, so they must never change. Computed with another implementation of the generator.
    #[test]
    fn keys_are_the_same_in_every_version() {
        assert_eq!(Position::start().key(), 0x184e_c587_7caf_81ec);
        assert_eq!(fen::parse("W:W21-32:B1-12").unwrap().key(), 0x5037_61be_2e82_614e);
        assert_eq!(fen::parse("W:WK1,5:BK32,28").unwrap().key(), 0xf444_e236_6e1c_1f2b);
    }
}
