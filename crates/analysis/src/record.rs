//! An analysed game with the data for reports, and the header of a checkpoint of analysed games.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::analyser::{Analyser, AnalyserError};
use super::positions::{PositionAnalysis, analyse, deepen};
use super::problem::Problem;
use super::value::{PositionValue, points};
use super::verdict::{Verdict, VerdictKind, verdicts};
use kelso_batch::checkpoint::{CheckpointHeader, CompanionFile};
use kelso_draughts::ballot::Ballot;
use kelso_draughts::board::{Color, Move, Position};
use kelso_draughts::notation::pdn::PdnReader;
use kelso_draughts::notation::{fen, movetext};
use kelso_draughts::record::GameRecord;
use kelso_draughts::result::Wdl;
use kelso_draughts::score::ReportedScore;
use kelso_draughts::win_rates::WinRates;
use kelso_engine::search::Limits;
use kelso_syntax::WordError;

/// The settings shared by all games of an analysis. A run can be resumed only with the same settings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AnalysisHeader {
    /// The analysing engine, with its evaluation or fingerprint.
    pub judge: String,
    /// The fingerprint of this program, which determines the verdicts.
    pub program: String,
    /// The limits for each move.
    pub limits: String,
    pub options: String,
    /// The maximum number of pieces in the endgame databases.
    pub databases: u32,
    /// Size and checksum of the input.
    pub input: String,
    pub games: String,
    /// Whether problems are collected.
    pub problems: bool,
    /// If true, only moves with a verdict are commented.
    pub brief: bool,
}

impl CheckpointHeader for AnalysisHeader {
    type Item = GameAnalysis;
    const FORMAT: &'static str = "kelso_analysis";
    const JOB: &'static str = "analysis";
    const COMPANION: Option<CompanionFile<Self>> =
        Some(CompanionFile { extension: ".pdn", format: |_, game| format!("{}\n", game.record) });

    fn number(game: &GameAnalysis) -> u64 {
        game.game
    }
}

/// The analysis of a move. Scores are for the side that made it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MoveAnalysis {
    #[serde(rename = "move")]
    pub text: String,
    /// The score after the move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<ReportedScore>,
    /// The chances of a win, a draw and a loss after the move, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wdl: Option<WinRates>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The database result after the move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<Wdl>,
    /// Whether the player had a choice: other moves were legal, and the move is not part of a ballot.
    pub choice: bool,
    /// The best line if another move is better, otherwise the best move.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub best: String,
    /// The score of the best line, if another move is better.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best_score: Option<ReportedScore>,
    /// The cost of the move in thousandths of a point.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub lost: u16,
    /// The accuracy of the move in percent; none if it was forced, or if the game was decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<f64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub verdicts: Vec<Verdict>,
    /// The game-theoretic result before the move, if the verdict concerns the result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stood: Option<Wdl>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "required by serde")]
const fn is_zero(number: &u16) -> bool {
    *number == 0
}

/// An analysed game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameAnalysis {
    /// Number of the game in the input, from 1.
    pub game: u64,
    /// The file, and the line on which the game begins.
    pub place: String,
    #[serde(flatten, with = "RecordLine")]
    pub record: GameRecord,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub opening: String,
    pub plies: Vec<MoveAnalysis>,
    /// Index of the move that decided the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided: Option<usize>,
    /// The problems among the game's positions, if problems are collected.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<Problem>,
}

/// The progress of an analysis in passes.
#[derive(Debug)]
pub enum PassProgress<'a> {
    /// Some positions of those of a pass have been analysed. The first pass has the number 0.
    Position { pass: usize, nodes: Option<u64>, done: usize, of: usize },
    /// A pass has ended with this result.
    Pass { nodes: Option<u64>, game: &'a GameAnalysis, is_last: bool },
}

/// A line of a checkpoint: a game as PDN, and the data for reports.
#[derive(Serialize, Deserialize)]
struct RecordLine {
    black: String,
    white: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    event: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    date: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    round: String,
    /// The result, such as `1-0`.
    result: String,
    /// The starting position, or empty for the standard position.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    fen: String,
    pdn: String,
}

