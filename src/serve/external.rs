//! Another program behind the lines of a session: each line goes to its input, and each of its lines to the page. One
//! that speaks Hub is translated.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::frames::{ENGINE_ENDED, Incoming, Outgoing};
use super::guard::Allowed;
use super::hub::Translator;
use players::process::{Event, Process};
use players::spec::{EngineSpec, Protocol};

/// How long the program may take to read a line.
const SEND: Duration = Duration::from_secs(5);
/// How long it may take to end when it is told to.
const END: Duration = Duration::from_secs(1);
/// How often its death is looked for.
const GLANCE: Duration = Duration::from_secs(1);

/// Passes lines on until the page goes away, which ends the program, or the program ends.
pub(super) fn hold(spec: &EngineSpec, mut incoming: Incoming, outgoing: &mut Outgoing, allowed: Allowed) {
    let process = match Process::spawn(&spec.command) {
        Ok(process) => Arc::new(process),
        Err(error) => {
            end(outgoing, "", &error.to_string());
            return hear_out(&mut incoming);
        }
    };
    let translator = Arc::new(match spec.protocol {
        Protocol::Native => None,
        Protocol::Hub => Some(Translator::new(spec.options.clone())),
    });
    if spec.protocol == Protocol::Hub {
        let _ = process.send(Translator::greeting(), Instant::now() + SEND);
    } else {
        for (name, value) in &spec.options {
            let line = spec.protocol.set_option(name, value);
            // One that doesn't read is found out when the page says something.
            let _ = process.send(&line, Instant::now() + SEND);
        }
    }
    let ended = format!("the engine {} has ended: ", spec.name);
    let (there, translate) = (Arc::clone(&process), Arc::clone(&translator));
    let reader = thread::Builder::new()
        .name("input".into())
        .spawn(move || listen(incoming, &there, translate.as_ref().as_ref(), allowed));
    if let Err(error) = reader {
        return end(outgoing, "", &format!("no thread for the engine's input: {error}"));
    }
    loop {
        match process.recv_until(Instant::now() + GLANCE) {
            Event::Line(line, _) => match translator.as_ref() {
                None => outgoing.say(&line),
                Some(translator) => {
                    let (to_page, to_engine) = translator.to_page(&line);
                    for line in &to_page {
                        outgoing.say(line);
                    }
                    if !to_engine.is_empty() {
                        let _ = process.send(&to_engine.join("\n"), Instant::now() + SEND);
                    }
                }
            },
            Event::Timeout => {}
            Event::Overlong | Event::Flood => {
                process.kill();
                return end(outgoing, &ended, "it printed without end");
            }
            Event::Eof => break,
        }
        for line in translator.iter().flat_map(Translator::own_lines) {
            outgoing.say(&line);
        }
    }
    let status = process.wait_until(Instant::now() + END).ok().flatten();
    process.kill();
    let said = process.stderr_end();
    let said = said.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or_default();
    let status = status.map_or_else(|| "closed its output".to_owned(), |status| status.to_string());
    let why = if said.is_empty() { status } else { format!("{status}, {said}") };
    end(outgoing, &ended, &why);
}

/// Passes on what the page says. The program ends with the page.
fn listen(mut incoming: Incoming, process: &Process, translator: Option<&Translator>, allowed: Allowed) {
    while let Some(line) = incoming.line() {
        let result = match translator {
            Some(translator) => translator.to_engine(&line, &allowed),
            None => allowed.objection_to_line(&line).map_or_else(|| Ok(vec![line.clone()]), Err),
        };
        let lines = match result {
            Ok(lines) => lines,
            Err(reason) => {
                incoming.answer(&format!("info string error: {reason}"));
                continue;
            }
        };
        for line in translator.into_iter().flat_map(Translator::own_lines) {
            incoming.answer(&line);
        }
        if !lines.is_empty() && process.send(&lines.join("\n"), Instant::now() + SEND).is_err() {
            break;
        }
    }
    // In good order if it will, and otherwise by force.
    let _ = process.send("quit", Instant::now() + END);
    process.close_stdin();
    if let Ok(None) = process.wait_until(Instant::now() + END) {
        process.kill();
    }
    hear_out(&mut incoming);
}

/// Reads what a page says that hasn't heard yet that its engine is gone.
fn hear_out(incoming: &mut Incoming) {
    let deadline = Instant::now() + SEND;
    while Instant::now() < deadline && incoming.line().is_some() {}
}

/// Says that an engine is gone, and why: in a line, and to the page, which has its own words for what has happened.
fn end(outgoing: &mut Outgoing, what: &str, why: &str) {
    outgoing.say(&format!("info string error: {what}{why}"));
    outgoing.part(ENGINE_ENDED, &shortened(why));
}

/// Cuts a text after a word, so that it fits into a close frame, which has room for 123 bytes beside its code.
fn shortened(text: &str) -> String {
    const ROOM: usize = 123;
    let text = text.trim();
    if text.len() <= ROOM {
        return text.to_owned();
    }
    let cut = (0..=ROOM - " …".len()).rev().find(|&cut| text.is_char_boundary(cut));
    let head = text.get(..cut.unwrap_or_default()).unwrap_or_default();
    let end = head.rfind(char::is_whitespace).unwrap_or(head.len());
    format!("{} …", head.get(..end).unwrap_or_default().trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_cut_between_words() {
        assert_eq!(shortened(" cannot start "), "cannot start");
        let long = shortened(&"wörds with spaces ".repeat(20));
        assert!(
            long.len() <= 123 && long.ends_with("spaces …")
                || long.ends_with("with …")
                || long.ends_with("wörds …"),
            "{long}"
        );
        assert!(shortened(&"ö".repeat(200)).len() <= 123);
    }
}
