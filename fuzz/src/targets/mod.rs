//! The targets by their names, and what each does with an input.

mod book;
mod certificate;
mod clock;
mod command;
mod database;
mod fen;
mod hub;
mod movetext;
mod network;
mod pdn;
mod positions;
mod session;
mod state;
mod transcript;
mod weights;

/// Handles an input; panics if the result is wrong.
pub type Target = fn(&[u8]);

/// All targets. An input that is a text ends before the first byte that is not UTF-8.
const TARGETS: [(&str, Target); 15] = [
    ("book", book::run),
    ("certificate", certificate::run),
    ("clock", |bytes| clock::run(text(bytes))),
    ("command", |bytes| command::run(text(bytes))),
    ("database", database::run),
    ("fen", |bytes| fen::run(text(bytes))),
    ("hub", |bytes| hub::run(text(bytes))),
    ("movetext", |bytes| movetext::run(text(bytes))),
    ("network", network::run),
    ("pdn", pdn::run),
    ("positions", positions::run),
    ("session", session::run),
    ("state", state::run),
    ("transcript", |bytes| transcript::run(text(bytes))),
    ("weights", |bytes| weights::run(text(bytes))),
];

/// Returns the target with a name.
pub fn named(name: &str) -> Option<Target> {
    TARGETS.into_iter().find(|&(other, _)| other == name).map(|(_, run)| run)
}

/// Returns the text at the beginning of an input.
fn text(bytes: &[u8]) -> &str {
    bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid())
}
