//! The native protocol in front of an engine that speaks Hub. What needs no engine, such as the legal moves, is answered
//! here, since Hub has no words for it.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::guard::Allowed;
use draughts::board::{Color, Game, Position};
use draughts::notation::{hubline, movetext};
use engine::search::ScoreKind;
use players::limits::{Clock, Limits, Remaining};
use players::protocol::{Identity, Reply, Task};
use players::spec::Protocol as Language;
use players::state::GameState;
use protocol::{Command, Go, Native, Output, Protocol};

/// Lines that may wait for an engine that hasn't introduced itself yet.
const MOST_HELD: usize = 1000;
/// The score of a database win, beyond all evaluations.
const DATABASE_WIN: i32 = 20_000;
/// Searches that may wait.
const MOST_SEARCHES: usize = 100;

/// What is known of a conversation. One thread translates what the page says, another what the engine says.
#[derive(Debug)]
pub(super) struct Translator(Mutex<State>);

#[derive(Debug)]
struct State {
    options: Vec<(String, String)>,
    identity: Identity,
    phase: Phase,
    /// Whether the page wants to know who the engine is.
    asked: bool,
    /// Lines to the engine that wait until it is ready.
    held: Vec<String>,
    game: Game,
    course: GameState,
    /// The positions of the searches that aren't over, the running one first.
    roots: VecDeque<Position>,
    /// Lines for the page that no line of the engine has brought.
    own: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Introducing,
    Initialising,
    Ready,
}

