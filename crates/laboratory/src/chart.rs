//! Charts as SVG: time per move by depth, on a logarithmic scale, and score by depth.

use common::chart::{self, Axis, Curve, Panel};

/// A point of a curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The curve that it belongs to.
    pub curve: String,
    /// Its depth.
    pub depth: usize,
    /// Milliseconds per move.
    pub time: Option<f64>,
    /// Percent of the points.
    pub score: Option<f64>,
}

const WIDTH: f64 = 460.0;

/// Draws the points.
pub fn draw(title: &str, points: &[Point]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for point in points {
        if !names.contains(&point.curve.as_str()) {
            names.push(&point.curve);
        }
    }
    let curves = |value: fn(&Point) -> Option<f64>| {
        let placed =
            |point: &Point| Some(chart::Point { x: depth(point).into(), y: value(point)?, error: 0.0 });
        let curve = |&name: &&str| {
            let own = points.iter().filter(|point| point.curve == name);
            Curve { name: name.to_owned(), points: own.filter_map(placed).collect() }
        };
        names.iter().map(curve).collect()
    };
    let first = points.iter().map(depth).min().unwrap_or(1);
    let last = points.iter().map(depth).max().unwrap_or(1);
    let x = Axis::whole("depth", first, last);
    let times = points.iter().filter_map(|point| point.time);
    let panels = [
        Panel {
            width: WIDTH,
            x: x.clone(),
            y: Axis::powers("milliseconds per move", times),
            curves: curves(|point| point.time.filter(|&time| time > 0.0)),
        },
        Panel { width: WIDTH, x, y: Axis::percent("score in percent"), curves: curves(|point| point.score) },
    ];
    chart::draw(title, &panels)
}

fn depth(point: &Point) -> u32 {
    u32::try_from(point.depth).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(curve: &str, depth: usize, time: f64, score: f64) -> Point {
        Point { curve: curve.into(), depth, time: Some(time), score: Some(score) }
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
        for points in [vec![], vec![Point { curve: "x".into(), depth: 6, time: None, score: None }]] {
            let svg = draw("", &points);
            assert!(roxmltree::Document::parse(&svg).is_ok());
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
