//! This program, as what it makes names it.

use std::path::PathBuf;

use super::Failure;
use players::fingerprint;
use players::spec::{EngineSpec, parse_engines};

/// Where it is.
pub(super) fn path() -> Result<PathBuf, Failure> {
    std::env::current_exe().map_err(|error| Failure(format!("cannot find this program: {error}")))
}

/// Its fingerprint, which is another one for every build.
pub(super) fn fingerprint() -> Result<String, Failure> {
    let engines = parse_engines(&["nodes=1".to_owned()], &[], &path()?);
    let own: Option<EngineSpec> = engines.ok().and_then(|mut engines| engines.pop());
    let own = own.ok_or_else(|| Failure("cannot describe this program".to_owned()))?;
    Ok(fingerprint::of(&own, ""))
}
