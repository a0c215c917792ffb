//! Sets of squares in 35 bits, in which every diagonal step is one shift by 4 or 5.
//!
//! Steps over the side edge fall into the gaps of the layout. The gaps do not enlarge an index, since
//! [`extract`] closes them: ranks are the same as with 32 bits. Apart from this layout, the code deliberately
//! shares nothing with the rules in [`kelso_draughts::board`], which verify its results.
#![expect(clippy::inline_always, reason = "each is a few instructions, inside the solver's loops")]

pub use kelso_draughts::board::steps::{Bits, SQUARES, pack};

/// Squares 1-4: the home row of the side that moves up, where enemy men are crowned.
pub const FIRST_ROW: Bits = 0b1111;
/// Squares 29-32, where men that move up are crowned.
pub const LAST_ROW: Bits = 0b1111 << 31;
/// Squares 25-28, one step below the crown row of the men that move up.
pub const SEVENTH_ROW: Bits = 0b1111 << 27;
/// Every second row, from squares 5-8 to the last row.
pub const ODD_ROWS: Bits = 0b1111 << 4 | 0b1111 << 13 | 0b1111 << 22 | LAST_ROW;

/// Returns the set on the rotated board.
#[inline(always)]
pub const fn rotate(set: Bits) -> Bits {
    set.reverse_bits() >> 29
}

/// Returns the squares one step away from a set of kings.
#[inline(always)]
pub const fn around(set: Bits) -> Bits {
    (set << 4 | set << 5 | set >> 4 | set >> 5) & SQUARES
}

/// Gathers the bits of `set` at the positions of `mask`.
#[inline(always)]
pub fn extract(set: Bits, mask: Bits) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if let Some(bmi2) = bmi2::Bmi2::detect() {
        return bmi2.extract(set, mask);
    }
    portable::extract(set, mask)
}

/// Scatters the low bits of `bits` to the positions of `mask`.
#[inline(always)]
pub fn deposit(bits: u64, mask: Bits) -> Bits {
    #[cfg(target_arch = "x86_64")]
    if let Some(bmi2) = bmi2::Bmi2::detect() {
        return bmi2.deposit(bits, mask);
    }
    portable::deposit(bits, mask)
}

/// The instructions are written as assembly, since a function with a target feature cannot be inlined into
/// portable code.
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "instructions detected at run time")]
mod bmi2 {
    use std::arch::asm;

    use super::Bits;

    /// BMI2. A value of this type exists only if the processor has these instructions.
    #[derive(Clone, Copy)]
    pub struct Bmi2(());

    #[expect(clippy::unused_self, reason = "a value proves that the processor has the instructions")]
    impl Bmi2 {
        #[inline(always)]
        pub fn detect() -> Option<Self> {
            is_x86_feature_detected!("bmi2").then_some(Self(()))
        }

        #[inline(always)]
        pub fn extract(self, set: Bits, mask: Bits) -> u64 {
            let bits;
            // SAFETY: the processor has the instruction, which reads and writes only these registers.
            unsafe {
                asm!("pext {bits}, {set}, {mask}", bits = lateout(reg) bits, set = in(reg) set, mask = in(reg) mask,
                    options(pure, nomem, nostack, preserves_flags));
            }
            bits
        }

        #[inline(always)]
        pub fn deposit(self, bits: u64, mask: Bits) -> Bits {
            let set;
            // SAFETY: as above.
            unsafe {
                asm!("pdep {set}, {bits}, {mask}", set = lateout(reg) set, bits = in(reg) bits, mask = in(reg) mask,
                    options(pure, nomem, nostack, preserves_flags));
            }
            set
        }
    }
}

/// Portable fallbacks. The sets are small, so a loop over their bits is fast enough.
mod portable {
    use super::Bits;

    #[inline]
    pub fn extract(set: Bits, mask: Bits) -> u64 {
        let mut set = set & mask;
        let mut bits = 0;
        while set != 0 {
            let lowest = set & set.wrapping_neg();
            bits |= 1 << (mask & (lowest - 1)).count_ones();
            set ^= lowest;
        }
        bits
    }

    #[inline]
    pub fn deposit(mut bits: u64, mut mask: Bits) -> Bits {
        let mut set = 0;
        while bits != 0 && mask != 0 {
            let lowest = mask & mask.wrapping_neg();
            if bits & 1 == 1 {
                set |= lowest;
            }
            bits >>= 1;
            mask ^= lowest;
        }
        set
    }
}

/// Returns each bit of a set, starting with the lowest.
pub fn each(mut set: Bits) -> impl Iterator<Item = Bits> {
    std::iter::from_fn(move || {
        let lowest = set & set.wrapping_neg();
        set ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_draughts::board::steps::unpack;
    use kelso_draughts::board::{Bitboard, Square};
    use kelso_random::RngExt;

    #[test]
    fn squares_round_trip_through_the_layout() {
        for square in Square::all() {
            let set = unpack(Bitboard::from(square));
            assert_eq!(set & SQUARES, set);
            assert_eq!(pack(set), Bitboard::from(square));
            assert_eq!(rotate(set), unpack(Bitboard::from(square.rotated())));
        }
        assert_eq!(unpack(Bitboard(u32::MAX)), SQUARES);
        assert_eq!(unpack(Bitboard::row(7)), LAST_ROW);
    }

    #[test]
    fn portable_and_accelerated_code_agree() {
        let mut random = kelso_random::stream(&[1]);
        for _ in 0..10_000 {
            let (set, mask) = (random.random(), random.random::<u64>() & SQUARES);
            assert_eq!(extract(set, mask), portable::extract(set, mask));
            assert_eq!(deposit(set, mask), portable::deposit(set, mask));
        }
    }
}
