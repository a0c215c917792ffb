use super::*;
use crate::eval::testing::games;
use kelso_draughts::board::steps::pack;
use kelso_draughts::notation::fen;
use kelso_random::{IndexedRandom, RngExt};

/// Returns random weights of typical size.
fn random_weights(seed: u64) -> NetworkWeights {
    let mut random = kelso_random::stream(&[seed]);
    let mut even = |max: i16| random.random_range(-max..=max);
    let mut weights = NetworkWeights { name: "chance".into(), scale: 137, ..NetworkWeights::zero() };
    for factor in &mut weights.factors {
        for (feature, row) in factor.input.iter_mut().enumerate() {
            row.0 = std::array::from_fn(|_| even(if feature < PIECE_FEATURES { 90 } else { 60 }));
        }
    }
    for bias in weights.factors.iter_mut().flat_map(|factor| &mut factor.bias.0) {
        *bias = even(120);
    }
    weights
        .output
        .iter_mut()
        .flatten()
        .flat_map(|layer| &mut layer.0)
        .for_each(|weight| *weight = even(OUTPUT_LIMIT));
    weights.output_bias.iter_mut().for_each(|weight| *weight = i32::from(even(8000)));
    for set in weights.layers.iter_mut() {
        for weight in set.hidden.iter_mut().flatten().flat_map(|weights| &mut weights.0) {
            *weight = i8::try_from(even(40)).unwrap();
        }
        let small = set.last.iter_mut().flatten().flatten().chain(&mut set.output);
        small.for_each(|weight| *weight = even(700));
        set.hidden_bias.iter_mut().for_each(|bias| *bias = i32::from(even(16_000)));
        set.last_bias.iter_mut().for_each(|bias| *bias = i32::from(even(10_000)) << 10);
    }
    weights
}

/// Returns the largest weights that a file may hold.
fn largest(sign: i16) -> NetworkWeights {
    let mut weights = NetworkWeights { scale: 10_000, ..NetworkWeights::zero() };
    for factor in &mut weights.factors {
        factor.bias.fill(INPUT_LIMIT * sign);
        for (feature, row) in factor.input.iter_mut().enumerate() {
            row.fill(sign * if feature < PIECE_FEATURES { INPUT_LIMIT } else { CONTACT_LIMIT });
        }
    }
    weights
        .output
        .iter_mut()
        .flatten()
        .flat_map(|layer| &mut layer.0)
        .for_each(|weight| *weight = OUTPUT_LIMIT);
    weights.output_bias.fill(i32::MAX);
    for set in weights.layers.iter_mut() {
        let extreme = if sign < 0 { i8::MIN } else { i8::MAX };
        for weights in set.hidden.iter_mut().flatten() {
            weights.0.fill(extreme);
        }
        set.last = [[[layers::SMALL_LIMIT * sign; 2]; layers::LAST]; layers::HIDDEN / 2];
        set.output.fill(layers::SMALL_LIMIT);
        set.hidden_bias.fill(layers::BIAS_LIMIT);
        set.last_bias.fill(layers::BIAS_LIMIT * i32::from(sign));
    }
    weights
}

/// Computes the value as documented, with wide integers and without a cache.
fn reference(weights: &NetworkWeights, position: &Position) -> i32 {
    let side = position.side();
    let sums = |color: Color, factor: &FactorWeights| -> Vec<i64> {
        let mut layer: Vec<i64> = factor.bias.iter().map(|&bias| bias.into()).collect();
        let contacts = contacts::Contacts::of(position);
        let [own, other] = [contacts[color.index()], contacts[(!color).index()]];
        let sets = [
            position.men(color),
            position.men(!color),
            position.kings(color),
            position.kings(!color),
            pack(own.attackers),
            pack(other.attackers),
            pack(other.targets),
            pack(own.targets),
            pack(own.safe),
            pack(other.safe),
        ];
        for (kind, set) in sets.into_iter().enumerate() {
            for square in set {
                let square = if color == Color::Black { square.index() } else { 31 - square.index() };
                for (sum, &weight) in layer.iter_mut().zip(&factor.input[kind * 32 + square].0) {
                    *sum += i64::from(weight);
                }
            }
        }
        layer.into_iter().map(|sum| sum.clamp(0, 255)).collect()
    };
    let view = |color: Color| -> Vec<i64> {
        let [first, second] = weights.factors.each_ref().map(|factor| sums(color, factor));
        first.into_iter().zip(second).map(|(first, second)| first * second).collect()
    };
    let bucket = bucket(position.piece_count());
    let views = [side, !side].map(view);
    let mut sum = 0i64;
    for (products, output) in views.iter().zip(&weights.output[bucket]) {
        for (product, &weight) in products.iter().zip(&output.0) {
            sum += product * i64::from(weight);
        }
    }
    let mut sum = sum / 255 + i64::from(weights.output_bias[bucket]);
    let set = &weights.layers[bucket];
    let mut last: Vec<i64> = set.last_bias.iter().map(|&bias| bias.into()).collect();
    for (neuron, hidden) in set.hidden.iter().enumerate() {
        let mut sum = i64::from(set.hidden_bias[neuron]);
        for (products, weights) in views.iter().zip(hidden) {
            for (product, &weight) in products.iter().zip(&weights.0) {
                sum += (product + 256) / 512 * i64::from(weight);
            }
        }
        let activation = sum.clamp(0, 16_256).pow(2) / 8192;
        for (sum, weights) in last.iter_mut().zip(&set.last[neuron / 2]) {
            *sum += activation * i64::from(weights[neuron % 2]);
        }
    }
    let mut output = 0;
    for (sum, &weight) in last.into_iter().zip(&set.output) {
        output += sum.div_euclid(1024).clamp(0, 32_258).pow(2) / 32_768 * i64::from(weight);
    }
    sum += output * 255 * 64 / (31_755 * 1024);
    let value = sum * i64::from(weights.scale) / (255 * 64);
    i32::try_from(value.clamp(-i64::from(LIMIT), LIMIT.into())).unwrap()
}

