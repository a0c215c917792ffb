//! The command line: one file or folder for each command, with its arguments and a `run` function.

/// Returns the text of examples at the end of a command's help. A test runs them.
macro_rules! examples {
    ($first:literal $(, $more:literal)*) => {
        concat!("Examples:\n  ", $first $(, "\n  ", $more)*)
    };
}

mod analyse;
mod arguments;
mod ballots;
mod bench;
mod best;
mod book;
mod check;
mod completions;
mod databases;
mod egdb;
mod lab;
mod man;
mod matches;
pub(crate) mod outcome;
mod pdn;
mod perft;
mod play;
mod progress;
mod prove;
mod record;
mod replay;
mod serve;
mod session;
mod show;
mod site;
mod source;
mod stats;
mod train;
mod tree;
mod values;
mod work;

use std::io::{self, IsTerminal};
use std::process;
use std::sync::LazyLock;

use anyhow::Context;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use self::arguments::engine::{RANDOM_ENGINE, Seed};
use self::outcome::{NOTHING_KEPT, Outcome, interrupted, say};
use clap::error::{ContextKind, ContextValue};
use kelso_batch::signal;
use kelso_engine::eval::Network;
use kelso_players::random::RandomPlayer;

/// An engine for English draughts. Without a command, kelso speaks its protocol on standard input and output.
#[derive(Parser, Debug)]
#[command(version, max_term_width = 100)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

/// The version, the commit if the program was built in a checkout, and the instructions that the evaluation
/// uses on this processor.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let version = env!("CARGO_PKG_VERSION");
    let instructions = Network::instructions();
    match option_env!("KELSO_COMMIT") {
        Some(commit) => format!("{version} (commit {commit}, {instructions})"),
        None => format!("{version} ({instructions})"),
    }
});

const HELP: &str = "{about-with-newline}\n{usage-heading} {usage}{after-help}\nOptions:\n{options}";

impl Arguments {
    pub fn from_command_line() -> Self {
        let matches = Self::with_help().version(VERSION.as_str()).try_get_matches();
        matches.and_then(|matches| Self::from_arg_matches(&matches)).unwrap_or_else(|error| refuse(&error))
    }

    /// Returns the command line, with groups of commands and examples in its help.
    fn with_help() -> clap::Command {
        let command = Self::command();
        let list: Vec<String> =
            GROUPS.iter().map(|&(heading, names)| list(&command, heading, names)).collect();
        command.help_template(HELP).after_help(list.join("\n"))
    }
}

/// Prints help, the version or an argument error, and exits.
fn refuse(error: &clap::Error) -> ! {
    let printed = error.print();
    if let Some(hint) = unquoted(error) {
        say(&hint);
    }
    match printed {
        // The reader of the output, such as `head`, has exited.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            say(&format!("error: cannot write the output: {error}"));
            process::exit(2);
        }
        _ => process::exit(error.exit_code()),
    }
}

/// Returns a hint if an argument looks like a word of `--engine` without quotes, as other programs accept it.
fn unquoted(error: &clap::Error) -> Option<String> {
    let is_unknown = error.kind() == clap::error::ErrorKind::UnknownArgument;
    let word = match error.get(ContextKind::InvalidArg)? {
        ContextValue::String(word) if is_unknown && word.contains('=') && !word.starts_with('-') => word,
        _ => return None,
    };
    Some(format!("hint: write all words of an engine in one pair of quotes: --engine \"name=... {word}\""))
}

/// Lists a group of commands, one per line.
fn list(command: &clap::Command, heading: &str, names: &[&str]) -> String {
    let lines = names.iter().filter_map(|name| {
        let name = name.to_lowercase();
        let about = command.find_subcommand(&name)?.get_about()?;
        Some(format!("  {name:11}  {about}\n"))
    });
    format!("{heading}:\n{}", lines.collect::<String>())
}

/// Defines the commands: for each group of the help, the name and module of every command. In each module,
/// `Args` has the arguments, with the description as its comment, and `run` does the work.
macro_rules! commands {
    ($($group:literal: $($name:ident($module:ident)),+;)+) => {
        #[derive(Subcommand, Debug)]
        enum Command {
            $($($name(Box<$module::Args>),)+)+
            /// Run as the built-in engine `random` of matches
            #[command(name = RANDOM_ENGINE, hide = true, mut_arg("seed", |seed| seed.default_value("0")))]
            RandomEngine(Seed),
        }

        impl Command {
            fn run(&self) -> Outcome {
                match self {
                    $($(Self::$name(args) => $module::run(args),)+)+
                    Self::RandomEngine(Seed { seed }) => run_random(*seed),
                }
            }
        }

        const GROUPS: &[(&str, &[&str])] = &[$(($group, &[$(stringify!($name)),+])),+];
    };
}

