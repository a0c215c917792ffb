//! The network during training: like [`kelso_engine::eval::network`], but in floating point.

use arrayvec::ArrayVec;

use super::gradients::{row, row_mut};
use super::points;
use super::scale::cross_entropy;
use crate::sample::TrainingSample;
use kelso_engine::eval::network::layers::{
    ACTIVATION_ONE, BIAS_LIMIT, HIDDEN, LAST, PRODUCT_WEIGHT_ONE, SMALL_LIMIT, SMALL_ONE, SUM_ONE,
};
use kelso_engine::eval::network::{
    BUCKETS, CONTACT_LIMIT, FEATURES, INPUT_LIMIT, NetworkWeights, ONE, OUTPUT_LIMIT, OUTPUT_ONE,
    PIECE_FEATURES, WIDTH, bucket, features,
};
use kelso_random::RngExt;

/// Parameters: for each factor its input weights and biases; output weights; output biases; for each set the
/// layers beside the output.
const PARAMETERS: usize = LAYERS + BUCKETS * SET;
/// The parameters of a factor.
const FACTOR: usize = BIAS + WIDTH;
/// The biases of a factor begin here within its parameters.
const BIAS: usize = FEATURES * WIDTH;
pub(super) const OUTPUT: usize = 2 * FACTOR;
const OUTPUT_BIAS: usize = OUTPUT + BUCKETS * PRODUCTS;
pub(super) const LAYERS: usize = OUTPUT_BIAS + BUCKETS;
/// The products of both views.
const PRODUCTS: usize = 2 * WIDTH;
/// Offsets of the parts of a set of layers.
const HIDDEN_BIAS: usize = HIDDEN * PRODUCTS;
const LAST_WEIGHTS: usize = HIDDEN_BIAS + HIDDEN;
const LAST_BIAS: usize = LAST_WEIGHTS + HIDDEN * LAST;
const LAST_OUTPUT: usize = LAST_BIAS + LAST;
const SET: usize = LAST_OUTPUT + LAST;

/// The active features of one perspective.
type Active = ArrayVec<usize, FEATURES>;
type Layer = [f32; WIDTH];

/// Returns the active features from both perspectives, that of the side to move first.
fn perspectives(sample: &TrainingSample) -> [Active; 2] {
    let mut views = [Active::new(), Active::new()];
    // A sample has Black to move.
    for (kind, mut set) in features(&sample.position()).into_iter().enumerate() {
        while set != 0 {
            let feature = kind * 64 + set.trailing_zeros() as usize;
            views[0].push(feature);
            views[1].push(feature ^ 63);
            set &= set - 1;
        }
    }
    views
}

/// Returns small random weights.
pub(super) fn start(seed: u64) -> Vec<f32> {
    let mut random = kelso_random::stream(&[seed]);
    (0..PARAMETERS)
        .map(|index| match part(index) {
            WeightKind::Piece => even(&mut random, 0.12),
            WeightKind::Contact => even(&mut random, 0.02),
            WeightKind::Bias | WeightKind::HiddenBias | WeightKind::LastBias => 0.25,
            WeightKind::Output => even(&mut random, 0.08),
            WeightKind::OutputBias => 0.0,
            WeightKind::Hidden => even(&mut random, 0.13),
            WeightKind::Last => even(&mut random, 0.5),
            WeightKind::LastOutput => even(&mut random, 0.05),
        })
        .collect()
}

fn even(random: &mut impl RngExt, reach: f32) -> f32 {
    (random.random::<f32>() * 2.0 - 1.0) * reach
}

/// The kinds of parameters.
#[derive(Clone, Copy)]
enum WeightKind {
    /// A weight of a piece in a factor.
    Piece,
    /// A weight of another feature.
    Contact,
    Bias,
    Output,
    OutputBias,
    Hidden,
    HiddenBias,
    Last,
    LastBias,
    LastOutput,
}

