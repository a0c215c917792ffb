//! Summaries of games by player.

use std::collections::HashMap;

use serde::Serialize;

use super::record::{GameAnalysis, MoveAnalysis};
use super::verdict::VerdictKind;
use draughts::board::Color;

/// The results of a player in all games.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct PlayerSummary {
    /// The name.
    pub name: String,
    /// Games.
    pub games: u64,
    /// Moves.
    pub moves: u64,
    /// Moves with an alternative.
    pub choices: u64,
    /// The mean accuracy of these, from 0 to 100: see [`accuracy`].
    pub accuracy: Option<f64>,
    /// Points lost for each game.
    pub lost: f64,
    /// Errors by kind.
    pub errors: Errors,
    /// Only moves that were found.
    pub only_moves: u64,
    #[serde(skip)]
    sum: f64,
}

/// The numbers of errors by kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Errors {
    /// Won games lost.
    pub lost_win: u64,
    /// Drawn games lost.
    pub lost_draw: u64,
    /// Won games drawn.
    pub missed_win: u64,
    /// Mistakes.
    pub mistake: u64,
    /// Inaccuracies.
    pub inaccuracy: u64,
}

impl Errors {
    fn count(&mut self, kind: VerdictKind) {
        match kind {
            VerdictKind::LostWin => self.lost_win += 1,
            VerdictKind::LostDraw => self.lost_draw += 1,
            VerdictKind::MissedWin => self.missed_win += 1,
            VerdictKind::Mistake => self.mistake += 1,
            VerdictKind::Inaccuracy => self.inaccuracy += 1,
            VerdictKind::OnlyMove | VerdictKind::BookEnding => {}
        }
    }
}

/// Returns the accuracy of a move, from 0 to 100: 100 if it loses nothing, 78 if it costs a twentieth of a point, 8 if it costs
/// half a point, as a lost draw does.
pub fn accuracy(ply: &MoveAnalysis) -> f64 {
    100.0 * (-5.0 * f64::from(ply.lost) / 1000.0).exp()
}

impl PlayerSummary {
    fn add(&mut self, ply: &MoveAnalysis) {
        self.moves += 1;
        self.lost += f64::from(ply.lost) / 1000.0;
        if ply.choice {
            self.choices += 1;
            self.sum += accuracy(ply);
        }
        for verdict in &ply.verdicts {
            self.errors.count(verdict.kind);
            self.only_moves += u64::from(verdict.kind == VerdictKind::OnlyMove);
        }
    }
}

/// A summary of games.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    players: Vec<PlayerSummary>,
    by_name: HashMap<String, usize>,
    games: u64,
}

impl Summary {
    /// Counts a game.
    pub fn add(&mut self, game: &GameAnalysis) {
        self.games += 1;
        for side in Color::BOTH {
            let player = self.player(game.player(side));
            player.games += u64::from(side == Color::Black || game.black != game.white);
            for (_, ply) in game.moves().filter(|(mover, _)| *mover == side) {
                player.add(ply);
            }
        }
    }

    fn player(&mut self, name: &str) -> &mut PlayerSummary {
        let index = *self.by_name.entry(name.to_owned()).or_insert_with(|| {
            self.players.push(PlayerSummary { name: name.to_owned(), ..PlayerSummary::default() });
            self.players.len() - 1
        });
        &mut self.players[index]
    }

    /// The number of games.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Returns the players: those with the most games first, then in the order of their first games.
    pub fn players(&self) -> Vec<PlayerSummary> {
        let mut players = self.players.clone();
        for player in &mut players {
            #[expect(clippy::cast_precision_loss, reason = "counts of moves are small")]
            let (choices, games) = (player.choices as f64, player.games.max(1) as f64);
            player.accuracy = (player.choices > 0).then(|| (player.sum / choices * 10.0).round() / 10.0);
            player.lost = (player.lost / games * 1000.0).round() / 1000.0;
        }
        players.sort_by_key(|player| std::cmp::Reverse(player.games));
        players
    }
}
