//! A session over a WebSocket: lines to an engine and from it, until either ends.

use std::io::BufReader;
use std::net::TcpStream;

use tungstenite::protocol::frame::coding::CloseCode;

use super::external;
use super::frames::{self, ENGINE_ENDED, Outgoing};
use super::limits::DEFAULT_HASH;
use super::permissions::{Permissions, RestrictedProtocol};
use engine::Engine;
use laboratory::CATALOG;
use players::spec::EngineSpec;
use protocol::Session;

/// Runs a session with this program's engine or with another one.
pub(super) fn run(stream: &TcpStream, rest: Vec<u8>, engine: Option<&EngineSpec>, permissions: Permissions) {
    let (incoming, mut outgoing) = match frames::open(stream, rest) {
        Ok(ends) => ends,
        Err(error) => return log::warn!("cannot open a WebSocket: {error}"),
    };
    match engine {
        Some(engine) => external::run(engine, incoming, &mut outgoing, permissions),
        None => match Engine::with_catalog(CATALOG, DEFAULT_HASH) {
            Ok(engine) => {
                if let Err(error) = Session::run(
                    engine,
                    RestrictedProtocol::new(permissions),
                    BufReader::new(incoming),
                    &mut outgoing,
                ) {
                    log::warn!("cannot start a session: {error}");
                }
                outgoing.close(CloseCode::Normal, "the session has ended");
            }
            Err(error) => outgoing.close(ENGINE_ENDED, &error.to_string()),
        },
    }
}

/// Writing never fails: a session whose connection is lost ends with its input, which also stops its searches.
impl protocol::Write for &mut Outgoing {
    fn lines(&mut self, text: &str) -> std::io::Result<()> {
        text.lines().for_each(|line| self.send(line));
        Ok(())
    }
}