fn part(index: usize) -> WeightKind {
    const PIECES: usize = PIECE_FEATURES * WIDTH;
    match index {
        ..OUTPUT => match index % FACTOR {
            ..PIECES => WeightKind::Piece,
            PIECES..BIAS => WeightKind::Contact,
            _ => WeightKind::Bias,
        },
        OUTPUT..OUTPUT_BIAS => WeightKind::Output,
        OUTPUT_BIAS..LAYERS => WeightKind::OutputBias,
        _ => match (index - LAYERS) % SET {
            ..HIDDEN_BIAS => WeightKind::Hidden,
            HIDDEN_BIAS..LAST_WEIGHTS => WeightKind::HiddenBias,
            LAST_WEIGHTS..LAST_BIAS => WeightKind::Last,
            LAST_BIAS..LAST_OUTPUT => WeightKind::LastBias,
            _ => WeightKind::LastOutput,
        },
    }
}

fn sums(parameters: &[f32], factor: usize, view: &Active) -> Layer {
    let start = factor * FACTOR;
    let mut layer: Layer = *row(parameters, start + BIAS);
    for &feature in view {
        for (sum, weight) in layer.iter_mut().zip(row::<WIDTH>(parameters, start + feature * WIDTH)) {
            *sum += weight;
        }
    }
    layer
}

/// Returns a weighted sum. The sixteen partial sums allow SIMD, and fix the order of the additions on all
/// machines.
fn weigh(numbers: &[f32; PRODUCTS], weights: &[f32; PRODUCTS]) -> f32 {
    let mut sums = [0.0f32; 16];
    for (numbers, weights) in numbers.as_chunks::<16>().0.iter().zip(weights.as_chunks::<16>().0) {
        for ((sum, number), weight) in sums.iter_mut().zip(numbers).zip(weights) {
            *sum += number * weight;
        }
    }
    sums.iter().sum()
}

/// Returns the square of a clamped sum.
fn activation(sum: f32) -> f32 {
    let clamped = sum.clamp(0.0, 1.0);
    clamped * clamped
}

/// Returns the derivative of [`activation`].
fn slope(sum: f32) -> f32 {
    if sum > 0.0 && sum < 1.0 { 2.0 * sum } else { 0.0 }
}

/// The intermediate results for a sample.
struct Forward {
    views: [Active; 2],
    /// The sums by view and factor.
    factors: [[Layer; 2]; 2],
    products: [f32; PRODUCTS],
    hidden: [f32; HIDDEN],
    last: [f32; LAST],
    /// Index of the output weights.
    at: usize,
    /// Index of the output bias.
    bias: usize,
    /// Index of the layers.
    set: usize,
    output: f32,
}

impl Forward {
    fn of(parameters: &[f32], sample: &TrainingSample) -> Self {
        let views = perspectives(sample);
        let factors = views.each_ref().map(|view| [0, 1].map(|factor| sums(parameters, factor, view)));
        let mut products = [0.0; PRODUCTS];
        for ([a, b], products) in factors.iter().zip(products.as_chunks_mut::<WIDTH>().0) {
            for ((a, b), product) in a.iter().zip(b).zip(products) {
                *product = a.clamp(0.0, 1.0) * b.clamp(0.0, 1.0);
            }
        }
        let bucket = bucket(sample.pieces());
        let at = OUTPUT + bucket * PRODUCTS;
        let bias = OUTPUT_BIAS + bucket;
        let set = LAYERS + bucket * SET;
        let mut hidden: [f32; HIDDEN] = *row(parameters, set + HIDDEN_BIAS);
        for (neuron, sum) in hidden.iter_mut().enumerate() {
            *sum += weigh(&products, row(parameters, set + neuron * PRODUCTS));
        }
        let mut last: [f32; LAST] = *row(parameters, set + LAST_BIAS);
        for (neuron, &sum) in hidden.iter().enumerate() {
            for (index, last) in last.iter_mut().enumerate() {
                *last += activation(sum) * parameters[set + last_weight(neuron, index)];
            }
        }
        let mut output = parameters[bias] + weigh(&products, row(parameters, at));
        for (sum, weight) in last.iter().zip(row::<LAST>(parameters, set + LAST_OUTPUT)) {
            output += activation(*sum) * weight;
        }
        Self { views, factors, products, hidden, last, at, bias, set, output }
    }
}

/// Returns the index of a weight of the last layer in a set.
const fn last_weight(hidden: usize, last: usize) -> usize {
    LAST_WEIGHTS + (hidden / 2 * LAST + last) * 2 + hidden % 2
}

