//! PDN of finished games, with scores, depths, nodes, times, clocks and reasons in comments.
//!
//! Custom tags add what PDN lacks (rules, openings, settings, and the place in the schedule), so that a PDN file has as
//! much information as a checkpoint.

use super::header::{Contender, MatchHeader};
use super::record::{GameRecord, PlyRecord};
use draughts::board::{Color, Move};
use draughts::notation::pdn::{PdnGame, Ply};
use draughts::result::EndReason;

/// Formats a game as PDN, with an empty line at its end.
pub fn format(header: &MatchHeader, record: &GameRecord) -> String {
    let mut game = PdnGame::new(record.start);
    game.result = Some(record.result);
    let plies = record
        .all_moves()
        .map(|(mv, ply)| Ply { comment: ply.map(comment).unwrap_or_default(), ..Ply::new(mv) });
    game.plies = plies.collect();
    set_tags(&mut game, header, record);
    let last = game.plies.last_mut().map_or(&mut game.comment, |ply| &mut ply.comment);
    if !last.is_empty() {
        last.push_str("; ");
    }
    last.push_str(&record.ending().replace('}', ")"));
    format!("{game}\n")
}

fn set_tags(game: &mut PdnGame, header: &MatchHeader, record: &GameRecord) {
    let mut tag = |name: &str, value: &str| {
        if !value.is_empty() {
            game.tags.set(name, value);
        }
    };
    let [black, white] = [&record.black, &record.white].map(|name| Contender::named(&header.engines, name));
    tag("Event", &header.event);
    tag("Date", header.date.as_deref().unwrap_or_default());
    tag("Round", &format!("{}.{}", u64::from(record.round) + 1, u64::from(record.game) + 1));
    tag("Black", &record.black);
    tag("White", &record.white);
    tag("Termination", record.reason.word());
    tag("Detail", &record.detail);
    tag("Stderr", &record.stderr);
    tag("Opening", &record.opening);
    tag("OpeningPlies", &record.book.len().to_string());
    tag("Openings", &header.openings);
    tag("Rules", &header.rules.to_string());
    tag("BlackSettings", &black.settings);
    tag("WhiteSettings", &white.settings);
    tag("BlackProgram", &black.program);
    tag("WhiteProgram", &white.program);
    tag("Repeats", &record.repeats.map(|game| (u64::from(game) + 1).to_string()).unwrap_or_default());
    tag("Seed", &header.plan.seed.to_string());
    tag("Game", &record.game.to_string());
}

