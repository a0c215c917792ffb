//! The chart of the score over time.

use crate::record::GameRecord;
use common::chart::{self, Axis, Curve, Panel, Point};
use common::statistics::{Wdl, real};
use draughts::board::Color;

/// The width of a page.
const WIDTH: f64 = 900.0;
/// The most points of a curve.
const MOST_POINTS: usize = 300;

/// Draws the score of each engine after each game, in the order of the schedule; of two engines only that of the first, with its
/// 95% confidence interval.
pub(super) fn svg(names: &[&str], games: &[GameRecord]) -> String {
    let alone = names.len() == 2;
    let shown = if alone { names.get(..1).unwrap_or_default() } else { names };
    let curves =
        shown.iter().map(|name| Curve { name: (*name).to_owned(), points: course(name, games, alone) });
    let x = Axis::whole("game", 0, u32::try_from(games.len()).unwrap_or(u32::MAX));
    let y = Axis::percent("score in percent");
    chart::draw("", &[Panel { width: WIDTH, x, y, curves: curves.collect() }])
}

fn course(name: &str, games: &[GameRecord], interval: bool) -> Vec<Point> {
    let every = games.len().div_ceil(MOST_POINTS).max(1);
    let mut wdl = Wdl::default();
    let mut points = Vec::new();
    for (number, game) in (1..).zip(games) {
        let side = Color::BOTH.into_iter().find(|&side| game.player(side) == name);
        if let Some(side) = side {
            wdl.add_half_points(game.result.half_points(side));
        }
        // One or two games show nothing.
        if wdl.games() >= 3 && (number % every == 0 || number == games.len()) {
            let (score, count) = (wdl.score(), real(wdl.games()));
            let squares = real(wdl.wins) + 0.25 * real(wdl.draws);
            let error = 1.96 * ((squares / count - score * score).max(0.0) / count).sqrt();
            let error = if interval { 100.0 * error } else { 0.0 };
            points.push(Point { x: real(number as u64), y: 100.0 * score, error });
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::record;

    #[test]
    fn long_matches_have_few_points_and_end_at_their_last_game() {
        let games = vec![record(); 5000];
        let points = course("B", &games, true);
        assert!(points.len() <= MOST_POINTS && (points.last().unwrap().x - 5000.0).abs() < 0.5);
        assert!(points.iter().all(|point| (point.y - 100.0).abs() < 1e-9 && point.error < 1e-9));
    }

    #[test]
    fn no_games_and_strange_names_are_drawn_too() {
        assert!(svg(&[], &[]).ends_with("</svg>\n"));
        let drawing = svg(&["<A>", "B"], &[record()]);
        assert!(drawing.contains("&lt;A&gt;") && !drawing.contains("<A>"));
    }
}
