//! The exports of the WebAssembly module. There are no generated bindings: numbers are passed as arguments.
//! Text and data are passed in a [`buffer`], which the caller fills before it calls another function.
//!
//! A page calls [`start`], [`line`] for each line of the protocol, and [`work`] until nothing is left to do.
//! The engine's lines go to the import `write`. While the engine works, it regularly calls the import
//! `pause`. If the page delivers lines there, `stop` takes effect immediately.

#![expect(
    unsafe_code,
    reason = "exports have fixed names, and the compiler cannot see the other side of imports"
)]

use std::cell::{Cell, OnceCell, RefCell, RefMut};
use std::fmt::Display;
use std::io;

use serde_json::Value;

use super::explorer::Explorer;
use super::library::{Import, LibraryService, RequestError};
use super::query::number;
use super::review;
use kelso_analysis::passes::Passes;
use kelso_engine::{EmbeddedData, Engine, EngineSettings, Setting};
use kelso_library::{Library, Memory};
use kelso_protocol::{Native, SingleThreadedSession};

/// The functions provided by the page.
mod imports {
    #[link(wasm_import_module = "host")]
    unsafe extern "C" {
        /// Receives lines from the engine, or the answer to a request.
        pub(super) safe fn write(text: *const u8, length: usize);
    }
}

/// The size of the table until the `Hash` option changes it, in MiB.
const HASH_MEBIBYTES: usize = 16;

thread_local! {
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static SESSION: OnceCell<Session> = const { OnceCell::new() };
    /// The data used in place of files. While `IS_NEW` is set, it must still be passed to the engine.
    static EMBEDDED: RefCell<EmbeddedData> = RefCell::default();
    static EXPLORER: RefCell<Option<Explorer>> = const { RefCell::new(None) };
    static LIBRARY: RefCell<Option<LibraryService>> = const { RefCell::new(None) };
    static IS_NEW: Cell<bool> = const { Cell::new(false) };
}

type Session = SingleThreadedSession<Native, fn(&str) -> io::Result<()>>;

fn write(text: &str) {
    imports::write(text.as_ptr(), text.len());
}

fn take_buffer() -> Vec<u8> {
    BUFFER.take()
}

/// Allocates memory for a line, data or the text of a request.
#[unsafe(no_mangle)]
extern "C" fn buffer(length: usize) -> *mut u8 {
    BUFFER.with_borrow_mut(|buffer| {
        buffer.clear();
        buffer.resize(length, 0);
        buffer.as_mut_ptr()
    })
}

/// Starts a session. Returns `false` if there is not enough memory.
#[unsafe(no_mangle)]
extern "C" fn start() -> bool {
    std::panic::set_hook(Box::new(|panic| write(&format!("info string error: {panic}"))));
    let Ok(engine) = Engine::new([Setting::Hash(HASH_MEBIBYTES)]) else { return false };
    let session = Session::new(engine, Native, |lines| {
        write(lines);
        Ok(())
    });
    SESSION.with(|current| current.set(session).is_ok())
}

/// Handles the line in the buffer.
#[unsafe(no_mangle)]
extern "C" fn line() {
    let line = take_text();
    // Writing to the page cannot fail.
    with_session(|session| session.line(&line).is_ok());
}

/// Runs the next waiting job of the engine. Returns `false` if there is none.
#[unsafe(no_mangle)]
extern "C" fn work() -> bool {
    with_session(|session| {
        if IS_NEW.get() {
            IS_NEW.set(!session.with_engine(|engine| engine.embed(embedded())));
        }
        session.work().unwrap_or(false)
    })
}

/// Loads the opening book from the buffer.
#[unsafe(no_mangle)]
extern "C" fn embed_book() {
    embed(|embedded, data| embedded.book = data);
}

/// Loads the endgame databases from the buffer.
#[unsafe(no_mangle)]
extern "C" fn embed_databases() {
    embed(|embedded, data| embedded.databases = Box::leak(Box::new([data])));
}

/// Reads the games of the PDN text in the buffer, and writes them as JSON.
#[unsafe(no_mangle)]
extern "C" fn read_games() -> bool {
    let text = take_buffer();
    answer(with_explorer(|explorer| Ok(explorer.read(&text))))
}

/// Writes the explorer's data for the query in the buffer as JSON, or an error.
#[unsafe(no_mangle)]
extern "C" fn explore() -> bool {
    let query = take_text();
    let played = with_library(|library| library.found(&query));
    answer(played.map_err(|error| error.to_string()).and_then(|played| {
        with_explorer(|explorer| explorer.explore(&query, played).map_err(|error| error.to_string()))
    }))
}

/// Writes the answer of the library to the request in the buffer, or an error.
#[unsafe(no_mangle)]
extern "C" fn ask_library() -> bool {
    let request = take_buffer();
    answer(with_library(|library| library.answer(&request)))
}

