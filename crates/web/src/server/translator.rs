//! The native protocol in front of an engine that speaks another one. Commands that need no engine, such as `moves`, are
//! answered here, since other protocols may have no lines for them.

use std::collections::VecDeque;

use super::permissions::Permissions;
use draughts::board::{Game, Move, Position};
use engine::search::{Bound, LineReport, Score, ScoreKind, SearchAnswer, SearchEvent};
use laboratory::REGISTRY;
use protocol::{
    Client, Command, CommandError, Dialect, EngineOutput, Identity, Info, Native, Protocol, Reply,
};

/// Lines that may wait for the end of the handshake.
const MAX_WAITING_LINES: usize = 1000;
/// Searches that may wait.
const MAX_SEARCHES: usize = 100;

#[derive(Debug)]
pub(super) struct Translator {
    client: &'static dyn Client,
    options: Vec<(String, String)>,
    identity: Identity,
    phase: Phase,
    /// The page is waiting for the engine's introduction.
    identity_requested: bool,
    /// Lines to the engine that wait for the end of the handshake.
    waiting: Vec<String>,
    game: Game,
    /// The positions of the unfinished searches, the running one first.
    roots: VecDeque<Position>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// The engine speaks the native protocol, so that lines stay as they are.
    Native,
    Introducing,
    Initialising,
    Ready,
}

/// The lines that stand for one line: those for the page, and those for the engine.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Lines {
    pub(super) page: Vec<String>,
    pub(super) engine: Vec<String>,
}

impl Lines {
    fn page(text: &str) -> Self {
        Self { page: text.lines().map(str::to_owned).collect(), engine: Vec::new() }
    }

    fn engine(text: &str) -> Self {
        Self { page: Vec::new(), engine: text.lines().map(str::to_owned).collect() }
    }
}

impl Translator {
    pub(super) fn new(protocol: Dialect, options: Vec<(String, String)>) -> Self {
        Self {
            client: protocol.client(),
            options,
            identity: Identity::default(),
            phase: if protocol == Dialect::Native { Phase::Native } else { Phase::Introducing },
            identity_requested: false,
            waiting: Vec::new(),
            game: Game::new(Position::start()),
            roots: VecDeque::new(),
        }
    }

    pub(super) fn first_lines(&self) -> Vec<String> {
        match self.phase {
            Phase::Native => self.option_lines().collect(),
            _ => vec![self.client.verb(&Command::Identify).to_owned()],
        }
    }

    pub(super) fn of_page(&mut self, line: &str, permissions: &Permissions) -> Result<Lines, String> {
        if self.phase == Phase::Native {
            return permissions.refusal_of_line(line).map_or_else(|| Ok(Lines::engine(line)), Err);
        }
        let command = Native::new(REGISTRY).read(line).map_err(|error| error.to_string())?;
        let Some(command) = command else { return Ok(Lines::default()) };
        let lines = self.execute(command, line, permissions)?;
        if self.phase == Phase::Ready {
            return Ok(lines);
        }
        if self.waiting.len() + lines.engine.len() > MAX_WAITING_LINES {
            return Err("too many lines before the engine is ready".to_owned());
        }
        self.waiting.extend(lines.engine);
        Ok(Lines { engine: Vec::new(), ..lines })
    }

    pub(super) fn of_engine(&mut self, line: &str) -> Lines {
        let client = self.client;
        match self.phase {
            Phase::Native => Lines { page: vec![line.to_owned()], engine: Vec::new() },
            Phase::Introducing if !client.parse_identity(line, &mut self.identity) => Lines::default(),
            Phase::Introducing => {
                self.phase = Phase::Initialising;
                let ready = client.verb(&Command::Ready).to_owned();
                Lines { page: Vec::new(), engine: self.option_lines().chain([ready]).collect() }
            }
            Phase::Initialising if client.parse_reply(line) == Reply::Ready => {
                self.phase = Phase::Ready;
                let lines = if self.identity_requested { self.introduction() } else { Lines::default() };
                Lines { engine: std::mem::take(&mut self.waiting), ..lines }
            }
            _ => Lines::page(&self.translate(line).unwrap_or_default()),
        }
    }

    fn option_lines(&self) -> impl Iterator<Item = String> {
        let required = self.client.required_options(&self.identity);
        let own = self.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        required.into_iter().chain(own).map(|(name, value)| self.client.set_option(name, value))
    }

    /// Returns the lines that stand for a command.
    fn execute(&mut self, command: Command, line: &str, permissions: &Permissions) -> Result<Lines, String> {
        let position = *self.game.position();
        Ok(match command {
            Command::Identify if self.phase == Phase::Ready => self.introduction(),
            Command::Identify => {
                self.identity_requested = true;
                Lines::default()
            }
            Command::Ready => Lines::engine(self.client.verb(&Command::Ping)),
            Command::Ping | Command::NewGame | Command::Stop | Command::PonderHit | Command::Quit => {
                if command == Command::NewGame {
                    self.game = Game::new(Position::start());
                }
                Lines::engine(self.client.verb(&command))
            }
            Command::Position(game) => {
                self.game = game;
                Lines::default()
            }
            Command::Go(_) if self.roots.len() >= MAX_SEARCHES => {
                return Err("too many searches are waiting".to_owned());
            }
            Command::Go(go) => {
                self.roots.push_back(position);
                Lines::engine(&self.client.search(&self.game, &go))
            }
            Command::Set(_) => {
                let refusal = "options of this engine can only be set where it is described, by option.NAME=";
                return Err(permissions.refusal_of_line(line).unwrap_or_else(|| refusal.to_owned()));
            }
            Command::Moves => Lines::page(&native(&EngineOutput::Moves(position))),
            Command::Paths => Lines::page(&native(&EngineOutput::Paths(position))),
            Command::Show => Lines::page(&native(&EngineOutput::Show(self.game.clone()))),
            _ => return Err("this engine does not support the command".to_owned()),
        })
    }

