//! Where C comes in: the two functions of the library, and all that has to be unsafe about them.
//!
//! No pointer is trusted to be anything but null or good for what the interface says that it is for, no alignment is
//! relied upon, and no panic gets out.
#![expect(unsafe_code, reason = "memory that C hands over has no other way in")]

use std::borrow::Cow;
use std::ffi::{c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicI32, Ordering};

use super::board::{self, CbMove, Cells};
use super::clock::{self, NEW_GAME};
use super::command::obey;
use super::driver::{Claim, Driver};

/// Size of the texts that the interface has room for.
pub const REPLY_SIZE: usize = 1024;
/// Size of the longest reply to a command. `CheckerBoard` itself provides less room than its interface says where it asks for
/// settings.
const COMMAND_REPLY_SIZE: usize = 256;
/// Commands are read so far; none is longer.
const LONGEST_COMMAND: usize = 1 << 16;
/// What clients keep commands in. Some fill it to the last character and leave no room for the zero.
const COMMAND_SIZE: usize = 256;

/// One engine a library: the interface has no handle that could tell several apart.
static DRIVER: Driver = Driver::new();

/// Finds a move, makes it on the board, and says what it claims: 0 a draw, 1 a win, 2 a loss, 3 nothing.
///
/// Without a legal move, or if the arguments make no position, nothing is changed but the text.
///
/// # Safety
///
/// Each pointer is null or valid for reads and writes for as long as the call lasts: `cells` of 64 numbers, `text` of 1024
/// characters, `play_now` of a number that other threads may write, `mv` of a [`CbMove`].
#[unsafe(no_mangle)]
pub unsafe extern "system" fn getmove(
    cells: *mut Cells,
    color: c_int,
    max_time: f64,
    text: *mut c_char,
    play_now: *mut c_int,
    info: c_int,
    more_info: c_int,
    mv: *mut CbMove,
) -> c_int {
    let verdict = catch_unwind(AssertUnwindSafe(|| {
        if cells.is_null() {
            // SAFETY: as promised by the caller.
            unsafe { write_text(text, REPLY_SIZE, "error: no board") };
            return Claim::Unknown;
        }
        // SAFETY: not null, so it is what the caller promised.
        let mut board = unsafe { cells.read_unaligned() };
        let position = match board::read(&board, color) {
            Ok(position) => position,
            Err(error) => {
                // SAFETY: as promised by the caller.
                unsafe { write_text(text, REPLY_SIZE, &format!("error: {error}")) };
                return Claim::Unknown;
            }
        };
        let limit = clock::limit(max_time, info, more_info);
        let thought = DRIVER.think(&position, limit, info & NEW_GAME != 0, &mut |status| {
            if let Some(status) = status {
                // SAFETY: as promised by the caller; this is called on its own thread.
                unsafe { write_text(text, REPLY_SIZE, status) };
            }
            // SAFETY: as promised by the caller.
            unsafe { is_set(play_now) }
        });
        match thought {
            Ok(thought) => {
                if let Some(best) = thought.best {
                    board::write(&position.after(best), &mut board);
                    // SAFETY: not null, so it is what the caller promised.
                    unsafe { cells.write_unaligned(board) };
                    if !mv.is_null() {
                        // SAFETY: not null, so it is what the caller promised.
                        unsafe { mv.write_unaligned(board::describe(&position, best)) };
                    }
                } else {
                    // SAFETY: as promised by the caller.
                    unsafe {
                        write_text(text, REPLY_SIZE, &format!("no move: {} has lost", position.side()));
                    };
                }
                thought.verdict
            }
            Err(error) => {
                // SAFETY: as promised by the caller.
                unsafe { write_text(text, REPLY_SIZE, &format!("error: {error}")) };
                Claim::Unknown
            }
        }
    }));
    verdict.unwrap_or(Claim::Unknown) as c_int
}

/// Does what a command asks for: 1 if it was handled, with an answer in `reply`, and 0 if not, with the reason there.
///
/// # Safety
///
/// Each pointer is null or valid for as long as the call lasts: `command` for reads up to and with a zero, `reply` for
/// writes of 256 characters.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn enginecommand(command: *const c_char, reply: *mut c_char) -> c_int {
    let handled = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: as promised by the caller.
        let command = unsafe { read_text(command) };
        let answer = obey(&DRIVER, &command);
        let (handled, text) = match &answer {
            Ok(text) => (true, text),
            Err(reason) => (false, reason),
        };
        // SAFETY: as promised by the caller.
        unsafe { write_text(reply, COMMAND_REPLY_SIZE, text) };
        handled
    }));
    c_int::from(handled.unwrap_or(false))
}

/// Gives back the engine's memory, for a library that is unloaded while the program goes on: nothing else would.
pub fn unload() {
    // At the very end, there is nobody to be told of a panic.
    let _ = catch_unwind(|| DRIVER.let_go());
}

/// The text at a pointer, which may be null; bytes that are no UTF-8 are replaced.
unsafe fn read_text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    let mut bytes = Vec::new();
    // SAFETY: the caller promises that all characters up to and with the first zero can be read.
    let character = |at| unsafe { text.add(at).read() }.to_ne_bytes();
    for [byte] in (0..LONGEST_COMMAND).map(character) {
        if byte == 0 {
            break;
        }
        bytes.push(byte);
    }
    plain(&bytes).into_owned()
}

/// A command as text. One that goes on beyond the room for it with what is no text has lost its end, and what follows is
/// other memory.
fn plain(bytes: &[u8]) -> Cow<'_, str> {
    let meant = |text: &str| !text.bytes().skip(COMMAND_SIZE).any(|byte| byte.is_ascii_control());
    match str::from_utf8(bytes) {
        Ok(text) if meant(text) => Cow::Borrowed(text),
        _ => String::from_utf8_lossy(bytes.get(..COMMAND_SIZE).unwrap_or(bytes)),
    }
}

/// Writes a text, cut to a size, where another thread may be reading: there is a zero at the end at all times. Nothing is
/// touched beyond, where a caller with less room than it ought to have keeps something else.
unsafe fn write_text(room: *mut c_char, size: usize, text: &str) {
    if room.is_null() {
        return;
    }
    let end = (0..size.min(text.len() + 1)).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    // SAFETY: the caller promises room for so many characters, and nothing is written beyond.
    let put = |at, byte: u8| unsafe { room.add(at).write_volatile(c_char::from_ne_bytes([byte])) };
    put(end, 0);
    for (at, &byte) in text.as_bytes().iter().take(end).enumerate() {
        // A zero within would cut it short.
        put(at, if byte == 0 { b' ' } else { byte });
    }
}

/// Whether a flag that another thread writes is set; one that can't be read never is.
unsafe fn is_set(flag: *mut c_int) -> bool {
    if flag.is_null() || !flag.is_aligned() {
        return false;
    }
    // SAFETY: not null and aligned, and the caller promises that it is valid. Whoever writes it does so in one piece.
    unsafe { AtomicI32::from_ptr(flag) }.load(Ordering::Relaxed) != 0
}
