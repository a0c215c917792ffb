//! Fenced code blocks in Markdown.

/// A fenced block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// The language: the first word after the opening fence.
    pub language: String,
    /// Line number of the first line inside the block, from 1.
    pub first_line: usize,
    /// Number of lines inside the block.
    pub lines: usize,
    /// Indentation of the fence. It is removed from the text.
    pub indent: String,
    /// The lines inside the block, joined by line feeds.
    pub text: String,
}

impl Block {
    /// Creates a block from a whole text.
    pub(super) fn whole(text: &str, language: &str) -> Self {
        let lines = text.split('\n').count();
        Self { language: language.into(), first_line: 1, lines, indent: String::new(), text: text.into() }
    }
}

/// Returns all fenced blocks in the text. A block without a closing fence extends to the end.
pub fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = text.split('\n').enumerate();
    while let Some((index, line)) = lines.next() {
        let Some(fence) = Fence::open(line) else { continue };
        let mut inside = Vec::new();
        for (_, line) in lines.by_ref() {
            if fence.is_closed_by(line) {
                break;
            }
            inside.push(fence.without_indent(line));
        }
        blocks.push(Block {
            language: fence.language.to_owned(),
            first_line: index + 2,
            lines: inside.len(),
            indent: fence.indent.to_owned(),
            text: inside.join("\n"),
        });
    }
    blocks
}

struct Fence<'a> {
    indent: &'a str,
    mark: char,
    length: usize,
    language: &'a str,
}

impl<'a> Fence<'a> {
    /// Parses an opening fence: three or more backticks or tildes, with any indentation, since the block may
    /// be in a list.
    fn open(line: &'a str) -> Option<Self> {
        let body = line.trim_start_matches([' ', '\t']);
        let indent = line.get(..line.len() - body.len())?;
        let mark = body.chars().next().filter(|mark| ['`', '~'].contains(mark))?;
        let rest = body.trim_start_matches(mark);
        let length = body.len() - rest.len();
        // If there are more backticks on the line, it is inline code.
        let is_fence = length >= 3 && (mark == '~' || !rest.contains('`'));
        is_fence.then(|| Self {
            indent,
            mark,
            length,
            language: rest.split_whitespace().next().unwrap_or_default(),
        })
    }

    fn is_closed_by(&self, line: &str) -> bool {
        let body = line.trim();
        body.len() >= self.length && body.chars().all(|c| c == self.mark)
    }

    /// Removes the fence's indentation. A line may be indented less than the fence.
    fn without_indent(&self, line: &'a str) -> &'a str {
        let common = line.bytes().zip(self.indent.bytes()).take_while(|(a, b)| a == b).count();
        &line[common..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_found_with_their_lines() {
        let text = "a\n```transcript x\n> uci\n< ok\n```\n\n- b\n\n  ~~~~ console\n  $ ls\n   ~~~\n  ~~~~\n``no``\n```\nopen";
        let found: Vec<_> =
            blocks(text).into_iter().map(|b| (b.language, b.first_line, b.lines, b.indent, b.text)).collect();
        assert_eq!(
            found,
            [
                ("transcript".into(), 3, 2, String::new(), "> uci\n< ok".into()),
                ("console".into(), 10, 2, "  ".into(), "$ ls\n ~~~".into()),
                (String::new(), 15, 1, String::new(), "open".to_owned()),
            ]
        );
    }

    #[test]
    fn a_fence_inside_a_longer_one_is_text() {
        let found = blocks("````\n```transcript\n> a\n```\n````\n");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].text, "```transcript\n> a\n```");
    }
}