/// Asserts that every instruction set gives the same value as the reference, with a cache and without.
fn assert_plain_sum(weights: &NetworkWeights, games: &[Vec<Position>]) {
    for instructions in Instructions::available() {
        let network = Network { instructions, ..Network::new(weights.clone()) };
        let mut cache = EvalCache::default();
        for (ply, position) in games.iter().flat_map(|game| game.iter().enumerate()) {
            let expected = reference(weights, position);
            let value = network.evaluate_incremental(&mut cache, position, ply);
            assert_eq!(value, expected, "{instructions:?} {position:?}");
            assert_eq!(network.evaluate(position), expected, "{position:?}");
        }
    }
}

#[test]
fn values_are_those_of_the_plain_sum() {
    let games: Vec<_> = games(3, 20).collect();
    for weights in [random_weights(1), random_weights(2), largest(1), largest(-1)] {
        assert_plain_sum(&weights, &games);
    }
    let values = || games.iter().flatten().map(|position| reference(&random_weights(1), position));
    assert!(values().any(|value| value > 100) && values().any(|value| value < -100));
}

#[test]
fn the_compiled_in_weights_give_the_plain_sum_ten_thousand_times() {
    let games: Vec<_> = games(11, 200).collect();
    assert!(games.iter().flatten().count() > 10_000);
    assert_plain_sum(Network::compiled_in().weights(), &games);
}

#[test]
fn incremental_updates_change_no_value() {
    let network = Network::new(random_weights(5));
    let mut cache = EvalCache::default();
    // Evaluate successive positions of games, as in a search.
    for game in games(1, 40) {
        for (ply, position) in game.iter().enumerate() {
            assert_eq!(network.evaluate_incremental(&mut cache, position, ply), network.evaluate(position));
        }
    }
    // Also tests plies beyond the last one with a separate slot.
    let positions: Vec<Position> = games(2, 60).flatten().collect();
    let mut random = kelso_random::stream(&[8]);
    for _ in 0..30_000 {
        let position = *positions.choose(&mut random).unwrap();
        let ply =
            [random.random_range(0..20), random.random_range(0..400), usize::MAX][random.random_range(0..3)];
        assert_eq!(network.evaluate_incremental(&mut cache, &position, ply), network.evaluate(&position));
    }
}

#[test]
fn the_value_is_the_same_for_both_colours() {
    let network = Network::new(random_weights(7));
    let positions: Vec<Position> = games(9, 1600).flatten().take(100_000).collect();
    assert_eq!(positions.len(), 100_000);
    for position in positions {
        assert_eq!(network.evaluate(&position), network.evaluate(&position.flipped()), "{position:?}");
    }
}

#[test]
fn the_parts_sum_to_the_value() {
    let network = Network::new(random_weights(4));
    for position in games(5, 20).flatten() {
        let parts = network.parts(&position);
        let sum: i32 = parts.iter().map(|part| part.value).sum();
        assert!((sum - network.evaluate(&position)).abs() <= 3, "{position:?} {parts:?}");
        assert_eq!(parts[2].name, format!("set-{}", bucket(position.piece_count()) + 1));
    }
}

#[test]
fn extreme_weights_do_not_overflow() {
    let mut weights = largest(1);
    for factor in &mut weights.factors {
        factor.input.iter_mut().chain([&mut factor.bias]).for_each(|row| row.fill(i16::MAX));
    }
    weights.output.iter_mut().flatten().flat_map(|layer| &mut layer.0).for_each(|weight| *weight = i16::MAX);
    weights.scale = i32::MAX;
    let network = Network::new(weights);
    let mut cache = EvalCache::default();
    for (ply, position) in games(3, 5).flatten().enumerate() {
        let value = network.evaluate(&position);
        assert!((-LIMIT..=LIMIT).contains(&value));
        assert_eq!(network.evaluate_incremental(&mut cache, &position, ply), value);
    }
    assert_eq!(Network::new(NetworkWeights::zero()).evaluate(&Position::start()), 0);
}

#[test]
fn every_number_of_pieces_has_its_output_weights() {
    let buckets: Vec<usize> = (0..=24).map(bucket).collect();
    assert_eq!(buckets[..8], [0, 0, 0, 0, 1, 1, 1, 2]);
    assert_eq!(buckets[22..], [7, 7, 7]);
    assert!(buckets.windows(2).all(|pair| pair[1] - pair[0] <= 1));
    let mut weights = NetworkWeights::zero();
    weights.scale = 64 * 255;
    weights.output_bias = [10, 20, 30, 40, 50, 60, 70, 80];
    let network = Network::new(weights);
    for (text, value) in [("B:W32:B1", 10), ("B:WK32,31:BK1,2", 20), ("B:W21-32:B1-12", 80)] {
        assert_eq!(network.evaluate(&fen::parse(text).unwrap()), value);
    }
}

#[test]
fn the_compiled_in_network_is_valid() {
    let weights = NetworkWeights::from_bytes(COMPILED_IN_BYTES).unwrap();
    assert_eq!(NetworkWeights::from_bytes(&weights.to_bytes()), Ok(weights));
}
