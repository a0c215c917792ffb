//! `kelso serve`: a board in the browser.

use anyhow::anyhow;
use std::io::{self, Write, stdout};
use std::net::IpAddr;

use super::{Outcome, say};
use crate::serve::{Address, Engines, Server, Settings, limits, open};
use players::spec::parse_engines;

/// The port that is tried first. Browsers keep games by address, which includes the port.
const PORT: u16 = 7364;

/// Show a board in the browser, to play and analyse on
///
/// Prints the address and opens the browser. The page is part of the program and works without a network. Other engines
/// are described as for `kelso match`: name=NAME cmd=PROGRAM args="..." dir=FOLDER proto=native|hub option.NAME=VALUE.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Port to listen on; 0 for any free one [default: 7364 if it is free, so that the browser finds its games again]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Don't open the browser
    #[arg(long)]
    no_open: bool,
    /// Add an engine, such as "name=other cmd=./other proto=hub"; may be repeated
    #[arg(long = "engine", value_name = "WORDS")]
    engines: Vec<String>,
    /// Listen on an IP address of this machine, or on 0.0.0.0 for all, so that other machines can connect without a
    /// password
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<String>,
    /// Maximum size of an engine's table in MiB
    #[arg(long, value_name = "MIB", default_value_t = limits::MAX_HASH, value_parser = hash)]
    hash: usize,
    /// Allow the page to set options that name files, such as weights and databases
    #[arg(long)]
    files: bool,
}

fn hash(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=1 << 20).contains(number));
    number.ok_or_else(|| "expected a number of MiB from 1 to 1048576".to_owned())
}

/// Serves until it is interrupted.
///
/// # Errors
///
/// When the address is not available or the description of an engine is invalid.
pub fn run(args: &Args) -> Outcome {
    let own = super::own::path()?;
    // The page sends the limits of its searches.
    let limit = ["movetime=1".to_owned()];
    let engines = parse_engines(&args.engines, &limit, &own)?;
    let port = args.port.unwrap_or(PORT);
    let address = match &args.listen {
        Some(text) => Address::parse(text, port).map_err(|error| anyhow!("--listen {error}"))?,
        None => Address::local(port),
    };
    let engines = Engines::new(engines);
    let settings = Settings { address, engines, max_hash: args.hash, files: args.files };
    let server = match Server::bind(settings.clone()) {
        // If the default port is used by another program, any free one is used.
        Err(error) if args.port.is_none() && error.kind() == io::ErrorKind::AddrInUse => {
            Server::bind(Settings { address: Address { port: 0, ..address }, ..settings })
        }
        bound => bound,
    };
    let server = server.map_err(|error| bind_error(address, &error))?;
    let url = server.url()?;
    if address.is_public() {
        say(&format!(
            "warning: every machine that reaches {} can use this board and its engines; there is no password",
            shown(address.ip)
        ));
    }
    writeln!(stdout(), "{url}")?;
    stdout().flush()?;
    if args.no_open {
        say("Kelso's board is at the address above. Press Ctrl-C to end.");
    } else if let Err(error) = open(&url) {
        say(&format!("cannot open a browser ({error}); open the address above in one. Press Ctrl-C to end."));
    } else {
        say("Kelso's board opens in the browser. Press Ctrl-C to end.");
    }
    super::egdb::tip();
    server.run()
}

fn bind_error(address: Address, error: &io::Error) -> anyhow::Error {
    let advice = match error.kind() {
        io::ErrorKind::AddrInUse => "; choose another port, or leave out --port to use a free one",
        io::ErrorKind::AddrNotAvailable => "; use an address of this machine",
        io::ErrorKind::PermissionDenied => "; use a port from 1024",
        _ => "",
    };
    anyhow!("cannot listen on {}, port {}: {error}{advice}", address.ip, address.port)
}

fn shown(ip: IpAddr) -> String {
    if ip.is_unspecified() { "this one".to_owned() } else { ip.to_string() }
}
