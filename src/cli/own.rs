//! This program, as what it makes names it.

use anyhow::{Context, anyhow};
use std::path::PathBuf;

use players::fingerprint;
use players::spec::{EngineSpec, parse_engines};

/// Where it is.
pub(super) fn path() -> anyhow::Result<PathBuf> {
    std::env::current_exe().context("cannot find this program")
}

/// Its fingerprint, which is another one for every build.
pub(super) fn fingerprint() -> anyhow::Result<String> {
    let engines = parse_engines(&["nodes=1".to_owned()], &[], &path()?);
    let own: Option<EngineSpec> = engines.ok().and_then(|mut engines| engines.pop());
    let own = own.ok_or_else(|| anyhow!("cannot describe this program"))?;
    Ok(fingerprint::of(&own, ""))
}
