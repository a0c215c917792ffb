//! The endgame databases over HTTP: the documented examples, the limits, and hostile requests.

use std::fmt::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use draughts::board::Position;
use draughts::notation::fen;
use endgames::{Databases, Wdl};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use serde_json::Value;

use super::serve::Server;

const DOCUMENT: &str = include_str!("../../docs/egdb-http.md");

/// Splits an answer into its head and its body.
fn parts(answer: &str) -> (&str, &str) {
    answer.split_once("\r\n\r\n").unwrap_or((answer, ""))
}

fn post(server: &Server, path: &str, body: &str) -> String {
    let length = body.len();
    server.ask(&format!(
        "POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Length: {length}\r\n\r\n{body}",
        server.address
    ))
}

fn json(answer: &str) -> Value {
    let (head, body) = parts(answer);
    assert!(head.starts_with("HTTP/1.1 200 ") && head.contains("Content-Type: application/json"), "{answer}");
    serde_json::from_str(body).unwrap()
}

#[test]
fn the_documented_answers_are_given() {
    let server = Server::start(&[]);
    let examples: Vec<&str> =
        DOCUMENT.split("```http\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(examples.len(), 3);
    for example in examples {
        let (request, expected) = example.split_once('\n').unwrap();
        let answer = match request.split_once(' ').unwrap() {
            ("GET", path) => server.get(path, ""),
            (_, rest) => {
                let (path, body) = rest.split_once(' ').unwrap();
                post(&server, path, body)
            }
        };
        let expected: Value = serde_json::from_str(expected).unwrap();
        assert_eq!(json(&answer), expected, "{request}:\n{}", parts(&answer).1);
    }
}

/// Returns random positions of two to five pieces.
fn positions(count: usize) -> Vec<Position> {
    let mut random = SmallRng::seed_from_u64(11);
    let position = move || {
        let mut sides = [String::new(), String::new()];
        for _ in 0..random.random_range(2..=5) {
            let side = &mut sides[random.random_range(0..2)];
            let king = if random.random() { "K" } else { "" };
            write!(side, ",{king}{}", random.random_range(1..=32)).unwrap();
        }
        let side = if random.random() { 'B' } else { 'W' };
        let [black, white] = sides.map(|side| side.trim_start_matches(',').to_owned());
        fen::parse(&format!("{side}:W{white}:B{black}")).ok()
    };
    std::iter::repeat_with(position).flatten().take(count).collect()
}

#[test]
fn batches_agree_with_the_databases() {
    compare_batches(5000);
}

#[test]
#[ignore = "takes minutes"]
fn a_million_positions_agree_with_the_databases() {
    compare_batches(1_000_000);
}

fn compare_batches(count: usize) {
    let server = Server::start(&["--egdb-rate", "1000000"]);
    let databases = Databases::compiled_in();
    for batch in positions(count).chunks(1000) {
        let texts: Vec<String> = batch.iter().map(fen::format).collect();
        let answers = json(&post(&server, "/egdb", &serde_json::to_string(&texts).unwrap()));
        for (position, answer) in batch.iter().zip(answers.as_array().unwrap()) {
            let expected = match databases.probe(position) {
                Some(Wdl::Win) => "win",
                Some(Wdl::Draw) => "draw",
                Some(Wdl::Loss) => "loss",
                None if !position.can_move() => "loss",
                None => "unknown",
            };
            assert_eq!(answer["category"], expected, "{answer}");
            assert_eq!(answer["moves"].as_array().unwrap().len(), position.moves().len(), "{answer}");
        }
    }
}

#[test]
fn invalid_requests_are_refused_with_a_reason() {
    let server = Server::start(&[]);
    for (answer, status, reason) in [
        (server.get("/egdb", ""), "400", "missing parameter fen"),
        (server.get("/egdb?fen=W:X", ""), "400", "W:X"),
        (server.get("/egdb/mainline?fen=%ff%fe", ""), "400", "invalid FEN"),
        (server.get("/egdb/nothing?fen=W:WK1:BK32", ""), "404", ""),
        (post(&server, "/egdb", "[\"W:WK1:BK32\""), "400", "invalid batch"),
        (post(&server, "/egdb", "[\"W:X\"]"), "400", "W:X"),
        (post(&server, "/egdb", &format!("[{}\"\"]", "\"W:WK1:BK32\",".repeat(1000))), "400", "1001"),
        (post(&server, "/egdb", &" ".repeat(300_000)), "413", "256 KiB"),
        (server.ask("PUT /egdb HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"), "405", "GET or POST"),
    ] {
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status} ")) && answer.contains(reason),
            "{status}: {answer}"
        );
    }
    assert_eq!(json(&server.get("/egdb?fen=W:WK1:BK32", ""))["category"], "draw");
}

#[test]
fn clients_are_limited() {
    let server = Server::start(&["--egdb-rate", "20"]);
    let refused = (0..60).find(|_| server.get("/egdb?fen=W:WK1:BK32", "").starts_with("HTTP/1.1 429 "));
    assert!(refused.is_some_and(|count| count >= 20), "{refused:?}");
    std::thread::sleep(Duration::from_millis(300));
    assert!(server.get("/egdb?fen=W:WK1:BK32", "").starts_with("HTTP/1.1 200 "));
}

