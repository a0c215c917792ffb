//! Hostile input: random bytes, mutated sessions, lines of ten megabytes, NULs, invalid UTF-8. The program
//! must not panic, hang or use ever more memory, and a valid session afterwards must work.
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use kelso_random::{IndexedRandom, Random, RngExt, SeedableRng};

/// A protocol and its vocabulary.
struct Language {
    arguments: &'static [&'static str],
    sessions: &'static [&'static str],
    /// Resets the session, and ends with a line whose answer contains the fence.
    fence: &'static str,
    fence_answer: &'static str,
    /// A position whose only move occurs nowhere else, with its answers.
    ending: &'static str,
    ending_answers: &'static [&'static str],
}

/// A word that no hostile line contains. The answer to it shows that all earlier lines were read.
const FENCE: &str = "fence-of-the-test";

const NATIVE: Language = Language {
    arguments: &[],
    sessions: SESSIONS,
    fence: "\nstop\nsetoption name Hash value 16\nucinewgame\nfence-of-the-test\n",
    fence_answer: "info string error: unknown command",
    ending: "position fen W:W29:B1,2\nshow\ngo depth 5\n",
    ending_answers: &["fen W:W29:B1,2", "bestmove 29-25"],
};

const HUB: Language = Language {
    arguments: &["hub"],
    sessions: HUB_SESSIONS,
    fence: "\nstop\nset-param name=hash value=16\nset-param name=orientation value=normal\nnew-game\nset-param name=fence-of-the-test\n",
    fence_answer: "error message=\"unknown parameter 'fence-of-the-test'",
    ending: "pos pos=Wbbeeeeeeeeeeeeeeeeeeeeeeeeeeweee\nlevel depth=5\ngo think\n",
    ending_answers: &["done move=29-25"],
};

const HUB_SESSIONS: &[&str] = &[
    "hub",
    "init",
    "ping",
    "set-param name=hash value=16",
    "set-param name=clear-hash value=true",
    "set-param name=move-overhead value=30",
    "set-param name=evaluation value=material",
    "set-param name=orientation value=turned",
    "set-param name=orientation value=auto",
    "new-game",
    "pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww",
    "pos pos=Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww moves=\"11-15 22-18 15x22x18\"",
    "pos pos=BeeeeebeewweeeeeewweeeeeeeeeeeeeW moves=6x22x18x10",
    "pos pos=WeeWeeeeewbeeeeeeeeeeeeeeeeeeeeeB",
    "level depth=4",
    "level nodes=500",
    "level move-time=0.003",
    "level moves=9 time=0.06 inc=0.001",
    "level infinite",
    "go think",
    "go ponder",
    "go analyze",
    "stop",
    "ponder-hit",
];

const SESSIONS: &[&str] = &[
    "uci",
    "isready",
    "setoption name Hash value 16",
    "setoption name Clear Hash",
    "setoption name Move Overhead value 30",
    "setoption name Evaluation value material",
    "ucinewgame",
    "position startpos",
    "position startpos moves 11-15 23-19 8-11 22-17",
    "position fen B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29",
    "position fen W:W21-32:B1-12. moves 22-18 11-15",
    "position fen B:W9,10,17,18,32:B6 moves 6x13x22",
    "go depth 4",
    "go nodes 500",
    "go movetime 3",
    "go wtime 60 btime 60 winc 1 binc 1 movestogo 9",
    "go infinite",
    "go ponder depth 3",
    "go searchmoves 11-15 9-13 depth 3",
    "go perft 4",
    "stop",
    "ponderhit",
    "moves",
    "show",
    "eval",
    "bench 1",
    "help",
];

fn hostile_line(sessions: &[&str], random: &mut Random) -> Vec<u8> {
    let mut line = match random.random_range(0..10) {
        0 => (0..random.random_range(0..200)).map(|_| random.random()).collect(),
        1 => (0..random.random_range(0..60)).map(|_| random.random_range(b' '..=b'~')).collect(),
        2 => sessions
            .iter()
            .filter(|_| random.random_bool(0.1))
            .flat_map(|s| [s.as_bytes(), b" "].concat())
            .collect(),
        _ => sessions.choose(random).unwrap().as_bytes().to_vec(),
    };
    for _ in 0..random.random_range(0..4) {
        let at = random.random_range(0..=line.len());
        match random.random_range(0..6) {
            0 => line.insert(at, random.random()),
            1 => line.truncate(at),
            2 => line.insert(at, *b"0123456789-x:,KWB=\" \0\xff".choose(random).unwrap()),
            3 if at < line.len() => line[at] = random.random(),
            4 if at < line.len() => line[at] ^= 1 << random.random_range(0..8),
            5 => line.extend_from_within(at.min(line.len() / 2)..line.len() / 2),
            _ => {}
        }
    }
    line.retain(|&byte| byte != b'\n');
    // A mutation must not end the program or start work that takes long and is not stopped.
    if line.windows(4).any(|part| part == b"quit") { b"stop".to_vec() } else { line }
}