/// Imports the games in the buffer, which begins with the properties of the import as JSON and a newline.
/// Writes what was done as JSON, or an error.
#[unsafe(no_mangle)]
extern "C" fn import_games() -> bool {
    let request = take_buffer();
    let end = request.iter().position(|&byte| byte == b'\n').unwrap_or(0);
    let (head, games) = request.split_at(end);
    answer(serde_json::from_slice(head).map_err(RequestError::from).and_then(|import: Import| {
        with_library(|library| {
            let library = RefCell::new(library);
            let lock = || RefMut::map(library.borrow_mut(), |library| &mut **library);
            LibraryService::import(lock, &import, games)
        })
    }))
}

/// Writes the games that the selection in the buffer names as a text in JSON, or an error.
#[unsafe(no_mangle)]
extern "C" fn export_games() -> bool {
    let selection = take_buffer();
    let mut text = String::new();
    let exported = with_library(|library| {
        let ids = library.exported(&selection)?;
        library.export(&ids, &mut text)
    });
    answer(exported.map(|()| Value::from(text)))
}

/// Replaces the library by the one in the buffer, which [`library_changes`] has written.
#[unsafe(no_mangle)]
extern "C" fn restore_library() -> bool {
    let saved = take_buffer();
    let restored = LibraryService::restore(&saved);
    answer(restored.map(|library| {
        LIBRARY.set(Some(library));
        Value::Null
    }))
}

/// Writes what was changed in the library after the revision in the buffer.
#[unsafe(no_mangle)]
extern "C" fn library_changes() -> bool {
    let since = serde_json::from_str(&take_text()).map_err(RequestError::from);
    answer(since.and_then(|since| with_library(|library| library.changes(since))))
}

/// Reviews the game in the buffer, which begins with a query and a newline. Writes the events of the review
/// as lines of JSON, or an error.
#[unsafe(no_mangle)]
extern "C" fn review_game() -> bool {
    let request = take_buffer();
    let Some(end) = request.iter().position(|&byte| byte == b'\n') else {
        write("no query");
        return false;
    };
    let (query, game) = request.split_at(end);
    let after = match number(&String::from_utf8_lossy(query), "after") {
        Ok(after) => after,
        Err(error) => {
            write(&error.to_string());
            return false;
        }
    };
    let mut on_event = |event: &Value| {
        write(&event.to_string());
        true
    };
    let settings = EngineSettings { embedded: embedded(), ..EngineSettings::default() };
    let reviewed = review::review(game, after, &settings, Passes::in_browser(), &mut on_event);
    reviewed.inspect_err(|error| write(&error.to_string())).is_ok()
}

/// Writes an answer as JSON, or an error as text.
fn answer(answer: Result<Value, impl Display>) -> bool {
    match &answer {
        Ok(value) => write(&value.to_string()),
        Err(error) => write(&error.to_string()),
    }
    answer.is_ok()
}

fn take_text() -> String {
    String::from_utf8_lossy(&take_buffer()).into_owned()
}

fn embedded() -> EmbeddedData {
    EMBEDDED.with_borrow(|embedded| *embedded)
}

fn with_explorer<R>(use_it: impl FnOnce(&Explorer) -> Result<R, String>) -> Result<R, String> {
    EXPLORER.with_borrow_mut(|explorer| match explorer {
        Some(explorer) => use_it(explorer),
        None => {
            // The explorer does not search.
            let options = vec![Setting::Hash(1)];
            let engine = Engine::new(EngineSettings { options, embedded: embedded(), default_folder: None });
            use_it(explorer.insert(Explorer::new(None, engine.map_err(|error| error.to_string())?)))
        }
    })
}

fn with_library<R>(
    use_it: impl FnOnce(&mut LibraryService) -> Result<R, RequestError>,
) -> Result<R, RequestError> {
    LIBRARY.with_borrow_mut(|library| match library {
        Some(library) => use_it(library),
        None => use_it(library.insert(LibraryService::new(Library::new(Box::<Memory>::default())?))),
    })
}

fn with_session(use_it: impl FnOnce(&Session) -> bool) -> bool {
    SESSION.with(|session| session.get().is_some_and(use_it))
}

/// Changes the data used without files before the engine's next job. The data is kept as long as the module
/// is loaded.
fn embed(change: impl FnOnce(&mut EmbeddedData, &'static [u8])) {
    let data = take_buffer().leak();
    EMBEDDED.with_borrow_mut(|embedded| change(embedded, data));
    IS_NEW.set(true);
    EXPLORER.with_borrow_mut(|explorer| {
        if let Some(explorer) = explorer {
            explorer.embed(embedded());
        }
    });
}
