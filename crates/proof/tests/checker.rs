//! Tests the checker on small certificates: what it accepts agrees with the databases, and what it rejects is
//! named with its line.
#![allow(clippy::unwrap_used, reason = "a test")]

use kelso_draughts::board::{Color, Piece, PieceKind, Position, Setup, Square};
use kelso_draughts::notation::fen;
use kelso_draughts::result::Wdl;
use kelso_endgames::{Content, Databases};
use kelso_proof::{Certificate, Choice, LeafFile, check};

/// Returns all database files with results of up to this many pieces.
fn files(databases: &Databases, pieces: u32) -> Vec<LeafFile> {
    let results = databases.files().filter(|(header, _)| header.content == Content::Results);
    let listed = results.filter(|(header, _)| header.slice.pieces() <= pieces);
    listed.map(|(header, _)| LeafFile { slice: header.slice, checksum: header.checksum() }).collect()
}

/// Returns positions with White to move: all of two pieces, and some of three.
fn positions() -> Vec<Position> {
    let kinds = [PieceKind::Man, PieceKind::King];
    let squares: Vec<Square> = Square::all().collect();
    let mut found = Vec::new();
    for (index, (one, other)) in kinds.into_iter().flat_map(|one| kinds.map(|other| (one, other))).enumerate()
    {
        for &white in &squares {
            for &black in &squares {
                for third in [None, Some(squares[(white.index() + 7 * black.index() + index) % 32])] {
                    let mut setup = Setup::empty(Color::White);
                    setup.put(white, Piece { color: Color::White, kind: one });
                    setup.put(black, Piece { color: Color::Black, kind: other });
                    if let Some(square) = third {
                        setup.put(square, Piece { color: Color::White, kind: PieceKind::King });
                    }
                    found.extend(
                        Position::try_from(setup).ok().filter(|found| !found.pieces(Color::Black).is_empty()),
                    );
                }
            }
        }
    }
    assert!(found.len() > 6_000, "{}", found.len());
    found
}

#[test]
fn the_checker_accepts_only_true_lines() {
    let databases = Databases::compiled_in();
    let leaves = files(&databases, 3);
    let value = |position: &Position| databases.probe(position).unwrap();
    let mut counts = [[0; 2]; 2];
    for position in positions() {
        let empty = Certificate {
            position,
            claim: Wdl::Draw,
            leaves: leaves.clone(),
            win: Vec::new(),
            hold: Vec::new(),
        };
        for claim in [Wdl::Loss, Wdl::Draw, Wdl::Win] {
            let is_true = value(&position) == claim || !position.can_move() && claim == Wdl::Loss;
            let certificate = Certificate { claim, ..empty.clone() };
            assert_eq!(check(&certificate, &databases).is_ok(), is_true, "{certificate}");
        }
        let error = |certificate: Certificate| check(&certificate, &databases).err().map(|error| error.line);
        // The claim of line 3 may be wrong. Lines of the lists are checked before it.
        let list = 4 + leaves.len() + 2;
        for mv in position.moves() {
            let after = value(&position.after(mv));
            let choice = Choice { position, mv };
            let wins = error(Certificate { win: vec![(choice, 1)], ..empty.clone() }) != Some(list);
            assert_eq!(wins, after == Wdl::Loss, "{choice}");
            let holds = error(Certificate { hold: vec![choice], ..empty.clone() }) != Some(list + 1);
            assert_eq!(holds, after != Wdl::Win, "{choice}");
            counts[0][usize::from(wins)] += 1;
            counts[1][usize::from(holds)] += 1;
        }
    }
    assert!(counts.concat().iter().all(|&count| count > 500), "{counts:?}");
}

