//! PDN of finished games, with comments for scores, depths, nodes, times, clocks and how the game ended.
//!
//! Custom tags add what PDN lacks (rules, openings, settings, and the place in the schedule), so a PDN file
//! has as much information as a checkpoint.

use super::header::{Contender, MatchHeader};
use super::match_game::{MatchGame, Termination};
use kelso_draughts::board::Color;
use kelso_draughts::record::{GameRecord, Tags};
use kelso_syntax::WordError;

/// Formats a game as PDN, followed by an empty line.
pub fn format(header: &MatchHeader, game: &MatchGame) -> String {
    let mut record = GameRecord { tags: tags(header, game), ..game.record() };
    let last = record.plies.last_mut().map_or(&mut record.comment, |ply| &mut ply.comment);
    last.push_str(&game.ending().replace('}', ")"));
    format!("{record}\n")
}

/// Returns the tags of a game, with the settings of its match.
pub fn tags(header: &MatchHeader, game: &MatchGame) -> Tags {
    let mut tags = Tags::default();
    let mut tag = |name: &str, value: &str| {
        if !value.is_empty() {
            tags.set(name, value);
        }
    };
    tag("Event", &header.event);
    tag("Site", header.site.as_deref().unwrap_or_default());
    if let Some(date) = &header.date {
        tag("Date", date);
    }
    tag("Round", &format!("{}.{}", u64::from(game.round) + 1, u64::from(game.number) + 1));
    tag("Black", &game.players[0]);
    tag("White", &game.players[1]);
    tag("Termination", game.termination.word());
    tag("Detail", &game.detail);
    tag("Stderr", &game.stderr);
    tag("Opening", &game.opening);
    tag("OpeningPlies", &game.opening_plies.to_string());
    tag("Openings", &header.openings);
    tag("Rules", &header.rules.to_string());
    let engines = game.players.each_ref().map(|name| Contender::named(&header.engines, name));
    if let [Some(black), Some(white)] = engines {
        tag("BlackSettings", &black.settings);
        tag("WhiteSettings", &white.settings);
        tag("BlackProgram", &black.program);
        tag("WhiteProgram", &white.program);
    }
    if let Some(game) = game.repeats {
        tag("Repeats", &(u64::from(game) + 1).to_string());
    }
    tag("Seed", &header.plan.seed.to_string());
    tag("Game", &game.number.to_string());
    tags
}

/// Converts a game. Returns `None` if it has no result. The settings of its match are in its tags, if known.
///
/// # Errors
///
/// If a numeric tag written only by matches is not a number.
pub fn read(record: &GameRecord) -> Result<Option<MatchGame>, WordError> {
    let GameRecord { tags, start, plies, result, .. } = record;
    let Some(result) = *result else { return Ok(None) };
    let player = |side: Color| match tags.text(side.title()) {
        "" => format!("unnamed {side}"),
        name => name.to_owned(),
    };
    // A game from another program has no place in a schedule, and its round may be a name.
    let number = tags.number("Game")?.unwrap_or(0);
    let round = tags.text("Round").split('.').next().and_then(|text| text.parse::<u32>().ok());
    Ok(Some(MatchGame {
        number,
        pair: number / 2,
        round: round.unwrap_or(1).max(1) - 1,
        players: Color::BOTH.map(player),
        opening: tags.text("Opening").to_owned(),
        start: *start,
        plies: plies.clone(),
        opening_plies: tags.number("OpeningPlies")?.map_or(0, |plies| plies as usize),
        result,
        // Other programs have other words.
        termination: Termination::try_from(tags.text("Termination").to_owned())
            .unwrap_or(Termination::Unknown),
        detail: tags.text("Detail").to_owned(),
        stderr: tags.text("Stderr").to_owned(),
        repeats: tags.number("Repeats")?.and_then(|number| number.checked_sub(1)),
    }))
}

