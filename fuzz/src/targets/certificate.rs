//! Mutated certificates of a win and of a draw: one that can be read is written and read again without a
//! difference, and a check ends.

use std::sync::LazyLock;

use crate::file::patched;
use kelso_draughts::notation::fen;
use kelso_endgames::Databases;
use kelso_proof::{Certificate, Leaves, Prover};

static DATABASES: LazyLock<Databases> = LazyLock::new(Databases::compiled_in);

static CERTIFICATES: LazyLock<[String; 2]> = LazyLock::new(|| {
    ["B:WK32:BK22,K23", "B:WK1:BK32"].map(|text| {
        let position = fen::parse(text).expect("a legal position");
        let mut prover = Prover::new(Leaves::up_to(&DATABASES, 0), 1_000_000);
        prover.prove(&position, None, &mut |_| true).expect("a simple ending").to_string()
    })
});

pub fn run(input: &[u8]) {
    let Some((&index, patch)) = input.split_first() else { return };
    let bytes = patched(CERTIFICATES[usize::from(index % 2)].as_bytes(), patch);
    if let Ok(certificate) = String::from_utf8_lossy(&bytes).parse::<Certificate>() {
        let written = certificate.to_string();
        let again = written.parse::<Certificate>().expect("what was written can be read");
        assert_eq!(again.to_string(), written);
        let _ = kelso_proof::check(&certificate, &DATABASES);
    }
}
