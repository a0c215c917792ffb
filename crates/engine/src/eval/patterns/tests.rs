use super::*;
use crate::eval::testing;
use common::chance::{self, RngExt};
use draughts::board::{Color, Kind, Square};
use draughts::notation::fen;

/// Weights by chance at every place that positions of random games have, and at many others.
fn random_weights(most: i16) -> Weights {
    let mut indices: Vec<usize> = Vec::new();
    testing::positions(|position| features(Pieces::of(position), |index, _| indices.push(index)));
    let mut random = chance::stream(&[3]);
    // Some of what is seen has no weight of its own.
    indices.retain(|&index| index < place::ALL_MEN || random.random_ratio(2, 3));
    indices.sort_unstable();
    indices.dedup();
    let mut even = || random.random_range(-most..=most);
    let entry = |&index: &usize| Entry { index: u32::try_from(index).unwrap(), pair: [even(), even()] };
    Weights { name: "chance".into(), scale: 137, entries: indices.iter().map(entry).collect() }
}

/// What stands on a square, as the side to move sees it, turned.
fn digit(position: &Position, number: usize) -> usize {
    let side = position.side();
    let square = Square::from_index(if side == Color::Black { number } else { 31 - number }).unwrap();
    position.piece_at(square).map_or(0, |piece| {
        let other = usize::from(piece.color != side);
        1 + other + if piece.kind == Kind::King { 2 } else { 0 }
    })
}

/// The number of what stands on squares; kings are nothing to three digits.
fn number(position: &Position, squares: &[usize], base: usize) -> usize {
    squares.iter().rev().fold(0, |number, &square| {
        let digit = digit(position, square);
        number * base + if digit < base { digit } else { 0 }
    })
}

/// The squares of rows and of files, both from 0; a row has four squares.
fn squares(rows: std::ops::Range<usize>, files: std::ops::Range<usize>) -> Vec<usize> {
    rows.flat_map(|row| files.clone().map(move |file| 4 * row + file)).collect()
}

/// The value as the documents say, in the widest numbers, place by place.
fn reference(weights: &Weights, position: &Position) -> i32 {
    let mut places: Vec<(usize, i64)> = Vec::new();
    let pieces = Pieces::of(position);
    places.extend((0..).zip(shape::scalars(pieces).map(i64::from)));
    for square in 0..32 {
        match digit(position, square) {
            0 => {}
            digit @ 1..=2 => places.push((15 + 32 * (digit - 1) + square, 1)),
            digit => places.push((15 + 64 + 32 * (digit - 3) + square, 1)),
        }
    }
    let mut at = 15 + 128;
    let mut tables = |tables: Vec<Vec<usize>>, base: usize, size: usize| {
        for squares in tables {
            assert_eq!(squares.len(), size);
            places.push((at + number(position, &squares, base), 1));
            at += base.pow(u32::try_from(size).unwrap());
        }
    };
    let (left, middle, right) = (0..2, 1..3, 2..4);
    let mut small: Vec<_> = (0..7).map(|row| squares(row..row + 2, 0..4)).collect();
    small.extend([0, 2, 4].map(|row| squares(row..row + 4, left.clone())));
    small.extend([0, 2, 4].map(|row| squares(row..row + 4, right.clone())));
    small.extend([1, 3].map(|row| squares(row..row + 4, middle.clone())));
    tables(small, 3, 8);
    let mut kings: Vec<_> = (0..4).map(|row| squares(2 * row..2 * row + 2, 0..4)).collect();
    for files in [&left, &right] {
        kings.extend([0, 4].map(|row| squares(row..row + 4, files.clone())));
    }
    let any_kings = position.kings(Color::Black).0 | position.kings(Color::White).0 != 0;
    if any_kings {
        tables(kings.iter().flat_map(|all| [all[..4].to_vec(), all[4..].to_vec()]).collect(), 5, 4);
    } else {
        at += 16 * 625;
    }
    let mut tables = |tables: Vec<Vec<usize>>, base: usize, size: usize| {
        for squares in tables {
            assert_eq!(squares.len(), size);
            places.push((at + number(position, &squares, base), 1));
            at += base.pow(u32::try_from(size).unwrap());
        }
    };
    let mut men: Vec<_> = (0..6).map(|row| squares(row..row + 3, 0..4)).collect();
    for files in [left, right] {
        men.extend([0, 2].map(|row| squares(row..row + 6, files.clone())));
    }
    men.push(squares(1..7, middle));
    tables(men, 3, 12);
    if any_kings {
        tables(kings, 5, 8);
        assert_eq!(at, FEATURES);
    }
    let mut sums = [0i64; 2];
    for (index, times) in places {
        let found = weights.entries.binary_search_by_key(&index, |entry| entry.index as usize);
        let pair = found.map_or([0; 2], |found| weights.entries[found].pair);
        sums.iter_mut().zip(pair).for_each(|(sum, weight)| *sum += times * i64::from(weight));
    }
    let count = i64::from(position.piece_count());
    let value = (sums[0] * count + sums[1] * (24 - count)) * i64::from(weights.scale) / (24 * 4096);
    i32::try_from(value.clamp(-i64::from(LIMIT), LIMIT.into())).unwrap()
}

