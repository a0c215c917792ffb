//! Limits on connections.

use std::time::Duration;

/// Concurrent connections. Further ones are refused.
pub const MAX_CONNECTIONS: usize = 128;
/// Concurrent sessions. Each has an engine with its table and its threads.
pub const MAX_SESSIONS: usize = 32;
/// Bytes in the head of a request.
pub const MAX_HEAD: usize = 8 << 10;
/// Header fields of a request.
pub const MAX_HEADERS: usize = 64;
/// Bytes in the body of a request, a PDN text.
pub const MAX_BODY: usize = 16 << 20;
/// Positions in a request for database results.
pub const MAX_POSITIONS: usize = 1000;
/// Bytes in such a request.
pub const MAX_BATCH: usize = 256 << 10;
/// Positions per second for each client of the databases, by default.
pub const DEFAULT_RATE: u32 = 5000;
/// Clients whose rates are tracked.
pub const MAX_CLIENTS: usize = 10_000;
/// PDN texts that are read concurrently.
pub const MAX_READERS: usize = 2;
/// Reviews of games that run concurrently.
pub const MAX_REVIEWS: usize = 4;
/// Bytes in a line of a session, ten times as much as a game of five hundred moves.
pub const MAX_LINE: usize = 64 << 10;
/// Lines of a session in a second; a page that sends more is slowed down.
pub const MAX_LINES_PER_SECOND: u32 = 1000;
/// The default size of a session's table, in MiB.
pub const DEFAULT_HASH: usize = 16;
/// The default limit for the size of a session's table, in MiB.
pub const MAX_HASH: usize = 256;
/// The limit for the size of a session's cache of endgame databases, in MiB.
pub const MAX_CACHE: usize = 256;

/// The time in which a request must arrive, also after an earlier one.
pub const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// The time in which the other side must read.
pub const WRITE_TIMEOUT: Duration = Duration::from_secs(10);
/// The time between pings of a silent connection.
pub const PING_INTERVAL: Duration = Duration::from_secs(20);
/// Unanswered pings after which a connection is closed.
pub const MAX_UNANSWERED_PINGS: u32 = 3;
/// The time without a line after which a session is closed.
pub const IDLE_TIMEOUT: Duration = Duration::from_secs(60 * 60);
