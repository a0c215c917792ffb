//! The network during training: like [`kelso_engine::eval::network`], but in floating point.

use arrayvec::ArrayVec;

use super::gradients::{row, row_mut};
use super::{loss, points};
use crate::sample::TrainingSample;
use kelso_batch::rng::{self, RngExt};
use kelso_engine::eval::network::{
    BUCKETS, CONTACT_LIMIT, FEATURES, INPUT_LIMIT, NetworkWeights, ONE, OUTPUT_LIMIT, OUTPUT_ONE,
    PIECE_FEATURES, WIDTH, bucket, features,
};

/// Parameters: input weights, biases, output weights, output biases.
const PARAMETERS: usize = OUTPUT_BIAS + BUCKETS;
const BIAS: usize = FEATURES * WIDTH;
/// The features of the pieces themselves.
const PIECES: usize = PIECE_FEATURES * WIDTH;
pub(super) const OUTPUT: usize = BIAS + WIDTH;
const OUTPUT_BIAS: usize = OUTPUT + 2 * BUCKETS * WIDTH;

/// The active features of one perspective.
type Active = ArrayVec<usize, FEATURES>;
type Layer = [f32; WIDTH];

/// Returns the active features from both perspectives, that of the side to move first.
fn perspectives(sample: &TrainingSample) -> [Active; 2] {
    let mut views = [Active::new(), Active::new()];
    // A sample has Black to move.
    let Some(position) = sample.position() else { return views };
    for (kind, mut set) in features(&position).into_iter().enumerate() {
        while set != 0 {
            let feature = kind * 64 + set.trailing_zeros() as usize;
            let _ = views[0].try_push(feature);
            let _ = views[1].try_push(feature ^ 63);
            set &= set - 1;
        }
    }
    views
}

/// Returns small random weights.
pub(super) fn start(seed: u64) -> Vec<f32> {
    let mut random = rng::stream(&[seed]);
    let mut even = |reach: f32| (random.random::<f32>() * 2.0 - 1.0) * reach;
    let mut parameters: Vec<f32> = (0..BIAS).map(|at| even(if at < PIECES { 0.12 } else { 0.02 })).collect();
    parameters.extend((BIAS..OUTPUT).map(|_| 0.2));
    parameters.extend((OUTPUT..OUTPUT_BIAS).map(|_| even(0.08)));
    parameters.extend((OUTPUT_BIAS..PARAMETERS).map(|_| 0.0));
    parameters
}

fn hidden(parameters: &[f32], view: &Active) -> Layer {
    let mut layer: Layer = *row(parameters, BIAS);
    for &feature in view {
        for (sum, weight) in layer.iter_mut().zip(row::<WIDTH>(parameters, feature * WIDTH)) {
            *sum += weight;
        }
    }
    layer
}

/// Returns the weighted sum of a layer's activations. The sixteen partial sums allow SIMD, and fix the order
/// of the additions on all machines.
fn weigh(layer: &Layer, weights: &Layer) -> f32 {
    let mut sums = [0.0f32; 16];
    for (neurons, weights) in layer.as_chunks::<16>().0.iter().zip(weights.as_chunks::<16>().0) {
        for ((sum, neuron), weight) in sums.iter_mut().zip(neurons).zip(weights) {
            let clamped = neuron.clamp(0.0, 1.0);
            *sum += clamped * clamped * weight;
        }
    }
    sums.iter().sum()
}

/// The intermediate results for a sample.
struct Forward {
    views: [Active; 2],
    layers: [Layer; 2],
    /// Index of the output weights.
    at: usize,
    /// Index of the output bias.
    bias: usize,
    output: f32,
}

impl Forward {
    fn of(parameters: &[f32], sample: &TrainingSample) -> Self {
        let views = perspectives(sample);
        let layers = [hidden(parameters, &views[0]), hidden(parameters, &views[1])];
        let bucket = bucket(sample.pieces());
        let at = OUTPUT + bucket * 2 * WIDTH;
        let bias = OUTPUT_BIAS + bucket;
        let mut output = parameters.get(bias).copied().unwrap_or(0.0);
        for (side, layer) in layers.iter().enumerate() {
            output += weigh(layer, row(parameters, at + side * WIDTH));
        }
        Self { views, layers, at, bias, output }
    }
}

