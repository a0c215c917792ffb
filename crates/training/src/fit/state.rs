//! A fit that was put down, as bytes.
//!
//! All numbers have their lowest byte first: `KELSOFIT`; version, 1; CRC-32 of all that follows; a fingerprint of the
//! recipe and the samples, 64 bits; steps, number of epochs and number of parameters, 32 bits each; number and losses of
//! each epoch; parameters, then what the descent remembers of each (the means of slopes, and of their squares), as 32-bit floats.

use std::fmt;

use super::descent::Descent;
use super::{Epoch, Recipe, Set};
use common::chance;

/// What a fit has come to.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct FitState {
    /// Which fit it is.
    fingerprint: u64,
    pub(super) parameters: Vec<f32>,
    pub(super) descent: Descent,
    pub(super) epochs: Vec<Epoch>,
}

/// Why a fit can't be gone on with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StateError {
    /// The bytes are no state, or damaged.
    Damaged,
    /// They are the state of a fit by another recipe, or of other samples.
    Other,
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Damaged => write!(f, "it is no state of a fit, or damaged"),
            Self::Other => write!(f, "it belongs to a fit with other settings or other positions"),
        }
    }
}

impl std::error::Error for StateError {}

const MAGIC: &[u8; 8] = b"KELSOFIT";
const VERSION: u32 = 1;

/// Differs, but for chance, whenever the weights could.
pub(super) fn fingerprint(set: &Set, recipe: &Recipe) -> u64 {
    let Recipe { seed, epochs, rate, batch, blend, name: _, from, threads: _ } = recipe;
    let mut numbers = vec![
        *seed,
        (*epochs).into(),
        rate.to_bits(),
        *batch as u64,
        blend.to_bits(),
        set.train.len() as u64,
        set.held_out.len() as u64,
    ];
    numbers.extend(from.iter().map(|weights| u64::from(crc32fast::hash(&weights.to_bytes()))));
    set.train.iter().chain(&set.held_out).fold(chance::seed(&numbers), |mix, sample| {
        let bytes = u128::from_le_bytes(sample.to_bytes());
        // Order counts too.
        let half = (bytes ^ bytes >> 64) & u128::from(u64::MAX);
        let low = u64::try_from(half).unwrap_or_default();
        (mix.rotate_left(5) ^ low ^ sample.key()).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    })
}

/// Takes numbers from the front of bytes.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], StateError> {
        let (first, rest) = self.0.split_first_chunk::<N>().ok_or(StateError::Damaged)?;
        self.0 = rest;
        Ok(*first)
    }

    fn word(&mut self) -> Result<u32, StateError> {
        self.take().map(u32::from_le_bytes)
    }

    fn double(&mut self) -> Result<f64, StateError> {
        self.take().map(f64::from_le_bytes)
    }

    fn floats(&mut self, count: usize) -> Result<Vec<f32>, StateError> {
        (0..count).map(|_| self.take().map(f32::from_le_bytes)).collect()
    }
}

impl FitState {
    pub(super) const fn new(parameters: Vec<f32>, descent: Descent, fingerprint: u64) -> Self {
        Self { fingerprint, descent, parameters, epochs: Vec::new() }
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes();
        let mut body = Vec::new();
        body.extend(self.fingerprint.to_le_bytes());
        body.extend(self.descent.steps.to_le_bytes());
        body.extend(count(self.epochs.len()));
        body.extend(count(self.parameters.len()));
        for Epoch { number, train, held_out, results } in &self.epochs {
            body.extend(number.to_le_bytes());
            body.extend([train, held_out, results].into_iter().flat_map(|loss| loss.to_le_bytes()));
        }
        for floats in [&self.parameters, &self.descent.means, &self.descent.squares] {
            body.extend(floats.iter().flat_map(|float| float.to_le_bytes()));
        }
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(crc32fast::hash(&body).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    /// The state in bytes, of the same fit as a new one.
    pub(super) fn from_bytes(bytes: &[u8], new: &Self) -> Result<Self, StateError> {
        let mut numbers = Numbers(bytes);
        let known = &numbers.take()? == MAGIC && numbers.word()? == VERSION;
        if !known || numbers.word()? != crc32fast::hash(numbers.0) {
            return Err(StateError::Damaged);
        }
        if u64::from_le_bytes(numbers.take()?) != new.fingerprint {
            return Err(StateError::Other);
        }
        let steps = i32::from_le_bytes(numbers.take()?);
        let (epochs, parameters) = (numbers.word()?, numbers.word()? as usize);
        if parameters != new.parameters.len() {
            return Err(StateError::Other);
        }
        let epochs = (0..epochs)
            .map(|_| {
                Ok(Epoch {
                    number: numbers.word()?,
                    train: numbers.double()?,
                    held_out: numbers.double()?,
                    results: numbers.double()?,
                })
            })
            .collect::<Result<_, StateError>>()?;
        let mut floats = || numbers.floats(new.parameters.len());
        let (parameters, means, squares) = (floats()?, floats()?, floats()?);
        if !numbers.0.is_empty() {
            return Err(StateError::Damaged);
        }
        Ok(Self {
            fingerprint: new.fingerprint,
            parameters,
            descent: Descent { means, squares, steps },
            epochs,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_comes_back_and_a_damaged_one_does_not() {
        let state = |parameters: Vec<f32>, fingerprint| {
            let descent = Descent::new(parameters.len());
            FitState::new(parameters, descent, fingerprint)
        };
        let new = state(vec![0.0; 5], 9);
        let others = [state(vec![0.0; 5], 8), state(vec![0.0; 6], 9)];
        let mut state = state(vec![1.5, -2.0, 0.1, 7.0, 0.0], 9);
        state.descent = Descent { means: vec![0.5; 5], squares: vec![0.25; 5], steps: 12 };
        state.epochs.push(Epoch { number: 1, train: 0.5, held_out: 0.6, results: 0.7 });
        let bytes = state.to_bytes();
        assert_eq!(FitState::from_bytes(&bytes, &new), Ok(state));
        for length in 0..bytes.len() {
            assert_eq!(FitState::from_bytes(&bytes[..length], &new), Err(StateError::Damaged));
            let mut changed = bytes.clone();
            changed[length] ^= 1;
            assert_eq!(FitState::from_bytes(&changed, &new), Err(StateError::Damaged));
        }
        for other in others {
            assert_eq!(FitState::from_bytes(&bytes, &other), Err(StateError::Other));
        }
    }
}
