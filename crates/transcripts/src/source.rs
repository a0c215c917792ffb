//! Reads transcripts from files, directories and Markdown documents.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::markdown::{self, Block};
use super::script::{Transcript, TranscriptError};
use kelso_batch::error::{RunError, failed};
use kelso_runtime::files;

/// Extension of transcript files in directories.
pub const EXTENSION: &str = "txt";
/// Language of fenced Markdown blocks that are transcripts.
pub const LANGUAGE: &str = "transcript";
const MAX_FILE_BYTES: u64 = 64 << 20;

/// A file with transcripts.
#[derive(Clone, Debug)]
pub struct Document {
    pub path: PathBuf,
    text: String,
    pub cases: Vec<Case>,
}

/// A transcript in a file.
#[derive(Clone, Debug)]
pub struct Case {
    /// Name in reports: the file name and, in a document, the line number.
    pub name: String,
    pub file: String,
    pub transcript: Transcript,
    /// Lines in the file, from 0.
    lines: Range<usize>,
    /// Indentation of the transcript in the file.
    indent: String,
}

/// Reads all transcripts in files and directories. Directories are searched for `*.txt` files and Markdown
/// files with transcripts, in order of name. On failure, returns all errors in all files.
pub fn read(paths: &[PathBuf]) -> Result<Vec<Document>, Vec<SourceError>> {
    let mut documents = Vec::new();
    let mut errors = Vec::new();
    for path in paths {
        let mut files = Vec::new();
        if path.is_dir() {
            errors.extend(search(path, &mut files).err());
        } else {
            files.push(path.clone());
        }
        let before = documents.len() + errors.len();
        for file in files {
            match Document::read(&file) {
                Ok(document) if !document.cases.is_empty() => documents.push(document),
                // Most documents in a directory have no transcripts.
                Ok(_) if file != *path => {}
                Ok(_) => errors.push(SourceError::Document(file)),
                Err(mut more) => errors.append(&mut more),
            }
        }
        if documents.len() + errors.len() == before && path.is_dir() {
            errors.push(SourceError::Folder(path.clone()));
        }
    }
    if errors.is_empty() { Ok(documents) } else { Err(errors) }
}

/// The reason why there is no transcript to replay.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// A file or directory cannot be read.
    #[error(transparent)]
    Unreadable(#[from] RunError),
    /// The file is larger than any transcript.
    #[error("\"{}\" is too large: at most {} MiB are allowed", .0.display(), MAX_FILE_BYTES >> 20)]
    TooLarge(PathBuf),
    /// The file is not text.
    #[error("\"{}\" is not UTF-8 text", .0.display())]
    Encoding(PathBuf),
    /// A line of a transcript is invalid.
    #[error("{}:{}: {error}", path.display(), error.line)]
    Transcript { path: PathBuf, error: TranscriptError },
    /// A document has no transcripts.
    #[error("\"{}\" has no transcripts: expected fenced blocks marked {LANGUAGE}", .0.display())]
    Document(PathBuf),
    /// A directory has no transcripts.
    #[error(
        "\"{}\" has no transcripts: expected files named *.{EXTENSION}, or Markdown with fenced blocks marked {LANGUAGE}",
        .0.display()
    )]
    Folder(PathBuf),
}

/// Collects files below a directory. Links to directories are not followed, since they may form a cycle.
fn search(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), SourceError> {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let mut entries = entries.map_err(failed("read", folder))?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        if entry.file_type().map_err(failed("read", folder))?.is_dir() {
            search(&path, files)?;
        } else if (path.extension().is_some_and(|extension| extension == EXTENSION) || is_markdown(&path))
            && path.is_file()
        {
            files.push(path);
        }
    }
    Ok(())
}

fn is_markdown(path: &Path) -> bool {
    path.extension().is_some_and(|extension| {
        extension.eq_ignore_ascii_case("md") || extension.eq_ignore_ascii_case("markdown")
    })
}

impl Document {
    /// Reads a file: a single transcript, or the transcripts in the fenced blocks of a `.md` file. On
    /// failure, returns all errors in the file.
    pub fn read(path: &Path) -> Result<Self, Vec<SourceError>> {
        let bytes = files::read_regular(path, MAX_FILE_BYTES + 1);
        let bytes = bytes.map_err(|error| vec![failed("read", path)(error).into()])?;
        if bytes.len() as u64 > MAX_FILE_BYTES {
            return Err(vec![SourceError::TooLarge(path.to_owned())]);
        }
        let text = String::from_utf8(bytes).map_err(|_| vec![SourceError::Encoding(path.to_owned())])?;
        Self::parse(path, text)
    }

