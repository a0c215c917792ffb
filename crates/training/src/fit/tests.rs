use ReportedScore::{Loss, Win};

use super::*;
use crate::testing::random_game;
use kelso_draughts::board::Position;
use kelso_draughts::result::Wdl;
use kelso_draughts::score::ReportedScore;
use kelso_engine::eval::Network;
use kelso_engine::eval::network::{INPUT_LIMIT, OUTPUT_LIMIT};
use kelso_random::RngExt;

/// Returns positions whose result and score depend on the material balance, which a network learns quickly.
fn set() -> TrainingSet {
    let mut set = TrainingSet::default();
    for number in 0..120 {
        let part = if number % 10 == 0 { &mut set.held_out } else { &mut set.train };
        part.extend(random_game(number, 60).samples);
    }
    set
}

fn options() -> FitOptions {
    FitOptions {
        seed: 4,
        epochs: 6,
        learning_rate: 0.004,
        batch: 128,
        blend: 0.7,
        balance: 0.0,
        name: "toy".into(),
        from: None,
        threads: 1,
    }
}

fn fitted<'a>(set: &'a TrainingSet, options: &FitOptions) -> Fit<'a> {
    let mut fit = Fit::new(set, options);
    while !fit.is_done() {
        assert!(fit.epoch(&mut |_| true).is_some());
    }
    fit
}

#[test]
fn a_small_data_set_is_fitted_and_quantised() {
    let set = set();
    let fit = fitted(&set, &options());
    let (first, last) = (fit.epochs[0], fit.epochs[5]);
    assert!(last.train < 0.8 * first.train, "{first:?} {last:?}");
    assert!(
        last.held_out < first.held_out - 0.02 && last.results < first.results - 0.02,
        "{first:?} {last:?}"
    );
    // An untrained network's loss against results is ln 2.
    assert!(last.results < 0.75 * 2f64.ln(), "{last:?}");

    let network = Network::new(fit.weights());
    let mut worst = 0.0f64;
    for sample in &set.held_out {
        let exact = f64::from(network::output(&fit.parameters, sample)) * fit.scale.round();
        let whole = f64::from(network.evaluate(&sample.position()));
        worst = worst.max((exact - whole).abs());
    }
    // In hundredths of a man.
    assert!(worst < 5.0, "{worst}");
    assert_eq!(network.weights().name, "toy");
}

#[test]
fn a_fit_does_not_depend_on_threads() {
    let set = set();
    let options = FitOptions { epochs: 3, ..options() };
    let one = fitted(&set, &options);
    let two = fitted(&set, &FitOptions { threads: 2, ..options.clone() });
    assert_eq!((one.weights(), &one.parameters), (two.weights(), &two.parameters));

    let mut steps = 0;
    let given_up = Fit::new(&set, &options).epoch(&mut |_| {
        steps += 1;
        steps < 4
    });
    assert_eq!((given_up, steps), (None, 4));
}

#[test]
fn a_fit_begins_from_weights_and_these_do_not_change_by_that() {
    let set = set();
    let mut weights = fitted(&set, &FitOptions { epochs: 1, ..options() }).weights();
    // The largest values that a file may hold.
    weights.factors[0].input[0][..2].copy_from_slice(&[INPUT_LIMIT, -INPUT_LIMIT]);
    weights.factors[0].bias[3] = INPUT_LIMIT;
    weights.output[7][1][9] = -OUTPUT_LIMIT;
    weights.output_bias[2] = 1_600_001;
    weights.scale = 9;
    let begun = FitOptions { from: Some(weights.clone()), ..options() };
    let fit = Fit::new(&set, &begun);
    let begun_with = fit.weights();
    assert_ne!(begun_with.scale, 9);
    assert_eq!(begun_with, NetworkWeights { name: "toy".into(), scale: begun_with.scale, ..weights });

    // Starting from trained weights, the first epoch is better than from scratch.
    let learned = fitted(&set, &options()).weights();
    let mut again = Fit::new(&set, &FitOptions { from: Some(learned), ..options() });
    let first = again.epoch(&mut |_| true).unwrap();
    assert!(first.train < 0.8 * fitted(&set, &options()).epochs[0].train, "{first:?}");
}

