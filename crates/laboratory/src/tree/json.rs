//! Writes a tree as JSON: a description, the names of the columns, and a row for each node.

use std::io::{self, Write};

use serde_json::{Value as Json, json};

use super::{RecordedNode, Tree};
use crate::value::{HIGHEST, LOWEST, Value, reported};
use kelso_draughts::board::{Color, Square};
use kelso_draughts::notation::{fen, movetext};
use kelso_draughts::score::ReportedScore;
use kelso_engine::search::NodeEnd;

const COLUMNS: [&str; 12] = [
    "parent", "ply", "depth", "move", "alpha", "beta", "score", "bound", "why", "best", "hidden", "captured",
];

/// Writes a tree.
///
/// Scores and windows are from the point of view of the node's side to move, in the evaluation's units: `man`
/// is the value of a man. A proved result is a string (`win 3`, in plies from the root), and an infinite
/// bound of a window is null.
pub fn json(tree: &Tree, out: &mut dyn Write) -> io::Result<()> {
    let sample = tree.sample.map(|sample| {
        json!({
            "whole_to_ply": sample.whole_to,
            "branches": sample.branches,
            "branches_kept": sample.kept,
        })
    });
    let head = [
        ("fen", json!(fen::format(&tree.root))),
        ("side", json!(if tree.root.side() == Color::Black { "black" } else { "white" })),
        ("player", json!(tree.spec.to_string())),
        ("man", json!(tree.man())),
        ("score", value(tree.found.value)),
        ("score_is_exact", json!(tree.found.exact)),
        ("pv", json!(movetext::format_line(&tree.root, &tree.line))),
        ("total_nodes", json!(tree.total)),
        ("kept_nodes", json!(tree.nodes.len())),
        ("sample", json!(sample)),
        ("columns", json!(COLUMNS)),
    ];
    out.write_all(b"{\n")?;
    for (name, value) in head {
        writeln!(out, "\"{name}\": {value},")?;
    }
    out.write_all(b"\"nodes\": [")?;
    for (index, node) in tree.nodes.iter().enumerate() {
        out.write_all(if index == 0 { b"\n" } else { b",\n" })?;
        write!(out, "{}", row(node))?;
    }
    out.write_all(b"\n]\n}\n")
}

fn row(node: &RecordedNode) -> Json {
    json!([
        node.parent,
        node.ply,
        node.depth,
        node.text,
        value(node.window.alpha),
        value(node.window.beta),
        value(node.value),
        node.bound,
        why(node.end),
        node.best,
        node.hidden,
        node.captured.iter().map(Square::number).collect::<Vec<_>>()
    ])
}

/// Names the reason why a node ended, in the laboratory's words.
fn why(end: NodeEnd) -> Json {
    match end {
        NodeEnd::NoMoves => json!("stuck"),
        NodeEnd::Pruned => json!("given-up"),
        end => json!(end),
    }
}

fn value(value: Value) -> Json {
    if value == LOWEST || value == HIGHEST {
        return Json::Null;
    }
    match reported(value) {
        ReportedScore::Win(Some(plies)) => json!(format!("win {plies}")),
        ReportedScore::Loss(Some(plies)) => json!(format!("loss {plies}")),
        ReportedScore::Win(None) => json!("win"),
        ReportedScore::Loss(None) => json!("loss"),
        ReportedScore::Cp(value) => json!(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PlayerSpec;
    use crate::tree::record;
    use kelso_draughts::board::{Bitboard, Position};

    #[test]
    fn every_node_is_a_row_of_valid_json() {
        for (position, player) in [
            (Position::start(), "searcher=ab tt=on q=on depth=5 eval=v2"),
            (fen::parse("B:W9,14:B5").unwrap(), "searcher=negamax depth=2 eval=v1"),
            (fen::parse("W:W25:B22,21").unwrap(), "searcher=ab depth=6 eval=v3"),
        ] {
            let tree = record(&position, PlayerSpec::parse(player).unwrap(), 300).unwrap();
            let mut text = Vec::new();
            json(&tree, &mut text).unwrap();
            let json: Json = serde_json::from_slice(&text).unwrap();
            let rows = json["nodes"].as_array().unwrap();
            assert_eq!(rows.len(), tree.nodes.len());
            for (row, node) in rows.iter().zip(&tree.nodes) {
                assert_eq!(row.as_array().unwrap().len(), COLUMNS.len());
                assert_eq!(row[3], node.text);
                assert_eq!(row[11].as_array().unwrap().len(), node.captured.iter().count());
                assert_eq!(node.text.contains('x'), node.captured != Bitboard::EMPTY);
            }
            assert_eq!(json["kept_nodes"], rows.len());
            assert_eq!(json["fen"], fen::format(&position));
        }
    }
}
