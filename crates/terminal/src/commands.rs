//! Recognition of moves and games among the commands of `kelso play`.

use crate::play::commands::COMMANDS;
use kelso_draughts::notation::movetext::MoveText;

/// Converts squares with any separators to move notation.
pub(crate) fn move_text(line: &str) -> String {
    let squares: Vec<&str> = line.split_whitespace().collect();
    if squares.iter().all(|square| square.bytes().all(|byte| byte.is_ascii_digit())) {
        squares.join(if squares.len() == 2 { "-" } else { "x" })
    } else {
        squares.concat()
    }
}

/// Returns whether the text, of one line or several, is a PDN game or a list of moves rather than a single
/// move or commands.
pub(crate) fn is_game(text: &str) -> bool {
    let text = text.trim();
    if text.starts_with('[') {
        return true;
    }
    let words = text.split_whitespace().count();
    let moves = text.split_whitespace().filter(|word| MoveText::parse(word).is_ok()).count();
    let mut first_words = text.lines().filter_map(|line| line.split_whitespace().next());
    text.starts_with(|c: char| c.is_ascii_digit())
        && words > 1
        && moves > 0
        && (moves == words || MoveText::parse(&move_text(text)).is_err())
        && !first_words.any(|word| COMMANDS.iter().any(|command| command.has_name(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typed_move_may_have_spaces() {
        for (line, text) in [
            ("11-15", "11-15"),
            ("11  15", "11-15"),
            ("22 x 15", "22x15"),
            ("22 15 8", "22x15x8"),
            ("22 - 18", "22-18"),
        ] {
            assert_eq!(move_text(line), text, "{line}");
        }
    }

    #[test]
    fn game_texts_are_distinguished_from_moves_and_commands() {
        for text in [
            "11-15 23-19",
            "11-15\n23-19\n8-11",
            "1. 11-15 23-19",
            "[Event \"x\"]",
            "[FEN \"W:W5:B14\"]\n5-1",
            "22-1 8-11",
        ] {
            assert!(is_game(text), "{text}");
        }
        for text in [
            "11-15",
            "11 15",
            "22 x 15",
            "22 - 18",
            "22 15 8",
            "3",
            "11-15\nflip\n8-11",
            "3\n2",
            "undo 2",
            "11 15 99",
        ] {
            assert!(!is_game(text), "{text}");
        }
    }
}
