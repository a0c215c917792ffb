//! The JSON form of a game in a match checkpoint, with positions and moves as text. Reading plays the moves, since a damaged line
//! may still be valid JSON.

use std::convert::Infallible;

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::record::{GameRecord, PlyRecord};
use draughts::board::Move;
use draughts::notation::{fen, movetext};

/// The type of moves and positions in JSON.
pub trait Text: Serialize + DeserializeOwned {}

impl Text for String {}

/// A game in JSON.
type WrittenGame = GameRecord<String, String>;

impl<M, P> GameRecord<M, P> {
    /// Converts the moves, in their order, with a new start.
    fn convert<N, Q, E>(
        self,
        start: Q,
        mut convert: impl FnMut(M) -> Result<N, E>,
    ) -> Result<GameRecord<N, Q>, E> {
        let book = self.book.into_iter().map(&mut convert).collect::<Result<_, E>>()?;
        let plies = self.plies.into_iter().map(|ply| {
            let PlyRecord { mv, score, depth, nodes, micros, clock } = ply;
            Ok(PlyRecord { mv: convert(mv)?, score, depth, nodes, micros, clock })
        });
        Ok(GameRecord {
            start,
            book,
            plies: plies.collect::<Result<_, E>>()?,
            game: self.game,
            pair: self.pair,
            round: self.round,
            black: self.black,
            white: self.white,
            opening: self.opening,
            result: self.result,
            reason: self.reason,
            detail: self.detail,
            stderr: self.stderr,
            repeats: self.repeats,
        })
    }
}

impl Serialize for GameRecord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut position = self.start;
        let text = |mv: Move| {
            let text = movetext::format(&position, mv);
            position = position.after(mv);
            Ok::<_, Infallible>(text)
        };
        match self.clone().convert(fen::format(&self.start), text) {
            Ok(written) => WrittenGame::serialize(&written, serializer),
        }
    }
}

impl<'de> Deserialize<'de> for GameRecord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = WrittenGame::deserialize(deserializer)?;
        let number = u64::from(written.game) + 1;
        let start = fen::parse(&written.start)
            .map_err(|error| D::Error::custom(format_args!("game {number}: {error}")))?;
        let (mut position, mut count) = (start, 0);
        written.convert(start, |text| {
            count += 1;
            let mv = movetext::parse(&position, &text)
                .map_err(|error| D::Error::custom(format_args!("game {number}: move {count}: {error}")))?;
            position = position.after(mv);
            Ok(mv)
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::record::GameRecord;
    use crate::record::tests::record;

    fn read(line: &str) -> Result<GameRecord, String> {
        serde_json::from_str(line).map_err(|error| error.to_string())
    }

    #[test]
    fn a_game_comes_back_as_it_was_written() {
        let line = serde_json::to_string(&record()).unwrap();
        assert!(line.contains(r#""book":["9-13","21-17","5-9"],"plies":[{"m":"23-18","s":"#), "{line}");
        assert_eq!(read(&line), Ok(record()));
    }

    #[test]
    fn a_changed_line_is_refused() {
        let line = serde_json::to_string(&record()).unwrap();
        let error = read(&line.replace("B:W21,", "B:W33,")).unwrap_err();
        assert!(error.starts_with("game 5: invalid FEN \"B:W33,"), "{error}");
        let error = read(&line.replace("9-14", "9-15")).unwrap_err();
        assert!(error.starts_with("game 5: move 5: illegal move \"9-15\""), "{error}");
    }
}