impl RecordLine {
    fn serialize<S: Serializer>(record: &GameRecord, serializer: S) -> Result<S::Ok, S::Error> {
        let tag = |name| record.tags.text(name).to_owned();
        let line = Self {
            black: player(record, Color::Black).to_owned(),
            white: player(record, Color::White).to_owned(),
            event: tag("Event"),
            date: tag("Date"),
            round: tag("Round"),
            result: record.result_text().to_owned(),
            fen: if record.start == Position::start() { String::new() } else { fen::format(&record.start) },
            pdn: record.to_string(),
        };
        Serialize::serialize(&line, serializer)
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<GameRecord, D::Error> {
        let line: Self = Deserialize::deserialize(deserializer)?;
        let entry = PdnReader::new(line.pdn.as_bytes()).next();
        entry.ok_or_else(|| D::Error::custom("expected a game in PDN"))?.whole().map_err(D::Error::custom)
    }
}

/// Maximum number of stored moves per line.
const MAX_LINE_MOVES: usize = 12;

impl GameAnalysis {
    /// Analyses a game up to its first error, in the passes of the analyser. Also returns the analysis of its
    /// positions.
    pub fn run(
        game: &GameRecord,
        analyser: &mut Analyser<'_>,
        on_progress: &mut dyn FnMut(PassProgress<'_>),
    ) -> Result<(Self, Vec<PositionAnalysis>), AnalyserError> {
        let ballot = Ballot::of_game(game);
        let given = given(game, ballot)?;
        let passes = analyser.passes.clone();
        let count = passes.deeper.len();
        let nodes = passes.first.nodes;
        analyser.set_limits(passes.first);
        let mut positions = analyse(game, analyser, &mut |done, of| {
            on_progress(PassProgress::Position { pass: 0, nodes, done, of });
        })?;
        let mut analysis = Self {
            game: 1,
            place: String::new(),
            record: game.clone(),
            opening: ballot.map(Ballot::title).unwrap_or_default(),
            decided: None,
            plies: plies(game, &positions, given),
            problems: Vec::new(),
        };
        on_progress(PassProgress::Pass { nodes, game: &analysis, is_last: count == 0 });
        for (pass, (selection, nodes)) in (1..).zip(passes.deeper) {
            analyser.set_limits(Limits::nodes(nodes));
            let nodes = Some(nodes);
            deepen(game, &mut positions, selection, analyser, &mut |done, of| {
                on_progress(PassProgress::Position { pass, nodes, done, of });
            })?;
            analysis.plies = plies(game, &positions, given);
            on_progress(PassProgress::Pass { nodes, game: &analysis, is_last: pass == count });
        }
        analysis.decided = analysis.deciding();
        Ok((analysis, positions))
    }

    /// Returns the moves with the side that made each.
    pub fn moves(&self) -> impl Iterator<Item = (Color, &MoveAnalysis)> {
        let first = self.record.start.side();
        [first, !first].into_iter().cycle().zip(&self.plies)
    }

    /// Returns a player's name, or the side's name if the player is unknown.
    pub fn player(&self, side: Color) -> &str {
        player(&self.record, side)
    }

    /// Returns the index of the last move that changed the result or, if there is none, of the move after
    /// which the loser was never again near a draw.
    fn deciding(&self) -> Option<usize> {
        let has_changed =
            |ply: &MoveAnalysis| ply.error().is_some_and(|verdict| verdict.kind.changes_result());
        let last = self.plies.iter().rposition(has_changed);
        last.or_else(|| {
            let loser = !self.record.result?.winner()?;
            let loser_moves: Vec<_> =
                self.moves().enumerate().filter(|(_, (side, _))| *side == loser).collect();
            let last_near = loser_moves.iter().rposition(|(_, (_, ply))| {
                ply.score.is_some_and(|score| points(score) >= MIN_DRAWISH_POINTS)
            });
            let turn = last_near.map_or(0, |at| at + 1);
            loser_moves.get(turn).map(|(index, _)| *index)
        })
    }
}

fn player(record: &GameRecord, side: Color) -> &str {
    record.player(side).unwrap_or(side.title())
}

/// A side with fewer expected points than this is not near a draw.
const MIN_DRAWISH_POINTS: f64 = 0.25;

/// Returns the number of plies of the opening that a match has recorded.
///
/// # Errors
///
/// If the tag is not a number.
pub fn opening_plies(game: &GameRecord) -> Result<Option<u32>, WordError> {
    game.tags.number("OpeningPlies")
}

/// Returns the number of plies in the opening: the length of the ballot, or the number recorded by a match.
fn given(game: &GameRecord, ballot: Option<&Ballot>) -> Result<usize, WordError> {
    let recorded = opening_plies(game)?.map(|plies| plies as usize);
    // A game may also start from the position after the ballot's moves.
    let ballot = ballot.filter(|ballot| ballot.start == game.start).map(|ballot| ballot.moves.len());
    Ok(recorded.max(ballot).unwrap_or_default())
}

fn plies(game: &GameRecord, positions: &[PositionAnalysis], given: usize) -> Vec<MoveAnalysis> {
    let pairs = positions.iter().zip(positions.iter().skip(1)).zip(game.moves()).enumerate();
    pairs.map(|(number, ((before, after), mv))| analysed(before, after, mv, number >= given)).collect()
}

fn analysed(before: &PositionAnalysis, after: &PositionAnalysis, mv: Move, is_free: bool) -> MoveAnalysis {
    let (verdicts, lost) = if is_free { verdicts(mv, before, after) } else { (Vec::new(), 0.0) };
    let error = verdicts.iter().find(|verdict| verdict.kind.is_error()).map(|verdict| verdict.kind);
    let comparison = before.comparison.as_ref().filter(|_| error.is_some());
    let value = comparison.map_or_else(|| after.value().for_parent(), |comparison| comparison.played);
    let choice = is_free && before.choices > 1;
    let best = match comparison {
        Some(comparison) => comparison.line.get(..MAX_LINE_MOVES).unwrap_or(&comparison.line),
        None => &before.assessment.line[..before.assessment.line.len().min(1)],
    };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 1000")]
    let lost = (lost * 1000.0).round() as u16;
    MoveAnalysis {
        text: movetext::format(&before.position, mv),
        score: value.score,
        wdl: after.assessment.win_rates.map(|rates| value.known.map_or(rates.reversed(), WinRates::from)),
        depth: after.assessment.depth,
        known: value.known,
        choice,
        best: if choice { movetext::format_line(&before.position, best) } else { String::new() },
        best_score: comparison.and_then(|comparison| comparison.best.score),
        lost,
        accuracy: if choice { accuracy(before, value) } else { None },
        stood: comparison
            .filter(|_| error.is_some_and(VerdictKind::changes_result))
            .and_then(|comparison| comparison.best.prospect())
            .map(|(prospect, _)| prospect),
        verdicts,
    }
}

/// A score beyond this limit counts as this limit in accuracies, in hundredths of a man.
const DECIDED_SCORE: i32 = 800;

/// Returns the accuracy of a move in percent, from the position before it and its value: 100 if it loses
/// nothing, 90 if it loses a tenth of a man, and 37 if it loses a man. Moves of a side that is lost before,
/// or won after, do not count.
fn accuracy(before: &PositionAnalysis, played: PositionValue) -> Option<f64> {
    let best = before.comparison.as_ref().map_or(played, |comparison| comparison.best);
    let played = limited(played.score?);
    let best = limited(best.score?).max(played);
    let is_decided = best <= -DECIDED_SCORE || played >= DECIDED_SCORE;
    (!is_decided).then(|| ((f64::from(played - best) / 100.0).exp() * 1000.0).round() / 10.0)
}

/// Returns a score in hundredths of a man, at most `DECIDED_SCORE` for either side.
fn limited(score: ReportedScore) -> i32 {
    match score {
        ReportedScore::Cp(cp) => cp.clamp(-DECIDED_SCORE, DECIDED_SCORE),
        ReportedScore::Win(_) => DECIDED_SCORE,
        ReportedScore::Loss(_) => -DECIDED_SCORE,
    }
}

impl MoveAnalysis {
    /// Returns the verdict that makes the move an error, if there is one.
    pub fn error(&self) -> Option<Verdict> {
        self.verdicts.iter().copied().find(|verdict| verdict.kind.is_error())
    }

