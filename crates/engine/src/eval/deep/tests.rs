use super::*;
use crate::eval::testing::games;
use common::chance::{self, IndexedRandom, RngExt};
use draughts::notation::fen;

/// Weights by chance, as large as a fit makes them.
fn random_weights(seed: u64) -> Weights {
    let mut random = chance::stream(&[seed]);
    let mut even = |most: i16| random.random_range(-most..=most);
    let mut weights = Weights { name: "chance".into(), scale: 137, ..Weights::zero() };
    weights.input.iter_mut().flatten().for_each(|weight| *weight = even(90));
    weights.bias.iter_mut().for_each(|weight| *weight = even(120) + 60);
    for set in weights.sets.iter_mut() {
        set.direct.iter_mut().flatten().for_each(|weight| *weight = even(OUTPUT_LIMIT));
        set.second.iter_mut().flatten().for_each(|weight| *weight = even(40));
        set.last.iter_mut().for_each(|weight| *weight = even(TAIL_ONE));
        set.direct_bias = i32::from(even(8000));
        set.second_bias.iter_mut().for_each(|bias| *bias = i32::from(even(300)) * 100);
    }
    weights
}

/// As large as a file may hold them.
fn largest(sign: i16) -> Weights {
    let mut weights = Weights { scale: 10_000, ..Weights::zero() };
    weights.input.iter_mut().flatten().for_each(|weight| *weight = INPUT_LIMIT);
    weights.bias.fill(INPUT_LIMIT);
    for set in weights.sets.iter_mut() {
        set.direct.iter_mut().flatten().for_each(|weight| *weight = OUTPUT_LIMIT * sign);
        set.second.iter_mut().flatten().for_each(|weight| *weight = OUTPUT_LIMIT * sign);
        set.last.fill(TAIL_LIMIT * sign);
        set.direct_bias = BIAS_LIMIT * SUM_ONE * i32::from(sign);
        set.second_bias.fill(BIAS_LIMIT * SUM_ONE * i32::from(sign));
    }
    weights
}

/// The value as the documents say, in the widest numbers and without any memory, neuron by neuron.
fn reference(weights: &Weights, position: &Position) -> i32 {
    let side = position.side();
    let products = [side, !side].map(|color| -> Vec<i64> {
        let mut layer: Vec<i64> = weights.bias.iter().map(|&bias| bias.into()).collect();
        let sets = [position.men(color), position.men(!color), position.kings(color), position.kings(!color)];
        for (kind, set) in sets.into_iter().enumerate() {
            for square in set {
                let square = if color == Color::Black { square.index() } else { 31 - square.index() };
                for (sum, &weight) in layer.iter_mut().zip(&weights.input[kind * 32 + square]) {
                    *sum += i64::from(weight);
                }
            }
        }
        (0..256).map(|index| layer[index].clamp(0, 255) * layer[index + 256].clamp(0, 255) / 32).collect()
    });
    let set = &weights.sets[bucket(position.piece_count())];
    // Products by group and view.
    let seen = |group: usize| -> Vec<i64> {
        products.iter().flat_map(|products| products[32 * group..][..32].to_vec()).collect()
    };
    let weigh = |group: usize, weights: &[i16; 64]| -> i64 {
        seen(group).into_iter().zip(weights).map(|(product, &weight)| product * i64::from(weight)).sum()
    };
    let direct: i64 = (0..8).map(|group| weigh(group, &set.direct[group])).sum();
    let mut output = 16 * (direct + i64::from(set.direct_bias));
    for neuron in 0..16 {
        let sum = weigh(neuron % 8, &set.second[neuron]) + i64::from(set.second_bias[neuron]);
        let kept = sum.div_euclid(16).clamp(-8128, 8128);
        output += kept.max(0) * i64::from(set.last[neuron]);
        output += kept * kept / 8128 * i64::from(set.last[16 + neuron]);
    }
    let value = output * i64::from(weights.scale) / (8128 * 256);
    i32::try_from(value.clamp(-i64::from(LIMIT), LIMIT.into())).unwrap()
}