/// Adds `factor` times the terms to the numbers from an index on.
fn add_all<const N: usize>(numbers: &mut [f32], at: usize, terms: &[f32; N], factor: f32) {
    row_mut::<N>(numbers, at).iter_mut().zip(terms).for_each(|(number, term)| *number += factor * term);
}

/// Returns the output for a sample, as the logarithm of the odds.
pub(super) fn output(parameters: &[f32], sample: &TrainingSample) -> f32 {
    Forward::of(parameters, sample).output
}

/// Adds `weight` times the gradient of a sample's loss to `gradient` and returns the loss.
pub(super) fn learn(
    parameters: &[f32],
    sample: &TrainingSample,
    target: f32,
    weight: f32,
    gradient: &mut [f32],
) -> f64 {
    let forward = Forward::of(parameters, sample);
    let Forward { views, factors, products, hidden, last, at, bias, set, output } = &forward;
    let expected = points(*output);
    let error = weight * (expected - target);
    gradient[*bias] += error;
    add_all(gradient, *at, products, error);
    // The derivatives of the loss by the products.
    let mut back = row::<PRODUCTS>(parameters, *at).map(|weight| error * weight);
    let mut hidden_back = [0.0; HIDDEN];
    for (index, &sum) in last.iter().enumerate() {
        gradient[set + LAST_OUTPUT + index] += error * activation(sum);
        let back = error * parameters[set + LAST_OUTPUT + index] * slope(sum);
        gradient[set + LAST_BIAS + index] += back;
        for (neuron, (hidden_back, &hidden)) in hidden_back.iter_mut().zip(hidden).enumerate() {
            let weight = set + last_weight(neuron, index);
            gradient[weight] += back * activation(hidden);
            *hidden_back += back * parameters[weight];
        }
    }
    for (neuron, (hidden_back, &sum)) in hidden_back.iter().zip(hidden).enumerate() {
        let hidden_back = hidden_back * slope(sum);
        if hidden_back == 0.0 {
            continue;
        }
        gradient[set + HIDDEN_BIAS + neuron] += hidden_back;
        add_all(gradient, set + neuron * PRODUCTS, products, hidden_back);
        add_all(&mut back, 0, row::<PRODUCTS>(parameters, set + neuron * PRODUCTS), hidden_back);
    }
    for ((view, [a, b]), back) in views.iter().zip(factors).zip(back.as_chunks::<WIDTH>().0) {
        for (factor, (own, other)) in [(a, b), (b, a)].into_iter().enumerate() {
            let mut sums_back = [0.0; WIDTH];
            for (((sum_back, own), other), back) in sums_back.iter_mut().zip(own).zip(other).zip(back) {
                let open = *own > 0.0 && *own < 1.0;
                *sum_back = if open { back * other.clamp(0.0, 1.0) } else { 0.0 };
            }
            for at in view.iter().map(|feature| feature * WIDTH).chain([BIAS]) {
                add_all(gradient, factor * FACTOR + at, &sums_back, 1.0);
            }
        }
    }
    cross_entropy(expected.into(), target.into())
}

/// Converts weights to parameters. The weights' scale is omitted, since it only converts outputs to scores.
pub(super) fn parameters(weights: &NetworkWeights) -> Vec<f32> {
    let mut parameters = vec![0.0; PARAMETERS];
    for (index, factor) in weights.factors.iter().enumerate() {
        let layers = factor.input.iter().chain([&factor.bias]);
        fill(&mut parameters, index * FACTOR, layers.flat_map(|layer| layer.0).map(i32::from));
    }
    let output = weights.output.iter().flatten().flat_map(|layer| layer.0);
    fill(&mut parameters, OUTPUT, output.map(i32::from).chain(weights.output_bias));
    for (bucket, layers) in weights.layers.iter().enumerate() {
        let hidden = layers.hidden.iter().flatten().flat_map(|weights| weights.0).map(i32::from);
        let last = layers.last.iter().flatten().flatten().map(|&weight| i32::from(weight));
        let numbers = hidden.chain(layers.hidden_bias).chain(last).chain(layers.last_bias);
        fill(&mut parameters, LAYERS + bucket * SET, numbers.chain(layers.output.map(i32::from)));
    }
    parameters
}

