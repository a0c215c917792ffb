//! Charts as SVG: curves in one or more panels side by side, with a legend below.
//!
//! A chart is a standalone document that can also be embedded in a page. It has colours for light and dark
//! themes.
//!
//! ```
//! use kelso_reports::chart::{Axis, Curve, Panel, Point, draw};
//!
//! let points = [(1.0, 0.9), (2.0, 0.7), (3.0, 0.6)].map(|(x, y)| Point { x, y, error: 0.0 });
//! let curves = vec![Curve { name: "held out".into(), points: points.into() }];
//! let (x, y) = (Axis::whole("epoch", 1, 3), Axis::even("loss", 0.6, 0.9));
//! let svg = draw("A fit", &[Panel { width: 560.0, x, y, curves }]);
//! assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
//! ```

use std::collections::HashMap;
use std::fmt::{self, Write};

use kelso_draughts::board::Color;
use kelso_draughts::score::ReportedScore;
use kelso_text::markup::escaped;

/// Returns a score as drawn on a chart: from White's point of view, in hundredths of a man. Wins and losses
/// are drawn at the limit.
pub fn charted(score: ReportedScore, side: Color, limit: i32) -> i32 {
    let height = match score {
        ReportedScore::Cp(cp) => cp.clamp(-limit, limit),
        ReportedScore::Win(_) => limit,
        ReportedScore::Loss(_) => -limit,
    };
    if side == Color::Black { -height } else { height }
}

/// A panel: two axes and the curves on them.
#[derive(Clone, Debug)]
pub struct Panel {
    /// Width of the panel. All panels have the same height.
    pub width: f64,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The curves. Curves with the same index have the same colour in all panels.
    pub curves: Vec<Curve>,
}

#[derive(Clone, Debug)]
pub struct Curve {
    /// The name in the legend.
    pub name: String,
    /// The points, from left to right.
    pub points: Vec<Point>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The horizontal value.
    pub x: f64,
    /// The vertical value.
    pub y: f64,
    /// Half the length of the error bar of `y`, or 0 for none.
    pub error: f64,
}

/// An axis: its label, range and ticks.
#[derive(Clone, Debug)]
pub struct Axis {
    label: String,
    range: (f64, f64),
    scale: fn(f64) -> f64,
    ticks: Vec<f64>,
    /// Formats the value at a tick or a point.
    shown: fn(f64) -> String,
}

