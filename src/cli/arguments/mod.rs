//! Groups of arguments shared by several commands.

pub mod engine;
pub mod files;
pub mod position;
pub mod run;
pub mod subcommands;
