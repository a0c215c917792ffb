//! The lines of `probe`.

use std::fmt::Write;

use draughts::notation::movetext;
use endgames::Wld;
use engine::{Ending, Probe};

/// Formats a line for each move, and one for the position.
pub(super) fn format(probe: &Probe) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    for &(mv, ending) in &probe.moves {
        let _ = writeln!(text, "probe move {} {}", movetext::format(&probe.position, mv), words(ending));
    }
    let _ = writeln!(text, "probe side {} {}", probe.position.side(), words(probe.ending));
    text
}

fn words(ending: Option<Ending>) -> String {
    match ending {
        None => "unknown".into(),
        Some(Ending { result: result @ (Wld::Win | Wld::Loss), plies: Some(plies) }) => {
            format!("{result} {plies}")
        }
        Some(Ending { result, .. }) => result.to_string(),
    }
}
