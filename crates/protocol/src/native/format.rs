//! Formatting of outputs.

use std::fmt::Write;

use super::grammar::{COMMANDS, GO_WORDS};
use super::{DeclaredOption, Native};
use crate::command::per_second;
use crate::{CommandError, EngineOutput};
use kelso_draughts::ballot::{Ballot, Deck};
use kelso_draughts::board::{self, Color, Game, Move, NO_PROGRESS_PLIES, Position, Square};
use kelso_draughts::diagram;
use kelso_draughts::notation::{fen, movetext};
use kelso_draughts::record::SearchInfo;
use kelso_draughts::result::{EndReason, GameEnd, KnownValue};
use kelso_draughts::score::ReportedScore;
use kelso_engine::eval::{EvalPart, Explanation};
use kelso_engine::search::{BookReport, Bound, LineReport, Score, SearchAnswer, SearchEvent};
use kelso_engine::{DrawOfferAnswer, DrawOfferReason, ErringReplies, OPTIONS, OptionKind, Probe, ProbedMove};
use kelso_text::system::without_codes;

pub(super) fn format(output: &EngineOutput) -> String {
    match output {
        EngineOutput::Identity => introduction(Native::KELSO, OPTIONS.iter().map(Into::into)),
        EngineOutput::Ready | EngineOutput::Pong => "readyok\n".into(),
        EngineOutput::Error(error) => {
            format!("info string error: {}{}\n", without_codes(&error.to_string()), advice(error))
        }
        EngineOutput::Search(root, SearchEvent::Line(report)) => {
            info(root, &report.info(), Some(report), &report.line)
        }
        EngineOutput::Search(root, SearchEvent::Trying { depth, mv, number }) => {
            format!("info depth {depth} currmove {} currmovenumber {number}\n", movetext::format(root, *mv))
        }
        EngineOutput::Search(root, SearchEvent::Book(BookReport { mv, score, depth })) => {
            format!("info string book {} {score} depth {depth}\n", movetext::format(root, *mv))
        }
        EngineOutput::Info(root, found, line) => info(root, found, None, line),
        EngineOutput::Answer(root, answer) => best_move(root, answer),
        EngineOutput::Moves(position) => moves(position),
        EngineOutput::Paths(position) => paths(position),
        EngineOutput::Probe(probe) => probed(probe),
        EngineOutput::Offer(answer) => offer(answer),
        EngineOutput::Ballots(deck, ballots) => ballot_lines(*deck, ballots),
        EngineOutput::Show(game) => show(game),
        EngineOutput::Evaluation(name, explanation) => evaluation(name, explanation),
        EngineOutput::PerftBranch(branch) => {
            format!("perft move {} leaves {}\n", movetext::branch(branch), branch.leaves)
        }
        EngineOutput::PerftTotal { depth, leaves: Some(leaves), time } => {
            format!("perft depth {depth} leaves {leaves} time {}\n", time.as_millis())
        }
        EngineOutput::PerftTotal { depth, leaves: None, .. } => format!("perft depth {depth} stopped\n"),
        EngineOutput::BenchLine(result) => {
            format!(
                "bench position {} nodes {} fen {}\n",
                result.number,
                result.nodes,
                fen::format(&result.position)
            )
        }
        EngineOutput::BenchTotal { nodes: Some(nodes), time } => {
            format!("bench time {} nps {}\nBench: {nodes}\n", time.as_millis(), per_second(*nodes, *time))
        }
        EngineOutput::BenchTotal { nodes: None, .. } => "bench stopped\n".into(),
        EngineOutput::Help => help(),
    }
}

/// Names the command that helps after an error, if any.
fn advice(error: &CommandError) -> String {
    match error {
        CommandError::Unknown(_) => "; \"help\" lists the commands".into(),
        CommandError::Ballot { deck, .. } => format!("; \"ballots {}\" lists those that are", deck.name()),
        _ => String::new(),
    }
}

pub(super) fn introduction(name: &str, options: impl IntoIterator<Item = DeclaredOption>) -> String {
    let options: String = options.into_iter().map(|option| declaration(&option)).collect();
    format!("id name {name}\nid author the Kelso developers\n{options}uciok\n")
}

fn declaration(DeclaredOption { name, kind, default }: &DeclaredOption) -> String {
    match kind {
        OptionKind::Spin { min, max } => {
            format!("option name {name} type spin default {default} min {min} max {max}\n")
        }
        OptionKind::Combo { choices } => {
            format!("option name {name} type combo default {default} var {}\n", choices.join(" var "))
        }
        OptionKind::Check => format!("option name {name} type check default {default}\n"),
        OptionKind::Button => format!("option name {name} type button\n"),
        // Texts, paths and words.
        _ if default.is_empty() => format!("option name {name} type string default <empty>\n"),
        _ => format!("option name {name} type string default {default}\n"),
    }
}