#[test]
fn other_machines_and_pages_need_permission() {
    let path = "/egdb?fen=W:WK1:BK32";
    let open = Server::start(&["--cors", "https://example.org"]);
    let head = parts(&open.get(path, "Origin: https://example.org\r\n")).0.to_owned();
    assert!(head.contains("Access-Control-Allow-Origin: https://example.org"), "{head}");
    let preflight = open.ask("OPTIONS /egdb HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    assert!(
        preflight.starts_with("HTTP/1.1 204 ") && preflight.contains("Access-Control-Allow-Headers"),
        "{preflight}"
    );
    let usual = Server::start(&[]);
    assert!(!usual.get(path, "Origin: https://example.org\r\n").contains("Access-Control-Allow-Origin"));
    let public = Server::start(&["--listen", "0.0.0.0"]);
    assert!(public.get(path, "").starts_with("HTTP/1.1 404 "));
    let served = Server::start(&["--listen", "0.0.0.0", "--egdb-api"]);
    assert!(served.get(path, "").starts_with("HTTP/1.1 200 "));
    // All other paths must reject a domain name in the Host header.
    let named = |path: &str| {
        served.ask(&format!("GET {path} HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n"))
    };
    assert!(named(path).starts_with("HTTP/1.1 200 ") && named("/").starts_with("HTTP/1.1 403 "));
}

#[test]
fn the_client_in_python_plays_the_main_line() {
    let server = Server::start(&[]);
    let client = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/python/egdb_http.py");
    let run = |fen: &str| {
        Command::new("python3").args([client, &format!("http://{}", server.address), fen]).output()
    };
    let Ok(output) = run("B:W32:BK22,K23") else { return crate::support::tools::skip("python3") };
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.starts_with("B:W32:BK22,K23: win\nbest move: ") && text.trim_end().ends_with(", 0 plies left"),
        "{text}"
    );
    let refused = run("W:X").unwrap();
    assert!(
        !refused.status.success() && String::from_utf8_lossy(&refused.stderr).starts_with("400: "),
        "{refused:?}"
    );
}

#[test]
fn the_bot_plays_what_the_databases_know() {
    let server = Server::start(&[]);
    let bot = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/python/hub_bot.py");
    let address = format!("http://{}", server.address);
    let child =
        Command::new("python3").args([bot, &address]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut child) = child else { return crate::support::tools::skip("python3") };
    // The positions are B:W32:BK22,K23, and one with two paths for a capture.
    let input = "pos pos=BeeeeeeeeeeeeeeeeeeeeeBBeeeeeeeew\ngo think\npos pos=BeeeeeBeewweeeeeewweeeeeeeeeeeeee\ngo think\n";
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes()).unwrap();
    let output = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    let played: Vec<&str> = output.lines().filter_map(|line| line.strip_prefix("done move=")).collect();
    let best = json(&server.get("/egdb?fen=B:W32:BK22,K23", ""))["moves"][0]["move"].clone();
    assert_eq!(played, [best.as_str().unwrap(), "6x6x9x10x17x18"]);
}

/// Sends requests and bodies with random changes: none may end the server or hang.
fn hostile(count: usize) {
    let server = Server::start(&["--egdb-rate", "1000000"]);
    let mut random = SmallRng::seed_from_u64(12);
    let body = "[\"W:WK1:BK32\",\"B:W21-32:B1-12\"]";
    let seeds = [
        format!(
            "GET /egdb?fen=B:W32:BK22,K23 HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
            server.address
        ),
        "GET /egdb/mainline?fen=W:WK1:BK32 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".to_owned(),
        format!("POST /egdb HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n{body}", body.len()),
    ];
    for number in 0..count {
        let mut request = seeds[number % seeds.len()].clone().into_bytes();
        for _ in 0..random.random_range(1..4) {
            // Keep the newline that ends the head: without it, the server would wait for more.
            let at = random.random_range(0..request.len() - 40);
            request[at] = random.random();
        }
        let answer = server.exchange(&request);
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 "), "{answer}");
    }
    assert_eq!(json(&server.get("/egdb?fen=W:WK1:BK32", ""))["category"], "draw");
}

#[test]
fn hostile_requests_are_survived() {
    hostile(300);
}

#[test]
#[ignore = "takes minutes"]
fn ten_thousand_hostile_requests_are_survived() {
    hostile(10_000);
}

#[test]
#[ignore = "takes minutes"]
fn a_thousand_requests_per_second_are_answered_in_time() {
    let server = Server::start(&["--egdb-rate", "1000000"]);
    let positions = positions(10_000);
    // A first run warms up the caches.
    for batch in positions.chunks(1000) {
        let texts: Vec<String> = batch.iter().map(fen::format).collect();
        json(&post(&server, "/egdb", &serde_json::to_string(&texts).unwrap()));
    }
    let mut times: Vec<Duration> = Vec::new();
    let begun = Instant::now();
    for (number, position) in positions.iter().enumerate() {
        let due = Duration::from_millis(u64::try_from(number).unwrap());
        std::thread::sleep(due.saturating_sub(begun.elapsed()));
        let before = Instant::now();
        json(&server.get(&format!("/egdb?fen={}", fen::format(position)), ""));
        times.push(before.elapsed());
    }
    times.sort();
    println!("median {:?}, p99 {:?}, {:?} in total", times[5000], times[9900], begun.elapsed());
    // All answers require the same work. If the queue grew, later answers would be far slower than the median.
    assert!(times[9900] < 50 * times[5000], "{:?} and {:?}", times[9900], times[5000]);
}
