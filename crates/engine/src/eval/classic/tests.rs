use super::*;
use crate::eval::testing::{assert_symmetric, positions};
use kelso_draughts::notation::fen;

#[test]
fn the_embedded_weights_are_complete() {
    let weights = TermWeights::default();
    let values = weights.values();
    assert_eq!(values.len(), 2 * COUNT);
    assert!(values[0] > 500, "a man: {values:?}");
}

#[test]
fn a_flip_has_the_same_value() {
    assert_symmetric(|position| Classic::fitted().thousandths(position));
}

/// Returns an evaluation with a different weight for each term.
fn distinct() -> Classic {
    let values: Vec<i32> =
        (0..2 * COUNT).map(|index| i32::try_from(index * index % 997).unwrap() - 400).collect();
    Classic::new(&values)
}

#[test]
fn the_value_is_the_sum_of_its_parts() {
    let classic = distinct();
    positions(|position| {
        let parts = classic.parts(position);
        let sum: i32 = parts.iter().map(|part| part.value).sum();
        // Rounding changes each part by less than one for either side.
        let count = i32::try_from(2 * parts.len() + 1).unwrap();
        assert!((sum - classic.evaluate(position)).abs() <= count, "{position:?} {parts:?}");
    });
}

#[test]
fn fitted_terms_equal_evaluated_terms() {
    let classic = distinct();
    positions(|position| {
        let view = position.relative();
        let counts = TermCounts::of(view);
        let mut sum = 0.0;
        for (difference, [early, late]) in counts.differences.iter().zip(classic.weights) {
            let weight = f64::from(early) * f64::from(counts.early)
                + f64::from(late) * (1.0 - f64::from(counts.early));
            sum += f64::from(*difference) * weight;
        }
        assert!((sum - f64::from(classic.thousandths(position))).abs() <= 1.0, "{position:?}");
    });
}

/// Returns the counts of a term for the side to move and for the other side.
fn count(name: &str, text: &str) -> (i32, i32) {
    let view = fen::parse(text).unwrap().relative();
    let term = terms::NAMES.iter().position(|known| *known == name).unwrap();
    (counts(&view, true)[term], counts(&view.swapped(), false)[term])
}

#[test]
fn terms_worked_out_by_hand() {
    for (name, text, counts) in [
        ("man", "B:W18,K23,32:B1,K9", (1, 2)),
        ("king", "B:W18,K23,32:B1,K9", (1, 1)),
        ("first-king", "B:W18,K23,K32:B1", (0, 1)),
        ("sole-king", "B:W18,K23,K32:B1", (0, 1)),
        ("sole-king", "B:W18,K23,K32:BK1", (0, 0)),
        // 48 * 2 / 4.
        ("trade", "B:W18,K23,32:B1", (0, 24)),
        ("turn", "W:W18:B1", (1, 0)),
        // One piece is on an even row.
        ("move", "B:W29:B1", (0, 0)),
        ("move", "B:W17:B1", (1, 0)),
        ("move-kings", "B:W17:BK1", (1, 0)),
        ("steps", "B:W21-32:B1-12", (7, 7)),
        // 14 can step to 17 or 18; 18 is captured on 14, not on 15.
        ("steps", "B:W18:B14", (1, 1)),
        // From 15 to 18 a man meets 22 and leaves 15 empty behind it; 19 is beside 22.
        ("safe-steps", "B:W22:B15", (1, 1)),
        ("free-men", "B:W22:B15,1", (2, 1)),
        ("stuck-men", "B:W13,9:B5,6,1", (2, 2)),
        ("threatened", "B:W19,24:B15,1", (1, 0)),
        ("chain-left", "B:W32:B7,11,15", (1, 0)),
        ("chain-right", "B:W32:B7,11,15", (1, 0)),
        ("triangle", "B:W32:B7,8,11", (1, 0)),
        ("run-1", "B:W12:B28,1", (1, 0)),
        ("run-2", "B:W12:B21,1", (1, 1)),
        ("run-2", "B:W30:B21,1", (0, 0)),
        ("open-row", "B:W29,30:B17,4", (2, 0)),
        ("dog-hole", "B:W32:B28", (1, 0)),
        ("dog-hole", "W:W5:B1", (1, 0)),
        ("cramp-20", "B:W24,28:B20", (1, 0)),
        ("cramp-13", "B:W17,21:B13", (1, 0)),
        ("king-steps", "B:W32:BK1", (2, 0)),
        ("trapped-kings", "B:WK32:BK29,1", (0, 0)),
        ("trapped-kings", "B:W25,22:BK29,1", (1, 0)),
        ("refuge", "B:WK10,K15:BK1", (1, 0)),
        ("main-road", "B:WK10,K14:BK4", (1, 0)),
        ("main-road", "B:WK10,K15:BK4", (0, 0)),
        ("king-attacks", "W:W24:BK19,1", (0, 1)),
        ("back-13", "B:W32:B1,3", (1, 0)),
        ("back-1", "B:W32:B1,3", (0, 1)),
        ("man-5", "B:W28:B5,12", (1, 1)),
        ("man-12", "B:W28:B5,12", (1, 0)),
        ("king-32", "B:WK32:B12,K1", (0, 0)),
        ("king-1", "B:WK32:B12,K1", (1, 1)),
    ] {
        assert_eq!(count(name, text), counts, "{name} in {text}");
    }
}
