//! What the tests of the rules and of notation share: the rules written a second time, and random positions.
#![allow(dead_code, reason = "each test program uses a part of it")]

pub mod random;
pub mod rules;
