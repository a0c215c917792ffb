//! Limits on connections.

use std::time::Duration;

/// Maximum number of concurrent connections.
pub const MAX_CONNECTIONS: usize = 128;
/// Maximum number of concurrent sessions. Each has an engine with its table and threads.
pub const MAX_SESSIONS: usize = 32;
/// Maximum size of the head of a request in bytes.
pub const MAX_HEAD_BYTES: usize = 8 << 10;
/// Maximum number of header fields in a request.
pub const MAX_HEADERS: usize = 64;
/// Maximum size of the body of a request, which is PDN, in bytes.
pub const MAX_BODY_BYTES: usize = 16 << 20;
/// Maximum number of PDN texts that are read concurrently.
pub const MAX_READERS: usize = 4;
/// Maximum number of reviews that run concurrently.
pub const MAX_REVIEWS: usize = 4;
/// Maximum number of proofs that are searched concurrently.
pub const MAX_PROOFS: usize = 1;
/// Maximum time for a proof.
pub const PROOF_TIME: Duration = Duration::from_secs(10);
/// Maximum length of a line in a session in bytes: ten times the length of a game of five hundred moves.
pub const MAX_LINE: usize = 64 << 10;
/// Maximum number of lines per second in a session. A page that sends more is slowed down.
pub const MAX_LINES_PER_SECOND: u32 = 1000;
/// The default size of a session's table, in MiB.
pub const DEFAULT_HASH: usize = 16;
/// The size of the table of a review, whose searches are longer, in MiB.
pub const REVIEW_HASH: usize = 64;
/// The default limit for the sizes of a session's table and of its cache of endgame databases, in MiB.
pub const MAX_HASH: usize = 256;

/// Time within which each request on a connection must arrive.
pub const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// Time within which the body of a request must arrive.
pub const BODY_TIMEOUT: Duration = Duration::from_secs(30);
/// The time by which each byte of the body extends this.
pub const BYTE_TIMEOUT: Duration = Duration::from_micros(50);
/// Maximum time that a write may block before the connection is closed.
pub const WRITE_TIMEOUT: Duration = Duration::from_secs(10);
/// The time between pings of a silent connection.
pub const PING_INTERVAL: Duration = Duration::from_secs(20);
/// Number of unanswered pings after which a connection is closed.
pub const MAX_UNANSWERED_PINGS: u32 = 3;
/// Time without a line after which a session is closed.
pub const IDLE_TIMEOUT: Duration = Duration::from_secs(60 * 60);