impl Translator {
    pub(super) fn new(options: Vec<(String, String)>) -> Self {
        let start = Position::start();
        Self(Mutex::new(State {
            options,
            identity: Identity::default(),
            phase: Phase::Introducing,
            asked: false,
            held: Vec::new(),
            game: Game::new(start),
            course: GameState::new(start),
            roots: VecDeque::new(),
            own: Vec::new(),
        }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The line with which a conversation begins.
    pub(super) const fn greeting() -> &'static str {
        Language::Hub.greeting()
    }

    /// Lines for the engine that stand for one of the page.
    pub(super) fn to_engine(&self, line: &str, allowed: &Allowed) -> Result<Vec<String>, String> {
        let command = Native.read(line).map_err(|error| error.to_string())?;
        let state = &mut *self.state();
        let lines = match command {
            Some(command) => state.translate(command, line, allowed)?,
            None => Vec::new(),
        };
        if state.phase == Phase::Ready {
            return Ok(lines);
        }
        if state.held.len() + lines.len() > MOST_HELD {
            return Err("too many lines before the engine is ready".to_owned());
        }
        state.held.extend(lines);
        Ok(Vec::new())
    }

    /// Lines for the page that the translator itself has to say.
    pub(super) fn own_lines(&self) -> Vec<String> {
        std::mem::take(&mut self.state().own)
    }

    /// Lines for the page that stand for one of the engine, and lines back to the engine.
    pub(super) fn to_page(&self, line: &str) -> (Vec<String>, Vec<String>) {
        let state = &mut *self.state();
        match state.phase {
            Phase::Introducing => {
                if !Language::Hub.introduce(line, &mut state.identity) {
                    return (Vec::new(), Vec::new());
                }
                state.phase = Phase::Initialising;
                let set = state.options.iter().map(|(name, value)| Language::Hub.set_option(name, value));
                (Vec::new(), set.chain([Language::Hub.initialise().to_owned()]).collect())
            }
            Phase::Initialising if Language::Hub.understand(line) == Reply::Ready => {
                state.phase = Phase::Ready;
                if state.asked {
                    state.introduce();
                }
                (Vec::new(), std::mem::take(&mut state.held))
            }
            _ => (state.heard(line).into_iter().collect(), Vec::new()),
        }
    }
}

impl State {
    fn translate(&mut self, command: Command, line: &str, allowed: &Allowed) -> Result<Vec<String>, String> {
        let hub = Language::Hub;
        Ok(match command {
            Command::Identify if self.phase == Phase::Ready => self.introduce(),
            // It isn't known yet who it is.
            Command::Identify => {
                self.asked = true;
                Vec::new()
            }
            Command::Ready | Command::Ping => vec![hub.ping().to_owned()],
            Command::NewGame => {
                (self.game, self.course) = (Game::default(), GameState::new(Position::start()));
                vec![hub.new_game().to_owned()]
            }
            Command::Position(game) => {
                self.course = course(line).unwrap_or_else(|| GameState::new(*game.position()));
                self.game = game;
                Vec::new()
            }
            Command::Go(_) if self.roots.len() >= MOST_SEARCHES => {
                return Err("too many searches wait".to_owned());
            }
            Command::Go(go) => {
                self.roots.push_back(*self.course.position());
                ask(&self.course, &go)
            }
            Command::Stop => vec!["stop".to_owned()],
            Command::PonderHit => vec![hub.ponder_hit().to_owned()],
            Command::Quit => vec!["quit".to_owned()],
            Command::Set(_) => {
                let reason = "an engine that speaks Hub, expected option.NAME= where it is described";
                return Err(allowed.objection_to_line(line).unwrap_or_else(|| reason.to_owned()));
            }
            Command::Moves => self.answer(&Native.write(&Output::Moves(*self.game.position()))),
            Command::Paths => self.answer(&Native.write(&Output::Paths(*self.game.position()))),
            Command::Show => self.answer(&Native.write(&Output::Show(self.game.clone()))),
            Command::Ballots(..)
            | Command::Perft(_)
            | Command::Probe
            | Command::Offer
            | Command::Evaluate
            | Command::Bench(_)
            | Command::Help => {
                return Err("an engine that speaks Hub has no such command".to_owned());
            }
        })
    }

    /// Says who the engine is.
    fn introduce(&mut self) -> Vec<String> {
        let Identity { name, author, .. } = &self.identity;
        let lines = format!("id name {name}\nid author {author}\nuciok\n");
        self.answer(&lines)
    }

    /// What the page hears at once.
    fn answer(&mut self, output: &str) -> Vec<String> {
        self.own.extend(output.lines().map(str::to_owned));
        Vec::new()
    }

    /// What a line of a ready engine is for the page.
    fn heard(&mut self, line: &str) -> Option<String> {
        match Language::Hub.understand(line) {
            Reply::Info(info) => {
                let root = self.roots.front()?;
                let score = match info.score? {
                    ScoreKind::Cp(value) => format!("cp {value}"),
                    ScoreKind::Win(Some(plies)) => format!("win {plies}"),
                    ScoreKind::Loss(Some(plies)) => format!("loss {plies}"),
                    ScoreKind::Win(None) => format!("cp {DATABASE_WIN} database win"),
                    ScoreKind::Loss(None) => format!("cp -{DATABASE_WIN} database loss"),
                };
                let (nodes, seconds, pv) = rest(line);
                let depth = info.depth.map(|depth| format!(" depth {depth}")).unwrap_or_default();
                let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
                let speed = time.map(|time| {
                    let nps = u128::from(nodes) * 1_000_000 / time.as_micros().max(1);
                    format!(" nps {nps} time {}", time.as_millis())
                });
                let speed = speed.unwrap_or_default();
                Some(format!(
                    "info{depth} score {score} nodes {nodes}{speed} pv {}",
                    line_of_moves(root, &pv)
                ))
            }
            Reply::Best { mv, ponder } => {
                let root = self.roots.pop_front()?;
                let Some(mv) = mv.and_then(|text| Language::Hub.read_move(&root, text).ok()) else {
                    return Some("bestmove none".to_owned());
                };
                let after = root.after(mv);
                let ponder = ponder.and_then(|text| Language::Hub.read_move(&after, text).ok());
                let ponder =
                    ponder.map(|mv| format!(" ponder {}", movetext::format(&after, mv))).unwrap_or_default();
                Some(format!("bestmove {}{ponder}", movetext::format(&root, mv)))
            }
            Reply::Ready => Some("readyok".to_owned()),
            Reply::Error(reason) => Some(format!("info string error: {reason}")),
            Reply::Other => None,
        }
    }
}

/// The course of the game that a `position` has told, which is known to be well-formed.
fn course(line: &str) -> Option<GameState> {
    let (head, moves) = line.split_once(" moves").unwrap_or((line, ""));
    let Ok(Some(Command::Position(start))) = Native.read(head) else { return None };
    let mut course = GameState::new(*start.position());
    for text in moves.split_whitespace() {
        let mv = movetext::parse(course.position(), text).ok()?;
        course.play(mv);
    }
    Some(course)
}

/// Lines that ask for a search.
fn ask(course: &GameState, go: &Go) -> Vec<String> {
    let side = course.position().side();
    let clock = |color: Color| {
        let base = go.clock(color)?;
        let increment = go.increments.get(color.index()).copied().flatten().unwrap_or_default();
        Some(Remaining::new(Clock { moves: go.moves_to_go, base, increment }))
    };
    let depth = go.depth.map(|depth| u32::try_from(depth).unwrap_or(u32::MAX));
    let limits = Limits { movetime: go.move_time, nodes: go.nodes, depth, ..Limits::NONE };
    let clocks = [clock(Color::Black), clock(Color::White)];
    let endless = go.infinite
        || (clocks == [None; 2] && limits.movetime.is_none() && go.nodes.is_none() && go.depth.is_none());
    let task = Task { limits: &limits, clocks, side };
    let lines =
        if go.ponder { Language::Hub.ask_to_ponder(course, &task) } else { Language::Hub.ask(course, &task) };
    let replace = |line: &str| match line {
        line if endless && line.starts_with("level") => "level infinite".to_owned(),
        "go think" if endless => "go analyze".to_owned(),
        line => line.to_owned(),
    };
    lines.lines().map(replace).collect()
}

/// Nodes, seconds and moves of an `info`.
fn rest(line: &str) -> (u64, Option<f64>, String) {
    let (mut nodes, mut seconds, mut pv) = (0, None, String::new());
    for (name, value) in hubline::split(line).1 {
        match name {
            "nodes" => nodes = value.parse().unwrap_or_default(),
            "time" => seconds = value.parse().ok(),
            "pv" => value.clone_into(&mut pv),
            _ => {}
        }
    }
    (nodes, seconds, pv)
}

/// Moves as the native protocol writes them, as far as they are legal.
fn line_of_moves(root: &Position, pv: &str) -> String {
    let (mut position, mut texts) = (*root, Vec::new());
    for text in pv.split_whitespace() {
        let Ok(mv) = Language::Hub.read_move(&position, text) else { break };
        texts.push(movetext::format(&position, mv));
        position = position.after(mv);
    }
    if texts.is_empty() { "none".to_owned() } else { texts.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALLOWED: Allowed = Allowed { files: false, hash: 64, cache: 64, threads: 1 };

    fn ready() -> Translator {
        let translator = Translator::new(vec![("tt-size".to_owned(), "20".to_owned())]);
        assert_eq!(translator.to_engine("uci", &ALLOWED), Ok(Vec::new()));
        assert_eq!(translator.to_engine("isready", &ALLOWED), Ok(Vec::new()));
        assert!(translator.own_lines().is_empty());
        assert_eq!(translator.to_page("id name=Scan version=3.1 author=F"), (Vec::new(), Vec::new()));
        assert_eq!(translator.to_page("wait").1, ["set-param name=tt-size value=20", "init"]);
        assert_eq!(translator.to_page("ready"), (Vec::new(), vec!["ping".to_owned()]));
        assert_eq!(translator.own_lines(), ["id name Scan 3.1", "id author F", "uciok"]);
        translator
    }

    #[test]
    fn a_game_is_translated_there_and_back() {
        let translator = ready();
        assert_eq!(translator.to_engine("uci", &ALLOWED), Ok(Vec::new()));
        assert_eq!(translator.own_lines(), ["id name Scan 3.1", "id author F", "uciok"]);
        assert_eq!(translator.to_engine("position fen W:W22,K32:B18,11,K1", &ALLOWED), Ok(Vec::new()));
        let lines = translator.to_engine("go movetime 500", &ALLOWED).unwrap();
        assert!(
            lines[0].starts_with("pos pos=W") && lines[1..] == ["level move-time=0.500", "go think"],
            "{lines:?}"
        );
        let info = "info depth=3 score=0.12 nodes=1000 time=0.5 nps=0.002 pv=\"22x8x11x18 1-6\"";
        assert_eq!(
            translator.to_page(info).0,
            ["info depth 3 score cp 12 nodes 1000 nps 2000 time 500 pv 22x8 1-6"]
        );
        assert_eq!(translator.to_page("done move=22x8x11x18 ponder=1-6").0, ["bestmove 22x8 ponder 1-6"]);
        assert_eq!(translator.to_page("pong").0, ["readyok"]);
        assert_eq!(translator.to_page("done move=22x8").0.len(), 0);
    }

    #[test]
    fn analysis_has_no_limit_and_rules_need_no_engine() {
        let translator = ready();
        let lines = translator.to_engine("go infinite", &ALLOWED).unwrap();
        assert_eq!(lines[1..], ["level infinite", "go analyze"]);
        assert_eq!(translator.to_engine("position startpos moves 11-15", &ALLOWED), Ok(Vec::new()));
        assert_eq!(translator.to_engine("moves", &ALLOWED), Ok(Vec::new()));
        assert!(translator.own_lines()[0].starts_with("moves 21-17"));
        assert!(translator.to_engine("setoption name EvalFile value x", &ALLOWED).is_err());
        assert!(translator.to_engine("fly", &ALLOWED).is_err());
        assert!(translator.to_engine("eval", &ALLOWED).is_err());
    }
}
