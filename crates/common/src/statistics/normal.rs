//! The normal distribution.

use std::f64::consts::{PI, SQRT_2};

/// The half width of the 95% interval in standard deviations.
pub(super) const Z95: f64 = 1.959_963_984_540_054;

/// Returns the probability that a standard normal variable is below `x`.
pub(super) fn cumulative(x: f64) -> f64 {
    0.5 * (1.0 + error_function(x / SQRT_2))
}

/// Computes the series erf x = 2/sqrt(pi) e^(-x^2) sum 2^n x^(2n+1) / (2n+1)!!, whose terms all have the same sign, so that
/// nothing cancels. Beyond 6 the result is 1 to the last bit.
fn error_function(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x.abs() > 6.0 {
        return x.signum();
    }
    let (mut term, mut sum, mut divisor) = (x, x, 1.0);
    while term.abs() > sum.abs() * 1e-17 {
        divisor += 2.0;
        term *= 2.0 * x * x / divisor;
        sum += term;
    }
    2.0 / PI.sqrt() * (-x * x).exp() * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_the_printed_tables() {
        // Abramowitz and Stegun, Handbook of Mathematical Functions, tables 7.1 and 26.1.
        for (x, value) in [(0.0, 0.0), (0.5, 0.520_499_877_8), (1.0, 0.842_700_792_9), (2.0, 0.995_322_265_0)]
        {
            assert!((error_function(x) - value).abs() < 1e-10, "erf {x}");
            assert!((error_function(-x) + value).abs() < 1e-10, "erf -{x}");
        }
        assert!((cumulative(1.0) - 0.841_344_746_1).abs() < 1e-10);
        assert!((cumulative(Z95) - 0.975).abs() < 1e-12);
        assert!(cumulative(40.0) >= 1.0 && cumulative(-40.0) <= 0.0);
    }
}