    fn parse(path: &Path, text: String) -> Result<Self, Vec<SourceError>> {
        let is_markdown = is_markdown(path);
        let mut blocks =
            if is_markdown { markdown::blocks(&text) } else { vec![Block::whole(&text, LANGUAGE)] };
        blocks.retain(|block| block.language == LANGUAGE);
        let file = path.display().to_string();
        let mut cases = Vec::new();
        let mut errors = Vec::new();
        for Block { first_line, lines, indent, text, .. } in blocks {
            let name = if is_markdown { format!("{file}:{first_line}") } else { file.clone() };
            let lines = first_line - 1..first_line - 1 + lines;
            match Transcript::parse(&text, first_line) {
                Ok(transcript) => cases.push(Case { name, file: file.clone(), transcript, lines, indent }),
                Err(error) => errors.push(SourceError::Transcript { path: path.to_owned(), error }),
            }
        }
        if errors.is_empty() { Ok(Self { path: path.to_owned(), text, cases }) } else { Err(errors) }
    }

    /// Returns the text of the file with the transcripts at the given indices replaced.
    pub fn with(&self, texts: &[(usize, String)]) -> String {
        let mut lines: Vec<String> = self.text.split('\n').map(str::to_owned).collect();
        // Replace from the end, so that the numbers of earlier lines stay valid.
        let mut texts: Vec<_> =
            texts.iter().filter_map(|(index, text)| Some((self.cases.get(*index)?, text))).collect();
        texts.sort_by_key(|(case, _)| std::cmp::Reverse(case.lines.start));
        for (case, text) in texts {
            let indented =
                |line: &str| if line.is_empty() { String::new() } else { format!("{}{line}", case.indent) };
            lines.splice(case.lines.clone(), text.split('\n').map(indented));
        }
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_batch::testing::Folder;

    #[test]
    fn new_texts_replace_the_old() {
        let text = "# a\n```transcript\n> b\n```\nc\n  ```transcript\n  > d\n\n  < e\n  ```\nf\n";
        let document = Document::parse(Path::new("x.md"), text.into()).unwrap();
        let names: Vec<_> = document.cases.iter().map(|case| case.name.as_str()).collect();
        assert_eq!(names, ["x.md:3", "x.md:7"]);
        assert_eq!(document.cases[1].transcript.lines[2].number, 9);
        assert_eq!(document.with(&[]), text);
        assert_eq!(
            document.with(&[(0, "> b\n< 1\n< 2".into()), (1, "> d\n\n< 3".into())]),
            "# a\n```transcript\n> b\n< 1\n< 2\n```\nc\n  ```transcript\n  > d\n\n  < 3\n  ```\nf\n"
        );
        let document = Document::parse(Path::new("x.txt"), "> a\n< b\n".into()).unwrap();
        assert_eq!(document.with(&[(0, "> a\n".into())]), "> a\n");
    }

    #[test]
    fn errors_name_the_file_and_the_line() {
        let text = "```transcript\n> b\noops\n```\n";
        let errors = Document::parse(Path::new("x.md"), text.into()).unwrap_err();
        assert!(errors[0].to_string().starts_with("x.md:3: invalid line \"oops\""), "{}", errors[0]);
        let folder = Folder::new();
        let document = folder.write("x.md", "text");
        let errors = read(std::slice::from_ref(&document)).unwrap_err();
        let expected = "has no transcripts: expected fenced blocks marked transcript";
        assert_eq!(errors[0].to_string(), format!("\"{}\" {expected}", document.display()));
        let errors = read(&[folder.path("")]).unwrap_err();
        assert!(
            errors[0].to_string().contains("expected files named *.txt, or Markdown with fenced blocks"),
            "{errors:?}"
        );
        folder.write("y.md", "```transcript\n> b\n```\n");
        let found = read(&[folder.path("")]).unwrap();
        assert_eq!(found.iter().map(|document| document.cases.len()).collect::<Vec<_>>(), [1]);
        let errors = read(&[PathBuf::from("no/such/file.txt")]).unwrap_err();
        assert!(errors[0].to_string().starts_with("cannot read \"no/such/file.txt\": "), "{}", errors[0]);
    }
}
