//! The names of the commands of `kelso play`, and the recognition of moves and games among them.

use kelso_draughts::notation::movetext::MoveText;

/// The commands with their descriptions, for `help` and for completion.
pub const COMMANDS: &[(&str, &str)] = &[
    ("11-15, 11 15, 22x15", "play a move; captures may name every square, as in 22x15x8"),
    ("3", "play the third move of the list"),
    ("11-15 23-19 ...", "play moves of both sides, or a PDN game, up to the first error"),
    ("moves", "list the moves"),
    ("undo [N]", "take back N moves [default: back to a person's turn]"),
    ("redo [N]", "replay moves that were taken back"),
    ("go", "let the engine move or play on"),
    ("hint", "show the move that the engine would play"),
    ("eval", "show the static evaluation, with the value of each piece"),
    ("analyse [SECONDS]", "search the position and show the three best lines"),
    ("board", "show the board again"),
    ("flip", "flip the board"),
    ("black WHO, white WHO", "set the player of a side: person or kelso"),
    ("level [N]", "set Kelso's level: 1 to 10, or 0 for full strength"),
    ("time SECONDS", "set Kelso's time per move"),
    ("draw", "offer a draw"),
    ("resign", "resign the game"),
    ("save FILE.pdn", "append the game to a PDN file"),
    ("load FILE [N]", "load a game (the Nth of a PDN file) or a position"),
    ("new [BALLOT]", "start a new game: new, new 100, new two-move, new eleven-man 7"),
    ("setup FEN", "start a new game from a position"),
    ("fen", "show the position as a FEN"),
    ("help", "show this list"),
    ("quit", "leave"),
];

pub fn names() -> impl Iterator<Item = &'static str> {
    let usages = COMMANDS.iter().flat_map(|(usage, _)| usage.split(", "));
    let words = usages.filter_map(|usage| usage.split_whitespace().next());
    words.filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()))
}

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
        && !first_words.any(|word| names().any(|name| name.eq_ignore_ascii_case(word)))
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
