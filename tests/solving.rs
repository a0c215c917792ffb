//! What databases of more pieces are worth to a search: 200 endings of 8 to 12 pieces from the engine's own games
//! (`tests/data/endings.txt`), and how soon it tells their result, or how deep it gets.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use draughts::board::{Game, Position};
use draughts::notation::fen;
use engine::search::{Bound, Control, Event, Limits, Report, Score};
use engine::{Engine, Setting};
use players::openings::eleven_man;

use crate::support::number;

const HEAD: &str = "\
# Endings of 8 to 12 pieces, one from a game: positions without a capture at hand whose result a search of 20,000 nodes
# with databases of five pieces does not know. The games are the engine's against itself, 5,000 nodes a move, from
# eleven-man ballots.
#
# Made by `cargo test --release solving::find_endings -- --ignored`, which makes the same file as long as the engine plays the
# same moves.
";

/// Of each number of pieces.
const EACH: usize = 40;
const PIECES: std::ops::RangeInclusive<u32> = 8..=12;

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/endings.txt")
}

fn endings() -> Vec<Position> {
    let text = std::fs::read_to_string(file()).unwrap();
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| fen::parse(line).unwrap()).collect()
}

/// With databases of so many pieces, from a folder if they are not compiled in.
fn engine(pieces: u32, folder: Option<&Path>) -> Engine {
    let mut engine = Engine::with_table(64).unwrap();
    let path = folder.map(|folder| Setting::EgdbPath(Some(folder.to_owned())));
    let settings =
        [Setting::EgdbPieces(pieces), Setting::EgdbCache(256), Setting::MoveOverhead(Duration::ZERO)];
    for setting in settings.into_iter().chain(path) {
        engine.apply(setting).unwrap();
    }
    engine
}

/// What a search of a position tells, from nothing.
fn search(engine: &mut Engine, position: Position, limits: &Limits) -> Vec<Report> {
    engine.new_game();
    let mut reports = Vec::new();
    engine.search(&Game::new(position), limits, &Control::new(false), &mut |event| {
        if let Event::Line(report) = event
            && report.bound == Bound::Exact
        {
            reports.push(report);
        }
    });
    reports
}

/// A result that a search tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Told {
    Win,
    Draw,
    Loss,
}

fn told(report: &Report) -> Option<Told> {
    match report.score {
        score if score == Score::DRAW => Some(Told::Draw),
        score if score.is_evaluation() => None,
        score => Some(if score > Score::DRAW { Told::Win } else { Told::Loss }),
    }
}

/// From when on a search told a result and stayed with it.
fn since(reports: &[Report], result: Told) -> Option<Duration> {
    let stays = reports.iter().rev().take_while(|report| told(report) == Some(result));
    stays.last().map(|report| report.time)
}

#[test]
#[ignore = "makes the file of endings, half a minute"]
fn find_endings() {
    let mut five = engine(5, None);
    let mut found: Vec<Vec<Position>> = vec![Vec::new(); PIECES.count()];
    let openings = eleven_man().unwrap();
    // Any order without a pattern: each game is of another ballot.
    for (number, opening) in openings.iter().cycle().step_by(7).take(openings.len()).enumerate() {
        let pieces = PIECES.start() + u32::try_from(number).unwrap() % 5;
        let place = usize::try_from(pieces - PIECES.start()).unwrap();
        if found.iter().all(|found| found.len() == EACH) {
            break;
        }
        if found[place].len() == EACH {
            continue;
        }
        let mut game = opening.game().game().clone();
        five.new_game();
        while game.outcome().is_none() && game.position().piece_count() >= pieces {
            let position = *game.position();
            if position.piece_count() == pieces && !position.must_capture() {
                let reports = search(&mut five, position, &Limits::nodes(20_000));
                if reports.last().is_some_and(|last| told(last).is_none()) {
                    found[place].push(position);
                }
                break;
            }
            let answer = five.search(&game, &Limits::nodes(5_000), &Control::new(false), &mut |_| {});
            game.play(answer.best.unwrap());
        }
    }
    let mut text = String::from(HEAD);
    for (pieces, found) in PIECES.zip(found) {
        assert_eq!(found.len(), EACH);
        write!(text, "\n# {pieces} pieces\n").unwrap();
        for position in found {
            writeln!(text, "{}", fen::format(&position)).unwrap();
        }
    }
    std::fs::write(file(), text).unwrap();
}

