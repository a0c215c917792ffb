//! Engines and their searches.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use kelso_draughts::board::Position;
use kelso_draughts::score::ReportedScore;
use kelso_draughts::win_rates::WinRates;
use kelso_engine::search::{
    Bound as ScoreBound, Control, Limits, LineReport, SearchAnswer, SearchEvent, TimeLimit,
};
use kelso_engine::{Engine, EngineSettings, MAX_LINES, OPTIONS, Setting};
use kelso_runtime::sync::lock;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};

use crate::EngineError;
use crate::board::PyBoard;
use crate::moves::{MoveLike, PyMove};

/// Interval at which a waiting thread checks for Ctrl-C.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(20);

/// A score for the side to move.
#[pyclass(name = "Score", module = "kelso", frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PyScore {
    /// The score, or `None` for a known draw.
    reported: Option<ReportedScore>,
    bound: ScoreBound,
}

impl PyScore {
    pub fn new(reported: ReportedScore, bound: ScoreBound, is_known_draw: bool) -> Self {
        let is_draw = is_known_draw && matches!(reported, ReportedScore::Cp(_));
        Self { reported: (!is_draw).then_some(reported), bound }
    }
}

#[pymethods]
impl PyScore {
    /// `cp` for an evaluation, or the known result: `win`, `draw` or `loss`.
    #[getter]
    fn kind(&self) -> &'static str {
        match self.reported {
            Some(ReportedScore::Cp(_)) => "cp",
            Some(ReportedScore::Win(_)) => "win",
            Some(ReportedScore::Loss(_)) => "loss",
            None => "draw",
        }
    }

    /// Hundredths of a man; None for a known win or loss.
    #[getter]
    fn cp(&self) -> Option<i32> {
        match self.reported {
            Some(ReportedScore::Cp(cp)) => Some(cp),
            Some(_) => None,
            None => Some(0),
        }
    }

    /// The plies to the end of a known win or loss; None if they are unknown.
    #[getter]
    fn plies(&self) -> Option<u32> {
        match self.reported? {
            ReportedScore::Win(plies) | ReportedScore::Loss(plies) => plies,
            ReportedScore::Cp(_) => None,
        }
    }

    /// `exact`, `lower` if the true score may be higher, or `upper` if it may be lower.
    #[getter]
    fn bound(&self) -> &'static str {
        match self.bound {
            ScoreBound::Exact => "exact",
            ScoreBound::Lower => "lower",
            ScoreBound::Upper => "upper",
        }
    }

    fn __str__(&self) -> String {
        let text = match (self.reported, self.plies()) {
            (Some(ReportedScore::Cp(cp)), _) => ReportedScore::men(cp),
            (_, Some(plies)) => format!("{} in {plies} plies", self.kind()),
            _ => self.kind().to_owned(),
        };
        match self.bound {
            ScoreBound::Exact => text,
            ScoreBound::Lower => format!("at least {text}"),
            ScoreBound::Upper => format!("at most {text}"),
        }
    }

    fn __repr__(&self) -> String {
        format!("<Score {}>", self.__str__())
    }
}

/// The chances of a win, a draw and a loss in thousandths.
type Chances = (u32, u32, u32);

fn chances(rates: WinRates) -> Chances {
    rates.thousandths().into()
}

/// A line of play found by a search.
#[pyclass(name = "Line", module = "kelso", frozen, get_all)]
#[derive(Clone)]
pub struct PyLine {
    /// The rank among the lines, from 1.
    rank: usize,
    depth: usize,
    /// The deepest ply visited.
    seldepth: usize,
    score: PyScore,
    /// The chances of a win, a draw and a loss for the side to move, in thousandths.
    wdl: Option<Chances>,
    /// The positions searched so far.
    nodes: u64,
    /// The seconds since the search began.
    time: f64,
    /// The moves, with best play by both sides.
    moves: Vec<PyMove>,
}

impl PyLine {
    fn new(mut position: Position, report: &LineReport) -> Self {
        let mut moves = Vec::with_capacity(report.line.len());
        for &raw in &report.line {
            moves.push(PyMove { raw, position });
            position = position.after(raw);
        }
        Self {
            rank: report.rank,
            depth: report.depth,
            seldepth: report.selective_depth,
            score: PyScore::new(report.score.reported(), report.bound, report.known_draw),
            wdl: report.win_rates.map(chances),
            nodes: report.nodes,
            time: report.time.as_secs_f64(),
            moves,
        }
    }
}

