//! Writes to a program that may not read its input.
//!
//! On Unix, the pipe is non-blocking, so the caller's thread can write. Elsewhere, another thread writes, and
//! the caller waits for room in its queue.

use std::io;

use thiserror::Error;

/// A line that could not be sent.
#[derive(Error, Debug)]
pub enum SendError {
    /// The program has exited or closed its input, or we have closed it.
    #[error("the program's input is closed")]
    Closed,
    /// The program did not read its input in time.
    #[error("the program does not read its input")]
    NotReading,
    /// The system reported another error.
    #[error("cannot write to the program: {0}")]
    Io(io::Error),
}

/// A program's input. Dropping it closes the pipe.
#[cfg(unix)]
pub(crate) use direct::Direct as Writer;
#[cfg(not(unix))]
pub(crate) use relay::Relay as Writer;

#[cfg(unix)]
mod direct {
    use std::io::{self, ErrorKind, Write as _};
    use std::process::ChildStdin;
    use std::time::Instant;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
    use rustix::io::Errno;

    use super::SendError;

    #[derive(Debug)]
    pub(crate) struct Direct(ChildStdin);

    impl Direct {
        pub(crate) fn new(pipe: ChildStdin) -> io::Result<Self> {
            // This affects only this end of the pipe.
            fcntl_setfl(&pipe, fcntl_getfl(&pipe)? | OFlags::NONBLOCK)?;
            Ok(Self(pipe))
        }

        pub(crate) fn write(&mut self, mut bytes: &[u8], deadline: Instant) -> Result<(), SendError> {
            while !bytes.is_empty() {
                match self.0.write(bytes) {
                    Ok(written) => bytes = &bytes[written..],
                    Err(error) => match error.kind() {
                        ErrorKind::WouldBlock => self.wait_for_room(deadline)?,
                        ErrorKind::Interrupted => {}
                        ErrorKind::BrokenPipe => return Err(SendError::Closed),
                        _ => return Err(SendError::Io(error)),
                    },
                }
            }
            Ok(())
        }

        fn wait_for_room(&self, deadline: Instant) -> Result<(), SendError> {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(SendError::NotReading);
            }
            // A deadline beyond the system's range means no timeout.
            let left = Timespec::try_from(left).ok();
            match poll(&mut [PollFd::new(&self.0, PollFlags::OUT)], left.as_ref()) {
                Ok(_) | Err(Errno::INTR) => Ok(()),
                Err(error) => Err(SendError::Io(error.into())),
            }
        }
    }
}

/// A writer for systems whose pipes always block. It is tested on all systems.
#[cfg(any(test, not(unix)))]
#[cfg_attr(unix, allow(dead_code))]
mod relay {
    use std::io::{self, Write};
    use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    use super::SendError;
    use crate::start;

    /// Maximum number of pending writes.
    const CAPACITY: usize = 64;
    /// Interval at which a full queue is retried.
    const POLL_INTERVAL: Duration = Duration::from_millis(1);

    #[derive(Debug)]
    pub(crate) struct Relay(SyncSender<Vec<u8>>);

    impl Relay {
        pub(crate) fn new(mut pipe: impl Write + Send + 'static) -> io::Result<Self> {
            let (sender, writes) = sync_channel::<Vec<u8>>(CAPACITY);
            start("stdin", move || while writes.recv().is_ok_and(|bytes| pipe.write_all(&bytes).is_ok()) {})?;
            Ok(Self(sender))
        }

        pub(crate) fn write(&mut self, bytes: &[u8], deadline: Instant) -> Result<(), SendError> {
            let mut bytes = bytes.to_vec();
            loop {
                match self.0.try_send(bytes) {
                    Ok(()) => return Ok(()),
                    Err(TrySendError::Disconnected(_)) => return Err(SendError::Closed),
                    Err(TrySendError::Full(_)) if Instant::now() >= deadline => {
                        return Err(SendError::NotReading);
                    }
                    Err(TrySendError::Full(refused)) => bytes = refused,
                }
                sleep(POLL_INTERVAL);
            }
        }
    }

    #[cfg(test)]
    mod tests {
        use std::io::Read;
        use std::time::Duration;

        use super::*;

        fn soon() -> Instant {
            Instant::now() + Duration::from_secs(5)
        }

        #[test]
        fn everything_is_written_before_the_pipe_is_closed() {
            let (mut reader, writer) = io::pipe().unwrap();
            let mut relay = Relay::new(writer).unwrap();
            relay.write(b"one\n", soon()).unwrap();
            relay.write(b"two\n", soon()).unwrap();
            drop(relay);
            let mut all = String::new();
            reader.read_to_string(&mut all).unwrap();
            assert_eq!(all, "one\ntwo\n");
        }

        #[test]
        fn a_program_that_does_not_read_is_detected() {
            let (reader, writer) = io::pipe().unwrap();
            let mut relay = Relay::new(writer).unwrap();
            let chunk = vec![b'x'; 1 << 16];
            let error = (0..100)
                .find_map(|_| relay.write(&chunk, Instant::now() + Duration::from_millis(50)).err())
                .unwrap();
            assert!(matches!(error, SendError::NotReading), "{error}");
            drop(reader);
            let error = (0..100).find_map(|_| relay.write(&chunk, soon()).err()).unwrap();
            assert!(matches!(error, SendError::Closed), "{error}");
        }
    }
}