    /// Describes the verdicts: `blunder: this loses, 9-14 draws (database)`.
    pub fn describe(&self) -> String {
        self.verdicts.iter().map(|&verdict| self.describe_verdict(verdict)).collect::<Vec<_>>().join("; ")
    }

    fn describe_verdict(&self, verdict: Verdict) -> String {
        if let (VerdictKind::KnownEnding, Some(known)) = (verdict.kind, self.known) {
            return format!("{}: {}", verdict.kind, words(known).0);
        }
        let best = self.best.split(' ').next().unwrap_or_default();
        let reason = match verdict.kind {
            VerdictKind::LostDraw | VerdictKind::LostWin => ": this loses",
            VerdictKind::MissedWin => ": this only draws",
            _ => "",
        };
        let better = match self.stood {
            _ if best.is_empty() || !verdict.kind.is_error() => String::new(),
            Some(stood) => format!(", {best} {}", words(stood).1),
            None => format!(": {best} is better"),
        };
        format!("{}{reason}{better}{}", verdict.kind, verdict.by.suffix())
    }
}

/// Joins the non-empty parts.
pub(super) fn joined(parts: impl IntoIterator<Item = String>, separator: &str) -> String {
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(separator)
}

/// Returns the participle for a result, and the verb for a move that leads to it.
const fn words(result: Wdl) -> (&'static str, &'static str) {
    match result {
        Wdl::Win => ("won", "wins"),
        Wdl::Draw => ("drawn", "draws"),
        Wdl::Loss => ("lost", "loses"),
    }
}
