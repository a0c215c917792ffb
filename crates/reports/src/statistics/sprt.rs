//! The sequential probability ratio test (SPRT): games are played until one of two hypotheses about the
//! difference in strength is accepted.
//!
//! The statistic is the generalised log-likelihood ratio: for each hypothesis, the likelihood of the counts
//! under the best-fitting distribution with that difference (M. Van den Bergh, "A practical introduction to
//! the GSPRT" and "Comments on normalized Elo"). With `logistic`, a hypothesis fixes the mean score; with
//! `normalized`, the distance of the mean from one half in standard deviations.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{NELO_PER_DEVIATION, Pairs, real, score_of_elo};
use kelso_draughts::result::WdlCounts;
use kelso_syntax::WordError;
use kelso_text::keyvalue::KeyValues;

kelso_syntax::named! {
    /// How the differences are measured.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum SprtModel {
        /// Elo, a transform of the mean score.
        Logistic: "logistic";
        /// Normalised Elo, the mean score in standard deviations of one game.
        Normalized: "normalized";
    }
}

/// The settings of a test: two hypotheses and the error probabilities.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    /// The difference under H0.
    pub elo0: f64,
    /// The difference under H1, greater than `elo0`.
    pub elo1: f64,
    /// The probability of accepting H1 if H0 is true.
    pub alpha: f64,
    /// The probability of accepting H0 if H1 is true.
    pub beta: f64,
    /// How the differences are measured.
    pub model: SprtModel,
}

/// The state of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// More games are needed.
    Undecided,
    /// H0 is accepted.
    H0,
    /// H1 is accepted.
    H1,
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Undecided => "undecided",
            Self::H0 => "H0 accepted",
            Self::H1 => "H1 accepted",
        })
    }
}

/// The reason why the settings of a test are invalid.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum SprtError {
    /// `elo0` is not below `elo1`.
    #[error("elo0 must be below elo1, got elo0={0} and elo1={1}")]
    Claims(f64, f64),
    /// An error probability is out of range.
    #[error("{0} must be above 0 and below 0.5, got {1}")]
    Chance(&'static str, f64),
    #[error(transparent)]
    Word(#[from] WordError),
}

const WORDS: &str = "elo0=X, elo1=X, alpha=P, beta=P or model=normalized|logistic, joined by commas";

impl std::str::FromStr for Sprt {
    type Err = SprtError;

    /// Parses settings such as `elo0=0,elo1=5,alpha=0.05,beta=0.05,model=normalized`, in any order. These are
    /// the defaults.
    fn from_str(text: &str) -> Result<Self, SprtError> {
        let mut pairs = KeyValues::split(text, WORDS)?;
        let elo0 = take_number(&mut pairs, "elo0")?.unwrap_or(0.0);
        let elo1 = take_number(&mut pairs, "elo1")?.unwrap_or(5.0);
        let alpha = take_number(&mut pairs, "alpha")?.unwrap_or(0.05);
        let beta = take_number(&mut pairs, "beta")?.unwrap_or(0.05);
        let model = pairs.take_read("model", "normalized or logistic", SprtModel::from_name)?;
        pairs.finish(WORDS)?;
        let sprt = Self { elo0, elo1, alpha, beta, model: model.unwrap_or(SprtModel::Normalized) };
        sprt.checked()
    }
}

fn take_number(pairs: &mut KeyValues<'_>, key: &str) -> Result<Option<f64>, WordError> {
    pairs.take_read(key, "a number", |value| value.parse().ok().filter(|number: &f64| number.is_finite()))
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { elo0, elo1, alpha, beta, model } = self;
        let model = model.name();
        write!(f, "elo0={elo0},elo1={elo1},alpha={alpha},beta={beta},model={model}")
    }
}

impl Sprt {
    fn checked(self) -> Result<Self, SprtError> {
        if self.elo0 >= self.elo1 {
            return Err(SprtError::Claims(self.elo0, self.elo1));
        }
        for (name, value) in [("alpha", self.alpha), ("beta", self.beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(SprtError::Chance(name, value));
            }
        }
        Ok(self)
    }

    /// Returns the log-likelihood ratios at which H0 and H1 are accepted (Wald's bounds).
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// Returns the log-likelihood ratio of independent games.
    pub fn llr_of_games(&self, wdl: WdlCounts) -> f64 {
        self.llr([0.0, 0.5, 1.0], [wdl.losses, wdl.draws, wdl.wins], 1.0)
    }

