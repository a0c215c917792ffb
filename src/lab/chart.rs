//! Charts as SVG: time per move by depth, on a scale of powers of ten, and score by depth.

use std::fmt::Write;

use crate::common::markup::escaped;

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
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 64.0;
const TOP: f64 = 44.0;
const GAP: f64 = 96.0;
/// Colours that people with any colour vision tell apart (Okabe and Ito).
const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8a7f00"];

/// One of the two pictures.
struct Panel<'a> {
    title: &'a str,
    left: f64,
    /// The first and the last depth.
    depths: (usize, usize),
    /// The lowest and the highest value, after `scale`.
    range: (f64, f64),
    scale: fn(f64) -> f64,
    ticks: Vec<(f64, String)>,
    value: fn(&Point) -> Option<f64>,
}

/// Draws the points.
#[must_use]
pub fn draw(title: &str, points: &[Point]) -> String {
    let mut curves: Vec<&str> = Vec::new();
    for point in points {
        if !curves.contains(&point.curve.as_str()) {
            curves.push(&point.curve);
        }
    }
    let first = points.iter().map(|point| point.depth).min().unwrap_or(1);
    let last = points.iter().map(|point| point.depth).max().unwrap_or(1).max(first + 1);
    let times = || points.iter().filter_map(|point| point.time).filter(|&time| time > 0.0).map(f64::log10);
    let low = times().fold(f64::INFINITY, f64::min).min(2.0).floor();
    let high = times().fold(f64::NEG_INFINITY, f64::max).max(low + 1.0).ceil();
    let mut powers = Vec::new();
    let mut power = low;
    while power <= high {
        powers.push((power, plain(10_f64.powf(power))));
        power += 1.0;
    }
    let panels = [
        Panel {
            title: "milliseconds per move",
            left: LEFT,
            depths: (first, last),
            range: (low, high),
            scale: f64::log10,
            ticks: powers,
            value: |point| point.time.filter(|&time| time > 0.0),
        },
        Panel {
            title: "score in percent",
            left: LEFT + WIDTH + GAP,
            depths: (first, last),
            range: (0.0, 100.0),
            scale: |score| score,
            ticks: [0.0, 25.0, 50.0, 75.0, 100.0].map(|score| (score, plain(score))).to_vec(),
            value: |point| point.score,
        },
    ];
    let (width, key) = (LEFT + 2.0 * WIDTH + GAP + 30.0, TOP + HEIGHT + 60.0);
    #[expect(clippy::cast_precision_loss, reason = "a handful of curves")]
    let height = key + 18.0 * curves.len() as f64 + 12.0;
    // Writing to a string can't fail.
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"18\" font-size=\"15\">{}</text>\n",
        escaped(title)
    );
    for panel in &panels {
        panel.frame(&mut svg);
        for (index, curve) in curves.iter().enumerate() {
            let own = points.iter().filter(|point| point.curve == *curve);
            panel.curve(&mut svg, own, COLOURS[index % COLOURS.len()]);
        }
    }
    for (index, curve) in curves.iter().enumerate() {
        #[expect(clippy::cast_precision_loss, reason = "a handful of curves")]
        let y = key + 18.0 * index as f64;
        let colour = COLOURS[index % COLOURS.len()];
        let _ = writeln!(
            svg,
            "<rect x=\"{LEFT}\" y=\"{}\" width=\"18\" height=\"4\" fill=\"{colour}\"/>\
             <text x=\"{}\" y=\"{}\">{}</text>",
            y - 6.0,
            LEFT + 26.0,
            y,
            escaped(curve)
        );
    }
    svg.push_str("</svg>\n");
    svg
}

impl Panel<'_> {
    #[expect(clippy::cast_precision_loss, reason = "depths are small")]
    fn x(&self, depth: usize) -> f64 {
        let (first, last) = self.depths;
        self.left + WIDTH * (depth - first) as f64 / (last - first) as f64
    }

    fn y(&self, scaled: f64) -> f64 {
        let (low, high) = self.range;
        TOP + HEIGHT * (1.0 - (scaled - low) / (high - low))
    }

    fn frame(&self, svg: &mut String) {
        let (left, right, bottom) = (self.left, self.left + WIDTH, TOP + HEIGHT);
        let _ = writeln!(
            svg,
            "<text x=\"{left}\" y=\"{}\" font-weight=\"bold\">{}</text>",
            TOP - 8.0,
            self.title
        );
        for (value, label) in &self.ticks {
            let y = self.y(*value);
            let _ = writeln!(
                svg,
                "<line x1=\"{left}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
                left - 6.0,
                y + 4.0
            );
        }
        let (first, last) = self.depths;
        for depth in first..=last {
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{depth}</text>",
                self.x(depth),
                bottom + 18.0
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">depth</text>\
             <path d=\"M{left} {TOP}V{bottom}H{right}\" fill=\"none\" stroke=\"black\"/>",
            f64::midpoint(left, right),
            bottom + 36.0
        );
    }

    fn curve<'p>(&self, svg: &mut String, points: impl Iterator<Item = &'p Point>, colour: &str) {
        let mut path = String::new();
        let mut dots = String::new();
        for point in points {
            let Some(value) = (self.value)(point) else { continue };
            let (x, y) = (self.x(point.depth), self.y((self.scale)(value)));
            let _ = write!(path, "{}{x:.1} {y:.1}", if path.is_empty() { "M" } else { "L" });
            let _ = write!(
                dots,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{colour}\"><title>depth {}: {}</title></circle>",
                point.depth,
                plain(value)
            );
        }
        if !path.is_empty() {
            let _ = writeln!(
                svg,
                "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>{dots}"
            );
        }
    }
}

/// A number with as many digits as it needs.
fn plain(value: f64) -> String {
    let text = if value.abs() < 1.0 { format!("{value:.5}") } else { format!("{value:.2}") };
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(curve: &str, depth: usize, time: f64, score: f64) -> Point {
        Point { curve: curve.into(), depth, time: Some(time), score: Some(score) }
    }

    #[test]
    fn every_point_is_drawn_inside_its_panel() {
        let points = [point("a <b>", 3, 0.02, 0.0), point("a <b>", 5, 30.0, 100.0), point("c", 4, 1.0, 50.0)];
        let svg = draw("Time & score", &points);
        let document = roxmltree::Document::parse(&svg).unwrap();
        let circles: Vec<_> = document.descendants().filter(|node| node.has_tag_name("circle")).collect();
        assert_eq!(circles.len(), 6);
        for circle in circles {
            let number = |name| circle.attribute(name).unwrap().parse::<f64>().unwrap();
            assert!((TOP..=TOP + HEIGHT).contains(&number("cy")), "{svg}");
            assert!(number("cx") >= LEFT);
        }
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
