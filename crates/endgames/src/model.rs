//! The model for coding the blocks of a slice: the probability of each value, given the previous values.
//!
//! The values of a block are coded in order. The context of a value consists of the values at up to seven
//! fixed offsets before it, which differ from slice to slice: the previous value, and the values that the
//! encoder finds to be the best predictors, such as the value of the same square in the previous row. For
//! each context that occurs, the model lists the values that follow it with their shares of 2^14, the
//! likeliest first.
//!
//! Format: number of values n (u16; the values are 0 to n - 1), number of offsets (u8), the offsets (u16
//! each), number of contexts (u32); then for each context the difference from the previous context's number
//! minus one, the number of values that follow it minus one, and the values with their shares. The share of
//! the last value is not listed, since it is the remainder. Numbers in the list are in base 128 with the low
//! digits first and the top bit set on all digits but the last; values are single bytes. A context's number
//! has the value at the first offset as its lowest digit, in base n. An offset that reaches before the start
//! of the block gives the previous value instead, and at the start of the block all offsets give 0.
#![expect(clippy::inline_always, reason = "inside the decoder's loop")]
#![expect(
    clippy::cast_possible_truncation,
    reason = "shares are at most 2^14, values and numbers of contexts are checked when they are read"
)]

/// The sum of all shares of a context.
pub const WHOLE: u32 = 1 << SHIFT;
pub const SHIFT: u32 = 14;
pub const MAX_OFFSETS: usize = 7;
const MAX_CONTEXTS: u64 = 1 << 17;

/// A value, its share, and the sum of the shares before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Share {
    pub value: u8,
    /// The share in parts of 2^14: at least 1, or 0 if the context is not in the model.
    pub size: u16,
    pub below: u16,
}

/// The values that follow one context.
#[derive(Clone, Copy, Debug, Default)]
struct Context {
    likeliest: Share,
    others: u32,
    count: u32,
}

#[derive(Clone, Debug)]
pub struct ContextModel {
    /// One more than the largest possible value.
    pub alphabet: usize,
    pub offsets: Vec<usize>,
    contexts: Vec<Context>,
    /// All values but the likeliest, context by context.
    others: Vec<Share>,
}

impl ContextModel {
    pub fn empty(alphabet: usize, offsets: Vec<usize>) -> Self {
        let contexts = vec![Context::default(); alphabet.pow(offsets.len() as u32)];
        Self { alphabet, offsets, contexts, others: Vec::new() }
    }

    /// Adds a context: the values that follow it with their shares, the likeliest first.
    pub fn add(&mut self, number: usize, shares: &[(u8, u32)]) {
        let first = self.others.len();
        let mut below = 0;
        let context = &mut self.contexts[number];
        for (i, &(value, share)) in shares.iter().enumerate() {
            let entry = Share { value, size: share as u16, below: below as u16 };
            below += share;
            if i == 0 { context.likeliest = entry } else { self.others.push(entry) }
        }
        (context.others, context.count) = (first as u32, (self.others.len() - first) as u32);
    }

    #[cfg(feature = "build")]
    pub const fn contexts(&self) -> usize {
        self.contexts.len()
    }

    /// Returns the share of the likeliest value after a context; the share is empty if the context is not in
    /// the model.
    #[inline(always)]
    pub fn likeliest(&self, context: usize) -> Share {
        self.contexts[context].likeliest
    }

    /// Returns the shares of all values but the likeliest after a context.
    pub fn others(&self, context: usize) -> &[Share] {
        let Context { others, count, .. } = self.contexts[context];
        &self.others[others as usize..(others + count) as usize]
    }

    /// Returns the value whose share contains this point, which lies beyond the likeliest value's share.
    #[inline]
    pub fn at(&self, context: usize, point: u32) -> Share {
        let others = self.others(context);
        let next = others.partition_point(|share| u32::from(share.below) <= point);
        // The first share begins where the likeliest value's share ends, which is at or below the point.
        next.checked_sub(1).and_then(|i| others.get(i)).copied().unwrap_or_default()
    }

    pub fn parse(mut bytes: &[u8]) -> Result<Self, &'static str> {
        let alphabet = usize::from(u16::from_le_bytes(take(&mut bytes)?));
        let [count] = take(&mut bytes)?.map(usize::from);
        if !(1..=256).contains(&alphabet) || !(1..=MAX_OFFSETS).contains(&count) {
            return Err("unknown shape");
        }
        let mut offsets = Vec::with_capacity(count);
        for _ in 0..count {
            offsets.push(usize::from(u16::from_le_bytes(take(&mut bytes)?)));
        }
        if offsets[0] != 1 || offsets.contains(&0) {
            return Err("impossible offsets");
        }
        let space = (alphabet as u64).checked_pow(count as u32).filter(|&space| space <= MAX_CONTEXTS);
        let space = space.ok_or("too many contexts")?;
        let contexts = u32::from_le_bytes(take(&mut bytes)?);
        let mut model = Self::empty(alphabet, offsets);
        let mut next = 0;
        for _ in 0..contexts {
            let context = number(&mut bytes)?.saturating_add(next);
            if context >= space {
                return Err("impossible context");
            }
            next = context + 1;
            let others = number(&mut bytes)?;
            let mut shares = Vec::new();
            let mut left = u64::from(WHOLE);
            for i in 0..=others {
                let [value] = take(&mut bytes)?;
                let share = if i < others { number(&mut bytes)? } else { left };
                if usize::from(value) >= alphabet
                    || share == 0
                    || share > left
                    || (i < others && share == left)
                {
                    return Err("shares that do not add up");
                }
                left -= share;
                shares.push((value, share as u32));
            }
            model.add(context as usize, &shares);
        }
        if !bytes.is_empty() {
            return Err("trailing bytes");
        }
        Ok(model)
    }
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Result<[u8; N], &'static str> {
    let (&first, rest) = bytes.split_first_chunk().ok_or("unexpected end")?;
    *bytes = rest;
    Ok(first)
}

fn number(bytes: &mut &[u8]) -> Result<u64, &'static str> {
    read_number(bytes).ok_or("unterminated number")
}

/// Reads a number of at most five digits in base 128.
pub fn read_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in [0, 7, 14, 21, 28] {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 127) << shift;
        if byte < 128 {
            return Some(number);
        }
    }
    None
}
