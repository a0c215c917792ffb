//! The parameters of the search, in hundredths of a man and in plies. Each was chosen by matches; `docs/experiments.md` has
//! the results.

use std::fmt;
use std::sync::LazyLock;

/// Aspiration: half the width of the first window around the last iteration's score.
pub(super) const ASPIRATION: i32 = 20;
/// The iteration from which windows are narrow.
pub(super) const ASPIRATION_DEPTH: i32 = 6;
/// Reverse futility pruning: up to this depth a node far above its window is pruned.
pub(super) const RFP_DEPTH: i32 = 3;
/// Futility: up to this depth quiet moves far below the window are left out.
pub(super) const FUTILITY_DEPTH: i32 = 3;
/// ProbCut: from this depth a node whose evaluation is outside its window is searched less deeply first.
pub(super) const PROBCUT_DEPTH: i32 = 5;
/// ProbCut: the least depth of the shallow search. A shallower one would only search captures.
pub(super) const PROBCUT_MIN_DEPTH: i32 = 2;
/// From this depth nodes are stored in the table and looked up there. A search of one ply takes hardly longer than the
/// access to memory: trees grow by a twelfth, but the search is faster.
pub(super) const TABLE_DEPTH: i32 = 2;
/// Internal iterative reduction: from this depth a quiet node without a table move is searched a ply less deeply.
pub(super) const IIR_DEPTH: i32 = 6;
/// From this depth a single legal capture costs no depth.
pub(super) const FORCED_CAPTURE_DEPTH: i32 = 4;
/// From this depth a thread claims the moves after the first, so that other threads search other moves.
pub(super) const CLAIM_DEPTH: i32 = 10;
/// Late move reductions: the least depth.
pub(super) const LMR_DEPTH: i32 = 3;

/// A parameter that can be tuned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// Its default.
    pub default: i32,
    /// Its range.
    pub range: (i32, i32),
    /// The SPSA step size.
    pub step: i32,
}

/// Makes of each line a field of [`SearchParams`] and an entry of [`PARAMS`].
macro_rules! params {
    ($($(#[$doc:meta])* $name:ident: $default:literal in $low:literal..=$high:literal, step $step:literal;)*) => {
        /// The parameters of the search that can be tuned.
        #[derive(Clone, PartialEq, Eq)]
        pub struct SearchParams {
            $($(#[$doc])* pub(super) $name: i32,)*
            reductions: Box<[[u8; MAX_TABULATED]; MAX_TABULATED]>,
        }

        /// All parameters that can be tuned.
        pub const PARAMS: &[Param] = &[$(
            Param { name: stringify!($name), default: $default, range: ($low, $high), step: $step },
        )*];

        impl SearchParams {
            /// Returns parameters with these values, in the order of `PARAMS`, kept in their ranges.
            #[must_use]
            pub fn new(values: [i32; PARAMS.len()]) -> Self {
                let [$($name),*] = values;
                let mut params = Self {
                    $($name: $name.clamp($low, $high),)*
                    reductions: Box::new([[0; MAX_TABULATED]; MAX_TABULATED]),
                };
                params.fill_reductions();
                params
            }

            fn values(&self) -> [i32; PARAMS.len()] {
                [$(self.$name),*]
            }
        }
    };
}

params! {
    /// Reverse futility pruning: the margin above the window, for each ply of depth.
    rfp_margin: 20 in 5..=3000, step 8;
    /// Futility pruning: the margin below the window, for each ply of depth.
    futility_margin: 50 in 5..=3000, step 8;
    /// `ProbCut`: the margin outside the window for both the evaluation and the shallow search.
    probcut_margin: 120 in 5..=3000, step 8;
    /// `ProbCut`: the reduction of the shallow search, in hundredths of a ply.
    probcut_reduction: 600 in 200..=900, step 60;
    /// Late move reductions: the constant part, in hundredths of a ply.
    lmr_base: 59 in -100..=250, step 25;
    /// Late move reductions: the factor of the logarithms of depth and move number, in hundredths of a ply.
    lmr_slope: 55 in 0..=150, step 12;
    /// Late move reductions: the first reduced move, in hundredths.
    lmr_min_moves: 200 in 100..=700, step 60;
    /// Late move reductions: the history that saves a ply of reduction, in thousandths of its limit.
    lmr_history_divisor: 520 in 50..=2000, step 100;
}

/// The number of depths and of moves with a reduction of their own.
const MAX_TABULATED: usize = 64;

static DEFAULT: LazyLock<SearchParams> =
    LazyLock::new(|| SearchParams::new(std::array::from_fn(|index| PARAMS[index].default)));

impl Default for SearchParams {
    fn default() -> Self {
        DEFAULT.clone()
    }
}

impl SearchParams {
    fn fill_reductions(&mut self) {
        let (base, slope) = (f64::from(self.lmr_base), f64::from(self.lmr_slope));
        let logarithm = |n: usize| f64::from(u32::try_from(n.max(1)).unwrap_or(1)).ln();
        for (depth, row) in self.reductions.iter_mut().enumerate() {
            for (number, reduction) in row.iter_mut().enumerate() {
                let plies = (base + slope * logarithm(depth) * logarithm(number + 1)) / 100.0;
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "clamped to a few plies"
                )]
                let plies = plies.clamp(0.0, 20.0) as u8;
                *reduction = plies;
            }
        }
    }

    /// Parses `NAME=VALUE` words, which change the defaults; none if a word is invalid or out of range.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut values = DEFAULT.values();
        for word in text.split_ascii_whitespace() {
            let (name, value) = word.split_once('=')?;
            let index = PARAMS.iter().position(|param| param.name.eq_ignore_ascii_case(name))?;
            let (low, high) = PARAMS[index].range;
            values[index] = value.parse().ok().filter(|value| (low..=high).contains(value))?;
        }
        Some(Self::new(values))
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
        let first = usize::try_from(self.lmr_min_moves / 100).unwrap_or(0);
        if depth < LMR_DEPTH || number < first {
            return 0;
        }
        let depth = usize::try_from(depth).unwrap_or(0).min(MAX_TABULATED - 1);
        let less = i32::from(self.reductions[depth][number.min(MAX_TABULATED - 1)]);
        (less - i32::from(!null_window) - history / self.lmr_history_divisor).max(0)
    }
}

impl fmt::Debug for SearchParams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SearchParams({self})")
    }
}

/// The values as `NAME=VALUE` words.
impl fmt::Display for SearchParams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut space = "";
        for (param, value) in PARAMS.iter().zip(self.values()) {
            write!(f, "{space}{}={value}", param.name)?;
            space = " ";
        }
        Ok(())
    }
}
