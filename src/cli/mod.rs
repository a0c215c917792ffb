//! The command line: one file a subcommand, each with its arguments and a `run`.

mod analyse;
mod bench;
mod book;
mod check;
mod completions;
mod egdb;
mod examples;
mod lab;
mod man;
mod match_;
mod pdn;
mod perft;
pub(crate) mod play;
mod progress;
mod prove;
mod record;
mod replay;
mod serve;
mod shared;
mod show;
mod site;
mod stats;
mod train;
mod tree;
mod values;

use std::io::{self, BufReader, IsTerminal, Write};
use std::process::{self, ExitCode};

use anyhow::Context;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use self::progress::{bar, watched};
use self::shared::{
    Engines, GameFiles, INCOMPLETE, Json, Lenient, LimitArgs, Moves, NOTHING_KEPT, OutFile, Overwrite,
    Positions, Progress, REPEAT, Reading, Reports, Roots, Run, Seed, Settings, Shard, Start, StartOrFen,
    Threads, cores, evaluation_name, interrupted, interrupted_run, listing, own_fingerprint, own_path,
    play_moves, resume_hint,
};
use self::values::{
    above_zero, at_least, default, even, named, position, seconds, seconds_up_to, state_name, within,
};
use engine::{Engine, Options};
use laboratory::REGISTRY;
use players::random::RandomEngine;
use protocol::{Autodetect, Hub, InputLine, Protocol, Session, read_lines};
use runs::signal;
use runs::stop::StopToken;
use text::system::without_codes;

/// The result of a subcommand, or an error, which is shown as `error: ...` with exit status 2.
pub type Outcome = anyhow::Result<Status>;

/// How a command ended, which determines its exit status.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// The work is done, and nothing is wrong.
    Success,
    /// The work is done, but something is wrong or nothing was found.
    Failure,
    /// An input could not be read, as after an error.
    Unreadable,
    Interrupted,
}

impl Status {
    /// Returns the status of a command. If it was interrupted, reports what happens to its work.
    fn after(interrupt: &StopToken, work: &str) -> Self {
        if interrupt.is_stopped() { interrupted(work) } else { Self::Success }
    }
}

impl From<bool> for Status {
    fn from(is_well: bool) -> Self {
        if is_well { Self::Success } else { Self::Failure }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(match status {
            Status::Success => 0,
            Status::Failure => 1,
            Status::Unreadable => 2,
            Status::Interrupted => signal::status(),
        })
    }
}

/// An engine for English draughts. Without a command, kelso speaks its protocol on standard input and output.
#[derive(Parser, Debug)]
#[command(version, max_term_width = 100)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

/// The commands in groups, as the help shows them.
const GROUPS: [(&str, &[&str]); 6] = [
    ("Play and analyse", &["play", "serve", "site", "show", "analyse", "prove"]),
    ("Games", &["pdn", "stats"]),
    ("Endings and openings", &["egdb", "book"]),
    ("For engine authors", &["hub", "match", "check", "record", "replay", "bench", "perft"]),
    ("Laboratory", &["lab", "tree", "train"]),
    ("Installing", &["man", "completions"]),
];

const HELP: &str = "{about-with-newline}\n{usage-heading} {usage}{after-help}\nOptions:\n{options}";

impl Arguments {
    pub fn from_command_line() -> Self {
        let matches = Self::with_help().try_get_matches();
        matches.and_then(|matches| Self::from_arg_matches(&matches)).unwrap_or_else(|error| refuse(&error))
    }

    /// Returns the command line, with groups of commands and examples in its help.
    fn with_help() -> clap::Command {
        let command = examples::added(Self::command(), "");
        let list: Vec<String> = GROUPS.iter().map(|group| list(&command, *group)).collect();
        command.help_template(HELP).after_help(list.join("\n"))
    }
}

/// Prints help, the version or an argument error, and exits.
fn refuse(error: &clap::Error) -> ! {
    match error.print() {
        // The reader of the output, such as `head`, has ended.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            say(&format!("error: cannot write the output: {error}"));
            process::exit(2);
        }
        _ => process::exit(error.exit_code()),
    }
}

/// A group of commands, one line each.
fn list(command: &clap::Command, (heading, names): (&str, &[&str])) -> String {
    let lines = names.iter().filter_map(|name| {
        let about = command.find_subcommand(name)?.get_about()?;
        Some(format!("  {name:11} {about}\n"))
    });
    format!("{heading}:\n{}", lines.collect::<String>())
}

