//! The network of several layers while it learns: the same form as [`engine::eval::deep`], in floating point.

use super::descent::Descent;
use super::model::{Batch, Model};
use super::network::{self as shallow, Active, views};
use super::slopes::{Slopes, row, row_mut};
use super::{loss, points};
use crate::sample::Sample;
use common::chance::{self, RngExt};
use engine::eval::deep::{
    BIAS_LIMIT, BUCKETS, FEATURES, GROUP, GROUPS, HALF, INPUT_LIMIT, ONE, OUTPUT_LIMIT, OUTPUT_ONE, SECOND,
    SEEN, SUM_ONE, Set, TAIL, TAIL_LIMIT, TAIL_ONE, WIDTH, Weights, bucket,
};
use engine::eval::{Learned, network};

/// Parameters: weights and biases of the first layer, then the sets.
const PARAMETERS: usize = SETS + BUCKETS * SET;
const BIAS: usize = FEATURES * WIDTH;
pub(super) const SETS: usize = BIAS + WIDTH;
/// A set begins with its direct weights; these are the places of the others in it, and its size.
const SECOND_LAYER: usize = WIDTH;
const LAST: usize = SECOND_LAYER + SECOND * SEEN;
const SECOND_BIAS: usize = LAST + TAIL;
const OUTPUT_BIAS: usize = SECOND_BIAS + SECOND;
const SET: usize = OUTPUT_BIAS + 1;

type Layer = [f32; WIDTH];
/// By group, view and place in the group.
type Products = [f32; WIDTH];

/// A network that learns.
#[derive(Debug)]
pub(super) struct Deep {
    slopes: Slopes,
}

/// What a sample comes to, layer by layer. Neurons are as they were before they were clamped.
struct Pass {
    layers: [Layer; 2],
    products: Products,
    second: [f32; SECOND],
    tail: [f32; TAIL],
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

/// Where the product of a view's neuron and its partner is.
const fn product(view: usize, neuron: usize) -> usize {
    neuron / GROUP * SEEN + view * GROUP + neuron % GROUP
}

fn multiply(layers: &[Layer; 2]) -> Products {
    let mut products = [0.0; WIDTH];
    for (view, layer) in layers.iter().enumerate() {
        for neuron in 0..HALF {
            products[product(view, neuron)] = unit(layer[neuron]) * unit(layer[neuron + HALF]);
        }
    }
    products
}

/// The products that a neuron of the second layer sees, and where it has its weights.
const fn group(neuron: usize) -> (usize, usize) {
    (neuron % GROUPS * SEEN, SECOND_LAYER + neuron * SEEN)
}

fn set(sample: &Sample) -> usize {
    SETS + bucket(sample.pieces()) * SET
}

fn forward(parameters: &[f32], views: &[Active; 2], set: &[f32; SET]) -> Pass {
    let layers = views.each_ref().map(|view| hidden(parameters, view));
    let products = multiply(&layers);
    let mut second: [f32; SECOND] = *row(set, SECOND_BIAS);
    let mut tail = [0.0; TAIL];
    for (neuron, sum) in second.iter_mut().enumerate() {
        let (seen, weights) = group(neuron);
        *sum += dot::<SEEN>(row(&products, seen), row(set, weights));
        tail[neuron] = unit(*sum);
        tail[SECOND + neuron] = (*sum * *sum).min(1.0);
    }
    let output = set[OUTPUT_BIAS] + dot::<WIDTH>(&products, row(set, 0)) + dot(&tail, row(set, LAST));
    Pass { layers, products, second, tail, output }
}

/// Adds the slopes of a set, and returns those of the products.
fn set_back(set: &[f32; SET], pass: &Pass, error: f32, slope: &mut [f32; SET]) -> Products {
    slope[OUTPUT_BIAS] += error;
    add_at(slope, 0, &pass.products, error);
    add_at(slope, LAST, &pass.tail, error);
    let mut product_back = [0.0; WIDTH];
    add(&mut product_back, row(set, 0), error);
    for (neuron, &sum) in pass.second.iter().enumerate() {
        let square = if sum.abs() < 1.0 { 2.0 * sum } else { 0.0 };
        let back = error * (set[LAST + neuron] * open(sum) + set[LAST + SECOND + neuron] * square);
        let (seen, weights) = group(neuron);
        slope[SECOND_BIAS + neuron] += back;
        add_at::<SEEN>(slope, weights, row(&pass.products, seen), back);
        add_at::<SEEN>(&mut product_back, seen, row(set, weights), back);
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
    for (place, (view, layer)) in views.iter().zip(&pass.layers).enumerate() {
        let mut down: Layer = [0.0; WIDTH];
        for neuron in 0..HALF {
            let (a, b, back) = (layer[neuron], layer[neuron + HALF], product_back[product(place, neuron)]);
            down[neuron] = back * unit(b) * open(a);
            down[neuron + HALF] = back * unit(a) * open(b);
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
            SECOND_LAYER..LAST => even(0.15),
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
/// a little apart from each other so that they can part; and the second layer without a voice.
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
        for view in 0..2 {
            let weights = row::<HALF>(&old, shallow::OUTPUT + (2 * bucket + view) * HALF);
            for (neuron, &weight) in weights.iter().enumerate() {
                set[product(view, neuron)] = weight;
            }
        }
        set[OUTPUT_BIAS] = row::<BUCKETS>(&old, shallow::OUTPUT_BIAS)[bucket];
        set[LAST..SECOND_BIAS].fill(0.0);
    }
    parameters
}

/// What one is where a parameter is a whole number, and the greatest of these numbers.
fn whole(index: usize) -> (f32, f32) {
    let (one, limit): (i32, i32) = if index < SETS {
        (ONE.into(), INPUT_LIMIT.into())
    } else {
        match (index - SETS) % SET {
            0..LAST => (OUTPUT_ONE.into(), OUTPUT_LIMIT.into()),
            LAST..SECOND_BIAS => (TAIL_ONE.into(), TAIL_LIMIT.into()),
            _ => (SUM_ONE, SUM_ONE * BIAS_LIMIT),
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
        let Set { direct, second, last, second_bias, direct_bias } = set;
        let shorts = direct.iter().chain(second).flatten().chain(last);
        shorts.for_each(|&weight| push(weight.into()));
        second_bias.iter().chain([direct_bias]).for_each(|&bias| push(bias));
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
        let Set { direct, second, last, second_bias, direct_bias } = set;
        let shorts = direct.iter_mut().chain(second).flatten().chain(last);
        shorts.for_each(|weight| *weight = short(next()));
        second_bias.iter_mut().chain([direct_bias]).for_each(|bias| *bias = next());
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
