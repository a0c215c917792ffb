//! The shared library, called as CheckerBoard calls it: games, claims, clocks, threads, and hostile calls.
#![allow(unsafe_code, reason = "a library is loaded and called")]

use std::ffi::c_int;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use kelso_checkerboard::{CbMove, Cells, board};
use kelso_draughts::board::{Game, Move, Position};
use kelso_draughts::notation::{fen, movetext};
use kelso_draughts::result::GameResult;
use kelso_random::{IndexedRandom, Random, RngExt, SeedableRng};

use crate::helpers::engine::PATIENCE;
use crate::helpers::library::{self, Call, Engine, ROOM, alone, text};
use crate::helpers::tools::{found, has, skip};
use crate::helpers::{Folder, kelso};

const DRAW: c_int = 0;
const WIN: c_int = 1;
const LOSS: c_int = 2;
const UNKNOWN: c_int = 3;

pub(super) fn color(position: &Position) -> c_int {
    1 + c_int::from(position.side() == kelso_draughts::board::Color::Black)
}

pub(super) fn cells(position: &Position) -> Cells {
    // The engine must not change the light squares.
    let mut cells = [[77; 8]; 8];
    board::write(position, &mut cells);
    cells
}

/// Returns the legal move that a `CbMove` describes.
pub(super) fn described(position: &Position, mv: &CbMove) -> Option<Move> {
    position.moves().into_iter().find(|&legal| board::convert_move(position, legal) == *mv)
}

/// A GUI with the clocks and moves of a game.
struct Gui<'a> {
    engine: &'a Engine,
    game: Game,
    /// The position after the last irreversible move, and the moves since.
    history: String,
    /// Time left for each side in milliseconds, Black's first.
    clocks: [c_int; 2],
    increment: c_int,
    /// The unit of times: 1 for milliseconds, 2 and 3 for hundredths and tenths of a second.
    unit: c_int,
    min: c_int,
    plies: usize,
}

impl<'a> Gui<'a> {
    fn new(engine: &'a Engine, start: Position, millis: c_int, increment: c_int, unit: c_int) -> Self {
        let clocks = [millis; 2];
        let history = fen::format(&start);
        let game = Game::new(start);
        Self { engine, game, history, clocks, increment, unit, min: clocks[0], plies: 0 }
    }

    /// Plays a move. Returns the engine's claim.
    fn ply(&mut self) -> c_int {
        let position = *self.game.position();
        assert_eq!(self.engine.command(format!("set gamehist {}", self.history).as_bytes()).0, 1);
        let mut board = cells(&position);
        let (mut room, mut play_now, mut mv) = (ROOM, 0, CbMove::default());
        let side = position.side().index();
        // A clock has at least 5 ms left; `max_time` must be ignored.
        let units = 10_i32.pow(self.unit.unsigned_abs() - 1);
        let fields = (self.clocks[side].max(5) / units) << 16 | (self.increment / units);
        let begun = Instant::now();
        let claim = self.engine.getmove(Call {
            board: Some(&mut board),
            color: color(&position),
            max_time: 1000.0,
            text: Some(&mut room),
            play_now: Some(&mut play_now),
            info: self.unit << 2 | c_int::from(self.plies == 0),
            more_info: fields,
            mv: Some(&mut mv),
        });
        self.clocks[side] -= c_int::try_from(begun.elapsed().as_millis()).unwrap() + 1;
        self.min = self.min.min(self.clocks[side]);
        self.clocks[side] += self.increment;
        let legal = described(&position, &mv).unwrap_or_else(|| panic!("{mv:?} in {position:?}"));
        assert_eq!(board, cells(&position.after(legal)), "the board after the move");
        assert!(text(&room).contains(" depth "), "{:?}", text(&room));
        self.game.play(legal);
        self.plies += 1;
        if legal.is_irreversible() {
            self.history = fen::format(self.game.position());
        } else {
            self.history = format!("{} {}", self.history, movetext::full(&position, legal));
        }
        claim
    }