#[pymethods]
impl PyLine {
    fn __repr__(&self) -> String {
        let moves: Vec<String> = self.moves.iter().map(PyMove::__str__).collect();
        format!("<Line {} depth {}: {}>", self.score.__str__(), self.depth, moves.join(" "))
    }
}

/// The result of a search.
#[pyclass(name = "SearchResult", module = "kelso", frozen, get_all)]
pub struct PySearchResult {
    /// The best move, or None if there is no legal move.
    best: Option<PyMove>,
    /// The expected reply, or None.
    ponder: Option<PyMove>,
    /// The lines, best first; none after a move from the book.
    lines: Vec<PyLine>,
    /// The score of the best line, or None.
    score: Option<PyScore>,
    /// The chances of a win, a draw and a loss for the side to move, in thousandths, or None.
    wdl: Option<Chances>,
    nodes: u64,
    time: f64,
}

impl PySearchResult {
    fn new(position: Position, answer: &SearchAnswer) -> Self {
        let reply = answer.best.zip(answer.ponder);
        let is_known_draw = answer.lines.first().is_some_and(|best| best.known_draw);
        let score =
            answer.score.map(|score| PyScore::new(score.reported(), ScoreBound::Exact, is_known_draw));
        Self {
            best: answer.best.map(|raw| PyMove { raw, position }),
            ponder: reply.map(|(best, raw)| PyMove { raw, position: position.after(best) }),
            lines: answer.lines.iter().map(|report| PyLine::new(position, report)).collect(),
            score,
            wdl: answer.win_rates.map(chances),
            nodes: answer.nodes,
            time: answer.time.as_secs_f64(),
        }
    }
}

#[pymethods]
impl PySearchResult {
    fn __repr__(&self) -> String {
        let best = self.best.map_or_else(|| "no move".to_owned(), |best| best.__str__());
        let score = self.score.map_or_else(String::new, |score| format!(", {}", score.__str__()));
        format!("<SearchResult {best}{score}>")
    }
}

/// The state of a search, shared by its thread and those that wait for it.
struct SearchState {
    position: Position,
    control: Control,
    progress: Mutex<SearchProgress>,
    changed: Condvar,
}

#[derive(Default)]
struct SearchProgress {
    /// Lines that have not been passed to `on_info`.
    unseen: VecDeque<LineReport>,
    /// The answer, or the reason why there is none, once the search has ended.
    answer: Option<SearchOutcome>,
}

type SearchOutcome = Result<SearchAnswer, &'static str>;

impl SearchState {
    /// Waits for a new line or the answer, at most for a short time.
    fn wait(&self) -> MutexGuard<'_, SearchProgress> {
        let is_idle = |progress: &mut SearchProgress| progress.answer.is_none() && progress.unseen.is_empty();
        match self.changed.wait_timeout_while(lock(&self.progress), SIGNAL_INTERVAL, is_idle) {
            Ok((progress, _)) => progress,
            Err(poisoned) => poisoned.into_inner().0,
        }
    }

    fn result(&self, outcome: SearchOutcome) -> PyResult<PySearchResult> {
        outcome.map(|answer| PySearchResult::new(self.position, &answer)).map_err(EngineError::new_err)
    }
}

/// The state of an engine.
#[derive(Default)]
enum EngineState {
    #[default]
    Idle,
    Searching(Arc<SearchState>, ThreadId),
    Closed,
}

struct SharedEngine {
    engine: Mutex<Option<Engine>>,
    state: Mutex<EngineState>,
    finished: Condvar,
}

/// An engine that searches in this process.
#[pyclass(name = "Engine", module = "kelso", frozen)]
pub struct PyEngine(Arc<SharedEngine>);

/// A search that is running. At its end, however it ends, the engine is idle again, and the answer is there.
struct Running {
    shared: Arc<SharedEngine>,
    state: Arc<SearchState>,
    outcome: SearchOutcome,
}

impl Drop for Running {
    fn drop(&mut self) {
        {
            let mut state = lock(&self.shared.state);
            if !matches!(*state, EngineState::Closed) {
                *state = EngineState::Idle;
            }
        }
        self.shared.finished.notify_all();
        lock(&self.state.progress).answer = Some(self.outcome.clone());
        self.state.changed.notify_all();
    }
}

/// The limits of a search.
struct SearchLimits {
    limits: Limits,
    lines: usize,
}

