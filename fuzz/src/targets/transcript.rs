//! Any text as a transcript, as a pattern and as a line of output: parsed items survive a round trip, and
//! every line matches its own expectation.

use kelso_transcripts::{Pattern, Transcript, TranscriptItem, expectation_of, markdown};

pub fn run(text: &str) {
    match Transcript::parse(text, 1) {
        Ok(transcript) => {
            let lines: Vec<_> = transcript.lines.iter().map(|line| line.text.as_str()).collect();
            assert_eq!(lines.join("\n"), text);
            for line in &transcript.lines {
                if let TranscriptItem::Expect(expectation) = &line.item {
                    let again = Transcript::parse(&expectation.to_string(), line.number)
                        .map(|t| t.lines[0].item.clone());
                    assert_eq!(again.as_ref(), Ok(&line.item));
                }
            }
        }
        Err(error) => assert!(error.line > 0 && !error.to_string().contains('\n')),
    }
    for line in text.lines() {
        assert!(Pattern::literal(line).matches(line));
        assert!(expectation_of(line).pattern.matches(line));
        let pattern = Pattern::parse(line);
        assert_eq!(Pattern::parse(&pattern.to_string()), pattern);
    }
    let count = text.split('\n').count();
    for block in markdown::blocks(text) {
        assert!(block.first_line > 1 && block.first_line - 1 + block.lines <= count);
    }
}