    /// Returns the log-likelihood ratio of pairs of games.
    pub fn llr_of_pairs(&self, pairs: Pairs) -> f64 {
        self.llr([0.0, 0.25, 0.5, 0.75, 1.0], pairs.0, 2.0)
    }

    /// Returns the state of the test at a log-likelihood ratio.
    pub fn decision(&self, llr: f64) -> Decision {
        let (lower, upper) = self.bounds();
        if llr >= upper {
            Decision::H1
        } else if llr <= lower {
            Decision::H0
        } else {
            Decision::Undecided
        }
    }

    fn llr<const N: usize>(&self, values: [f64; N], counts: [u64; N], games_each: f64) -> f64 {
        if counts.iter().all(|&count| count == 0) {
            return 0.0;
        }
        // A result that never occurred counts as a thousandth of an observation, to keep the distributions
        // finite.
        let counts = counts.map(|count| if count == 0 { 1e-3 } else { real(count) });
        let total: f64 = counts.iter().sum();
        let seen = Distribution { values, chances: counts.map(|count| count / total) };
        let [first, second] = [self.elo0, self.elo1].map(|elo| match self.model {
            SprtModel::Logistic => seen.likeliest_with_mean(score_of_elo(elo)),
            SprtModel::Normalized => {
                seen.likeliest_with_distance(elo / NELO_PER_DEVIATION * games_each.sqrt())
            }
        });
        let ratios = second.iter().zip(first).map(|(b, a)| (b / a).ln());
        total * ratios.zip(seen.chances).map(|(ratio, chance)| ratio * chance).sum::<f64>()
    }
}

/// The observed distribution: the values and their frequencies.
struct Distribution<const N: usize> {
    values: [f64; N],
    chances: [f64; N],
}

impl<const N: usize> Distribution<N> {
    /// Returns the most likely probabilities with a given mean.
    fn likeliest_with_mean(&self, mean: f64) -> [f64; N] {
        self.likeliest_with_zero(&self.values.map(|value| value - mean))
    }

    /// Returns the most likely probabilities whose mean is a given number of standard deviations above one
    /// half. The condition is not linear, so a linearised version is solved repeatedly until it converges.
    fn likeliest_with_distance(&self, distance: f64) -> [f64; N] {
        let mut chances = [1.0 / real(N as u64); N];
        for _ in 0..50 {
            let weighted = self.values.iter().zip(chances);
            let mean: f64 = weighted.clone().map(|(value, chance)| value * chance).sum();
            let variance: f64 = weighted.map(|(value, chance)| (value - mean).powi(2) * chance).sum();
            let deviation = variance.sqrt();
            let next = self.likeliest_with_zero(&self.values.map(|value| {
                let standard = (value - mean) / deviation;
                value - 0.5 - 0.5 * distance * deviation * (1.0 + standard * standard)
            }));
            let moved = next.iter().zip(chances).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            chances = next;
            if moved < 1e-10 {
                break;
            }
        }
        chances
    }