/// The commands. Those without a description here have one on their arguments, which the help shows in full.
#[derive(Subcommand, Debug)]
enum Command {
    Play(Box<play::Args>),
    Serve(serve::Args),
    Site(site::Args),
    Show(show::Args),
    Analyse(Box<analyse::Args>),
    Prove(prove::Args),
    /// Check, format, search and count games in PDN files
    ///
    /// Reads files of any size game by game, in the notations and encodings found in real files. An error in one game
    /// does not affect the others.
    #[command(subcommand)]
    Pdn(pdn::Command),
    /// Report the results of matches or PDN files, and estimate the strength of the players
    Stats(stats::Args),
    /// Build, verify and query endgame databases
    #[command(subcommand)]
    Egdb(egdb::Command),
    /// Build, check and query opening books
    ///
    /// A book is built by the engine's own search: the most important positions are searched and expanded first, and values
    /// found deep in the tree change the first moves.
    #[command(subcommand)]
    Book(book::Command),
    /// Speak the Hub protocol on standard input and output
    Hub,
    Match(Box<match_::Args>),
    /// Check whether an engine follows its protocol
    Check(check::Args),
    /// Record an engine session as a transcript
    Record(record::Args),
    /// Run transcripts against an engine
    Replay(replay::Args),
    /// Search a fixed set of positions and count the nodes
    Bench(bench::Args),
    Perft(perft::Args),
    Lab(lab::Args),
    Tree(tree::Args),
    /// Train an evaluation on the engine's own games
    #[command(subcommand)]
    Train(train::Command),
    Man(man::Args),
    Completions(completions::Args),
    /// Run as the built-in engine `random` of matches
    #[command(hide = true, mut_arg("seed", |seed| seed.default_value("0")))]
    RandomEngine(Seed),
}

/// Prints a line on standard error, whether or not it is open.
fn say(line: &str) {
    drop(writeln!(io::stderr().lock(), "{}", without_codes(line)));
}

pub fn run(arguments: &Arguments) -> Outcome {
    // The protocols leave signals to the system.
    if !matches!(arguments.command, None | Some(Command::Hub | Command::RandomEngine(_))) {
        signal::handle().context("cannot handle signals")?;
        report_interrupts(arguments.command.as_ref());
    }
    match &arguments.command {
        None => run_default_session(),
        Some(Command::Analyse(args)) => analyse::run(args),
        Some(Command::Bench(args)) => bench::run(args),
        Some(Command::Egdb(command)) => egdb::run(command),
        Some(Command::Check(args)) => check::run(args),
        Some(Command::Hub) => run_session(Hub::new(REGISTRY)),
        Some(Command::Completions(args)) => completions::run(args),
        Some(Command::Lab(args)) => lab::run(args),
        Some(Command::Man(args)) => man::run(args),
        Some(Command::Match(args)) => match_::run(args),
        Some(Command::Pdn(command)) => pdn::run(command),
        Some(Command::Book(command)) => book::run(command),
        Some(Command::Play(args)) => play::run(args),
        Some(Command::Perft(args)) => perft::run(args),
        Some(Command::Prove(args)) => prove::run(args),
        Some(Command::Record(args)) => record::run(args),
        Some(Command::Serve(args)) => serve::run(args),
        Some(Command::Replay(args)) => replay::run(args),
        Some(Command::Site(args)) => site::run(args),
        Some(Command::Show(args)) => show::run(args),
        Some(Command::Stats(args)) => stats::run(args),
        Some(Command::Train(command)) => train::run(command),
        Some(Command::Tree(args)) => tree::run(args),
        Some(Command::RandomEngine(Seed { seed })) => run_random(*seed),
    }
}

/// Runs a session in the protocol of its first line.
fn run_default_session() -> Outcome {
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        say(&format!(
            "Kelso {}: \"kelso play\" starts a game in the terminal, \"kelso serve\" one in the browser; \"help\" lists the commands here.",
            env!("CARGO_PKG_VERSION")
        ));
    }
    run_session(Autodetect::new(REGISTRY))
}

fn run_session(protocol: impl Protocol) -> Outcome {
    let engine = Engine::with_registry(REGISTRY, Options::default().hash)?;
    let mut out = io::stdout();
    let read = |handle: &mut dyn FnMut(InputLine) -> bool| read_lines(BufReader::new(io::stdin()), handle);
    Session::run(engine, protocol, read, |text| {
        out.write_all(text.as_bytes())?;
        out.flush()
    })?;
    Ok(Status::Success)
}

/// Runs the engine that plays random moves, until the input or the reader of the output ends.
fn run_random(seed: u64) -> Outcome {
    RandomEngine::new(seed).run(BufReader::new(io::stdin()), io::stdout())?;
    Ok(Status::Success)
}

