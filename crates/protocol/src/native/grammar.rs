//! The commands and their grammar.

use std::sync::LazyLock;
use std::time::Duration;

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_till1};
use nom::character::complete::{char, digit1, multispace0, multispace1};
use nom::combinator::{cut, eof, fail, map, opt, peek, recognize, rest, success, value, verify};
use nom::error::context;
use nom::multi::{many0, many1};
use nom::sequence::{delimited, preceded, terminated};

use crate::command::{move_list, play};
use crate::{Command, CommandError, GoParams};
use kelso_draughts::ballot::Deck;
use kelso_draughts::board::{Color, Position};
use kelso_draughts::notation::{MoveText, fen, movetext};
use kelso_syntax::grammar::{Expected, Parsed, whole, whole_number};

/// A command: what `help` prints of it, and how it is parsed.
pub(super) struct CommandEntry {
    pub(super) word: &'static str,
    pub(super) usage: &'static str,
    pub(super) help: &'static str,
    pub(super) parse: Parse,
}

pub(super) enum Parse {
    /// A command without arguments.
    Verb(Command),
    /// A command with arguments.
    Line(fn(&str) -> Result<Command, CommandError>),
}

const fn verb(word: &'static str, command: Command, help: &'static str) -> CommandEntry {
    CommandEntry { word, usage: "", help, parse: Parse::Verb(command) }
}

const fn line(
    word: &'static str,
    usage: &'static str,
    help: &'static str,
    parse: fn(&str) -> Result<Command, CommandError>,
) -> CommandEntry {
    CommandEntry { word, usage, help, parse: Parse::Line(parse) }
}

/// The commands, in the order in which `help` lists them. The words of `go` are in [`GO_WORDS`].
pub(super) const COMMANDS: &[CommandEntry] = &[
    verb("uci", Command::Identify, "print the engine's name and options"),
    verb("isready", Command::Ready, "reply readyok, even during a search"),
    line("setoption", "name N [value V]", "set an option", setoption),
    verb("ucinewgame", Command::NewGame, "start a new game"),
    line("position", "startpos|fen F [moves M ...]", "set the position", position),
    line("go", "", GO_WORDS[0].1, go),
    verb("stop", Command::Stop, "stop the search"),
    verb("ponderhit", Command::PonderHit, "continue as a normal search: the expected move was played"),
    line("moves", "[paths]", "list the legal moves; paths: with landing and captured squares", moves),
    verb("probe", Command::Probe, "look up all moves in the endgame databases"),
    verb("draw", Command::Offer, "offer a draw on behalf of the side to move"),
    line(
        "ballots",
        "two-move|three-move|eleven-man [N]",
        "list the ballots in use, or only number N",
        ballots,
    ),
    verb("show", Command::Show, "draw the board"),
    verb("eval", Command::Evaluate, "print the static evaluation and its parts"),
    line("bench", "[N]", "search a fixed set of positions to depth N; print the node count", bench),
    verb("help", Command::Help, "list commands and options"),
    verb("quit", Command::Quit, "exit"),
];

pub(super) fn parse(line: &str) -> Result<Option<Command>, CommandError> {
    let line = line.trim();
    let Some(first) = line.split_whitespace().next() else { return Ok(None) };
    let entry = COMMANDS.iter().find(|entry| entry.word == first);
    let entry = entry.ok_or_else(|| CommandError::Unknown(first.into()))?;
    Ok(Some(match &entry.parse {
        Parse::Verb(command) => whole("command", value(command.clone(), word), line)?,
        Parse::Line(parse) => parse(line)?,
    }))
}

fn word(input: &str) -> Parsed<'_, &str> {
    take_till1(char::is_whitespace).parse(input)
}

/// Parses a keyword, which must be a whole word.
fn keyword<'a>(word: &'static str) -> impl Parser<&'a str, Output = &'a str, Error = Expected<'a>> {
    terminated(tag(word), word_end)
}

/// Parses the words before a keyword, or all if it is missing.
fn words_before<'a>(end: &'static str) -> impl Parser<&'a str, Output = &'a str, Error = Expected<'a>> {
    recognize(many0(terminated(verify(word, move |word: &str| word != end), multispace0)))
}

fn word_end(input: &str) -> Parsed<'_, &str> {
    peek(alt((multispace1, eof))).parse(input)
}

/// Parses a space and a number.
fn number(input: &str) -> Parsed<'_, u64> {
    delimited(multispace1, whole_number, word_end).parse(input)
}

fn bench(line: &str) -> Result<Command, CommandError> {
    let from_one = context("a depth of at least 1", cut(verify(number, |&depth| depth > 0)));
    let argument = preceded(peek((multispace1, word)), from_one);
    let depth = whole("command", preceded(word, opt(argument)), line)?;
    Ok(Command::Bench(depth.map(|depth| clamp(depth) as usize)))
}

