//! `kelso serve`: a board in the browser.

use std::io::{self, Read, Write, stdout};
use std::net::{IpAddr, Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use anyhow::anyhow;

use super::databases;
use crate::cli::arguments::engine::{Engines, cores};
use crate::cli::outcome::{Outcome, say};
use crate::cli::progress::bar;
use crate::cli::source::GameSource;
use crate::cli::values::within;
use kelso_batch::signal;
use kelso_engine::Engine;
use kelso_library::continuations::PositionIndex;
use kelso_library::{Database, Library, Memory};
use kelso_runtime::files::data_folder;
use kelso_runtime::sync::lock;
use kelso_web::explorer::{self, Explorer};
use kelso_web::library::LibraryService;
use kelso_web::server::{self, Permissions, Services, limits, open, parse_ip, url};

/// The port to try first.
const DEFAULT_PORT: u16 = 7364;

/// Play and analyse on a board in the browser
///
/// Prints the address of the board and opens the browser. The page is part of the program and works offline.
#[derive(clap::Args, Debug)]
#[command(after_help = examples!(
    "kelso serve --no-open",
    "kelso serve --no-open --port 0 --games games.pdn"
))]
pub struct Args {
    /// Port to listen on; 0 picks a free one [default: 7364, if free]
    #[arg(long, value_name = "N", value_parser = within(0..=u16::MAX))]
    port: Option<u16>,
    /// Do not open the browser
    #[arg(long)]
    no_open: bool,
    #[command(flatten)]
    engines: Engines,
    /// Listen on this IP address, or on all with 0.0.0.0; other machines can then connect without a password
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<String>,
    /// Maximum transposition table size per engine, in MiB
    #[arg(long, value_name = "MIB", default_value_t = limits::MAX_HASH, value_parser = within(1..=1_usize << 20))]
    hash: usize,
    /// Allow the page to set options that name files, such as weights and databases
    #[arg(long)]
    files: bool,
    /// Keep games and settings in this file, which is created if it does not exist; with none, keep
    /// nothing [default: kelso/games.library in the user's data folder]
    #[arg(long, value_name = "FILE|none")]
    library: Option<PathBuf>,
    /// Count the moves of these games in the explorer: a PDN file or a directory of PDN files; can be
    /// repeated
    #[arg(long, value_name = "FILE")]
    games: Vec<PathBuf>,
}

pub fn run(args: &Args) -> Outcome {
    // The page sends the limits for its searches.
    let engines = args.engines.parse(&["movetime=1".to_owned()])?;
    let ip = match &args.listen {
        Some(text) => parse_ip(text).map_err(|error| anyhow!("--listen: {error}"))?,
        None => Ipv4Addr::LOCALHOST.into(),
    };
    let listener = match TcpListener::bind((ip, args.port.unwrap_or(DEFAULT_PORT))) {
        // If another program uses the default port, use any free one.
        Err(error) if args.port.is_none() && error.kind() == io::ErrorKind::AddrInUse => {
            TcpListener::bind((ip, 0))
        }
        bound => bound,
    };
    let listener = listener.map_err(|error| bind_error(ip, args.port.unwrap_or(DEFAULT_PORT), &error))?;
    let library = Arc::new(Mutex::new(LibraryService::new(library(args)?)));
    close_at_exit(&library);
    let refuse_files = (!args.files).then_some("start kelso serve with --files to allow it");
    let permissions = Permissions { refuse_files, memory: args.hash, threads: cores() };
    // The explorer does not search.
    let explorer = Explorer::new(collection(args)?, Engine::new(permissions.engine_settings(1))?);
    let address = listener.local_addr()?;
    let url = url(address);
    if !ip.is_loopback() {
        say(&format!(
            "warning: anyone who can reach {} can use this board and its engines, without a password",
            if ip.is_unspecified() { "this machine".to_owned() } else { ip.to_string() }
        ));
    }
    writeln!(stdout(), "{url}")?;
    stdout().flush()?;
    if args.no_open {
        say("Kelso's board is at the address above. Press Ctrl-C to stop.");
    } else if let Err(error) = open(&url) {
        say(&format!(
            "cannot open a browser ({error}); open the address above yourself. Press Ctrl-C to stop."
        ));
    } else {
        say("Kelso's board opens in the browser. Press Ctrl-C to stop.");
    }
    databases::tip();
    server::run(&listener, address.port(), Services { engines, permissions, explorer, library })
}

fn collection(args: &Args) -> anyhow::Result<Option<PositionIndex>> {
    let mut texts: Box<dyn Read> = Box::new(io::empty());
    let places = GameSource::all(&args.games);
    for place in &places {
        let text = place.open().map_err(|error| anyhow!("cannot read \"{place}\": {error}"))?;
        texts = Box::new(texts.chain(text).chain(&b"\n\n"[..]));
    }
    if places.is_empty() {
        return Ok(None);
    }
    let size = places.iter().filter_map(GameSource::size).sum::<u64>();
    let bar = bar(size, "{bytes}/{total_bytes} of games read {wide_bar} {eta} left");
    let collection = explorer::index(bar.wrap_read(texts));
    bar.finish_and_clear();
    if !collection.has_moves() {
        say("warning: no moves can be read in the files of --games");
    }
    Ok(Some(collection))
}

/// Opens the library, or creates it if it does not exist.
fn library(args: &Args) -> anyhow::Result<Library> {
    let path = match &args.library {
        Some(path) if path.as_os_str() == "none" => {
            return Ok(Library::new(Box::<Memory>::default())?);
        }
        Some(path) => path.clone(),
        None => data_folder()
            .ok_or_else(|| {
                anyhow!("no folder for the library is known; name a file, or none, with --library")
            })?
            .join("games.library"),
    };
    let opened = Database::open(&path).and_then(|database| Library::new(Box::new(database)));
    opened.map_err(|error| {
        let path = path.display();
        anyhow!("cannot open the library \"{path}\": {error}; name another one, or none, with --library")
    })
}

/// Closes the library at a signal, which moves all games into its file. Its lock is kept until the program
/// ends, since a later change would be answered as saved although it is lost.
fn close_at_exit(library: &Arc<Mutex<LibraryService>>) {
    let library = Arc::clone(library);
    signal::listen(move || {
        let mut library = lock(&library);
        library.close();
        signal::exit();
    });
}

fn bind_error(ip: IpAddr, port: u16, error: &io::Error) -> anyhow::Error {
    let advice = match error.kind() {
        io::ErrorKind::AddrInUse => "; choose another port, or leave out --port to use a free one",
        io::ErrorKind::AddrNotAvailable => "; use an address of this machine",
        io::ErrorKind::PermissionDenied => "; use a port from 1024",
        _ => "",
    };
    anyhow!("cannot listen on {ip}, port {port}: {error}{advice}")
}
