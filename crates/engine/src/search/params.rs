//! The parameters of pruning, reductions and extensions, in hundredths of a man or in plies. Each value was
//! chosen in matches; `docs/experiments.md` has the results.
//!
//! Each parameter is a line of one of the two blocks of `params!`. Tuned parameters have a name, a default, a
//! range and a step for SPSA; they can be set by the `Margins` option and tuned by `kelso train margins`.
//! Fixed parameters have a name and a value, and are compile-time constants. The search reads both kinds in
//! the same way, so a fixed parameter becomes tunable with a range and a step.

use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, LazyLock};

use super::score::{MAX_DEPTH, MAX_PLY, plies};
use kelso_syntax::WordError;

/// A parameter that can be tuned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Margin {
    pub name: &'static str,
    pub default: i32,
    /// Smallest and largest value.
    pub range: (i32, i32),
    /// The SPSA step size.
    pub step: i32,
}

impl Margin {
    const fn new(name: &'static str, default: i32, range: (i32, i32), step: i32) -> Self {
        assert!(range.0 <= default && default <= range.1 && step > 0, "a default is in its range");
        Self { name, default, range, step }
    }
}

/// Expands each line to a function of [`SearchParams`], and each tuned line also to a field and an entry of
/// [`MARGINS`].
macro_rules! params {
    (
        tuned { $($(#[$doc:meta])* $name:ident: $value:literal in $low:literal..=$high:literal, step $step:literal;)* }
        fixed { $($(#[$fixed_doc:meta])* $fixed:ident: $fixed_value:literal;)* }
    ) => {
        /// The parameters of the search.
        #[derive(Clone, PartialEq, Eq)]
        pub struct SearchParams {
            $($name: i32,)*
            reductions: Arc<[[u8; MAX_TABULATED]; MAX_TABULATED]>,
        }

        /// All parameters that can be tuned.
        pub const MARGINS: &[Margin] = &[$(Margin::new(stringify!($name), $value, ($low, $high), $step)),*];

        impl SearchParams {
            /// Returns parameters with these values, in the order of `MARGINS`, clamped to their
            /// ranges.
            #[must_use]
            pub fn new(values: [i32; MARGINS.len()]) -> Self {
                let [$($name),*] = values;
                let mut params = Self {
                    $($name: $name.clamp($low, $high),)*
                    reductions: Arc::new([[0; MAX_TABULATED]; MAX_TABULATED]),
                };
                params.fill_reductions();
                params
            }

            fn values(&self) -> [i32; MARGINS.len()] {
                [$(self.$name),*]
            }

            $(
                $(#[$doc])*
                #[inline]
                pub(super) const fn $name(&self) -> i32 {
                    self.$name
                }
            )*
            $(
                $(#[$fixed_doc])*
                #[inline]
                pub(super) const fn $fixed(&self) -> i32 {
                    $fixed_value
                }
            )*
        }
    };
}

params! {
    tuned {
        /// Reverse futility pruning: the margin above the window, for each ply of depth.
        rfp_margin: 12 in 5..=3000, step 8;
        /// Futility pruning: the margin below the window, for each ply of depth.
        futility_margin: 50 in 5..=3000, step 8;
        /// `ProbCut`: the margin outside the window for both the evaluation and the shallow search.
        probcut_margin: 120 in 5..=3000, step 8;
        /// `ProbCut`: the reduction of the shallow search, in hundredths of a ply.
        probcut_reduction: 600 in 200..=900, step 60;
        /// Late move reductions: the constant part, in hundredths of a ply.
        lmr_base: 59 in -100..=250, step 25;
        /// Late move reductions: the factor for the logarithms of depth and move number, in hundredths of
        /// a ply.
        lmr_slope: 55 in 0..=150, step 12;
        /// Late move reductions: the number of the first reduced move, in hundredths.
        lmr_min_moves: 200 in 100..=700, step 60;
        /// Late move reductions: the history score that saves a ply of reduction, in thousandths of its
        /// limit.
        lmr_history_divisor: 520 in 50..=2000, step 100;
    }
    fixed {
        /// Aspiration windows: the first iteration with a narrow window.
        aspiration_min_depth: 6;
        /// Aspiration windows: half the width of the first window around the last score.
        aspiration_delta: 20;
        /// Aspiration windows: the factor by which half the width grows when the score falls outside.
        aspiration_growth: 4;
        /// Aspiration windows: the maximum half width; beyond it the window is unbounded.
        aspiration_max_delta: 1000;
        /// The minimum depth at which nodes are stored in the transposition table and looked up there. A
        /// search of one ply takes hardly longer than a memory access: leaving such searches out of the
        /// table makes trees a twelfth larger, but the search faster.
        tt_min_depth: 2;
        /// The minimum depth at which a probe of the endgame databases may read and decode part of a
        /// file, which takes as long as searching a hundred nodes.
        tb_read_min_depth: 4;
        /// Scores of known draws: the divisor of the evaluation.
        tb_draw_divisor: 12;
        /// Scores of known draws: the maximum.
        tb_max_draw: 15;
        /// The minimum score of a known win with as many pieces as the root, if the root is a known win
        /// or loss, so that a win is worth more than any known draw.
        tb_min_win: 50;
        /// The root side's penalty for a draw by rule, if the root is a known draw.
        tb_rule_draw_penalty: 200;
        /// The root side's penalty for a draw with fewer pieces, if the root is a known draw.
        tb_simpler_draw_penalty: 30;
        /// Practical chances: the minimum chance of an error, in thousandths, for a move to be preferred.
        /// The moves below it are compared by the search.
        chance_min_error: 300;
        /// Practical chances: the chance of an error, in thousandths, at which the error is taken as
        /// certain and the moves after it are not examined.
        chance_certain_error: 900;
        /// Practical chances: the weight of an error one move later, in percent.
        chance_later_percent: 90;
        /// Practical chances: the extra weight of the last iteration, in tenths.
        chance_last_iteration: 50;
        /// Reverse futility pruning: the maximum depth.
        rfp_max_depth: 3;
        /// Futility pruning: the maximum depth.
        futility_max_depth: 3;
        /// `ProbCut`: the minimum depth.
        probcut_min_depth: 5;
        /// `ProbCut`: the minimum depth of the shallow search. A shallower search would only search
        /// captures.
        probcut_min_shallow_depth: 2;
        /// Internal iterative reduction: the minimum depth.
        iir_min_depth: 6;
        /// Singular extension: the minimum depth.
        singular_min_depth: 9;
        /// Singular extension: the maximum number of plies by which the table entry may be shallower.
        singular_tt_depth_margin: 3;
        /// Singular extension: the margin below the score of the table move, for each ply of depth.
        singular_margin: 2;
        /// Extensions: the maximum length of an extended line, as a multiple of the iteration's depth.
        extension_factor: 2;
        /// Extensions: the number of plies added to this maximum.
        extension_base: 8;
        /// Forced-move extension: captures are extended up to this percentage of the depth of the
        /// iteration.
        forced_capture_percent: 50;
        /// Forced-move extension: the minimum depth at which a single legal capture does not reduce the
        /// depth.
        forced_capture_min_depth: 4;
        /// Parallel search: the minimum depth at which a thread marks the moves after the first as busy.
        busy_min_depth: 10;
        /// Late move reductions: the minimum depth.
        lmr_min_depth: 3;
        /// History: the change after a cutoff, per squared ply of depth.
        history_bonus: 16;
        /// History: the maximum change.
        history_max_bonus: 4096;
    }
}

/// The largest late move reduction, in plies.
const MAX_REDUCTION: f64 = 20.0;
/// Number of depths, and of moves, in the table of reductions.
const MAX_TABULATED: usize = 64;

static DEFAULT: LazyLock<SearchParams> =
    LazyLock::new(|| SearchParams::new(std::array::from_fn(|index| MARGINS[index].default)));

impl Default for SearchParams {
    fn default() -> Self {
        DEFAULT.clone()
    }
}

fn logarithm(n: usize) -> f64 {
    f64::from(u32::try_from(n.max(1)).unwrap_or(1)).ln()
}

fn clamp_ply(plies: i32) -> usize {
    usize::try_from(plies).map_or(MAX_DEPTH, |plies| plies.min(MAX_DEPTH))
}

impl SearchParams {
    fn fill_reductions(&mut self) {
        let base = f64::from(self.lmr_base());
        let slope = f64::from(self.lmr_slope());
        for (depth, row) in Arc::make_mut(&mut self.reductions).iter_mut().enumerate() {
            for (number, reduction) in row.iter_mut().enumerate() {
                let plies = (base + slope * logarithm(depth) * logarithm(number + 1)) / 100.0;
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "clamped to a few plies"
                )]
                let plies = plies.clamp(0.0, MAX_REDUCTION) as u8;
                *reduction = plies;
            }
        }
    }

    /// Returns the maximum plies to which an iteration extends forced moves and forced captures.
    pub(super) fn extended_plies(&self, iteration: usize) -> (usize, usize) {
        let iteration = i32::try_from(iteration.min(MAX_PLY)).unwrap_or(i32::MAX);
        let any = self.extension_factor() * iteration + self.extension_base();
        let captures = self.forced_capture_percent() * iteration / 100;
        (clamp_ply(any), clamp_ply(captures))
    }

    /// Returns the history bonus for a cutoff at this depth.
    pub(super) fn history_change(&self, depth: i32) -> i32 {
        let max = self.history_max_bonus();
        depth.saturating_mul(depth).saturating_mul(self.history_bonus()).min(max)
    }

    /// Returns the reduction of a late move in plies. `history` is in thousandths of its limit.
    #[inline]
    pub(super) fn late_move_reduction(
        &self,
        depth: i32,
        number: usize,
        null_window: bool,
        history: i32,
    ) -> i32 {
        let first = plies(self.lmr_min_moves() / 100);
        if depth < self.lmr_min_depth() || number < first {
            return 0;
        }
        let depth = plies(depth).min(MAX_TABULATED - 1);
        let reduction = i32::from(self.reductions[depth][number.min(MAX_TABULATED - 1)]);
        (reduction - i32::from(!null_window) - history / self.lmr_history_divisor()).max(0)
    }
}

/// Returns the expected form of a text with margins.
pub(crate) fn margin_words(margins: &[Margin]) -> String {
    let range = |&Margin { name, range: (low, high), .. }: &Margin| format!("{name} ({low} to {high})");
    let ranges: Vec<_> = margins.iter().map(range).collect();
    format!("NAME=VALUE words with names and values of {}", ranges.join(", "))
}

/// Parses `NAME=VALUE` words, which change the defaults.
impl FromStr for SearchParams {
    type Err = WordError;

    fn from_str(text: &str) -> Result<Self, WordError> {
        let mut values = DEFAULT.values();
        for word in text.split_ascii_whitespace() {
            let pair = word.split_once('=').and_then(|(key, value)| {
                let is_named = |margin: &Margin| margin.name.eq_ignore_ascii_case(key);
                Some((MARGINS.iter().position(is_named)?, value))
            });
            let (index, value) =
                pair.ok_or_else(|| WordError::invalid("margin", word, margin_words(MARGINS)))?;
            let Margin { name, range: (low, high), .. } = MARGINS[index];
            let value = value.parse().ok().filter(|value| (low..=high).contains(value));
            let expected = || format!("{name} from {low} to {high}");
            values[index] = value.ok_or_else(|| WordError::invalid("margin", word, expected()))?;
        }
        Ok(Self::new(values))
    }
}

impl fmt::Debug for SearchParams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SearchParams({self})")
    }
}

/// Formats the values as `NAME=VALUE` words.
impl fmt::Display for SearchParams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut space = "";
        for (param, value) in MARGINS.iter().zip(self.values()) {
            write!(f, "{space}{}={value}", param.name)?;
            space = " ";
        }
        Ok(())
    }
}
