//! Solved slices in memory, one value for each position, captures included.
#![expect(clippy::inline_always, reason = "one access to memory each, in the solver's loops")]

use std::io;
use std::marker::PhantomData;
use std::sync::Arc;

use super::memory::Memory;
use crate::index::{Index, to_usize};
use crate::node::Node;
use crate::slice::Slice;

/// A representation of values in memory, by the number of the position.
pub(super) trait Cells: Send + Sync {
    fn get(memory: &[u8], number: u64) -> u8;
    fn set(memory: &mut [u8], number: u64, value: u8);
    /// Returns a value that no other exceeds.
    fn largest(memory: &[u8]) -> u8;
    /// Returns the bytes of `len` values.
    fn size(len: u64) -> u64;
}

/// Values below four, four to a byte.
pub(super) struct BitPairs;

impl Cells for BitPairs {
    #[inline(always)]
    fn get(memory: &[u8], number: u64) -> u8 {
        memory[to_usize(number >> 2)] >> ((number & 3) * 2) & 3
    }

    #[inline(always)]
    fn set(memory: &mut [u8], number: u64, value: u8) {
        let shift = (number & 3) * 2;
        let byte = &mut memory[to_usize(number >> 2)];
        *byte = *byte & !(3 << shift) | value << shift;
    }

    fn largest(_: &[u8]) -> u8 {
        crate::value::LOSS
    }

    fn size(len: u64) -> u64 {
        len.div_ceil(4)
    }
}

/// Values up to 255, one to a byte.
pub(super) struct Bytes;

impl Cells for Bytes {
    #[inline(always)]
    fn get(memory: &[u8], number: u64) -> u8 {
        memory[to_usize(number)]
    }

    #[inline(always)]
    fn set(memory: &mut [u8], number: u64, value: u8) {
        memory[to_usize(number)] = value;
    }

    fn largest(memory: &[u8]) -> u8 {
        memory.iter().copied().max().unwrap_or(0)
    }

    fn size(len: u64) -> u64 {
        len
    }
}

/// A slice with a value for each of its positions.
pub(super) struct Table<C> {
    pub(super) index: Index,
    pub(super) memory: Memory,
    cells: PhantomData<C>,
}

impl<C: Cells> Table<C> {
    /// Creates zeros in memory.
    pub(super) fn new(slice: Slice) -> io::Result<Self> {
        Ok(Self::over(slice, Memory::anonymous(Self::bytes(slice))?))
    }

    /// Wraps memory of [`Table::bytes`].
    pub(super) fn over(slice: Slice, memory: Memory) -> Self {
        debug_assert_eq!(memory.bytes.len(), Self::bytes(slice));
        Self { index: Index::new(slice), memory, cells: PhantomData }
    }

    /// Returns the bytes of a slice's table.
    pub(super) fn bytes(slice: Slice) -> usize {
        to_usize(C::size(Index::new(slice).len()))
    }

    #[inline(always)]
    pub(super) fn get(&self, number: u64) -> u8 {
        C::get(&self.memory.bytes, number)
    }

    #[inline(always)]
    pub(super) fn set(&mut self, number: u64, value: u8) {
        C::set(&mut self.memory.bytes, number, value);
    }

    /// Returns a value that no other exceeds.
    pub(super) fn largest(&self) -> u8 {
        C::largest(&self.memory.bytes)
    }
}

/// Tables by slice.
pub(super) struct Tables<C>(Vec<Option<Arc<Table<C>>>>);

impl<C: Cells> Tables<C> {
    pub(super) fn new(tables: impl IntoIterator<Item = Arc<Table<C>>>) -> Self {
        let mut by_code: Vec<_> = (0..Slice::CODES).map(|_| None).collect();
        for table in tables {
            let code = table.index.slice.code();
            by_code[code] = Some(table);
        }
        Self(by_code)
    }

    /// Releases the pages of tables in files.
    pub(super) fn release(&self) {
        self.0.iter().flatten().for_each(|table| table.memory.release());
    }

    pub(super) fn of(&self, slice: Slice) -> Option<&Table<C>> {
        self.0[slice.code() & (Slice::CODES - 1)].as_deref()
    }

    /// Returns the value of a position in which both sides have pieces, if its slice is here.
    #[inline(always)]
    pub(super) fn value(&self, node: &Node) -> Option<u8> {
        let table = self.of(node.slice())?;
        Some(table.get(table.index.of(node)))
    }
}