    /// Plays to the end, and checks the claims.
    fn play(mut self) -> Self {
        let mut claims = [UNKNOWN; 2];
        let outcome = loop {
            if let Some(outcome) = self.game.end() {
                break outcome;
            }
            let side = self.game.position().side();
            let claim = self.ply();
            if claim != UNKNOWN {
                claims[side.index()] = claim;
            }
            assert_eq!(claim == DRAW, self.game.end().is_some_and(|end| end.result == GameResult::Draw));
        };
        if let Some(winner) = outcome.result.winner() {
            assert_ne!(claims[winner.index()], LOSS);
            assert_eq!(claims[winner.index()], WIN);
            assert_ne!(claims[1 - winner.index()], WIN);
        }
        self
    }
}

/// Plays games from random openings. Clocks may be exceeded by `slack` on a busy machine.
fn games(count: usize, millis: c_int, increment: c_int, slack: c_int) {
    let engine = Engine::load();
    assert_eq!(engine.command(b"set hashsize 8").0, 1);
    let mut random = Random::seed_from_u64(count as u64);
    let (mut plies, mut min) = (0, c_int::MAX);
    for number in 0..count {
        let mut start = Position::start();
        for _ in 0..number % 8 {
            start = start.after(*start.moves().choose(&mut random).unwrap());
        }
        let unit = 1 + c_int::try_from(number % 3).unwrap();
        let gui = Gui::new(&engine, start, millis, increment, unit).play();
        plies += gui.plies;
        min = min.min(gui.min);
    }
    println!("{count} games, {plies} plies, least time left {min} ms");
    assert!(min >= -slack);
}

#[test]
fn three_games_with_clocks() {
    let _alone = alone();
    // A busy machine may keep the library waiting for a second.
    games(3, 700, 5, 3000);
}

#[test]
#[ignore = "a hundred games take minutes"]
fn a_hundred_games_with_clocks() {
    let _alone = alone();
    games(100, 1000, 10, 0);
}

#[test]
fn the_gui_can_request_the_move_at_once() {
    let _alone = alone();
    let engine = Engine::load();
    let mut board = cells(&Position::start());
    let mut play_now: c_int = 0;
    let (mut room, mut mv) = (ROOM, CbMove::default());
    // As in the GUI, another thread meanwhile sets the flag and sends a command.
    let flag = std::ptr::from_mut(&mut play_now) as usize;
    let begun = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(200));
            assert_eq!(engine.command(b"set hashsize 9").0, 1);
            assert_eq!(engine.command(b"get hashsize"), (1, "9".into()));
            unsafe { std::sync::atomic::AtomicI32::from_ptr(flag as *mut c_int) }
                .store(1, std::sync::atomic::Ordering::Relaxed);
        });
        let claim = engine.getmove(Call {
            board: Some(&mut board),
            color: 2,
            max_time: 60.0,
            text: Some(&mut room),
            play_now: Some(unsafe { &mut *(flag as *mut c_int) }),
            info: 2,
            more_info: 0,
            mv: Some(&mut mv),
        });
        assert_eq!(claim, UNKNOWN);
    });
    // Without the flag, the search would take a minute.
    assert!(begun.elapsed() < PATIENCE, "{:?}", begun.elapsed());
    assert!(described(&Position::start(), &mv).is_some());
}

#[test]
fn an_exact_time_is_used_and_not_exceeded() {
    let _alone = alone();
    let engine = Engine::load();
    let mut board = cells(&Position::start());
    let begun = Instant::now();
    engine.getmove(Call {
        board: Some(&mut board),
        color: 2,
        max_time: 0.3,
        text: None,
        play_now: None,
        info: 2 | 1 << 2,
        // With `info`, this sets a clock of one millisecond, which must be ignored.
        more_info: 1 << 16,
        mv: None,
    });
    let used = begun.elapsed();
    // Without `max_time`, the search would never end; how soon it ends after that depends on the machine.
    assert!((Duration::from_millis(270)..PATIENCE).contains(&used), "{used:?}");
}

