//! Finds out which moves were played. The legal moves are generated once for each ply, and nothing is allocated as long
//! as every text names one of them.

use arrayvec::ArrayVec;

use super::error::{Fault, PdnErrorKind};
use super::game::{Ply, Variation};
use super::grammar::Squares;
use super::nest::{RawLine, RawPly};
use super::run::{self, Run};
use crate::board::{Color, Move, MoveList, Position, Square};
use crate::notation::{MoveError, MoveText, movetext};

/// Lines that are followed at once while it is open which of several captures were played.
const MOST_TRAILS: usize = 16;

/// What a line of moves stands for.
pub(super) struct Played {
    pub(super) plies: Vec<Ply>,
    /// The position after them.
    pub(super) end: Position,
    /// The first move that can't be read, and why; faults in variations are told apart.
    pub(super) fault: Option<Fault>,
}

/// The plies that a line stands for, with their variations, up to the first that can't be read.
pub(super) fn line(raw: RawLine<'_>, start: Position, faults: &mut Vec<Fault>) -> Played {
    let (steps, fault) = follow(&raw.plies, start);
    let mut position = start;
    let mut plies = Vec::with_capacity(steps.len());
    let mut texts = raw.plies.into_iter();
    let mut taken = 0;
    for (number, step) in steps.iter().enumerate() {
        let mut ply = Ply::new(step.mv);
        // Remarks stand after the last move of a text, and after the last text of a move.
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

/// Gives a ply what stands after its text. Variations replace it, and so begin in the position before it.
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

/// A move, and which of the texts stands for it.
#[derive(Clone, Copy)]
struct Step {
    mv: Move,
    text: usize,
}

/// One way to read the texts so far.
#[derive(Clone)]
struct Trail {
    position: Position,
    steps: Vec<Step>,
    /// The text to read next.
    next: usize,
}

impl Trail {
    fn play(&mut self, mv: Move, text: usize) {
        self.steps.push(Step { mv, text });
        self.position = self.position.after(mv);
    }
}

/// What the next text of a trail means.
enum Next {
    /// One move.
    Move(Move),
    /// One of several captures; which it is if nothing tells, or what to say then.
    Fork(Vec<Move>, Result<Move, MoveError>),
    /// This many texts together are one move.
    Joined(Move, usize),
    /// Several moves.
    Run(Vec<Move>),
    /// Nothing that can be played.
    Nothing(MoveError),
}

/// The moves of a line: while a capture could be one of several, each is followed, until only one of them can go on.
fn follow(texts: &[RawPly<'_>], start: Position) -> (Vec<Step>, Option<Fault>) {
    let mut trail = Trail { position: start, steps: Vec::with_capacity(texts.len()), next: 0 };
    let mut list = MoveList::new();
    while let Some(text) = texts.get(trail.next) {
        list.clear();
        trail.position.list_moves(&mut list);
        // Nearly all texts name both ends of one move.
        if let Some(mv) = only_move(&text.squares, &list) {
            trail.play(mv, trail.next);
            trail.next += 1;
            continue;
        }
        match next(texts, &trail, &list) {
            Next::Fork(choices, doubt) => match (follow_all(texts, &trail, &choices), doubt) {
                (Told::Trail(only), _) => trail = only,
                (Told::Doubt, Ok(mv)) => advance(&mut trail, Next::Move(mv)),
                (Told::Doubt, Err(error)) => {
                    return (trail.steps, Some((text.at, PdnErrorKind::Move(error))));
                }
                (Told::DeadEnd(fault), _) => return (trail.steps, Some(fault)),
            },
            Next::Nothing(error) => return (trail.steps, Some((text.at, PdnErrorKind::Move(error)))),
            known => advance(&mut trail, known),
        }
    }
    (trail.steps, None)
}

/// What the moves after a fork tell of it.
enum Told {
    /// Only this way can go on.
    Trail(Trail),
    /// Several ways go on to the end, or too many for a while.
    Doubt,
    /// Whatever the choice was, the line ends there.
    DeadEnd(Fault),
}

/// Follows every choice until one is left.
fn follow_all(texts: &[RawPly<'_>], fork: &Trail, choices: &[Move]) -> Told {
    let mut trails: Vec<Trail> = Vec::with_capacity(choices.len());
    for &mv in choices {
        let mut trail = fork.clone();
        advance(&mut trail, Next::Move(mv));
        trails.push(trail);
    }
    let mut list = MoveList::new();
    loop {
        // The one that is furthest behind goes on, so that all keep together.
        let behind = trails.iter().enumerate().min_by_key(|(_, trail)| trail.next).map(|(index, _)| index);
        let Some(mut trail) = behind.map(|index| trails.swap_remove(index)) else { return Told::Doubt };
        if trails.is_empty() {
            return Told::Trail(trail);
        }
        let Some(text) = texts.get(trail.next) else { return Told::Doubt };
        list.clear();
        trail.position.list_moves(&mut list);
        match next(texts, &trail, &list) {
            Next::Fork(choices, _) => {
                for mv in choices {
                    let mut trail = trail.clone();
                    advance(&mut trail, Next::Move(mv));
                    trails.push(trail);
                }
                if trails.len() > MOST_TRAILS {
                    return Told::Doubt;
                }
            }
            // Where all end at one text, that text is wrong, whatever the choice was.
            Next::Nothing(error) if trails.iter().all(|other| ends_at(texts, other, trail.next)) => {
                return Told::DeadEnd((text.at, PdnErrorKind::Move(error)));
            }
            Next::Nothing(_) => {}
            known => {
                advance(&mut trail, known);
                trails.push(trail);
            }
        }
    }
}

/// Whether a trail ends at the same text.
fn ends_at(texts: &[RawPly<'_>], trail: &Trail, text: usize) -> bool {
    trail.next == text
        && texts.get(text).is_some()
        && matches!(next(texts, trail, &trail.position.moves()), Next::Nothing(_))
}

fn advance(trail: &mut Trail, next: Next) {
    let text = trail.next;
    match next {
        Next::Move(mv) => {
            trail.play(mv, text);
            trail.next += 1;
        }
        Next::Joined(mv, count) => {
            trail.next += count;
            trail.play(mv, trail.next - 1);
        }
        Next::Run(moves) => {
            for mv in moves {
                trail.play(mv, text);
            }
            trail.next += 1;
        }
        Next::Fork(..) | Next::Nothing(_) => {}
    }
}

/// The legal move that two squares name, if it is one.
fn only_move(squares: &Squares, moves: &[Move]) -> Option<Move> {
    let &[from, to] = squares.as_slice() else { return None };
    let mut fitting = moves.iter().filter(|mv| mv.from() == from && mv.to() == to);
    match (fitting.next(), fitting.next()) {
        (Some(&mv), None) => Some(mv),
        _ => None,
    }
}

/// What the next text of a trail means.
fn next(texts: &[RawPly<'_>], trail: &Trail, moves: &[Move]) -> Next {
    let Some((text, later)) = texts.get(trail.next..).and_then(|texts| texts.split_first()) else {
        return Next::Nothing(MoveError::Illegal { text: String::new(), legal: Vec::new() });
    };
    let position = &trail.position;
    let mut squares = text.squares.clone();
    match named(&squares, position, moves)[..] {
        [mv] => return Next::Move(mv),
        [] => {}
        ref several => {
            // A text that names all squares of one comes before those of which it names the ends only.
            let whole =
                |mv: &&Move| position.paths(**mv).iter().any(|path| Some(&path[..]) == squares.get(1..));
            let doubt = several.iter().find(whole).copied().ok_or_else(|| MoveError::Ambiguous {
                text: text.text.to_owned(),
                choices: several.iter().map(|&mv| movetext::full(position, mv)).collect(),
            });
            return Next::Fork(several.to_vec(), doubt);
        }
    }
    // A capture of several pieces, jump by jump.
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
    let plies = trail.steps.len()
        + usize::from(trail.steps.len() % 2 == usize::from(position.side() == Color::Black));
    match run::read(text.text, position, plies) {
        Run::Moves(moves) => Next::Run(moves),
        Run::Several(choices) => Next::Nothing(MoveError::Ambiguous { text: text.text.to_owned(), choices }),
        Run::Nothing => Next::Nothing(match MoveText::parse(text.text) {
            // Squares with spaces between are moves in form.
            Err(error) if !text.text.contains(char::is_whitespace) && text.squares.is_empty() => error,
            _ => MoveError::Illegal {
                text: text.text.to_owned(),
                legal: moves.iter().map(|&mv| movetext::format(position, mv)).collect(),
            },
        }),
    }
}

/// The moves that squares name: those with these ends, and if there are more squares, that go over them.
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
    // Some squares of a long capture may be left out.
    let exact = over(true);
    if exact.is_empty() { over(false) } else { exact }
}

/// Whether squares stand in a path in their order.
fn is_part(squares: &[Square], path: &[Square]) -> bool {
    let mut path = path.iter();
    squares.iter().all(|square| path.any(|known| known == square))
}
