//! The error that a level adds to evaluations.

use kelso_draughts::board::Position;

/// Returns the error of the evaluation of a position, which depends only on the position.
#[expect(clippy::expect_used, reason = "an error is at most as large as a score")]
pub(crate) fn evaluation_error(position: &Position, max_error: i32) -> i32 {
    // A random number of 32 bits. The key also selects the table's bucket, so its bits are mixed.
    let random = position.key().wrapping_mul(0xd6e8_feb8_6659_fd93) >> 32;
    let width = u64::from(max_error.unsigned_abs()) * 2 + 1;
    i32::try_from((random * width) >> 32).expect("at most twice the maximum") - max_error
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluation_errors_are_bounded_and_have_both_signs() {
        let max_error = 1000;
        let mut position = Position::start();
        let (mut lowest, mut highest) = (0, 0);
        for step in 0..40 {
            let moves = position.moves();
            let Some(&mv) = moves.get(step % moves.len().max(1)) else { break };
            position = position.after(mv);
            let error = evaluation_error(&position, max_error);
            lowest = lowest.min(error);
            highest = highest.max(error);
        }
        assert!((-1000..-200).contains(&lowest) && (200..=1000).contains(&highest), "{lowest} {highest}");
    }
}
