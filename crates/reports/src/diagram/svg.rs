//! Boards as standalone SVG pictures, without style sheets, scripts or fonts.

use super::{Diagram, PIECES, described, resolved};
use kelso_draughts::board::{Color, Piece, PieceKind, Square};

/// Width of a square in SVG user units.
const CELL_UNITS: u16 = 40;

/// Draws an SVG picture of the given width in pixels.
///
/// ```
/// use kelso_draughts::Position;
/// use kelso_reports::diagram::{Diagram, svg};
///
/// assert!(svg(&Diagram::new(Position::start()), 320).starts_with("<svg "));
/// ```
#[must_use]
pub fn svg(diagram: &Diagram, pixels: u32) -> String {
    let board = u32::from(CELL_UNITS) * 8;
    let title = described(&diagram.position);
    // Include only the symbols in use, to keep documents with many pictures small.
    let used: Vec<&str> =
        Square::all().filter_map(|square| diagram.position.piece_at(square)).map(symbol).collect();
    let symbols: String = PIECES
        .split_inclusive('\n')
        .filter(|line| line.split('"').nth(1).is_some_and(|name| used.contains(&name)))
        .collect();
    resolved(&format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {board} {board}\" width=\"{pixels}\" \
         height=\"{pixels}\" role=\"img\" font-family=\"sans-serif\">\n<title>{title}</title>\n<defs>\n\
         {symbols}</defs>\n{}</svg>\n",
        markup(diagram)
    ))
}

/// Returns the content of an `svg` element of class `board` and viewBox `0 0 320 320`, for a page with
/// [`STYLE`](super::STYLE) and [`PIECES`].
#[must_use]
pub fn markup(diagram: &Diagram) -> String {
    let board = u32::from(CELL_UNITS) * 8;
    let cells: String = Square::all().map(|square| cell(diagram, diagram.seen(square))).collect();
    let arrows: String = diagram.arrows.iter().map(|&(from, to)| arrow(diagram, from, to)).collect();
    format!("<rect width=\"{board}\" height=\"{board}\" {}/>\n{cells}{arrows}", fill("light"))
}

/// Returns the SVG attribute that fills an element with a colour of the board.
fn fill(name: &str) -> String {
    format!("fill=\"var(--board-{name})\"")
}

fn cell(diagram: &Diagram, square: Square) -> String {
    let (row, column) = diagram.drawn_at(square);
    let x = u16::from(column) * CELL_UNITS;
    let y = u16::from(row) * CELL_UNITS;
    let ground = if diagram.marked.contains(square) { "mark" } else { "dark" };
    // Small and near the corner, so that pieces do not cover the number.
    let number =
        format!("<text x=\"{}\" y=\"{}\" font-size=\"7\" {}>{square}</text>", x + 1, y + 7, fill("number"));
    let number = if diagram.numbers { number } else { String::new() };
    let area = format!("x=\"{x}\" y=\"{y}\" width=\"{CELL_UNITS}\" height=\"{CELL_UNITS}\"");
    let piece = diagram.position.piece_at(square);
    let piece = piece.map_or_else(String::new, |piece| format!("<use href=\"#{}\" {area}/>", symbol(piece)));
    format!("<rect {area} {}/>{number}{piece}\n", fill(ground))
}

const fn symbol(piece: Piece) -> &'static str {
    match (piece.color, piece.kind) {
        (Color::Black, PieceKind::Man) => "black-man",
        (Color::Black, PieceKind::King) => "black-king",
        (Color::White, PieceKind::Man) => "white-man",
        (Color::White, PieceKind::King) => "white-king",
    }
}

/// Returns the centre of a square.
fn centre(diagram: &Diagram, square: Square) -> (f64, f64) {
    let (row, column) = diagram.drawn_at(square);
    let half = f64::from(CELL_UNITS) / 2.0;
    (f64::from(u16::from(column) * CELL_UNITS) + half, f64::from(u16::from(row) * CELL_UNITS) + half)
}

fn arrow(diagram: &Diagram, from: Square, to: Square) -> String {
    let outline = arrow_outline(diagram, from, to);
    format!("<polygon points=\"{outline}\" {} opacity=\"0.85\"/>\n", fill("arrow"))
}

