//! The earlier positions of the game and the line, to detect repetition and lack of progress.

use kelso_draughts::board::{Game, Move, NO_PROGRESS_PLIES, Position};

/// The keys of the positions of the game and of the line being searched.
#[derive(Debug)]
pub(super) struct SearchPath {
    keys: Vec<u64>,
    /// Plies since the last capture or man's move.
    plies_without_progress: usize,
    /// The values of `plies_without_progress` before each move of the line.
    plies_before: Vec<usize>,
    /// Number of keys that belong to the game, including its current position.
    root: usize,
    /// The number of earlier occurrences in the game that make a position a draw.
    occurrences: usize,
}

/// The number of plies after which a position can first recur: two moves of each side.
const MIN_CYCLE: usize = 4;

impl SearchPath {
    /// Creates a path. `occurrences` is the number of earlier occurrences in the game that make a position a draw.
    pub(super) fn new(game: &Game, occurrences: usize) -> Self {
        let keys = game.keys().to_vec();
        let plies_without_progress = game.plies_without_progress();
        Self { occurrences, root: keys.len(), plies_without_progress, plies_before: Vec::new(), keys }
    }

    #[inline]
    pub(super) fn push(&mut self, mv: Move, next: &Position) {
        self.plies_before.push(self.plies_without_progress);
        self.plies_without_progress = if mv.is_irreversible() { 0 } else { self.plies_without_progress + 1 };
        self.keys.push(next.key());
    }

    #[inline]
    pub(super) fn pop(&mut self) {
        self.keys.pop();
        if let Some(plies) = self.plies_before.pop() {
            self.plies_without_progress = plies;
        }
    }

    /// Returns whether the current position counts as a draw: by lack of progress, by an earlier occurrence
    /// in the line being searched (a side that repeats once can repeat again), or by earlier occurrences in
    /// the game.
    #[inline]
    pub(super) fn is_draw(&self) -> bool {
        self.plies_without_progress >= MIN_CYCLE
            && (self.plies_without_progress >= NO_PROGRESS_PLIES as usize || self.repeats())
    }

    fn repeats(&self) -> bool {
        let Some((&now, earlier)) = self.keys.split_last() else { return false };
        let last = earlier.len();
        let mut in_game = 0;
        for back in (MIN_CYCLE..=self.plies_without_progress.min(last)).step_by(2) {
            let index = last - back;
            if earlier.get(index) == Some(&now) {
                if index + 1 >= self.root {
                    return true;
                }
                in_game += 1;
                if in_game >= self.occurrences {
                    return true;
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use kelso_draughts::notation::fen;

    use super::*;

    /// Moves kings 80 times, to a new position each time.
    #[test]
    fn a_line_is_a_draw_after_80_plies_without_progress() {
        let mut path = SearchPath::new(&Game::default(), 1);
        let start = fen::parse("W:WK32:BK1").unwrap();
        let mv = start.moves()[0];
        let squares = (0..80).map(|number| (1 + number / 20, 11 + number % 20));
        for (plies, (black, white)) in squares.enumerate() {
            assert!(!path.is_draw(), "after {plies} plies");
            path.push(mv, &fen::parse(&format!("W:WK{white}:BK{black}")).unwrap());
        }
        assert!(path.is_draw());
        path.pop();
        assert!(!path.is_draw());
        path.push(mv, &fen::parse("W:WK11:BK4").unwrap());
        assert!(path.is_draw(), "a repetition");
    }
}
