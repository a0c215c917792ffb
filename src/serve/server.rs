//! The server.

use std::io;
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::address::{self, Address};
use super::connection::{self, SharedState};
use super::egdb::Api;
use super::engines::Engines;
use super::limits;
use super::permissions::Permissions;
use super::semaphore::Semaphore;
use endgames::{Databases, Sources};
use engine::Embedded;
use web::explorer::{Collection, Explorer};

/// The configuration of the server.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The address to listen on.
    pub address: Address,
    /// The engines to choose from.
    pub engines: Engines,
    /// The maximum size of a session's table, in MiB.
    pub max_hash: usize,
    /// Whether a session may set options that name files.
    pub files: bool,
    /// Whether men on the last row of positions in PDN are read as kings.
    pub crown: bool,
    /// The endgame databases to serve, if any.
    pub egdb: Option<EgdbSettings>,
    /// The games of the explorer, if any.
    pub games: Option<Arc<Collection>>,
}

/// The endgame databases that the server serves.
#[derive(Clone, Debug)]
pub struct EgdbSettings {
    /// The files to open.
    pub sources: Sources,
    /// Positions per second for each client.
    pub rate: u32,
    /// The origins whose pages may read the answers, `*` for all.
    pub origins: Option<String>,
}

/// A listening server.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    shared: Arc<SharedState>,
}

impl Server {
    /// Starts to listen. [`Server::run`] answers.
    ///
    /// # Errors
    ///
    /// When the address is not available, for instance because another program uses the port.
    pub fn bind(settings: Settings) -> io::Result<Self> {
        let Settings { address, engines, max_hash, files, crown, egdb, games } = settings;
        let listener = TcpListener::bind((address.ip, address.port))?;
        let port = listener.local_addr()?.port();
        let permissions = Permissions {
            files,
            hash: max_hash,
            cache: limits::MAX_CACHE,
            threads: thread::available_parallelism().map_or(1, usize::from),
        };
        let shared = SharedState {
            port,
            engines,
            permissions,
            explorer: Explorer::new(games, crown, Embedded::default()),
            sessions: Semaphore::new(limits::MAX_SESSIONS),
            readers: Semaphore::new(limits::MAX_READERS),
            reviews: Semaphore::new(limits::MAX_REVIEWS),
            egdb: egdb.map(|egdb| Api::new(Databases::open(&egdb.sources), egdb.rate, egdb.origins)),
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
