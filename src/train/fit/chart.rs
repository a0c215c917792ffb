//! The losses of a fit by epoch, as SVG.

use std::fmt::Write;

use super::Epoch;
use crate::common::markup::escaped;

/// Name, colour (of Okabe and Ito, whom people with any colour vision tell apart) and value of a curve.
type Curve = (&'static str, &'static str, fn(&Epoch) -> f64);

const CURVES: [Curve; 3] = [
    ("learned from", "#0072b2", |epoch| epoch.train),
    ("held out", "#d55e00", |epoch| epoch.held_out),
    ("held out, against results alone", "#009e73", |epoch| epoch.results),
];
const LEFT: f64 = 64.0;
const TOP: f64 = 44.0;
const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 300.0;
const LINES: u32 = 5;

/// Draws losses.
#[must_use]
pub fn draw(title: &str, epochs: &[Epoch]) -> String {
    let losses = || epochs.iter().flat_map(|epoch| CURVES.iter().map(|curve| curve.2(epoch)));
    let low = losses().fold(f64::INFINITY, f64::min);
    let high = losses().fold(f64::NEG_INFINITY, f64::max);
    let (low, high) = if low < high { (low, high) } else { (low.min(1.0) - 0.01, low.min(1.0) + 0.01) };
    let last = epochs.iter().map(|epoch| epoch.number).max().unwrap_or(1).max(2);
    let x = |number: u32| LEFT + WIDTH * f64::from(number - 1) / f64::from(last - 1);
    let y = |loss: f64| TOP + HEIGHT * (1.0 - (loss - low) / (high - low));
    let (right, bottom) = (LEFT + WIDTH, TOP + HEIGHT);
    let title = escaped(title);
    let (width, height) = (right + 30.0, bottom + 104.0);
    // Writing to a string can't fail.
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"24\" font-size=\"15\">{title}</text>\n"
    );
    for line in 0..=LINES {
        let loss = low + (high - low) * f64::from(line) / f64::from(LINES);
        let y = y(loss);
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {y:.1}H{right}\" stroke=\"#ddd\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{loss:.4}</text>",
            LEFT - 6.0,
            y + 4.0
        );
    }
    for number in (1..=last).step_by(usize::try_from(last.div_ceil(20)).unwrap_or(1)) {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{number}</text>",
            x(number),
            bottom + 18.0
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">epoch</text>\
         <path d=\"M{LEFT} {TOP}V{bottom}H{right}\" fill=\"none\" stroke=\"black\"/>",
        f64::midpoint(LEFT, right),
        bottom + 34.0
    );
    let mut key = bottom + 56.0;
    for (name, colour, value) in CURVES {
        let points: Vec<String> =
            epochs.iter().map(|epoch| format!("{:.1},{:.1}", x(epoch.number), y(value(epoch)))).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\
             <rect x=\"{LEFT}\" y=\"{}\" width=\"18\" height=\"4\" fill=\"{colour}\"/>\
             <text x=\"{}\" y=\"{key}\">{name}</text>",
            points.join(" "),
            key - 6.0,
            LEFT + 26.0
        );
        key += 18.0;
    }
    svg.push_str("</svg>\n");
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_loss_is_inside_the_frame() {
        for count in [0, 1, 2, 300] {
            let epochs: Vec<Epoch> = (1..=count)
                .map(|number| {
                    let loss = 1.0 / f64::from(number);
                    Epoch { number, train: loss, held_out: loss + 0.1, results: loss + 0.2 }
                })
                .collect();
            let svg = draw("a <b>", &epochs);
            let document = roxmltree::Document::parse(&svg).unwrap();
            let lines: Vec<_> = document.descendants().filter(|node| node.has_tag_name("polyline")).collect();
            assert_eq!(lines.len(), 3);
            for line in lines {
                let points: Vec<&str> = line.attribute("points").unwrap().split_whitespace().collect();
                assert_eq!(points.len(), epochs.len());
                for point in points {
                    let (x, y) = point.split_once(',').unwrap();
                    assert!((LEFT..=LEFT + WIDTH).contains(&x.parse().unwrap()), "{svg}");
                    assert!((TOP..=TOP + HEIGHT).contains(&y.parse().unwrap()), "{svg}");
                }
            }
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
