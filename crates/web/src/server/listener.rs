//! The server, and its limit on concurrent connections.

use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::services::{Semaphore, Services, SharedState};
use super::{connection, limits};

/// Answers the requests to a listener on this port until the program ends.
pub fn run(listener: &TcpListener, port: u16, services: Services) -> ! {
    let shared = Arc::new(SharedState {
        port,
        services,
        sessions: Semaphore::new(limits::MAX_SESSIONS),
        readers: Semaphore::new(limits::MAX_READERS),
        reviews: Semaphore::new(limits::MAX_REVIEWS),
        proofs: Semaphore::new(limits::MAX_PROOFS),
    });
    let connections = Semaphore::new(limits::MAX_CONNECTIONS);
    loop {
        match listener.accept() {
            Ok((stream, _)) => accept(stream, Arc::clone(&shared), &connections),
            Err(error) => {
                // Either the connection was closed, or too many files are open; waiting a moment helps with
                // the latter.
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
