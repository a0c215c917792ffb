//! A game with the moves that were taken back, and the game that it was loaded from.

use kelso_draughts::board::{Color, Game, Move, Position};
use kelso_draughts::notation::movetext;
use kelso_draughts::record::{GameRecord, Ply, Variation};
use kelso_draughts::result::GameResult;

/// A game in which moves can be undone and redone.
#[derive(Clone, Debug)]
pub(super) struct GameHistory {
    /// The game as loaded from a file, with comments and variations, or the opening of a new game.
    source: GameRecord,
    moves: Vec<Move>,
    /// Number of moves on the board; the remaining `moves` were taken back.
    played: usize,
    /// The game up to the last move on the board.
    game: Game,
    /// The result and its reason, if the game ended by agreement, resignation or time.
    pub(super) ended: Option<(GameResult, String)>,
}

impl GameHistory {
    /// Creates a history of a game, positioned after its last move.
    pub(super) fn of(source: GameRecord) -> Self {
        let moves: Vec<Move> = source.moves().collect();
        Self { game: source.game(), played: moves.len(), moves, source, ended: None }
    }

    pub(super) fn new(start: Position) -> Self {
        Self::of(GameRecord::new(start))
    }

    pub(super) const fn game(&self) -> &Game {
        &self.game
    }

    pub(super) const fn position(&self) -> &Position {
        self.game.position()
    }

    pub(super) const fn start(&self) -> &Position {
        &self.source.start
    }

    pub(super) fn moves(&self) -> &[Move] {
        &self.moves[..self.played]
    }

    pub(super) fn last(&self) -> Option<Move> {
        self.moves().last().copied()
    }

    pub(super) fn play(&mut self, mv: Move) {
        // Replaying the move that was taken back keeps the moves after it.
        if self.moves.get(self.played) != Some(&mv) {
            self.moves.truncate(self.played);
            self.moves.push(mv);
        }
        self.played += 1;
        self.game.play(mv);
    }

    /// Returns the result if the game is over.
    pub(super) fn result(&self) -> Option<GameResult> {
        self.ended.as_ref().map(|(result, _)| *result).or_else(|| self.game.end().map(|end| end.result))
    }

    /// Returns how many moves can be undone, and how many can be redone.
    pub(super) const fn undo_redo_counts(&self) -> (usize, usize) {
        (self.played, self.moves.len() - self.played)
    }

    pub(super) fn side_after(&self, plies: usize) -> Color {
        let first = self.start().side();
        if plies.is_multiple_of(2) { first } else { !first }
    }

    pub(super) fn go_to(&mut self, plies: usize) {
        self.played = plies.min(self.moves.len());
        self.ended = None;
        let mut game = Game::new(*self.start());
        for &mv in self.moves() {
            game.play(mv);
        }
        self.game = game;
    }

    /// Returns the moves, one numbered line per pair: `12. 22-18  9-14`.
    pub(super) fn score_sheet(&self) -> Vec<String> {
        let line = movetext::format_line(self.start(), self.moves());
        let skipped = (self.start().side() == Color::White && !line.is_empty()).then_some("...");
        let texts: Vec<&str> = skipped.into_iter().chain(line.split_whitespace()).collect();
        let rows = (1..).zip(texts.chunks(2)).map(|(number, pair): (usize, _)| match *pair {
            [black, white] => format!("{number:>3}. {black:<9}{white}"),
            _ => format!("{number:>3}. {:<9}", pair.concat()),
        });
        rows.collect()
    }

