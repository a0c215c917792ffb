//! The earlier positions of the game and the line, to detect repetition and lack of progress.

use kelso_draughts::board::{Game, Move, Position};
use kelso_draughts::referee::DrawRules;
use kelso_draughts::result::KnownValue;

/// The positions of the game and of the line being searched.
#[derive(Debug)]
pub(super) struct SearchPath {
    /// The positions since the last capture or man's move before the root, and all positions of the line.
    entries: Vec<PathEntry>,
    draws: DrawRules,
    /// The rules are those of the game.
    is_standard: bool,
    /// The number of plies without progress that make a draw.
    max_plies: u32,
    /// Number of entries that belong to the game, including its current position.
    root: usize,
    /// The number of earlier occurrences in the game that make a position a draw.
    occurrences: usize,
}

/// A position of the path.
#[derive(Clone, Copy, Debug)]
struct PathEntry {
    key: u64,
    /// Plies since the last capture or man's move, before which the position cannot have occurred.
    reversible_plies: u32,
    /// Plies without progress.
    plies_without_progress: u32,
}

/// The number of plies after which a position can first recur: two moves of each side.
const MIN_CYCLE: usize = 4;

impl SearchPath {
    /// Creates a path. In the search of a known draw, the first repetition in the game already ends all
    /// chances.
    pub(super) fn new(game: &Game, draws: DrawRules, root_is_drawn: bool) -> Self {
        let entry = PathEntry {
            key: 0,
            reversible_plies: plies(game.reversible_plies()),
            plies_without_progress: plies(draws.plies_without_progress(game)),
        };
        let entries: Vec<_> = game.keys().iter().map(|&key| PathEntry { key, ..entry }).collect();
        let occurrences = match draws.repetition {
            _ if root_is_drawn => 1,
            true => 2,
            false => usize::MAX,
        };
        Self {
            root: entries.len(),
            entries,
            draws,
            is_standard: draws == DrawRules::STANDARD,
            max_plies: draws.no_progress_plies,
            occurrences,
        }
    }

    #[inline]
    fn last(&self) -> PathEntry {
        let nothing = PathEntry { key: 0, reversible_plies: 0, plies_without_progress: 0 };
        self.entries.last().copied().unwrap_or(nothing)
    }

    #[inline]
    pub(super) fn push(&mut self, mv: Move, next: &Position) {
        let last = self.last();
        let mut entry = PathEntry {
            key: next.key(),
            reversible_plies: last.reversible_plies + 1,
            plies_without_progress: last.plies_without_progress + 1,
        };
        if mv.is_irreversible() {
            entry.reversible_plies = 0;
            if self.is_standard || self.draws.progress.is_progress(mv) {
                entry.plies_without_progress = 0;
            }
        }
        self.entries.push(entry);
    }

    #[inline]
    pub(super) fn pop(&mut self) {
        self.entries.pop();
    }

    /// Returns whether the current position counts as a draw: by lack of progress, by an earlier occurrence
    /// in the line being searched (a side that repeats once can repeat again), or by earlier occurrences in
    /// the game.
    #[inline]
    pub(super) fn is_draw(&self) -> bool {
        let last = self.last();
        last.plies_without_progress >= self.max_plies
            || last.reversible_plies as usize >= MIN_CYCLE && self.repeats(last)
    }

    fn repeats(&self, now: PathEntry) -> bool {
        let last = self.entries.len() - 1;
        let mut in_game = 0;
        for back in (MIN_CYCLE..=(now.reversible_plies as usize).min(last)).step_by(2) {
            let index = last - back;
            if self.entries[index].key == now.key {
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

    /// Returns whether a result from the databases certainly holds for a position `ply` plies after the root,
    /// under the draw rule. A position beyond the end of the path arose by captures.
    #[inline]
    pub(super) fn permits(&self, value: KnownValue, ply: usize) -> bool {
        if self.is_standard {
            return true;
        }
        let is_after_capture = self.root + ply > self.entries.len();
        let plies = if is_after_capture { 0 } else { self.last().plies_without_progress };
        self.draws.permits(value, plies as usize)
    }
}

fn plies(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX / 2)
}

#[cfg(test)]
mod tests {
    use kelso_draughts::notation::{fen, movetext};
    use kelso_draughts::result::Wdl;

    use super::*;

    fn path(draw_rule: &str) -> SearchPath {
        SearchPath::new(&Game::default(), draw_rule.parse().unwrap(), true)
    }

    /// Moves kings 80 times, to a new position each time.
    #[test]
    fn a_line_is_a_draw_after_80_plies_without_progress() {
        let mut path = path("standard");
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

    #[test]
    fn only_captures_count_with_the_rule_of_plies() {
        let mut game = Game::default();
        for text in ["11-15", "23-19", "8-11"] {
            game.play(movetext::parse(game.position(), text).unwrap());
        }
        let draws: DrawRules = "plies 5".parse().unwrap();
        let mut path = SearchPath::new(&game, draws, false);
        let win = KnownValue::new(Wdl::Win, Some(2));
        for (text, is_draw) in [("22-17", false), ("4-8", true)] {
            assert_eq!((path.is_draw(), path.permits(win, game.moves().len() - 3)), (false, !is_draw));
            let mv = movetext::parse(game.position(), text).unwrap();
            game.play(mv);
            path.push(mv, game.position());
            assert_eq!(path.is_draw(), is_draw);
        }
        assert!(!path.permits(win, 2) && path.permits(win, 3), "the third ply of the line is a capture");
        let mv = movetext::parse(game.position(), "19-16").unwrap();
        let capture = game.position().after(mv).moves()[0];
        path.push(capture, game.position());
        assert!(!path.is_draw());
    }

    #[test]
    fn repetitions_in_the_game_count_if_the_rule_counts_them() {
        for (rule, root_is_drawn, is_draw) in
            [("standard", false, true), ("alex", false, false), ("alex", true, true)]
        {
            let mut game = Game::new(fen::parse("B:WK32:BK1").unwrap());
            let mut shuffle = ["1-5", "32-28", "5-1", "28-32"].into_iter().cycle();
            for text in shuffle.by_ref().take(7) {
                game.play(movetext::parse(game.position(), text).unwrap());
            }
            let mut path = SearchPath::new(&game, rule.parse().unwrap(), root_is_drawn);
            let mv = movetext::parse(game.position(), "28-32").unwrap();
            path.push(mv, &game.position().after(mv));
            assert_eq!(path.is_draw(), is_draw, "{rule}");
        }
    }
}