#[test]
fn values_are_those_of_the_plain_sum_of_what_was_learned() {
    let weights = random_weights(900);
    let patterns = Patterns::new(&weights);
    let mut values = Vec::new();
    testing::positions(|position| {
        let value = patterns.evaluate(position);
        assert_eq!(value, reference(&weights, position), "{position:?}");
        values.push(value);
    });
    assert!(values.len() > 10_000);
    assert!(values.iter().any(|&value| value > 100) && values.iter().any(|&value| value < -100));
}

#[test]
fn what_is_folded_is_what_is_learned() {
    let weights = random_weights(700);
    let patterns = Patterns::new(&weights);
    let mut by_place = vec![[0; 2]; FEATURES];
    weights.entries.iter().for_each(|entry| by_place[entry.index as usize] = entry.pair);
    testing::positions(|position| {
        let pieces = Pieces::of(position);
        let (mut learned, mut folded) = (Sum::default(), Sum::default());
        features(pieces, |index, times| learned.add(by_place[index], times));
        patterns.sums(pieces, |_, pair, times| folded.add(pair, times));
        assert_eq!(learned, folded, "{position:?}");
    });
}

#[test]
fn colours_make_no_difference() {
    let patterns = Patterns::new(&random_weights(900));
    testing::assert_symmetric(&patterns);
}

#[test]
fn the_parts_make_the_value() {
    let patterns = Patterns::new(&random_weights(900));
    testing::positions(|position| {
        let parts = patterns.parts(position);
        let sum: i32 = parts.iter().map(|part| part.value).sum();
        // Each is rounded for itself.
        let most = i32::try_from(parts.len()).unwrap();
        assert!((sum - patterns.evaluate(position)).abs() <= most, "{position:?} {parts:?}");
    });
}

#[test]
fn no_weights_end_the_program() {
    let mut weights = random_weights(i16::MAX);
    weights.scale = 10_000;
    for entry in &mut weights.entries {
        entry.pair = [i16::MIN, i16::MAX];
    }
    let patterns = Patterns::new(&weights);
    testing::positions(|position| {
        assert!((-LIMIT..=LIMIT).contains(&patterns.evaluate(position)));
        patterns.parts(position);
    });
    let outside = Entry { index: u32::MAX, pair: [1, 1] };
    let nothing = Patterns::new(&Weights { entries: vec![outside], ..Weights::zero() });
    assert_eq!(nothing.evaluate(&Position::start()), 0);
}

#[test]
fn counts_are_what_they_are_called() {
    for (text, counts) in [
        ("B:W21-32:B1-12", [1, 12, 12, 0, 0, 0, 0, 0, 0, 0, -1, 7, 7, 0, 0]),
        ("W:W21-32:B1-12", [1, 12, 12, 0, 0, 0, 0, 0, 0, 0, -1, 7, 7, 0, 0]),
        ("W:WK18,32:BK1,K2,9", [1, 1, 1, 1, 2, 1, 1, 0, 1, -3, 0, 2, 2, 4, 4]),
        ("B:WK32:BK28", [1, 0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 1]),
    ] {
        let position = fen::parse(text).unwrap();
        assert_eq!(shape::scalars(Pieces::of(&position)), counts, "{text}");
    }
}
