//! Listening for connections.

use std::io;
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::address::{self, Address};
use super::connection::{self, House};
use super::engines::Engines;
use super::guard::Allowed;
use super::limits;
use super::slots::Slots;

/// How the server is meant to behave.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where it listens.
    pub address: Address,
    /// The engines to choose from.
    pub engines: Engines,
    /// Mebibytes that a session may set its table to.
    pub most_hash: usize,
    /// Whether a session may set options that name files.
    pub files: bool,
}

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    house: Arc<House>,
}

impl Server {
    /// Listens from now on; answers when it [runs](Self::run).
    ///
    /// # Errors
    ///
    /// When the address can't be had, mostly because another program has the port.
    pub fn bind(settings: Settings) -> io::Result<Self> {
        let Settings { address, engines, most_hash, files } = settings;
        let listener = TcpListener::bind((address.ip, address.port))?;
        let port = listener.local_addr()?.port();
        let allowed = Allowed {
            files,
            hash: most_hash,
            cache: limits::MOST_CACHE,
            threads: thread::available_parallelism().map_or(1, usize::from),
        };
        let house = House {
            port,
            engines,
            allowed,
            sessions: Slots::new(limits::SESSIONS),
            readers: Slots::new(limits::READERS),
        };
        Ok(Self { listener, house: Arc::new(house) })
    }

    /// Where a browser on this machine finds it.
    ///
    /// # Errors
    ///
    /// When the system has lost the socket.
    pub fn url(&self) -> io::Result<String> {
        Ok(address::url(self.listener.local_addr()?))
    }

    /// Answers, until the program ends.
    pub fn run(&self) -> ! {
        let connections = Slots::new(limits::CONNECTIONS);
        loop {
            match self.listener.accept() {
                Ok((stream, _)) => self.welcome(stream, &connections),
                Err(error) => {
                    // Too many open files, or a connection that has gone already. Neither is a reason to end, and the
                    // former no reason to try at once.
                    log::warn!("a connection cannot be accepted: {error}");
                    thread::sleep(Duration::from_millis(20));
                }
            }
        }
    }

    fn welcome(&self, stream: TcpStream, connections: &Slots) {
        let Some(slot) = connections.take() else { return connection::turn_away(stream) };
        let house = Arc::clone(&self.house);
        let started = thread::Builder::new().name("connection".into()).spawn(move || {
            connection::serve(stream, &house);
            drop(slot);
        });
        if let Err(error) = started {
            log::warn!("no thread for a connection: {error}");
        }
    }
}
