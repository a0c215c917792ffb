//! Analysis of games.

use std::sync::Mutex;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use kelso_analysis::analyser::{Analyser, AnalyserError};
use kelso_analysis::annotate::Annotator;
use kelso_analysis::passes::Passes;
use kelso_analysis::record::GameAnalysis;
use kelso_analysis::report::AnalysisSummary;
use kelso_draughts::record::GameRecord;
use kelso_engine::{EngineSettings, Setting};
use kelso_runtime::stop::StopToken;
use kelso_runtime::sync::lock;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::EngineError;
use crate::engine;
use crate::pdn::PyGame;

const SIGNAL_INTERVAL: Duration = Duration::from_millis(20);

/// An analysed game.
#[pyclass(name = "Analysis", module = "kelso", frozen)]
pub struct PyAnalysis {
    analysis: GameAnalysis,
}

fn python_of<'py>(py: Python<'py>, value: &impl serde::Serialize) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(value).map_err(|error| PyValueError::new_err(error.to_string()))?;
    py.import("json")?.call_method1("loads", (text,))
}

#[pymethods]
impl PyAnalysis {
    /// The game with scores, verdicts and better lines as comments, glyphs and variations.
    #[getter]
    fn game(&self, py: Python<'_>) -> PyResult<PyGame> {
        PyGame::of(py, &self.analysis.record)
    }

    /// The moves, each a dictionary as in the files of `kelso analyse`.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python_of(py, &self.analysis.plies)
    }

    /// The players with their accuracy and errors, each a dictionary as in the reports of `kelso analyse`.
    #[getter]
    fn players<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut summary = AnalysisSummary::default();
        summary.add(&self.analysis);
        python_of(py, &summary.players())
    }

    /// The name of the opening, or an empty string.
    #[getter]
    fn opening(&self) -> &str {
        &self.analysis.opening
    }

    /// The index of the move that decided the game, or None.
    #[getter]
    fn decided(&self) -> Option<usize> {
        self.analysis.decided
    }
}

/// Analyses a game like `kelso analyse`.
#[pyfunction]
#[pyo3(signature = (game, *, depth = None, nodes = None, time = None, options = None))]
pub fn analyse(
    py: Python<'_>,
    game: &Bound<'_, PyGame>,
    depth: Option<u64>,
    nodes: Option<u64>,
    time: Option<f64>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<PyAnalysis> {
    let limits = engine::limits([depth, nodes], time)?;
    let passes = if limits.is_set() { Passes::single(limits) } else { Passes::native() };
    let record = game.borrow().record(py)?;
    let options = engine::settings(options)?;
    let settings =
        EngineSettings { options, ..EngineSettings::installed() }.with_default(Setting::ShowWdl(true));
    let stop = StopToken::default();
    let (done, answer) = mpsc::channel();
    let answer = Mutex::new(answer);
    let mut interrupt = None;
    let analysis = thread::scope(|scope| {
        scope.spawn(|| drop(done.send(run(&record, &settings, passes, &stop))));
        loop {
            match py.detach(|| lock(&answer).recv_timeout(SIGNAL_INTERVAL)) {
                Ok(analysis) => return Some(analysis),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Err(error) = py.check_signals() {
                interrupt = Some(error);
                stop.stop();
            }
        }
    });
    match (interrupt, analysis) {
        (Some(interrupt), _) => Err(interrupt),
        (None, Some(Ok(analysis))) => Ok(PyAnalysis { analysis }),
        (None, Some(Err(error))) => Err(EngineError::new_err(error.to_string())),
        (None, None) => Err(EngineError::new_err("the analysis failed")),
    }
}

fn run(
    record: &GameRecord,
    settings: &EngineSettings,
    passes: Passes,
    stop: &StopToken,
) -> Result<GameAnalysis, AnalyserError> {
    let limits = passes.words();
    let mut analyser = Analyser::new(None, settings, passes, stop, &|_| {})?;
    let (mut analysis, _) = GameAnalysis::run(record, &mut analyser, &mut |_| {})?;
    let engine = concat!("Kelso ", env!("CARGO_PKG_VERSION"));
    Annotator { engine, limits: &limits, brief: false }.annotate(&mut analysis, None);
    Ok(analysis)
}
