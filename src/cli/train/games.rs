//! How games of the engine are played, as commands are told it.

use clap::value_parser;

use super::super::settings::Settings;
use super::threads;
use engine::EngineSettings;

/// What all commands that play games have in common.
#[derive(clap::Args, Debug)]
pub(super) struct Games {
    /// Seed of the random numbers: the same seed gives the same games
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// Number of concurrent games [default: one for each processor core]
    #[arg(long, value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    options: Settings,
}

impl Games {
    /// How many games at the same time.
    pub(super) fn threads(&self) -> usize {
        threads(self.threads)
    }

    /// The files that the engine's options name.
    pub(super) fn files(&self) -> impl Iterator<Item = &str> {
        self.options.files()
    }

    /// The engine's settings.
    pub(super) fn settings(&self) -> anyhow::Result<EngineSettings> {
        self.options.read()
    }
}
