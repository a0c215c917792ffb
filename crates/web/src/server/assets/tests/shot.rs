//! Shots: a sacrifice that wins more pieces than it costs, against every reply.

use kelso_draughts::board::{Color, Move, Position};

/// A shot and its proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shot {
    /// The material won: a man counts two, a king three.
    pub gain: i32,
    /// The moves of both sides, from the sacrifice to the last capture.
    pub line: Vec<Move>,
}

/// A value greater than any gain.
const MAX_GAIN: i32 = 100;

/// Finds the shot in a position that needs at most `moves` moves by the side to move. The search covers every
/// reply. There is a shot if no piece can be captured initially, exactly one move wins pieces, and that move
/// is a sacrifice.
pub fn find(position: &Position, moves: u32) -> Option<Shot> {
    if has_capture(position) {
        return None;
    }
    let side = position.side();
    let before = material(position, side);
    let mut found: Option<Shot> = None;
    for &mv in &position.moves() {
        let after = position.after(mv);
        let (value, mut line) = defend(&after, side, moves - 1);
        if value <= before {
            continue;
        }
        if found.is_some() || !has_capture(&after) {
            return None;
        }
        line.push(mv);
        line.reverse();
        found = Some(Shot { gain: value - before, line });
    }
    found.filter(|shot| shot.gain >= 2 && shot.gain < MAX_GAIN / 2)
}

fn has_capture(position: &Position) -> bool {
    position.moves().iter().any(|mv| mv.is_capture())
}

/// Returns the material lead of a side.
fn material(position: &Position, side: Color) -> i32 {
    let count = |color| {
        let (men, kings) = (position.men(color).0.count_ones(), position.kings(color).0.count_ones());
        (2 * men + 3 * kings).cast_signed()
    };
    count(side) - count(!side)
}

/// Returns the final material balance for the side to move, and the line in reverse.
fn attack(position: &Position, left: u32) -> (i32, Vec<Move>) {
    let side = position.side();
    if left == 0 {
        // A pending capture could change the balance.
        let value = if has_capture(position) { -MAX_GAIN } else { material(position, side) };
        return (value, Vec::new());
    }
    let mut best = (-MAX_GAIN, Vec::new());
    for &mv in &position.moves() {
        let (value, mut line) = defend(&position.after(mv), side, left - 1);
        if value > best.0 {
            line.push(mv);
            best = (value, line);
        }
    }
    best
}

/// Returns the final material balance for `side`, the side not to move, and the line in reverse. Without a
/// capture, the position is final.
fn defend(position: &Position, side: Color, left: u32) -> (i32, Vec<Move>) {
    let moves = position.moves();
    if moves.is_empty() {
        return (MAX_GAIN, Vec::new());
    }
    if !has_capture(position) {
        return (material(position, side), Vec::new());
    }
    let mut worst = (MAX_GAIN, Vec::new());
    for &mv in &moves {
        let (value, mut line) = attack(&position.after(mv), left);
        if value < worst.0 {
            line.push(mv);
            worst = (value, line);
        }
    }
    worst
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_draughts::notation::fen;

    #[test]
    fn without_a_sacrifice_there_is_no_shot() {
        for position in
            ["B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12", "B:W18:B15", "W:W30:B1"]
        {
            assert_eq!(find(&fen::parse(position).unwrap(), 3), None, "{position}");
        }
    }
}
