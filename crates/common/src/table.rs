//! Tables of text whose columns stand below each other.
//!
//! ```
//! use common::table::Table;
//!
//! let mut table = Table::new(1, ["engine", "won"]);
//! table.row(["Kelso".to_owned(), "12".to_owned()]);
//! assert_eq!(table.to_string(), "engine  won\nKelso    12\n");
//! ```

use std::fmt::{self, Write};

use draughts::diagram::markup::escaped;

/// A table. The first columns hold words, which stand at the left; the others numbers, which stand at the right.
#[derive(Clone, Debug)]
pub struct Table {
    words: usize,
    rows: Vec<Vec<String>>,
}

/// Between columns.
const GAP: &str = "  ";

impl Table {
    /// A table with so many columns of words, and its heads.
    #[must_use]
    pub fn new(words: usize, heads: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { words, rows: vec![heads.into_iter().map(Into::into).collect()] }
    }

    /// Adds a row. One that is shorter than others is empty at its end.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// The heads, and the rows below them.
    #[must_use]
    pub fn rows(&self) -> &[Vec<String>] {
        &self.rows
    }

    /// As a table of HTML, in a box of its own that can be moved where the page is too narrow.
    #[must_use]
    pub fn html(&self) -> String {
        let row = |(number, cells): (usize, &Vec<String>)| {
            let tag = if number == 0 { "th" } else { "td" };
            let cells: Vec<String> = cells.iter().map(|cell| escaped(cell)).collect();
            format!("<tr><{tag}>{}</{tag}></tr>\n", cells.join(&format!("</{tag}><{tag}>")))
        };
        let rows: Vec<String> = self.rows.iter().enumerate().map(row).collect();
        format!("<div class=\"wide\"><table>\n{}</table></div>", rows.concat())
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |row: &Vec<String>, column: usize| row.get(column).map_or(0, |cell| cell.chars().count());
        let widest = |column| self.rows.iter().map(|row| width(row, column)).max();
        let widths: Vec<usize> = (0..columns).map(|column| widest(column).unwrap_or(0)).collect();
        for row in &self.rows {
            let mut line = String::new();
            for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                if column > 0 {
                    line.push_str(GAP);
                }
                // Writing to a string can't fail.
                let _ = if column < self.words {
                    write!(line, "{cell:<width$}")
                } else {
                    write!(line, "{cell:>width$}")
                };
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_left_and_numbers_right() {
        let mut table = Table::new(2, ["name", "", "n"]);
        table.row(["a".into(), "ÄÖÜ".into(), "1".into(), "2".into()]);
        table.row(["longer name".into(), "b".into()]);
        assert_eq!(table.to_string(), "name              n\na            ÄÖÜ  1  2\nlonger name  b\n");
        assert_eq!(Table::new(1, Vec::<String>::new()).to_string(), "\n");
        let html = table.html();
        assert!(
            html.contains("<tr><th>name</th><th></th><th>n</th></tr>")
                && html.contains("<td>longer name</td>")
        );
    }
}
