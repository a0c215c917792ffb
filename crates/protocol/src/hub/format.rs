//! Formatting of outputs, and conversion of scores in both directions.
//!
//! Scores are in men, for the side to move. A proved result is 100 men minus a hundredth for each ply to the
//! result; other scores are below 90.
//!
//! Some clients split `id`, `param` and `info` lines at spaces and each word at `=`. Therefore each word has
//! exactly one `=`, and values contain none.

use super::grammar::in_quotes;
use super::hubmove;
use super::parameters;
use crate::EngineOutput;
use crate::command::per_second;
use kelso_draughts::board::{Move, Position};
use kelso_draughts::record::SearchInfo;
use kelso_draughts::score::ReportedScore;
use kelso_draughts::win_rates::WinRates;
use kelso_engine::search::{Score, SearchAnswer, SearchEvent};
use kelso_text::system::without_codes;

pub(super) fn format(output: &EngineOutput) -> String {
    match output {
        EngineOutput::Identity => identity(),
        EngineOutput::Ready => "ready\n".into(),
        EngineOutput::Pong => "pong\n".into(),
        EngineOutput::Error(reason) => error(&reason.to_string()),
        EngineOutput::Search(_, SearchEvent::Line(report)) => {
            let draw = report.known_draw.then_some("draw");
            info(&report.info(), report.score, draw, report.win_rates, &report.line)
        }
        EngineOutput::Search(_, SearchEvent::Book(found)) => {
            info(&SearchInfo::default(), found.score.reported().into(), None, None, &[found.mv])
        }
        EngineOutput::Info(_, found, line) => {
            found.score.map_or_else(String::new, |score| info(found, score.into(), None, None, line))
        }
        EngineOutput::Answer(root, answer) => done(root, answer),
        // Hub has no lines for the other outputs. Except for progress, no Hub command produces them.
        EngineOutput::Search(_, SearchEvent::Trying { .. })
        | EngineOutput::Moves(_)
        | EngineOutput::Paths(_)
        | EngineOutput::Probe(_)
        | EngineOutput::Offer(_)
        | EngineOutput::Ballots(..)
        | EngineOutput::Show(_)
        | EngineOutput::Evaluation(..)
        | EngineOutput::PerftBranch(_)
        | EngineOutput::PerftTotal { .. }
        | EngineOutput::BenchLine(_)
        | EngineOutput::BenchTotal { .. }
        | EngineOutput::Help => String::new(),
    }
}

fn identity() -> String {
    let version = env!("CARGO_PKG_VERSION");
    let parameters = parameters::declarations();
    format!("id name=Kelso version={version} author=\"the Kelso developers\"\n{parameters}wait\n")
}

fn error(message: &str) -> String {
    format!("error message={}\n", in_quotes(&without_codes(message)))
}

/// Formats what is known of a line. `draw` is the result of the databases if the score does not show it.
fn info(
    found: &SearchInfo,
    score: Score,
    draw: Option<&str>,
    rates: Option<WinRates>,
    line: &[Move],
) -> String {
    let database = match score.reported() {
        ReportedScore::Win(None) => Some("win"),
        ReportedScore::Loss(None) => Some("loss"),
        ReportedScore::Cp(_) => draw,
        _ => None,
    };
    #[expect(clippy::cast_precision_loss, reason = "shown with three digits")]
    let speed = found.nodes.zip(found.time).map(|(nodes, time)| per_second(nodes, time) as f64 / 1e6);
    let values = [
        ("depth", found.depth.map(|depth| depth.to_string())),
        ("score", Some(format!("{:.2}", to_men(score)))),
        ("database", database.map(str::to_owned)),
        ("wdl", rates.map(|rates| rates.to_string())),
        ("nodes", found.nodes.map(|nodes| nodes.to_string())),
        ("time", found.time.map(|time| format!("{:.3}", time.as_secs_f64()))),
        ("nps", speed.map(|speed| format!("{speed:.3}"))),
        ("pv", (!line.is_empty()).then(|| format!("\"{}\"", move_words(line)))),
    ];
    let words = values.into_iter().filter_map(|(name, value)| Some(format!(" {name}={}", value?)));
    format!("info{}\n", words.collect::<String>())
}

pub(super) fn move_words(line: &[Move]) -> String {
    line.iter().map(|&mv| hubmove::format(mv)).collect::<Vec<_>>().join(" ")
}

fn done(root: &Position, answer: &SearchAnswer) -> String {
    let Some(best) = answer.best else {
        return format!("{}done\n", error(&format!("no move: {} has lost", root.side())));
    };
    let ponder = answer.ponder.map(|mv| format!(" ponder={}", hubmove::format(mv))).unwrap_or_default();
    format!("done move={}{ponder}\n", hubmove::format(best))
}

const PROVED_HUNDREDTHS: i32 = 10_000;
const MIN_PROVED: i32 = 9_000;

pub(super) fn to_men(score: Score) -> f64 {
    f64::from(match score.reported() {
        ReportedScore::Win(Some(plies)) => proved_hundredths(plies),
        ReportedScore::Loss(Some(plies)) => -proved_hundredths(plies),
        _ => score.value().clamp(1 - MIN_PROVED, MIN_PROVED - 1),
    }) / 100.0
}

fn proved_hundredths(plies: u32) -> i32 {
    PROVED_HUNDREDTHS - i32::try_from(plies).unwrap_or(999).min(999)
}

