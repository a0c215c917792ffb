//! The instruction sets of the evaluation. A network selects the best available one when it is created, so a
//! portable build is as fast as one for a specific machine.
//!
//! [`value`] is compiled once for each instruction set. The compiler uses wider vectors everywhere except in
//! the sums of products (`vectors`), which it does not recognise.
#![expect(
    clippy::inline_always,
    reason = "code is compiled for the instructions of the function that it is inlined into"
)]

#[cfg(target_arch = "x86_64")]
use super::vectors::Avx2;
use super::vectors::{Baseline, Vectors};
use super::{EvalCache, Network};
use kelso_draughts::board::Position;

/// Instructions that this processor has. Values are created only in this file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instructions(Set);

#[derive(Clone, Copy, Debug)]
enum Set {
    /// The instructions of the compilation target.
    Baseline,
    /// Vectors of 256 bits, and population counts.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// Vectors of 512 bits.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Set {
    /// All instruction sets, slowest first.
    #[cfg(target_arch = "x86_64")]
    const ALL: &[Self] = &[Self::Baseline, Self::Avx2, Self::Avx512];
    #[cfg(not(target_arch = "x86_64"))]
    const ALL: &[Self] = &[Self::Baseline];

    fn is_available(self) -> bool {
        match self {
            Self::Baseline => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("lzcnt")
                    && is_x86_feature_detected!("popcnt")
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                Self::Avx2.is_available()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vl")
            }
        }
    }
}

impl Instructions {
    /// Returns the instruction sets that this processor has, slowest first.
    pub(super) fn available() -> impl DoubleEndedIterator<Item = Self> {
        Set::ALL.iter().copied().filter(|set| set.is_available()).map(Self)
    }

    pub(super) fn fastest() -> Self {
        Self::available().next_back().unwrap_or(Self(Set::Baseline))
    }

    pub(super) const fn name(self) -> &'static str {
        match self.0 {
            Set::Baseline => "baseline instructions",
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => "AVX-512",
        }
    }

    /// Returns the value of a position for the side to move.
    #[inline]
    #[cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "the processor has the instructions"))]
    pub(super) fn value(
        self,
        network: &Network,
        cache: &mut EvalCache,
        position: &Position,
        ply: usize,
    ) -> i32 {
        match self.0 {
            Set::Baseline => value(network, cache, position, ply, Baseline),
            // SAFETY: a value of this type exists only if the processor has the instructions.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { value_by_avx2(network, cache, position, ply) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => unsafe { value_by_avx512(network, cache, position, ply) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn value_by_avx2(network: &Network, cache: &mut EvalCache, position: &Position, ply: usize) -> i32 {
    value(network, cache, position, ply, Avx2::new())
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn value_by_avx512(network: &Network, cache: &mut EvalCache, position: &Position, ply: usize) -> i32 {
    value(network, cache, position, ply, Avx2::new())
}

#[inline(always)]
fn value(
    network: &Network,
    cache: &mut EvalCache,
    position: &Position,
    ply: usize,
    vectors: impl Vectors,
) -> i32 {
    let accumulator = network.weights.update(cache, &super::features(position), ply);
    network.output(accumulator, position.side(), vectors)
}
