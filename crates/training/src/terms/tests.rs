use super::*;
use crate::testing::random_game;
use kelso_draughts::board::Position;
use kelso_draughts::result::Wdl;
use kelso_engine::eval::Classic;
use kelso_random::RngExt;

fn options() -> RegressionOptions {
    RegressionOptions { blend: 1.0, ridge: 1.0, steps: 20, without: Vec::new(), threads: 1 }
}

/// Returns positions from random games, with results drawn from the probabilities that the given weights
/// predict.
fn planted(weights: &[(usize, i32)]) -> TrainingSet {
    let mut values = vec![0; TermWeights::default().values().len()];
    for &(index, value) in weights {
        values[index] = value;
    }
    let classic = Classic::new(&values);
    let mut random = kelso_random::stream(&[9]);
    let mut set = TrainingSet::default();
    for number in 0..600 {
        let part = if number % 6 == 0 { &mut set.held_out } else { &mut set.train };
        part.extend(random_game(number, 60).samples.iter().map(|sample| {
            let value = classic.evaluate(&sample.position());
            let chance = scale::points(value.into(), 100.0);
            let won = random.random_bool(chance);
            let score = i16::try_from(value).unwrap();
            sample.with(score, if won { Wdl::Win } else { Wdl::Loss })
        }));
    }
    set
}

fn fitted<'a>(set: &'a TrainingSet, options: &RegressionOptions) -> (Regression<'a>, Vec<Losses>) {
    let mut regression = Regression::new(set, options).unwrap();
    regression.scores = 100.0;
    let mut steps = vec![regression.step(&|_| true).unwrap()];
    while !regression.is_done() {
        steps.push(regression.step(&|_| true).unwrap());
    }
    (regression, steps)
}

fn evaluation(regression: &Regression<'_>) -> Classic {
    Classic::new(regression.weights().values())
}

/// The early and late weights of a man, a king and the turn.
const PLANTED: [(usize, i32); 6] = [(0, 800), (1, 1200), (2, 1500), (3, 2000), (10, 300), (11, 600)];

#[test]
fn planted_weights_are_recovered() {
    let set = planted(&PLANTED);
    let (regression, steps) = fitted(&set, &options());
    let (first, last) = (steps[0], steps[steps.len() - 1]);
    assert!((first.train - 2f64.ln()).abs() < 1e-9);
    assert!(last.held_out < first.held_out - 0.05 && steps.len() < 15, "{steps:?}");
    assert!(steps.is_sorted_by(|a, b| a.train >= b.train), "{steps:?}");
    // Many terms are correlated, so evaluations are compared instead of weights.
    let mut values = vec![0; regression.weights().values().len()];
    for (index, value) in PLANTED {
        values[index] = value;
    }
    let (found, planted) = (evaluation(&regression), Classic::new(&values));
    let mut sum = 0.0;
    for sample in &set.held_out {
        let position = sample.position();
        let points = |value: i32| scale::points(value.into(), 100.0);
        sum += (points(found.evaluate(&position)) - points(planted.evaluate(&position))).abs();
    }
    assert!(mean(sum, set.held_out.len()) < 0.05, "{sum}");
}

#[test]
fn the_answer_does_not_depend_on_threads_and_an_interrupted_step_changes_nothing() {
    let set = planted(&PLANTED);
    let options = RegressionOptions { steps: 3, ..options() };
    let (one, steps) = fitted(&set, &options);
    assert_eq!(steps.len(), 4);
    let (two, again) = fitted(&set, &RegressionOptions { threads: 3, ..options.clone() });
    assert_eq!((one.parameters.clone(), &steps), (two.parameters, &again));

    let mut broken = Regression::new(&set, &options).unwrap();
    broken.scores = 100.0;
    assert_eq!(broken.step(&|_| false), None);
    assert_eq!(broken.step(&|_| true), Some(steps[0]));
    assert_eq!(broken.step(&|_| false), None);
    for step in &steps[1..] {
        assert_eq!(broken.step(&|_| true), Some(*step));
    }
    assert_eq!(one.weights(), broken.weights());
}

#[test]
fn terms_can_be_left_out() {
    let set = planted(&PLANTED);
    let without = |names: &[&str]| {
        let without = names.iter().map(|&name| name.to_owned()).collect();
        Regression::new(&set, &RegressionOptions { without, steps: 2, ..options() })
    };
    let mut regression = without(&["king-", "turn"]).unwrap();
    regression.step(&|_| true).unwrap();
    regression.step(&|_| true).unwrap();
    for (name, values) in regression.weights().rows() {
        let out = name == "turn" || name.starts_with("king-");
        assert!(values == [0, 0] || !out, "{name}");
        assert!(values != [0, 0] || name != "king", "{name}");
    }
    assert_eq!(without(&["turn", "tur-"]).unwrap_err().text, "tur-");
}

#[test]
fn the_blend_selects_the_target() {
    let mut set = planted(&PLANTED);
    // Make the scores contradict the results.
    for sample in set.train.iter_mut().chain(&mut set.held_out) {
        sample.score = -sample.score;
    }
    let ahead = kelso_draughts::notation::fen::parse("B:W21-28:B1-4,6-11").unwrap();
    let value =
        |blend| evaluation(&fitted(&set, &RegressionOptions { blend, ..options() }).0).evaluate(&ahead);
    assert!(value(1.0) > 100 && value(0.0) < value(1.0) - 100, "{} {}", value(1.0), value(0.0));
    assert_eq!(Classic::new(&[]).evaluate(&Position::start()), 0);
}