#[test]
fn invalid_boards_are_errors_and_change_only_the_text() {
    let _alone = alone();
    let engine = Engine::load();
    let blocked = cells(&fen::parse("B:W9,14:B5").unwrap());
    let mut bad = cells(&Position::start());
    bad[6][0] = 15;
    let mut crowded = cells(&Position::start());
    crowded[1][3] = 6;
    let mut uncrowned = cells(&Position::start());
    (uncrowned[6][0], uncrowned[1][7]) = (5, 0);
    for (before, color, claim, message) in [
        (blocked, 2, LOSS, "no move: black has lost"),
        (bad, 2, UNKNOWN, "error: invalid piece 15 on square 1: expected 0, 5 or 6 (men), 9 or 10 (kings)"),
        (cells(&Position::start()), 3, UNKNOWN, "error: invalid colour 3: expected 1 (white) or 2 (black)"),
        (crowded, 1, UNKNOWN, "error: too many black pieces: 13, at most 12 are allowed"),
        (uncrowned, 1, UNKNOWN, "error: the white man on 1 must be a king (men are crowned on 1-4)"),
        ([[0; 8]; 8], 1, UNKNOWN, "error: the board is empty"),
    ] {
        let (mut board, mut room, mut mv) = (before, ROOM, CbMove { jumps: 99, ..CbMove::default() });
        let got = engine.getmove(Call {
            board: Some(&mut board),
            color,
            max_time: 0.05,
            text: Some(&mut room),
            play_now: None,
            info: 0,
            more_info: 0,
            mv: Some(&mut mv),
        });
        assert_eq!((got, text(&room).as_str()), (claim, message));
        assert_eq!((board, mv.jumps), (before, 99));
    }
}

/// Returns a call with only these arguments.
fn call<'a>(board: Option<&'a mut Cells>, text: Option<&'a mut [u8; 1024]>) -> Call<'a> {
    Call { board, color: 2, max_time: 0.01, text, play_now: None, info: 0, more_info: 0, mv: None }
}

#[test]
fn null_pointers_are_accepted() {
    let _alone = alone();
    let engine = Engine::load();
    assert_eq!(engine.getmove(call(None, None)), UNKNOWN);
    let mut room = ROOM;
    assert_eq!(engine.getmove(call(None, Some(&mut room))), UNKNOWN);
    assert_eq!(text(&room), "error: no board");
    let mut board = cells(&Position::start());
    assert_eq!(engine.getmove(call(Some(&mut board), None)), UNKNOWN);
    assert_ne!(board, cells(&Position::start()));
    assert_eq!(engine.command_without(None, None), 0);
    assert_eq!(engine.command_without(Some(c"name"), None), 1);
    let mut room = ROOM;
    assert_eq!(engine.command_without(None, Some(&mut room)), 0);
    assert_eq!(text(&room), "?");
}

/// The names that `Checkerboard-for-Linux` looks for, with their arguments.
#[test]
fn guis_find_the_functions_by_their_names() {
    let _alone = alone();
    let engine = Engine::load();
    let (handled, name) = engine.command(b"name");
    assert_eq!((handled, engine.name()), (1, (1, name)));
    let start = cells(&Position::start());
    let mut mv = CbMove::default();
    assert_eq!(engine.is_legal(&start, 2, [11, 15], Some(&mut mv)), 1);
    let played = described(&Position::start(), &mv).unwrap();
    assert_eq!(movetext::format(&Position::start(), played), "11-15");
    let (before, pieces) = (mv, start);
    for (board, color, squares) in [
        (&start, 2, [11, 14]),
        (&start, 1, [11, 15]),
        (&start, 2, [11, -1]),
        (&start, 2, [c_int::MAX, 15]),
        (&start, 3, [11, 15]),
        (&[[99; 8]; 8], 2, [11, 15]),
    ] {
        assert_eq!(engine.is_legal(board, color, squares, Some(&mut mv)), 0);
        assert_eq!((mv, start), (before, pieces));
    }
    assert_eq!(engine.is_legal(&start, 2, [11, 16], None), 1);
    // Captures are compulsory.
    let capture = fen::parse("B:W9,10,17,18,32:B1,6").unwrap();
    assert_eq!(engine.is_legal(&cells(&capture), 2, [1, 5], None), 0);
    assert_eq!(engine.is_legal(&cells(&capture), 2, [6, 22], Some(&mut mv)), 1);
    assert_eq!((mv.jumps, described(&capture, &mv).is_some()), (2, true));
    #[cfg(not(windows))]
    {
        let mut late = CbMove::default();
        assert_eq!(engine.is_legal_in_game(&cells(&capture), 2, [6, 22], &mut late), 1);
        assert_eq!(late, mv);
    }
}