/// Maximum number of ticks below a panel.
const MAX_TICKS: u32 = 20;
/// Maximum number of points for which a curve has dots and values.
const MAX_DOTS: usize = 40;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 64.0;
const TOP: f64 = 48.0;
const BELOW: f64 = 60.0;
const RIGHT: f64 = 32.0;
const ROW: f64 = 18.0;
/// The colour-blind-safe palette of Okabe and Ito, for white and black backgrounds.
const COLORS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a7f00", "#7b62c9"];
const STYLE: &str = "\
.chart { font: 12px system-ui, sans-serif; background: #fff }
.chart text { fill: #333 } .chart .grid { stroke: #ddd } .chart .frame { stroke: #333; fill: none }
@media (prefers-color-scheme: dark) {
.chart { background: #17191b }
.chart text { fill: #ccc } .chart .grid { stroke: #3a3d40 } .chart .frame { stroke: #999 }
}";

impl Axis {
    fn linear(label: &str, range: (f64, f64), ticks: Vec<f64>) -> Self {
        Self { label: label.into(), range, scale: |value| value, ticks, shown: plain }
    }

    /// Creates an axis of whole numbers.
    pub fn whole(label: &str, first: u32, last: u32) -> Self {
        let last = last.max(first.saturating_add(1));
        let step = (last - first).div_ceil(MAX_TICKS).max(1);
        let ticks = (first..=last).step_by(step as usize).map(f64::from).collect();
        Self::linear(label, (first.into(), last.into()), ticks)
    }

    /// Creates an axis with even ticks between two values. An empty range is widened.
    pub fn even(label: &str, low: f64, high: f64) -> Self {
        let low = if low.is_finite() { low } else { 0.0 };
        let high = if high.is_finite() && high > low { high } else { low + 0.01 };
        let ticks = (0..=5).map(|tick| low + (high - low) * f64::from(tick) / 5.0).collect();
        Self { shown: |value| format!("{value:.4}"), ..Self::linear(label, (low, high), ticks) }
    }

    /// Creates an axis from 0 to 100.
    pub fn percent(label: &str) -> Self {
        Self::linear(label, (0.0, 100.0), vec![0.0, 25.0, 50.0, 75.0, 100.0])
    }

    /// Creates a logarithmic axis that contains the positive values.
    pub fn powers(label: &str, values: impl Iterator<Item = f64> + Clone) -> Self {
        let logs = values.filter(|value| *value > 0.0 && value.is_finite()).map(f64::log10);
        let low = logs.clone().fold(2.0, f64::min).floor();
        let high = logs.fold(low + 1.0, f64::max).ceil();
        let mut ticks = vec![low];
        while let Some(&last) = ticks.last().filter(|&&last| last < high) {
            ticks.push(last + 1.0);
        }
        let ticks = ticks.into_iter().map(|power| 10_f64.powf(power)).collect();
        Self { scale: f64::log10, ..Self::linear(label, (10_f64.powf(low), 10_f64.powf(high)), ticks) }
    }

    /// Returns the position of a value on the axis, from 0 to 1. Values beyond the axis are clamped.
    fn share(&self, value: f64) -> f64 {
        let low = (self.scale)(self.range.0);
        let high = (self.scale)(self.range.1);
        let share = ((self.scale)(value) - low) / (high - low);
        if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) }
    }
}

/// Draws a chart. An empty title is omitted.
pub fn draw(title: &str, panels: &[Panel]) -> String {
    let mut svg = String::new();
    // Writing to a string cannot fail.
    let _ = write_svg(&mut svg, title, panels);
    svg
}

fn write_svg(svg: &mut String, title: &str, panels: &[Panel]) -> fmt::Result {
    let mut names: Vec<&str> = Vec::new();
    for curve in panels.iter().flat_map(|panel| &panel.curves) {
        if !names.contains(&curve.name.as_str()) {
            names.push(&curve.name);
        }
    }
    let colors: HashMap<&str, &str> = names.iter().copied().zip(COLORS.iter().copied().cycle()).collect();
    let width: f64 = panels.iter().map(|panel| LEFT + panel.width + RIGHT).sum();
    let key = TOP + HEIGHT + BELOW;
    let rows = (0_u32..).zip(&names).map(|(row, name)| (key + ROW * f64::from(row), name));
    let height = key + ROW * rows.clone().map(|_| 1.0).sum::<f64>();
    let label = escaped(if title.is_empty() { "chart" } else { title });
    writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\"{label}\">\n<style>\n{STYLE}\n</style>"
    )?;
    if !title.is_empty() {
        writeln!(svg, "<text x=\"{LEFT}\" y=\"18\" style=\"font-size:15px\">{label}</text>")?;
    }
    let mut left = LEFT;
    for panel in panels {
        panel.frame(svg, left)?;
        for curve in &panel.curves {
            panel.curve(svg, left, curve, colors[curve.name.as_str()])?;
        }
        left += panel.width + RIGHT + LEFT;
    }
    for (y, name) in rows {
        writeln!(
            svg,
            "<rect x=\"{LEFT}\" y=\"{}\" width=\"18\" height=\"4\" fill=\"{}\"/><text x=\"{}\" y=\"{y}\">{}</text>",
            y - 6.0,
            colors[name],
            LEFT + 26.0,
            escaped(name)
        )?;
    }
    writeln!(svg, "</svg>")
}

impl Panel {
    fn pixels(&self, left: f64, x: f64, y: f64) -> (f64, f64) {
        (left + self.width * self.x.share(x), TOP + HEIGHT * (1.0 - self.y.share(y)))
    }

    fn frame(&self, svg: &mut String, left: f64) -> fmt::Result {
        let right = left + self.width;
        let bottom = TOP + HEIGHT;
        let label = escaped(&self.y.label);
        writeln!(svg, "<text x=\"{left}\" y=\"{}\" style=\"font-weight:bold\">{label}</text>", TOP - 10.0)?;
        for &tick in &self.y.ticks {
            let (_, y) = self.pixels(left, self.x.range.0, tick);
            writeln!(
                svg,
                "<path class=\"grid\" d=\"M{left} {y:.1}H{right}\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                left - 6.0,
                y + 4.0,
                (self.y.shown)(tick)
            )?;
        }
        for &tick in &self.x.ticks {
            let (x, _) = self.pixels(left, tick, self.y.range.0);
            let label = (self.x.shown)(tick);
            writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{label}</text>",
                bottom + 18.0
            )?;
        }
        writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text><path class=\"frame\" d=\"M{left} {TOP}V{bottom}H{right}\"/>",
            f64::midpoint(left, right),
            bottom + 34.0,
            escaped(&self.x.label)
        )
    }

    /// Returns the value of an SVG `points` attribute.
    fn svg_points(&self, left: f64, points: impl Iterator<Item = (f64, f64)>) -> String {
        let points = points.map(|(x, y)| {
            let (x, y) = self.pixels(left, x, y);
            format!("{x:.1},{y:.1}")
        });
        points.collect::<Vec<_>>().join(" ")
    }

    fn curve(&self, svg: &mut String, left: f64, curve: &Curve, color: &str) -> fmt::Result {
        let points: Vec<Point> =
            curve.points.iter().copied().filter(|point| point.x.is_finite() && point.y.is_finite()).collect();
        if points.iter().any(|point| point.error > 0.0) {
            let upper = points.iter().map(|point| (point.x, point.y + point.error));
            let lower = points.iter().rev().map(|point| (point.x, point.y - point.error));
            let band = self.svg_points(left, upper.chain(lower));
            writeln!(svg, "<polygon points=\"{band}\" fill=\"{color}\" opacity=\"0.15\"/>")?;
        }
        let path = self.svg_points(left, points.iter().map(|point| (point.x, point.y)));
        writeln!(svg, "<polyline points=\"{path}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>")?;
        for point in points.iter().filter(|_| points.len() <= MAX_DOTS) {
            let (x, y) = self.pixels(left, point.x, point.y);
            let value = format!("{} {}: {}", self.x.label, (self.x.shown)(point.x), (self.y.shown)(point.y));
            writeln!(
                svg,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{color}\"><title>{}</title></circle>",
                escaped(&value)
            )?;
        }
        Ok(())
    }
}