/// Whatever instructions the compiler chose for the sums.
#[test]
fn values_are_those_of_the_plain_sum() {
    let mut values = Vec::new();
    for weights in [random_weights(1), random_weights(2), largest(1), largest(-1)] {
        let network = Deep::new(weights.clone());
        for position in games(3, 60).flatten() {
            let value = network.evaluate(&position);
            assert_eq!(value, reference(&weights, &position), "{position:?}");
            values.push(value);
        }
    }
    assert!(values.len() > 10_000, "{}", values.len());
    assert!(values.iter().any(|&value| value > 100) && values.iter().any(|&value| value < -100));
}

/// Each layer has its say in the weights by chance, so that the test above would notice if one were left out.
#[test]
fn every_layer_matters() {
    let whole = random_weights(1);
    let without: [fn(&mut Set); 5] = [
        |set| set.direct = Set::ZERO.direct,
        |set| set.second = Set::ZERO.second,
        |set| set.last[..SECOND].fill(0),
        |set| set.last[SECOND..].fill(0),
        |set| set.second_bias.fill(0),
    ];
    for (number, without) in without.into_iter().enumerate() {
        let mut weights = whole.clone();
        weights.sets.iter_mut().for_each(without);
        let (whole, other) = (Deep::new(whole.clone()), Deep::new(weights));
        let differ = games(3, 10)
            .flatten()
            .filter(|position| whole.evaluate(position) != other.evaluate(position))
            .count();
        assert!(differ > 100, "{number}: {differ}");
    }
}

#[test]
fn what_is_remembered_changes_no_value() {
    let network = Deep::new(random_weights(5));
    let mut memory = Accumulators::default();
    // Along games, as a search goes down.
    for game in games(1, 40) {
        for (ply, position) in game.iter().enumerate() {
            assert_eq!(network.evaluate_near(&mut memory, position, ply), network.evaluate(position));
        }
    }
    // Anything anywhere, beyond the last ply that is told apart too.
    let positions: Vec<Position> = games(2, 60).flatten().collect();
    let mut random = chance::stream(&[8]);
    for _ in 0..30_000 {
        let position = *positions.choose(&mut random).unwrap();
        let ply =
            [random.random_range(0..20), random.random_range(0..400), usize::MAX][random.random_range(0..3)];
        assert_eq!(network.evaluate_near(&mut memory, &position, ply), network.evaluate(&position));
    }
}

#[test]
fn colours_make_no_difference() {
    let network = Deep::new(random_weights(7));
    for position in games(9, 100).flatten() {
        assert_eq!(network.evaluate(&position), network.evaluate(&position.flipped()), "{position:?}");
    }
}

#[test]
fn the_parts_make_the_value() {
    let network = Deep::new(random_weights(4));
    for position in games(5, 20).flatten() {
        let parts = network.parts(&position);
        let sum: i32 = parts.iter().map(|part| part.value).sum();
        assert!((sum - network.evaluate(&position)).abs() <= 4, "{position:?} {parts:?}");
        assert_eq!(parts[2].name, format!("set-{}", bucket(position.piece_count()) + 1));
    }
}

#[test]
fn no_weights_end_the_program() {
    let mut weights = largest(1);
    weights.input.iter_mut().flatten().chain(&mut weights.bias).for_each(|weight| *weight = i16::MAX);
    for set in weights.sets.iter_mut() {
        set.direct = [[i16::MAX; SEEN]; GROUPS];
        set.second = [[i16::MIN; SEEN]; SECOND];
        set.last = [i16::MAX; TAIL];
        set.second_bias = [i32::MIN; SECOND];
        set.direct_bias = i32::MAX;
    }
    weights.scale = i32::MAX;
    let network = Deep::new(weights);
    let mut memory = Accumulators::default();
    for (ply, position) in games(3, 5).flatten().enumerate() {
        let value = network.evaluate(&position);
        assert!((-LIMIT..=LIMIT).contains(&value));
        assert_eq!(network.evaluate_near(&mut memory, &position, ply), value);
    }
    assert_eq!(Deep::new(Weights::zero()).evaluate(&Position::start()), 0);
}

#[test]
fn every_number_of_pieces_has_its_weights() {
    let mut weights = Weights { scale: 100, ..Weights::zero() };
    for (set, bias) in weights.sets.iter_mut().zip(1..) {
        set.direct_bias = bias * SUM_ONE;
    }
    let network = Deep::new(weights);
    for (text, value) in [("B:W32:B1", 100), ("B:WK32,31:BK1,2", 200), ("B:W21-32:B1-12", 800)] {
        assert_eq!(network.evaluate(&fen::parse(text).unwrap()), value);
    }
}