/// Calls a function with a copy of the library, in a folder. A library is not always unloaded immediately, so
/// only a copy is certain to be loaded from scratch.
fn reloaded<T>(folder: &Folder, call: impl FnOnce(&Engine) -> T) -> T {
    let copy = folder.path(&format!("{}.copy", folder.names().len()));
    std::fs::copy(library::path(), &copy).unwrap();
    call(&Engine::load_as_it_is(&copy))
}

/// Returns the text after a move in the starting position.
fn text_after_a_move(engine: &Engine) -> String {
    let (mut board, mut room) = (cells(&Position::start()), ROOM);
    engine.getmove(call(Some(&mut board), Some(&mut room)));
    text(&room)
}

#[test]
fn settings_outlive_the_library() {
    let _alone = alone();
    let folder = Folder::new();
    let file = Path::new(library::DATA_FOLDER).join("kelso/checkerboard.txt");
    drop(std::fs::remove_file(&file));
    let get = |engine: &Engine| ["get hashsize", "get book"].map(|get| engine.command(get.as_bytes()).1);
    for (hash, book) in [("3", "2"), ("4", "1")] {
        reloaded(&folder, |engine| {
            for command in [format!("set hashsize {hash}"), format!("set book {book}")] {
                assert_eq!(engine.command(command.as_bytes()).0, 1);
            }
        });
        assert_eq!(reloaded(&folder, get), [hash, book]);
    }
    // The engine must also receive saved settings: here, a folder that no longer exists.
    let saved = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, format!("{saved}dbpath /no/such folder\n")).unwrap();
    let problem = reloaded(&folder, text_after_a_move);
    assert!(problem.starts_with("cannot ") && problem.contains("\"/no/such folder\""), "{problem}");
    std::fs::write(&file, "hashsize\n").unwrap();
    let problem = reloaded(&folder, text_after_a_move);
    assert!(problem.starts_with("ignored the settings in ") && problem.contains("line 1"), "{problem}");
    assert_eq!(reloaded(&folder, get), ["64", "3"]);
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn a_book_is_found_beside_the_library() {
    let _alone = alone();
    let folder = Folder::new();
    let book = std::fs::canonicalize(folder.write("empty.kbook", "")).unwrap();
    let [missing, found] = reloaded(&folder, |engine| {
        ["missing.kbook", "empty.kbook"]
            .map(|name| engine.command(format!("set bookfile {name}").as_bytes()).1)
    });
    assert!(missing.contains("\"missing.kbook\""), "{missing}");
    // An empty file is not a valid book, but it was opened.
    assert!(found.contains(book.to_str().unwrap()), "{found}");
}

#[test]
fn a_folder_of_databases_is_checked() {
    let _alone = alone();
    let (engine, folder) = (Engine::load(), Folder::new());
    let build = ["egdb", "build", "--pieces", "2", "--distances", "0", "--egdb"];
    let status = kelso().args(build).arg(folder.path("")).output();
    assert!(status.unwrap().status.success());
    let check = format!("set check_wld_dir {}", folder.path("").display());
    let (handled, reply) = engine.command(check.as_bytes());
    let files = folder.names().iter().filter(|name| name.contains(".wld")).count();
    assert_eq!((handled, reply), (1, format!("{files} endgame database files of Kelso, up to 2 pieces")));
    folder.write("10v10.wld", "damaged");
    let (handled, reply) = engine.command(check.as_bytes());
    assert!(handled == 0 && reply.contains("10v10.wld"), "{reply}");
}

#[test]
fn commands_of_programs_without_unicode_are_decoded() {
    let _alone = alone();
    let engine = Engine::load();
    let (handled, reply) = engine.command(b"set check_wld_dir /B\xfccher");
    assert!(handled == 0 && reply.contains("/Bücher\""), "{reply}");
}

