//! The processor time of a search shown on the page.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use tungstenite::{Message, WebSocket};

use crate::progress::Progress;
use crate::{Program, processor_ticks};

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    program: Program,
    /// Nodes for each search
    #[arg(long, value_name = "N", default_value_t = 3_000_000)]
    nodes: u32,
    /// Number of pairs of searches
    #[arg(long, value_name = "N", default_value_t = 15)]
    pairs: usize,
}

/// A child process that is killed on drop.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Running {
    fn start(command: &mut Command) -> Result<(Self, BufReader<ChildStdout>)> {
        let mut child = Self(command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?);
        let output = child.0.stdout.take().context("the program has no output")?;
        Ok((child, BufReader::new(output)))
    }

    /// Returns the processor time in ticks (hundredths of a second).
    fn ticks(&self) -> Result<u32> {
        processor_ticks(self.0.id())
    }
}

/// Returns the ticks of a search through pipes.
fn through_pipes(program: &Program, nodes: u32) -> Result<u32> {
    let (mut child, output) = Running::start(Command::new(program.path()?).stdin(Stdio::piped()))?;
    let mut input = child.0.stdin.take().context("the program has no input")?;
    let mut lines = output.lines();
    let mut until = |prefix: &str| -> Result<()> {
        while !lines.next().context("the program has ended")??.starts_with(prefix) {}
        Ok(())
    };
    input.write_all(b"setoption name Hash value 64\nisready\n")?;
    until("readyok")?;
    let before = child.ticks()?;
    input.write_all(format!("go nodes {nodes}\n").as_bytes())?;
    until("bestmove")?;
    Ok(child.ticks()? - before)
}

/// A server and its address.
struct Server {
    child: Running,
    address: String,
}

impl Server {
    fn start(program: &Program) -> Result<Self> {
        let mut command = Command::new(program.path()?);
        let (child, mut output) =
            Running::start(command.args(["serve", "--no-open", "--port", "0", "--library", "none"]))?;
        let mut line = String::new();
        output.read_line(&mut line)?;
        let address = line.trim().strip_prefix("http://").and_then(|rest| rest.strip_suffix('/'));
        let address = address.with_context(|| format!("expected an address, got {line:?}"))?.to_owned();
        Ok(Self { child, address })
    }

    /// Returns the ticks of a search whose lines go to a page.
    fn search(&self, nodes: u32) -> Result<u32> {
        let mut page = self.connect()?;
        page.send(Message::text("setoption name Hash value 64"))?;
        page.send(Message::text("isready"))?;
        until(&mut page, "readyok")?;
        let before = self.child.ticks()?;
        page.send(Message::text(format!("go nodes {nodes}")))?;
        until(&mut page, "bestmove")?;
        Ok(self.child.ticks()? - before)
    }

    fn connect(&self) -> Result<WebSocket<TcpStream>> {
        let stream = TcpStream::connect(&self.address)?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        let mut request = tungstenite::client::IntoClientRequest::into_client_request(format!(
            "ws://{}/session",
            self.address
        ))?;
        request.headers_mut().insert("Origin", format!("http://{}", self.address).parse()?);
        match tungstenite::client(request, stream) {
            Ok((page, _)) => Ok(page),
            Err(error) => bail!("cannot connect to the session: {error}"),
        }
    }
}

fn until(page: &mut WebSocket<TcpStream>, prefix: &str) -> Result<()> {
    loop {
        match page.read()? {
            Message::Text(text) if text.as_str().starts_with(prefix) => return Ok(()),
            Message::Close(frame) => bail!("the session was closed: {frame:?}"),
            _ => {}
        }
    }
}

impl Arguments {
    pub fn run(&self) -> Result<()> {
        let server = Server::start(&self.program)?;
        let mut ratios = Vec::new();
        let mut progress = Progress::new("pairs", self.pairs);
        for pair in 0..self.pairs {
            // Alternate the order in successive pairs.
            let (pipes, page) = if pair % 2 == 0 {
                let pipes = through_pipes(&self.program, self.nodes)?;
                (pipes, server.search(self.nodes)?)
            } else {
                let page = server.search(self.nodes)?;
                (through_pipes(&self.program, self.nodes)?, page)
            };
            println!("{pipes} ticks through pipes, {page} with a page");
            ratios.push(f64::from(page) / f64::from(pipes));
            progress.add(1);
        }
        ratios.sort_by(f64::total_cmp);
        if let Some(median) = ratios.get(ratios.len() / 2) {
            println!("a search that a page shows takes {median:.3} of the processor time (median)");
        }
        Ok(())
    }
}
