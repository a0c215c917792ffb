//! Any lines as input to an engine with a small table, in both protocols: each search has one best move, and the
//! session ends.

#![no_main]

use std::sync::{Arc, Mutex};

use kelso_engine::Engine;
use kelso_laboratory::REGISTRY;
use kelso_protocol::{Autodetect, Command, Protocol, Session, SingleThreadedSession};
use kelso_runtime::lines::InputLine;
use libfuzzer_sys::fuzz_target;

/// Returns whether a command takes long, needs much memory, or names system files.
fn is_costly(command: &Command) -> bool {
    use kelso_engine::Setting;
    match command {
        Command::Bench(depth) => depth.is_none_or(|depth| depth > 2),
        Command::Perft(depth) => *depth > 4,
        Command::Set(Setting::Hash(size)) => *size > 2,
        Command::Set(Setting::Threads(threads)) => *threads > 3,
        Command::Set(setting) => {
            matches!(setting.name(), "EgdbPath" | "EgdbCache" | "EvalFile" | "Weights" | "BookFile")
        }
        _ => false,
    }
}

/// Returns whether a search ends soon on its own.
fn is_short(command: &Command) -> bool {
    match command {
        Command::Go(go) => !go.ponder && go.nodes.is_some_and(|nodes| nodes <= 2_000),
        // Draw offers are answered by a search of fixed time.
        Command::Offer => false,
        _ => true,
    }
}

/// Returns the lines that can be sent, and whether the session ends without being stopped.
fn chosen(text: &str) -> (Vec<String>, bool) {
    let mut protocol = Autodetect::new(REGISTRY);
    let mut lines = Vec::new();
    let mut short = true;
    for line in text.lines().take(40) {
        let read = protocol.read(line);
        if let Ok(Some(command)) = &read {
            if is_costly(command) {
                continue;
            }
            short &= is_short(command);
        }
        lines.push(line.to_owned());
        if matches!(read, Ok(Some(Command::Quit))) {
            break;
        }
    }
    (lines, short)
}

#[derive(Clone, Default)]
struct Written(Arc<Mutex<String>>);

impl Written {
    fn push(&self, text: &str) {
        assert!(text.is_empty() || text.ends_with('\n'));
        self.0.lock().expect("no panic before").push_str(text);
    }

    /// Checks that no more searches are answered than were started.
    fn check(&self, lines: &[String]) {
        let text = self.0.lock().expect("no panic before");
        let answers = |word| text.lines().filter(|line| line.split_whitespace().next() == Some(word)).count();
        let mut protocol = Autodetect::new(REGISTRY);
        let is_go = |line: &&String| matches!(protocol.read(line), Ok(Some(Command::Go(_))));
        let searches = lines.iter().filter(is_go).count();
        let answered = answers("bestmove") + answers("done");
        assert!(answered <= searches, "{answered} answers to {searches} searches:\n{text}");
        // A search that is rejected is answered by an error instead.
        let errors = text.lines().filter(|line| line.contains("error")).count();
        assert!(answered + errors >= searches, "{answered} answers to {searches} searches:\n{text}");
    }
}

fn run_threads(lines: Vec<String>, quits: bool, output: &Written) {
    let engine = Engine::new(1).expect("memory for the table").with_registry(REGISTRY);
    let written = output.clone();
    let read = move |handle: &mut dyn FnMut(InputLine) -> bool| {
        let sent = lines.into_iter().all(|line| handle(InputLine::Line(line)));
        let end = if quits { InputLine::Line("quit".to_owned()) } else { InputLine::End };
        let _ = sent && handle(end);
    };
    let write = move |text: &str| {
        written.push(text);
        Ok(())
    };
    Session::run(engine, Autodetect::new(REGISTRY), read, write).expect("writing to memory cannot fail");
}

fn run_one_thread(lines: &[String], output: &Written) {
    let engine = Engine::new(1).expect("memory for the table").with_registry(REGISTRY);
    let written = output.clone();
    let session = SingleThreadedSession::new(engine, Autodetect::new(REGISTRY), move |text: &str| {
        written.push(text);
        Ok(())
    });
    for line in lines {
        session.line(line).expect("writing to memory cannot fail");
        while session.work().expect("writing to memory cannot fail") {}
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((&kind, text)) = data.split_first() else { return };
    let (lines, short) = chosen(&String::from_utf8_lossy(text));
    let output = Written::default();
    if kind % 3 == 0 && short {
        run_one_thread(&lines, &output);
    } else {
        run_threads(lines.clone(), kind % 3 == 1 || !short, &output);
    }
    output.check(&lines);
});
