//! A board in the browser: a small web server on this machine, and the page that it serves.
//!
//! The page is a client of the native protocol, line for line, over a WebSocket at `/session`: each text
//! frame carries one line, without its newline. Each connection is an ordinary
//! [`Session`](kelso_protocol::Session), or another engine behind the same protocol.
//!
//! A `connection` reads a request (`http`), whose origin must be this server's own page. The response is a
//! file of the page (`assets`), or comes from [`games`](crate::games), [`review`](crate::review),
//! [`explorer`](crate::explorer), `proofs` or a `session`, whose lines are `frames` of a WebSocket.
//! `permissions` restrict the options that a page may set.
//!
//! Each connection has a thread. Threads are few and mostly idle; [`limits`] bound their resources.

mod address;
mod assets;
mod bundle;
mod connection;
mod frames;
mod http;
pub mod limits;
mod listener;
mod permissions;
mod proofs;
mod services;
mod session;
pub mod site;
mod translator;

pub use address::{open, parse_ip, url};
pub use listener::run;
pub use permissions::Permissions;
pub use services::Services;