/// Formats the data of a move as `key=value` words: `score=+12 depth=14 nodes=120034 time=0.103 clock=59.897`.
fn comment(ply: &PlyRecord) -> String {
    let parts = [
        ply.score.map(|score| format!("score={score}")),
        ply.depth.map(|depth| format!("depth={depth}")),
        ply.nodes.map(|nodes| format!("nodes={nodes}")),
        ply.micros.map(|micros| format!("time={}.{:06}", micros / 1_000_000, micros % 1_000_000)),
        ply.clock.map(|ms| format!("clock={}.{:03}", ms / 1000, ms % 1000)),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// A game from a PDN file, and the settings of its match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundGame {
    pub record: GameRecord,
    /// The seed of the match.
    pub seed: Option<u64>,
    /// The name of the match.
    pub event: String,
    /// The rules; like the other texts, empty if they are unknown.
    pub rules: String,
    /// The source of the openings.
    pub openings: String,
    /// Black and White.
    pub players: [Contender; 2],
}

/// Reads a game. Returns `None` if it has no result.
pub fn read(game: &PdnGame) -> Option<FoundGame> {
    let tag = |name: &str| game.tags.get(name).unwrap_or_default().to_owned();
    let number = |name: &str| game.tags.get(name).and_then(|text| text.parse::<u32>().ok());
    let result = game.result?;
    let place = number("Game").unwrap_or_default();
    let book = number("OpeningPlies").unwrap_or(0) as usize;
    let plies = game.plies.iter().skip(book).map(|ply| parse_comment(ply.mv, &ply.comment));
    let players = [("Black", Color::Black), ("White", Color::White)].map(|(side, color)| {
        let name = Some(tag(side)).filter(|name| !name.is_empty());
        let name = name.unwrap_or_else(|| format!("unnamed {color}"));
        Contender { name, settings: tag(&format!("{side}Settings")), program: tag(&format!("{side}Program")) }
    });
    let [black, white] = players.each_ref().map(|player| player.name.clone());
    let record = GameRecord {
        game: place,
        pair: place / 2,
        round: tag("Round").split('.').next().and_then(|text| text.parse::<u32>().ok()).unwrap_or(1).max(1)
            - 1,
        black,
        white,
        opening: tag("Opening"),
        start: game.start,
        book: game.moves().take(book).collect(),
        plies: plies.collect(),
        result,
        reason: EndReason::from_word(&tag("Termination")).unwrap_or(EndReason::Unknown),
        detail: tag("Detail"),
        stderr: tag("Stderr"),
        repeats: number("Repeats").and_then(|number| number.checked_sub(1)),
    };
    Some(FoundGame {
        record,
        seed: game.tags.get("Seed").and_then(|text| text.parse().ok()),
        event: tag("Event"),
        rules: tag("Rules"),
        openings: tag("Openings"),
        players,
    })
}

/// Parses our own comments; the end of the game may follow after a semicolon.
fn parse_comment(mv: Move, comment: &str) -> PlyRecord {
    let comment = comment.split_once(';').map_or(comment, |(comment, _)| comment);
    let value = |key: &str| {
        comment
            .split_whitespace()
            .find_map(|word| word.strip_prefix(key).and_then(|rest| rest.strip_prefix('=')))
    };
    PlyRecord {
        mv,
        score: value("score").and_then(|text| text.parse().ok()),
        depth: value("depth").and_then(|text| text.parse().ok()),
        nodes: value("nodes").and_then(|text| text.parse().ok()),
        micros: value("time").and_then(|text| decimal(text, 6)),
        clock: value("clock").and_then(|text| decimal(text, 3)),
    }
}

/// Parses a decimal number in units of its last digit.
fn decimal(text: &str, digits: usize) -> Option<u64> {
    let (whole, fraction) = text.split_once('.')?;
    if fraction.len() != digits {
        return None;
    }
    let unit = 10_u64.checked_pow(u32::try_from(digits).ok()?)?;
    whole.parse::<u64>().ok()?.checked_mul(unit)?.checked_add(fraction.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::tests::header;
    use crate::record::tests::record;
    use draughts::notation::pdn::PdnReader;

    #[test]
    fn a_game_says_all_that_is_known_and_is_read_back() {
        let text = format(&header(), &record());
        let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains("{score=+12 depth=14 nodes=120034 time=0.103000 clock=59.897}"), "{text}");
        assert!(flat.contains("{time forfeit: A took \"9\" s} 0-1"), "{text}");
        let game = PdnReader::new(text.as_bytes()).next().unwrap().whole().unwrap();
        let found = read(&game).unwrap();
        assert_eq!(found.record, record());
        assert_eq!(
            (found.seed, found.rules.as_str(), found.openings.as_str()),
            (Some(7), "standard 80", "three-move")
        );
        assert_eq!(found.players.map(|player| player.settings), ["tc=60+0.5 option.Hash=64"; 2]);
    }

    #[test]
    fn games_of_others_are_read_as_far_as_they_go() {
        let game = |text: &str| read(&PdnReader::new(text.as_bytes()).next().unwrap().whole().unwrap());
        let found = game("[Black \"X\"]\n1. 11-15 {a comment} 23-18 1/2-1/2").unwrap();
        assert_eq!((found.record.black.as_str(), found.record.white.as_str()), ("X", "unnamed white"));
        assert_eq!((found.record.reason, found.record.plies.len()), (EndReason::Unknown, 2));
        assert_eq!(game("1. 11-15 *"), None);
    }
}
