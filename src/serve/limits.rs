//! What a connection may take.

use std::time::Duration;

/// Connections at a time; another one is told to come back later.
pub const CONNECTIONS: usize = 128;
/// Sessions at a time: each has an engine, with its table and its threads.
pub const SESSIONS: usize = 32;
/// Bytes in the head of a request.
pub const HEAD: usize = 8 << 10;
/// Header lines in the head of a request.
pub const HEADERS: usize = 64;
/// Bytes in a PDN text.
pub const GAMES: usize = 16 << 20;
/// Games that are read from a PDN text.
pub const MOST_GAMES: usize = 10_000;
/// PDN texts that are read at a time.
pub const READERS: usize = 2;
/// Bytes in a line of a session, ten times as much as a game of five hundred moves.
pub const LINE: usize = 64 << 10;
/// Lines of a session in a second; a page that sends more is read more slowly.
pub const LINES_A_SECOND: u32 = 1000;
/// Mebibytes in a session's table before it sets another size.
pub const HASH: usize = 16;
/// Mebibytes that a session may set its table to, unless the server was started with another limit.
pub const MOST_HASH: usize = 256;
/// Mebibytes that a session may set its cache of endgame databases to.
pub const MOST_CACHE: usize = 256;

/// How long a request may take to arrive, and how long a connection may stay without another.
pub const REQUEST: Duration = Duration::from_secs(10);
/// How long the other side may take to read.
pub const WRITE: Duration = Duration::from_secs(10);
/// How often a silent connection is asked whether it is there.
pub const PING: Duration = Duration::from_secs(20);
/// Pings that may stay without an answer.
pub const PINGS: u32 = 3;
/// How long a session may go without a line from either side.
pub const IDLE: Duration = Duration::from_secs(60 * 60);
