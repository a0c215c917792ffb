//! Resolves the texts of moves. The legal moves are generated once for each ply, and nothing is allocated as long as every
//! text names one of them.

use arrayvec::ArrayVec;

use super::error::{Fault, PdnErrorKind};
use super::game::{Ply, Variation};
use super::grammar::Squares;
use super::nest::{RawLine, RawPly};
use super::unspaced::{self, Unspaced};
use crate::board::{Color, Move, MoveList, Position, Square};
use crate::notation::{MoveError, MoveText, movetext};

/// The maximum number of candidate lines after ambiguous captures.
const MAX_CANDIDATES: usize = 16;

/// A resolved line of moves.
pub(super) struct Played {
    pub(super) plies: Vec<Ply>,
    /// The position after them.
    pub(super) end: Position,
    /// The first error of the line itself, without those in variations.
    pub(super) fault: Option<Fault>,
}

/// Resolves a line with its variations, up to the first error.
pub(super) fn line(raw: RawLine<'_>, start: Position, faults: &mut Vec<Fault>) -> Played {
    let (steps, fault) = follow(&raw.plies, start);
    let mut position = start;
    let mut plies = Vec::with_capacity(steps.len());
    let mut texts = raw.plies.into_iter();
    let mut taken = 0;
    for (number, step) in steps.iter().enumerate() {
        let mut ply = Ply::new(step.mv);
        // Remarks follow the last move of a text, and the last text of a move.
        let last = steps.get(number + 1).is_none_or(|next| next.text > step.text);
        if last {
            for text in texts.by_ref().take(step.text + 1 - taken) {
                take_remarks(&mut ply, text, position, faults);
            }
            taken = step.text + 1;
        }
        position = position.after(step.mv);
        plies.push(ply);
    }
    Played { plies, end: position, fault }
}

/// Adds the remarks after a text to its ply. Variations begin in the position before the ply.
fn take_remarks(ply: &mut Ply, text: RawPly<'_>, position: Position, faults: &mut Vec<Fault>) {
    ply.glyphs.extend(text.glyphs);
    if ply.comment.is_empty() {
        ply.comment = text.comment;
    } else if !text.comment.is_empty() {
        ply.comment = format!("{} {}", ply.comment, text.comment);
    }
    for mut variation in text.variations {
        let comment = std::mem::take(&mut variation.comment);
        let Played { plies, fault, .. } = line(variation, position, faults);
        faults.extend(fault);
        if !(plies.is_empty() && comment.is_empty()) {
            ply.variations.push(Variation { comment, plies });
        }
    }
}

/// A move, and the index of its text.
#[derive(Clone, Copy)]
struct Step {
    mv: Move,
    text: usize,
}

/// One reading of the texts so far.
#[derive(Clone)]
struct Candidate {
    position: Position,
    steps: Vec<Step>,
    /// The text to read next.
    next: usize,
}

impl Candidate {
    fn play(&mut self, mv: Move, text: usize) {
        self.steps.push(Step { mv, text });
        self.position = self.position.after(mv);
    }

    fn advance(&mut self, next: Next) {
        let text = self.next;
        match next {
            Next::Move(mv) => {
                self.play(mv, text);
                self.next += 1;
            }
            Next::Joined(mv, count) => {
                self.next += count;
                self.play(mv, self.next - 1);
            }
            Next::Unspaced(moves) => {
                for mv in moves {
                    self.play(mv, text);
                }
                self.next += 1;
            }
            Next::Fork(..) | Next::Illegal(_) => {}
        }
    }
}

/// The meaning of the next text.
enum Next {
    /// One move.
    Move(Move),
    /// One of several captures, with the choice or the error if the rest of the line does not decide.
    Fork(Vec<Move>, Result<Move, MoveError>),
    /// One move made of this many texts.
    Joined(Move, usize),
    /// Several moves without separators.
    Unspaced(Vec<Move>),
    /// No legal move.
    Illegal(MoveError),
}

/// An ambiguous capture.
struct Fork {
    before: Candidate,
    /// The choice if the rest of the line does not decide.
    undecided: Result<Move, MoveError>,
    at: usize,
}

