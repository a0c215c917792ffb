//! The native protocol in front of an engine that speaks another one. Commands that do not need the engine,
//! such as `moves`, are answered here, since other protocols may lack them.

use std::collections::VecDeque;

use super::permissions::Permissions;
use kelso_draughts::board::{Game, Position};
use kelso_engine::search::SearchAnswer;
use kelso_protocol::{
    Client, Command, CommandError, Dialect, EngineOutput, Identity, Native, Protocol, Reply, Verb,
};

/// Maximum number of lines that may wait for the end of the handshake.
const MAX_WAITING_LINES: usize = 1000;
/// Maximum number of waiting searches.
const MAX_SEARCHES: usize = 100;

#[derive(Debug)]
pub(super) struct Translator {
    client: &'static dyn Client,
    /// Whether the engine speaks the page's protocol, so that lines need no translation.
    is_native: bool,
    /// The engine's introduction, once it is ready.
    identity: Option<Identity>,
    /// Whether the page is waiting for the engine's introduction.
    identity_requested: bool,
    /// Lines to the engine that wait for the end of the handshake.
    waiting: Vec<String>,
    game: Game,
    /// The positions of the unfinished searches, starting with the running one.
    roots: VecDeque<Position>,
}

/// The translation of one line into lines for the page and lines for the engine.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Lines {
    pub(super) page: Vec<String>,
    pub(super) engine: Vec<String>,
}

impl Lines {
    fn page(text: &str) -> Self {
        Self { page: text.lines().map(str::to_owned).collect(), engine: Vec::new() }
    }
}

impl Translator {
    pub(super) fn new(protocol: Dialect) -> Self {
        Self {
            client: protocol.client(),
            is_native: protocol == Dialect::Native,
            identity: None,
            identity_requested: false,
            waiting: Vec::new(),
            game: Game::new(Position::start()),
            roots: VecDeque::new(),
        }
    }

    /// Called when the handshake has ended. Returns the lines that were waiting for it.
    pub(super) fn connected(&mut self, identity: Identity) -> Lines {
        let lines = if self.identity_requested { introduction(&identity) } else { Lines::default() };
        self.identity = Some(identity);
        Lines { engine: std::mem::take(&mut self.waiting), ..lines }
    }

    pub(super) fn of_page(&mut self, line: &str, permissions: &Permissions) -> Result<Lines, CommandError> {
        if self.is_native {
            return match permissions.refusal_of_line(line) {
                Some(reason) => Err(CommandError::Refused(reason)),
                None => self.send(line),
            };
        }
        match Native.read(line)? {
            Some(command) => self.execute(command, line, permissions),
            None => Ok(Lines::default()),
        }
    }

    /// Sends lines to the engine, at the latest when its handshake has ended.
    fn send(&mut self, text: &str) -> Result<Lines, CommandError> {
        let lines = text.lines().map(str::to_owned);
        if self.identity.is_some() {
            return Ok(Lines { engine: lines.collect(), ..Lines::default() });
        }
        if self.waiting.len() + text.lines().count() > MAX_WAITING_LINES {
            return refuse("too many lines before the engine is ready");
        }
        self.waiting.extend(lines);
        Ok(Lines::default())
    }

    /// Translates a line from the engine for the page, after the handshake.
    pub(super) fn of_engine(&mut self, line: &str) -> Vec<String> {
        if self.is_native {
            return vec![line.to_owned()];
        }
        let lines = self.translate(line);
        lines.iter().flat_map(|text| text.lines()).map(str::to_owned).collect()
    }

    fn execute(
        &mut self,
        command: Command,
        line: &str,
        permissions: &Permissions,
    ) -> Result<Lines, CommandError> {
        let position = *self.game.position();
        Ok(match command {
            Command::Identify => {
                self.identity_requested = true;
                self.identity.as_ref().map_or_else(Lines::default, introduction)
            }
            Command::Ready => self.send(self.client.verb(Verb::Ping))?,
            Command::NewGame => {
                let lines = self.send(self.client.verb(Verb::NewGame))?;
                self.game = Game::new(Position::start());
                lines
            }
            Command::Stop => self.send(self.client.verb(Verb::Stop))?,
            Command::PonderHit => self.send(self.client.verb(Verb::PonderHit))?,
            Command::Quit => self.send(self.client.verb(Verb::Quit))?,
            Command::Position(game) => {
                self.game = game;
                Lines::default()
            }
            Command::Go(_) if self.roots.len() >= MAX_SEARCHES => {
                return refuse("too many searches are waiting");
            }
            Command::Go(go) => {
                let lines = self.send(&self.client.search(&self.game, &go))?;
                self.roots.push_back(position);
                lines
            }
            Command::Set { .. } => {
                let refusal = "options of this engine can only be set in its description, by option.NAME=";
                return refuse(permissions.refusal_of_line(line).as_deref().unwrap_or(refusal));
            }
            Command::Moves => Lines::page(&native(&EngineOutput::Moves(position))),
            Command::Paths => Lines::page(&native(&EngineOutput::Paths(position))),
            Command::Show => Lines::page(&native(&EngineOutput::Show(self.game.clone()))),
            _ => return Err(CommandError::Unsupported),
        })
    }

