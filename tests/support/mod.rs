//! What the tests of the rules share.
#![allow(dead_code, reason = "each test program uses a part of it")]

pub mod random;
pub mod reference;