/// Sets the parameters from an index on to the integers of a weights file.
#[expect(clippy::cast_precision_loss, reason = "the rounding error of such a large bias does not matter")]
fn fill(parameters: &mut [f32], start: usize, numbers: impl Iterator<Item = i32>) {
    for ((index, parameter), number) in parameters.iter_mut().enumerate().skip(start).zip(numbers) {
        *parameter = number as f32 / one(part(index));
    }
}

/// Returns the integer that represents 1.0 in a weights file.
#[expect(clippy::cast_precision_loss, reason = "few bits")]
fn one(part: WeightKind) -> f32 {
    match part {
        WeightKind::Piece | WeightKind::Contact | WeightKind::Bias => ONE.into(),
        WeightKind::Output => OUTPUT_ONE.into(),
        WeightKind::OutputBias => f32::from(ONE) * f32::from(OUTPUT_ONE),
        WeightKind::Hidden => PRODUCT_WEIGHT_ONE as f32,
        WeightKind::HiddenBias => SUM_ONE as f32,
        WeightKind::Last | WeightKind::LastOutput => SMALL_ONE as f32,
        WeightKind::LastBias => (ACTIVATION_ONE * SMALL_ONE) as f32,
    }
}

/// Returns the largest parameter that a file can hold.
#[expect(clippy::cast_precision_loss, reason = "the limits of biases are far away")]
pub(super) fn limit(index: usize) -> f32 {
    let part = part(index);
    let whole: f32 = match part {
        WeightKind::Piece | WeightKind::Bias => INPUT_LIMIT.into(),
        WeightKind::Contact => CONTACT_LIMIT.into(),
        WeightKind::Output => OUTPUT_LIMIT.into(),
        WeightKind::OutputBias => return 100.0,
        WeightKind::Hidden => i8::MAX.into(),
        WeightKind::HiddenBias | WeightKind::LastBias => return (BIAS_LIMIT as f32 / one(part)).min(16.0),
        WeightKind::Last | WeightKind::LastOutput => SMALL_LIMIT.into(),
    };
    whole / one(part)
}

#[expect(clippy::expect_used, reason = "clamped before")]
pub(super) fn quantised(parameters: &[f32], scale: i32, name: &str) -> NetworkWeights {
    let mut weights = NetworkWeights { name: name.to_owned(), scale, ..NetworkWeights::zero() };
    let factors =
        weights.factors.iter_mut().flat_map(|factor| factor.input.iter_mut().chain([&mut factor.bias]));
    let shorts = factors.chain(weights.output.iter_mut().flatten()).flat_map(|layer| &mut layer.0);
    for (index, short) in shorts.enumerate() {
        *short = i16::try_from(whole(parameters, index)).expect("a clamped parameter");
    }
    for (index, bias) in weights.output_bias.iter_mut().enumerate() {
        *bias = whole(parameters, OUTPUT_BIAS + index);
    }
    for (bucket, layers) in weights.layers.iter_mut().enumerate() {
        let mut numbers = (LAYERS + bucket * SET..).map(|index| whole(parameters, index));
        let mut next = || numbers.next().expect("parameters have no end");
        for weight in layers.hidden.iter_mut().flatten().flat_map(|weights| &mut weights.0) {
            *weight = i8::try_from(next()).expect("a clamped parameter");
        }
        layers.hidden_bias.fill_with(&mut next);
        for weight in layers.last.iter_mut().flatten().flatten() {
            *weight = i16::try_from(next()).expect("a clamped parameter");
        }
        layers.last_bias.fill_with(&mut next);
        for weight in &mut layers.output {
            *weight = i16::try_from(next()).expect("a clamped parameter");
        }
    }
    weights
}

/// Returns the integer of a parameter in a weights file.
#[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "clamped before")]
fn whole(parameters: &[f32], index: usize) -> i32 {
    let limit = limit(index);
    let part = part(index);
    // The unit of the last biases is finer than a parameter is exact.
    let step = if matches!(part, WeightKind::LastBias) { SMALL_ONE } else { 1 };
    (parameters[index].clamp(-limit, limit) * (one(part) / step as f32)).round() as i32 * step
}
