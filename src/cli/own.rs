//! The running program.

use anyhow::{Context, anyhow};
use std::path::PathBuf;

use players::fingerprint;
use players::spec::{EngineSpec, parse_engines};

/// Returns its path.
pub(super) fn path() -> anyhow::Result<PathBuf> {
    std::env::current_exe().context("cannot find the path of this program")
}

/// Returns its fingerprint, which differs between builds.
pub(super) fn fingerprint() -> anyhow::Result<String> {
    let engines = parse_engines(&["nodes=1".to_owned()], &[], &path()?);
    let own: Option<EngineSpec> = engines.ok().and_then(|mut engines| engines.pop());
    let own = own.ok_or_else(|| anyhow!("cannot compute the fingerprint of this program"))?;
    Ok(fingerprint::of(&own, ""))
}