fn arrow_outline(diagram: &Diagram, from: Square, to: Square) -> String {
    let (ax, ay) = centre(diagram, from);
    let (bx, by) = centre(diagram, to);
    let length = (bx - ax).hypot(by - ay).max(1.0);
    let ux = (bx - ax) / length;
    let uy = (by - ay) / length;
    let outline: [(f64, f64); 7] = [
        (0.0, 2.5),
        (length - 13.0, 2.5),
        (length - 13.0, 8.0),
        (length, 0.0),
        (length - 13.0, -8.0),
        (length - 13.0, -2.5),
        (0.0, -2.5),
    ];
    let points = outline.map(|(along, aside)| {
        format!("{:.1},{:.1}", ax + ux * along - uy * aside, ay + uy * along + ux * aside)
    });
    points.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagram::hex;
    use kelso_draughts::board::{Bitboard, Position};
    use kelso_draughts::notation::fen;

    #[test]
    fn a_picture_shows_the_pieces_and_loads_nothing() {
        let mut diagram = Diagram::new(fen::parse("W:WK5,30:B14,K32").unwrap());
        diagram.marked = Bitboard::from_numbers(&[14, 9]);
        let square = |number| Square::from_number(number).unwrap();
        diagram.arrows = vec![(square(5), square(9))];
        let text = svg(&diagram, 480);
        let size = "viewBox=\"0 0 320 320\" width=\"480\" height=\"480\"";
        assert!(text.starts_with(&format!("<svg xmlns=\"http://www.w3.org/2000/svg\" {size} ")), "{text}");
        assert!(
            markup(&diagram)
                .starts_with("<rect width=\"320\" height=\"320\" fill=\"var(--board-light)\"/>\n")
        );
        let document = roxmltree::Document::parse(&text).unwrap();
        let count = |tag: &str| document.descendants().filter(|node| node.has_tag_name(tag)).count();
        assert_eq!((count("rect"), count("text"), count("use"), count("polygon")), (33, 32, 4, 1));
        assert_eq!(count("symbol"), 4);
        let marked = document.descendants().filter(|node| node.attribute("fill") == hex("board-mark"));
        assert_eq!(marked.count(), 2);
        assert!(!text.contains("var(") && !text.contains("style"), "{text}");
        let title = document.descendants().find(|node| node.has_tag_name("title")).unwrap();
        assert_eq!(
            title.text(),
            Some("white to move; black man on 14 and king on 32; white man on 30 and king on 5")
        );
    }

    #[test]
    fn an_arrow_leads_from_the_middle_of_a_square_to_another() {
        let square = |number| Square::from_number(number).unwrap();
        // An arrow from (60, 20) to (20, 60): the shaft is 5 wide, the head 13 long and 16 wide.
        let points = arrow_outline(&Diagram::new(Position::start()), square(1), square(5));
        let expected = "58.2,18.2 27.4,49.0 23.5,45.2 20.0,60.0 34.8,56.5 31.0,52.6 61.8,21.8";
        assert_eq!(points, expected);
    }

    #[test]
    fn every_square_is_drawn_at_its_place() {
        let text = svg(&Diagram::new(Position::start()), 320);
        let document = roxmltree::Document::parse(&text).unwrap();
        let cells =
            document.descendants().filter(|node| node.has_tag_name("rect") && node.has_attribute("x"));
        let at = |node: roxmltree::Node<'_, '_>, name| node.attribute(name).unwrap().parse::<u16>().unwrap();
        let places: Vec<_> = cells.map(|cell| (at(cell, "x"), at(cell, "y"))).collect();
        let expected: Vec<_> = Square::all()
            .map(|square| (u16::from(square.column()) * 40, u16::from(square.row()) * 40))
            .collect();
        assert_eq!(places, expected);
    }

    #[test]
    fn a_turned_picture_has_square_32_at_the_top_left() {
        let mut diagram = Diagram::new(Position::start()).seen_from(Color::Black);
        let text = svg(&diagram, 320);
        assert!(text.contains("<text x=\"41\" y=\"7\" font-size=\"7\" fill=\"#20352a\">32</text>"), "{text}");
        assert!(
            markup(&diagram)
                .contains("<text x=\"41\" y=\"7\" font-size=\"7\" fill=\"var(--board-number)\">32</text>")
        );
        diagram.numbers = false;
        assert!(!svg(&diagram, 320).contains("<text"));
    }
}