impl SearchLimits {
    fn new(
        position: &Position,
        mut limits: Limits,
        clock: Option<(f64, f64)>,
        lines: usize,
        moves: Option<Vec<MoveLike>>,
    ) -> PyResult<Self> {
        if let Some((remaining, increment)) = clock {
            if limits.time.is_some() {
                return Err(PyValueError::new_err("time and clock cannot be used together"));
            }
            let remaining = seconds(remaining)?;
            let increment = seconds(increment)?;
            limits.time = Some(TimeLimit::Clock { remaining, increment, moves_to_go: None });
        }
        limits.infinite = !limits.is_set();
        for mv in moves.iter().flatten() {
            limits.search_moves.push(mv.resolve(position)?);
        }
        if moves.is_some_and(|moves| moves.is_empty()) {
            return Err(PyValueError::new_err("moves must name at least one move"));
        }
        if !(1..=MAX_LINES).contains(&lines) {
            return Err(PyValueError::new_err(format!(
                "lines must be between 1 and {MAX_LINES}, got {lines}"
            )));
        }
        Ok(Self { limits, lines })
    }
}

fn seconds(seconds: f64) -> PyResult<Duration> {
    let time = Duration::try_from_secs_f64(seconds);
    time.map_err(|_| PyValueError::new_err(format!("time must be a number of seconds, got {seconds}")))
}

/// Returns limits from the arguments of a search.
pub fn limits([depth, nodes]: [Option<u64>; 2], time: Option<f64>) -> PyResult<Limits> {
    for (name, value) in [("depth", depth), ("nodes", nodes)] {
        if value == Some(0) {
            return Err(PyValueError::new_err(format!("{name} must be at least 1")));
        }
    }
    let time = time.map(seconds).transpose()?.map(TimeLimit::Exact);
    let depth = depth.map(|depth| usize::try_from(depth).unwrap_or(usize::MAX));
    Ok(Limits { depth, nodes, time, ..Limits::default() })
}

