//! SVG charts for reports: time per move (on a logarithmic scale) and score by depth, or time shares.

use super::report::{Report, SHARES};
use kelso_reports::chart::{self, Axis, Curve, Panel};

/// A point of a curve: depth, milliseconds per move, and score in percent.
#[derive(Clone, Debug, PartialEq)]
struct TrialPoint {
    curve: String,
    depth: usize,
    time: Option<f64>,
    score: Option<f64>,
}

const CHART_WIDTH: f64 = 460.0;

impl Report {
    /// Draws a chart of the measured rows. Shares have a curve for each part. Results have a curve by depth
    /// for each player and opponent, but a single curve for a player against itself, and none for a player
    /// whose depth does not change.
    pub fn chart(&self) -> String {
        if self.profiled {
            return chart::draw(&self.title, &[self.shares()]);
        }
        let mut points: Vec<TrialPoint> = Vec::new();
        let mut constant: Vec<String> = Vec::new();
        for row in &self.rows {
            let Some([player, opponent]) = &row.players else { continue };
            let Some(depth) = player.limits.depth else { continue };
            let curve = format!("{} against {}", player.family(), opponent.family());
            if !points.iter().any(|point| (&point.curve, point.depth) == (&curve, depth)) {
                points.push(TrialPoint { curve, depth, time: row.figures.ms_per_move, score: row.score() });
            } else if player != opponent {
                constant.push(curve);
            }
        }
        points.retain(|point| !constant.contains(&point.curve));
        draw(&self.title, &points)
    }

    fn shares(&self) -> Panel {
        let mut curves = Vec::new();
        for (name, _, _, share) in SHARES {
            let mut points = Vec::new();
            for (x, row) in (1_u32..).zip(&self.rows) {
                if let Some(y) = share(&row.figures) {
                    points.push(chart::Point { x: x.into(), y, error: 0.0 });
                }
            }
            curves.push(Curve { name: name.to_owned(), points });
        }
        Panel {
            width: 560.0,
            x: Axis::whole("row of the table", 1, u32::try_from(self.rows.len()).unwrap_or(1)),
            y: Axis::percent("percent of search time"),
            curves,
        }
    }
}

fn draw(title: &str, points: &[TrialPoint]) -> String {
    let first = points.iter().map(depth).min().unwrap_or(1);
    let last = points.iter().map(depth).max().unwrap_or(1);
    let x = Axis::whole("depth", first, last);
    let times = points.iter().filter_map(|point| point.time);
    let panels = [
        Panel {
            width: CHART_WIDTH,
            x: x.clone(),
            y: Axis::powers("milliseconds per move", times),
            curves: curves(points, |point| point.time.filter(|&time| time > 0.0)),
        },
        Panel {
            width: CHART_WIDTH,
            x,
            y: Axis::percent("score in percent"),
            curves: curves(points, |point| point.score),
        },
    ];
    chart::draw(title, &panels)
}

/// Returns the curves of a value by depth.
fn curves(points: &[TrialPoint], value: fn(&TrialPoint) -> Option<f64>) -> Vec<Curve> {
    let mut curves: Vec<Curve> = Vec::new();
    for point in points {
        let existing = curves.iter().position(|curve| curve.name == point.curve);
        let index = existing.unwrap_or_else(|| {
            curves.push(Curve { name: point.curve.clone(), points: Vec::new() });
            curves.len() - 1
        });
        if let Some(y) = value(point) {
            curves[index].points.push(chart::Point { x: depth(point).into(), y, error: 0.0 });
        }
    }
    curves
}

fn depth(point: &TrialPoint) -> u32 {
    u32::try_from(point.depth).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(curve: &str, depth: usize, time: f64, score: f64) -> TrialPoint {
        TrialPoint { curve: curve.into(), depth, time: Some(time), score: Some(score) }
    }

    #[test]
    fn every_point_is_drawn_in_both_panels() {
        let points = [point("a <b>", 3, 0.02, 0.0), point("a <b>", 5, 30.0, 100.0), point("c", 4, 1.0, 50.0)];
        let svg = draw("Time & score", &points);
        let document = roxmltree::Document::parse(&svg).unwrap();
        let circles = document.descendants().filter(|node| node.has_tag_name("circle"));
        assert_eq!(circles.count(), 6);
        assert!(svg.contains("a &lt;b&gt;") && svg.contains("Time &amp; score"));
    }

    #[test]
    fn nothing_to_draw_is_an_empty_frame() {
        for points in [vec![], vec![TrialPoint { curve: "x".into(), depth: 6, time: None, score: None }]] {
            let svg = draw("", &points);
            assert!(roxmltree::Document::parse(&svg).is_ok());
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
