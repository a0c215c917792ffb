//! Code shared with the tests of the program.
#![allow(dead_code, reason = "other tests use the rest")]

#[path = "../../../../tests/shared/damage.rs"]
pub mod damage;
#[path = "../../../../tests/shared/random.rs"]
pub mod random;
#[path = "../../../../tests/shared/rules.rs"]
pub mod rules;
