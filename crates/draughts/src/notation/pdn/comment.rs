//! Formatting the text of comments.

/// Appends text to a comment, with single spaces between words.
pub(super) fn add_comment(comment: &mut String, text: &str) {
    let text = tidy(text);
    if !comment.is_empty() && !text.is_empty() {
        comment.push(' ');
    }
    comment.push_str(&text);
}

/// Joins the words of a comment with single spaces.
pub(super) fn tidy(comment: &str) -> String {
    let words = comment.split(|c: char| c.is_whitespace() || c.is_control());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ")
}
