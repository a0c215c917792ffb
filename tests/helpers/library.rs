//! The shared library for CheckerBoard, loaded at run time.
#![allow(unsafe_code, reason = "a library is loaded and called")]

use std::ffi::{c_char, c_int};
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use kelso_checkerboard::{CbMove, Cells, REPLY_BYTES};
use libloading::Library;

type GetMove = unsafe extern "system" fn(
    *mut Cells,
    c_int,
    f64,
    *mut c_char,
    *mut c_int,
    c_int,
    c_int,
    *mut CbMove,
) -> c_int;
type EngineName = unsafe extern "system" fn(*mut c_char) -> c_int;
type IsLegal = unsafe extern "system" fn(*const Cells, c_int, c_int, c_int, *mut CbMove) -> c_int;
/// Like `IsLegal`, in Checkerboard-for-Linux, which also passes the game type.
#[cfg(not(windows))]
type IsLegalInGame =
    unsafe extern "system" fn(*const Cells, c_int, c_int, c_int, c_int, *mut CbMove) -> c_int;
type EngineCommand = unsafe extern "system" fn(*const c_char, *mut c_char) -> c_int;

/// A text buffer, filled with bytes that are not part of the text.
pub const ROOM: [u8; REPLY_BYTES] = [b'?'; REPLY_BYTES];

/// The user's data folder during tests.
pub const DATA_FOLDER: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/data");

/// The loader calls this before any other thread could read the environment, so that the library neither
/// reads nor writes the settings of the person running the tests.
#[used]
#[cfg_attr(target_os = "linux", unsafe(link_section = ".init_array"))]
#[cfg_attr(target_os = "macos", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(windows, unsafe(link_section = ".CRT$XCU"))]
static BEFORE_MAIN: extern "C" fn() = {
    extern "C" fn use_own_folder() {
        drop(std::fs::remove_dir_all(DATA_FOLDER));
        let name = if cfg!(windows) { "APPDATA" } else { "XDG_DATA_HOME" };
        // SAFETY: there is only one thread.
        unsafe { std::env::set_var(name, DATA_FOLDER) };
    }
    use_own_folder
};

/// All tests of a process share the library's only engine, so they run one at a time.
pub fn alone() -> MutexGuard<'static, ()> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The arguments of `getmove`; `None` stands for a null pointer.
pub struct Call<'a> {
    pub board: Option<&'a mut Cells>,
    pub color: c_int,
    pub max_time: f64,
    pub text: Option<&'a mut [u8; REPLY_BYTES]>,
    pub play_now: Option<&'a mut c_int>,
    pub info: c_int,
    pub more_info: c_int,
    pub mv: Option<&'a mut CbMove>,
}

pub struct Engine(Library);

impl Engine {
    /// Loads the library and turns off its opening book.
    pub fn load() -> Self {
        let engine = Self::load_as_it_is(&path());
        assert_eq!(engine.command(b"set book 0").0, 1);
        engine
    }

    /// Loads a library from a path, with its saved settings.
    pub fn load_as_it_is(path: &Path) -> Self {
        Self(unsafe { Library::new(path) }.unwrap())
    }

    /// Returns the engine's name from the function of version 1 of the interface.
    pub fn name(&self) -> (c_int, String) {
        let function = unsafe { self.0.get::<EngineName>(b"enginename") }.unwrap();
        let mut room = ROOM;
        (unsafe { function(room.as_mut_ptr().cast()) }, text(&room))
    }

    /// Calls `islegal` for a move between two squares.
    pub fn is_legal(
        &self,
        cells: &Cells,
        color: c_int,
        squares: [c_int; 2],
        mv: Option<&mut CbMove>,
    ) -> c_int {
        let function = unsafe { self.0.get::<IsLegal>(b"islegal") }.unwrap();
        let [from, to] = squares;
        unsafe { function(cells, color, from, to, mv.map_or(ptr::null_mut(), ptr::from_mut)) }
    }

    /// Like `is_legal`, with the arguments of Checkerboard-for-Linux.
    #[cfg(not(windows))]
    pub fn is_legal_in_game(
        &self,
        cells: &Cells,
        color: c_int,
        squares: [c_int; 2],
        mv: &mut CbMove,
    ) -> c_int {
        let function = unsafe { self.0.get::<IsLegalInGame>(b"islegal") }.unwrap();
        let [from, to] = squares;
        unsafe { function(cells, color, from, to, 21, mv) }
    }

    pub fn getmove(&self, call: Call<'_>) -> c_int {
        let function = unsafe { self.0.get::<GetMove>(b"getmove") }.unwrap();
        let Call { board, color, max_time, text, play_now, info, more_info, mv } = call;
        let text = text.map_or(ptr::null_mut(), |text| text.as_mut_ptr().cast());
        let (board, play_now, mv) = (
            board.map_or(ptr::null_mut(), ptr::from_mut),
            play_now.map_or(ptr::null_mut(), ptr::from_mut),
            mv.map_or(ptr::null_mut(), ptr::from_mut),
        );
        unsafe { function(board, color, max_time, text, play_now, info, more_info, mv) }
    }

    /// Sends a command. Returns its status and the reply, which must fit into CheckerBoard's dialogs.
    pub fn command(&self, command: &[u8]) -> (c_int, String) {
        let function = unsafe { self.0.get::<EngineCommand>(b"enginecommand") }.unwrap();
        let mut bytes = command.to_vec();
        bytes.push(0);
        let mut room = ROOM;
        let handled = unsafe { function(bytes.as_ptr().cast(), room.as_mut_ptr().cast()) };
        let text = text(&room);
        assert!(text.len() < 256, "{text}");
        (handled, text)
    }

    /// Sends a command with null pointers.
    pub fn command_without(
        &self,
        command: Option<&std::ffi::CStr>,
        room: Option<&mut [u8; REPLY_BYTES]>,
    ) -> c_int {
        let function = unsafe { self.0.get::<EngineCommand>(b"enginecommand") }.unwrap();
        let command = command.map_or(ptr::null(), std::ffi::CStr::as_ptr);
        let room = room.map_or(ptr::null_mut(), |room| room.as_mut_ptr().cast());
        unsafe { function(command, room) }
    }
}

/// Returns the text in a buffer, which ends with a zero.
pub fn text(room: &[u8; REPLY_BYTES]) -> String {
    let end = room.iter().position(|&byte| byte == 0).expect("a text ends");
    String::from_utf8(room[..end].to_vec()).expect("a text is text")
}

/// Returns the path of the library. It is next to this program, since the tests depend on its package.
pub fn path() -> PathBuf {
    let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let path = std::env::current_exe().unwrap().with_file_name(format!("{prefix}kelso_checkerboard{suffix}"));
    assert!(path.is_file(), "{} is missing", path.display());
    path
}
