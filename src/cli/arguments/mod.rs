//! Groups of arguments that several commands share.

pub mod engine;
pub mod files;
pub mod position;
pub mod run;
