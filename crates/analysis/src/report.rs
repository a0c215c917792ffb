//! A report as text: the players, and the moves that decided games.

use super::record::GameAnalysis;
use super::summary::{PlayerSummary, Summary};
use common::count::counted;
use common::table::Table;
use draughts::board::Color;

/// The width of the longest names; longer ones are cut.
const WIDEST_NAME: usize = 28;

/// Returns a table of the players.
pub fn players(players: &[PlayerSummary]) -> Table {
    Table::of(players)
        .words("player", |player| short(&player.name))
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
pub fn text(summary: &Summary) -> String {
    let players = players(&summary.players());
    format!(
        "{players}
Moves are those with a choice. A point lost is a game lost that was won.
"
    )
}

/// Returns a line for a game: the players, and the move that decided it.
pub fn line(game: &GameAnalysis) -> String {
    let head = format!("{}: {} – {}  {}", game.game, game.black, game.white, game.result);
    if let Some((index, ply)) = game.decided.and_then(|index| Some((index, game.plies.get(index)?))) {
        let said = match ply.error() {
            Some(_) => ply.describe(),
            None => "turned the game".to_owned(),
        };
        return format!("{head}: {} {said}", numbered(game, index));
    }
    match game.plies.iter().map(|ply| u64::from(ply.error().is_some())).sum() {
        0 => format!("{head}: no errors"),
        errors => format!("{head}: no error decided it, {}", counted(errors, "smaller one")),
    }
}

/// Returns a move with its number, such as `7... 9-14`.
pub fn numbered(game: &GameAnalysis, index: usize) -> String {
    let (plies, dots) = match game.first_side() {
        Color::Black => (index, if index.is_multiple_of(2) { "." } else { "..." }),
        Color::White => (index + 1, if index.is_multiple_of(2) { "..." } else { "." }),
    };
    let text = game.plies.get(index).map_or("", |ply| ply.text.as_str());
    format!("{}{dots} {text}", plies / 2 + 1)
}

fn short(name: &str) -> String {
    if name.chars().count() <= WIDEST_NAME {
        return name.to_owned();
    }
    name.chars().take(WIDEST_NAME - 1).chain(['…']).collect()
}
