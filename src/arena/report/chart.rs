//! The score over time as a drawing.

use std::fmt::Write;

use crate::arena::record::GameRecord;
use crate::arena::statistics::{Wdl, real};
use crate::board::Color;
use crate::common::markup::escaped;

/// Inner size of the drawing, and the room for numbers at its left and below.
const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 44.0;
const BELOW: f64 = 28.0;
/// More points than this could not be told apart.
const MOST_POINTS: usize = 300;

const COLORS: [&str; 8] =
    ["#1f9a6e", "#d4662c", "#4a73d1", "#b8489d", "#8a8b1d", "#2b9db3", "#c23f4f", "#7b62c9"];

/// Each engine's score after each game, in the order of the schedule; of two engines only the first's, with the interval
/// in which its true value lies with 95% probability.
pub(super) fn svg(names: &[&str], games: &[GameRecord]) -> String {
    let mut lines = Vec::new();
    let shown = if names.len() == 2 { names.get(..1).unwrap_or_default() } else { names };
    for (name, color) in shown.iter().zip(COLORS.iter().cycle()) {
        lines.push((*name, *color, course(name, games)));
    }
    let mut svg = format!(
        "<svg class=\"chart\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"score over time\">",
        LEFT + WIDTH + 10.0,
        HEIGHT + BELOW + 10.0
    );
    // Writing to a string can't fail.
    let _ = axes(&mut svg, games.len());
    for (_, color, points) in &lines {
        if names.len() == 2 {
            let upper = points.iter().map(|p| (p.game, p.score + p.error));
            let lower = points.iter().rev().map(|p| (p.game, p.score - p.error));
            let band = path(upper.chain(lower), games.len());
            let _ = write!(svg, "<polygon points=\"{band}\" fill=\"{color}\" opacity=\"0.15\"/>");
        }
        let line = path(points.iter().map(|p| (p.game, p.score)), games.len());
        let _ =
            write!(svg, "<polyline points=\"{line}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>");
    }
    for (row, (name, color, _)) in (0_u32..).zip(&lines) {
        let y = 18.0 + 16.0 * f64::from(row);
        let x = LEFT + WIDTH - 4.0;
        let name = escaped(name);
        let _ =
            write!(svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"end\" style=\"fill:{color}\">{name}</text>");
    }
    svg.push_str("</svg>");
    svg
}

struct Point {
    game: usize,
    score: f64,
    /// Half the width of the interval.
    error: f64,
}

fn course(name: &str, games: &[GameRecord]) -> Vec<Point> {
    let every = games.len().div_ceil(MOST_POINTS).max(1);
    let mut wdl = Wdl::default();
    let mut points = Vec::new();
    for (number, game) in (1..).zip(games) {
        let side = Color::BOTH.into_iter().find(|&side| game.player(side) == name);
        if let Some(side) = side {
            wdl.add_half_points(game.result.half_points(side));
        }
        // What one or two games show is not worth drawing.
        if wdl.games() >= 3 && (number % every == 0 || number == games.len()) {
            let (score, count) = (wdl.score(), real(wdl.games()));
            let squares = real(wdl.wins) + 0.25 * real(wdl.draws);
            let error = 1.96 * ((squares / count - score * score).max(0.0) / count).sqrt();
            points.push(Point { game: number, score, error });
        }
    }
    points
}

fn path(points: impl Iterator<Item = (usize, f64)>, games: usize) -> String {
    let place = |(game, score): (usize, f64)| format!("{:.1},{:.1}", x(game, games), y(score));
    points.map(place).collect::<Vec<_>>().join(" ")
}

fn x(game: usize, games: usize) -> f64 {
    LEFT + WIDTH * real(game as u64) / real(games.max(1) as u64)
}

fn y(score: f64) -> f64 {
    5.0 + HEIGHT * (1.0 - score.clamp(0.0, 1.0))
}

fn axes(svg: &mut String, games: usize) -> std::fmt::Result {
    let right = LEFT + WIDTH;
    for percent in [0, 25, 50, 75, 100] {
        let y = y(f64::from(percent) / 100.0);
        let class = if percent == 50 { "half" } else { "grid" };
        write!(svg, "<line class=\"{class}\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{y}\" y2=\"{y}\"/>")?;
        write!(svg, "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{percent}%</text>", LEFT - 6.0, y + 4.0)?;
    }
    for quarter in 0..=4 {
        let game = games * quarter / 4;
        let (x, y) = (x(game, games), HEIGHT + BELOW);
        let anchor = if quarter == 4 { "end" } else { "middle" };
        write!(svg, "<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"{anchor}\">{game}</text>")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::pdn::tests::record;

    #[test]
    fn long_matches_have_few_points_and_end_at_their_last_game() {
        let games = vec![record(); 5000];
        let points = course("B", &games);
        assert!(points.len() <= MOST_POINTS && points.last().unwrap().game == 5000);
        assert!(points.iter().all(|point| (point.score - 1.0).abs() < 1e-9 && point.error < 1e-9));
    }

    #[test]
    fn no_games_and_strange_names_are_drawn_too() {
        assert!(svg(&[], &[]).ends_with("</svg>"));
        let drawing = svg(&["<A>", "B"], &[record()]);
        assert!(drawing.contains("&lt;A&gt;") && !drawing.contains("<A>"));
    }
}
