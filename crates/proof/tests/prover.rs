//! Tests that proofs stay the same: their size, and the number of nodes that finds them. A change that is
//! meant to change them updates the numbers.
#![allow(clippy::unwrap_used, reason = "a test")]

use kelso_draughts::notation::fen;
use kelso_draughts::result::Wdl;
use kelso_endgames::Databases;
use kelso_proof::{Leaves, Prover};

#[test]
fn proofs_are_found_with_the_same_nodes() {
    let databases = Databases::compiled_in();
    let mut found = Vec::new();
    let expected = [
        ("B:WK32:BK22,K23", 0, 0, [9, 0]),
        ("W:WK1,K12:B7,10,11", 0, 285, [2002, 0]),
        ("W:W32:BK18,K21,27", 0, 153, [0, 149]),
        ("B:WK10:BK18", 1, 82, [0, 74]),
        ("B:W8,20,29:B2,16,21,26", 5, 51_304, [96, 0]),
        ("W:WK1,K2:BK15,K18", 3, 8680, [0, 2087]),
        ("W:WK6,30,31:B9,K14,21", 4, 4217, [50, 0]),
        ("B:WK6,K25:B11,K24", 3, 60_005, [0, 20_745]),
        ("W:W21,22,30:B5,13,14", 0, 161_292, [1164, 0]),
        ("W:W22,24,K9:B3,12,K31,15", 5, 1_817_786, [1192, 0]),
    ];
    for (text, pieces, ..) in expected {
        let mut prover = Prover::new(Leaves::up_to(&databases, pieces), 3_000_000);
        let certificate = prover.prove(&fen::parse(text).unwrap(), None, &mut |_| true).unwrap();
        assert_eq!(certificate.positions(), certificate.win.len() + certificate.hold.len());
        assert!(certificate.hold.is_sorted_by_key(|choice| choice.position.piece_count()));
        let sizes = [certificate.win.len(), certificate.hold.len()];
        found.push((text, pieces, prover.nodes(), sizes));
    }
    assert_eq!(found, expected);
}

#[test]
fn an_unfinished_proof_reports_what_is_known() {
    let databases = Databases::compiled_in();
    for (text, pieces, reason) in [
        (
            "W:W10,17,K19:BK20,K22,25",
            5,
            "the side to move cannot win; draw or loss undecided after 3,000,010 nodes",
        ),
        ("W:W22,24,30,31:B1,3,10,12", 5, "no result after 3,000,012 nodes"),
        (
            "W:W32,28,K5:B1,K29",
            4,
            "the side to move cannot lose; win or draw undecided after 3,000,001 nodes",
        ),
    ] {
        let mut prover = Prover::new(Leaves::up_to(&databases, pieces), 3_000_000);
        let error = prover.prove(&fen::parse(text).unwrap(), None, &mut |_| true).unwrap_err();
        assert_eq!(error.to_string(), reason);
    }
}

#[test]
fn wrong_claims_are_refuted() {
    let databases = Databases::compiled_in();
    for (text, claim, reason) in [
        ("W:W32:BK18,K21,27", Wdl::Win, "the side to move does not win"),
        ("W:W32:BK18,K21,27", Wdl::Loss, "the side to move does not lose"),
        ("B:W32:BK22,K23", Wdl::Draw, "it is a win"),
    ] {
        let mut prover = Prover::new(Leaves::up_to(&databases, 0), 1_000_000);
        let error = prover.prove(&fen::parse(text).unwrap(), Some(claim), &mut |_| true).unwrap_err();
        assert_eq!(error.to_string(), reason);
    }
}

#[test]
fn progress_has_attempts_of_twice_the_size_and_what_is_known() {
    let databases = Databases::compiled_in();
    let mut prover = Prover::new(Leaves::up_to(&databases, 3), 3_000_000);
    let (mut attempts, mut last) = (Vec::new(), None);
    let position = fen::parse("B:WK6,K25:B11,K24").unwrap();
    let certificate = prover.prove(&position, None, &mut |progress| {
        attempts.push(progress.attempt);
        last = Some(progress.result.to_string());
        true
    });
    attempts.dedup();
    assert_eq!(attempts, [20_000, 40_000, 0]);
    assert_eq!(
        (certificate.unwrap().claim, last.as_deref()),
        (Wdl::Draw, Some("draw, but the certificate is incomplete"))
    );
}