/// Compares the gradient with finite differences in each layer.
#[test]
fn sooner_wins_and_later_losses_are_worth_more() {
    let points = |score| {
        let sample = TrainingSample::new(&Position::start(), TrainingSample::score_of(score), Wdl::Win, 0);
        target(&sample, 100.0, 0.5)
    };
    let scores = [Win(None), Win(Some(9)), Win(Some(61)), Win(Some(200)), Loss(Some(60)), Loss(Some(8))];
    assert!(scores.is_sorted_by(|&better, &worse| points(better) > points(worse)));
    assert_eq!((points(Win(None)), points(Win(Some(200)))), (1.0, 0.6));
}

#[test]
fn classes_with_few_samples_weigh_more_with_balance() {
    let set = set();
    assert!(class_weights(&set.train, 0.0).iter().all(|&weight| (weight - 1.0).abs() < 1e-6));
    let weights = class_weights(&set.train, 0.5);
    let mut counts = [0.0f32; BUCKETS];
    for sample in &set.train {
        counts[bucket(sample.pieces())] += 1.0;
    }
    let seen: Vec<_> = counts.iter().zip(weights).filter(|&(&count, _)| count > 0.0).collect();
    let total: f32 = seen.iter().map(|&(count, weight)| count * weight).sum();
    assert!((total / counts.iter().sum::<f32>() - 1.0).abs() < 1e-4, "{total}");
    // The square root of the share times the weight is the same for all.
    let constants: Vec<f32> = seen.iter().map(|&(count, weight)| count.sqrt() * weight).collect();
    assert!(
        seen.len() > 2 && constants.iter().all(|&c| (c / constants[0] - 1.0).abs() < 1e-4),
        "{constants:?}"
    );
}

#[test]
fn gradients_are_those_of_the_loss() {
    let samples = set().held_out;
    let mut parameters = network::start(3);
    let mut random = kelso_random::stream(&[5]);
    for sample in samples.iter().step_by(samples.len() / 5) {
        let mut gradient = vec![0.0; parameters.len()];
        let before = network::learn(&parameters, sample, 0.8, 1.0, &mut gradient);
        // Some relevant parameters of each layer.
        let mut live: Vec<usize> =
            (0..gradient.len()).filter(|&index| gradient[index].abs() > 2e-3).collect();
        live.shuffle(&mut random);
        let ends = [0, network::OUTPUT, network::LAYERS, parameters.len()];
        for part in ends.array_windows().map(|&[start, end]| start..end) {
            let chosen: Vec<usize> =
                live.iter().copied().filter(|index| part.contains(index)).take(40).collect();
            assert_eq!(chosen.len(), 40);
            // A neuron may switch on or off within a step, but not for many parameters.
            let close = chosen.iter().filter(|&&index| {
                let step = 1e-2f32.copysign(gradient[index]);
                let kept = parameters[index];
                parameters[index] = kept + step;
                let after = network::learn(&parameters, sample, 0.8, 1.0, &mut vec![0.0; gradient.len()]);
                parameters[index] = kept;
                ((after - before) / f64::from(step * gradient[index]) - 1.0).abs() < 0.1
            });
            let close = close.count();
            assert!(close >= 36, "{close} of 40");
        }
    }
}

#[test]
fn the_scale_of_scores_is_found() {
    // Results drawn with the probabilities of the formula, for scores of all sizes.
    let mut samples = Vec::new();
    let mut random = kelso_random::stream(&[3]);
    let sample = random_game(0, 9).samples[0];
    for _ in 0..40_000 {
        let score = random.random_range(-400..=400);
        let chance = scale::points(score.into(), 120.0);
        let won = random.random_bool(chance);
        let label = if won { Wdl::Win } else { Wdl::Loss };
        samples.push(sample.with(score, label));
    }
    let found = scale::fit(&samples);
    let loss = scale::loss(&samples, found);
    assert!((114.0..126.0).contains(&found), "{found}");
    assert!(loss < scale::loss(&samples, 60.0) && loss < scale::loss(&samples, 240.0));
}

#[test]
fn the_chart_has_every_epoch() {
    for count in [0, 1, 2, 300] {
        let epochs: Vec<Losses> = (1..=count)
            .map(|number| {
                let loss = 1.0 / f64::from(number);
                Losses { number, train: loss, held_out: loss + 0.1, results: loss + 0.2 }
            })
            .collect();
        let svg = draw("a <b>", &epochs);
        let document = roxmltree::Document::parse(&svg).unwrap();
        let lines: Vec<_> = document.descendants().filter(|node| node.has_tag_name("polyline")).collect();
        assert_eq!(lines.len(), 3);
        for line in lines {
            let points: Vec<&str> = line.attribute("points").unwrap().split_whitespace().collect();
            assert_eq!(points.len(), epochs.len());
        }
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