#[test]
fn replies_end_with_their_text() {
    let _alone = alone();
    let engine = Engine::load();
    // CheckerBoard's dialogs have room for replies of 256 characters, not 1024. No character may be split.
    let long = format!("set dbpath {}", "é".repeat(500));
    // The last command is an error, unless the engine is still starting, in which case it is checked later.
    for (command, lengths) in [("get hashsize", 1..=9), ("nonsense", 1..=1), (&long, 254..=255)] {
        let command = std::ffi::CString::new(command).unwrap();
        let mut room = ROOM;
        engine.command_without(Some(&command), Some(&mut room));
        let text = text(&room);
        assert!(lengths.contains(&text.len()), "{text:?}");
        assert!(room[text.len() + 1..].iter().all(|&byte| byte == b'?'), "{command:?}");
    }
    assert_eq!(engine.command(b"set dbpath").0, 1);
    let mut room = ROOM;
    assert_eq!(engine.getmove(call(None, Some(&mut room))), UNKNOWN);
    assert!(room["error: no board".len() + 1..].iter().all(|&byte| byte == b'?'));
}

#[test]
fn a_command_of_full_length_ends_with_its_buffer() {
    let _alone = alone();
    let engine = Engine::load();
    let moves = "3-7 32-27 7-3 27-32 ".repeat(11);
    let meant = format!("{:<36}{moves}", "set gamehist W:WK3:BK32");
    assert_eq!(meant.len(), 256);
    let read = engine.command(meant.trim_end().as_bytes());
    assert_eq!(read.0, 1, "{}", read.1);
    for beyond in [&b"0\xba\x11\xf2\x7f"[..], b"9\x11\x01", b" 3-7\xff", &[0xff; 1000]] {
        assert_eq!(engine.command(&[meant.as_bytes(), beyond].concat()), read);
    }
    let more = format!("{meant}3-7 32-27");
    assert_eq!(engine.command(more.as_bytes()).0, 1);
    let wrong = format!("{meant}3-7 32-1");
    assert_eq!(engine.command(wrong.as_bytes()).0, 0);
}

/// Returns the memory of this process in MiB.
#[cfg(target_os = "linux")]
fn memory() -> u64 {
    crate::helpers::processes::kibibytes(std::process::id(), "VmRSS").unwrap() / 1024
}

#[test]
#[cfg(target_os = "linux")]
fn a_library_that_is_unloaded_gives_back_its_memory() {
    let _alone = alone();
    // A library stays loaded until the threads that used it have ended.
    let choose = || {
        let thread = std::thread::spawn(|| {
            let engine = Engine::load();
            assert_eq!(engine.command(b"set hashsize 128").0, 1);
            let loaded = memory();
            drop(engine);
            loaded
        });
        thread.join().unwrap()
    };
    let loaded = choose();
    let again = (0..5).map(|_| choose()).max().unwrap();
    assert!(again < loaded + 128, "{loaded} MiB at first, {again} MiB later");
}

const COMMANDS: &[&str] = &[
    "name",
    "about",
    "help",
    "get protocolversion",
    "get gametype",
    "get hashsize",
    "set hashsize 1",
    "set hashsize 2",
    "get searchthreads",
    "set searchthreads 2",
    "set dbpath C:\\db",
    "get dbmbytes",
    "get max_dbpieces",
    "set enable_wld 1",
    "set book 2",
    "set bookfile book.bin",
    "set allscores 1",
    "set allscores 0",
    "set solve 1",
    "set solve 0",
    "set gamehist B:W21-32:B1-12 11-15 23-19",
    "set gamehist W:WK3,K10:BK32,K31 3-7 32-27 7-3",
];

fn hostile_command(random: &mut Random) -> Vec<u8> {
    let mut command = match random.random_range(0..8) {
        0 => (0..random.random_range(0..300)).map(|_| random.random()).collect(),
        1 => vec![random.random(); random.random_range(0..5000)],
        _ => COMMANDS.choose(random).unwrap().as_bytes().to_vec(),
    };
    for _ in 0..random.random_range(0..3) {
        let at = random.random_range(0..=command.len());
        match random.random_range(0..4) {
            0 => command.insert(at, random.random()),
            1 => command.truncate(at),
            2 if at < command.len() => command[at] ^= 1 << random.random_range(0..8),
            3 => command.extend_from_within(at / 2..at),
            _ => {}
        }
    }
    // Tests must not allocate tables of many gigabytes.
    let digits = command.iter().filter(|byte| byte.is_ascii_digit()).count();
    if command.windows(4).any(|part| part == b"hash") && digits > 2 {
        b"get hashsize".to_vec()
    } else {
        command
    }
}