/// Resolves the moves of a line. An ambiguous capture is decided by the moves after it, if only one choice makes them legal.
fn follow(texts: &[RawPly<'_>], start: Position) -> (Vec<Step>, Option<Fault>) {
    let mut candidate = Candidate { position: start, steps: Vec::with_capacity(texts.len()), next: 0 };
    let mut others: Vec<Candidate> = Vec::new();
    let mut first_fork: Option<Fork> = None;
    let mut list = MoveList::new();
    loop {
        let text = texts.get(candidate.next);
        if others.is_empty() {
            first_fork = None;
        } else if (text.is_none() || others.len() >= MAX_CANDIDATES)
            && let Some(Fork { before, undecided, at }) = first_fork.take()
        {
            others.clear();
            candidate = before;
            match undecided {
                Ok(mv) => candidate.advance(Next::Move(mv)),
                Err(error) => return (candidate.steps, Some((at, PdnErrorKind::Move(error)))),
            }
            continue;
        }
        let Some(text) = text else { return (candidate.steps, None) };
        list.clear();
        candidate.position.list_moves(&mut list);
        if others.is_empty()
            && let Some(mv) = only_move(&text.squares, &list)
        {
            candidate.advance(Next::Move(mv));
            continue;
        }
        match next(texts, &candidate, &list) {
            Next::Fork(choices, undecided) => {
                others.extend(choices.into_iter().map(|mv| {
                    let mut choice = candidate.clone();
                    choice.advance(Next::Move(mv));
                    choice
                }));
                first_fork.get_or_insert(Fork { before: candidate, undecided, at: text.at });
            }
            // If all candidates fail at one text, that text is wrong.
            Next::Illegal(error) if others.iter().all(|other| fails_at(texts, other, candidate.next)) => {
                let steps = first_fork.map_or(candidate.steps, |fork| fork.before.steps);
                return (steps, Some((text.at, PdnErrorKind::Move(error))));
            }
            Next::Illegal(_) => {}
            known => {
                candidate.advance(known);
                others.push(candidate);
            }
        }
        // Continues with the candidate that is furthest behind.
        let behind = others.iter().enumerate().min_by_key(|(_, other)| other.next);
        candidate = others.swap_remove(behind.map_or(0, |(index, _)| index));
    }
}

/// Returns whether a candidate fails at a text.
fn fails_at(texts: &[RawPly<'_>], candidate: &Candidate, text: usize) -> bool {
    candidate.next == text && matches!(next(texts, candidate, &candidate.position.moves()), Next::Illegal(_))
}

/// Returns the only legal move with these two ends.
fn only_move(squares: &Squares, moves: &[Move]) -> Option<Move> {
    let &[from, to] = squares.as_slice() else { return None };
    let mut fitting = moves.iter().filter(|mv| mv.from() == from && mv.to() == to);
    match (fitting.next(), fitting.next()) {
        (Some(&mv), None) => Some(mv),
        _ => None,
    }
}

/// Interprets the next text of a candidate.
fn next(texts: &[RawPly<'_>], candidate: &Candidate, moves: &[Move]) -> Next {
    let Some((text, later)) = texts.get(candidate.next..).and_then(|texts| texts.split_first()) else {
        return Next::Illegal(MoveError::Illegal { text: String::new(), legal: Vec::new() });
    };
    let position = &candidate.position;
    let mut squares = text.squares.clone();
    match named(&squares, position, moves)[..] {
        [mv] => return Next::Move(mv),
        [] => {}
        ref several => {
            // A move whose whole path matches comes before those whose ends match.
            let whole =
                |mv: &&Move| position.paths(**mv).iter().any(|path| Some(&path[..]) == squares.get(1..));
            let choice = several.iter().find(whole).copied().ok_or_else(|| MoveError::Ambiguous {
                text: text.text.to_owned(),
                choices: several.iter().map(|&mv| movetext::full(position, mv)).collect(),
            });
            return Next::Fork(several.to_vec(), choice);
        }
    }
    // A capture written jump by jump.
    for (more, later) in later.iter().enumerate() {
        match (squares.last(), later.squares.split_first()) {
            (Some(last), Some((first, rest))) if last == first && !rest.is_empty() => {
                if squares.try_extend_from_slice(rest).is_err() {
                    break;
                }
            }
            _ => break,
        }
        if let [mv] = named(&squares, position, moves)[..] {
            return Next::Joined(mv, more + 2);
        }
    }
    let plies = candidate.steps.len()
        + usize::from(candidate.steps.len() % 2 == usize::from(position.side() == Color::Black));
    match unspaced::parse(text.text, position, plies) {
        Unspaced::Moves(moves) => Next::Unspaced(moves),
        Unspaced::Ambiguous(choices) => {
            Next::Illegal(MoveError::Ambiguous { text: text.text.to_owned(), choices })
        }
        Unspaced::Illegal => Next::Illegal(match MoveText::parse(text.text) {
            // Squares with spaces between them are well-formed moves.
            Err(error) if !text.text.contains(char::is_whitespace) && text.squares.is_empty() => error,
            _ => MoveError::Illegal {
                text: text.text.to_owned(),
                legal: moves.iter().map(|&mv| movetext::format(position, mv)).collect(),
            },
        }),
    }
}

/// Returns the moves with these ends, and if there are more squares, with this path.
fn named(squares: &[Square], position: &Position, moves: &[Move]) -> ArrayVec<Move, 16> {
    let (Some((&from, path)), Some(&to)) = (squares.split_first(), squares.last()) else {
        return ArrayVec::new();
    };
    let fitting = moves.iter().copied().filter(|mv| mv.from() == from && mv.to() == to);
    if path.len() == 1 {
        return fitting.take(16).collect();
    }
    let over = |exact: bool| {
        let fits = |mv: Move| {
            position
                .paths(mv)
                .iter()
                .any(|known| if exact { known[..] == *path } else { is_part(path, known) })
        };
        fitting.clone().filter(|&mv| fits(mv)).take(16).collect::<ArrayVec<Move, 16>>()
    };
    // Some squares of a long capture may be missing.
    let exact = over(true);
    if exact.is_empty() { over(false) } else { exact }
}

/// Returns whether squares occur in a path in their order.
fn is_part(squares: &[Square], path: &[Square]) -> bool {
    let mut path = path.iter();
    squares.iter().all(|square| path.any(|known| known == square))
}
