//! The engine options of a command.

use anyhow::{Context, anyhow};
use common::keyvalue::KeyValue;
use engine::{EngineSettings, Kind, Setting};
use laboratory::CATALOG;

/// Engine options.
#[derive(clap::Args, Debug)]
pub(super) struct Settings {
    /// Set an engine option, such as EvalFile=FILE; can be repeated
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
}

impl Settings {
    /// Parses the options.
    pub(super) fn read(&self) -> anyhow::Result<EngineSettings> {
        let settings = self.options.iter().map(|text| setting(text)).collect::<Result<_, _>>()?;
        Ok(EngineSettings { catalog: CATALOG, settings, ..EngineSettings::default() })
    }

    /// Returns the files and directories that they name.
    pub(super) fn files(&self) -> impl Iterator<Item = &str> {
        self.options.iter().filter_map(|text| text.split_once('=').map(|(_, value)| value.trim()))
    }

    /// Returns the options as text, without files and directories, which differ between machines.
    pub(super) fn portable(&self) -> String {
        let is_path = |text: &str| {
            let name = text.split('=').next().unwrap_or_default();
            CATALOG.option(name.trim()).is_some_and(|option| option.kind == Kind::Path)
        };
        let plain: Vec<&str> =
            self.options.iter().map(String::as_str).filter(|text| !is_path(text)).collect();
        plain.join(" ")
    }
}

fn setting(text: &str) -> anyhow::Result<Setting> {
    let pair =
        KeyValue::split(text, "NAME=VALUE, such as Hash=16").map_err(|error| anyhow!("--option: {error}"))?;
    CATALOG.setting(pair.key.trim(), Some(pair.value.trim())).with_context(|| format!("--option {text}"))
}