/// Formats what is known of a line, with a report if Kelso has searched it. A line without a score has no
/// text.
fn info(root: &Position, found: &SearchInfo, report: Option<&LineReport>, line: &[Move]) -> String {
    let score = report.map(|report| (report.score, report.bound));
    let Some((score, bound)) = score.or_else(|| Some((found.score?.into(), Bound::Exact))) else {
        return String::new();
    };
    let rates = report.and_then(|report| report.win_rates);
    let values = [
        ("depth", text(found.depth)),
        ("seldepth", text(report.map(|report| report.selective_depth))),
        ("multipv", text(report.map(|report| report.rank))),
        ("score", Some(score_words(score, bound))),
        ("database", text(report.filter(|report| report.known_draw).map(|_| "draw"))),
        ("wdl", rates.map(|rates| rates.thousandths().map(|chance| chance.to_string()).join(" "))),
        ("nodes", text(found.nodes)),
        ("nps", text(found.nodes.zip(found.time).map(|(nodes, time)| per_second(nodes, time)))),
        ("hashfull", text(report.map(|report| report.hash_full))),
        ("tbhits", text(report.map(|report| report.tb_hits))),
        ("time", text(found.time.map(|time| time.as_millis()))),
        (
            "pv",
            if line.is_empty() {
                text(report.map(|_| "none"))
            } else {
                Some(movetext::format_line(root, line))
            },
        ),
    ];
    let words = values.into_iter().filter_map(|(name, value)| Some(format!(" {name} {}", value?)));
    format!("info{}\n", words.collect::<String>())
}

fn text(value: Option<impl ToString>) -> Option<String> {
    value.map(|value| value.to_string())
}

fn best_move(root: &Position, answer: &SearchAnswer) -> String {
    let Some(best) = answer.best else {
        let side = root.side();
        return format!("info string no move: {side} has lost\nbestmove none\n");
    };
    let mut line = format!("bestmove {}", movetext::format(root, best));
    if let Some(ponder) = answer.ponder {
        let _ = write!(line, " ponder {}", movetext::format(&root.after(best), ponder));
    }
    line + "\n"
}

/// Formats a score. A database result is added after a `cp` value that is comparable with others, unless the
/// score is only a bound on the wrong side.
fn score_words(score: Score, bound: Bound) -> String {
    let database = match (bound, score.reported()) {
        (Bound::Exact | Bound::Lower, ReportedScore::Win(None)) => " database win",
        (Bound::Exact | Bound::Upper, ReportedScore::Loss(None)) => " database loss",
        _ => "",
    };
    let limit = match bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    match score.reported() {
        ReportedScore::Win(Some(plies)) => format!("win {plies}{limit}"),
        ReportedScore::Loss(Some(plies)) => format!("loss {plies}{limit}"),
        _ => format!("cp {}{limit}{database}", score.value()),
    }
}

/// Formats the database results: a line for each move, then a line for the position.
fn probed(probe: &Probe) -> String {
    let position = &probe.position;
    let mut lines = String::new();
    for &ProbedMove { mv, known: value, errors } in &probe.moves {
        let errors = errors.map(|ErringReplies { errors, replies }| format!(" errors {errors} of {replies}"));
        let errors = errors.unwrap_or_default();
        let _ =
            writeln!(lines, "probe move {} {}{errors}", movetext::format(position, mv), value_words(value));
    }
    lines + &format!("probe side {} {}\n", position.side(), value_words(probe.known))
}

fn value_words(value: Option<KnownValue>) -> String {
    value.map_or_else(|| "unknown".to_owned(), |value| value.to_string())
}

fn offer(answer: &DrawOfferAnswer) -> String {
    let reason = match answer.reason {
        DrawOfferReason::Over => "over".into(),
        DrawOfferReason::Known(result) => format!("database {result}"),
        DrawOfferReason::Pieces(pieces) => format!("pieces {pieces}"),
        DrawOfferReason::Score(score) => format!("score {}", score_words(score, Bound::Exact)),
    };
    format!("draw {} {reason}\n", if answer.accepted { "accepted" } else { "declined" })
}

fn moves(position: &Position) -> String {
    let moves: Vec<_> = position.moves().iter().map(|&mv| movetext::format(position, mv)).collect();
    format!("moves {}\n", if moves.is_empty() { "none".into() } else { moves.join(" ") })
}