/// Converts options and their values to settings.
pub fn settings(options: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<Setting>> {
    let options = options.into_iter().flatten();
    options.map(|(name, value)| setting(&name.extract::<String>()?, Some(&value))).collect()
}

fn setting(name: &str, value: Option<&Bound<'_, PyAny>>) -> PyResult<Setting> {
    let text = match value {
        None => None,
        Some(value) if value.is_none() => None,
        Some(value) if value.is_instance_of::<PyBool>() => Some(value.is_truthy()?.to_string()),
        Some(value) => Some(value.str()?.extract::<String>()?),
    };
    let setting = Setting::parse(name, text.as_deref());
    setting.map_err(|error| PyValueError::new_err(error.to_string()))
}

const CLOSED: &str = "the engine is closed";

fn closed() -> PyErr {
    EngineError::new_err(CLOSED)
}

fn apply(engine: &mut Engine, setting: Setting) -> PyResult<()> {
    engine.apply(setting).map_err(|error| EngineError::new_err(error.to_string()))
}

impl PyEngine {
    /// Waits until the engine is idle.
    fn idle(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, EngineState>> {
        loop {
            let state = lock(&self.0.state);
            match &*state {
                EngineState::Idle => return Ok(state),
                EngineState::Closed => return Err(closed()),
                EngineState::Searching(search, thread) => {
                    if *thread == thread::current().id() && !search.control.is_stopped() {
                        return Err(EngineError::new_err("a search is running: stop it first"));
                    }
                }
            }
            drop(state);
            py.detach(|| {
                let is_searching = |state: &mut EngineState| matches!(state, EngineState::Searching(..));
                drop(self.0.finished.wait_timeout_while(lock(&self.0.state), SIGNAL_INTERVAL, is_searching));
            });
            py.check_signals()?;
        }
    }

    /// Calls a function with the engine as soon as it is idle.
    fn with<T>(&self, py: Python<'_>, act: impl FnOnce(&mut Engine) -> PyResult<T>) -> PyResult<T> {
        let _idle = self.idle(py)?;
        act(lock(&self.0.engine).as_mut().ok_or_else(closed)?)
    }

    fn begin(&self, py: Python<'_>, board: &PyBoard, limits: SearchLimits) -> PyResult<Arc<SearchState>> {
        let game = board.game();
        let SearchLimits { limits, lines } = limits;
        let mut engine_state = self.idle(py)?;
        apply(lock(&self.0.engine).as_mut().ok_or_else(closed)?, Setting::MultiPv(lines))?;
        let state = Arc::new(SearchState {
            position: *game.position(),
            control: Control::new(),
            progress: Mutex::default(),
            changed: Condvar::new(),
        });
        *engine_state = EngineState::Searching(Arc::clone(&state), thread::current().id());
        drop(engine_state);
        let mut running = Running {
            shared: Arc::clone(&self.0),
            state: Arc::clone(&state),
            // Stays if the search panics, which prints the reason.
            outcome: Err("the search has failed; standard error says why"),
        };
        let run = move || {
            let state = Arc::clone(&running.state);
            let mut on_event = |event| {
                if let SearchEvent::Line(report) = event {
                    lock(&state.progress).unseen.push_back(report);
                    state.changed.notify_all();
                }
            };
            let engine = lock(&running.shared.engine);
            let search = |engine: &Engine| engine.search(&game, &limits, &state.control, &mut on_event);
            running.outcome = engine.as_ref().map(search).ok_or(CLOSED);
        };
        let started = thread::Builder::new().name("kelso".to_owned()).spawn(run);
        started.map_err(|error| EngineError::new_err(format!("cannot start a thread: {error}")))?;
        Ok(state)
    }
}

/// Waits for a search. Passes its lines to `on_info` in this thread. Ctrl-C or an error of `on_info` ends the
/// search.
fn finish(
    py: Python<'_>,
    state: &SearchState,
    on_info: Option<&Bound<'_, PyAny>>,
) -> PyResult<PySearchResult> {
    let position = state.position;
    let mut failure = None;
    loop {
        let (unseen, answer) = py.detach(|| {
            let mut progress = state.wait();
            (std::mem::take(&mut progress.unseen), progress.answer.clone())
        });
        for report in unseen {
            if let (Some(on_info), None) = (on_info, &failure) {
                failure = on_info.call1((PyLine::new(position, &report),)).err();
            }
        }
        if failure.is_none() {
            failure = py.check_signals().err();
        }
        if failure.is_some() {
            state.control.stop();
        }
        match (answer, failure.take()) {
            (Some(outcome), None) => return state.result(outcome),
            (Some(_), Some(error)) => return Err(error),
            (None, error) => failure = error,
        }
    }
}

#[pymethods]
impl PyEngine {
    /// Creates an engine. Other options are those of the program, such as `EgdbPath`.
    #[new]
    #[pyo3(signature = (*, threads = 1, hash = 64, level = 0, options = None))]
    fn new(threads: usize, hash: usize, level: usize, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut all = Vec::new();
        for (name, value) in [("Hash", hash), ("Threads", threads), ("Level", level)] {
            let setting = Setting::parse(name, Some(&value.to_string()));
            all.push(setting.map_err(|error| PyValueError::new_err(error.to_string()))?);
        }
        all.push(Setting::ShowWdl(true));
        all.extend(settings(options)?);
        let engine = Engine::new(EngineSettings { options: all, ..EngineSettings::installed() });
        let engine = engine.map_err(|error| EngineError::new_err(error.to_string()))?;
        Ok(Self(Arc::new(SharedEngine {
            engine: Mutex::new(Some(engine)),
            state: Mutex::default(),
            finished: Condvar::new(),
        })))
    }

    /// Searches a position. Without a limit, `stop` ends the search, from `on_info` or another thread.
    #[pyo3(signature = (board, *, depth = None, nodes = None, time = None, clock = None, lines = 1, moves = None, on_info = None))]
    #[expect(clippy::too_many_arguments, reason = "keywords of a Python function")]
    fn search(
        &self,
        py: Python<'_>,
        board: &Bound<'_, PyBoard>,
        depth: Option<u64>,
        nodes: Option<u64>,
        time: Option<f64>,
        clock: Option<(f64, f64)>,
        lines: usize,
        moves: Option<Vec<MoveLike>>,
        on_info: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PySearchResult> {
        if on_info.is_some_and(|on_info| !on_info.is_callable()) {
            return Err(PyTypeError::new_err("on_info must be a function"));
        }
        let search = self.start(py, board, depth, nodes, time, clock, lines, moves)?;
        finish(py, &search.state, on_info)
    }

    /// Starts a search in the background.
    #[pyo3(signature = (board, *, depth = None, nodes = None, time = None, clock = None, lines = 1, moves = None))]
    #[expect(clippy::too_many_arguments, reason = "keywords of a Python function")]
    fn start(
        &self,
        py: Python<'_>,
        board: &Bound<'_, PyBoard>,
        depth: Option<u64>,
        nodes: Option<u64>,
        time: Option<f64>,
        clock: Option<(f64, f64)>,
        lines: usize,
        moves: Option<Vec<MoveLike>>,
    ) -> PyResult<PySearch> {
        // A copy, since another thread or `on_info` may change the board.
        let board = board.borrow().clone();
        let limits = SearchLimits::new(board.position(), limits([depth, nodes], time)?, clock, lines, moves)?;
        let state = self.begin(py, &board, limits)?;
        Ok(PySearch { state, lines: Mutex::default() })
    }

    /// Ends the running search, if there is one.
    fn stop(&self) {
        if let EngineState::Searching(state, _) = &*lock(&self.0.state) {
            state.control.stop();
        }
    }

    /// Sets an option of the program, such as `EgdbPath` or `Book`.
    #[pyo3(signature = (name, value = None))]
    fn set_option(&self, py: Python<'_>, name: &str, value: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let setting = setting(name, value)?;
        self.with(py, |engine| apply(engine, setting))
    }

    /// The options and their values, as text.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let options = self.with(py, |engine| Ok(engine.options().clone()))?;
        let values = PyDict::new(py);
        for declaration in OPTIONS {
            values.set_item(declaration.name, declaration.value(&options))?;
        }
        Ok(values)
    }

    /// Clears the results of earlier searches.
    fn new_game(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, |engine| {
            engine.new_game();
            Ok(())
        })
    }

    /// Ends the running search and frees the engine's memory.
    fn close(&self, py: Python<'_>) {
        let old = std::mem::replace(&mut *lock(&self.0.state), EngineState::Closed);
        if let EngineState::Searching(state, _) = old {
            state.control.stop();
        }
        // This waits for the thread of the search.
        py.detach(|| drop(lock(&self.0.engine).take()));
    }

    fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_args))]
    fn __exit__(&self, py: Python<'_>, _args: &Bound<'_, PyAny>) {
        self.close(py);
    }
}

