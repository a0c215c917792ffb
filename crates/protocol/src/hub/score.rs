//! Scores of Hub: men, from the side to move. A proved result is 100 men, less a hundredth for each ply to it; nothing
//! else is 90 or more.

use engine::search::{Score, ScoreKind};

const PROVED: i32 = 10_000;
const LEAST_PROVED: i32 = 9_000;

/// Converts a score to men.
pub(super) fn to_men(score: Score) -> f64 {
    let proved = |plies: u32| PROVED - i32::try_from(plies).unwrap_or(999).min(999);
    f64::from(match score.kind() {
        ScoreKind::Win(Some(plies)) => proved(plies),
        ScoreKind::Loss(Some(plies)) => -proved(plies),
        _ => score.value().clamp(1 - LEAST_PROVED, LEAST_PROVED - 1),
    }) / 100.0
}

/// Converts men to a score, if the number makes sense.
pub(super) fn from_men(men: f64) -> Option<ScoreKind> {
    if !men.is_finite() || men.abs() > 1e6 {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "bounded above")]
    let hundredths = (men * 100.0).round() as i32;
    let plies = u32::try_from(PROVED - hundredths.abs()).unwrap_or(0);
    Some(match hundredths {
        LEAST_PROVED.. => ScoreKind::Win(Some(plies)),
        ..=-9_000 => ScoreKind::Loss(Some(plies)),
        _ => ScoreKind::Cp(hundredths),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_men_and_proved_results_are_beyond_ninety() {
        for (score, text) in [
            (Score::evaluation(7), "0.07"),
            (Score::evaluation(-150), "-1.50"),
            (Score::evaluation(14_999), "89.99"),
            (Score::win_in(1), "99.99"),
            (Score::win_in(999), "90.01"),
            (Score::loss_in(0), "-100.00"),
            (Score::loss_in(20), "-99.80"),
        ] {
            assert_eq!(format!("{:.2}", to_men(score)), text);
            let read_back = if text == "89.99" { ScoreKind::Cp(8_999) } else { score.kind() };
            assert_eq!(from_men(text.parse().unwrap()), Some(read_back));
        }
        assert_eq!(from_men(99.95), Some(ScoreKind::Win(Some(5))));
        assert_eq!(from_men(f64::NAN), None);
    }
}
