use super::*;
use crate::sample::Label;
use crate::testing::random_game;
use common::chance::RngExt;
use engine::eval::network::{INPUT_LIMIT, OUTPUT_LIMIT};
use engine::eval::{Evaluate, Network};

/// Positions whose result and score are who is ahead: what a network should learn soon.
fn set() -> Set {
    let mut set = Set::default();
    for number in 0..120 {
        let part = if number % 10 == 0 { &mut set.held_out } else { &mut set.train };
        part.extend(random_game(number, 60).samples);
    }
    set
}

fn recipe() -> Recipe {
    Recipe {
        seed: 4,
        epochs: 6,
        rate: 0.004,
        batch: 128,
        blend: 0.7,
        name: "toy".into(),
        from: None,
        threads: 1,
    }
}

fn fitted<'a>(set: &'a Set, recipe: &Recipe) -> Fit<'a> {
    let mut fit = Fit::new(set, recipe);
    while !fit.is_done() {
        assert!(fit.epoch(&mut |_| true).is_some());
    }
    fit
}

#[test]
fn a_toy_is_learned_and_put_into_whole_numbers() {
    let set = set();
    let fit = fitted(&set, &recipe());
    let (first, last) = (fit.epochs()[0], fit.epochs()[5]);
    assert!(last.train < 0.8 * first.train, "{first:?} {last:?}");
    assert!(
        last.held_out < first.held_out - 0.02 && last.results < first.results - 0.02,
        "{first:?} {last:?}"
    );
    // By no knowledge at all the loss against results is that of even chances.
    assert!(last.results < 0.75 * 2f64.ln(), "{last:?}");

    let network = Network::new(fit.weights());
    let mut worst = 0.0f64;
    for sample in &set.held_out {
        let exact = f64::from(network::output(&fit.parameters, sample)) * fit.scale().round();
        let whole = f64::from(network.evaluate(&sample.position().unwrap()));
        worst = worst.max((exact - whole).abs());
    }
    // In hundredths of a man.
    assert!(worst < 5.0, "{worst}");
    assert_eq!(network.weights().name, "toy");
}

#[test]
fn threads_change_nothing() {
    let set = set();
    let recipe = Recipe { epochs: 3, ..recipe() };
    let one = fitted(&set, &recipe);
    let two = fitted(&set, &Recipe { threads: 2, ..recipe.clone() });
    assert_eq!((one.weights(), &one.parameters), (two.weights(), &two.parameters));

    let mut steps = 0;
    let given_up = Fit::new(&set, &recipe).epoch(&mut |_| {
        steps += 1;
        steps < 4
    });
    assert_eq!((given_up, steps), (None, 4));
}

#[test]
fn a_fit_begins_from_weights_and_these_do_not_change_by_that() {
    let set = set();
    let mut weights = fitted(&set, &Recipe { epochs: 1, ..recipe() }).weights();
    // As large as a file may hold them.
    weights.input[0][..2].copy_from_slice(&[INPUT_LIMIT, -INPUT_LIMIT]);
    weights.bias[3] = INPUT_LIMIT;
    weights.output[7][1][9] = -OUTPUT_LIMIT;
    weights.output_bias[2] = 1_600_001;
    weights.scale = 9;
    let begun = Recipe { from: Some(weights.clone()), ..recipe() };
    let fit = Fit::new(&set, &begun);
    let begun_with = fit.weights();
    assert_ne!(begun_with.scale, 9);
    assert_eq!(begun_with, Weights { name: "toy".into(), scale: begun_with.scale, ..weights });

    // From what was learned the first epoch is better than from nothing.
    let learned = fitted(&set, &recipe()).weights();
    let mut again = Fit::new(&set, &Recipe { from: Some(learned), ..recipe() });
    let first = again.epoch(&mut |_| true).unwrap();
    assert!(first.train < 0.8 * fitted(&set, &recipe()).epochs()[0].train, "{first:?}");
}

/// The slope that a fit descends by is that of its loss: small steps along each layer's parameters say so.
#[test]
fn slopes_are_those_of_the_loss() {
    let samples = set().held_out;
    let mut parameters = network::start(3);
    let mut random = chance::stream(&[5]);
    for sample in samples.iter().step_by(samples.len() / 5) {
        let mut slope = vec![0.0; parameters.len()];
        let before = network::learn(&parameters, sample, 0.8, &mut slope);
        // Of those that matter, some of each layer.
        let mut live: Vec<usize> = (0..slope.len()).filter(|&index| slope[index].abs() > 2e-3).collect();
        live.shuffle(&mut random);
        for part in [0..network::OUTPUT, network::OUTPUT..parameters.len()] {
            let chosen: Vec<usize> =
                live.iter().copied().filter(|index| part.contains(index)).take(40).collect();
            assert_eq!(chosen.len(), 40);
            // A neuron may open or shut within a step, but hardly at all of them.
            let close = chosen.iter().filter(|&&index| {
                let step = 1e-2f32.copysign(slope[index]);
                let kept = parameters[index];
                parameters[index] = kept + step;
                let after = network::learn(&parameters, sample, 0.8, &mut vec![0.0; slope.len()]);
                parameters[index] = kept;
                ((after - before) / step / slope[index] - 1.0).abs() < 0.1
            });
            let close = close.count();
            assert!(close >= 36, "{close} of 40");
        }
    }
}

#[test]
fn the_scale_of_scores_is_found() {
    // Points by the formula itself, for scores of all sizes.
    let mut samples = Vec::new();
    let mut random = chance::stream(&[3]);
    let sample = random_game(0, 9).samples[0];
    for _ in 0..40_000 {
        let score = random.random_range(-400..=400);
        let chance = scale::points(score.into(), 120.0);
        let won = random.random_bool(chance);
        let label = if won { Label::Win } else { Label::Loss };
        samples.push(Sample { score, label, ..sample });
    }
    let (found, loss) = scale::fit(&samples);
    assert!((114.0..126.0).contains(&found), "{found}");
    assert!(loss < scale::loss(&samples, 60.0) && loss < scale::loss(&samples, 240.0));
}