/// Returns the output for a sample, as the logarithm of the odds.
pub(super) fn output(parameters: &[f32], sample: &TrainingSample) -> f32 {
    Forward::of(parameters, sample).output
}

/// Adds the gradient of a sample's loss to `gradient` and returns the loss.
pub(super) fn learn(parameters: &[f32], sample: &TrainingSample, target: f32, gradient: &mut [f32]) -> f32 {
    let Forward { views, layers, at, bias, output } = Forward::of(parameters, sample);
    let expected = points(output);
    let error = expected - target;
    if let Some(bias) = gradient.get_mut(bias) {
        *bias += error;
    }
    for (side, (view, layer)) in views.iter().zip(&layers).enumerate() {
        let weights: &Layer = row(parameters, at + side * WIDTH);
        let mut back = [0.0; WIDTH];
        if let Some(gradients) = row_mut::<WIDTH>(gradient, at + side * WIDTH) {
            for (((back, gradient), &neuron), &weight) in
                back.iter_mut().zip(gradients).zip(layer).zip(weights)
            {
                let clamped = neuron.clamp(0.0, 1.0);
                *gradient += error * clamped * clamped;
                let open = if neuron > 0.0 && neuron < 1.0 { 2.0 * neuron } else { 0.0 };
                *back = error * weight * open;
            }
        }
        for at in view.iter().map(|feature| feature * WIDTH).chain([BIAS]) {
            if let Some(gradients) = row_mut::<WIDTH>(gradient, at) {
                gradients.iter_mut().zip(&back).for_each(|(gradient, back)| *gradient += back);
            }
        }
    }
    loss(expected, target)
}

/// Converts weights to parameters. The weights' scale is omitted, since it only converts outputs to scores.
pub(super) fn parameters(weights: &NetworkWeights) -> Vec<f32> {
    let first = weights.factors.iter().take(1).flat_map(|factor| factor.input.iter().chain([&factor.bias]));
    let layers = first.chain(weights.output.iter().flatten());
    let values = layers.flat_map(|layer| layer.0).map(i32::from);
    #[expect(clippy::cast_precision_loss, reason = "the rounding error of such a large bias does not matter")]
    let parameters =
        values.chain(weights.output_bias).enumerate().map(|(at, value): (usize, i32)| value as f32 / one(at));
    parameters.collect()
}

/// Returns the integer that represents 1.0 in a weights file.
fn one(index: usize) -> f32 {
    match index {
        ..OUTPUT => ONE.into(),
        OUTPUT..OUTPUT_BIAS => OUTPUT_ONE.into(),
        _ => f32::from(ONE) * f32::from(OUTPUT_ONE),
    }
}

/// Returns the largest parameter that a file can hold.
pub(super) fn limit(index: usize) -> f32 {
    match index {
        ..PIECES | BIAS..OUTPUT => f32::from(INPUT_LIMIT) / f32::from(ONE),
        PIECES..BIAS => f32::from(CONTACT_LIMIT) / f32::from(ONE),
        OUTPUT..OUTPUT_BIAS => f32::from(OUTPUT_LIMIT) / f32::from(OUTPUT_ONE),
        _ => 100.0,
    }
}

#[expect(clippy::expect_used, reason = "clamped before")]
pub(super) fn quantised(parameters: &[f32], scale: i32, name: &str) -> NetworkWeights {
    #[expect(clippy::cast_possible_truncation, reason = "clamped before")]
    let whole = |(at, value): (usize, &f32)| (value.clamp(-limit(at), limit(at)) * one(at)).round() as i32;
    let mut values = parameters.iter().enumerate().map(whole);
    let mut weights = NetworkWeights { name: name.to_owned(), scale, ..NetworkWeights::zero() };
    let output = weights.output.iter_mut().flatten();
    let first =
        weights.factors.iter_mut().flat_map(|factor| factor.input.iter_mut().chain([&mut factor.bias]));
    let layers = first.chain(output);
    for (short, value) in layers.flat_map(|layer| &mut layer.0).zip(&mut values) {
        *short = i16::try_from(value).expect("a clamped parameter");
    }
    weights.output_bias.iter_mut().zip(values).for_each(|(bias, value)| *bias = value);
    weights
}