fn paths(position: &Position) -> String {
    let mut lines = String::new();
    for &mv in &position.moves() {
        let captures = numbers(mv.captured().iter());
        let captures = if mv.is_capture() { format!(" captures{captures}") } else { captures };
        for path in position.paths(mv) {
            let squares = numbers(std::iter::once(mv.from()).chain(path));
            let _ = writeln!(lines, "path {} squares{squares}{captures}", movetext::format(position, mv));
        }
    }
    lines + &moves(position)
}

fn numbers(squares: impl Iterator<Item = Square>) -> String {
    squares.fold(String::new(), |text, square| text + &format!(" {square}"))
}

fn ballot_lines(deck: Deck, ballots: &[&Ballot]) -> String {
    let mut lines = String::new();
    for ballot in ballots {
        let name = ballot.name().map(|name| format!(" name {name}")).unwrap_or_default();
        let fen = fen::format(&ballot.start);
        let moves = movetext::format_line(&ballot.start, &ballot.moves);
        let _ = writeln!(lines, "ballot {ballot}{name} fen {fen} moves {moves}");
    }
    lines + &format!("ballots {} {}\n", deck.name(), ballots.len())
}

fn show(game: &Game) -> String {
    let position = game.position();
    let board = diagram::lines(position, Color::White).join("\nboard ");
    let result = match game.end() {
        None => "open".to_owned(),
        Some(GameEnd { reason: EndReason::NoProgress, .. }) => {
            format!("draw: {NO_PROGRESS_PLIES} plies without a capture or a man's move")
        }
        Some(end) => end.to_string(),
    };
    format!(
        "board {board}\nfen {}\nkey {:016x}\nside {}\nresult {result}\n",
        fen::format(position),
        position.key(),
        position.side()
    )
}

/// Formats an explanation of a value. The last line is the value itself.
fn evaluation(name: &str, explanation: &Explanation) -> String {
    /// Width of a square on the board, in characters.
    const WIDTH: usize = 5;
    let Explanation { position, value, material, parts, pieces } = explanation;
    let mut text = format!("eval by {name}\neval material cp {material}\n");
    text.extend(parts.iter().map(evaluation_part));
    text.extend(pieces.iter().map(|worth| {
        let kind = match worth.piece.kind {
            board::PieceKind::Man => "man",
            board::PieceKind::King => "king",
        };
        format!("eval piece {} {} {kind} cp {}\n", worth.square, worth.piece.color, worth.value)
    }));
    for row in 0..8 {
        let mut cells = String::new();
        for column in 0..8 {
            let cell = match Square::at(row, column) {
                None => String::new(),
                Some(square) => match pieces.iter().find(|worth| worth.square == square) {
                    Some(worth) => worth.value.to_string(),
                    None => ".".to_owned(),
                },
            };
            let _ = write!(cells, "{cell:>WIDTH$}");
        }
        let _ = writeln!(text, "eval board {}", cells.trim_end());
    }
    text + &format!("eval cp {value} side {}\n", position.side())
}

fn evaluation_part(part: &EvalPart) -> String {
    let EvalPart { name, value, sides } = part;
    match sides {
        None => format!("eval part {name} cp {value}\n"),
        Some((own, other)) => format!("eval part {name} cp {value} own {own} other {other}\n"),
    }
}

fn help() -> String {
    let commands = COMMANDS.iter().flat_map(|entry| match entry.word {
        "go" => go_usage(),
        word => vec![(format!("{word} {}", entry.usage), entry.help)],
    });
    let commands = commands.map(|(usage, help)| format!("help {usage:58} {help}\n"));
    let options = OPTIONS.iter().map(|option| format!("help option {:51} {}\n", option.name, option.help));
    commands.chain(options).collect()
}

