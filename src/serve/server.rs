//! The server, and its limits on concurrent connections, sessions and readers.

use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use super::connection;
use super::egdb::Api;
use super::limits;
use super::permissions::Permissions;
use players::spec::EngineSpec;
use web::explorer::Explorer;

#[derive(Debug)]
pub(super) struct SharedState {
    pub(super) port: u16,
    /// The engines besides this program.
    pub(super) engines: Vec<EngineSpec>,
    pub(super) permissions: Permissions,
    pub(super) explorer: Explorer,
    pub(super) sessions: Semaphore,
    pub(super) readers: Semaphore,
    pub(super) reviews: Semaphore,
    /// The databases, if they are served.
    pub(super) egdb: Option<Api>,
}

/// Answers the requests to a listener with a port until the program ends. The endgame databases are those to serve, if any.
pub fn run(
    listener: &TcpListener,
    port: u16,
    engines: Vec<EngineSpec>,
    permissions: Permissions,
    explorer: Explorer,
    egdb: Option<Api>,
) -> ! {
    let shared = Arc::new(SharedState {
        port,
        engines,
        permissions,
        explorer,
        sessions: Semaphore::new(limits::MAX_SESSIONS),
        readers: Semaphore::new(limits::MAX_READERS),
        reviews: Semaphore::new(limits::MAX_REVIEWS),
        egdb,
    });
    let connections = Semaphore::new(limits::MAX_CONNECTIONS);
    loop {
        match listener.accept() {
            Ok((stream, _)) => accept(stream, Arc::clone(&shared), &connections),
            Err(error) => {
                // Too many open files, for which it waits a moment, or a connection that was closed.
                log::warn!("cannot accept a connection: {error}");
                thread::sleep(Duration::from_millis(20));
            }
        }
    }
}

fn accept(stream: TcpStream, shared: Arc<SharedState>, connections: &Semaphore) {
    let Some(permit) = connections.try_acquire() else { return connection::reject(stream) };
    let started = thread::Builder::new().name("connection".into()).spawn(move || {
        connection::serve(stream, &shared);
        drop(permit);
    });
    if let Err(error) = started {
        log::warn!("cannot start a thread for a connection: {error}");
    }
}

/// A number of permits.
#[derive(Clone, Debug)]
pub(super) struct Semaphore {
    taken: Arc<AtomicUsize>,
    limit: usize,
}

/// A permit, which is returned when it is dropped.
#[derive(Debug)]
pub(super) struct Permit(Arc<AtomicUsize>);

impl Semaphore {
    pub(super) fn new(limit: usize) -> Self {
        Self { taken: Arc::default(), limit }
    }

    /// Acquires a permit, if one is left.
    pub(super) fn try_acquire(&self) -> Option<Permit> {
        let more = |taken: usize| (taken < self.limit).then_some(taken + 1);
        self.taken.fetch_update(Ordering::SeqCst, Ordering::SeqCst, more).ok()?;
        Some(Permit(Arc::clone(&self.taken)))
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dropped_permit_can_be_acquired_again() {
        let semaphore = Semaphore::new(2);
        let (first, second) = (semaphore.try_acquire(), semaphore.clone().try_acquire());
        assert!(first.is_some() && second.is_some() && semaphore.try_acquire().is_none());
        drop(first);
        assert!(semaphore.try_acquire().is_some());
    }
}
