//! The native protocol in front of an engine that speaks another one. Commands that need no engine, such as `moves`, are
//! answered here, since other protocols may have no lines for them.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::permissions::Permissions;
use draughts::board::{Game, Move, Position};
use engine::search::{Answer, Bound, Event, Report, Score, ScoreKind};
use laboratory::CATALOG;
use protocol::{Client, Command, CommandError, Go, Identity, Info, Native, Output, Protocol, Reply};

/// Lines that may wait for the end of the handshake.
const MAX_WAITING_LINES: usize = 1000;
/// Searches that may wait.
const MAX_SEARCHES: usize = 100;

/// Translates between a page and an engine. One thread translates the page's lines, another the engine's.
#[derive(Debug)]
pub(super) struct Translator(Mutex<State>);

#[derive(Debug)]
struct State {
    client: &'static dyn Client,
    options: Vec<(String, String)>,
    identity: Identity,
    phase: Phase,
    /// Whether the page waits for the engine's introduction.
    identity_requested: bool,
    /// Lines to the engine that wait for the end of the handshake.
    waiting: Vec<String>,
    game: Game,
    /// The positions of the unfinished searches, the running one first.
    roots: VecDeque<Position>,
    /// Lines to the page from the translator itself.
    answers: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Introducing,
    Initialising,
    Ready,
}