/// Formats a number without trailing zeros.
fn plain(value: f64) -> String {
    let text = if value.abs() < 1.0 { format!("{value:.5}") } else { format!("{value:.2}") };
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_charted_for_white_up_to_a_limit() {
        let scores = [ReportedScore::Cp(-70), ReportedScore::Cp(7000), ReportedScore::Loss(None)];
        assert_eq!(scores.map(|score| charted(score, Color::Black, 3000)), [70, -3000, 3000]);
    }

    fn curve(name: &str, points: &[(f64, f64)]) -> Curve {
        let points = points.iter().map(|&(x, y)| Point { x, y, error: 0.3 }).collect();
        Curve { name: name.into(), points }
    }

    fn valid(svg: &str) -> roxmltree::Document<'_> {
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        roxmltree::Document::parse(svg).unwrap()
    }

    #[test]
    fn every_point_is_drawn_inside_its_panel() {
        let first = curve("a <b>", &[(3.0, 0.02), (4.0, 1.0), (5.0, 30.0)]);
        let second = curve("c", &[(2.0, -9.0), (9.0, 900.0), (4.0, f64::NAN)]);
        let axis = Axis::powers("time", first.points.iter().map(|point| point.y));
        let panel = Panel { width: 400.0, x: Axis::whole("depth", 3, 5), y: axis, curves: vec![first] };
        let other =
            Panel { curves: vec![second], y: Axis::percent("score"), x: Axis::whole("depth", 3, 5), ..panel };
        let panel = Panel { curves: vec![curve("a <b>", &[(3.0, 0.02), (5.0, 30.0)])], ..other.clone() };
        let svg = draw("Time & score", &[panel, other]);
        let document = valid(&svg);
        let circles: Vec<_> = document.descendants().filter(|node| node.has_tag_name("circle")).collect();
        assert_eq!(circles.len(), 4);
        for (index, circle) in circles.iter().enumerate() {
            let number = |name| circle.attribute(name).unwrap().parse::<f64>().unwrap();
            let left = if index < 2 { LEFT } else { LEFT + 400.0 + RIGHT + LEFT };
            assert!((TOP..=TOP + HEIGHT).contains(&number("cy")), "{svg}");
            assert!((left..=left + 400.0).contains(&number("cx")), "{svg}");
        }
        assert!(svg.contains("a &lt;b&gt;") && svg.contains("Time &amp; score"));
    }

    #[test]
    fn powers_of_ten_are_equally_far_apart() {
        let axis = Axis::powers("ms", [0.02, 30.0].into_iter());
        assert_eq!(
            axis.ticks.iter().map(|&tick| plain(tick)).collect::<Vec<_>>(),
            ["0.01", "0.1", "1", "10", "100"]
        );
        let shares: Vec<String> = axis.ticks.iter().map(|&tick| format!("{:.2}", axis.share(tick))).collect();
        assert_eq!(shares, ["0.00", "0.25", "0.50", "0.75", "1.00"]);
    }

    #[test]
    fn nothing_to_draw_is_an_empty_frame() {
        valid(&draw("", &[]));
        for y in [
            Axis::percent(""),
            Axis::powers("", std::iter::empty()),
            Axis::even("", f64::INFINITY, f64::NEG_INFINITY),
            Axis::even("", 1.0, 1.0),
        ] {
            let x = Axis::whole("", 7, 7);
            valid(&draw(
                "",
                &[Panel { width: 9.0, x, y, curves: vec![curve("x", &[]), curve("y", &[(0.0, 0.0)])] }],
            ));
        }
    }

    #[test]
    fn long_axes_and_long_curves_have_few_marks() {
        let axis = Axis::whole("epoch", 1, 3000);
        assert!(axis.ticks.len() <= MAX_TICKS as usize + 1);
        let points: Vec<(f64, f64)> = (1..=3000).map(|n| (f64::from(n), 50.0)).collect();
        let curves = vec![curve("x", &points)];
        let svg = draw("", &[Panel { width: 500.0, x: axis, y: Axis::percent(""), curves }]);
        assert!(!svg.contains("<circle"));
    }
}