mod file {
    use super::super::weights::{FIRST_SIZE, HEAD, SET_SIZE, SIZE};
    use super::*;
    use crate::eval::LearnedError;

    /// The bytes with others at a place, and a checksum that says they are meant.
    fn with(at: usize, bytes: &[u8]) -> Vec<u8> {
        let mut file = random_weights(6).to_bytes();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        let check = crc32fast::hash(&file[16..]);
        file[12..16].copy_from_slice(&check.to_le_bytes());
        file
    }

    #[test]
    fn weights_come_back_from_their_bytes() {
        for weights in [random_weights(6), largest(1), largest(-1), Weights::zero()] {
            let bytes = weights.to_bytes();
            assert_eq!(bytes.len(), SIZE);
            assert_eq!(Weights::from_bytes(&bytes), Ok(weights));
        }
        // Nothing moves: the bytes are a format, not a habit.
        let mut weights = Weights { scale: 150, ..Weights::zero() };
        weights.input[0][0] = 3;
        weights.sets[7].direct_bias = -2;
        let bytes = weights.to_bytes();
        assert_eq!((HEAD, SIZE), (68, 68 + 132_096 + 8 * 1_668));
        assert_eq!(bytes[..12], *b"KELSONET\x02\0\0\0");
        assert_eq!(bytes[32..36], 150i32.to_le_bytes());
        assert_eq!(bytes[HEAD..HEAD + 4], [3, 0, 0, 0]);
        assert_eq!(bytes[SIZE - 4..], (-2i32).to_le_bytes());
    }

    #[test]
    fn what_is_no_weights_is_refused() {
        let good = random_weights(6).to_bytes();
        for length in [0, 7, 8, 12, 15, 16, 67, 68, 1000, SIZE - 1] {
            let error = Weights::from_bytes(&good[..length]).unwrap_err();
            let expected = match length {
                0..8 => LearnedError::Magic("KELSONET"),
                8..12 => LearnedError::Form { what: "version", found: 0, expected: 2 },
                _ => LearnedError::Size { found: length, expected: SIZE },
            };
            assert_eq!(error, expected);
        }
        for at in [12, 16, 32, 41, 69, SIZE - 1] {
            let mut bytes = good.clone();
            bytes[at] ^= 0x10;
            assert_eq!(Weights::from_bytes(&bytes), Err(LearnedError::Checksum), "{at}");
        }
        let form = |what, found, expected| LearnedError::Form { what, found, expected };
        let range = LearnedError::Range;
        let set = HEAD + FIRST_SIZE;
        let last = set + WIDTH + SECOND * SEEN;
        for (at, bytes, error) in [
            (8, &[3, 0, 0, 0][..], form("version", 3, 2)),
            (16, &[0, 1, 0, 0], form("number of neurons", 256, 512)),
            (20, &[9, 0, 0, 0], form("number of groups", 9, 8)),
            (24, &[9, 0, 0, 0], form("number of neurons of the second layer", 9, 16)),
            (28, &[9, 0, 0, 0], form("number of sets", 9, 8)),
            (32, &[0, 0, 0, 0], range("the scale")),
            (HEAD, &1311i16.to_le_bytes(), range("a weight or bias of the first layer")),
            (set - 2, &(-1311i16).to_le_bytes(), range("a weight or bias of the first layer")),
            (set, &[0x80], range("a weight of products")),
            (last - 1, &[0x80], range("a weight of products")),
            (last, &2049i16.to_le_bytes(), range("a weight of the second layer's neurons")),
            (last + 2 * TAIL, &i32::MAX.to_le_bytes(), range("a bias")),
            (set + SET_SIZE - 4, &i32::MIN.to_le_bytes(), range("a bias")),
        ] {
            assert_eq!(Weights::from_bytes(&with(at, bytes)), Err(error));
        }
    }

    #[test]
    fn whatever_is_accepted_can_be_played_with() {
        let weights = Weights::from_bytes(&with(36, &[0xff; 32])).unwrap();
        assert!(weights.name.starts_with('\u{fffd}'));
        assert!(Deep::new(weights).evaluate(&Position::start()).abs() <= LIMIT);
    }
}
