//! The server.

use std::io;
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::address;
use super::connection::{self, SharedState};
use super::egdb::Api;
use super::engines::Engines;
use super::limits;
use super::permissions::Permissions;
use super::semaphore::Semaphore;
use web::explorer::Explorer;

/// A listening server.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    shared: Arc<SharedState>,
}

impl Server {
    /// Creates a server for a listener, with the endgame databases to serve, if any. [`Server::run`] answers.
    ///
    /// # Errors
    ///
    /// When the listener has no address.
    pub fn new(
        listener: TcpListener,
        engines: Engines,
        permissions: Permissions,
        explorer: Explorer,
        egdb: Option<Api>,
    ) -> io::Result<Self> {
        let shared = SharedState {
            port: listener.local_addr()?.port(),
            engines,
            permissions,
            explorer,
            sessions: Semaphore::new(limits::MAX_SESSIONS),
            readers: Semaphore::new(limits::MAX_READERS),
            reviews: Semaphore::new(limits::MAX_REVIEWS),
            egdb,
        };
        Ok(Self { listener, shared: Arc::new(shared) })
    }

    /// Returns the URL by which a browser on this machine reaches the server.
    ///
    /// # Errors
    ///
    /// When the socket has no address.
    pub fn url(&self) -> io::Result<String> {
        Ok(address::url(self.listener.local_addr()?))
    }

    /// Answers requests until the program ends.
    pub fn run(&self) -> ! {
        let connections = Semaphore::new(limits::MAX_CONNECTIONS);
        loop {
            match self.listener.accept() {
                Ok((stream, _)) => self.accept(stream, &connections),
                Err(error) => {
                    // Too many open files, for which it waits a moment, or a connection that was closed.
                    log::warn!("cannot accept a connection: {error}");
                    thread::sleep(Duration::from_millis(20));
                }
            }
        }
    }

    fn accept(&self, stream: TcpStream, connections: &Semaphore) {
        let Some(permit) = connections.try_acquire() else { return connection::reject(stream) };
        let shared = Arc::clone(&self.shared);
        let started = thread::Builder::new().name("connection".into()).spawn(move || {
            connection::serve(stream, &shared);
            drop(permit);
        });
        if let Err(error) = started {
            log::warn!("cannot start a thread for a connection: {error}");
        }
    }
}
