//! A tree as a self-contained page for a browser.

use std::io::{self, Write};

use super::{Tree, json};
use kelso_reports::diagram::{PIECES, STYLE};
use kelso_reports::page::SCRIPT;

const PAGE: &str = include_str!("page.html");
/// Placeholders for the data and for the code shared by all pages with a board.
const MARK: &str = "DATA";
const SHARED: [(&str, &str); 3] = [("STYLE\n", STYLE), ("PIECES\n", PIECES), ("SCRIPT\n", SCRIPT)];

pub fn page(tree: &Tree, out: &mut dyn Write) -> io::Result<()> {
    let filled = SHARED.iter().fold(PAGE.to_owned(), |page, (mark, text)| page.replacen(mark, text, 1));
    let (before, after) = filled.split_once(MARK).unwrap_or((&filled, ""));
    let mut data = Vec::new();
    json(tree, &mut data)?;
    out.write_all(before.as_bytes())?;
    // The data must not contain the end tag of the script.
    for part in data.split_inclusive(|&byte| byte == b'<') {
        match part.split_last() {
            Some((b'<', rest)) => {
                out.write_all(rest)?;
                out.write_all(b"\\u003c")?;
            }
            _ => out.write_all(part)?,
        }
    }
    out.write_all(after.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PlayerSpec;
    use crate::tree::record;
    use kelso_draughts::board::Position;

    #[test]
    fn a_tree_page_contains_its_data_and_loads_nothing() {
        let spec = PlayerSpec::parse("searcher=ab depth=3 eval=v1").unwrap();
        let tree = record(&Position::start(), spec, 1000).unwrap();
        let mut text = Vec::new();
        page(&tree, &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let start = text.find("type=\"application/json\">").unwrap() + "type=\"application/json\">".len();
        let end = start + text[start..].find("</script>").unwrap();
        let data: serde_json::Value = serde_json::from_str(&text[start..end]).unwrap();
        assert_eq!(data["kept_nodes"], tree.nodes.len());
        assert!(!text.contains("http"), "a page that stands alone");
        assert_eq!(PAGE.matches(MARK).count(), 1);
        for (mark, shared) in SHARED {
            assert_eq!(PAGE.matches(mark).count(), 1);
            assert!(text.contains(shared) && !text.contains(mark) && !shared.contains(MARK), "{mark}");
        }
    }
}
