//! A slice: all positions with given numbers of men and kings on both sides.
#![expect(clippy::inline_always, reason = "three instructions, in every look-up")]
#![expect(clippy::cast_possible_truncation, reason = "all counts are at most seven")]

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use kelso_syntax::WordError;

/// The maximum number of pieces of a database.
pub const MAX_PIECES: u32 = 8;

/// The numbers of men and kings of both sides, the side to move first.
///
/// Written as in `21v10`: two men and a king, to move, against one man.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slice {
    /// Men of the side to move and of the other side.
    pub(crate) men: [u8; 2],
    /// Kings of the side to move and of the other side.
    pub(crate) kings: [u8; 2],
}

impl Slice {
    /// One more than the highest [code](Self::code).
    pub const CODES: usize = 1 << 12;

    /// Returns the slice with these numbers of men and kings, of the side to move first, unless a side has no
    /// pieces or there are too many.
    #[must_use]
    pub const fn new(men: [u8; 2], kings: [u8; 2]) -> Option<Self> {
        let slice = Self { men, kings };
        let is_valid = slice.side(0) > 0 && slice.side(1) > 0 && slice.pieces() <= MAX_PIECES;
        if is_valid { Some(slice) } else { None }
    }

    /// Returns all slices with these numbers of pieces, in the order in which they can be solved: captures
    /// lead to fewer pieces, promotions to fewer men.
    #[must_use]
    pub fn all(pieces: RangeInclusive<u32>) -> Vec<Self> {
        let mut slices: Vec<Self> = (0..Self::CODES).filter_map(Self::of_code).collect();
        slices.retain(|slice| pieces.contains(&slice.pieces()));
        slices.sort_by_key(|slice| (slice.pieces(), slice.men[0] + slice.men[1], *slice));
        slices
    }

    /// Returns one slice of each pair of twins, which are solved together.
    #[must_use]
    pub fn pairs(pieces: RangeInclusive<u32>) -> Vec<Self> {
        let mut slices = Self::all(pieces);
        slices.retain(|slice| *slice == slice.first());
        slices
    }

    #[must_use]
    pub const fn pieces(self) -> u32 {
        self.side(0) + self.side(1)
    }

    const fn side(self, side: usize) -> u32 {
        self.men[side] as u32 + self.kings[side] as u32
    }

    /// Returns the number of squares that the men leave free.
    #[must_use]
    pub const fn free(self) -> u32 {
        32 - self.men[0] as u32 - self.men[1] as u32
    }

    /// Returns the slice of the same pieces with the other side to move.
    #[must_use]
    pub const fn twin(self) -> Self {
        Self { men: [self.men[1], self.men[0]], kings: [self.kings[1], self.kings[0]] }
    }

    /// Returns the representative of the slice and its twin.
    #[must_use]
    pub fn first(self) -> Self {
        self.max(self.twin())
    }

    /// Returns the slice and its twin, or the slice alone if it is its own twin.
    pub fn both(self) -> impl Iterator<Item = Self> {
        let twin = self.twin();
        std::iter::once(self).chain((twin != self).then_some(twin))
    }

    /// Returns the slice after the side to move has crowned a man without a capture.
    #[must_use]
    pub fn crowned(self) -> Option<Self> {
        let men = self.men[0].checked_sub(1)?;
        Some(Self { men: [self.men[1], men], kings: [self.kings[1], self.kings[0] + 1] })
    }

    /// Returns a number below [`Slice::CODES`], unique for slices with at most seven pieces of each kind.
    #[must_use]
    #[inline(always)]
    pub const fn code(self) -> usize {
        (self.men[0] as usize & 7)
            | (self.kings[0] as usize & 7) << 3
            | (self.men[1] as usize & 7) << 6
            | (self.kings[1] as usize & 7) << 9
    }

    /// Returns the slice with a [code](Self::code), if there is one.
    fn of_code(code: usize) -> Option<Self> {
        let [own_men, own_kings, men, kings] = [0, 3, 6, 9].map(|shift| (code >> shift & 7) as u8);
        Self::new([own_men, men], [own_kings, kings])
    }

    /// Returns the slices that captures and promotions lead to.
    fn leads_to(self) -> Vec<Self> {
        let mut slices = Vec::new();
        for men in 0..=self.men[1] {
            for kings in 0..=self.kings[1] {
                if men + kings == 0 {
                    continue;
                }
                let remaining = Self { men: [self.men[0], men], kings: [self.kings[0], kings] };
                if remaining != self {
                    slices.push(remaining.twin());
                }
                slices.extend(remaining.crowned());
            }
        }
        slices
    }

    /// Returns the slices that captures and promotions in this slice or its twin lead to, which must be
    /// solved first.
    #[must_use]
    pub fn needs(self) -> Vec<Self> {
        let mut needs: Vec<Self> = self.both().flat_map(Self::leads_to).collect();
        needs.sort_unstable();
        needs.dedup();
        needs
    }
}

impl fmt::Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}{}v{}{}", self.men[0], self.kings[0], self.men[1], self.kings[1]);
        f.pad(&text)
    }
}

impl FromStr for Slice {
    type Err = WordError;

    fn from_str(text: &str) -> Result<Self, WordError> {
        parse(text).ok_or_else(|| {
            let expected = format!(
                "the men and kings of each side, such as 21v10 (2 men and 1 king against 1 man), at most {MAX_PIECES} pieces in all"
            );
            WordError::invalid("slice", text, expected)
        })
    }
}

fn parse(text: &str) -> Option<Slice> {
    let [a, b, b'v', c, d] = *text.as_bytes() else { return None };
    if ![a, b, c, d].iter().all(u8::is_ascii_digit) {
        return None;
    }
    Slice::new([a - b'0', c - b'0'], [b - b'0', d - b'0'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_follow_their_successors() {
        let pairs = Slice::pairs(2..=7);
        let place = |slice: &Slice| {
            pairs.iter().position(|p| p == slice || p == &slice.twin()).unwrap_or_else(|| panic!("{slice}"))
        };
        for pair in &pairs {
            for needed in pair.needs() {
                assert!(place(&needed) < place(pair), "{pair} needs {needed}");
            }
        }
        assert_eq!(Slice::all(2..=2).len(), 4);
        assert_eq!(Slice::all(6..=6).len(), 70);
    }

    #[test]
    fn slices_are_read_as_they_are_written() {
        for slice in Slice::all(2..=7) {
            assert_eq!(slice.to_string().parse(), Ok(slice));
        }
        for bad in ["", "21v1", "21v100", "00v10", "44v10", "2av10", "21x10"] {
            assert!(bad.parse::<Slice>().is_err(), "{bad}");
        }
        assert_eq!(Slice::new([20, 20], [0, 0]), None);
        assert_eq!(Slice::new([2, 1], [1, 0]), "21v10".parse().ok());
    }

    #[test]
    #[should_panic(expected = "a number of a position")]
    fn numbers_that_are_too_high_have_no_position() {
        let slice: Slice = "21v10".parse().unwrap();
        assert_eq!(Slice::of(&slice.position(slice.positions() - 1)), Some(slice));
        let _ = slice.position(slice.positions());
    }
}
