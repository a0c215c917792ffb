//! Tables as aligned text and as HTML. A table is built from rows, column by column: each column has a
//! heading, and a function that formats a row's cell.
//!
//! ```
//! use kelso_reports::table::Table;
//!
//! let table = Table::of(&[("Kelso", 12)]).words("engine", |row| row.0).number("won", |row| row.1).build();
//! assert_eq!(table.to_string(), "engine  won\nKelso    12\n");
//! ```

use std::fmt::{self, Display, Write};

use kelso_text::markup::escaped;

#[derive(Clone, Debug)]
struct TableColumn {
    is_number: bool,
    /// The heading and the cells below it.
    cells: Vec<String>,
}

impl TableColumn {
    /// Returns the number of characters in the widest cell.
    fn width(&self) -> usize {
        self.cells.iter().map(|cell| cell.chars().count()).max().unwrap_or(0)
    }
}

/// A table of text.
#[derive(Clone, Debug)]
pub struct Table {
    columns: Vec<TableColumn>,
    /// Number of rows, including the headings.
    rows: usize,
}

/// A table being built: its rows, and the columns added so far.
#[must_use]
#[derive(Debug)]
pub struct Rows<'r, R> {
    rows: &'r [R],
    columns: Vec<TableColumn>,
}

impl<R> Rows<'_, R> {
    /// Adds a left-aligned column.
    pub fn words<D: Display>(self, heading: &str, cell: impl Fn(&R) -> D) -> Self {
        self.column(heading, false, cell)
    }

    /// Adds a right-aligned column of numbers.
    pub fn number<D: Display>(self, heading: &str, cell: impl Fn(&R) -> D) -> Self {
        self.column(heading, true, cell)
    }

    /// Adds a right-aligned column of numbers, some of which are missing.
    pub fn optional<D: Display>(self, heading: &str, cell: impl Fn(&R) -> Option<D>) -> Self {
        self.column(heading, true, |row| cell(row).map_or_else(String::new, |cell| cell.to_string()))
    }

    fn column<D: Display>(mut self, heading: &str, is_number: bool, cell: impl Fn(&R) -> D) -> Self {
        let cells = self.rows.iter().map(|row| cell(row).to_string());
        let cells = std::iter::once(heading.to_owned()).chain(cells).collect();
        self.columns.push(TableColumn { is_number, cells });
        self
    }

    /// Finishes the table.
    pub fn build(self) -> Table {
        Table { columns: self.columns, rows: self.rows.len() + 1 }
    }
}

/// Truncates text that is too wide for a column.
pub fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width - 1).chain(['…']).collect()
}

/// Quotes a value of comma-separated values, if it must be.
fn quoted(cell: &str) -> String {
    if cell.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

const GAP: &str = "  ";

impl Table {
    /// Starts a table without columns.
    pub const fn of<R>(rows: &[R]) -> Rows<'_, R> {
        Rows { rows, columns: Vec::new() }
    }

    fn row(&self, number: usize) -> impl Iterator<Item = (&TableColumn, &String)> {
        self.columns.iter().filter_map(move |column| Some((column, column.cells.get(number)?)))
    }

    /// Formats the table as comma-separated values.
    pub fn csv(&self) -> String {
        let mut text = String::new();
        for number in 0..self.rows {
            let cells: Vec<String> = self.row(number).map(|(_, cell)| quoted(cell)).collect();
            text += &(cells.join(",") + "\n");
        }
        text
    }

    /// Formats the table as HTML, in a box that scrolls on narrow pages.
    pub fn html(&self) -> String {
        let mut rows = String::new();
        for number in 0..self.rows {
            let tag = if number == 0 { "th" } else { "td" };
            rows += "<tr>";
            for (_, cell) in self.row(number) {
                rows = rows + "<" + tag + ">" + &escaped(cell) + "</" + tag + ">";
            }
            rows += "</tr>\n";
        }
        format!("<div class=\"wide\"><table>\n{rows}</table></div>")
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths: Vec<usize> = self.columns.iter().map(TableColumn::width).collect();
        for number in 0..self.rows {
            let mut line = String::new();
            for ((column, cell), &width) in self.row(number).zip(&widths) {
                // Writing to a string cannot fail.
                let _ = if column.is_number {
                    write!(line, "{cell:>width$}{GAP}")
                } else {
                    write!(line, "{cell:<width$}{GAP}")
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
        let table = Table::of(&[("a", "ÄÖÜ", 12), ("longer <name>", "b", 0)])
            .words("name", |row| row.0)
            .words("", |row| row.1)
            .number("n", |row| if row.2 == 0 { String::new() } else { row.2.to_string() })
            .build();
        assert_eq!(table.to_string(), "name                 n\na              ÄÖÜ  12\nlonger <name>  b\n");
        assert_eq!(table.csv(), "name,,n\na,ÄÖÜ,12\nlonger <name>,b,\n");
        let csv = Table::of(&["a \"b\", c"]).words("x,y", |row| *row).build();
        assert_eq!(csv.csv(), "\"x,y\"\n\"a \"\"b\"\", c\"\n");
        assert_eq!(Table::of::<()>(&[]).build().to_string(), "\n");
        let html = table.html();
        assert!(
            html.contains("<tr><th>name</th><th></th><th>n</th></tr>")
                && html.contains("<td>longer &lt;name&gt;</td>")
        );
    }
}
