//! A board in the browser: a small web server on this machine, and the page that it serves.
//!
//! The page is a client of the native protocol, line for line, over a WebSocket at `/session`: a text frame for a line,
//! without its line end. Each connection is a [`Session`](protocol::Session) like any other, or an engine of
//! another program behind the same lines. The page has no rules of its own, and there is no second command language.
//!
//! A connection comes in (`connection`), its request is read (`request`) and must come from this machine's own page
//! (`gate`); it gets a file of the page (`assets`), the games of a PDN text (`games`), or a session (`session`), whose
//! lines are frames of a WebSocket (`frames`). What a page may not set, `guard` refuses.
//!
//! Each connection has a thread. There are few of them, they mostly wait, and a limit for each kind of thing that a
//! connection can take is all that keeps them in bounds; see [`limits`].

mod address;
mod assets;
mod browser;
mod connection;
mod engines;
mod external;
mod frames;
mod games;
mod gate;
mod guard;
mod hub;
pub mod limits;
mod request;
mod response;
mod server;
mod session;
mod slots;

pub use address::Address;
pub use browser::open;
pub use engines::Engines;
pub use server::{Server, Settings};
