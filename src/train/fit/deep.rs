//! The network of several layers while it learns: the same form as [`crate::eval::deep`], in floating point.

use std::array;

use super::descent::Descent;
use super::model::{Batch, Model};
use super::network::{self as shallow, Active, views};
use super::slopes::{Slopes, row, row_mut};
use super::{loss, points};
use crate::common::chance::{self, RngExt};
use crate::eval::deep::{
    BIAS_LIMIT, BUCKETS, FEATURES, GROUP, GROUPS, HALF, INPUT_LIMIT, ONE, OUTPUT_LIMIT, OUTPUT_ONE, SECOND,
    SUM_ONE, Set, TAIL, TAIL_LIMIT, TAIL_ONE, TAIL_SUM_ONE, THIRD, WIDTH, Weights, bucket,
};
use crate::eval::{Learned, network};
use crate::train::sample::Sample;

/// Parameters: weights and biases of the first layer, then the sets.
const PARAMETERS: usize = SETS + BUCKETS * SET;
const BIAS: usize = FEATURES * WIDTH;
pub(super) const SETS: usize = BIAS + WIDTH;
/// A set begins with its direct weights; these are the places of the others in it, and its size.
const SECOND_LAYER: usize = WIDTH;
const THIRD_LAYER: usize = SECOND_LAYER + SECOND * SEEN;
const LAST: usize = THIRD_LAYER + THIRD * TAIL;
const SECOND_BIAS: usize = LAST + THIRD;
const THIRD_BIAS: usize = SECOND_BIAS + SECOND;
const OUTPUT_BIAS: usize = THIRD_BIAS + THIRD;
const SET: usize = OUTPUT_BIAS + 1;
/// What a neuron of the second layer sees of both views.
const SEEN: usize = 2 * GROUP;

type Layer = [f32; WIDTH];
type Products = [f32; HALF];

/// A network that learns.
#[derive(Debug)]
pub(super) struct Deep {
    slopes: Slopes,
}

/// What a sample comes to, layer by layer. Neurons are as they were before they were clamped.
struct Pass {
    layers: [Layer; 2],
    products: [Products; 2],
    second: [f32; SECOND],
    tail: [f32; TAIL],
    third: [f32; THIRD],
    output: f32,
}

fn unit(neuron: f32) -> f32 {
    neuron.clamp(0.0, 1.0)
}

/// The slope of a clamped neuron.
fn open(neuron: f32) -> f32 {
    if neuron > 0.0 && neuron < 1.0 { 1.0 } else { 0.0 }
}

/// Sixteen partial sums keep the additions independent of each other, and in the same order everywhere.
fn dot<const N: usize>(a: &[f32; N], b: &[f32; N]) -> f32 {
    let mut sums = [0.0f32; 16];
    for (a, b) in a.as_chunks::<16>().0.iter().zip(b.as_chunks::<16>().0) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    sums.iter().sum()
}

fn add<const N: usize>(to: &mut [f32; N], from: &[f32; N], times: f32) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += times * from);
}

/// The same to numbers from a place on.
fn add_at<const N: usize>(to: &mut [f32], at: usize, from: &[f32; N], times: f32) {
    if let Some(to) = row_mut(to, at) {
        add(to, from, times);
    }
}

fn hidden(parameters: &[f32], view: &Active) -> Layer {
    let mut layer: Layer = *row(parameters, BIAS);
    for &feature in view {
        add(&mut layer, row(parameters, feature * WIDTH), 1.0);
    }
    layer
}

fn multiply(layer: &Layer) -> Products {
    array::from_fn(|index| unit(layer[index]) * unit(layer[index + HALF]))
}

/// The products of a group, and where a neuron of the second layer that sees them has its weights for a view.
fn group(neuron: usize, view: usize) -> (usize, usize) {
    (neuron % GROUPS * GROUP, SECOND_LAYER + neuron * SEEN + view * GROUP)
}

fn set(sample: &Sample) -> usize {
    SETS + bucket(sample.pieces()) * SET
}

fn forward(parameters: &[f32], views: &[Active; 2], set: &[f32; SET]) -> Pass {
    let layers = views.each_ref().map(|view| hidden(parameters, view));
    let products = layers.each_ref().map(multiply);
    let mut output = set[OUTPUT_BIAS];
    let mut second: [f32; SECOND] = *row(set, SECOND_BIAS);
    for (view, products) in products.iter().enumerate() {
        output += dot(products, row(set, view * HALF));
        for (neuron, sum) in second.iter_mut().enumerate() {
            let (from, weights) = group(neuron, view);
            *sum += dot::<GROUP>(row(products, from), row(set, weights));
        }
    }
    let mut tail = [0.0; TAIL];
    for (neuron, sum) in second.iter().enumerate() {
        tail[neuron] = unit(*sum);
        tail[SECOND + neuron] = (sum * sum).min(1.0);
    }
    let mut third: [f32; THIRD] = *row(set, THIRD_BIAS);
    for (neuron, sum) in third.iter_mut().enumerate() {
        *sum += dot(&tail, row(set, THIRD_LAYER + neuron * TAIL));
    }
    output += dot(&third.map(unit), row(set, LAST));
    Pass { layers, products, second, tail, third, output }
}

