//! A client for an engine: a child process that speaks a protocol and plays move by move.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::limits::on_clocks;
use super::log::EngineLog;
use super::player::{FaultKind, Player, PlayerError, SearchResult, Turn, fault};
use super::spec::EngineSpec;
use kelso_draughts::board::{Game, Move, Position};
use kelso_draughts::record::SearchInfo;
use kelso_draughts::referee::{DrawRules, Referee};
use kelso_process::{Event, Process, SendError};
use kelso_protocol::{Client, GoParams, Identity, Reply, Verb};
use kelso_runtime::stop::StopToken;
use kelso_syntax::Quoted;

/// Time within which a late engine must answer `stop`, and any engine must exit after `quit`.
const GRACE_PERIOD: Duration = Duration::from_secs(1);
/// Interval at which a waiting thread checks the stop token.
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// Time after which waiting for an engine is reported.
const REPORT_DELAY: Duration = Duration::from_secs(2);
/// Maximum number of lines that an engine may print in one search.
const MAX_LINES: u32 = 200_000;

/// Called with status messages.
pub type OnStatus<'a> = dyn Fn(&str) + Sync + 'a;

/// A running engine: a child process that speaks a protocol.
#[derive(Debug)]
pub struct EngineClient {
    spec: EngineSpec,
    protocol: &'static dyn Client,
    process: Arc<Process>,
    identity: Identity,
    /// The log of the lines to and from the engine.
    log: Option<EngineLog>,
    /// The draw rules of the current game.
    draws: DrawRules,
    /// The game after the reply that the engine is pondering on.
    pondering: Option<Game>,
    /// The last error message since the current search began.
    last_error: Option<String>,
}

impl Player for EngineClient {
    fn choose_move(&mut self, turn: &Turn<'_>) -> Result<SearchResult, PlayerError> {
        let limits = turn.limits.within(&self.spec.search_limits);
        let go = on_clocks(&limits, turn.clocks, turn.game.position().side());
        self.search(turn.game, &go, turn.stop)
    }

    fn ponder(&mut self, turn: &Turn<'_>, reply: Move) -> Result<(), PlayerError> {
        let expected = turn.game.after(reply);
        if !self.spec.ponder || Referee::new(self.draws, None).end(&expected).is_some() {
            return Ok(());
        }
        self.refuse_extra_moves()?;
        let go = on_clocks(&self.spec.search_limits, turn.clocks, expected.position().side());
        self.start_search(&expected, &go.pondering())?;
        self.pondering = Some(expected);
        Ok(())
    }
}

impl EngineClient {
    /// Starts an engine and waits until it is ready.
    pub fn start(
        spec: &EngineSpec,
        log: Option<EngineLog>,
        stop: &StopToken,
        on_status: &OnStatus<'_>,
    ) -> Result<Self, PlayerError> {
        let process =
            Process::spawn(&spec.command).map_err(|error| fault(FaultKind::Crash, error.to_string()))?;
        Self::connect(spec, Arc::new(process), log, stop, on_status)
    }

    /// Waits until a started engine is ready.
    pub fn connect(
        spec: &EngineSpec,
        process: Arc<Process>,
        log: Option<EngineLog>,
        stop: &StopToken,
        on_status: &OnStatus<'_>,
    ) -> Result<Self, PlayerError> {
        let mut client = Self {
            spec: spec.clone(),
            protocol: spec.protocol.client(),
            process,
            identity: Identity::default(),
            log,
            draws: DrawRules::STANDARD,
            pondering: None,
            last_error: None,
        };
        client.handshake(stop, on_status).map_err(|error| client.with_stderr(error))?;
        Ok(client)
    }

    /// Returns the name in results.
    pub fn name(&self) -> &str {
        &self.spec.name
    }

    pub const fn identity(&self) -> &Identity {
        &self.identity
    }

    pub(crate) fn process(&self) -> &Process {
        &self.process
    }

