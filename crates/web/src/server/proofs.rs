//! Proofs of puzzles, as certificates that the page saves.

use std::time::Instant;

use serde_json::{Value, json};

use super::limits::PROOF_TIME;
use crate::query::{QueryError, parameter};
use kelso_draughts::notation::fen;
use kelso_endgames::Databases;
use kelso_proof::{Leaves, Prover};

/// Proves the position of a query. The certificate relies on the compiled-in databases with fewer pieces than
/// the position. Without a proof, the answer has the reason.
pub(super) fn prove(query: &str) -> Result<Value, QueryError> {
    let position = fen::parse(&parameter(query, "fen").ok_or(QueryError::Missing("fen"))?)?;
    let databases = Databases::compiled_in();
    let leaves = Leaves::up_to(&databases, position.piece_count().saturating_sub(1));
    let start_time = Instant::now();
    let proved =
        Prover::new(leaves, u64::MAX).prove(&position, None, &mut |_| start_time.elapsed() < PROOF_TIME);
    Ok(match proved {
        Ok(certificate) => {
            json!({ "positions": certificate.positions(), "certificate": certificate.to_string() })
        }
        Err(reason) => json!({ "reason": reason.to_string() }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certificate_proves_the_position() {
        let databases = Databases::compiled_in();
        let answer = prove("fen=B:W32:BK22,K23").unwrap();
        let certificate: kelso_proof::Certificate = answer["certificate"].as_str().unwrap().parse().unwrap();
        assert!(kelso_proof::check(&certificate, &databases).is_ok());
        assert_eq!(answer["positions"], certificate.positions());
        assert_eq!(fen::format(&certificate.position), "B:W32:BK22,K23");
        assert_eq!(prove("").unwrap_err().to_string(), "missing parameter fen");
        assert!(prove("fen=B").is_err());
    }
}