fn moves(line: &str) -> Result<Command, CommandError> {
    let paths = preceded(multispace1, context("\"paths\"", cut(keyword("paths"))));
    let paths = whole("command", preceded(word, opt(paths)), line)?;
    Ok(paths.map_or(Command::Moves, |_| Command::Paths))
}

fn ballots(line: &str) -> Result<Command, CommandError> {
    let [two, three, eleven] =
        [Deck::TwoMove, Deck::ThreeMove, Deck::ElevenMan].map(|deck| value(deck, keyword(deck.name())));
    let name = preceded(multispace1, alt((two, three, eleven)));
    let name = context("\"two-move\", \"three-move\" or \"eleven-man\"", cut(name));
    let argument = preceded(peek((multispace1, word)), context("a ballot number", cut(number)));
    let (deck, number) = whole("command", preceded(word, (name, opt(map(argument, clamp)))), line)?;
    Ok(Command::Ballots(deck, number))
}

fn setoption(line: &str) -> Result<Command, CommandError> {
    let name =
        (word, multispace0, context("\"name\" and an option's name", preceded(keyword("name"), multispace1)));
    let value = opt(map(preceded(keyword("value"), rest), |value: &str| value.trim().to_owned()));
    let (name, value) = whole("command", preceded(name, (words_before("value"), value)), line)?;
    Ok(Command::Set { name: name.split_whitespace().collect::<Vec<_>>().join(" "), value })
}

fn position(line: &str) -> Result<Command, CommandError> {
    let fen_text = preceded((keyword("fen"), multispace1), words_before("moves"));
    let start = alt((value(None, keyword("startpos")), map(fen_text, Some)));
    let start = context("\"startpos\" or \"fen\" and a position", preceded(multispace0, start));
    let moves = preceded((multispace0, keyword("moves")), many0(preceded(multispace1, word)));
    let moves = alt((value(Vec::new(), eof), context("\"moves\"", moves)));
    let (start, moves) = whole("command", preceded(word, (start, moves)), line)?;
    let start = match start {
        Some(text) => fen::parse(text.trim())?,
        None => Position::start(),
    };
    Ok(Command::Position(play(start, moves, movetext::parse)?))
}

/// The words of a `go` command.
#[derive(Default)]
pub(super) struct GoParts<'a> {
    /// The keywords seen so far.
    names: Vec<&'a str>,
    go: GoParams,
    search_moves: Vec<&'a str>,
    perft: Option<u32>,
}

/// The value that a word of `go` takes, and the setter that stores it.
pub(super) enum GoValue {
    Nothing(fn(&mut GoParams)),
    /// A number, at least 1.
    Number(fn(&mut GoParams, u64)),
    Milliseconds(fn(&mut GoParams, Duration)),
    /// The milliseconds of a clock, which are negative if it has run out.
    Clock(fn(&mut GoParams, Duration)),
    Moves,
    /// The depth of `perft`.
    Plies,
}

impl GoValue {
    /// Returns the value in the help.
    pub(super) const fn usage(&self) -> &'static str {
        match self {
            Self::Nothing(_) => "",
            Self::Number(_) | Self::Plies => " N",
            Self::Milliseconds(_) | Self::Clock(_) => " MS",
            Self::Moves => " M ...",
        }
    }
}

type GoWord = (&'static str, GoValue);

const BLACK: usize = Color::Black.index();
const WHITE: usize = Color::White.index();

/// The words of `go`, in the lines in which `help` prints them.
pub(super) const GO_WORDS: &[(&[GoWord], &str)] = &[
    (
        &[
            ("depth", GoValue::Number(|go, depth| go.depth = Some(clamp(depth) as usize))),
            ("nodes", GoValue::Number(|go, nodes| go.nodes = Some(nodes))),
            ("movetime", GoValue::Milliseconds(|go, time| go.move_time = Some(time))),
            ("infinite", GoValue::Nothing(|go| go.infinite = true)),
        ],
        "search the position and print bestmove",
    ),
    (
        &[
            ("wtime", GoValue::Clock(|go, time| go.clocks[WHITE] = Some(time))),
            ("btime", GoValue::Clock(|go, time| go.clocks[BLACK] = Some(time))),
            ("winc", GoValue::Milliseconds(|go, time| go.increments[WHITE] = Some(time))),
            ("binc", GoValue::Milliseconds(|go, time| go.increments[BLACK] = Some(time))),
            ("movestogo", GoValue::Number(|go, moves| go.moves_to_go = Some(clamp(moves)))),
        ],
        "search with these clocks",
    ),
    (
        &[("ponder", GoValue::Nothing(|go| go.ponder = true)), ("searchmoves", GoValue::Moves)],
        "... ponder; restrict the search to these moves",
    ),
    (&[("perft", GoValue::Plies)], "... or only count the leaves of the move tree at N plies"),
];

fn go_words() -> impl Iterator<Item = &'static GoWord> {
    GO_WORDS.iter().flat_map(|(words, _)| *words)
}