fn hostile_board(random: &mut Random) -> Cells {
    let mut board = [[0; 8]; 8];
    let pieces = [0, 0, 0, 5, 6, 9, 10];
    for cell in board.iter_mut().flatten() {
        *cell = match random.random_range(0..40) {
            0 => random.random(),
            1 => random.random_range(-1..20),
            _ => *pieces.choose(random).unwrap(),
        };
    }
    if random.random_bool(0.7) {
        let mut position = Position::start();
        for _ in 0..random.random_range(0..120) {
            let Some(&mv) = position.moves().choose(random) else { break };
            position = position.after(mv);
        }
        board::write(&position, &mut board);
    }
    board
}

fn soak(calls: usize, seed: u64) {
    let engine = Engine::load();
    let mut random = Random::seed_from_u64(seed);
    assert_eq!(engine.command(b"set hashsize 1").0, 1);
    let (mut handled, mut moved) = (0, 0);
    for _ in 0..calls {
        if random.random_bool(0.5) {
            let (answer, _) = engine.command(&hostile_command(&mut random));
            assert!((0..=1).contains(&answer));
            handled += usize::from(answer == 1);
            continue;
        }
        let mut board = hostile_board(&mut random);
        let before = board;
        let (mut room, mut mv) = (ROOM, CbMove::default());
        let mut play_now = c_int::from(random.random_bool(0.9));
        let hurried = play_now != 0 && random.random_bool(0.9);
        let max_time = if hurried { f64::from_bits(random.random()) } else { 0.0005 };
        if !hurried {
            engine.command(b"set solve 0");
        }
        let color = *[1, 2, 1, 2, 1, 2, random.random()].choose(&mut random).unwrap();
        // Some clocks are too long to wait for without `play_now`.
        let info: c_int = if hurried { random.random() } else { 2 };
        let claim = engine.getmove(Call {
            board: Some(&mut board),
            color,
            max_time,
            text: random.random_bool(0.9).then_some(&mut room),
            play_now: hurried.then_some(&mut play_now),
            info,
            more_info: random.random(),
            mv: random.random_bool(0.9).then_some(&mut mv),
        });
        assert!((0..=3).contains(&claim));
        if board != before {
            moved += 1;
            let position = board::read(&before, color).unwrap();
            assert!(position.moves().iter().any(|&legal| {
                let mut after = before;
                board::write(&position.after(legal), &mut after);
                after == board
            }));
        }
    }
    println!("{calls} calls, {handled} commands handled, {moved} moves made");
    assert!(handled > calls / 20 && moved > calls / 20);
    // The engine must still work.
    for command in ["set solve 0", "set allscores 0", "set hashsize 2", "set dbpath"] {
        assert_eq!(engine.command(command.as_bytes()).0, 1);
    }
    Gui::new(&engine, Position::start(), 500, 5, 1).ply();
}

#[test]
fn four_thousand_hostile_calls() {
    let _alone = alone();
    soak(4_000, 1);
}

/// To run with a sanitizer, which the library shares with the program that loads it:
/// `RUSTFLAGS="-Zsanitizer=address -C link-arg=-rdynamic" cargo +nightly test --release --target
/// x86_64-unknown-linux-gnu hostile_calls -- --include-ignored --nocapture --test-threads 1`
#[test]
#[ignore = "a hundred thousand calls take a minute"]
fn a_hundred_thousand_hostile_calls() {
    let _alone = alone();
    soak(100_000, 2);
}

/// Checks the output of the example after a short game.
fn is_a_game(out: &str) -> bool {
    out.starts_with("engine Kelso ")
        && out.lines().count() == 14
        && out.trim_end().ends_with("played 12 plies")
}