/// Converts men to a score. Returns `None` for an invalid number.
pub(super) fn from_men(men: f64) -> Option<ReportedScore> {
    if !men.is_finite() || men.abs() > 1e6 {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "bounded above")]
    let hundredths = (men * 100.0).round() as i32;
    let plies = Some(PROVED_HUNDREDTHS.unsigned_abs().saturating_sub(hundredths.unsigned_abs()));
    Some(match hundredths {
        _ if hundredths.abs() < MIN_PROVED => ReportedScore::Cp(hundredths),
        1.. => ReportedScore::Win(plies),
        _ => ReportedScore::Loss(plies),
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::CommandError;
    use kelso_engine::book::BookScore;
    use kelso_engine::search::{BookReport, LineReport};

    #[test]
    fn lines_have_all_values_of_a_search() {
        let report = |score, known_draw| LineReport {
            depth: 9,
            known_draw,
            nodes: 3_000_000,
            time: Duration::from_millis(1500),
            ..LineReport::new(
                score,
                vec![kelso_draughts::notation::movetext::parse(&Position::start(), "11-15").unwrap()],
            )
        };
        let line = |report| format(&EngineOutput::Search(Position::start(), SearchEvent::Line(report)));
        let rest = "nodes=3000000 time=1.500 nps=2.000 pv=\"11-15\"\n";
        let known = Score::database_win(0, 0, 0);
        for (score, known_draw, database) in [
            (Score::evaluation(0), false, ""),
            (Score::evaluation(0), true, " database=draw"),
            (known, false, " database=win"),
            (-known, true, " database=loss"),
            (Score::win_in(5), true, ""),
        ] {
            let men = to_men(score);
            let expected = format!("info depth=9 score={men:.2}{database} {rest}");
            assert_eq!(line(report(score, known_draw)), expected);
        }
        assert!(!line(LineReport { line: Vec::new(), ..report(known, false) }).contains("pv"));
    }

    #[test]
    fn every_piece_of_a_declaration_has_one_equals_sign() {
        for line in identity().lines().filter(|line| *line != "wait") {
            let mut quoted = false;
            let pieces = line.split(|c| {
                quoted ^= c == '"';
                c == ' ' && !quoted
            });
            for piece in pieces.skip(1) {
                assert_eq!(piece.matches('=').count(), 1, "{line}");
            }
        }
    }

    #[test]
    fn a_message_stays_in_its_quotes() {
        assert_eq!(error("bad \"x\""), "error message=\"bad 'x'\"\n");
        assert_eq!(error("bad \"a=\\\"b\""), "error message=\"bad 'a='b'\"\n");
    }

    #[test]
    fn scores_are_men_and_proved_results_are_beyond_ninety() {
        for (score, text) in [
            (Score::evaluation(7), "0.07"),
            (Score::evaluation(-150), "-1.50"),
            (Score::evaluation(14_999), "89.99"),
            (Score::win_in(1), "99.99"),
            (Score::win_in(999), "90.01"),
            (Score::loss_in(0), "-100.00"),
            (Score::loss_in(20), "-99.80"),
        ] {
            assert_eq!(format!("{:.2}", to_men(score)), text);
            let read_back = if text == "89.99" { ReportedScore::Cp(8_999) } else { score.reported() };
            assert_eq!(from_men(text.parse().unwrap()), Some(read_back));
        }
        assert_eq!(from_men(99.95), Some(ReportedScore::Win(Some(5))));
        let limits = [1e6, -1e6, 1e6 + 0.01, f64::NAN, f64::INFINITY].map(from_men);
        assert_eq!(
            limits,
            [Some(ReportedScore::Win(Some(0))), Some(ReportedScore::Loss(Some(0))), None, None, None]
        );
    }

    #[test]
    fn every_output_has_its_line() {
        let start = Position::start();
        let mv = |text: &str| kelso_draughts::notation::movetext::parse(&start, text).unwrap();
        let answer = |best, ponder| {
            EngineOutput::Answer(start, SearchAnswer { best, ponder, ..SearchAnswer::default() })
        };
        let reply = hubmove::parse(&start.after(mv("11-15")), "22-18").unwrap();
        let found = |score| {
            let report = BookReport { mv: mv("9-13"), score, depth: 3 };
            EngineOutput::Search(start, SearchEvent::Book(report))
        };
        let book = |score: &str| format!("info score={score} pv=\"9-13\"\n");
        let men = |score| format!("{:.2}", to_men(score));
        let known = Score::database_win(0, 0, 0);
        for (output, text) in [
            (EngineOutput::Ready, "ready\n".to_owned()),
            (EngineOutput::Pong, "pong\n".to_owned()),
            (EngineOutput::Help, String::new()),
            (
                EngineOutput::Error(CommandError::Engine("no \"x\"".into())),
                "error message=\"no 'x'\"\n".to_owned(),
            ),
            (answer(Some(mv("11-15")), None), "done move=11-15\n".to_owned()),
            (answer(Some(mv("11-15")), Some(reply)), "done move=11-15 ponder=22-18\n".to_owned()),
            (answer(None, None), "error message=\"no move: black has lost\"\ndone\n".to_owned()),
            (found(BookScore::WON), book(&format!("{} database=win", men(known)))),
            (found(BookScore::read(-25).unwrap()), book("-0.25")),
            (found(BookScore::LOST), book(&format!("{} database=loss", men(-known)))),
        ] {
            assert_eq!(format(&output), text);
        }
        let lines = format(&EngineOutput::Identity);
        let version = env!("CARGO_PKG_VERSION");
        assert!(lines.starts_with(&format!(
            "id name=Kelso version={version} author=\"the Kelso developers\"\nparam "
        )));
        assert!(lines.ends_with("\nwait\n"));
    }
}
