//! Reports of the players and of the moves that decided games, as text or as a self-contained page. The page
//! also shows every game on a board, with a chart of its score.

use std::collections::HashMap;

use serde::Serialize;

use super::record::{GameAnalysis, MoveAnalysis, joined};
use super::verdict::VerdictKind;
use kelso_draughts::board::Color;
use kelso_draughts::notation::movetext;
use kelso_reports::chart::charted;
use kelso_reports::page::{self, PageGame, PlyNote};
use kelso_reports::statistics::real;
use kelso_reports::table::{Table, cut};
use kelso_text::markup::escaped;
use kelso_text::plural::counted;

/// The results of a player in all games.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct PlayerSummary {
    name: String,
    games: u64,
    moves: u64,
    /// Number of moves that had an alternative.
    choices: u64,
    /// The mean accuracy of those that were not made in decided positions, in percent.
    accuracy: Option<f64>,
    /// Expected points lost per game.
    lost: f64,
    errors: ErrorCounts,
    only_moves: u64,
    /// The number of moves with an accuracy, and the sum of their accuracies.
    #[serde(skip)]
    judged: u64,
    #[serde(skip)]
    accuracy_sum: f64,
    /// Expected points lost in all games.
    #[serde(skip)]
    lost_sum: f64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
struct ErrorCounts {
    lost_win: u64,
    lost_draw: u64,
    missed_win: u64,
    mistake: u64,
    inaccuracy: u64,
}

impl ErrorCounts {
    fn count(&mut self, kind: VerdictKind) {
        match kind {
            VerdictKind::LostWin => self.lost_win += 1,
            VerdictKind::LostDraw => self.lost_draw += 1,
            VerdictKind::MissedWin => self.missed_win += 1,
            VerdictKind::Mistake => self.mistake += 1,
            VerdictKind::Inaccuracy => self.inaccuracy += 1,
            VerdictKind::OnlyMove | VerdictKind::KnownEnding => {}
        }
    }
}

impl PlayerSummary {
    fn add(&mut self, ply: &MoveAnalysis) {
        self.moves += 1;
        self.lost_sum += f64::from(ply.lost) / 1000.0;
        self.choices += u64::from(ply.choice);
        if let Some(accuracy) = ply.accuracy {
            self.judged += 1;
            self.accuracy_sum += accuracy;
        }
        for verdict in &ply.verdicts {
            self.errors.count(verdict.kind);
            self.only_moves += u64::from(verdict.kind == VerdictKind::OnlyMove);
        }
    }
}

/// Totals over the analysed games.
#[derive(Clone, Debug, Default)]
pub struct AnalysisSummary {
    players: Vec<PlayerSummary>,
    by_name: HashMap<String, usize>,
    pub games: u64,
}

impl AnalysisSummary {
    /// Counts a game.
    pub fn add(&mut self, game: &GameAnalysis) {
        self.games += 1;
        for side in Color::BOTH {
            let player = self.player(game.player(side));
            player.games += u64::from(side == Color::Black || game.player(side) != game.player(!side));
            for (_, ply) in game.moves().filter(|(mover, _)| *mover == side) {
                player.add(ply);
            }
        }
    }

    fn player(&mut self, name: &str) -> &mut PlayerSummary {
        let index = *self.by_name.entry(name.to_owned()).or_insert_with(|| {
            self.players.push(PlayerSummary { name: name.to_owned(), ..PlayerSummary::default() });
            self.players.len() - 1
        });
        &mut self.players[index]
    }

    /// Returns the players, sorted by number of games and then by first game.
    pub fn players(&self) -> Vec<PlayerSummary> {
        let mut players = self.players.clone();
        for player in &mut players {
            let mean = player.accuracy_sum / real(player.judged.max(1));
            player.accuracy = (player.judged > 0).then(|| (mean * 10.0).round() / 10.0);
            player.lost = (player.lost_sum / real(player.games.max(1)) * 1000.0).round() / 1000.0;
        }
        players.sort_by_key(|player| std::cmp::Reverse(player.games));
        players
    }
}

/// Maximum width of names. Longer names are truncated.
const MAX_NAME_WIDTH: usize = 28;

fn players(players: &[PlayerSummary]) -> Table {
    Table::of(players)
        .words("player", |player| cut(&player.name, MAX_NAME_WIDTH))
        .number("games", |player| player.games)
        .number("moves", |player| player.choices)
        .number("accuracy", |player| {
            player.accuracy.map_or("-".to_owned(), |accuracy| format!("{accuracy:.1}%"))
        })
        .number("points lost", |player| format!("{:.2}", player.lost))
        .number("lost wins", |player| player.errors.lost_win)
        .number("lost draws", |player| player.errors.lost_draw)
        .number("missed wins", |player| player.errors.missed_win)
        .number("mistakes", |player| player.errors.mistake)
        .number("inaccuracies", |player| player.errors.inaccuracy)
        .number("only moves", |player| player.only_moves)
        .build()
}

