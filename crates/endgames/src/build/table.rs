//! Solved slices in memory: one value for each position, including positions with captures.
#![expect(clippy::inline_always, reason = "one access to memory each, in the solver's loops")]

use std::io;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::index::{Index, to_usize};
use crate::node::Node;
use crate::value::StoredValue;
use crate::{Content, Slice};
use kelso_draughts::board::Color;

pub(super) fn table_size<V: StoredValue>(slice: Slice) -> u64 {
    (Index::new(slice).len() * V::BITS as u64).div_ceil(8)
}

/// The values of a slice's positions, [`StoredValue::BITS`] bits each, starting with the low bits of each byte.
pub(super) struct ValueTable<V> {
    pub(super) index: Index,
    pub(super) bytes: Vec<u8>,
    values: PhantomData<V>,
}

impl<V: StoredValue> ValueTable<V> {
    const MASK: u8 = u8::MAX >> (8 - V::BITS);

    /// Creates a table of zeros.
    pub(super) fn new(slice: Slice) -> io::Result<Self> {
        let mut bytes = Vec::new();
        let size = to_usize(table_size::<V>(slice));
        bytes.try_reserve_exact(size)?;
        bytes.resize(size, 0);
        Ok(Self { index: Index::new(slice), bytes, values: PhantomData })
    }

    pub(super) fn size(&self) -> u64 {
        table_size::<V>(self.index.slice)
    }

    /// Returns the index of the byte that holds a value, and the value's shift in the byte.
    #[inline(always)]
    const fn byte_and_shift(number: u64) -> (usize, usize) {
        let number = to_usize(number);
        (number / (8 / V::BITS), number % (8 / V::BITS) * V::BITS)
    }

    #[inline(always)]
    pub(super) fn byte(&self, number: u64) -> u8 {
        let (byte, shift) = Self::byte_and_shift(number);
        self.bytes[byte] >> shift & Self::MASK
    }

    #[inline(always)]
    pub(super) fn get(&self, number: u64) -> V {
        V::from_byte(self.byte(number))
    }

    #[inline(always)]
    pub(super) fn set(&mut self, number: u64, value: V) {
        let (byte, shift) = Self::byte_and_shift(number);
        let byte = &mut self.bytes[byte];
        *byte = *byte & !(Self::MASK << shift) | value.byte() << shift;
    }

    /// Returns an upper bound on the bytes of the values.
    pub(super) fn largest_byte(&self) -> u8 {
        match V::CONTENT {
            Content::Results => V::LOST.byte(),
            Content::Distances => self.bytes.iter().copied().max().unwrap_or(0),
        }
    }
}

pub(super) struct Tables<V>(Vec<Option<Arc<ValueTable<V>>>>);

impl<V: StoredValue> Tables<V> {
    pub(super) fn new(tables: impl IntoIterator<Item = Arc<ValueTable<V>>>) -> Self {
        let mut by_code: Vec<_> = (0..Slice::CODES).map(|_| None).collect();
        for table in tables {
            let code = table.index.slice.code();
            by_code[code] = Some(table);
        }
        Self(by_code)
    }

    pub(super) fn table(&self, slice: Slice) -> Option<&ValueTable<V>> {
        self.0[slice.code() & (Slice::CODES - 1)].as_deref()
    }

    /// Returns the value of a position in which both sides have pieces, if its slice is in the table.
    #[inline(always)]
    pub(super) fn value(&self, node: &Node) -> Option<V> {
        let table = self.table(node.slice())?;
        Some(table.get(table.index.number(node)))
    }
}

/// The tables read while a block is solved.
pub(super) struct SolvedTables<'a, V> {
    /// The slices that captures lead to.
    pub(super) tables: &'a Tables<V>,
    /// The pair's own tables, which may be partly solved, by side to move.
    pub(super) own: [&'a ValueTable<V>; 2],
    /// The tables that each side's promotions lead to.
    pub(super) crowned: [Option<&'a ValueTable<V>>; 2],
}

impl<'a, V> SolvedTables<'a, V> {
    /// Returns the table of the positions after a move of a man of `side`, which may crown it.
    #[inline(always)]
    pub(super) const fn after(&self, side: Color, crowns: bool) -> Option<&'a ValueTable<V>> {
        if crowns { self.crowned[side.index()] } else { Some(self.own[1 - side.index()]) }
    }
}