/// Ends a command at the first signal with a message, unless it listens to signals itself. Playing and serving end by signals
/// as they should.
fn report_interrupts(command: Option<&Command>) {
    let work = match command {
        Some(Command::Play(_) | Command::Serve(_)) => return,
        // They write several files, one after the other.
        Some(Command::Pdn(_) | Command::Site(_)) => "no unfinished file is kept",
        _ => NOTHING_KEPT,
    };
    signal::listen(move || {
        if io::stderr().is_terminal() {
            // The terminal has shown ^C, perhaps behind a progress bar.
            say("");
        }
        interrupted(work);
        signal::exit();
    });
}

/// Returns a token that the first signal stops, so that the command finishes what it is doing. The second one ends the program
/// at once; all files survive that, as they survive a kill.
fn stop_on_signal() -> StopToken {
    let stop = StopToken::default();
    let token = stop.clone();
    signal::listen(move || {
        if token.is_stopped() {
            signal::exit();
        }
        token.stop();
    });
    stop
}

#[cfg(test)]
#[allow(dead_code, reason = "only the options are compared here")]
#[path = "../../tests/commands/outputs/table.rs"]
mod outputs;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};

    use clap::builder::ValueParser;
    use clap::{CommandFactory, Parser};

    use super::examples::EXAMPLES;
    use super::outputs::{NO_OUTPUTS, ROWS, Row};
    use super::{Arguments, GROUPS};

    impl Row {
        /// The command without its arguments.
        fn command(&self) -> String {
            let mut command = &Arguments::command();
            let mut names = Vec::new();
            for word in self.words.split(' ') {
                let Some(next) = command.find_subcommand(word) else { break };
                names.push(word);
                command = next;
            }
            names.join(" ")
        }
    }

    /// Returns the name of an option as on the command line, or of an argument.
    fn shown(argument: &clap::Arg) -> String {
        argument.get_long().map_or_else(|| argument.get_id().to_string(), |long| format!("--{long}"))
    }

    /// The options of all commands that take a path.
    fn path_options(command: &clap::Command, name: &str, found: &mut Vec<(String, String)>) {
        for argument in command.get_arguments() {
            if argument.get_value_parser().type_id() == ValueParser::path_buf().type_id() {
                found.push((name.to_owned(), shown(argument)));
            }
        }
        for next in command.get_subcommands() {
            path_options(next, format!("{name} {}", next.get_name()).trim(), found);
        }
    }

    #[test]
    fn every_command_is_in_one_group_of_the_help() {
        let mut listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let command = Arguments::command();
        let shown = command.get_subcommands().filter(|command| !command.is_hide_set());
        let mut commands: Vec<&str> = shown.map(clap::Command::get_name).collect();
        listed.sort_unstable();
        commands.sort_unstable();
        assert_eq!(listed, commands);
        Arguments::with_help().debug_assert();
    }

    #[test]
    fn the_help_has_the_whole_description() {
        let command = Arguments::command();
        let long = |name: &str| command.find_subcommand(name).unwrap().get_long_about().unwrap().to_string();
        assert!(long("match").contains("proto=PROTOCOL"), "{}", long("match"));
        assert!(long("analyse").contains("NAME.jsonl"), "{}", long("analyse"));
    }

    /// Returns the source files in a folder, at any depth.
    fn sources(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let files = |path: PathBuf| if path.is_dir() { sources(&path) } else { vec![path] };
        entries.flat_map(files).filter(|path| path.extension().is_some_and(|end| end == "rs")).collect()
    }

    /// Returns the options that a file's code and help texts mention.
    fn named(text: &str) -> impl Iterator<Item = &str> {
        let text = text.split("#[cfg(test)]").next().unwrap();
        let is_name = |c: char| c.is_ascii_lowercase() || c == '-';
        let begins = text.match_indices("--").filter(|&(at, _)| text[..at].ends_with([' ', '"', '`', '(']));
        let words = begins.map(move |(at, _)| {
            let rest = &text[at..];
            &rest[..rest.find(|c| !is_name(c)).unwrap_or(rest.len())]
        });
        words.filter(|word| word.len() > 3 && !word.ends_with('-'))
    }

    /// Collects the names of the visible options of a command and its subcommands.
    fn options(command: &clap::Command, found: &mut BTreeSet<String>) {
        found.extend(command.get_arguments().map(shown));
        command.get_subcommands().for_each(|next| options(next, found));
    }

    /// Collects the commands that can be run without a subcommand, with their names.
    fn commands<'a>(command: &'a clap::Command, name: &str, found: &mut Vec<(String, &'a clap::Command)>) {
        for next in command.get_subcommands().filter(|next| !next.is_hide_set()) {
            let name = format!("{name} {}", next.get_name());
            if !next.is_subcommand_required_set() {
                found.push((name.trim_start().to_owned(), next));
            }
            commands(next, &name, found);
        }
    }

    #[test]
    fn the_help_of_a_command_with_many_options_ends_with_examples() {
        let all = Arguments::with_help();
        let mut found = Vec::new();
        commands(&all, "", &mut found);
        for (name, _) in EXAMPLES {
            assert!(found.iter().any(|(known, _)| known == name), "there is no kelso {name}");
        }
        for (name, command) in found {
            let options =
                command.get_arguments().filter(|option| option.get_long().is_some() && !option.is_hide_set());
            let of = EXAMPLES.iter().filter(|(of, _)| *of == name);
            let examples: Vec<&str> = of.flat_map(|(_, examples)| examples.iter().copied()).collect();
            assert!(options.count() <= 3 || (1..=3).contains(&examples.len()), "kelso {name}: {examples:?}");
            let help = command.clone().render_long_help().to_string();
            for example in &examples {
                assert!(example.starts_with(&format!("kelso {name}")), "kelso {name}: {example}");
                assert!(help.contains(example), "{help}");
            }
            assert!(examples.last().is_none_or(|last| help.trim_end().ends_with(last)), "{help}");
        }
    }

    #[test]
    fn old_names_of_options_are_hidden_and_still_work() {
        for (command, old, new) in [
            ("tree", "--output x", "--out x"),
            ("tree", "--output x", "-o x"),
            ("replay a", "--jobs 2", "--concurrency 2"),
            ("egdb build", "--dir x", "--egdb x"),
            ("egdb plan", "--dir x", "--egdb x"),
            ("egdb info", "--dir x", "--egdb x"),
            ("egdb verify", "--dir x", "--egdb x"),
            ("egdb probe startpos", "--dir x", "--egdb x"),
            ("serve", "--egdb-dir x", "--egdb x"),
            ("match --engine random", "--egdb-path x", "--egdb x"),
            ("lab", "--draw alex", "--draw-rule alex"),
            ("play", "--position W:W1:B2", "--fen W:W1:B2"),
            ("train play --games 1", "--out x", "-o x"),
            ("train margins", "--out x", "-o x"),
        ] {
            let [old, new] = [old, new].map(|option| {
                let words = format!("kelso {command} {option}");
                let parsed =
                    Arguments::try_parse_from(words.split(' ')).map(|arguments| format!("{arguments:?}"));
                parsed.map_err(|error| error.to_string())
            });
            assert!(new.is_ok(), "{new:?}");
            assert_eq!(old, new, "{command}");
        }
    }

    #[test]
    fn every_option_that_a_text_names_exists() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut all = Arguments::command();
        // Adds the options of clap itself.
        all.build();
        let cli = root.join("src/cli");
        let libraries = ["analysis", "runs", "tournament", "training"];
        let folders = libraries.map(|name| root.join("crates").join(name).join("src"));
        let mut count = 0;
        for file in folders.iter().chain([&root.join("src")]).flat_map(|folder| sources(folder)) {
            let own = file.strip_prefix(&cli).ok().and_then(|path| path.iter().next());
            let own = own.and_then(|name| name.to_str()).map(|name| name.trim_end_matches(".rs"));
            // A command's file mentions the command's own options.
            let command = own.and_then(|name| all.find_subcommand(name.trim_end_matches('_')));
            let mut known = BTreeSet::new();
            options(command.unwrap_or(&all), &mut known);
            let text = fs::read_to_string(&file).unwrap();
            for option in named(&text) {
                assert!(known.contains(option), "{} names {option}", file.display());
                count += 1;
            }
        }
        assert!(count > 50, "{count} options are named");
    }

    #[test]
    fn every_option_that_names_a_file_is_known_here() {
        let mut found = Vec::new();
        path_options(&Arguments::command(), "", &mut found);
        found.sort();
        let name = |option: &str| if option.is_empty() { "file".to_owned() } else { option.to_owned() };
        let rows = ROWS.iter().flat_map(|row| row.outputs().map(move |option| (row.command(), name(option))));
        let others = NO_OUTPUTS.iter().map(|(command, option)| ((*command).to_owned(), (*option).to_owned()));
        let mut known: Vec<_> = rows.chain(others).collect();
        known.sort();
        assert_eq!(found, known, "an option is new or gone: add outputs to ROWS, and inputs to NO_OUTPUTS");
    }
}