/// A search in the background. It ends when the object is deleted.
#[pyclass(name = "Search", module = "kelso", frozen)]
pub struct PySearch {
    state: Arc<SearchState>,
    /// The last line of each rank.
    lines: Mutex<Vec<LineReport>>,
}

impl Drop for PySearch {
    fn drop(&mut self) {
        self.state.control.stop();
    }
}

impl PySearch {
    /// Keeps the last line of each rank.
    fn keep(&self, unseen: &mut VecDeque<LineReport>) {
        let mut lines = lock(&self.lines);
        for report in unseen.drain(..) {
            lines.retain(|last| last.rank != report.rank);
            lines.push(report);
        }
    }
}

#[pymethods]
impl PySearch {
    /// Whether the search has ended.
    #[getter]
    fn done(&self) -> bool {
        lock(&self.state.progress).answer.is_some()
    }

    /// The lines found so far, best first.
    #[getter]
    fn lines(&self) -> Vec<PyLine> {
        self.keep(&mut lock(&self.state.progress).unseen);
        let mut lines = lock(&self.lines);
        lines.sort_by_key(|report| report.rank);
        lines.iter().map(|report| PyLine::new(self.state.position, report)).collect()
    }

    /// Ends the search, and returns its result.
    fn stop(&self, py: Python<'_>) -> PyResult<PySearchResult> {
        self.state.control.stop();
        self.wait(py, None)?.ok_or_else(|| PyRuntimeError::new_err("the search has no result"))
    }

    /// Waits for the end of the search. Returns its result, or None after `timeout` seconds. Ctrl-C does not
    /// end the search.
    #[pyo3(signature = (timeout = None))]
    fn wait(&self, py: Python<'_>, timeout: Option<f64>) -> PyResult<Option<PySearchResult>> {
        let limit = limits([None; 2], timeout)?.exact_time();
        let start = Instant::now();
        loop {
            let answer = py.detach(|| {
                let mut progress = self.state.wait();
                self.keep(&mut progress.unseen);
                progress.answer.clone()
            });
            if let Some(outcome) = answer {
                return self.state.result(outcome).map(Some);
            }
            py.check_signals()?;
            if limit.is_some_and(|limit| start.elapsed() >= limit) {
                return Ok(None);
            }
        }
    }
}
