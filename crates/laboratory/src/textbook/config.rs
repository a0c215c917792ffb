//! The configuration of a textbook search.

/// The method at the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Method {
    /// Plain negamax.
    Negamax,
    /// Alpha-beta.
    #[default]
    AlphaBeta,
    /// MTD(f): null-window searches around a guess of the value.
    Mtdf,
    /// Best node search: null-window searches for the best move.
    Bns,
}

/// The value of a position without legal moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum NoMoves {
    /// A loss, by the rules.
    #[default]
    Loss,
    /// The evaluation of the position, as in Peterson's program.
    Evaluation,
}

/// The features of a textbook search.
#[expect(clippy::struct_excessive_bools, reason = "independent switches")]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Config {
    /// The method at the root.
    pub method: Method,
    /// True if alpha-beta uses a transposition table. Plain negamax never does.
    pub table: bool,
    /// True if lines continue while a capture is due.
    pub quiescence: bool,
    /// True if depths are searched one after the other.
    pub deepening: bool,
    /// True if the table move is searched first. Otherwise moves are searched in the order of generation.
    pub ordering: bool,
    /// The value of a position without legal moves.
    pub no_moves: NoMoves,
}
