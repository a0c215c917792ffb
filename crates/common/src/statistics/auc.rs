//! How well a score separates two classes.

use super::normal::Z95;
use super::{Interval, real};

/// Returns the area under the ROC curve: the probability that a random score of the upper class is higher than a random one of
/// the lower class, where equal scores count a half. None if a class is empty. The error is that of Hanley and `McNeil` (1982).
pub fn auc(lower: &[i32], upper: &[i32]) -> Option<Interval> {
    if lower.is_empty() || upper.is_empty() {
        return None;
    }
    let mut lower = lower.to_vec();
    lower.sort_unstable();
    let twice: usize = upper
        .iter()
        .map(|score| {
            lower.partition_point(|other| other < score) + lower.partition_point(|other| other <= score)
        })
        .sum();
    let (n, m) = (real(lower.len() as u64), real(upper.len() as u64));
    let area = real(twice as u64) / 2.0 / (n * m);
    let square = area * area;
    let (one_lower, one_upper) = (area / (2.0 - area) - square, 2.0 * square / (1.0 + area) - square);
    let variance = (area - square + (m - 1.0) * one_lower + (n - 1.0) * one_upper) / (n * m);
    let reach = Z95 * variance.max(0.0).sqrt();
    Some(Interval { value: area, low: area - reach, high: area + reach })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separated_mixed_and_equal_scores() {
        let value = |lower: &[i32], upper: &[i32]| auc(lower, upper).map(|area| area.value);
        assert_eq!(value(&[1, 2, 3], &[4, 5]), Some(1.0));
        assert_eq!(value(&[4, 5], &[1, 2, 3]), Some(0.0));
        assert_eq!(value(&[7, 7], &[7]), Some(0.5));
        assert_eq!(value(&[1, 3], &[2, 4]), Some(0.75));
        assert_eq!((value(&[], &[1]), value(&[1], &[])), (None, None));
    }

    /// The example of the paper: 58 normal and 51 abnormal images, rated from 1 to 5, have an area of 0.893 and a standard
    /// error of 0.032.
    #[test]
    fn the_error_is_the_published_one() {
        let rated = |counts: [usize; 5]| -> Vec<i32> {
            (1..).zip(counts).flat_map(|(rating, count)| std::iter::repeat_n(rating, count)).collect()
        };
        let area = auc(&rated([33, 6, 6, 11, 2]), &rated([3, 2, 2, 11, 33])).unwrap();
        assert!((area.value - 0.893).abs() < 0.001, "{area:?}");
        assert!((area.error() / Z95 - 0.032).abs() < 0.001, "{area:?}");
    }
}