/// Returns the seed of the match, if the game has a place in its schedule. Another program does not write this
/// place, and its seed may be that of a player.
pub fn seed(tags: &Tags) -> Option<u64> {
    tags.get("Game").and_then(|_| tags.text("Seed").parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::tests::header;
    use crate::match_game::tests::record;
    use kelso_draughts::board::Position;
    use kelso_draughts::notation::pdn::PdnReader;
    use kelso_draughts::result::GameResult;

    #[test]
    fn game_tags_are_complete_and_round_trip() {
        let played = MatchGame { repeats: Some(1), ..record() };
        let text = format(&header(), &played);
        let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains("{score=+12 depth=14 nodes=120034 time=0.103000 clock=59.897}"), "{text}");
        assert!(flat.contains("{time forfeit: A took \"9\" s} 0-1"), "{text}");
        let record = PdnReader::new(text.as_bytes()).next().unwrap().whole().unwrap();
        let mut found = read(&record).unwrap().unwrap();
        for (name, value) in [
            ("Round", "3.5"),
            ("Repeats", "2"),
            ("Seed", "7"),
            ("Rules", "standard 80"),
            ("Openings", "three-move"),
            ("BlackSettings", "tc=60+0.5 option.Hash=64"),
        ] {
            assert_eq!(record.tags.get(name), Some(value));
        }
        assert_eq!(found.plies.pop().unwrap().comment, found.ending());
        let mut written = played;
        written.plies.pop();
        assert_eq!(found, written);
    }

    #[test]
    fn tags_come_in_order_and_none_is_empty() {
        let mut header = MatchHeader { date: Some("2026.01.31".to_owned()), ..header() };
        header.engines[0].program.clear();
        let game = MatchGame { stderr: "out of luck".to_owned(), ..record() };
        let text = GameRecord { tags: tags(&header, &game), ..GameRecord::new(game.start) }.to_string();
        let expected = r#"[Event "Test"]
[Date "2026.01.31"]
[Round "3.5"]
[Black "A"]
[White "B"]
[Result "*"]
[Termination "time"]
[Detail "A took \"9\" s"]
[Stderr "out of luck"]
[Opening "three-move 1"]
[OpeningPlies "3"]
[Openings "three-move"]
[Rules "standard 80"]
[BlackSettings "tc=60+0.5 option.Hash=64"]
[WhiteSettings "tc=60+0.5 option.Hash=64"]
[WhiteProgram "B 1.0, engine 00c0ffee"]
[Seed "7"]
[Game "4"]
[GameType "21"]

*
"#;
        assert_eq!(text, expected);
    }

    #[test]
    fn games_of_other_programs_have_no_place_in_a_schedule() {
        let text = "[Black \"X\"]\n[Round \"Final\"]\n1. 11-15 {a comment} 23-18 1/2-1/2";
        let found = game(text).unwrap().unwrap();
        let expected = MatchGame {
            number: 0,
            pair: 0,
            round: 0,
            players: ["X", "unnamed white"].map(str::to_owned),
            opening: String::new(),
            start: Position::start(),
            plies: found.plies.clone(),
            opening_plies: 0,
            result: GameResult::Draw,
            termination: Termination::Unknown,
            detail: String::new(),
            stderr: String::new(),
            repeats: None,
        };
        assert_eq!(found, expected);
        assert_eq!(found.plies.len(), 2);
        assert_eq!(game("1. 11-15 *"), Ok(None));
    }

    #[test]
    fn numbers_are_read_from_tags() {
        let found = game("[Game \" 7 \"]\n[Round \"3.5\"]\n[Repeats \"2\"]\n1. 11-15 1-0").unwrap().unwrap();
        assert_eq!(found.number, 7);
        assert_eq!(found.pair, 3);
        assert_eq!(found.round, 2);
        assert_eq!(found.repeats, Some(1));
        let found = game("[Round \"0\"]\n[Repeats \"0\"]\n1. 11-15 1-0").unwrap().unwrap();
        assert_eq!(found.round, 0);
        assert_eq!(found.repeats, None);
    }

    fn game(text: &str) -> Result<Option<MatchGame>, WordError> {
        read(&PdnReader::new(text.as_bytes()).next().unwrap().whole().unwrap())
    }

    #[test]
    fn numbers_in_tags_have_to_be_numbers() {
        for name in ["Game", "OpeningPlies", "Repeats"] {
            let error = game(&format!("[{name} \"x1\"]\n1. 11-15 1/2-1/2")).unwrap_err();
            assert_eq!(error.to_string(), format!("invalid {name} \"x1\": expected a number"));
        }
    }
}
