//! Any bytes as a PDN file: games that can be read survive a round trip.

use kelso_draughts::notation::pdn::PdnReader;

pub fn run(bytes: &[u8]) {
    let mut file = String::new();
    let mut games = Vec::new();
    for (number, entry) in PdnReader::new(bytes).enumerate() {
        assert_eq!(entry.number, number + 1);
        let mut place = (0, 0);
        for fault in entry.errors() {
            assert_eq!(fault.game, entry.number);
            assert!((fault.line, fault.column) >= place && fault.column > 0);
            assert!(!fault.to_string().contains('\n'));
            place = (fault.line, fault.column);
        }
        // The moves before a fault also form a game.
        file.push_str(&format!("{}\n", entry.game));
        games.push(entry.game.to_string());
    }
    let mut again = Vec::new();
    for entry in PdnReader::new(file.as_bytes()) {
        assert!(entry.errors().next().is_none(), "what was written is read: {entry:?}");
        again.push(entry.game.to_string());
    }
    assert_eq!(again, games);
}