#[test]
fn the_file_has_what_it_says() {
    let endings = endings();
    for pieces in PIECES {
        let of = endings.iter().filter(|position| position.piece_count() == pieces);
        assert_eq!(of.filter(|position| !position.must_capture()).count(), EACH, "{pieces}");
    }
    assert_eq!(endings.len(), EACH * PIECES.count());
}

/// One way to search.
struct Candidate {
    pieces: u32,
    engine: Engine,
    solved: usize,
    /// Seconds; all of a search that didn't solve it.
    seconds: f64,
    depth: usize,
    nodes: u64,
    searched: f64,
}

impl Candidate {
    fn new(pieces: u32, folder: &Path) -> Self {
        let engine = engine(pieces, Some(folder));
        Self { pieces, engine, solved: 0, seconds: 0.0, depth: 0, nodes: 0, searched: 0.0 }
    }
}

/// How soon results are told with 5, 6 and 7 pieces, and what the databases cost where they don't tell any.
///
/// `KELSO_EGDB=FOLDER cargo test --release solving::with -- --ignored --nocapture`, with `KELSO_MS` for the milliseconds
/// of each search (300). What a position is worth is what a search of four times as long with all pieces says.
#[test]
#[ignore = "shows times, and needs databases of seven pieces in the folder that KELSO_EGDB names"]
fn with_more_pieces_in_the_databases() {
    let folder = PathBuf::from(std::env::var_os("KELSO_EGDB").expect("KELSO_EGDB names a folder"));
    let time = Duration::from_millis(number("KELSO_MS", 300));
    let mut candidates = [5, 6, 7].map(|pieces| Candidate::new(pieces, &folder));
    assert!(candidates[2].engine.databases().covers(7));
    let mut reference = engine(7, Some(&folder));
    let (mut known, mut results) = (0, [0; 3]);
    // Of the logarithms of times to the same depth, with six pieces and with more by with six.
    let mut ratios = Vec::new();
    let endings = endings();
    for (number, &position) in endings.iter().enumerate() {
        let long = search(&mut reference, position, &Limits::move_time(time * 4));
        let result = long.last().and_then(told);
        if let Some(result) = result {
            known += 1;
            results[result as usize] += 1;
        }
        let mut runs: [Vec<Report>; 3] = Default::default();
        for turn in 0..3 {
            let which = (number + turn) % 3;
            let candidate = &mut candidates[which];
            let reports = search(&mut candidate.engine, position, &Limits::move_time(time));
            if let Some(result) = result {
                let since = since(&reports, result);
                candidate.solved += usize::from(since.is_some());
                candidate.seconds += since.unwrap_or(time).as_secs_f64();
            } else if let Some(last) = reports.last() {
                candidate.depth += last.depth;
                candidate.nodes += last.nodes;
                candidate.searched += last.time.as_secs_f64();
            }
            runs[which] = reports;
        }
        if result.is_none() {
            let [_, six, seven] = &runs;
            let depth = six.last().zip(seven.last()).map_or(0, |(one, other)| one.depth.min(other.depth));
            let at = |reports: &[Report]| {
                let reached = reports.iter().find(|report| report.depth == depth);
                reached.map(|report| report.time.as_secs_f64())
            };
            if let Some((six, seven)) = at(six).zip(at(seven)).filter(|times| times.0 > 0.01) {
                ratios.push((seven / six).ln());
            }
        }
        if number % 20 == 19 {
            println!("{} of {} endings", number + 1, endings.len());
        }
    }
    let [wins, draws, losses] = results;
    println!(
        "known after {:?} with seven pieces: {known}, {wins} won, {draws} drawn, {losses} lost",
        time * 4
    );
    #[expect(clippy::cast_precision_loss, reason = "means for people")]
    for Candidate { pieces, solved, seconds, depth, nodes, searched, .. } in candidates {
        let open = endings.len() - known;
        println!(
            "{pieces} pieces: {solved} told in {time:?}, after {:.0} ms in the mean of all {known}; in the other {open} \
             depth {:.2} at {:.0} knodes/s",
            seconds * 1e3 / known as f64,
            depth as f64 / open as f64,
            nodes as f64 / searched / 1e3,
        );
    }
    #[expect(clippy::cast_precision_loss, reason = "a mean for people")]
    let mean = (ratios.iter().sum::<f64>() / ratios.len() as f64).exp();
    println!("time to the same depth with seven by with six: {mean:.3} in the mean of {}", ratios.len());
}