struct Target {
    language: &'static Language,
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
}

impl Target {
    fn start(language: &'static Language) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_kelso"))
            .args(language.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stdin = child.stdin.take().unwrap();
        let stdout: ChildStdout = child.stdout.take().unwrap();
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                let line = line.expect("the output is text");
                // Drop other lines.
                if line.contains(FENCE)
                    || ["bestmove ", "fen ", "done "].iter().any(|word| line.starts_with(word))
                {
                    let _ = sender.send(line);
                }
            }
        });
        Self { language, child, stdin, lines }
    }

    fn expect(&self, expected: &str) {
        loop {
            let line = self.lines.recv_timeout(Duration::from_secs(60)).expect("the program answers");
            if line.starts_with(expected) {
                return;
            }
        }
    }

    /// Returns the memory in use, where the system reports it.
    fn resident_kibibytes(&self) -> Option<u64> {
        crate::helpers::processes::kibibytes(self.child.id(), "VmRSS")
    }

    fn works(&mut self) {
        let Language { fence, fence_answer, ending, ending_answers, .. } = self.language;
        self.stdin.write_all(fence.as_bytes()).unwrap();
        self.expect(fence_answer);
        // All hostile lines have been read, so the next answers are to our own lines.
        self.stdin.write_all(ending.as_bytes()).unwrap();
        for answer in *ending_answers {
            self.expect(answer);
        }
    }

    fn end(self) {
        drop(self.stdin);
        let output = self.child.wait_with_output().unwrap();
        assert!(output.status.success(), "{:?}", output.status);
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    }
}

fn soak(language: &'static Language, lines: usize, seed: u64) {
    let mut random = Random::seed_from_u64(seed);
    let mut target = Target::start(language);
    for number in 0..lines {
        let mut line = hostile_line(language.sessions, &mut random);
        line.push(b'\n');
        target.stdin.write_all(&line).unwrap();
        if number % 20 == 19 {
            target.stdin.write_all(b"stop\n").unwrap();
        }
        if number % 5_000 == 4_999 {
            target.works();
        }
        if number % 100_000 == 99_999 {
            let mut long: Vec<u8> = (0..10 << 20).map(|_| random.random()).collect();
            long.retain(|&byte| byte != b'\n');
            target.stdin.write_all(&long).unwrap();
            target.works();
            let resident = target.resident_kibibytes();
            assert!(resident.is_none_or(|kibibytes| kibibytes < 400 << 10), "{resident:?} KiB");
            println!("{} lines, {resident:?} KiB", number + 1);
        }
    }
    target.works();
    target.end();
}

#[test]
fn twenty_thousand_hostile_lines() {
    soak(&NATIVE, 20_000, 1);
}

#[test]
fn twenty_thousand_hostile_lines_of_hub() {
    soak(&HUB, 20_000, 1);
}

#[test]
fn lines_of_ten_megabytes() {
    let mut target = Target::start(&NATIVE);
    for filler in [b"a", b"\0", b"\xff", b" ", b"-"] {
        let mut line = b"position startpos moves ".to_vec();
        line.extend(filler.repeat(10 << 20));
        line.push(b'\n');
        target.stdin.write_all(&line).unwrap();
        target.works();
    }
    let mut shuffle = b"position fen B:WK32:BK1 moves".to_vec();
    for _ in 0..40_000 {
        shuffle.extend_from_slice(b" 1-5 32-28 5-1 28-32");
    }
    shuffle.push(b'\n');
    target.stdin.write_all(&shuffle).unwrap();
    target.works();
    let resident = target.resident_kibibytes();
    assert!(resident.is_none_or(|kibibytes| kibibytes < 200 << 10), "{resident:?} KiB");
    target.end();
}

#[test]
#[ignore = "a million lines take minutes"]
fn a_million_hostile_lines() {
    soak(&NATIVE, 1_000_000, 2);
    soak(&HUB, 1_000_000, 2);
}
