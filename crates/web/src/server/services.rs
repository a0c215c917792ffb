//! The state shared by all connections: the services, the limits on concurrent sessions and readers, and the
//! engines that a page can choose from.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::permissions::Permissions;
use crate::explorer::Explorer;
use crate::library::LibraryService;
use crate::query::{QueryError, parameter};
use kelso_players::spec::EngineSpec;
use kelso_protocol::Dialect;

/// The services that pages may use.
#[derive(Debug)]
pub struct Services {
    /// The engines other than this program.
    pub engines: Vec<EngineSpec>,
    /// Restrictions on the options that a page can set.
    pub permissions: Permissions,
    /// The explorer, which lists the moves of a position.
    pub explorer: Explorer,
    /// The user's games and settings.
    pub library: Arc<Mutex<LibraryService>>,
}

#[derive(Debug)]
pub(super) struct SharedState {
    pub(super) port: u16,
    pub(super) services: Services,
    pub(super) sessions: Semaphore,
    pub(super) readers: Semaphore,
    pub(super) reviews: Semaphore,
    pub(super) proofs: Semaphore,
}

/// A limited number of permits.
#[derive(Clone, Debug)]
pub(super) struct Semaphore {
    taken: Arc<AtomicUsize>,
    limit: usize,
}

/// A permit that is returned when dropped.
#[derive(Debug)]
pub(super) struct Permit(Arc<AtomicUsize>);

impl Semaphore {
    pub(super) fn new(limit: usize) -> Self {
        Self { taken: Arc::default(), limit }
    }

    /// Acquires a permit, if one is left.
    pub(super) fn try_acquire(&self) -> Option<Permit> {
        self.taken
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |taken| {
                (taken < self.limit).then_some(taken + 1)
            })
            .ok()?;
        Some(Permit(Arc::clone(&self.taken)))
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// The name of this program in URLs.
const OWN: &str = "kelso";

/// Finds the engine that a query names: `None` for this program. `others` are the engines other than this
/// program.
pub(super) fn find_engine<'a>(
    others: &'a [EngineSpec],
    query: &str,
) -> Result<Option<&'a EngineSpec>, QueryError> {
    match parameter(query, "engine") {
        None => Ok(None),
        Some(name) if name == OWN && other(others, OWN).is_none() => Ok(None),
        Some(name) => other(others, &name).map(Some).ok_or(QueryError::Engine(name)),
    }
}

fn other<'a>(others: &'a [EngineSpec], name: &str) -> Option<&'a EngineSpec> {
    others.iter().find(|engine| engine.name == name)
}

/// Returns the list of engines for the page, without command lines, which may contain secrets.
pub(super) fn list_engines(others: &[EngineSpec]) -> Value {
    let kelso = other(others, OWN).is_none().then_some((OWN, Dialect::Native, true));
    let others = others.iter().map(|engine| (engine.name.as_str(), engine.protocol, false));
    kelso
        .into_iter()
        .chain(others)
        .map(|(name, protocol, own)| json!({ "name": name, "protocol": protocol.name(), "own": own }))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_players::spec::{OwnProgram, parse_engines};

    #[test]
    fn a_dropped_permit_can_be_acquired_again() {
        let semaphore = Semaphore::new(2);
        let (first, second) = (semaphore.try_acquire(), semaphore.clone().try_acquire());
        assert!(first.is_some() && second.is_some() && semaphore.try_acquire().is_none());
        drop(first);
        assert!(semaphore.try_acquire().is_some());
    }

    #[test]
    fn engines_are_found_by_their_names() {
        let words = ["name=A&B cmd=x".to_owned(), "cmd=y proto=hub".to_owned()];
        let own = OwnProgram { path: "kelso".into(), random: "random" };
        let engines = parse_engines(&words, &["nodes=1".to_owned()], &own).unwrap();
        assert!(
            find_engine(&engines, "").unwrap().is_none()
                && find_engine(&engines, "engine=kelso").unwrap().is_none()
        );
        assert_eq!(find_engine(&engines, "engine=A%26B").unwrap().unwrap().name, "A&B");
        assert_eq!(find_engine(&engines, "engine=a").unwrap_err().to_string(), "unknown engine \"a\"");
        let list = list_engines(&engines);
        assert_eq!(list[0]["name"], "kelso");
        assert_eq!(list[2], json!({ "name": "y", "protocol": "hub", "own": false }));
        assert!(!list.to_string().contains("cmd"));
    }
}
