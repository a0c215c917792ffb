//! Plays out endings with a known result, and checks the file of undecided endings.

use crate::shared::endings::{self, EACH, PIECES, engine, undecided};

#[test]
fn won_endings_of_four_pieces_are_won_in_the_fewest_plies() {
    endings::shortest_wins(&engine(), 100, 4, |is_exact| assert!(is_exact));
}

#[test]
fn drawn_endings_are_held() {
    endings::draws(100, |is_held| assert!(is_held));
}

#[test]
fn the_undecided_endings_have_8_to_12_pieces_and_no_capture() {
    let endings = undecided();
    for pieces in PIECES {
        let of = endings.iter().filter(|position| position.piece_count() == pieces);
        assert_eq!(of.filter(|position| !position.must_capture()).count(), EACH, "{pieces}");
    }
    assert_eq!(endings.len(), EACH * PIECES.count());
}
