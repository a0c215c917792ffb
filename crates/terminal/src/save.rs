//! Appends a game to a file of games, keeping the file's contents.

use std::fs::{self, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::Context;
use kelso_batch::error::RunError;
use kelso_batch::file;
use kelso_draughts::notation::pdn::{PdnEntry, PdnReader};
use kelso_draughts::record::GameRecord;
use kelso_runtime::files;

/// Adds a game to the end of a PDN file, or creates one. Returns the number of the game in the file.
pub(super) fn append(path: &Path, game: &GameRecord) -> anyhow::Result<usize> {
    if let Err(error) = fs::metadata(path)
        && error.kind() == io::ErrorKind::NotFound
    {
        return match file::write(path, game.to_string().as_bytes()) {
            // The caller names the file.
            Err(RunError::Io { error, .. }) => Err(error.into()),
            written => Ok(written.map(|()| 1)?),
        };
    }
    let mut file = files::open_regular(path)?;
    let addition = format!("{}{game}", separator(&mut file)?);
    file.seek(SeekFrom::Start(0))?;
    // After content other than games, or in another encoding, the game could not be read again.
    let number = number_after(BufReader::new(file).chain(addition.as_bytes()), game)
        .context("the file exists and is not a PDN file")?;
    let mut end = OpenOptions::new().append(true).open(path)?;
    let length = end.metadata()?.len();
    if let Err(error) = end.write_all(addition.as_bytes()).and_then(|()| end.sync_all()) {
        end.set_len(length)?;
        return Err(error.into());
    }
    Ok(number)
}

/// Returns the newlines needed between the file's text and another game.
fn separator(file: &mut (impl Read + Seek)) -> io::Result<&'static str> {
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(length.saturating_sub(4)))?;
    let mut end = Vec::new();
    file.read_to_end(&mut end)?;
    end.retain(|&byte| byte != b'\r');
    Ok(match end.as_slice() {
        [] | [.., b'\n', b'\n'] => "",
        [.., b'\n'] => "\n",
        _ => "\n\n",
    })
}

/// Returns the number of `game`, at the end of the text, if it can be read there and the text before it is
/// empty or consists of games.
fn number_after(text: impl Read, game: &GameRecord) -> Option<usize> {
    let mut valid = false;
    let mut last: Option<PdnEntry> = None;
    for entry in PdnReader::new(text) {
        if let Some(before) = last.replace(entry) {
            valid |= before.is_complete() && before.game.plies.len() + before.game.tags.iter().len() > 0;
        }
    }
    let last = last.filter(|last| last.is_complete() && (last.number == 1 || valid))?;
    (last.game.start == game.start && last.game.moves().eq(game.moves())).then_some(last.number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_batch::testing::Folder;
    use kelso_draughts::board::Position;
    use kelso_draughts::notation::movetext;
    use kelso_draughts::record::Ply;

    fn game() -> GameRecord {
        let mut game = GameRecord::new(Position::start());
        game.tags.set("Event", "Game at the terminal");
        game.plies.push(Ply::new(movetext::parse(&game.start, "11-15").unwrap()));
        game
    }

    #[test]
    fn a_game_is_added_after_those_that_are_there() {
        let folder = Folder::new();
        for (before, between, number) in [
            (&b""[..], "", 1),
            (b"1. 9-13 *", "\n\n", 2),
            (b"1. 9-13 *\r\n", "\n", 2),
            (b"[Event \"\xe9\"]\n\n1. 9-13 1-0\n\n1. 9-13 99-1\n\n", "", 3),
        ] {
            let path = folder.path("a.pdn");
            fs::write(&path, before).unwrap();
            assert_eq!(append(&path, &game()).unwrap(), number);
            let expected = [before, between.as_bytes(), game().to_string().as_bytes()].concat();
            assert_eq!(fs::read(&path).unwrap(), expected);
        }
        assert_eq!(append(&folder.path("new.pdn"), &game()).unwrap(), 1);
        assert_eq!(append(&folder.path("new.pdn"), &game()).unwrap(), 2);
    }

    #[test]
    fn a_save_does_not_change_an_unrelated_file() {
        let folder = Folder::new();
        let path = folder.path("notes.txt");
        let utf_16: Vec<u8> = "\u{feff}1. 9-13 *\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        for before in [&b"Dear diary, I lost again"[..], b"\x7fELF\0\0", b"1. 9-13 {never closed", &utf_16] {
            fs::write(&path, before).unwrap();
            let error = append(&path, &game()).unwrap_err().to_string();
            assert!(error.contains("is not a PDN file"), "{error}");
            assert_eq!(fs::read(&path).unwrap(), before);
        }
        assert!(append(&folder.path("."), &game()).is_err());
        assert!(append(&folder.path("none/a.pdn"), &game()).is_err());
        assert!(append(Path::new("-"), &game()).is_err());
        #[cfg(target_os = "linux")]
        assert!(append(Path::new("/dev/full"), &game()).is_err());
    }
}
