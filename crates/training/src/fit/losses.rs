//! Losses of predictions, less what no prediction can avoid.

use super::scale::cross_entropy;
use crate::sample::TrainingSample;
use kelso_engine::eval::Network;
use kelso_reports::statistics::real;

/// The cross-entropy of predictions, and the entropy of their targets. A perfect prediction has the entropy
/// as its loss, so only the difference can be learned.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ExcessLoss {
    pub samples: u64,
    losses: f64,
    entropies: f64,
}

impl ExcessLoss {
    pub(crate) fn add(&mut self, expected: f64, target: f64) {
        self.samples += 1;
        self.losses += cross_entropy(expected, target);
        self.entropies += cross_entropy(target, target);
    }

    /// Adds a sample as predicted by the compiled-in network. The target is the score alone.
    pub(crate) fn add_compiled_in(&mut self, sample: &TrainingSample) {
        let network = Network::compiled_in();
        let scale = network.weights().scale.into();
        let expected = super::scale::points(network.evaluate(&sample.position()).into(), scale);
        self.add(expected, super::scale::points(sample.score.into(), scale));
    }

    /// Adds the samples of another sum.
    pub fn merge(&mut self, other: &Self) {
        self.samples += other.samples;
        self.losses += other.losses;
        self.entropies += other.entropies;
    }

    pub fn loss(&self) -> f64 {
        self.losses / real(self.samples.max(1))
    }

    /// Returns the mean entropy of the targets.
    pub fn entropy(&self) -> f64 {
        self.entropies / real(self.samples.max(1))
    }

    /// Returns the mean loss less the entropy.
    pub fn excess(&self) -> f64 {
        self.loss() - self.entropy()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_draughts::board::Position;
    use kelso_draughts::result::Wdl;

    #[test]
    fn a_perfect_prediction_has_no_excess_loss() {
        let mut losses = ExcessLoss::default();
        for target in [0.0, 0.2, 0.5, 1.0] {
            losses.add(target, target);
        }
        assert!(losses.excess().abs() < 1e-9 && losses.loss() > 0.2, "{losses:?}");
        losses.add(0.4, 0.6);
        let excess = 0.2 * (0.6f64 / 0.4).ln();
        assert!((losses.excess() - excess / 5.0).abs() < 1e-7, "{losses:?}");
        let mut both = losses;
        both.merge(&losses);
        assert_eq!((both.samples, both.excess()), (10, losses.excess()));
    }

    #[test]
    fn the_compiled_in_network_is_right_about_its_own_values() {
        let start = Position::start();
        let value = i16::try_from(Network::compiled_in().evaluate(&start)).unwrap();
        let mut losses = ExcessLoss::default();
        losses.add_compiled_in(&TrainingSample::new(&start, value, Wdl::Draw, 0));
        assert!(losses.excess().abs() < 1e-9 && losses.samples == 1, "{losses:?}");
        losses.add_compiled_in(&TrainingSample::new(&start, value + 100, Wdl::Draw, 0));
        assert!(losses.excess() > 0.01, "{losses:?}");
    }
}