    /// Returns the game for a file. Comments and variations of a loaded game are kept. If different moves
    /// were played, the file's continuation becomes a variation.
    pub(super) fn record(&self, [black, white]: [&str; 2], date: Option<&str>) -> GameRecord {
        let mut file = self.source.clone();
        let event = ("Event", Some("Game at the terminal"));
        for (name, value) in [event, ("Date", date), ("Black", Some(black)), ("White", Some(white))] {
            if let Some(value) = value
                && file.tags.get(name).is_none()
            {
                file.tags.set(name, value);
            }
        }
        let shared =
            self.source.moves().zip(self.moves()).take_while(|(loaded, played)| loaded == *played).count();
        if shared == self.moves().len() && shared > 0 && self.ended.is_none() {
            // The file already has all moves.
            return file;
        }
        let rest = file.plies.split_off(shared);
        file.plies.extend(self.moves().iter().skip(shared).map(|&mv| Ply::new(mv)));
        if let Some(otherwise) = file.plies.get_mut(shared)
            && !rest.is_empty()
        {
            otherwise.variations.push(Variation { comment: String::new(), plies: rest });
        }
        file.result = self.result();
        if let (Some((_, reason)), Some(last)) = (&self.ended, file.plies.last_mut()) {
            if !last.comment.is_empty() {
                last.comment.push_str("; ");
            }
            last.comment.push_str(reason);
        }
        file
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(history: &mut GameHistory, texts: &[&str]) {
        for text in texts {
            let mv = movetext::parse(history.position(), text).unwrap();
            history.play(mv);
        }
    }

    #[test]
    fn redo_works_until_another_move_is_made() {
        let mut history = GameHistory::new(Position::start());
        play(&mut history, &["11-15", "23-19", "8-11"]);
        history.go_to(1);
        assert_eq!((history.undo_redo_counts(), history.position().side()), ((1, 2), Color::White));
        play(&mut history, &["23-19"]);
        assert_eq!(history.undo_redo_counts(), (2, 1));
        history.go_to(9);
        assert_eq!(history.undo_redo_counts(), (3, 0));
        history.go_to(1);
        play(&mut history, &["22-18"]);
        assert_eq!(history.undo_redo_counts(), (2, 0));
        history.go_to(0);
        assert_eq!(history.game(), &Game::default());
    }

    #[test]
    fn repetitions_are_forgotten_with_the_moves() {
        let start = kelso_draughts::notation::fen::parse("B:WK32,20:BK1,2").unwrap();
        let mut history = GameHistory::new(start);
        for _ in 0..2 {
            play(&mut history, &["1-5", "32-28", "5-1", "28-32"]);
        }
        assert_eq!(history.result(), Some(GameResult::Draw));
        history.go_to(7);
        assert_eq!(history.result(), None);
    }

    #[test]
    fn a_saved_game_is_the_game_that_was_played() {
        let mut history = GameHistory::new(Position::start());
        play(&mut history, &["11-15", "22-18", "15x22"]);
        history.ended = Some((GameResult::BlackWins, "white resigns".into()));
        let file = history.record(["Person", "Kelso"], Some("2024.01.31"));
        let text = "[Event \"Game at the terminal\"]\n[Date \"2024.01.31\"]\n[Black \"Person\"]\n[White \"Kelso\"]\n\
                    [Result \"1-0\"]\n[GameType \"21\"]\n\n1. 11-15 22-18 2. 15x22 {white resigns} 1-0\n";
        assert_eq!(file.to_string(), text);
        let mut read = GameHistory::of(file.clone());
        assert_eq!(read.moves(), history.moves());
        assert_eq!(history.score_sheet(), ["  1. 11-15    22-18", "  2. 15x22    "]);
        // A game that was only viewed is saved unchanged, and one with different moves keeps the old moves as
        // a variation.
        read.go_to(1);
        assert_eq!(read.record(["A", "B"], Some("2025.01.01")), file);
        play(&mut read, &["23-18"]);
        let text = read.record(["A", "B"], Some("2025.01.01")).to_string();
        assert!(text.ends_with("\n1. 11-15 23-18 (1... 22-18 2. 15x22 {white resigns}) *\n"), "{text}");
        assert!(text.contains("[Black \"Person\"]"), "{text}");
    }
}
