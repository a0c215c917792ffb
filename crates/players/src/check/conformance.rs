//! The requirements of each protocol, and test lines for its engines.

use kelso_protocol::Dialect;
use kelso_syntax::Quoted;

use super::failure::{Checked, Failure};

/// Requirements specific to a protocol, and test lines for its engines.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "the flags are independent")]
pub(super) struct Conformance {
    /// Invalid lines. An engine may report an error or ignore them, but must not answer with a move, change
    /// its position, or exit.
    pub(super) invalid_lines: &'static [&'static str],
    /// Lines that set an illegal position.
    pub(super) illegal_positions: &'static [&'static str],
    /// The introduction names the author.
    pub(super) names_author: bool,
    /// Each side's clock is sent separately, so one may be missing.
    pub(super) has_two_clocks: bool,
    /// A search without a limit ends only when it is stopped.
    pub(super) searches_until_stopped: bool,
    /// Without a new position, the last valid position is searched.
    pub(super) keeps_position: bool,
    /// Validates the values of a line with information about a search.
    pub(super) check_info: fn(&str) -> Checked<()>,
}

pub(super) const fn of(protocol: Dialect) -> &'static Conformance {
    match protocol {
        Dialect::Native => &NATIVE,
        Dialect::Hub => &HUB,
    }
}

const NATIVE: Conformance = Conformance {
    invalid_lines: &[
        "",
        "   ",
        "hello",
        "go depth x",
        "go depth -1",
        "go nodes 99999999999999999999999999",
        "go wtime",
        "go depth",
        "position",
        "position startpos moves 1-32",
        "position startpos moves 11-15 11-15",
        "position startpos moves hello",
        "position fen",
        "position fen X:W1:B2",
        "position fen B:W21,21:B1",
        "setoption",
        "setoption name",
        "setoption name No Such Option value 1",
        "ponderhit",
        "stop",
        "\u{0}\u{1}\u{7f}",
        "äöü 漢字 🙂",
    ],
    illegal_positions: &[
        "position fen B:W:B",
        "position fen B:W21-32:B1-13",
        "position fen B:W1:B12",
        "position fen B:W21:B32",
        "position fen B:W33:B1",
        "position fen B:W0:B1",
    ],
    names_author: true,
    has_two_clocks: true,
    searches_until_stopped: true,
    keeps_position: true,
    check_info: check_native_info,
};

const HUB: Conformance = Conformance {
    invalid_lines: &[
        "",
        "   ",
        "hello world=1",
        "level depth=x",
        "level bogus=1",
        "pos",
        "pos pos=",
        "pos pos=Bxyz",
        "set-param",
        "set-param name=no-such-parameter value=1",
        "ponder-hit",
        "stop",
        "=",
        "pos pos=\"",
        "\u{0}\u{1}\u{7f}",
        "äöü=漢字 🙂",
    ],
    illegal_positions: &[
        "pos pos=Beeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
        "pos pos=Bbbbbbbbbbbbbbeeeeeeewwwwwwwwwwww",
        "pos pos=Bweeeeeeeeeeeeeeeeeeeeeeeeeeeeeeb",
        "pos pos=Bbbb",
    ],
    names_author: false,
    has_two_clocks: false,
    // An engine may end any search on its own.
    searches_until_stopped: false,
    keeps_position: false,
    check_info: |_| Ok(()),
};

/// Checks that numbers are numbers, which clients would skip otherwise.
fn check_native_info(line: &str) -> Checked<()> {
    let mut words = line.split_ascii_whitespace().skip(1);
    while let Some(word) = words.next() {
        match word {
            "depth" | "seldepth" | "multipv" | "nodes" | "nps" | "hashfull" | "tbhits" | "time" => {
                let value = words.next().unwrap_or_default();
                if value.parse::<u64>().is_err() {
                    return Err(info_fault(line, word, value, "a whole number"));
                }
            }
            "score" => {
                let kind = words.next().unwrap_or_default();
                let value = words.next().unwrap_or_default();
                if !matches!(kind, "cp" | "win" | "loss") || value.parse::<i64>().is_err() {
                    let value = format!("{kind} {value}");
                    return Err(info_fault(line, "score", &value, "cp, win or loss and a whole number"));
                }
            }
            "pv" | "string" => break,
            _ => {}
        }
    }
    Ok(())
}

fn info_fault(line: &str, name: &str, value: &str, expected: &str) -> Failure {
    format!("{}: {name} is {}, expected {expected}", Quoted(line), Quoted(value)).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_draughts::notation::fen;

    #[test]
    fn conformance_positions_are_illegal() {
        for line in NATIVE.illegal_positions {
            assert!(fen::parse(line.strip_prefix("position fen ").unwrap()).is_err(), "{line}");
        }
    }

    #[test]
    fn values_are_checked_up_to_the_line_of_play() {
        for line in ["info depth 3 score cp -4 pv 9-13 nodes", "info string depth x", "info depth 3 bound x"]
        {
            assert!(check_native_info(line).is_ok(), "{line}");
        }
        for line in ["info depth x", "info score cp 1 nodes -1 pv 9-13", "info score mate 3", "info score cp"]
        {
            assert!(check_native_info(line).is_err(), "{line}");
        }
    }

    #[test]
    fn faults_name_the_value() {
        let info = |line: &str| match check_native_info(line) {
            Err(Failure::Failed { reason, .. }) => reason,
            _ => panic!("no fault in {line}"),
        };
        for (message, expected) in [
            (info("info depth x"), "\"info depth x\": depth is \"x\", expected a whole number"),
            (info("info nodes"), "\"info nodes\": nodes is \"\", expected a whole number"),
            (
                info("info score cp"),
                "\"info score cp\": score is \"cp \", expected cp, win or loss and a whole number",
            ),
        ] {
            assert_eq!(message, expected);
        }
        for word in ["seldepth", "multipv", "nps", "hashfull", "tbhits", "time"] {
            assert!(info(&format!("info {word} -1")).contains(&format!("{word} is \"-1\"")));
        }
    }
}
