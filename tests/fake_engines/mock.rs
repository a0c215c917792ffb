//! A program that misbehaves on request, for testing code that runs engines.
//!
//! The arguments are actions, executed in order. Then it exits with status 0.
//!
//! | argument | |
//! |---|---|
//! | `say TEXT` | prints a line |
//! | `stderr TEXT` | prints a line to stderr |
//! | `read` | reads a line, or the end of input |
//! | `drain` | reads to the end of input |
//! | `echo` | prints `echo: LINE` for every line read, to the end of input |
//! | `uci` | answers a few commands as an engine would, to the end of input or `quit` |
//! | `sleep MS` | waits |
//! | `hang` | waits forever |
//! | `flood` | prints endless lines |
//! | `chat MS` | prints a line every MS milliseconds, forever |
//! | `garbage` | prints bytes that are not text |
//! | `overlong BYTES` | prints one long line |
//! | `partial TEXT` | prints text without a line feed |
//! | `child` | starts a child that hangs and shares its output, and prints the child's process number |
//! | `abort` | exits by a signal |
//! | `exit STATUS` | exits |

use std::io::{self, BufRead, Read, Write};
use std::process::{self, Command};
use std::thread;
use std::time::{Duration, Instant};

fn main() -> io::Result<()> {
    let mut args = std::env::args().skip(1);
    let mut input = io::stdin().lock();
    let mut output = io::stdout().lock();
    while let Some(action) = args.next() {
        let mut argument = || args.next().unwrap_or_default();
        match action.as_str() {
            "say" => writeln!(output, "{}", argument())?,
            "stderr" => writeln!(io::stderr(), "{}", argument())?,
            "read" => drop(input.read_line(&mut String::new())?),
            "drain" => input.by_ref().lines().for_each(drop),
            "echo" => {
                for line in input.by_ref().lines() {
                    writeln!(output, "echo: {}", line?)?;
                }
            }
            "uci" => uci(&mut input, &mut output)?,
            "sleep" => thread::sleep(Duration::from_millis(argument().parse().unwrap_or(0))),
            "hang" => thread::sleep(Duration::from_secs(1 << 20)),
            "flood" => loop {
                writeln!(output, "info depth 1 score 0 nodes 7 time 0 pv 11-15")?;
            },
            "chat" => {
                let pause = Duration::from_millis(argument().parse().unwrap_or(0));
                for number in 0.. {
                    writeln!(output, "info string {number}")?;
                    thread::sleep(pause);
                }
            }
            "garbage" => output.write_all(b"\xff\xfe\x00\x80 bytes\n")?,
            "overlong" => writeln!(output, "{}", "x".repeat(argument().parse().unwrap_or(0)))?,
            "partial" => write!(output, "{}", argument())?,
            "child" => {
                let child = Command::new(std::env::current_exe()?).arg("hang").spawn()?;
                writeln!(output, "{}", child.id())?;
            }
            "abort" => process::abort(),
            "exit" => process::exit(argument().parse().unwrap_or(0)),
            other => {
                writeln!(io::stderr(), "unknown action `{other}`")?;
                process::exit(2);
            }
        }
        output.flush()?;
    }
    Ok(())
}

fn uci(input: &mut impl BufRead, output: &mut impl Write) -> io::Result<()> {
    let begun = Instant::now();
    let mut hash = "16".to_owned();
    for line in input.lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["uci"] => {
                writeln!(output, "id name Mock\noption name Hash type spin default 16 min 1 max 64\nuciok")?;
            }
            ["isready"] => writeln!(output, "readyok")?,
            ["setoption", "name", "Hash", "value", value] => (*value).clone_into(&mut hash),
            ["position", ..] => {}
            ["go", "depth", depth] => {
                for depth in 1..=depth.parse().unwrap_or(1) {
                    let time = begun.elapsed().as_micros();
                    writeln!(
                        output,
                        "info depth {depth} score 12 nodes {} time {time} nps 99 pv 11-15",
                        7 * depth
                    )?;
                }
                writeln!(output, "bestmove 11-15")?;
            }
            ["show", "hash"] => writeln!(output, "hash is {hash}")?,
            ["quit"] => return Ok(()),
            _ => writeln!(output, "error: unknown command `{line}`")?,
        }
        output.flush()?;
    }
    Ok(())
}
