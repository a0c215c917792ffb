//! The numbers that the search's judgement rests on, in hundredths of a man and in plies. Each was kept on the evidence
//! of a match; see the log for its gain.

/// Aspiration: half the width of the first window around the last iteration's score.
pub(super) const ASPIRATION: i32 = 20;
/// The iteration from which windows are narrow.
pub(super) const ASPIRATION_DEPTH: i32 = 6;

/// Up to this depth a node far above its window is given up.
pub(super) const SURPLUS_DEPTH: i32 = 3;
/// How far above, for each ply.
pub(super) const SURPLUS: i32 = 40;

/// Up to this depth quiet moves far below the window are left out.
pub(super) const FUTILITY_DEPTH: i32 = 3;
/// How far below, for each ply.
pub(super) const FUTILITY: i32 = 50;

/// From this depth a node outside its window by evaluation is tried at less depth first.
pub(super) const VERIFY_DEPTH: i32 = 5;
/// How much less.
pub(super) const VERIFY_LESS: i32 = 4;
/// How far outside evaluation and shallow search must both find it.
pub(super) const VERIFY: i32 = 50;

/// From this depth late moves are reduced.
pub(super) const REDUCE_DEPTH: i32 = 3;
/// Moves before this one are not.
pub(super) const REDUCE_FROM: i32 = 3;
/// From this one on they are reduced more.
pub(super) const REDUCE_MORE_FROM: i32 = 12;
/// From this depth too.
pub(super) const REDUCE_MORE_DEPTH: i32 = 12;