/// Adds the slopes of a set, and returns those of the products.
fn set_back(set: &[f32; SET], pass: &Pass, error: f32, slope: &mut [f32; SET]) -> [Products; 2] {
    slope[OUTPUT_BIAS] += error;
    let mut tail_back = [0.0; TAIL];
    for (neuron, &sum) in pass.third.iter().enumerate() {
        slope[LAST + neuron] += error * unit(sum);
        let back = error * set[LAST + neuron] * open(sum);
        if back != 0.0 {
            slope[THIRD_BIAS + neuron] += back;
            let weights = THIRD_LAYER + neuron * TAIL;
            add_at(slope, weights, &pass.tail, back);
            add(&mut tail_back, row(set, weights), back);
        }
    }
    let mut product_back = [[0.0; HALF]; 2];
    for (view, (products, product_back)) in pass.products.iter().zip(&mut product_back).enumerate() {
        add_at(slope, view * HALF, products, error);
        add(product_back, row(set, view * HALF), error);
    }
    for (neuron, &sum) in pass.second.iter().enumerate() {
        let square = if sum.abs() < 1.0 { 2.0 * sum } else { 0.0 };
        let back = tail_back[neuron] * open(sum) + tail_back[SECOND + neuron] * square;
        if back == 0.0 {
            continue;
        }
        slope[SECOND_BIAS + neuron] += back;
        for (view, (products, product_back)) in pass.products.iter().zip(&mut product_back).enumerate() {
            let (from, weights) = group(neuron, view);
            add_at::<GROUP>(slope, weights, row(products, from), back);
            add_at::<GROUP>(product_back, from, row(set, weights), back);
        }
    }
    product_back
}

/// Adds the slope of a sample's loss to `slope`, and returns the loss.
pub(super) fn learn(parameters: &[f32], sample: &Sample, target: f32, slope: &mut [f32]) -> f32 {
    let views = views(sample);
    let set_at = set(sample);
    let set: &[f32; SET] = row(parameters, set_at);
    let pass = forward(parameters, &views, set);
    let expected = points(pass.output);
    let Some(set_slope) = row_mut(slope, set_at) else { return 0.0 };
    let product_back = set_back(set, &pass, expected - target, set_slope);
    for ((view, layer), back) in views.iter().zip(&pass.layers).zip(&product_back) {
        let mut down: Layer = [0.0; WIDTH];
        let (first, second) = down.split_at_mut(HALF);
        for (index, back) in back.iter().enumerate() {
            let (a, b) = (layer[index], layer[index + HALF]);
            first[index] = back * unit(b) * open(a);
            second[index] = back * unit(a) * open(b);
        }
        for at in view.iter().map(|feature| feature * WIDTH).chain([BIAS]) {
            add_at(slope, at, &down, 1.0);
        }
    }
    loss(expected, target)
}

/// Small weights by chance.
pub(super) fn start(seed: u64) -> Vec<f32> {
    let mut random = chance::stream(&[seed]);
    let mut even = |reach: f32| (random.random::<f32>() * 2.0 - 1.0) * reach;
    let mut parameters: Vec<f32> = (0..BIAS).map(|_| even(0.12)).collect();
    parameters.extend((BIAS..SETS).map(|_| 0.2));
    for _ in 0..BUCKETS {
        parameters.extend((0..SET).map(|at| match at {
            0..SECOND_LAYER => even(0.08),
            SECOND_LAYER..THIRD_LAYER => even(0.15),
            THIRD_LAYER..LAST => even(0.25),
            LAST..SECOND_BIAS => even(0.2),
            SECOND_BIAS..OUTPUT_BIAS => 0.1,
            _ => 0.0,
        }));
    }
    parameters
}

/// How far the two neurons of a pair are from each other at first, at the most, by half.
const APART: f32 = 0.01;

