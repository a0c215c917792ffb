//! What the tests of the rules and of notation share: the rules written a second time, and random positions.
#![allow(dead_code, reason = "each test program uses a part of it")]
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

pub mod random;
pub mod rules;