#[test]
fn a_program_in_c_plays_through_it() {
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let folder = Folder::new();
    let program = folder.path("checkerboard");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/checkerboard.c");
    let mut compile = Command::new(&compiler);
    compile
        .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-D_GNU_SOURCE", source, "-ldl", "-o"])
        .arg(&program);
    let Ok(output) = compile.output() else { return skip("cc (a C compiler)") };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = Command::new(&program).arg(library::path()).args(["12", "0.02"]).output().unwrap();
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && is_a_game(&out), "{out}");
}

/// Needs MinGW, Python and the Rust target i686-pc-windows-gnu. `.ci/package` does the same for every
/// release.
#[test]
#[ignore = "builds everything for another system"]
fn the_32_bit_library_exports_the_names_without_decoration() {
    const TARGET: &str = "i686-pc-windows-gnu";
    let Some(built) = build_for(TARGET, "i686-w64-mingw32-gcc") else { return };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/.ci/exports");
    let output = Command::new("python3").arg(script).arg(built.join("kelso_checkerboard.dll")).output();
    let Ok(output) = output else { return skip("python3") };
    let names = String::from_utf8_lossy(&output.stdout).replace('\r', "");
    for name in ["getmove", "enginecommand", "enginename", "islegal"] {
        assert!(names.lines().any(|exported| exported == name), "{name}: {names}");
    }
}

/// Builds the library for a target. Returns its folder, or `None` if something is not installed.
fn build_for(target: &str, compiler: &str) -> Option<PathBuf> {
    let libraries = ["--print", "target-libdir", "--target", target];
    let libraries = Command::new("rustc").args(libraries).output().unwrap();
    if !has(compiler) {
        return None;
    }
    if !Path::new(String::from_utf8_lossy(&libraries.stdout).trim()).is_dir() {
        println!("skipped: no target {target} (rustup target add {target})");
        return None;
    }
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--release", "--quiet", "--package", "kelso-checkerboard", "--target", target]);
    assert!(cargo.current_dir(env!("CARGO_MANIFEST_DIR")).status().unwrap().success());
    let test = std::env::current_exe().unwrap();
    Some(test.ancestors().nth(3).unwrap().join(target).join("release"))
}

/// Needs Wine, MinGW and the Rust target x86_64-pc-windows-gnu.
#[test]
#[ignore = "builds everything for another system"]
fn the_windows_library_plays_under_wine() {
    const TARGET: &str = "x86_64-pc-windows-gnu";
    const COMPILER: &str = "x86_64-w64-mingw32-gcc";
    let Some(wine) =
        ["wine64", "wine", "/usr/lib/wine/wine64"].into_iter().find(|wine| found(Path::new(wine)))
    else {
        return skip("wine");
    };
    let Some(built) = build_for(TARGET, COMPILER) else { return };
    let folder = Folder::new();
    let compile = |source: &Path, name: &str, more: &[&str]| {
        let program = folder.path(name);
        let output = Command::new(COMPILER)
            .args(["-std=c99", "-Wall", "-Wextra", "-Werror"])
            .arg(source)
            .arg("-o")
            .arg(&program)
            .args(more)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        program
    };
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/checkerboard.c");
    let program = compile(Path::new(source), "checkerboard.exe", &[]);
    // Before version 9, Wine lacked bcryptprimitives.dll, which Rust's standard library needs for random
    // numbers.
    let random = "#include <stddef.h>\n\
        unsigned char __stdcall SystemFunction036(void *, unsigned long);\n\
        __declspec(dllexport) int __stdcall ProcessPrng(unsigned char *bytes, size_t count)\n\
        { return SystemFunction036(bytes, (unsigned long)count); }\n";
    let random = folder.write("random.c", random);
    compile(&random, "bcryptprimitives.dll", &["-shared", "-ladvapi32"]);
    let output = Command::new(wine)
        .arg(&program)
        .arg(built.join("kelso_checkerboard.dll"))
        .args(["12", "0.1"])
        .env("WINEPREFIX", folder.path("wine"))
        .env("WINEDEBUG", "-all")
        .output()
        .unwrap();
    let out = String::from_utf8_lossy(&output.stdout).replace('\r', "");
    assert!(output.status.success() && is_a_game(&out), "{out}{}", String::from_utf8_lossy(&output.stderr));
    println!("{out}");
}