fn go(line: &str) -> Result<Command, CommandError> {
    whole("command", go_parts, line)?.command(line)
}

fn go_parts(input: &str) -> Parsed<'_, GoParts<'_>> {
    let mut parts = GoParts::default();
    let (mut left, _) = (word, multispace0).parse(input)?;
    while !left.is_empty() {
        (left, ()) = terminated(|left| parts.part(left), multispace0).parse(left)?;
    }
    Ok((left, parts))
}

impl<'a> GoParts<'a> {
    fn part(&mut self, input: &'a str) -> Parsed<'a, ()> {
        static EXPECTED: LazyLock<String> = LazyLock::new(|| {
            let words: Vec<_> = go_words().map(|(word, _)| *word).collect();
            format!("one of {}", words.join(", "))
        });
        let (after, name) = word(input)?;
        let Some((_, value)) = go_words().find(|(word, _)| *word == name) else {
            return context(EXPECTED.as_str(), fail()).parse(input);
        };
        self.names.push(name);
        let go = &mut self.go;
        match value {
            GoValue::Nothing(set) => map(success(()), |()| set(go)).parse(after),
            GoValue::Number(set) => map(from_one, |number| set(go, number)).parse(after),
            GoValue::Milliseconds(set) => map(milliseconds, |time| set(go, time)).parse(after),
            GoValue::Clock(set) => map(clock, |time| set(go, time)).parse(after),
            GoValue::Moves => map(search_moves, |moves| self.search_moves = moves).parse(after),
            GoValue::Plies => map(plies, |plies| self.perft = Some(clamp(plies))).parse(after),
        }
    }

    /// Combines the parts. Each may be given only once, and `perft` only on its own.
    fn command(self, line: &str) -> Result<Command, CommandError> {
        let mut names = self.names.iter().enumerate();
        if let Some((_, name)) = names.find(|&(index, name)| self.names[..index].contains(name)) {
            return Err(CommandError::Repeated { name: (*name).into(), line: line.into() });
        }
        match self.perft {
            Some(plies) if self.names.len() == 1 => Ok(Command::Perft(plies)),
            Some(_) => Err(CommandError::WithLimits { name: "perft".into(), line: line.into() }),
            None => {
                let search_moves = move_list(self.search_moves, MoveText::parse)?;
                Ok(Command::Go(GoParams { search_moves, ..self.go }))
            }
        }
    }
}

fn from_one(input: &str) -> Parsed<'_, u64> {
    context("a whole number, at least 1", cut(verify(number, |&number| number > 0))).parse(input)
}

fn milliseconds(input: &str) -> Parsed<'_, Duration> {
    context("milliseconds", cut(map(number, Duration::from_millis))).parse(input)
}

/// Parses a clock, which is negative if it has run out.
fn clock(input: &str) -> Parsed<'_, Duration> {
    alt((value(Duration::ZERO, (multispace1, char('-'), digit1)), milliseconds)).parse(input)
}

fn search_moves(input: &str) -> Parsed<'_, Vec<&str>> {
    // Only moves begin with a digit.
    let mv = verify(word, |word: &str| word.starts_with(|c: char| !c.is_alphabetic()));
    context("at least one move", cut(many1(preceded(multispace1, mv)))).parse(input)
}

fn plies(input: &str) -> Parsed<'_, u64> {
    context("a number of plies from 0 to 64", cut(verify(number, |&plies| plies <= 64))).parse(input)
}