    /// Returns the most likely probabilities for which `offsets` have mean zero. By Lagrange's condition,
    /// each probability is observed / (1 + x offset), where x is chosen so that the mean of the offsets is
    /// zero. As a function of x, this mean decreases between its two poles, so bisection finds the root.
    fn likeliest_with_zero(&self, offsets: &[f64; N]) -> [f64; N] {
        let min = offsets.iter().copied().fold(f64::INFINITY, f64::min);
        let max = offsets.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if min >= 0.0 || max <= 0.0 {
            return self.chances;
        }
        let mut low = -1.0 / max;
        let mut high = -1.0 / min;
        for _ in 0..200 {
            let x = low.midpoint(high);
            if x <= low || x >= high {
                break;
            }
            let mean: f64 =
                offsets.iter().zip(self.chances).map(|(o, chance)| chance * o / (1.0 + x * o)).sum();
            if mean > 0.0 { low = x } else { high = x }
        }
        let x = low.midpoint(high);
        std::array::from_fn(|i| self.chances[i] / (1.0 + x * offsets[i]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(elo0: f64, elo1: f64, model: SprtModel) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model }
    }

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() <= 0.011, "{found} is not {expected}");
    }

    /// Figures published with the tests of fastchess (`app/tests/sprt_test.cpp`, suite "SPRT"): wins, losses,
    /// draws. Figures for one-sided counts are omitted: they depend on the value substituted for a count of
    /// zero, which has changed between versions.
    #[test]
    fn games_agree_with_published_figures() {
        use SprtModel::{Logistic, Normalized};
        for (wins, losses, draws, elo0, elo1, model, llr) in [
            (36433, 36027, 68692, 0.0, 2.0, Normalized, 0.92),
            (10871, 10650, 20431, -1.75, 0.25, Normalized, 2.30),
            (21404, 21184, 40708, 0.5, 2.5, Logistic, -1.57),
            (57433, 57030, 106_593, 0.0, 2.0, Logistic, -2.59),
        ] {
            near(test(elo0, elo1, model).llr_of_games(WdlCounts::new(wins, draws, losses)), llr);
        }
    }

    /// Figures from the same source. Its classes of pairs are LL, LD, WL, DD, WD and WW; here, WL and DD form
    /// one class.
    #[test]
    fn pairs_agree_with_published_figures() {
        use SprtModel::{Logistic, Normalized};
        for ([a, b, c, d, e, f], elo0, elo1, model, llr) in [
            ([365, 16618, 36029, 200, 16974, 390], 0.0, 2.0, Normalized, 2.25),
            ([127, 4883, 10311, 401, 5150, 104], -1.75, 0.25, Normalized, 3.01),
            ([223, 9863, 20279, 1000, 10037, 246], 0.5, 2.5, Logistic, -3.07),
            ([871, 26175, 55003, 980, 26678, 821], 0.0, 2.0, Logistic, -4.98),
        ] {
            near(test(elo0, elo1, model).llr_of_pairs(Pairs([a, b, c + d, e, f])), llr);
        }
    }

    /// Figures published with the tests of cutechess (`projects/lib/tests/sprt/tst_sprt.cpp`).
    #[test]
    fn ratios_and_bounds_agree_with_a_second_source() {
        near(test(0.0, 10.0, SprtModel::Logistic).llr_of_games(WdlCounts::new(1477, 2942, 1351)), 2.52);
        near(test(0.0, 10.0, SprtModel::Logistic).llr_of_games(WdlCounts::new(555, 298, 555)), -0.74);
        let (lower, upper) =
            Sprt { alpha: 0.01, beta: 0.01, ..test(0.0, 10.0, SprtModel::Logistic) }.bounds();
        near(lower, -4.6);
        near(upper, 4.6);
        let (lower, upper) = test(0.0, 5.0, SprtModel::Normalized).bounds();
        near(lower, -2.94);
        near(upper, 2.94);
    }

    #[test]
    fn a_test_without_games_is_undecided() {
        let sprt = test(0.0, 5.0, SprtModel::Normalized);
        assert_eq!(sprt.decision(sprt.llr_of_pairs(Pairs::default())), Decision::Undecided);
        assert_eq!(sprt.decision(3.0), Decision::H1);
        assert_eq!(sprt.decision(-3.0), Decision::H0);
        let shown = [Decision::Undecided, Decision::H0, Decision::H1].map(|decision| decision.to_string());
        assert_eq!(shown, ["undecided", "H0 accepted", "H1 accepted"]);
    }

    #[test]
    fn one_sided_counts_stay_finite() {
        for model in [SprtModel::Logistic, SprtModel::Normalized] {
            for counts in [[9, 0, 0], [0, 9, 0], [0, 0, 9], [1, 0, 0], [5, 0, 7]] {
                let wdl = WdlCounts::new(counts[0], counts[1], counts[2]);
                assert!(test(0.0, 5.0, model).llr_of_games(wdl).is_finite(), "{model:?} {wdl:?}");
            }
        }
    }

    #[test]
    fn text_is_read_and_written_back() {
        let sprt: Sprt = "elo0=-2,elo1=3.5,alpha=0.1,model=logistic".parse().unwrap();
        assert_eq!(sprt, Sprt { alpha: 0.1, ..test(-2.0, 3.5, SprtModel::Logistic) });
        assert_eq!(sprt.to_string().parse::<Sprt>().unwrap(), sprt);
        for wrong in
            ["elo0", "elo0=x", "elo0=5,elo1=5", "alpha=0", "beta=0.5", "model=bayes", "elo1=inf", "gamma=1"]
        {
            assert!(wrong.parse::<Sprt>().is_err(), "{wrong}");
        }
    }
}