impl Translator {
    pub(super) fn new(client: &'static dyn Client, options: Vec<(String, String)>) -> Self {
        Self(Mutex::new(State {
            client,
            options,
            identity: Identity::default(),
            phase: Phase::Introducing,
            identity_requested: false,
            waiting: Vec::new(),
            game: Game::new(Position::start()),
            roots: VecDeque::new(),
            answers: Vec::new(),
        }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the first line to the engine.
    pub(super) fn first_line(&self) -> &'static str {
        self.state().client.verb(&Command::Identify)
    }

    /// Translates a line of the page into lines for the engine.
    pub(super) fn to_engine(&self, line: &str, permissions: &Permissions) -> Result<Vec<String>, String> {
        let command = Native::new(CATALOG).read(line).map_err(|error| error.to_string())?;
        let state = &mut *self.state();
        let lines = match command {
            Some(command) => state.execute(command, line, permissions)?,
            None => Vec::new(),
        };
        if state.phase == Phase::Ready {
            return Ok(lines);
        }
        if state.waiting.len() + lines.len() > MAX_WAITING_LINES {
            return Err("too many lines before the engine is ready".to_owned());
        }
        state.waiting.extend(lines);
        Ok(Vec::new())
    }

    /// Takes the lines to the page from the translator itself.
    pub(super) fn take_answers(&self) -> Vec<String> {
        std::mem::take(&mut self.state().answers)
    }

    /// Translates a line of the engine into lines for the page, and lines back to the engine.
    pub(super) fn to_page(&self, line: &str) -> (Vec<String>, Vec<String>) {
        let state = &mut *self.state();
        let client = state.client;
        match state.phase {
            Phase::Introducing => {
                if !client.parse_identity(line, &mut state.identity) {
                    return (Vec::new(), Vec::new());
                }
                state.phase = Phase::Initialising;
                let options = state.options.iter().map(|(name, value)| client.set_option(name, value));
                (Vec::new(), options.chain([client.verb(&Command::Ready).to_owned()]).collect())
            }
            Phase::Initialising if client.parse_reply(line) == Reply::Ready => {
                state.phase = Phase::Ready;
                if state.identity_requested {
                    state.introduce();
                }
                (Vec::new(), std::mem::take(&mut state.waiting))
            }
            _ => {
                let text = state.translate(line).unwrap_or_default();
                (text.lines().map(str::to_owned).collect(), Vec::new())
            }
        }
    }
}

impl State {
    /// Returns the lines for the engine that stand for a command.
    fn execute(
        &mut self,
        command: Command,
        line: &str,
        permissions: &Permissions,
    ) -> Result<Vec<String>, String> {
        Ok(match command {
            Command::Identify if self.phase == Phase::Ready => self.introduce(),
            Command::Identify => {
                self.identity_requested = true;
                Vec::new()
            }
            Command::Ready => vec![self.client.verb(&Command::Ping).to_owned()],
            Command::Ping | Command::NewGame | Command::Stop | Command::PonderHit | Command::Quit => {
                if command == Command::NewGame {
                    self.game = Game::new(Position::start());
                }
                vec![self.client.verb(&command).to_owned()]
            }
            Command::Position(game) => {
                self.game = game;
                Vec::new()
            }
            Command::Go(_) if self.roots.len() >= MAX_SEARCHES => {
                return Err("too many searches are waiting".to_owned());
            }
            Command::Go(go) => self.search(&go),
            Command::Set(_) => {
                let refusal = "options of this engine can only be set where it is described, by option.NAME=";
                return Err(permissions.refusal_of_line(line).unwrap_or_else(|| refusal.to_owned()));
            }
            Command::Moves => self.answer(&Native::new(CATALOG).write(&Output::Moves(*self.game.position()))),
            Command::Paths => self.answer(&Native::new(CATALOG).write(&Output::Paths(*self.game.position()))),
            Command::Show => self.answer(&Native::new(CATALOG).write(&Output::Show(self.game.clone()))),
            Command::Ballots(..)
            | Command::Perft(_)
            | Command::Probe
            | Command::Offer
            | Command::Evaluate
            | Command::Bench(_)
            | Command::Help => return Err("this engine does not support the command".to_owned()),
        })
    }

    fn search(&mut self, go: &Go) -> Vec<String> {
        self.roots.push_back(*self.game.position());
        self.client.search(&self.game, go).lines().map(str::to_owned).collect()
    }

    /// Answers `uci`.
    fn introduce(&mut self) -> Vec<String> {
        let Identity { name, author, .. } = &self.identity;
        let lines = format!("id name {name}\nid author {author}\nuciok\n");
        self.answer(&lines)
    }

    fn answer(&mut self, output: &str) -> Vec<String> {
        self.answers.extend(output.lines().map(str::to_owned));
        Vec::new()
    }

    /// Returns the lines for the page that stand for a line of the engine after the handshake.
    fn translate(&mut self, line: &str) -> Option<String> {
        let client = self.client;
        Some(match client.parse_reply(line) {
            Reply::Info(info, moves) => {
                let root = *self.roots.front()?;
                let line = legal_moves(client, root, moves.unwrap_or_default());
                Native::new(CATALOG).write(&Output::Search(root, Event::Line(report(info, line)?)))
            }
            Reply::BestMove { mv, ponder } => {
                let root = self.roots.pop_front()?;
                let texts = [mv, mv.and(ponder)];
                let moves = legal_moves(client, root, &texts.map(Option::unwrap_or_default).join(" "));
                let Some(&best) = moves.first() else { return Some("bestmove none".to_owned()) };
                let answer = Answer { best: Some(best), ponder: moves.get(1).copied(), ..Answer::default() };
                Native::new(CATALOG).write(&Output::Answer(root, answer))
            }
            Reply::Ready => Native::new(CATALOG).write(&Output::Ready),
            Reply::Error(reason) => {
                Native::new(CATALOG).write(&Output::Error(CommandError::Failed(reason.to_owned())))
            }
            Reply::Other => return None,
        })
    }
}

fn report(info: Info, line: Vec<Move>) -> Option<Report> {
    let depth = info.depth.and_then(|depth| usize::try_from(depth).ok()).unwrap_or(0);
    let plies = |plies| usize::try_from(plies).unwrap_or(usize::MAX);
    Some(Report {
        depth,
        selective_depth: depth,
        rank: 1,
        score: match info.score? {
            ScoreKind::Cp(value) => Score::evaluation(value),
            ScoreKind::Win(Some(distance)) => Score::win_in(plies(distance)),
            ScoreKind::Loss(Some(distance)) => Score::loss_in(plies(distance)),
            ScoreKind::Win(None) => Score::ending_won(0, 0, 0),
            ScoreKind::Loss(None) => -Score::ending_won(0, 0, 0),
        },
        bound: Bound::Exact,
        nodes: info.nodes.unwrap_or(0),
        table_hits: 0,
        hash_full: 0,
        time: info.time.unwrap_or_default(),
        line,
    })
}

/// Parses moves as far as they are legal.
fn legal_moves(client: &dyn Client, root: Position, texts: &str) -> Vec<Move> {
    let mut position = root;
    let moves = texts.split_whitespace().map_while(|text| {
        let mv = client.parse_move(&position, text).ok()?;
        position = position.after(mv);
        Some(mv)
    });
    moves.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::Dialect;

    const PERMISSIONS: Permissions = Permissions { files: false, hash: 64, cache: 64, threads: 1 };

    fn ready() -> Translator {
        let options = vec![("tt-size".to_owned(), "20".to_owned())];
        let translator = Translator::new(Dialect::Hub.client(), options);
        assert_eq!(translator.first_line(), "hub");
        assert_eq!(translator.to_engine("uci", &PERMISSIONS), Ok(Vec::new()));
        assert_eq!(translator.to_engine("isready", &PERMISSIONS), Ok(Vec::new()));
        assert!(translator.take_answers().is_empty());
        assert_eq!(translator.to_page("id name=Scan version=3.1 author=F"), (Vec::new(), Vec::new()));
        assert_eq!(translator.to_page("wait").1, ["set-param name=tt-size value=20", "init"]);
        assert_eq!(translator.to_page("ready"), (Vec::new(), vec!["ping".to_owned()]));
        assert_eq!(translator.take_answers(), ["id name Scan 3.1", "id author F", "uciok"]);
        translator
    }

    #[test]
    fn a_game_is_translated_in_both_directions() {
        let translator = ready();
        assert_eq!(translator.to_engine("uci", &PERMISSIONS), Ok(Vec::new()));
        assert_eq!(translator.take_answers(), ["id name Scan 3.1", "id author F", "uciok"]);
        assert_eq!(translator.to_engine("position fen W:W22,K32:B18,11,K1", &PERMISSIONS), Ok(Vec::new()));
        let lines = translator.to_engine("go movetime 500", &PERMISSIONS).unwrap();
        assert!(
            lines[0].starts_with("pos pos=W") && lines[1..] == ["level move-time=0.500", "go think"],
            "{lines:?}"
        );
        let info = "info depth=3 score=0.12 nodes=1000 time=0.5 nps=0.002 pv=\"22x8x11x18 1-6\"";
        let expected = "info depth 3 seldepth 3 multipv 1 score cp 12 nodes 1000 nps 2000 hashfull 0 tbhits 0 \
                        time 500 pv 22x8 1-6";
        assert_eq!(translator.to_page(info).0, [expected]);
        assert_eq!(translator.to_page("done move=22x8x11x18 ponder=1-6").0, ["bestmove 22x8 ponder 1-6"]);
        assert_eq!(translator.to_page("pong").0, ["readyok"]);
        assert_eq!(translator.to_page("done move=22x8").0.len(), 0);
    }

    #[test]
    fn analysis_has_no_limit_and_rules_need_no_engine() {
        let translator = ready();
        let lines = translator.to_engine("go infinite", &PERMISSIONS).unwrap();
        assert_eq!(lines[1..], ["level infinite", "go analyze"]);
        assert_eq!(translator.to_engine("position startpos moves 11-15", &PERMISSIONS), Ok(Vec::new()));
        assert_eq!(translator.to_engine("moves", &PERMISSIONS), Ok(Vec::new()));
        assert!(translator.take_answers()[0].starts_with("moves 21-17"));
        assert!(translator.to_engine("setoption name EvalFile value x", &PERMISSIONS).is_err());
        assert!(translator.to_engine("fly", &PERMISSIONS).is_err());
        assert!(translator.to_engine("eval", &PERMISSIONS).is_err());
    }
}