    fn translate(&mut self, line: &str) -> Option<String> {
        let client = self.client;
        Some(native(&match client.parse_reply(line) {
            Reply::Info(info, moves) => {
                let root = *self.roots.front()?;
                let line = client.parse_line(&root, moves.unwrap_or(""));
                EngineOutput::Info(root, info, line)
            }
            Reply::BestMove { mv, ponder } => {
                let root = self.roots.pop_front()?;
                let best = mv.and_then(|text| client.parse_move(&root, text).ok());
                // The page reports an illegal move by its text.
                let Some(best) = best else {
                    let text = mv.and_then(|text| text.split_whitespace().next());
                    return Some(format!("bestmove {}", text.unwrap_or("none")));
                };
                let ponder = ponder.and_then(|text| client.parse_move(&root.after(best), text).ok());
                EngineOutput::Answer(
                    root,
                    SearchAnswer { best: Some(best), ponder, ..SearchAnswer::default() },
                )
            }
            Reply::Ready => EngineOutput::Ready,
            Reply::Error(reason) => EngineOutput::Error(CommandError::Engine(reason.to_owned())),
            Reply::Other => return None,
        }))
    }
}

fn refuse<T>(reason: &str) -> Result<T, CommandError> {
    Err(CommandError::Refused(reason.to_owned()))
}

/// Returns the answer to `uci`.
fn introduction(Identity { name, author, .. }: &Identity) -> Lines {
    Lines::page(&format!("id name {name}\nid author {author}\nuciok\n"))
}

/// Formats an output, other than a list of options, in the native protocol.
fn native(output: &EngineOutput) -> String {
    Native.write(output)
}

#[cfg(test)]
mod tests {
    use super::*;

    const INTRODUCTION: &str = "id name Scan 3.1\nid author F\nuciok";

    fn permissions() -> Permissions {
        Permissions { refuse_files: Some("ask"), memory: 64, threads: 1 }
    }

    fn of_page(translator: &mut Translator, line: &str) -> Lines {
        translator.of_page(line, &permissions()).unwrap()
    }

    fn ready() -> Translator {
        let mut translator = Translator::new(Dialect::Hub);
        assert_eq!(of_page(&mut translator, "uci"), Lines::default());
        assert_eq!(of_page(&mut translator, "isready"), Lines::default());
        let lines = Lines { engine: vec!["ping".to_owned()], ..Lines::page(INTRODUCTION) };
        let identity =
            Identity { name: "Scan 3.1".to_owned(), author: "F".to_owned(), ..Identity::default() };
        assert_eq!(translator.connected(identity), lines);
        translator
    }

    #[test]
    fn a_game_is_translated_in_both_directions() {
        let mut translator = ready();
        assert_eq!(of_page(&mut translator, "uci"), Lines::page(INTRODUCTION));
        assert_eq!(of_page(&mut translator, "position fen W:W22,K32:B18,11,K1"), Lines::default());
        let lines = of_page(&mut translator, "go movetime 500").engine;
        assert!(
            lines[0].starts_with("pos pos=W") && lines[1..] == ["level move-time=0.500", "go think"],
            "{lines:?}"
        );
        let info = "info depth=3 score=0.12 nodes=1000 time=0.5 nps=0.002 pv=\"22x8x11x18 1-6\"";
        let expected = "info depth 3 score cp 12 nodes 1000 nps 2000 time 500 pv 22x8 1-6";
        assert_eq!(translator.of_engine(info), [expected]);
        // What the engine does not report is left out.
        assert_eq!(translator.of_engine("info score=0.12 pv=\"22x8x11x18\""), ["info score cp 12 pv 22x8"]);
        assert_eq!(translator.of_engine("info depth=3"), [""; 0]);
        assert_eq!(translator.of_engine("done move=22x8x11x18 ponder=1-6"), ["bestmove 22x8 ponder 1-6"]);
        assert_eq!(translator.of_engine("pong"), ["readyok"]);
        assert_eq!(translator.of_engine("done move=22x8"), [""; 0]);
    }

    #[test]
    fn an_illegal_move_is_passed_on() {
        for (answer, passed) in [("1-32", "1-32"), ("\"1-32 x\"", "1-32"), ("\"\"", "none")] {
            let mut translator = ready();
            of_page(&mut translator, "position startpos");
            of_page(&mut translator, "go depth 1");
            assert_eq!(translator.of_engine(&format!("done move={answer}")), [format!("bestmove {passed}")]);
        }
    }

    #[test]
    fn a_search_refused_for_want_of_room_leaves_no_root() {
        let mut translator = Translator::new(Dialect::Hub);
        for _ in 0..MAX_WAITING_LINES {
            assert_eq!(of_page(&mut translator, "isready"), Lines::default());
        }
        let refusal = translator.of_page("go depth 1", &permissions()).unwrap_err().to_string();
        assert_eq!(refusal, "too many lines before the engine is ready");
        assert_eq!(translator.connected(Identity::default()).engine.len(), MAX_WAITING_LINES);
        assert_eq!(of_page(&mut translator, "position fen W:W22:B1"), Lines::default());
        assert!(!of_page(&mut translator, "go depth 1").engine.is_empty());
        assert_eq!(translator.of_engine("done move=22-18"), ["bestmove 22-18"]);
    }

    #[test]
    fn analysis_has_no_limit_and_rules_need_no_engine() {
        let mut translator = ready();
        let lines = of_page(&mut translator, "go infinite");
        assert_eq!(lines.engine[1..], ["level infinite", "go analyze"]);
        assert_eq!(of_page(&mut translator, "position startpos moves 11-15"), Lines::default());
        assert!(of_page(&mut translator, "moves").page[0].starts_with("moves 21-17"));
        for line in ["setoption name EvalFile value x", "fly", "eval"] {
            assert!(translator.of_page(line, &permissions()).is_err(), "{line}");
        }
    }
}
