//! `kelso serve` over sockets: the page, sessions, hostile requests.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tungstenite::protocol::{CloseFrame, Role};
use tungstenite::{Message, WebSocket};

use crate::helpers::{Folder, kelso, processes, result};
use kelso_library::import::{IMPORTED, ImportReport, Importer};
use kelso_library::{Database, Library};

const PATIENCE: Duration = Duration::from_secs(30);
/// The variable that names the folder of the user's data.
const DATA_FOLDER: &str = if cfg!(windows) { "APPDATA" } else { "XDG_DATA_HOME" };

/// A running server.
pub struct Server {
    child: Child,
    pub address: SocketAddr,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn games_that_cannot_be_read_are_reported() {
    let mut command = kelso();
    command.args(["serve", "--no-open", "--port", "0", "--library", "none", "--games", "Cargo.toml"]);
    let mut child = command.current_dir(env!("CARGO_MANIFEST_DIR")).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(line, "warning: no moves can be read in the files of --games\n");
}

#[test]
fn a_library_that_cannot_be_used_is_an_error_and_stays_as_it_is() {
    let folder = Folder::new();
    let path = folder.path("games.library");
    let serve =
        || kelso().args(["serve", "--no-open", "--port", "0", "--library"]).arg(&path).output().unwrap();
    for text in ["no library\n".repeat(1000), "SQLite format 3\0".repeat(300)] {
        std::fs::write(&path, &text).unwrap();
        let (out, error, status) = result(&serve());
        assert_eq!((out.as_str(), status), ("", Some(2)), "{error}");
        assert!(error.starts_with("error: cannot open the library \""), "{error}");
        assert!(error.ends_with("; name another one, or none, with --library\n"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        assert_eq!(folder.names(), ["games.library"]);
    }
}

#[test]
fn games_are_kept_in_the_folder_of_the_users_data() {
    let folder = Folder::new();
    let mut command = kelso();
    command.args(["serve", "--no-open", "--port", "0"]).env(DATA_FOLDER, folder.path("data"));
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(folder.path("data/kelso/games.library").is_file(), "{line}");
}

#[cfg(unix)]
#[test]
fn the_last_server_to_end_leaves_its_library_in_one_file() {
    use rustix::process::{Pid, Signal, kill_process};

    let folder = Folder::new();
    let path = folder.path("a.library");
    let start = || Server::start(&["--library", path.to_str().unwrap()]);
    let mut servers = [start(), start()];
    let save = r#"{"do": "save", "game": "a", "revision": 0, "pdn": "11-15 *", "now": 5}"#;
    let saved = servers[0].post("/library", save);
    assert!(saved.starts_with("HTTP/1.1 200 "), "{saved}");
    for ((server, signal), files) in servers.iter_mut().zip([Signal::INT, Signal::TERM]).zip([3, 1]) {
        kill_process(Pid::from_child(&server.child), signal).unwrap();
        server.child.wait().unwrap();
        assert_eq!(folder.names().len(), files, "{:?}", folder.names());
    }
    let list = start().post("/library", r#"{"do": "list"}"#);
    assert!(list.contains("\"count\":1"), "{list}");
}

impl Server {
    pub fn start(arguments: &[&str]) -> Self {
        Self::run(kelso(), arguments)
    }

    fn run(mut command: Command, arguments: &[&str]) -> Self {
        command.args(["serve", "--no-open", "--port", "0"]).args(arguments);
        if !arguments.contains(&"--library") {
            command.args(["--library", "none"]);
        }
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").and_then(|rest| rest.strip_suffix('/')).unwrap();
        Self { address: address.parse().unwrap(), child }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Sends a request, and returns the answer until the connection ends.
    pub fn ask(&self, request: &str) -> String {
        self.exchange(request.as_bytes())
    }

    /// Sends only these bytes, and returns the answer until the connection ends.
    pub fn exchange(&self, request: &[u8]) -> String {
        let mut stream = self.connect();
        stream.write_all(request).unwrap();
        // Otherwise, the server would wait for the rest of an incomplete request. Ignore errors, since it may
        // already have closed the connection.
        let _ = stream.shutdown(Shutdown::Write);
        let mut answer = Vec::new();
        // The connection may be reset after the answer.
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Posts a body.
    fn post(&self, path: &str, body: &str) -> String {
        let (host, length) = (self.address, body.len());
        self.ask(&format!("POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\n\r\n{body}"))
    }

    /// Requests a path without the headers of a browser.
    pub fn get(&self, path: &str, more: &str) -> String {
        self.ask(&format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{more}\r\n", self.address))
    }

    fn handshake(&self, path: &str, origin: &str) -> (TcpStream, String) {
        let mut stream = self.connect();
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {}\r\nOrigin: {origin}\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            self.address
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut head = Vec::new();
        let mut byte = [0];
        while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).unwrap_or(0) == 1 {
            head.push(byte[0]);
        }
        (stream, String::from_utf8(head).unwrap())
    }

    fn session(&self, path: &str) -> Client {
        let (stream, head) = self.handshake(path, &format!("http://{}", self.address));
        assert!(head.starts_with("HTTP/1.1 101 "), "{head}");
        assert!(head.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"), "{head}");
        Client(WebSocket::from_raw_socket(stream, Role::Client, None))
    }

    /// Returns the numbers of threads and open files of the server, where the system reports them.
    fn usage(&self) -> Option<(usize, usize)> {
        let files = std::fs::read_dir(format!("/proc/{}/fd", self.child.id())).ok()?.count();
        let threads = std::fs::read_dir(format!("/proc/{}/task", self.child.id())).ok()?.count();
        Some((threads, files))
    }

    /// Waits until the server uses no more threads and files than before.
    fn settles(&self, before: Option<(usize, usize)>) {
        let deadline = Instant::now() + PATIENCE;
        while self.usage() > before {
            assert!(Instant::now() < deadline, "{:?} before, {:?} after", before, self.usage());
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// A session through a WebSocket.
struct Client(WebSocket<TcpStream>);

impl Client {
    fn say(&mut self, line: &str) {
        self.0.send(Message::text(line)).unwrap();
    }

    fn line(&mut self) -> Option<String> {
        loop {
            match self.0.read() {
                Ok(Message::Text(text)) => return Some(text.as_str().to_owned()),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// Returns the first line with a prefix.
    fn until(&mut self, start: &str) -> String {
        loop {
            let line = self.line().unwrap_or_else(|| panic!("no line that begins with {start:?}"));
            if line.starts_with(start) {
                return line;
            }
        }
    }

    /// Returns the frame that closes the connection.
    fn closing(&mut self) -> Option<CloseFrame> {
        loop {
            match self.0.read() {
                Ok(Message::Close(frame)) => return frame,
                Ok(_) => {}
                Err(_) => return None,
            }
        }
    }
}

#[test]
fn the_page_has_types_tags_and_a_strict_policy() {
    let server = Server::start(&[]);
    let page = server.get("/", "");
    assert!(page.starts_with("HTTP/1.1 200 OK\r\n") && page.contains("<symbol id=\"black-king\""), "{page}");
    assert!(page.contains("Content-Security-Policy: default-src 'none'; script-src 'self';"));
    assert!(page.contains("Cache-Control: no-cache\r\n"), "another version may be started next");
    let path = page.split("type=\"module\" src=\"").nth(1).unwrap().split('"').next().unwrap();
    let script = server.get(path, "");
    assert!(script.contains("Content-Type: text/javascript; charset=utf-8\r\n"));
    assert!(script.contains("Cache-Control: max-age=31536000, immutable\r\n"));
    let tag = script.lines().find_map(|line| line.strip_prefix("ETag: ")).unwrap();
    let same = server.get(path, &format!("If-None-Match: {tag}\r\n"));
    assert!(same.starts_with("HTTP/1.1 304 ") && same.ends_with("\r\n\r\n"), "{same}");
    assert!(!same.contains("Content-Length"), "{same}");
    let engines = server.get("/engines", "");
    assert!(engines.ends_with("[{\"name\":\"kelso\",\"own\":true,\"protocol\":\"native\"}]"), "{engines}");
    let head =
        server.ask(&format!("HEAD / HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", server.address));
    assert!(head.starts_with("HTTP/1.1 200 ") && head.ends_with("\r\n\r\n"), "{head}");
}

#[test]
fn no_file_of_the_machine_is_served() {
    let server = Server::start(&[]);
    for path in [
        "/etc/passwd",
        "/../Cargo.toml",
        "/page/../../Cargo.toml",
        "/page/%2e%2e/x",
        "//",
        "/page/",
        "*",
        "/Cargo.toml",
    ] {
        assert!(server.get(path, "").starts_with("HTTP/1.1 404 "), "{path}");
    }
    let post = format!("POST / HTTP/1.1\r\nHost: {}\r\nContent-Length: 3\r\n\r\nabc", server.address);
    for (answer, allowed) in [
        (server.ask(&post), "GET, HEAD"),
        (server.get("/library", ""), "POST"),
        (server.get("/review", ""), "POST"),
    ] {
        assert!(answer.starts_with("HTTP/1.1 405 "), "{answer}");
        assert!(answer.contains(&format!("\r\nAllow: {allowed}\r\n")), "{answer}");
    }
}

#[test]
fn other_pages_of_the_browser_are_refused() {
    let server = Server::start(&[]);
    for origin in ["http://evil.example", "null", "https://127.0.0.1"] {
        let (_, head) = server.handshake("/session", origin);
        assert!(head.starts_with("HTTP/1.1 403 "), "{head}");
    }
    let host = "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
    assert!(server.ask(host).starts_with("HTTP/1.1 403 "));
    assert!(server.get("/session", "").starts_with("HTTP/1.1 426 "));
    let (_, head) = server.handshake("/session?engine=none", &format!("http://{}", server.address));
    assert!(head.starts_with("HTTP/1.1 404 "), "{head}");
}

#[test]
fn a_connection_is_a_session_of_the_protocol() {
    let server = Server::start(&["--hash", "32"]);
    let mut client = server.session("/session");
    client.say("uci");
    assert!(client.until("id name").starts_with("id name Kelso "));
    client.until("uciok");
    client.say("position fen B:W9,10,17,18:BK6");
    client.say("moves paths");
    assert_eq!(client.line().unwrap(), "path 6x6 squares 6 13 22 15 6 captures 9 10 17 18");
    assert_eq!(client.until("moves"), "moves 6x6");
    client.say("go depth 3");
    assert!(client.until("bestmove").starts_with("bestmove 6x6"));
    for (line, answer) in [
        ("setoption name EvalFile value /etc/passwd", "cannot set EvalFile over a connection"),
        ("setoption name EgdbPath value /", "cannot set EgdbPath over a connection"),
        ("setoption name Hash value 33", "cannot set Hash to 33 over a connection"),
        ("moves\nquit", "a frame must be one line"),
    ] {
        client.say(line);
        assert!(client.line().unwrap().starts_with(&format!("info string error: {answer}")), "{line}");
    }
    client.say("quit");
    assert_eq!(client.closing().unwrap().code, 1000.into());
}

#[test]
fn a_closed_connection_ends_its_search() {
    let server = Server::start(&[]);
    let before = server.usage();
    for line in ["go infinite", "go depth 99", "go perft 30", "bench 30"] {
        let mut client = server.session("/session");
        client.say(line);
        client.say("isready");
        client.until("readyok");
        drop(client);
    }
    server.settles(before);
}

#[test]
fn hostile_frames_end_their_connection_and_nothing_else() {
    let server = Server::start(&[]);
    let before = server.usage();
    let raw = |bytes: &[u8]| {
        let mut client = server.session("/session");
        client.0.get_mut().write_all(bytes).unwrap();
        client.closing().map(|frame| u16::from(frame.code))
    };
    assert_eq!(raw(b"\x81\x03abc"), Some(1002), "not masked");
    assert_eq!(raw(b"\xf1\x80\0\0\0\0"), Some(1002), "reserved bits");
    assert_eq!(raw(b"\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\0\0\0\0"), Some(1009), "a frame without end");
    assert_eq!(raw(b"\x82\x81\0\0\0\0a"), Some(1003), "binary");
    assert_eq!(raw(b"\x81\x82\0\0\0\0\xff\xfe"), Some(1007), "no text");
    let mut client = server.session("/session");
    client.say(&"x".repeat(70_000));
    assert_eq!(client.closing().map(|frame| u16::from(frame.code)), Some(1009));
    let mut client = server.session("/session");
    client.say(&"x".repeat(60_000));
    assert!(client.line().unwrap().starts_with("info string error: unknown command \"xxx"));
    drop(client);
    server.settles(before);
}

#[test]
fn hostile_requests_are_answered_or_dropped() {
    let server = Server::start(&[]);
    let host = server.address;
    for (request, status) in [
        ("\u{1}\u{2}\u{3}\r\n\r\n".to_owned(), "400"),
        (format!("GET /{} HTTP/1.1\r\n\r\n", "x".repeat(20_000)), "431"),
        (format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(100)), "431"),
        ("GET / HTTP/1.1\r\n\r\n".to_owned(), "403"),
        (format!("POST /games HTTP/1.1\r\nHost: {host}\r\nContent-Length: 99999999\r\n\r\n"), "413"),
        (
            format!("POST /games HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            "411",
        ),
        (format!("POST /games HTTP/1.1\r\nHost: {host}\r\nContent-Length: -1\r\n\r\n"), "400"),
        (
            format!("POST /games HTTP/1.1\r\nHost: {host}\r\nContent-Length: {}\r\n\r\n", "9".repeat(20)),
            "400",
        ),
    ] {
        let answer = server.ask(&request);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{status}: {answer}");
    }
}

#[test]
fn invalid_conditions_and_numbers_are_refused_with_what_is_valid() {
    let server = Server::start(&[]);
    for (path, body, reason) in [
        ("/library", r#"{"do": "list", "filter": {"color": "x"}}"#, "`x`, expected `b` or `w`"),
        ("/library", r#"{"do": "list", "filter": {"result": "x"}}"#, "`x`, expected one of `black`, `white`"),
        ("/library", r#"{"do": "change", "game": [1], "deleted": true}"#, "unknown field `game`"),
        ("/library/export", r#"{"games": [1]}"#, "unknown field `games`"),
        ("/library/import?now=soon", "11-15 *", "now must be a whole number, got \"soon\""),
        ("/review?after=x", "11-15 *", "after must be a whole number, got \"x\""),
    ] {
        let answer = server.post(path, body);
        assert!(answer.starts_with("HTTP/1.1 400 ") && answer.contains(reason), "{path}: {answer}");
    }
    let all = server.post("/library", r#"{"do": "list", "filter": {"color": "", "result": ""}}"#);
    assert!(all.starts_with("HTTP/1.1 200 "), "{all}");
}

#[test]
fn posted_games_are_parsed_and_their_faults_reported() {
    let server = Server::start(&[]);
    let text = "[Event \"A\"]\n1. 11-15 23-19 *\n\n[Event \"B\"]\n1. 11-17 *\n";
    let answer = server.post("/games", text);
    let body: serde_json::Value = serde_json::from_str(answer.split("\r\n\r\n").nth(1).unwrap()).unwrap();
    assert_eq!(body["games"][0]["plies"], "11-15 23-19");
    assert_eq!(body["faults"][0]["line"], 5);
}

#[test]
fn an_export_that_fails_is_incomplete() {
    const MARK: &str = "a game that is damaged";
    let folder = Folder::new();
    let path = folder.path("games.library");
    let games = (1..300).map(|number| format!("[Event \"{number}\"] {{first}} 11-15 *\n\n"));
    let text = games.collect::<String>() + &format!("{{{MARK}}} 11-15 *\n");
    let mut library = Library::new(Box::new(Database::open(&path).unwrap())).unwrap();
    for batch in Importer::new(text.as_bytes(), IMPORTED, 0) {
        library.add(batch, &mut ImportReport::default()).unwrap();
    }
    drop(library);
    let export = || {
        let server = Server::start(&["--library", path.to_str().unwrap()]);
        let host = server.address;
        server.ask(&format!("POST /library/export HTTP/1.1\r\nHost: {host}\r\nContent-Length: 2\r\n\r\n{{}}"))
    };
    let is_complete = |answer: &str| answer.ends_with("\r\n0\r\n\r\n");
    let whole = export();
    assert!(whole.contains(MARK) && is_complete(&whole), "{whole}");
    let mut bytes = std::fs::read(&path).unwrap();
    let at = bytes.windows(MARK.len()).position(|part| part == MARK.as_bytes()).unwrap();
    // Not UTF-8.
    bytes[at] = 0xff;
    std::fs::write(&path, bytes).unwrap();
    let part = export();
    assert!(part.contains("{first}") && !is_complete(&part), "{part}");
}

#[test]
fn the_explorer_uses_the_installed_databases() {
    let folder = Folder::new();
    let build = ["egdb", "build", "--slice", "05v01", "--distances", "0", "--egdb"];
    let output = kelso().args(build).arg(folder.path("kelso/egdb")).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let mut command = kelso();
    command.env(DATA_FOLDER, folder.path(""));
    let server = Server::run(command, &[]);
    let answer = server.get("/explore?fen=B:WK32:BK1,K2,K3,K5,K6", "");
    let body: serde_json::Value = serde_json::from_str(answer.split("\r\n\r\n").nth(1).unwrap()).unwrap();
    assert_eq!(body["moves"][0]["value"]["by"], "database", "{body}");
}

#[test]
fn other_engines_can_serve_a_session() {
    let program = env!("CARGO_BIN_EXE_kelso");
    let native = format!("name=mine cmd={program} option.Hash=2");
    let hub = format!("name=hubby cmd={program} arg=hub proto=hub option.hash=3");
    let server = Server::start(&["--engine", &native, "--engine", &hub]);
    let before = server.usage();
    for name in ["mine", "hubby"] {
        let mut client = server.session(&format!("/session?engine={name}"));
        client.say("uci");
        assert!(client.until("id name").starts_with("id name Kelso"), "{name}");
        client.until("uciok");
        client.say("position startpos moves 11-15 23-18");
        client.say("go depth 5");
        let info = client.until("info depth");
        assert!(info.contains(" score ") && info.contains(" pv "), "{info}");
        assert!(client.until("bestmove").starts_with("bestmove 8-11"), "{name}");
        client.say("go infinite");
        client.say("stop");
        client.until("bestmove");
        client.say("moves paths");
        assert_eq!(client.until("moves"), "moves 8-11 9-13 10-14 12-16 7-11 9-14 15-19", "{name}");
        client.say("setoption name EvalFile value x");
        client.until("info string error: cannot set EvalFile over a connection");
    }
    server.settles(before);
}

#[test]
fn the_end_of_an_engine_is_reported() {
    let program = env!("CARGO_BIN_EXE_kelso");
    let server = Server::start(&[
        "--engine",
        &format!("name=brief cmd={program} args='perft 1'"),
        "--engine",
        "name=none cmd=/nowhere/engine",
        "--engine",
        &format!("name=other cmd={program} option.Hsh=2"),
    ]);
    let mut client = server.session("/session?engine=brief");
    client.until("info string error: the engine brief has ended");
    assert_eq!(client.closing().map(|frame| u16::from(frame.code)), Some(4001));
    // The reason must arrive even if lines are queued.
    let mut client = server.session("/session?engine=none");
    for _ in 0..200 {
        if client.0.send(Message::text("isready")).is_err() {
            break;
        }
    }
    client.until("info string error: cannot start");
    assert_eq!(client.closing().map(|frame| u16::from(frame.code)), Some(4001));
    let mut client = server.session("/session?engine=other");
    client.until("info string error: cannot use the engine other: it has no option \"Hsh\"");
}

#[test]
fn five_hundred_connections_leave_nothing_behind() {
    let server = Server::start(&[]);
    drop(server.session("/session"));
    server.settles(Some((2, 64)));
    let before = server.usage();
    let mut open = Vec::new();
    for index in 0..500 {
        let mut stream = server.connect();
        let half = if index % 2 == 0 { "GET / HTTP/1.1\r\nHo" } else { "" };
        let _ = stream.write_all(half.as_bytes());
        open.push(stream);
    }
    drop(open);
    let answer = server.get("/", "");
    assert!(["HTTP/1.1 200 ", "HTTP/1.1 503 "].iter().any(|status| answer.starts_with(status)), "{answer}");
    server.settles(before);
    assert!(server.get("/", "").starts_with("HTTP/1.1 200 "));
}

#[test]
fn hostile_requests_and_frames_leave_nothing_behind() {
    soak(200);
}

#[test]
#[ignore = "takes minutes"]
fn ten_thousand_hostile_requests_and_frames_leave_nothing_behind() {
    soak(10_000);
}

/// Sends random requests and frames.
fn soak(count: u32) {
    let server = Server::start(&[]);
    drop(server.session("/session"));
    server.settles(Some((2, 64)));
    let memory = || processes::kibibytes(server.child.id(), "VmRSS").unwrap_or_default();
    let (before, first) = (server.usage(), memory());
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut chance = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for index in 0..count {
        let length = usize::try_from(chance() % 300).unwrap();
        let bytes: Vec<u8> = (0..length).map(|_| chance().to_le_bytes()[0]).collect();
        if index % 2 == 0 {
            let mut stream = server.connect();
            let _ = stream.write_all(if index % 4 == 0 { b"GET / HTTP/1.1\r\n" } else { b"" });
            let _ = stream.write_all(&bytes);
        } else {
            let (mut stream, head) = server.handshake("/session", &format!("http://{}", server.address));
            if head.starts_with("HTTP/1.1 101 ") {
                let _ = stream.write_all(&bytes);
            }
        }
    }
    server.settles(before);
    println!("{before:?} threads and files before and after; {first} KiB before, {} KiB after", memory());
    assert!(server.get("/", "").starts_with("HTTP/1.1 200 "));
}