commands! {
    "Play and analyse": Play(play), Serve(serve), Site(site), Show(show), Best(best), Analyse(analyse), Prove(prove);
    "Games": Pdn(pdn), Stats(stats);
    "Endings and openings": Egdb(egdb), Book(book), Ballots(ballots);
    "For engine authors":
        Hub(session), Match(matches), Check(check), Record(record), Replay(replay), Bench(bench), Perft(perft);
    "Laboratory": Lab(lab), Tree(tree), Train(train);
    "Installing": Man(man), Completions(completions);
}

pub fn run(arguments: &Arguments) -> Outcome {
    // Protocol sessions leave signals to the system.
    let Some(command) = &arguments.command else { return session::run_session_of_first_line() };
    if !command.is_session() {
        report_interrupts(command);
        signal::handle().context("cannot handle signals")?;
    }
    command.run()
}

impl Command {
    fn is_session(&self) -> bool {
        match self {
            Self::Hub(_) | Self::RandomEngine(_) => true,
            Self::Lab(args) => args.is_session(),
            _ => false,
        }
    }
}

/// Runs the engine that plays random moves, until the input ends or the reader of the output exits.
fn run_random(seed: u64) -> Outcome {
    session::run_player(RandomPlayer::new(seed))
}

/// Ends a command with a message at the first signal, unless it handles signals itself. For playing and
/// serving, ending by a signal is normal.
fn report_interrupts(command: &Command) {
    let work = match command {
        Command::Play(_) | Command::Serve(_) => return,
        // These commands write several files, one after another.
        Command::Pdn(_) | Command::Site(_) => "no unfinished file is kept",
        _ => NOTHING_KEPT,
    };
    signal::listen(move || {
        if io::stderr().is_terminal() {
            // The terminal has printed ^C, perhaps after a progress bar.
            say("");
        }
        interrupted(work);
        signal::exit();
    });
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};

    use clap::CommandFactory;

    use super::Arguments;

    /// Returns an option's name as on the command line, or an argument's name.
    fn shown(argument: &clap::Arg) -> String {
        argument.get_long().map_or_else(|| argument.get_id().to_string(), |long| format!("--{long}"))
    }

    #[test]
    fn the_help_lists_every_command() {
        let command = Arguments::with_help();
        let help = command.clone().render_help().to_string();
        for shown in command.get_subcommands().filter(|command| !command.is_hide_set()) {
            assert!(
                help.contains(&format!("\n  {:11} ", shown.get_name())),
                "{} in {help}",
                shown.get_name()
            );
        }
        command.debug_assert();
    }

    #[test]
    fn the_long_help_of_commands_names_protocols_and_files() {
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
        for (name, command) in found {
            let options =
                command.get_arguments().filter(|option| option.get_long().is_some() && !option.is_hide_set());
            let help = command.clone().render_long_help().to_string();
            let examples: Vec<&str> =
                help.split_once("Examples:\n").map_or(vec![], |(_, list)| list.trim_end().lines().collect());
            assert!(options.count() <= 3 || (1..=3).contains(&examples.len()), "kelso {name}: {examples:?}");
            for example in &examples {
                assert!(example.starts_with(&format!("  kelso {name}")), "kelso {name}: {example}");
            }
        }
    }

    #[test]
    fn every_option_that_a_text_names_exists() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut all = Arguments::command();
        // Add the options of clap itself.
        all.build();
        let cli = root.join("src/cli");
        let mut count = 0;
        for file in sources(&root.join("src")) {
            let own = file.strip_prefix(&cli).ok().and_then(|path| path.iter().next());
            let own = own.and_then(|name| name.to_str()).map(|name| name.trim_end_matches(".rs"));
            // A command's file mentions the command's own options.
            let own = own.map(|name| if name == "matches" { "match" } else { name });
            let command = own.and_then(|name| all.find_subcommand(name));
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
}
