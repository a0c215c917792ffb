//! The switches.

/// How the value of a root is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Method {
    /// By trying everything.
    Negamax,
    /// By alpha-beta.
    #[default]
    AlphaBeta,
    /// By alpha-beta with windows without width around a guess.
    Mtdf,
    /// The best move only, by windows without width.
    Bns,
}

/// The value of a position without legal moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum NoMoves {
    /// It has lost, as the rules have it.
    #[default]
    Loss,
    /// The evaluation of its position, as Peterson's program had it.
    Evaluation,
}

/// The features of a textbook search.
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are switches, each on or off whatever the others are"
)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Config {
    /// The method at the root.
    pub method: Method,
    /// Whether alpha-beta remembers positions. Plain negamax never does.
    pub table: bool,
    /// Whether a line goes on where a capture is due.
    pub quiescence: bool,
    /// Whether depths are searched one after the other.
    pub deepening: bool,
    /// Whether the move that the table remembers is tried first. Without it, moves are tried as they are generated.
    pub ordering: bool,
    /// The value of a position without legal moves.
    pub no_moves: NoMoves,
}
