//! Proofs of positions, as certificates that anyone can check.
//!
//! | for | see |
//! |---|---|
//! | proving a position | [`Prover`] |
//! | the file with a proof | [`Certificate`] |
//! | checking it | [`check`] |
//! | a run that saves an unfinished proof | `Prover::run` |
//! | the databases at which proofs end | [`Leaves`] |
//! | the number of plies to a goal, by exhaustive search | [`ExhaustiveSearch`] |
//!
//! A win is a set of positions, each with a move and with a rank that decreases after every reply. A hold
//! shows that a side does not lose: it is a set of positions, each with a move, such that no reply leads out
//! of the set. The prover finds wins by proof-number search, and turns refuted wins into holds by answering
//! every reply. It checks each certificate before returning it.
//!
//! ```
//! use kelso_draughts::notation::fen;
//! use kelso_draughts::result::Wdl;
//! use kelso_endgames::Databases;
//! use kelso_proof::{Leaves, Prover, check};
//!
//! let databases = Databases::compiled_in();
//! let position = fen::parse("B:W32:BK22,K23")?;
//! let mut prover = Prover::new(Leaves::up_to(&databases, 0), 1_000_000);
//! let certificate = prover.prove(&position, Some(Wdl::Win), &mut |_| true)?;
//! assert!(check(&certificate, &databases).is_ok());
//! assert!(certificate.to_string().starts_with("kelso-proof 1\nposition B:W32:BK22,K23\nclaim win\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod certificate;
mod check;
mod exhaustive;
mod hold;
mod leaves;
mod placements;
mod prover;
#[cfg(feature = "run")]
mod run;
mod search;
mod state;
mod win;

pub use certificate::{Certificate, CertificateError, Choice, LeafFile, LineError};
pub use check::{CheckError, CheckFault, check};
pub use exhaustive::{ExhaustiveSearch, Goal, TooLarge};
pub use leaves::Leaves;
pub use prover::{PartialResult, ProofProgress, Prover, Unproved};
#[cfg(feature = "run")]
pub use run::{ProofEvent, ProofRun};
pub use state::StateError;