    /// Returns the end of the engine's output on stderr, as one line.
    pub fn stderr(&self) -> String {
        let text = self.process.stderr_end();
        text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" | ")
    }

    pub(crate) fn with_stderr(&self, error: PlayerError) -> PlayerError {
        match self.stderr() {
            text if text.is_empty() => error,
            text => error.with(&format!("; stderr: {text}")),
        }
    }

    fn handshake(&mut self, stop: &StopToken, on_status: &OnStatus<'_>) -> Result<(), PlayerError> {
        let protocol = self.protocol;
        let deadline = Instant::now() + self.spec.timeout;
        let mut identity = Identity::default();
        self.command(Verb::Identify, deadline)?;
        self.wait(Verb::Identify, deadline, stop, on_status, |line, _| {
            protocol.parse_identity(line, &mut identity)
        })?;
        self.identity = identity;
        if let Some((name, _)) =
            self.spec.options.iter().find(|(name, _)| self.identity.option(name).is_none())
        {
            let options: Vec<&str> =
                self.identity.options.iter().map(|option| option.name.as_str()).collect();
            let detail = format!("has no option \"{name}\" (available: {})", options.join(", "));
            return Err(fault(FaultKind::Option, detail));
        }
        let required = protocol.required_options(&self.identity);
        let own_options = self.spec.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let mut lines: Vec<String> = required
            .into_iter()
            .chain(own_options)
            .map(|(name, value)| protocol.set_option(name, value))
            .collect();
        lines.push(protocol.verb(Verb::Ready).to_owned());
        self.send(&lines.join("\n"), deadline)?;
        match self.wait_until_ready(Verb::Ready, deadline, stop, on_status)? {
            Some(error) => Err(fault(FaultKind::Option, format!("rejected an option: {error}"))),
            None => Ok(()),
        }
    }

    /// Waits for the answer to a command that was sent, and returns the first error message before it.
    fn wait_until_ready(
        &self,
        verb: Verb,
        deadline: Instant,
        stop: &StopToken,
        on_status: &OnStatus<'_>,
    ) -> Result<Option<String>, PlayerError> {
        let mut first_error = None;
        self.wait(verb, deadline, stop, on_status, |_, reply| {
            if let Reply::Error(text) = reply {
                first_error.get_or_insert_with(|| text.to_owned());
            }
            reply == Reply::Ready
        })?;
        Ok(first_error)
    }

    /// Announces a new game and waits until the engine is ready. If the engine has an option `Seed`, sets it,
    /// so that random choices are reproducible. Sets an option `DrawRule` for games with other draw rules
    /// than usual.
    pub fn new_game(
        &mut self,
        seed: u64,
        draws: DrawRules,
        stop: &StopToken,
        on_status: &OnStatus<'_>,
    ) -> Result<(), PlayerError> {
        let protocol = self.protocol;
        self.stop_pondering(stop)?;
        let deadline = Instant::now() + self.spec.timeout;
        let mut lines = String::new();
        if let Some(name) = self.free_option("Seed") {
            // Any integer type that the engine may use has room for 31 bits.
            lines = protocol.set_option(name, &(seed & 0x7fff_ffff).to_string()) + "\n";
        }
        self.draws = draws;
        if draws != DrawRules::STANDARD
            && let Some(name) = self.free_option("DrawRule")
        {
            lines += &(protocol.set_option(name, &draws.to_string()) + "\n");
        }
        let [new_game, ping] = [Verb::NewGame, Verb::Ping].map(|verb| protocol.verb(verb));
        self.send(&format!("{lines}{new_game}\n{ping}"), deadline)?;
        // Ignore error messages: an engine that rejects the seed or the draw rule can still play.
        self.wait_until_ready(Verb::Ping, deadline, stop, on_status).map(drop)
    }

    /// Returns an option of the engine, as the engine writes it, if it has the option and its description
    /// does not set it.
    fn free_option(&self, option: &str) -> Option<&str> {
        let is_set = self.spec.options.iter().any(|(name, _)| name.eq_ignore_ascii_case(option));
        self.identity.option(option).filter(|_| !is_set)
    }

    /// Searches the position of a game within the given limits.
    pub fn search(
        &mut self,
        game: &Game,
        go: &GoParams,
        stop: &StopToken,
    ) -> Result<SearchResult, PlayerError> {
        self.last_error = None;
        let result = self.search_result(game, go, stop);
        // An illegal move may be due to a rejected position.
        result.map_err(|error| match self.last_error.take() {
            Some(last_error) => error.with(&format!("; its error: {last_error}")),
            None => error,
        })
    }

    fn search_result(
        &mut self,
        game: &Game,
        go: &GoParams,
        stop: &StopToken,
    ) -> Result<SearchResult, PlayerError> {
        let protocol = self.protocol;
        let hit = self.pondering.as_ref() == Some(game);
        if !hit {
            self.stop_pondering(stop)?;
            self.refuse_extra_moves()?;
        }
        let margin = self.spec.margin;
        let timeout = self.spec.timeout;
        let allowed = go.time(game.position().side());
        let lines = if hit { protocol.verb(Verb::PonderHit).to_owned() } else { protocol.search(game, go) };
        let start = Instant::now();
        let deadline = start + allowed.map_or(timeout, |time| time.saturating_add(margin));
        self.pondering = None;
        self.send(&lines, deadline.max(start + GRACE_PERIOD))?;
        let Some(SearchEnd { mv: text, ponder, info, line, arrived }) = self.answer(deadline, stop)? else {
            return Err(self.overdue(start, allowed, stop));
        };
        let time = arrived.saturating_duration_since(start);
        if let Some(allowed) = allowed
            && time > allowed.saturating_add(margin)
        {
            return Err(late(time, allowed));
        }
        let text = text.ok_or_else(PlayerError::no_move)?;
        let mv = protocol
            .parse_move(game.position(), &text)
            .map_err(|error| fault(FaultKind::IllegalMove, format!("gave an {error}")))?;
        let after = game.position().after(mv);
        let ponder = ponder.and_then(|text| protocol.parse_move(&after, &text).ok());
        let line = self.best_line(game.position(), &line, mv);
        Ok(SearchResult { mv, ponder, info, line, time })
    }

    /// Returns the legal prefix of a line if the line begins with the chosen move, otherwise only that move.
    fn best_line(&self, position: &Position, line: &str, mv: Move) -> Vec<Move> {
        let moves = self.protocol.parse_line(position, line);
        if moves.first() == Some(&mv) { moves } else { vec![mv] }
    }

    /// Stops pondering, and discards the move.
    pub fn stop_pondering(&mut self, stop: &StopToken) -> Result<(), PlayerError> {
        if self.pondering.take().is_none() {
            return Ok(());
        }
        let deadline = Instant::now() + self.spec.timeout;
        self.command(Verb::Stop, deadline)?;
        match self.answer(deadline, stop)? {
            Some(_) => Ok(()),
            None => Err(fault(FaultKind::Hang, "did not stop pondering")),
        }
    }

    /// Stops an engine that has not answered in time, and returns the error: late if it answers now,
    /// otherwise hung.
    fn overdue(&mut self, start: Instant, allowed: Option<Duration>, stop: &StopToken) -> PlayerError {
        let grace = GRACE_PERIOD.min(self.spec.timeout);
        if self.command(Verb::Stop, Instant::now() + grace).is_ok() {
            match self.answer(Instant::now() + grace, stop) {
                Ok(Some(SearchEnd { arrived, .. })) => {
                    let time = arrived.saturating_duration_since(start);
                    return late(time, allowed.unwrap_or(self.spec.timeout));
                }
                Ok(None) => {}
                Err(error) => return error,
            }
        }
        let waited = start.elapsed().as_secs_f64();
        let stop = self.protocol.verb(Verb::Stop);
        fault(FaultKind::Hang, format!("did not answer within {waited:.3} s, even after \"{stop}\""))
    }

    /// Waits for the end of a search. Returns `None` at the deadline.
    fn answer(&mut self, deadline: Instant, stop: &StopToken) -> Result<Option<SearchEnd>, PlayerError> {
        let mut info = SearchInfo::default();
        let mut best_line = String::new();
        let mut last_error = None;
        let end = self.replies(deadline, stop, |_, reply, arrived| {
            match reply {
                Reply::Info(mut later, moves) => {
                    // The depth of a line such as `currmove` is that of an unfinished iteration.
                    later.depth = later.depth.filter(|_| later.score.is_some() || moves.is_some());
                    info.update(later);
                    if let Some(moves) = moves {
                        moves.clone_into(&mut best_line);
                    }
                }
                Reply::BestMove { mv, ponder } => {
                    let [mv, ponder] = [mv, ponder].map(|text| text.map(str::to_owned));
                    return Some(SearchEnd {
                        mv,
                        ponder,
                        info,
                        line: std::mem::take(&mut best_line),
                        arrived,
                    });
                }
                Reply::Error(text) => last_error = Some(text.to_owned()),
                Reply::Ready | Reply::Other => {}
            }
            None
        });
        self.last_error = last_error.or_else(|| self.last_error.take());
        end
    }

    /// Fails on unexpected moves, which could be mistaken for the answer to the next search.
    fn refuse_extra_moves(&self) -> Result<(), PlayerError> {
        let extra = self.replies(Instant::now(), &StopToken::default(), |_, reply, _| match reply {
            Reply::BestMove { mv, .. } => Some(Quoted(mv.unwrap_or("none")).to_string()),
            _ => None,
        })?;
        match extra {
            Some(mv) => Err(fault(FaultKind::ExtraMove, format!("gave a move ({mv}) without a search"))),
            None => Ok(()),
        }
    }

    /// Waits for the line that ends the answer to a command, and reports a long wait.
    fn wait(
        &self,
        verb: Verb,
        deadline: Instant,
        stop: &StopToken,
        on_status: &OnStatus<'_>,
        mut is_last: impl FnMut(&str, Reply<'_>) -> bool,
    ) -> Result<(), PlayerError> {
        let request = self.protocol.verb(verb);
        let seconds = self.spec.timeout.as_secs_f64();
        let first = Instant::now() + REPORT_DELAY;
        let mut until = first.min(deadline);
        while self.replies(until, stop, |line, reply, _| is_last(line, reply).then_some(()))?.is_none() {
            if until == deadline {
                return Err(fault(
                    FaultKind::Hang,
                    format!("did not answer \"{request}\" within {seconds} s"),
                ));
            }
            on_status(&format!("waiting up to {seconds} s for {} to answer \"{request}\"", self.spec.name));
            until = deadline;
        }
        Ok(())
    }

    /// Reads lines, with their times of arrival, until one yields a value. Returns `None` at the deadline.
    pub(crate) fn replies<T>(
        &self,
        deadline: Instant,
        stop: &StopToken,
        mut read: impl FnMut(&str, Reply<'_>, Instant) -> Option<T>,
    ) -> Result<Option<T>, PlayerError> {
        for _ in 0..MAX_LINES {
            let Some((line, arrived)) = self.line(deadline, stop)? else { return Ok(None) };
            if let Some(value) = read(&line, self.protocol.parse_reply(&line), arrived) {
                return Ok(Some(value));
            }
        }
        Err(flood())
    }

    /// Returns the next line and its time of arrival, or `None` at the deadline.
    fn line(&self, deadline: Instant, stop: &StopToken) -> Result<Option<(String, Instant)>, PlayerError> {
        loop {
            match self.process.recv_until(deadline.min(Instant::now() + POLL_INTERVAL)) {
                Event::Line(line, arrived) => {
                    self.log('<', arrived, &line);
                    return Ok(Some((line, arrived)));
                }
                Event::Overlong | Event::Flood => return Err(flood()),
                Event::Eof => return Err(self.crash()),
                Event::Timeout if stop.is_stopped() => return Err(PlayerError::Stopped),
                Event::Timeout if Instant::now() >= deadline => return Ok(None),
                Event::Timeout => {}
            }
        }
    }

    /// Sends a command without arguments.
    pub(crate) fn command(&self, verb: Verb, deadline: Instant) -> Result<(), PlayerError> {
        self.send(self.protocol.verb(verb), deadline)
    }

    /// Sets the position and starts a search.
    pub(crate) fn start_search(&self, game: &Game, go: &GoParams) -> Result<(), PlayerError> {
        self.send(&self.protocol.search(game, go), Instant::now() + self.spec.timeout)
    }

    pub(crate) fn send(&self, lines: &str, deadline: Instant) -> Result<(), PlayerError> {
        self.log('>', Instant::now(), lines);
        self.process.send(lines, deadline).map_err(|error| match error {
            SendError::Closed => self.crash(),
            SendError::NotReading => fault(FaultKind::Hang, "does not read its input"),
            SendError::Io(error) => fault(FaultKind::Crash, format!("cannot be written to: {error}")),
        })
    }

    fn log(&self, arrow: char, at: Instant, lines: &str) {
        if let Some(log) = &self.log {
            log.write(&self.spec.name, self.process.id(), arrow, at, lines);
        }
    }

    fn crash(&self) -> PlayerError {
        match self.process.wait_until(Instant::now() + GRACE_PERIOD) {
            Ok(Some(status)) => fault(FaultKind::Crash, format!("exited on its own ({status})")),
            _ => fault(FaultKind::Crash, "closed its output"),
        }
    }

    /// Kills the engine. Returns the last part of its output on stderr.
    pub fn kill(&mut self) -> String {
        self.process.kill();
        self.stderr()
    }

    /// Asks the engine to quit, and kills it if it doesn't.
    pub fn quit(self) {
        quit(&self.process, self.protocol);
    }
}

/// Asks an engine to quit, and kills it if it doesn't.
pub fn quit(process: &Process, protocol: &dyn Client) {
    let deadline = Instant::now() + GRACE_PERIOD;
    if process.send(protocol.verb(Verb::Quit), deadline).is_ok() {
        process.close_stdin();
        let _ = process.wait_until(deadline);
    }
    process.kill();
}

struct SearchEnd {
    mv: Option<String>,
    ponder: Option<String>,
    /// The last reported values.
    info: SearchInfo,
    line: String,
    arrived: Instant,
}

fn late(time: Duration, allowed: Duration) -> PlayerError {
    let excess = time.saturating_sub(allowed).as_secs_f64();
    let time = time.as_secs_f64();
    let allowed = allowed.as_secs_f64();
    fault(FaultKind::Time, format!("took {time:.3} s, {excess:.3} s over the limit of {allowed:.3} s"))
}

fn flood() -> PlayerError {
    fault(FaultKind::Flood, "wrote too much output")
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::Fault;
    use kelso_batch::testing::Folder;
    use kelso_engine::search::Limits;
    use kelso_process::CommandLine;
    use kelso_protocol::Dialect;

    const LATE: &str = "go*) sleep 0.3; echo 'bestmove 11-15';;";

    /// Returns an engine that is a shell script with an option `Seed`. It writes its input to `log`, and
    /// answers it with the first matching case of `cases` or of the introduction.
    fn script(folder: &Folder, cases: &str) -> EngineSpec {
        let log = folder.path("log");
        let script = format!(
            "while read line; do echo \"$line\" >>'{}'; case $line in {cases} \
             uci) echo 'id name Script'; echo 'option name Seed type spin default 0 min 0 max 9'; \
             echo 'option name DrawRule type string default x'; echo uciok;; \
             isready) echo readyok;; quit) exit;; esac; done",
            log.display()
        );
        let command = CommandLine::new("sh").with_arguments(["-c", &script]);
        EngineSpec { search_limits: Limits::depth(3), ..EngineSpec::new(command, Dialect::Native) }
    }

    fn start(spec: &EngineSpec) -> Result<EngineClient, PlayerError> {
        EngineClient::start(spec, None, &StopToken::default(), &|_| {})
    }

    fn turn<'a>(game: &'a Game, stop: &'a StopToken) -> Turn<'a> {
        Turn::new(game, [None, None], stop)
    }

    fn mv(position: &Position, text: &str) -> Move {
        kelso_protocol::Client::parse_move(Dialect::Native.client(), position, text).unwrap()
    }

    /// Returns the lines that the engine has received, without the introduction, and removes them.
    fn logged(folder: &Folder) -> Vec<String> {
        let text = folder.read("log");
        folder.write("log", "");
        text.lines().filter(|line| !matches!(*line, "uci" | "isready")).map(str::to_owned).collect()
    }

    #[test]
    fn engines_receive_their_seed_and_clock() {
        let folder = Folder::new();
        let (mut spec, stop) = (script(&folder, LATE), StopToken::default());
        let mut client = start(&spec).unwrap();
        client.new_game(0x1_8000_0005, DrawRules::STANDARD, &stop, &|_| {}).unwrap();
        assert_eq!(logged(&folder), ["setoption name Seed value 5", "ucinewgame"]);
        // The stop token is checked while the engine thinks, but is never set.
        let game = Game::default();
        let turn = Turn::new(&game, [None, None], &stop);
        let found = client.choose_move(&turn).unwrap();
        assert!(found.time >= Duration::from_millis(300));
        assert_eq!(logged(&folder).last().map(String::as_str), Some("go depth 3"));
        client.quit();
        assert_eq!(logged(&folder), ["quit"]);
        // A seed set by the user is not changed.
        spec.options.push(("Seed".to_owned(), "7".to_owned()));
        let mut client = start(&spec).unwrap();
        client.new_game(8, DrawRules::STANDARD, &stop, &|_| {}).unwrap();
        assert_eq!(logged(&folder), ["setoption name Seed value 7", "ucinewgame"]);
        client.new_game(8, "plies 40".parse().unwrap(), &stop, &|_| {}).unwrap();
        assert_eq!(logged(&folder), ["setoption name DrawRule value alex 40", "ucinewgame"]);
        stop.stop();
        let turn = Turn { stop: &stop, ..turn };
        assert_eq!(client.choose_move(&turn).unwrap_err(), PlayerError::Stopped);
    }

    #[test]
    fn an_answer_is_a_legal_move_with_its_line_or_a_fault() {
        let (folder, stop, game) = (Folder::new(), StopToken::default(), Game::default());
        let turn = Turn::new(&game, [None, None], &stop);
        let choose = |answer: &str| {
            let mut client = start(&script(&folder, &format!("go*) {answer};;"))).unwrap();
            client.choose_move(&turn).map(|found| {
                let texts: Vec<_> = found.line.iter().map(|mv| format!("{mv:?}")).collect();
                (texts.join(" "), found.ponder.map(|mv| format!("{mv:?}")), found.info.depth)
            })
        };
        let ponder = Some("23-19".to_owned());
        for (answer, found) in [
            (
                "echo 'info depth 4 pv 11-15 23-19 1-32 7-11'; echo 'bestmove 11-15 ponder 23-19'",
                ("11-15 23-19".to_owned(), ponder, Some(4)),
            ),
            (
                "echo 'info depth 5 pv 9-13'; echo 'bestmove 11-15 ponder 9-13'",
                ("11-15".to_owned(), None, Some(5)),
            ),
            (
                "echo 'info depth 6 score cp 1 pv 11-15'; echo 'info depth 7 currmove 9-13'; echo 'bestmove 11-15'",
                ("11-15".to_owned(), None, Some(6)),
            ),
            ("echo 'bestmove 11-15'", ("11-15".to_owned(), None, None)),
        ] {
            assert_eq!(choose(answer), Ok(found), "{answer}");
        }
        for (answer, kind, start) in [
            ("echo 'bestmove 1-32'", FaultKind::IllegalMove, "gave an illegal move \"1-32\""),
            ("echo 'bestmove none'", FaultKind::IllegalMove, "returned no move"),
            (
                "echo 'info string error: bad FEN'; echo 'bestmove none'",
                FaultKind::IllegalMove,
                "returned no move; its error: bad FEN",
            ),
            ("exit 3", FaultKind::Crash, "exited on its own (exit status: 3)"),
            ("head -c 2000000 /dev/zero | tr '\\0' x; echo", FaultKind::Flood, "wrote too much output"),
        ] {
            let Err(PlayerError::Fault(fault)) = choose(answer) else { panic!("{answer}") };
            assert_eq!(fault.kind, kind, "{answer}");
            assert!(fault.detail.starts_with(start), "{answer}: {fault}");
        }
        // Both moves arrive together.
        let mut client =
            start(&script(&folder, r"go*) printf 'bestmove 11-15\nbestmove 12-16\n';;")).unwrap();
        assert!(client.choose_move(&turn).is_ok());
        let extra = fault(FaultKind::ExtraMove, "gave a move (\"12-16\") without a search");
        assert_eq!(client.choose_move(&turn).unwrap_err(), extra);
        // An engine that never answers is asked to stop.
        let mut client = start(&script(&folder, "go*) ;;")).unwrap();
        client.spec.timeout = Duration::ZERO;
        let Err(PlayerError::Fault(Fault { kind, detail })) = client.choose_move(&turn) else { panic!() };
        assert_eq!(kind, FaultKind::Hang);
        assert!(
            detail.starts_with("did not answer within ") && detail.ends_with(" s, even after \"stop\""),
            "{detail}"
        );
        let late = late(Duration::from_millis(1500), Duration::from_secs(1));
        assert_eq!(late, fault(FaultKind::Time, "took 1.500 s, 0.500 s over the limit of 1.000 s"));
    }

    #[test]
    fn pondering_is_a_hit_on_the_expected_move_and_is_stopped_on_any_other() {
        let (folder, stop) = (Folder::new(), StopToken::default());
        let cases = "'go ponder'*) ;; ponderhit|stop) echo 'bestmove 12-16';; go*) echo 'bestmove 11-15 ponder 23-19';;";
        let mut client = start(&EngineSpec { ponder: true, ..script(&folder, cases) }).unwrap();
        let mut game = Game::default();
        let first = client.choose_move(&turn(&game, &stop)).unwrap();
        game.play(first.mv);
        client.ponder(&turn(&game, &stop), first.ponder.unwrap()).unwrap();
        let mut hit = game.clone();
        hit.play(first.ponder.unwrap());
        assert_eq!(client.choose_move(&turn(&hit, &stop)).unwrap().mv, mv(hit.position(), "12-16"));
        let positions = |lines: &[String]| lines.iter().filter(|line| line.starts_with("position ")).count();
        let others = |lines: Vec<String>| -> Vec<String> {
            lines.into_iter().filter(|line| !line.starts_with("position ")).collect()
        };
        let log = logged(&folder);
        assert_eq!(positions(&log), 2);
        assert_eq!(others(log), ["go depth 3", "go ponder depth 3", "ponderhit"]);
        // The other side plays another move.
        client.ponder(&turn(&game, &stop), first.ponder.unwrap()).unwrap();
        let mut miss = game.clone();
        miss.play(mv(game.position(), "24-19"));
        assert!(client.choose_move(&turn(&miss, &stop)).is_err(), "11-15 has already been played");
        assert_eq!(others(logged(&folder)), ["go ponder depth 3", "stop", "go depth 3"]);
        // There is nothing to ponder on if the reply ends the game, or if the engine does not ponder.
        let over = Game::new(kelso_draughts::notation::fen::parse("B:W9:B5").unwrap());
        client.ponder(&turn(&over, &stop), mv(over.position(), "5x14")).unwrap();
        let draws = std::mem::replace(&mut client.draws, "plies 2".parse().unwrap());
        client.ponder(&turn(&game, &stop), first.ponder.unwrap()).unwrap();
        (client.draws, client.spec.ponder) = (draws, false);
        client.ponder(&turn(&game, &stop), first.ponder.unwrap()).unwrap();
        client.stop_pondering(&stop).unwrap();
        client.choose_move(&turn(&Game::default(), &stop)).unwrap();
        assert_eq!(others(logged(&folder)), ["go depth 3"]);
    }

    #[test]
    fn an_engine_that_cannot_be_started_says_why() {
        let folder = Folder::new();
        let with = |name: &str, cases: &str| {
            let mut spec = script(&folder, cases);
            spec.options.push((name.to_owned(), "7".to_owned()));
            spec
        };
        assert!(start(&with("seed", "")).is_ok());
        for (spec, kind, expected) in [
            (with("Hash", ""), FaultKind::Option, "has no option \"Hash\" (available: Seed, DrawRule)"),
            (
                with("Seed", "setoption*) echo 'info string error: too big'; echo 'info string error: no';;"),
                FaultKind::Option,
                "rejected an option: too big",
            ),
            (
                with("Seed", "uci) echo 'out of' >&2; echo >&2; echo 'luck ' >&2; exit 1;;"),
                FaultKind::Crash,
                "exited on its own (exit status: 1); stderr: out of | luck",
            ),
        ] {
            assert_eq!(start(&spec).unwrap_err(), fault(kind, expected));
        }
        let missing = EngineSpec::new(CommandLine::new("no/such program"), Dialect::Native);
        let error = start(&missing).unwrap_err().to_string();
        assert!(error.starts_with("cannot start \"'no/such program'\": "), "{error}");
        let silent = EngineSpec { timeout: Duration::from_millis(1), ..script(&folder, "uci) ;;") };
        let hang = fault(FaultKind::Hang, "did not answer \"uci\" within 0.001 s");
        // Such a short wait is not reported.
        let failed = EngineClient::start(&silent, None, &StopToken::default(), &|text| panic!("{text}"));
        assert_eq!(failed.unwrap_err(), hang);
        let mut noisy =
            start(&script(&folder, "isready) echo one >&2; echo 'two ' >&2; echo readyok;;")).unwrap();
        assert_eq!(noisy.identity().name, "Script");
        assert_eq!(noisy.kill(), "one | two");
        // A killed engine cannot be written to.
        let gone = noisy.send("go", Instant::now()).unwrap_err();
        assert_eq!(gone, fault(FaultKind::Crash, "exited on its own (signal: 9 (SIGKILL))"));
    }
}