/// What a network of one hidden layer stands for: two neurons and their product for one of its own and that one's square,
/// a little apart from each other so that they can part; and the layers above without a voice.
pub(super) fn grown(weights: &network::Weights, seed: u64) -> Vec<f32> {
    const { assert!(HALF == network::WIDTH && BUCKETS == network::BUCKETS) };
    let old = shallow::parameters(weights);
    let mut random = chance::stream(&[seed, 1]);
    let mut parameters = start(seed);
    let rows = parameters.as_chunks_mut::<WIDTH>().0.iter_mut();
    for (new, old) in rows.zip(old.as_chunks::<HALF>().0).take(FEATURES + 1) {
        let (first, second) = new.split_at_mut(HALF);
        for ((first, second), old) in first.iter_mut().zip(second).zip(old) {
            let apart = (random.random::<f32>() * 2.0 - 1.0) * APART;
            (*first, *second) = (old + apart, old - apart);
        }
    }
    for bucket in 0..BUCKETS {
        let Some(set) = row_mut::<SET>(&mut parameters, SETS + bucket * SET) else { continue };
        set[..WIDTH].copy_from_slice(row::<WIDTH>(&old, shallow::OUTPUT + bucket * WIDTH));
        set[OUTPUT_BIAS] = row::<BUCKETS>(&old, shallow::OUTPUT_BIAS)[bucket];
        set[LAST..SECOND_BIAS].fill(0.0);
    }
    parameters
}

/// What one is where a parameter is a whole number, and the greatest of these numbers.
fn whole(index: usize) -> (f32, f32) {
    let bias = |one: i32| (one, one.saturating_mul(BIAS_LIMIT));
    let (one, limit): (i32, i32) = if index < SETS {
        (ONE.into(), INPUT_LIMIT.into())
    } else {
        match (index - SETS) % SET {
            0..THIRD_LAYER => (OUTPUT_ONE.into(), OUTPUT_LIMIT.into()),
            THIRD_LAYER..SECOND_BIAS => (TAIL_ONE.into(), TAIL_LIMIT.into()),
            THIRD_BIAS..OUTPUT_BIAS => bias(TAIL_SUM_ONE),
            _ => bias(SUM_ONE),
        }
    };
    #[expect(clippy::cast_precision_loss, reason = "the largest is a bias, and need not be exact")]
    (one as f32, limit as f32)
}

/// How far from nothing the descent lets a parameter go: not further than a file can hold it.
fn limit(index: usize) -> f32 {
    let (one, limit) = whole(index);
    limit / one
}

/// The parameters that weights stand for. Their scale turns outputs into scores and nothing else, so it is left out.
pub(super) fn parameters(weights: &Weights) -> Vec<f32> {
    let mut parameters = Vec::with_capacity(PARAMETERS);
    #[expect(clippy::cast_precision_loss, reason = "what is lost of so large a bias makes no difference")]
    let mut push = |number: i32| parameters.push(number as f32 / whole(parameters.len()).0);
    weights.input.iter().flatten().chain(&weights.bias).for_each(|&weight| push(weight.into()));
    for set in weights.sets.iter() {
        let Set { direct, second, third, last, direct_bias, second_bias, third_bias } = set;
        let shorts = direct.iter().flatten().chain(second.iter().flatten().flatten());
        shorts.chain(third.iter().flatten()).chain(last).for_each(|&weight| push(weight.into()));
        second_bias.iter().chain(third_bias).chain([direct_bias]).for_each(|&bias| push(bias));
    }
    parameters
}

/// The weights in whole numbers.
fn quantised(parameters: &[f32], scale: i32, name: &str) -> Weights {
    let mut numbers = parameters.iter().enumerate().map(|(index, parameter)| {
        let (one, limit) = whole(index);
        #[expect(clippy::cast_possible_truncation, reason = "clamped")]
        let number = (parameter * one).round().clamp(-limit, limit) as i32;
        number
    });
    let mut next = || numbers.next().unwrap_or(0);
    let mut weights = Weights { name: name.to_owned(), scale, ..Weights::zero() };
    let short = |number: i32| i16::try_from(number).unwrap_or(0);
    for weight in weights.input.iter_mut().flatten().chain(&mut weights.bias) {
        *weight = short(next());
    }
    for set in weights.sets.iter_mut() {
        let Set { direct, second, third, last, direct_bias, second_bias, third_bias } = set;
        let shorts = direct.iter_mut().flatten().chain(second.iter_mut().flatten().flatten());
        shorts.chain(third.iter_mut().flatten()).chain(last).for_each(|weight| *weight = short(next()));
        second_bias.iter_mut().chain(third_bias).chain([direct_bias]).for_each(|bias| *bias = next());
    }
    weights
}

impl Deep {
    pub(super) fn new() -> Self {
        Self { slopes: Slopes::new(PARAMETERS) }
    }
}

impl Model for Deep {
    fn learn(&mut self, parameters: &mut [f32], descent: &mut Descent, batch: &Batch<'_>, rate: f32) -> f64 {
        let known: &[f32] = parameters;
        let (loss, slope) =
            self.slopes.learn(batch, &|sample, target, slope| learn(known, sample, target, slope));
        descent.step(parameters, slope, rate, limit);
        loss
    }

    fn output(&self, parameters: &[f32], sample: &Sample) -> f32 {
        forward(parameters, &views(sample), row(parameters, set(sample))).output
    }

    fn weights(&self, parameters: &[f32], scale: i32, name: &str) -> Learned {
        Learned::Deep(Box::new(quantised(parameters, scale, name)))
    }
}
