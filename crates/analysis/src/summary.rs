//! What the games say of their players.

use std::collections::HashMap;

use serde::Serialize;

use super::record::{GameAnalysis, MoveAnalysis};
use super::verdict::VerdictKind;
use draughts::board::Color;

/// A player in all games together.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct PlayerSummary {
    /// Who it is.
    pub name: String,
    /// Games.
    pub games: u64,
    /// Moves.
    pub moves: u64,
    /// Moves where there was another.
    pub choices: u64,
    /// The mean over these, from 0 to 100: see [`accuracy`].
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

/// How many errors of each kind.
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
    /// As many as there are of a kind.
    #[must_use]
    pub const fn of(&self, kind: VerdictKind) -> u64 {
        match kind {
            VerdictKind::LostWin => self.lost_win,
            VerdictKind::LostDraw => self.lost_draw,
            VerdictKind::MissedWin => self.missed_win,
            VerdictKind::Mistake => self.mistake,
            VerdictKind::Inaccuracy => self.inaccuracy,
            VerdictKind::OnlyMove | VerdictKind::BookEnding => 0,
        }
    }

    const fn add(&mut self, kind: VerdictKind) {
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

/// The accuracy of a move, from 0 to 100: 100 for one that loses nothing, 78 for one that costs a twentieth of a point, 8 for one
/// that costs half a point, as a lost draw does.
#[must_use]
pub fn accuracy(ply: &MoveAnalysis) -> f64 {
    100.0 * (-5.0 * f64::from(ply.lost) / 1000.0).exp()
}

/// All games together.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    players: Vec<PlayerSummary>,
    places: HashMap<String, usize>,
    games: u64,
}

impl Summary {
    /// Counts a game.
    pub fn add(&mut self, game: &GameAnalysis) {
        self.games += 1;
        let seats = Color::BOTH.map(|side| self.seat(game.player(side)));
        for index in if seats[0] == seats[1] { &seats[..1] } else { &seats[..] } {
            if let Some(player) = self.players.get_mut(*index) {
                player.games += 1;
            }
        }
        for (side, ply) in game.moves() {
            let Some(player) = seats.get(side.index()).copied().and_then(|index| self.players.get_mut(index))
            else {
                continue;
            };
            player.moves += 1;
            player.lost += f64::from(ply.lost) / 1000.0;
            if ply.choice {
                player.choices += 1;
                player.sum += accuracy(ply);
            }
            for verdict in &ply.verdicts {
                player.errors.add(verdict.kind);
                player.only_moves += u64::from(verdict.kind == VerdictKind::OnlyMove);
            }
        }
    }

    fn seat(&mut self, name: &str) -> usize {
        if let Some(&index) = self.places.get(name) {
            return index;
        }
        let index = self.players.len();
        self.players.push(PlayerSummary { name: name.to_owned(), ..PlayerSummary::default() });
        self.places.insert(name.to_owned(), index);
        index
    }

    /// Games counted.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// The players: those with the most games first, then in the order in which they came.
    #[must_use]
    pub fn players(&self) -> Vec<PlayerSummary> {
        let mut players = self.players.clone();
        for player in &mut players {
            #[expect(clippy::cast_precision_loss, reason = "nobody makes so many moves")]
            let (choices, games) = (player.choices as f64, player.games.max(1) as f64);
            player.accuracy = (player.choices > 0).then(|| (player.sum / choices * 10.0).round() / 10.0);
            player.lost = (player.lost / games * 1000.0).round() / 1000.0;
        }
        players.sort_by_key(|player| std::cmp::Reverse(player.games));
        players
    }
}
