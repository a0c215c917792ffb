//! A chart of the losses of a fit by epoch, as SVG.

use super::Losses;
use common::chart::{self, Axis, Curve, Panel, Point};

/// The name and the value of a curve.
type Loss = (&'static str, fn(&Losses) -> f64);

const LOSSES: [Loss; 3] = [
    ("training", |epoch| epoch.train),
    ("held out", |epoch| epoch.held_out),
    ("held out, against results", |epoch| epoch.results),
];
const WIDTH: f64 = 560.0;

/// Draws the losses.
pub fn draw(title: &str, epochs: &[Losses]) -> String {
    let curves: Vec<Curve> = LOSSES
        .iter()
        .map(|(name, loss)| {
            let point = |epoch: &Losses| Point { x: epoch.number.into(), y: loss(epoch), error: 0.0 };
            Curve { name: (*name).to_owned(), points: epochs.iter().map(point).collect() }
        })
        .collect();
    let losses = || curves.iter().flat_map(|curve| &curve.points).map(|point| point.y);
    let (low, high) = (losses().fold(f64::INFINITY, f64::min), losses().fold(f64::NEG_INFINITY, f64::max));
    let x = Axis::whole("epoch", 1, epochs.iter().map(|epoch| epoch.number).max().unwrap_or(1));
    chart::draw(title, &[Panel { width: WIDTH, x, y: Axis::even("loss", low, high), curves }])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_epoch_is_drawn() {
        for count in [0, 1, 2, 300] {
            let epochs: Vec<Losses> = (1..=count)
                .map(|number| {
                    let loss = 1.0 / f64::from(number);
                    Losses { number, train: loss, held_out: loss + 0.1, results: loss + 0.2 }
                })
                .collect();
            let svg = draw("a <b>", &epochs);
            let document = roxmltree::Document::parse(&svg).unwrap();
            let lines: Vec<_> = document.descendants().filter(|node| node.has_tag_name("polyline")).collect();
            assert_eq!(lines.len(), 3);
            for line in lines {
                let points: Vec<&str> = line.attribute("points").unwrap().split_whitespace().collect();
                assert_eq!(points.len(), epochs.len());
            }
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