    /// Returns the answer to `uci`.
    fn introduction(&self) -> Lines {
        let Identity { name, author, .. } = &self.identity;
        Lines::page(&format!("id name {name}\nid author {author}\nuciok\n"))
    }

    /// Returns the lines for the page that stand for a line of the engine after the handshake.
    fn translate(&mut self, line: &str) -> Option<String> {
        let client = self.client;
        Some(native(&match client.parse_reply(line) {
            Reply::Info(info, moves) => {
                let root = *self.roots.front()?;
                let line = legal_moves(client, root, moves.unwrap_or_default());
                EngineOutput::Search(root, SearchEvent::Line(report(info, line)?))
            }
            Reply::BestMove { mv, ponder } => {
                let root = self.roots.pop_front()?;
                let texts = [mv, mv.and(ponder)];
                let moves = legal_moves(client, root, &texts.map(Option::unwrap_or_default).join(" "));
                let Some(&best) = moves.first() else { return Some("bestmove none".to_owned()) };
                let answer = SearchAnswer {
                    best: Some(best),
                    ponder: moves.get(1).copied(),
                    ..SearchAnswer::default()
                };
                EngineOutput::Answer(root, answer)
            }
            Reply::Ready => EngineOutput::Ready,
            Reply::Error(reason) => EngineOutput::Error(CommandError::Failed(reason.to_owned())),
            Reply::Other => return None,
        }))
    }
}

/// Formats an output in the native protocol.
fn native(output: &EngineOutput) -> String {
    Native::new(REGISTRY).write(output)
}

fn report(info: Info, line: Vec<Move>) -> Option<LineReport> {
    let depth = info.depth.and_then(|depth| usize::try_from(depth).ok()).unwrap_or(0);
    let plies = |plies| usize::try_from(plies).unwrap_or(usize::MAX);
    Some(LineReport {
        depth,
        selective_depth: depth,
        rank: 1,
        known_draw: false,
        score: match info.score? {
            ScoreKind::Cp(value) => Score::evaluation(value),
            ScoreKind::Win(Some(distance)) => Score::win_in(plies(distance)),
            ScoreKind::Loss(Some(distance)) => Score::loss_in(plies(distance)),
            ScoreKind::Win(None) => Score::ending_won(0, 0, 0),
            ScoreKind::Loss(None) => -Score::ending_won(0, 0, 0),
        },
        bound: Bound::Exact,
        nodes: info.nodes.unwrap_or(0),
        tb_hits: 0,
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

    const PERMISSIONS: Permissions = Permissions { files: false, hash: 64, cache: 64, threads: 1 };
    const INTRODUCTION: &str = "id name Scan 3.1\nid author F\nuciok";

    fn of_page(translator: &mut Translator, line: &str) -> Lines {
        translator.of_page(line, &PERMISSIONS).unwrap()
    }

    fn ready() -> Translator {
        let mut translator = Translator::new(Dialect::Hub, vec![("tt-size".to_owned(), "20".to_owned())]);
        assert_eq!(translator.first_lines(), ["hub"]);
        assert_eq!(of_page(&mut translator, "uci"), Lines::default());
        assert_eq!(of_page(&mut translator, "isready"), Lines::default());
        assert_eq!(translator.of_engine("id name=Scan version=3.1 author=F"), Lines::default());
        assert_eq!(translator.of_engine("wait"), Lines::engine("set-param name=tt-size value=20\ninit"));
        let lines = Lines { engine: vec!["ping".to_owned()], ..Lines::page(INTRODUCTION) };
        assert_eq!(translator.of_engine("ready"), lines);
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
        let expected = "info depth 3 seldepth 3 multipv 1 score cp 12 nodes 1000 nps 2000 hashfull 0 tbhits 0 \
                        time 500 pv 22x8 1-6";
        assert_eq!(translator.of_engine(info).page, [expected]);
        assert_eq!(
            translator.of_engine("done move=22x8x11x18 ponder=1-6").page,
            ["bestmove 22x8 ponder 1-6"]
        );
        assert_eq!(translator.of_engine("pong").page, ["readyok"]);
        assert_eq!(translator.of_engine("done move=22x8"), Lines::default());
    }

    #[test]
    fn analysis_has_no_limit_and_rules_need_no_engine() {
        let mut translator = ready();
        let lines = of_page(&mut translator, "go infinite");
        assert_eq!(lines.engine[1..], ["level infinite", "go analyze"]);
        assert_eq!(of_page(&mut translator, "position startpos moves 11-15"), Lines::default());
        assert!(of_page(&mut translator, "moves").page[0].starts_with("moves 21-17"));
        for line in ["setoption name EvalFile value x", "fly", "eval"] {
            assert!(translator.of_page(line, &PERMISSIONS).is_err(), "{line}");
        }
    }
}