/// Returns the lines of `go` in the help.
fn go_usage() -> Vec<(String, &'static str)> {
    let mut lines = Vec::new();
    for &(words, help) in GO_WORDS {
        let mut usage = (if lines.is_empty() { "go" } else { "  " }).to_owned();
        for (word, value) in words {
            let _ = write!(usage, " [{word}{}]", value.usage());
        }
        lines.push((usage, help));
    }
    lines
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use kelso_draughts::board::Move;
    use kelso_draughts::result::Wdl;
    use kelso_draughts::win_rates::WinRates;
    use kelso_engine::book::BookScore;
    use kelso_engine::eval::Evaluation;

    #[test]
    fn eval_prints_one_line_per_piece_and_part() {
        let position = fen::parse("W:W5:B14,K32").unwrap();
        let mut explanation = Explanation::of(Evaluation::Material, &position);
        let lines = evaluation("material", &explanation);
        assert!(lines.contains("eval piece 5 white man cp 100\neval piece 14 black man cp 100\n"), "{lines}");
        assert!(lines.contains("eval board   100         .         .         .\n"), "{lines}");
        assert!(lines.ends_with("side white\n"));
        explanation.parts = vec![EvalPart::whole("a", 1), EvalPart::sides("b-c", 2, 5)];
        let lines = evaluation("material", &explanation);
        let parts: Vec<&str> = lines.lines().filter(|line| line.starts_with("eval part")).collect();
        assert_eq!(parts, ["eval part a cp 1", "eval part b-c cp -3 own 2 other 5"]);
    }

    fn mv(text: &str) -> Move {
        movetext::parse(&Position::start(), text).unwrap()
    }

    #[test]
    fn a_line_of_a_search_has_every_value() {
        let report = LineReport {
            depth: 9,
            selective_depth: 12,
            rank: 2,
            score: Score::evaluation(35),
            known_draw: true,
            win_rates: WinRates::new(350, 600, 50),
            bound: Bound::Lower,
            nodes: 3_000_000,
            tb_hits: 7,
            hash_full: 42,
            time: Duration::from_millis(1500),
            line: vec![mv("11-15")],
        };
        let start = Position::start();
        let line =
            |report: &LineReport| format(&EngineOutput::Search(start, SearchEvent::Line(report.clone())));
        let expected = "info depth 9 seldepth 12 multipv 2 score cp 35 lowerbound database draw wdl 350 600 50 \
                        nodes 3000000 nps 2000000 hashfull 42 tbhits 7 time 1500 pv 11-15\n";
        assert_eq!(line(&report), expected);
        let report =
            LineReport { known_draw: false, win_rates: None, line: vec![], bound: Bound::Exact, ..report };
        let expected = "info depth 9 seldepth 12 multipv 2 score cp 35 nodes 3000000 nps 2000000 hashfull 42 \
                        tbhits 7 time 1500 pv none\n";
        assert_eq!(line(&report), expected);
        for (mv, score, text) in [
            ("9-13", BookScore::WON, format!("info string book 9-13 {} depth 3\n", BookScore::WON)),
            ("11-15", BookScore::LOST, format!("info string book 11-15 {} depth 3\n", BookScore::LOST)),
        ] {
            let found = BookReport { mv: self::mv(mv), score, depth: 3 };
            let output = EngineOutput::Search(start, SearchEvent::Book(found));
            assert_eq!(format(&output), text);
        }
        let trying = SearchEvent::Trying { depth: 4, mv: mv("9-13"), number: 2 };
        let output = EngineOutput::Search(start, trying);
        assert_eq!(format(&output), "info depth 4 currmove 9-13 currmovenumber 2\n");
    }

    #[test]
    fn scores_are_proved_known_or_estimated() {
        let known = Score::database_win(0, 0, 0);
        let cp = known.value();
        for (score, bound, words) in [
            (Score::evaluation(-12), Bound::Exact, "cp -12".to_owned()),
            (Score::evaluation(12), Bound::Upper, "cp 12 upperbound".to_owned()),
            (Score::win_in(5), Bound::Lower, "win 5 lowerbound".to_owned()),
            (Score::loss_in(4), Bound::Exact, "loss 4".to_owned()),
            (known, Bound::Exact, format!("cp {cp} database win")),
            (known, Bound::Lower, format!("cp {cp} lowerbound database win")),
            (known, Bound::Upper, format!("cp {cp} upperbound")),
            (-known, Bound::Exact, format!("cp -{cp} database loss")),
            (-known, Bound::Upper, format!("cp -{cp} upperbound database loss")),
            (-known, Bound::Lower, format!("cp -{cp} lowerbound")),
        ] {
            assert_eq!(score_words(score, bound), words);
        }
    }

    #[test]
    fn answers_are_written_in_their_position() {
        let start = Position::start();
        let answer = |best, ponder| SearchAnswer { best, ponder, ..SearchAnswer::default() };
        assert_eq!(best_move(&start, &answer(Some(mv("11-15")), None)), "bestmove 11-15\n");
        let reply = movetext::parse(&start.after(mv("11-15")), "22-18").unwrap();
        let both = answer(Some(mv("11-15")), Some(reply));
        assert_eq!(best_move(&start, &both), "bestmove 11-15 ponder 22-18\n");
        let none = "info string no move: black has lost\nbestmove none\n";
        assert_eq!(best_move(&start, &answer(None, None)), none);
        for (accepted, reason, text) in [
            (true, DrawOfferReason::Known(Wdl::Draw), "draw accepted database draw\n"),
            (false, DrawOfferReason::Pieces(13), "draw declined pieces 13\n"),
            (false, DrawOfferReason::Score(Score::win_in(3)), "draw declined score win 3\n"),
            (false, DrawOfferReason::Over, "draw declined over\n"),
        ] {
            assert_eq!(offer(&DrawOfferAnswer { accepted, reason }), text);
        }
    }

    #[test]
    fn the_board_is_shown_with_the_state_of_the_game() {
        let lines = show(&Game::new(fen::parse("W:W5:B14").unwrap()));
        let key = fen::parse("W:W5:B14").unwrap().key();
        assert!(lines.starts_with("board    .   .   .   .     1  2  3  4\nboard  w "), "{lines}");
        assert!(
            lines.ends_with(&format!("\nfen W:W5:B14\nkey {key:016x}\nside white\nresult open\n")),
            "{lines}"
        );
        let over = show(&Game::new(fen::parse("W:W:B14").unwrap()));
        assert!(over.ends_with("\nresult black wins: white has no move\n"), "{over}");
        // Kings that walk in circles of different lengths.
        let mut game = Game::new(fen::parse("B:WK32,K29:BK1,K2").unwrap());
        let rounds = [&[1, 5, 9, 14, 10, 6][..], &[32, 28, 24, 20, 16, 19, 23, 27]];
        for ply in 0..NO_PROGRESS_PLIES as usize {
            let round = rounds[ply % 2];
            let (from, to) = (round[ply / 2 % round.len()], round[(ply / 2 + 1) % round.len()]);
            game.play(movetext::parse(game.position(), &format!("{from}-{to}")).unwrap());
        }
        let drawn = show(&game);
        assert!(drawn.ends_with("\nresult draw: 80 plies without a capture or a man's move\n"), "{drawn}");
    }

    #[test]
    fn counts_are_formatted_with_their_units() {
        let time = Duration::from_millis(1500);
        for (output, text) in [
            (EngineOutput::Ready, "readyok\n"),
            (EngineOutput::Pong, "readyok\n"),
            (
                EngineOutput::PerftTotal { depth: 4, leaves: Some(302), time },
                "perft depth 4 leaves 302 time 1500\n",
            ),
            (EngineOutput::PerftTotal { depth: 4, leaves: None, time }, "perft depth 4 stopped\n"),
            (EngineOutput::BenchTotal { nodes: Some(3000), time }, "bench time 1500 nps 2000\nBench: 3000\n"),
            (EngineOutput::BenchTotal { nodes: None, time }, "bench stopped\n"),
        ] {
            assert_eq!(format(&output), text);
        }
        let position = fen::parse("W:W5:B14").unwrap();
        let output =
            EngineOutput::BenchLine(kelso_engine::BenchResult { number: 3, position, nodes: 70, time });
        assert_eq!(format(&output), "bench position 3 nodes 70 fen W:W5:B14\n");
        let ballots: Vec<_> = Deck::TwoMove.in_play().collect();
        let lines = ballot_lines(Deck::TwoMove, &ballots);
        assert_eq!(lines.lines().count(), ballots.len() + 1);
        assert!(lines.starts_with("ballot two-move "), "{lines}");
        assert!(lines.ends_with(&format!("\nballots two-move {}\n", ballots.len())), "{lines}");
    }

    #[test]
    fn options_are_declared_by_their_type() {
        let lines = introduction(Native::KELSO, OPTIONS.iter().map(Into::into));
        let version = env!("CARGO_PKG_VERSION");
        assert!(
            lines.starts_with(&format!(
                "id name Kelso {version}\nid author the Kelso developers\noption name "
            ))
        );
        assert!(lines.ends_with("\nuciok\n"));
        for line in [
            "option name Hash type spin default 64 min 1 max 1048576",
            "option name Clear Hash type button",
            "option name Ponder type check default false",
            "option name EgdbPath type string default <empty>",
        ] {
            assert!(lines.lines().any(|other| other == line), "{line} in {lines}");
        }
        let combos: Vec<&str> = lines.lines().filter(|line| line.contains(" type combo default ")).collect();
        assert!(!combos.is_empty() && combos.iter().all(|line| line.contains(" var ")), "{combos:?}");
        let help = help();
        assert_eq!(help.lines().count(), COMMANDS.len() + GO_WORDS.len() - 1 + OPTIONS.len());
        for usage in ["go [depth N] [nodes N] [movetime MS] [infinite]", "quit", "bench [N]"] {
            assert!(help.contains(&format!("help {usage:58} ")), "{help}");
        }
        assert!(help.contains(&format!("\nhelp option {:51} ", "Hash")), "{help}");
    }
}
