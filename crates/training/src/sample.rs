//! A training sample: a position, the score of a search and the result of its game.

use kelso_draughts::board::Position;
use kelso_draughts::board::relative::Key;
use kelso_draughts::result::Wdl;
use kelso_draughts::score::ReportedScore;

/// A position with its score and result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TrainingSample {
    /// The key of a legal position.
    key: Key,
    /// The score of a search, in hundredths of a man.
    pub score: i16,
    /// The result of the game for the side to move.
    pub label: Wdl,
    /// Number of plies from the start of the game, at most 255.
    pub ply: u8,
}

/// The score of a known result. If its distance is known, the score is nearer to 0 by one for each ply.
pub const DECIDED_SCORE: i16 = 3000;
/// The longest distance that is stored.
const MAX_DISTANCE: i16 = 400;
/// The highest score of an evaluation, below those of known results.
const MAX_EVALUATION: i16 = DECIDED_SCORE - MAX_DISTANCE - 1;

impl TrainingSample {
    /// Size of a stored sample in bytes.
    pub const BYTES: usize = 16;

    /// Creates a sample from a position.
    pub fn new(position: &Position, score: i16, label: Wdl, ply: usize) -> Self {
        Self { key: Key::of(position), score, label, ply: u8::try_from(ply).unwrap_or(u8::MAX) }
    }

    /// Converts the score of a search to the score of a sample.
    pub fn score_of(score: ReportedScore) -> i16 {
        match score {
            ReportedScore::Cp(cp) => limited(cp, MAX_EVALUATION),
            ReportedScore::Win(plies) => {
                DECIDED_SCORE - plies.map_or(0, |plies| limited(plies.cast_signed(), MAX_DISTANCE))
            }
            ReportedScore::Loss(plies) => -Self::score_of(ReportedScore::Win(plies)),
        }
    }

    /// Returns the plies to the end if the result is known; 0 if their number is not.
    pub const fn distance(&self) -> Option<i16> {
        let above = self.score.saturating_abs();
        if above > MAX_EVALUATION { Some(DECIDED_SCORE - above) } else { None }
    }

    pub const fn key(&self) -> Key {
        self.key
    }

    /// Returns the position with Black to move.
    #[expect(clippy::expect_used, clippy::missing_panics_doc, reason = "the key is that of a legal position")]
    pub fn position(&self) -> Position {
        self.key.position().expect("a legal position")
    }

    /// Returns the same position with another score and result.
    #[must_use]
    pub const fn with(self, score: i16, label: Wdl) -> Self {
        Self { score, label, ..self }
    }

    pub const fn pieces(&self) -> u32 {
        (self.key.own | self.key.enemy).count_ones()
    }

    /// Encodes the sample: the position as in a book, the score, the label and the ply, little-endian.
    pub fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..12].copy_from_slice(&self.key.to_bytes());
        bytes[12..14].copy_from_slice(&self.score.to_le_bytes());
        bytes[14] = self.label.half_points();
        bytes[15] = self.ply;
        bytes
    }

    /// Decodes a sample. Returns `None` if it is invalid.
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Option<Self> {
        let (key, &[low, high, label, ply]) = bytes.split_first_chunk::<{ Key::BYTES }>()? else {
            return None;
        };
        let key = Key::from_bytes(*key);
        let valid = key.own != 0 && key.position().is_some();
        let score = i16::from_le_bytes([low, high]);
        valid.then_some(Self { key, score, label: Wdl::from_half_points(label)?, ply })
    }
}

#[expect(clippy::cast_possible_truncation, reason = "limited to 16 bits")]
fn limited(value: i32, limit: i16) -> i16 {
    value.clamp(-i32::from(limit), limit.into()) as i16
}

#[cfg(test)]
mod tests {
    use ReportedScore::{Cp, Loss, Win};

    use super::*;
    use kelso_draughts::notation::fen;

    #[test]
    fn samples_round_trip_through_bytes() {
        for (text, seen) in [
            ("B:W18,K23,32:B1,K9,12", "B:W18,K23,32:B1,K9,12"),
            ("W:W18,K23,32:B1,K9,12", "B:W32,K24,21:B15,K10,1"),
            ("B:W21-32:B1-12", "B:W21-32:B1-12"),
        ] {
            let position = fen::parse(text).unwrap();
            let sample = TrainingSample::new(&position, -17, Wdl::Win, 300);
            assert_eq!(TrainingSample::from_bytes(&sample.to_bytes()), Some(sample));
            assert_eq!(sample.position(), fen::parse(seen).unwrap(), "{text}");
            assert_eq!((sample.pieces(), sample.ply), (position.piece_count(), 255));
        }
    }

    #[test]
    fn known_results_are_scored_by_their_distance() {
        for (score, stored, distance) in [
            (Cp(-120), -120, None),
            (Cp(9_000), 2_599, None),
            (Win(Some(7)), 2_993, Some(7)),
            (Loss(Some(8)), -2_992, Some(8)),
            (Win(Some(u32::from(u16::MAX))), 2_600, Some(400)),
            (Loss(None), -3_000, Some(0)),
        ] {
            let sample =
                TrainingSample::new(&Position::start(), TrainingSample::score_of(score), Wdl::Win, 0);
            assert_eq!((sample.score, sample.distance()), (stored, distance), "{score:?}");
        }
    }

    #[test]
    fn invalid_sample_bytes_are_rejected() {
        let good = TrainingSample::new(&Position::start(), 5, Wdl::Draw, 0);
        let change = |index: usize, value: u8| {
            let mut bytes = good.to_bytes();
            bytes[index] = value;
            TrainingSample::from_bytes(&bytes)
        };
        assert_eq!(change(0, 0xff), Some(good));
        // Invalid: a square with pieces of both sides, a king bit without a piece, an unknown result,
        // thirteen pieces.
        for (index, value) in [(4, 1), (10, 1), (14, 3), (2, 1)] {
            assert_eq!(change(index, value), None, "{index}");
        }
        // A man on the row where it is crowned.
        let mut bytes = TrainingSample::new(&fen::parse("B:W5:B28").unwrap(), 0, Wdl::Win, 0).to_bytes();
        bytes[..4].copy_from_slice(&(1u32 << 31).to_le_bytes());
        assert_eq!(TrainingSample::from_bytes(&bytes), None);
    }
}
