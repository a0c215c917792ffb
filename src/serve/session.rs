//! A connection that has become a session: lines to an engine and from it, until either goes away.

use std::net::TcpStream;

use tungstenite::protocol::frame::coding::CloseCode;

use super::external;
use super::frames::{self, ENGINE_ENDED, Outgoing};
use super::guard::{Allowed, Guarded};
use super::limits::HASH;
use engine::Engine;
use players::spec::EngineSpec;
use protocol::Session;

/// Holds a session with this program's engine, or passes lines on to another one.
pub(super) fn hold(stream: TcpStream, rest: Vec<u8>, engine: Option<&EngineSpec>, allowed: Allowed) {
    let (incoming, mut outgoing) = match frames::open(stream, rest) {
        Ok(ends) => ends,
        Err(error) => return log::warn!("a connection cannot become a session: {error}"),
    };
    match engine {
        Some(engine) => external::hold(engine, incoming, &mut outgoing, allowed),
        None => match Engine::with_table(HASH) {
            Ok(engine) => {
                if let Err(error) =
                    Session::hold(engine, Guarded::new(allowed), incoming, Lines(&mut outgoing))
                {
                    log::warn!("a session cannot begin: {error}");
                }
                outgoing.close(CloseCode::Normal, "the session is over");
            }
            Err(error) => outgoing.close(ENGINE_ENDED, &error.to_string()),
        },
    }
}

/// The lines of a session. Never an error: a session that can't be heard is ended by the end of its input, which stops
/// its searches, too.
struct Lines<'a>(&'a mut Outgoing);

impl protocol::Write for Lines<'_> {
    fn lines(&mut self, text: &str) -> std::io::Result<()> {
        text.lines().for_each(|line| self.0.say(line));
        Ok(())
    }
}