/// Converts a number to 32 bits, saturating.
fn clamp(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_draughts::board::Game;
    use kelso_engine::search::Limits;

    fn read(line: &str) -> Result<Option<Command>, CommandError> {
        parse(line)
    }

    fn error(line: &str) -> String {
        read(line).unwrap_err().to_string()
    }

    #[test]
    fn every_part_of_go_is_read_in_any_order() {
        let line = "go infinite wtime 1000 btime -5 winc 10 binc 20 movestogo 7 searchmoves 9-13 22x15x8 depth 5 nodes 6 movetime 8 ponder";
        let ms = Duration::from_millis;
        let expected = GoParams {
            depth: Some(5),
            nodes: Some(6),
            move_time: Some(ms(8)),
            infinite: true,
            ponder: true,
            clocks: [Some(ms(0)), Some(ms(1000))],
            increments: [Some(ms(20)), Some(ms(10))],
            moves_to_go: Some(7),
            search_moves: vec![MoveText::parse("9-13").unwrap(), MoveText::parse("22x15x8").unwrap()],
        };
        assert_eq!(read(line).unwrap(), Some(Command::Go(expected)));
        assert_eq!(read(" go\t").unwrap(), Some(Command::Go(GoParams::default())));
        assert_eq!(read("go perft 6").unwrap(), Some(Command::Perft(6)));
    }

    #[test]
    fn positions_are_read_with_and_without_moves() {
        for line in [
            "position startpos",
            "position startpos moves",
            "position fen B:W21-32:B1-12",
            "position fen B : W 21-32 : B 1-12\tmoves",
            "  position   startpos  ",
        ] {
            assert_eq!(read(line).unwrap(), Some(Command::Position(Game::default())), "{line}");
        }
        let Ok(Some(Command::Position(game))) = read("position fen B:W21-32:B1-12 moves 9-13 21-17") else {
            panic!("no position");
        };
        assert_eq!(
            fen::format(game.position()),
            "B:W17,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,10,11,12,13"
        );
    }

    #[test]
    fn errors_name_line_place_and_expectation() {
        let parts = "one of depth, nodes, movetime, infinite, wtime, btime, winc, binc, movestogo, ponder, searchmoves, perft";
        for (line, at, expected) in [
            ("isready now", 8, "end of input"),
            ("go depth", 9, "a whole number, at least 1"),
            ("go depth x", 10, "a whole number, at least 1"),
            ("go depth 0", 9, "a whole number, at least 1"),
            ("go nodes 99999999999999999999", 10, "a number up to 18446744073709551615"),
            ("go movetime -1", 13, "milliseconds"),
            ("go fast", 4, parts),
            ("go searchmoves", 15, "at least one move"),
            ("position", 9, "\"startpos\" or \"fen\" and a position"),
            ("position startpos 9-13", 19, "\"moves\""),
            ("setoption Hash", 11, "\"name\" and an option's name"),
            ("bench x", 7, "a depth of at least 1"),
            ("bench 0", 6, "a depth of at least 1"),
            ("moves path", 7, "\"paths\""),
            ("ballots four-move", 9, "\"two-move\", \"three-move\" or \"eleven-man\""),
            ("ballots two-move x", 18, "a ballot number"),
            ("go perft 65", 9, "a number of plies from 0 to 64"),
            ("go depth 3x", 11, "a whole number, at least 1"),
        ] {
            let message = format!("invalid command \"{line}\" at character {at}: expected {expected}");
            assert_eq!(error(line), message);
        }
        let square = "at character 2: expected \"-\" or \"x\" and a square";
        for (line, message) in [
            ("xyzzy 1", "unknown command \"xyzzy\""),
            ("go depth 3 depth 4", "\"depth\" is given twice in \"go depth 3 depth 4\""),
            (
                "go perft 3 depth 4",
                "\"perft\" cannot be combined with other limits in \"go perft 3 depth 4\"",
            ),
            ("go searchmoves 1+2", &format!("move 1: invalid move \"1+2\" {square}")),
            ("position startpos moves 9", &format!("move 1: invalid move \"9\" {square}")),
            ("position fen X", "invalid FEN \"X\" at character 1: expected \"B\" or \"W\""),
        ] {
            assert_eq!(error(line), message);
        }
    }

    #[test]
    fn commands_have_their_arguments() {
        for (line, command) in [
            ("moves", Command::Moves),
            ("moves paths", Command::Paths),
            ("bench", Command::Bench(None)),
            ("bench 1", Command::Bench(Some(1))),
            ("ballots two-move", Command::Ballots(Deck::TwoMove, None)),
            ("ballots three-move 17", Command::Ballots(Deck::ThreeMove, Some(17))),
            ("ballots  eleven-man 99999999999", Command::Ballots(Deck::ElevenMan, Some(u32::MAX))),
            ("go perft 0", Command::Perft(0)),
            ("go perft 64", Command::Perft(64)),
            ("go depth 1", Command::Go(Limits::depth(1).into())),
            ("go depth 99999999999", Command::Go(Limits::depth(u32::MAX as usize).into())),
            ("go nodes 99999999999", Command::Go(Limits::nodes(99_999_999_999).into())),
        ] {
            assert_eq!(read(line).unwrap(), Some(command), "{line}");
        }
        let set = |name: &str, value| Some(Command::Set { name: name.to_owned(), value });
        assert_eq!(read("setoption name Hash\tvalue 16").unwrap(), set("Hash", Some("16".to_owned())));
        assert_eq!(read("setoption name  Clear   Hash ").unwrap(), set("Clear Hash", None));
        assert_eq!(read(" \t ").unwrap(), None);
    }
}