/// Returns the report, without the games.
pub fn text(summary: &AnalysisSummary) -> String {
    let players = players(&summary.players());
    format!(
        "{players}
Forced moves are not counted. Losing a won game costs one point.
"
    )
}

/// Returns a line for a game: the players, and the move that decided it.
pub fn line(game: &GameAnalysis) -> String {
    let [black, white] = Color::BOTH.map(|side| game.player(side));
    let head = format!("{}: {black} – {white}  {}", game.game, game.record.result_text());
    if let Some((index, ply)) = game.decided.and_then(|index| Some((index, game.plies.get(index)?))) {
        let description = match ply.error() {
            Some(_) => ply.describe(),
            None => "turned the game".to_owned(),
        };
        return format!("{head}: {} {description}", numbered(game, index));
    }
    match game.plies.iter().map(|ply| u64::from(ply.error().is_some())).sum() {
        0 => format!("{head}: no errors"),
        errors => format!("{head}: no error decided it, {}", counted(errors, "smaller one")),
    }
}

/// Returns a move with its number, such as `7... 9-14`.
fn numbered(game: &GameAnalysis, index: usize) -> String {
    let (plies, dots) = match game.record.start.side() {
        Color::Black => (index, if index.is_multiple_of(2) { "." } else { "..." }),
        Color::White => (index + 1, if index.is_multiple_of(2) { "..." } else { "." }),
    };
    let text = game.plies.get(index).map_or("", |ply| ply.text.as_str());
    format!("{}{dots} {text}", plies / 2 + 1)
}

/// Returns the report as a page with the given games.
pub fn page(title: &str, judge: &str, limits: &str, summary: &AnalysisSummary, games: &[PageGame]) -> String {
    let body = format!(
        "<p class=\"soft\">{}, analysed by {} with {} per move</p>\n<h2>Players</h2>\n{}\n\
         <p class=\"soft\">Forced moves are not counted. Losing a won game costs one point.</p>\n",
        counted(summary.games, "game"),
        escaped(judge),
        escaped(limits),
        players(&summary.players()).html()
    );
    page::page(title, &body, "decided by", games)
}

/// Converts a game for the page.
pub fn game(analysis: &GameAnalysis) -> PageGame {
    let decided = analysis.decided.map(|index| {
        let error = analysis.plies.get(index).and_then(MoveAnalysis::error);
        let kind = error.map(|verdict| format!(", {}", verdict.kind)).unwrap_or_default();
        format!("{}{kind}", numbered(analysis, index))
    });
    let notes = analysis.record.positions().zip(&analysis.plies).map(|((position, ply), found)| {
        let best = found.best.split_once(' ').map_or(&*found.best, |(best, _)| best);
        PlyNote {
            text: note(found, position.side()),
            score: found.score.map(|score| charted(score, position.side(), KNOWN_CHART_SCORE)),
            marked: found.error().is_some(),
            best: movetext::parse(&position, best).ok().filter(|best| *best != ply.mv),
        }
    });
    let ended = decided.unwrap_or_default();
    let opening = heading(analysis);
    PageGame::new(analysis.game, &analysis.record, &ended, &opening, notes)
}

/// Returns the event, round, date and ballot of a game, as far as they are known.
fn heading(analysis: &GameAnalysis) -> String {
    let [event, round, date] = ["Event", "Round", "Date"].map(|name| analysis.record.tags.text(name));
    let round = if round.is_empty() { String::new() } else { format!("round {round}") };
    let parts = [event, &round, date, &analysis.opening].map(str::to_owned);
    joined(parts.into_iter().filter(|part| part.chars().any(char::is_alphanumeric)), ", ")
}

fn note(ply: &MoveAnalysis, side: Color) -> String {
    let score = ply.score.map(|score| {
        let depth = ply.depth.map(|depth| format!(", depth {depth}")).unwrap_or_default();
        format!("{}{depth}", score.describe(side))
    });
    let verdicts = ply.verdicts.iter().map(|verdict| format!("{}{}", verdict.kind, verdict.by.suffix()));
    let better = ply.error().map(|_| {
        let score = ply.best_score.map(|score| format!(" ({})", score.describe(side))).unwrap_or_default();
        format!("better {}{score}", ply.best)
    });
    let chances = ply.wdl.map(|rates| rates.describe(side));
    joined(score.into_iter().chain(chances).chain(verdicts).chain(better), "; ")
}

/// The score that stands for a known result on charts.
const KNOWN_CHART_SCORE: i32 = 2_000;
