//! Answers: the best move of a position, with its score.

use serde::Serialize;
use serde_json::Value;

use super::request::SearchRequest;
use kelso_draughts::board::{Move, Position};
use kelso_draughts::notation::{fen, movetext};
use kelso_draughts::result::Wdl;
use kelso_draughts::score::ReportedScore;
use kelso_draughts::win_rates::WinRates;
use kelso_engine::search::{LineReport, Score, SearchAnswer};

/// The answer to a request. `docs/best.md` specifies its form.
#[derive(Serialize, Debug)]
pub(super) struct Answer {
    #[serde(skip)]
    pub(super) number: usize,
    #[serde(skip_serializing_if = "Value::is_null")]
    pub(super) id: Value,
    #[serde(flatten)]
    pub(super) result: RequestOutcome,
}

#[derive(Serialize, Debug)]
#[serde(untagged)]
pub(super) enum RequestOutcome {
    Found(Found),
    Failed(Failed),
}

/// The reason why a request was not answered.
#[derive(Serialize, Debug)]
pub(super) struct Failed {
    pub(super) error: String,
    /// The file and line of the request.
    pub(super) place: String,
}

#[derive(Serialize, Debug)]
pub(super) struct Found {
    #[serde(flatten)]
    best: Line,
    nodes: u64,
    /// Seconds.
    time: f64,
    /// All lines from the best, if several were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lines: Vec<Line>,
    #[serde(skip)]
    fen: String,
}

/// A move, its score and its continuation. The names are those of `kelso analyse --json`.
#[derive(Clone, Serialize, Debug)]
struct Line {
    #[serde(rename = "move")]
    mv: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<ReportedScore>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wdl: Option<WinRates>,
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<Wdl>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<usize>,
    #[serde(rename = "line")]
    moves: String,
}

impl Found {
    pub(super) fn new(request: &SearchRequest, answer: &SearchAnswer) -> Self {
        let position = request.game.position();
        let mut lines: Vec<Line> = answer.lines.iter().map(|line| Line::new(position, line)).collect();
        if request.level.is_some() {
            // The scores of a level are wrong on purpose.
            lines =
                lines.into_iter().map(|line| Line { score: None, wdl: None, known: None, ..line }).collect();
        }
        Self {
            best: lines.first().cloned().unwrap_or_else(|| Line::without_search(position, answer)),
            nodes: answer.nodes,
            time: (answer.time.as_secs_f64() * 1e6).round() / 1e6,
            lines: if request.lines > 1 { lines } else { Vec::new() },
            fen: fen::format(position),
        }
    }

    /// Formats the lines for readers: the position, move, score, chances and line, separated by tabs.
    pub(super) fn text(&self) -> String {
        let lines = if self.lines.is_empty() { std::slice::from_ref(&self.best) } else { &self.lines };
        let texts: Vec<String> = lines.iter().map(|line| format!("{}\t{}", self.fen, line.text())).collect();
        texts.join("\n") + "\n"
    }
}

impl Line {
    fn new(position: &Position, report: &LineReport) -> Self {
        let score = report.score.reported();
        let known = match score {
            ReportedScore::Win(_) => Some(Wdl::Win),
            ReportedScore::Loss(_) => Some(Wdl::Loss),
            ReportedScore::Cp(_) => report.known_draw.then_some(Wdl::Draw),
        };
        Self {
            mv: report.line.first().map(|&mv| movetext::format(position, mv)),
            score: Some(score),
            wdl: report.win_rates,
            known,
            depth: Some(report.depth),
            moves: movetext::format_line(position, &report.line),
        }
    }

    /// Returns the line of a position that was not searched: a move of the book, or the end of the game.
    fn without_search(position: &Position, answer: &SearchAnswer) -> Self {
        let line: Vec<Move> = answer.line();
        Self {
            mv: answer.best.map(|mv| movetext::format(position, mv)),
            score: answer.score.map(Score::reported),
            wdl: answer.win_rates,
            known: answer.best.is_none().then_some(Wdl::Loss),
            depth: None,
            moves: movetext::format_line(position, &line),
        }
    }

    fn text(&self) -> String {
        let mv = self.mv.as_deref().unwrap_or("none");
        let score = self.score.map(|score| score.to_string()).unwrap_or_default();
        let wdl = self.wdl.map(|wdl| wdl.to_string()).unwrap_or_default();
        format!("{mv}\t{score}\t{wdl}\t{}", self.moves)
    }
}
