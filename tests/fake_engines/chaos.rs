//! An engine that plays random legal moves, but sometimes misbehaves in one of the ways that a match must
//! survive.
//!
//! It speaks the native protocol, and announces each fault on stderr, so that a test can compare the faults
//! with the match report. `chaos_engine [--rate N] [--only WAY]`: one move in N is faulty (default 60).

use std::fmt;
use std::io::{self, Write};
use std::process;
use std::thread;
use std::time::Duration;

use kelso_players::random::RandomPlayer;
use kelso_players::session::answers;
use kelso_random::{IndexedRandom, RngExt};

/// A fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    /// Exits with a status.
    Exit,
    /// Is killed by a signal.
    Abort,
    /// Closes its output and keeps running.
    CloseOutput,
    /// Stops reading and answering.
    Hang,
    /// Reads but does not answer.
    Silence,
    /// Answers long after the time limit.
    Late,
    /// Answers only after `stop`.
    UntilStopped,
    /// Answers twice.
    Twice,
    /// Prints endless lines.
    Flood,
    /// Prints one endless line.
    EndlessLine,
    /// Plays an illegal move.
    Illegal,
    /// Answers with bytes that are not a move.
    Garbage,
    /// Answers without a move.
    NoMove,
    /// Exits in the middle of an answer.
    HalfALine,
    /// Prints garbage, but also answers.
    Harmless,
}

const WAYS: [Way; 15] = [
    Way::Exit,
    Way::Abort,
    Way::CloseOutput,
    Way::Hang,
    Way::Silence,
    Way::Late,
    Way::UntilStopped,
    Way::Twice,
    Way::Flood,
    Way::EndlessLine,
    Way::Illegal,
    Way::Garbage,
    Way::NoMove,
    Way::HalfALine,
    Way::Harmless,
];

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

fn main() -> io::Result<()> {
    let (mut rate, mut only) = (60, None);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let value = args.next().unwrap_or_default();
        match arg.as_str() {
            "--rate" => rate = value.parse().unwrap_or(60),
            "--only" => only = WAYS.into_iter().find(|way| way.to_string().eq_ignore_ascii_case(&value)),
            _ => {}
        }
    }
    let mut answer_to = answers(RandomPlayer::new(0));
    let mut random = kelso_random::stream(&[0]);
    while let Some(line) = read()?.filter(|line| line != "quit") {
        if let Some(seed) = line.strip_prefix("setoption name Seed value ") {
            random = kelso_random::stream(&[seed.parse().unwrap_or(0), 1]);
        }
        let answer = answer_to(&line);
        if line.starts_with("go") && (rate < 2 || random.random_range(0..rate) == 0) {
            let way = only.unwrap_or_else(|| WAYS.choose(&mut random).copied().unwrap_or(Way::Exit));
            writeln!(io::stderr(), "chaos: {way}")?;
            misbehave(way, &answer)?;
        } else {
            say(&answer)?;
        }
    }
    Ok(())
}

/// Returns the next line, or `None` at the end of input.
fn read() -> io::Result<Option<String>> {
    let mut line = String::new();
    Ok((io::stdin().read_line(&mut line)? > 0).then(|| line.trim().to_owned()))
}

fn say(text: impl AsRef<[u8]>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_ref())?;
    out.flush()
}

/// Drops lines up to `stop` or the end of input.
fn until_stopped() -> io::Result<bool> {
    while let Some(line) = read()? {
        if line == "stop" {
            return Ok(true);
        }
    }
    Ok(false)
}

fn misbehave(way: Way, answer: &str) -> io::Result<()> {
    match way {
        Way::Exit => process::exit(3),
        Way::Abort => process::abort(),
        Way::CloseOutput => close_output(),
        Way::Hang => loop {
            thread::sleep(Duration::from_secs(3600));
        },
        Way::Silence => {
            while until_stopped()? {}
            process::exit(0)
        }
        Way::Late => {
            thread::sleep(Duration::from_millis(1500));
            say(answer)
        }
        Way::UntilStopped => {
            if until_stopped()? {
                say(answer)?;
            }
            Ok(())
        }
        Way::Twice => say(answer.repeat(2)),
        Way::Flood => loop {
            say("info string round and round it goes\n".repeat(1000))?;
        },
        Way::EndlessLine => loop {
            say("x".repeat(1 << 16))?;
        },
        Way::Illegal => say("info depth 1 score cp 0 nodes 1 time 0 pv\nbestmove 1-32\n"),
        Way::Garbage => say(b"bestmove \xff\xfe\x00\x01\n"),
        Way::NoMove => say("bestmove none\n"),
        Way::HalfALine => {
            say("bestm")?;
            process::exit(0)
        }
        Way::Harmless => {
            let noise =
                b"\xff\xfe\x00 bytes\n\n\r\ninfo depth -1 score cp nodes x\nbest\nreadyok\nid name Other\n";
            writeln!(io::stderr(), "{}", "noise ".repeat(20_000))?;
            say(noise)?;
            say(answer)
        }
    }
}

/// Closes standard output and keeps the process running.
#[cfg(unix)]
fn close_output() -> io::Result<()> {
    // Replacing the output closes the pipe.
    let null = std::fs::OpenOptions::new().write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdout(null)?;
    loop {
        thread::sleep(Duration::from_secs(3600));
    }
}

#[cfg(not(unix))]
fn close_output() -> io::Result<()> {
    process::exit(4)
}
