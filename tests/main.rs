//! The integration tests, in one program, since linking and optimising several would take longer. `cargo test
//! --release NAME::` runs the tests of one file or folder.
//!
//! | folder | file | tests |
//! |---|---|---|
//! | `engine` | `bench` | the nodes of a search, the same in every build |
//! |  | `multipv` | several lines from one search |
//! |  | `endings` | endings with a known result, played out |
//! |  | `problems` | problems and shots of `tests/data` |
//! |  | `textbook_searchers` | textbook searchers, compared with plain negamax |
//! |  | `published_evaluations` | Peterson's evaluations, compared with their definitions |
//! | `protocol` | `session` | answers, their order and timing, from start to exit |
//! |  | `hostile_input` | random bytes, mutated sessions, endless lines |
//! |  | `replay` | `kelso replay`, and the transcripts of `tests/data/transcripts` |
//! |  | `record` | `kelso record` |
//! | `matches` | `tournament` | misbehaving engines, resumed runs, reports |
//! |  | `duplicates` | duplicate openings and games are counted once |
//! |  | `distributed` | work divided between processes and computers by the scripts of `examples` |
//! | `commands` | `analyse` | `kelso analyse` |
//! |  | `best` | `kelso best` |
//! |  | `book` | `kelso book`, and the engine with a book |
//! |  | `egdb` | `kelso egdb` |
//! |  | `lab` | `kelso lab` and `kelso tree` |
//! |  | `pdn_command` | `kelso pdn` |
//! |  | `prove` | `kelso prove` |
//! |  | `train` | `kelso train` |
//! |  | `startup` | errors before a command begins its work, and messages from a waiting match |
//! |  | `installing` | manual pages, completions, and help that cannot be written |
//! |  | `messages` | the error messages of all commands, in `tests/data/messages` |
//! |  | `options` | the examples of the help, and options with two forms |
//! |  | `outputs` | no command replaces a file that it must not replace |
//! | `boards` | `serve` | `kelso serve` over sockets: the page, sessions, hostile requests |
//! |  | `page` | the modules of the page, in Node.js |
//! |  | `browser` | the page in Chromium and Firefox |
//! |  | `terminal` | `kelso play` |
//! | `programs` | `child_process` | misbehaving child processes |
//! |  | `interrupts` | Ctrl-C and other signals |
//! |  | `clients` | clients in Python and shell |
//! |  | `checkerboard` | CheckerBoard's library |
//! |  | `checkerboard_endings` | won endings, with the library in an old CheckerBoard |
//! | `project` | `crates` | rules for the sources of all crates |
//! |  | `documents` | examples in the documents |
//! |  | `measure` | `tests/measure` |
//!
//! The tests of the rules and of PDN are in `crates/draughts/tests`.
//!
//! `helpers` has helpers of these tests, `fake_engines` programs that misbehave. `measure` measures the
//! figures in the documents; `shared` has code that it uses too.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking, and a long one prints its progress"
)]

mod helpers;
mod shared;

mod engine {
    mod bench;
    mod endings;
    mod multipv;
    mod problems;
    mod published_evaluations;
    mod textbook_searchers;
}

mod protocol {
    mod hostile_input;
    mod record;
    mod replay;
    mod session;
}

mod matches {
    mod distributed;
    mod duplicates;
    mod tournament;
}

mod commands {
    mod analyse;
    mod best;
    mod book;
    mod egdb;
    mod installing;
    mod lab;
    mod messages;
    mod options;
    mod outputs;
    mod pdn_command;
    mod prove;
    mod startup;
    mod train;
}

mod boards {
    mod browser;
    mod page;
    mod serve;
    mod terminal;
}

mod programs {
    mod checkerboard;
    mod checkerboard_endings;
    mod child_process;
    mod clients;
    #[cfg(target_os = "linux")]
    mod interrupts;
}

mod project {
    mod crates;
    mod documents;
    mod measure;
}
