//! A player of random legal moves.
//!
//! It is the baseline in published experiments, and is fast enough to benchmark the match runner. In matches,
//! it runs as a separate process, like any other engine.

use super::player::{Player, PlayerError, SearchResult, Turn};
use super::session::ProtocolPlayer;
use kelso_draughts::record::SearchInfo;
use kelso_draughts::score::ReportedScore;
use kelso_engine::OptionKind;
use kelso_protocol::DeclaredOption;
use kelso_random::{IndexedRandom, Random};
use kelso_syntax::WordError;

/// The name of the only option.
const SEED: &str = "Seed";

/// A player of random legal moves.
#[derive(Clone, Debug)]
pub struct RandomPlayer {
    seed: u64,
    random: Random,
}

impl RandomPlayer {
    /// Creates a player with a seed for its choices.
    pub fn new(seed: u64) -> Self {
        Self { seed, random: kelso_random::stream(&[seed]) }
    }
}

impl Player for RandomPlayer {
    fn choose_move(&mut self, turn: &Turn<'_>) -> Result<SearchResult, PlayerError> {
        let mut moves = turn.game.position().moves();
        moves.retain(|mv| turn.limits.allows(*mv));
        let mv = *moves.choose(&mut self.random).ok_or_else(PlayerError::no_move)?;
        let score = Some(ReportedScore::Cp(0));
        let info = SearchInfo { score, depth: Some(1), nodes: Some(1), ..SearchInfo::default() };
        let result = SearchResult { info, ..SearchResult::of(mv) };
        if let Some(report) = turn.report {
            report(&result);
        }
        Ok(result)
    }
}

impl ProtocolPlayer for RandomPlayer {
    fn name(&self) -> String {
        "Random mover".into()
    }

    fn options(&self) -> Vec<DeclaredOption> {
        vec![DeclaredOption {
            name: SEED,
            kind: OptionKind::Spin { min: 0, max: (1 << 31) - 1 },
            default: "0".into(),
        }]
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), WordError> {
        if !name.eq_ignore_ascii_case(SEED) {
            return Err(WordError::unknown("option", name, SEED));
        }
        let value = value.unwrap_or("");
        self.seed = value.parse().map_err(|_| WordError::invalid(SEED, value, "a number"))?;
        Ok(())
    }

    fn new_game(&mut self) {
        self.random = kelso_random::stream(&[self.seed]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::answers;
    use kelso_draughts::board::Position;
    use kelso_draughts::notation::movetext;

    fn talk(lines: &str) -> String {
        lines.lines().map(answers(RandomPlayer::new(0))).collect()
    }

    #[test]
    fn the_random_player_moves_legally_and_reproducibly() {
        let game = "setoption name Seed value 5\nucinewgame\nposition startpos moves 11-15\ngo nodes 1\n";
        let answer = talk(game);
        let mv = answer.lines().last().unwrap().strip_prefix("bestmove ").unwrap().to_owned();
        let start = Position::start();
        let position = start.after(movetext::parse(&start, "11-15").unwrap());
        assert!(movetext::parse(&position, &mv).is_ok());
        assert_eq!(talk(&format!("{game}{game}")), answer.repeat(2));
    }

    #[test]
    fn invalid_commands_change_nothing() {
        let answer = talk("position fen nonsense\nposition startpos moves 1-2\nisready\n");
        assert_eq!(answer.lines().count(), 3, "{answer}");
        assert!(answer.ends_with("readyok\n"));
        assert!(talk("position fen W:W:B1\ngo depth 1\n").ends_with("bestmove none\n"));
    }

    #[test]
    fn each_command_has_its_answer() {
        let mut answer_to = answers(RandomPlayer::new(3));
        for (line, answer) in [
            (
                "uci",
                "id name Random mover\nid author the Kelso developers\n\
                 option name Seed type spin default 0 min 0 max 2147483647\nuciok\n",
            ),
            ("isready", "readyok\n"),
            ("ucinewgame", ""),
            ("setoption name Seed value 9", ""),
            ("setoption name Seed value x", "info string error: invalid Seed \"x\": expected a number\n"),
            ("setoption name Hash value 16", "info string error: unknown option \"Hash\": expected Seed\n"),
            ("stop", ""),
            ("position fen W:W13:B5", ""),
            ("go depth 3", "info depth 1 score cp 0 nodes 1 nps 0 time 0 pv 13-9\nbestmove 13-9\n"),
            ("position fen W:W:B5", ""),
            ("go depth 3", "info string no move: white has lost\nbestmove none\n"),
        ] {
            assert_eq!(answer_to(line), answer, "{line}");
        }
        let [first, other] = [3, 4].map(|seed| {
            let mut answer_to = answers(RandomPlayer::new(seed));
            (0..20).map(|_| answer_to("go depth 1")).collect::<String>()
        });
        assert_ne!(first, other);
        // A new game reseeds the generator.
        answer_to("setoption name Seed value 4");
        answer_to("ucinewgame");
        answer_to("position startpos");
        assert_eq!((0..20).map(|_| answer_to("go depth 1")).collect::<String>(), other);
    }
}