/// Without files, leaves end with the capture of the last piece.
#[test]
fn leaves_are_read_from_listed_files_only() {
    let databases = Databases::compiled_in();
    let all = files(&databases, 3);
    let names: Vec<String> = all.iter().map(|leaf| leaf.slice.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let accepts = |text: &str, claim, slices: &[&str]| {
        let listed = |leaf: &&LeafFile| slices.contains(&leaf.slice.to_string().as_str());
        let leaves = all.iter().filter(listed).copied().collect();
        let position = fen::parse(text).unwrap();
        let certificate = Certificate { position, claim, leaves, win: Vec::new(), hold: Vec::new() };
        check(&certificate, &databases).is_ok()
    };
    let (win, draw, loss) = (Wdl::Win, Wdl::Draw, Wdl::Loss);
    assert!(
        accepts("W:W10:B6", win, &[]) && !accepts("W:W10:B6", draw, &[]) && !accepts("W:W10:B6", loss, &[])
    );
    assert!(accepts("W:WK18:B5,14", loss, &[]), "White captures one man, and the other recaptures");
    assert!(!accepts("W:WK28:BK1", draw, &[]) && accepts("W:WK28:BK1", draw, &["01v01"]));
    assert!(!accepts("W:WK28:BK1", draw, &["10v01", "01v10"]));
    // The side without pieces has lost; the other side must still be able to move.
    assert!(accepts("B:W32:B", loss, &[]) && !accepts("W:WK1,K2,K3,K4,5,6,7,8:B", win, &[]));
    assert!(accepts("W:WK1,K2,K3,K4,5,6,7,8:B", loss, &[]));
    // A file may leave out a position in which the other side threatens to capture.
    let mut refused = 0;
    for position in positions().into_iter().filter(|position| !position.must_capture() && position.can_move())
    {
        let [white, black] =
            Color::BOTH.map(|color| (position.men(color).len(), position.kings(color).len()));
        let (white, black) = if Color::BOTH[0] == Color::White { (white, black) } else { (black, white) };
        let own = format!("{}{}v{}{}", white.0, white.1, black.0, black.1);
        let (text, value) = (fen::format(&position), databases.probe(&position).unwrap());
        let is_accepted = accepts(&text, value, &[&own]);
        assert!(is_accepted || databases.looks_ahead(&position), "{text}");
        assert!(is_accepted || accepts(&text, value, &names), "{text}");
        refused += u32::from(!is_accepted);
    }
    assert!(refused > 100, "{refused}");
}

#[test]
fn faults_are_reported_with_their_lines() {
    let databases = Databases::compiled_in();
    let checksum = |name: &str| {
        let named = |leaf: &LeafFile| leaf.slice.to_string() == name;
        format!("{:08x}", files(&databases, 5).into_iter().find(named).unwrap().checksum)
    };
    let kings = checksum("01v01");
    let result = |text: &str| {
        let text = format!("kelso-proof 1\n{}\nend\n", text.trim().replace('|', "\n").replace("CRC", &kings));
        match text.parse::<Certificate>() {
            Err(error) => error.to_string(),
            Ok(certificate) => {
                check(&certificate, &databases).map_or_else(|error| error.to_string(), |()| "valid".into())
            }
        }
    };
    let head = "position W:WK28:BK1|claim draw";
    let win = |first, second, third| {
        let lines = format!("{first}|W:WK5,K18:BK21 18-22 {second}|W:WK5,K15:BK17 15-18 {third}");
        format!("{head}|leaves 0|win 3|W:WK5,K18:BK13 18-22 {lines}|hold 0")
    };
    for (text, expected) in [
        (format!("{head}|leaves 1|01v01 CRC|win 0|hold 0"), "valid"),
        (format!("{head}|leaves 0|win 0|hold 0"), "line 3: the position is not among those that hold"),
        (format!("{head}|leaves 1|44v00 CRC|win 0|hold 0"), "line 5: invalid slice"),
        (format!("{head}|leaves 1|42v11 CRC|win 0|hold 0"), "line 5: the database 42v11.wld is missing"),
        (
            format!("{head}|leaves 2|01v01 CRC|10v10 CRC|win 0|hold 0"),
            "line 6: the database 10v10.wld has the checksum ",
        ),
        (format!("{head}|leaves 2|01v01 CRC|01v01 CRC|win 0|hold 0"), "line 6: 01v01.wld is listed twice"),
        (format!("{head}|leaves 1|01v01 12345|win 0|hold 0"), "line 5: expected eight hexadecimal digits"),
        (format!("{head}|leaves 01|win 0|hold 0"), "line 4: expected a number of at most nine digits"),
        (
            format!("{head}|leaves 1000000000|win 0|hold 0"),
            "line 4: expected a number of at most nine digits",
        ),
        (format!("{head}|leaves 999999999|win"), "line 5: expected a slice and a checksum"),
        (win(1, 1, 2), "line 3: the position is not among those that hold"),
        (win(1, 3, 2), "line 8: the rank 2 comes after 3"),
        (win(1, 1, 1), "line 8: after 17-21 in B:WK5,K18:BK17 White has no win of a lower rank"),
        (win(1, 2, 2), "line 8: after 17-21 in B:WK5,K18:BK17 White has no win of a lower rank"),
        (win(0, 0, 1), "line 3: the position is not among those that hold"),
        (
            format!("{head}|leaves 0|win 2|W:WK5,K18:BK13 18-22 1|W:WK5,K18:BK13 18-22 1|hold 0"),
            "line 7: the position is listed twice",
        ),
        (
            format!("{head}|leaves 0|win 1|W:WK5,K18:BK13 18-22 1|hold 1|W:WK5,K18:BK13 18-22"),
            "line 8: the position is listed twice",
        ),
        (
            format!("{head}|leaves 1|01v01 CRC|win 0|hold 2|W:WK28:BK1 28-24|W:WK28:BK1 28-24"),
            "line 9: the position is listed twice",
        ),
        (
            format!("{head}|leaves 0|win 0|hold 2|W:WK28:BK1 28-24|W:WK24:BK6 24-28"),
            "line 7: after 1-5 in B:WK24:BK1 White has no move that holds",
        ),
        (
            "position W:WK28:BK1|claim win|leaves 1|01v01 CRC|win 0|hold 0".into(),
            "line 3: the position is not among those that win",
        ),
        (
            "position B:WK5,K18:BK17|claim loss|leaves 0|win 1|W:WK5,K18:BK13 18-22 1|hold 0".into(),
            "line 3: after 16-12 in W:WK16:BK15,K28 the other side has no win",
        ),
        (
            "position W:WK10:BK1|claim draw|leaves 0|win 0|hold 0".into(),
            "line 3: the position is not among those that hold",
        ),
        (
            "position W:WK28:BK1|claim won|leaves 0|win 0|hold 0".into(),
            "line 3: expected win, draw or loss, found \"won\"",
        ),
        ("position W:WK28:BK1,K1|claim win|leaves 0|win 0|hold 0".into(), "line 2: "),
        (
            "position W:W32,31:B1|claim win|leaves 0|win 0|hold 0".into(),
            "line 2: expected W:W31,32:B1, found \"W:W32,31:B1\"",
        ),
        (
            format!("{head}|leaves 0|win 1|B:WK28:BK1 1-6 1|hold 0"),
            "line 6: expected a position with White to move, found \"B:WK28:BK1\"",
        ),
        (
            format!("{head}|leaves 0|win 1|W:W22:B11,18 22x8 1|hold 0"),
            "line 6: expected every square of the move \"22x8\"",
        ),
        (format!("{head}|leaves 0|win 0|hold 1"), "line 7: expected a position and a move, found \"end\""),
        (
            format!("{head}|leaves 0|win 0|hold 0|end"),
            "line 8: expected nothing after \"end\", found \"end\"",
        ),
    ] {
        let found = result(&text);
        assert!(found.starts_with(expected), "{text}: {found}");
    }
}
