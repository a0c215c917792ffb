//! Games between two settings of the engine in this process.

use crate::board::{Color, Game, Outcome};
use crate::egdb::Wld;
use crate::engine::{Engine, Setting, SettingError};
use crate::eval::Sheet;
use crate::search::{Control, Limits, Margins};

/// Two engines that play each other.
pub(super) struct Duel {
    engines: [Engine; 2],
    nodes: u64,
}

/// A game of so many plies is drawn.
const MOST_PLIES: usize = 220;
/// So many without progress too.
const QUIET_PLIES: usize = 50;

/// What Black got, from -1 to 1.
pub(super) fn points(winner: Option<Color>) -> f64 {
    match winner {
        None => 0.0,
        Some(Color::Black) => 1.0,
        Some(Color::White) => -1.0,
    }
}

impl Duel {
    pub(super) fn new(settings: &[Setting], nodes: u64) -> Result<Self, SettingError> {
        Ok(Self { engines: [engine(settings)?, engine(settings)?], nodes })
    }

    /// Gives the engines their margins.
    pub(super) fn set(&mut self, first: Margins, second: Margins) {
        for (engine, margins) in self.engines.iter_mut().zip([first, second]) {
            // Margins are never refused.
            let _ = engine.apply(Setting::Margins(margins));
        }
    }

    /// Gives the engines the weights of their evaluation.
    pub(super) fn weigh(&mut self, first: &Sheet, second: &Sheet) {
        for (engine, sheet) in self.engines.iter_mut().zip([first, second]) {
            engine.weigh(Some(sheet));
        }
    }

    /// Plays a game and says which side has won. The first engine has Black unless colours are exchanged.
    pub(super) fn play(&mut self, start: &Game, exchanged: bool) -> Option<Color> {
        let mut game = start.clone();
        self.engines.iter_mut().for_each(Engine::new_game);
        let seat = |color: Color| usize::from((color == Color::White) != exchanged);
        for _ in 0..MOST_PLIES {
            match game.outcome() {
                Some(Outcome::Win(color)) => return Some(color),
                Some(_) => return None,
                None if game.quiet_plies() >= QUIET_PLIES => return None,
                None => {}
            }
            let position = game.position();
            let engine = &self.engines[seat(position.side())];
            let databases = engine.databases();
            if databases.covers(position.piece_count())
                && let Some(result) = databases.probe(position)
            {
                return match result {
                    Wld::Win => Some(position.side()),
                    Wld::Draw => None,
                    Wld::Loss => Some(!position.side()),
                };
            }
            let limits = Limits::nodes(self.nodes);
            let best = engine.search(&game, &limits, &Control::new(false), &mut |_| {}).best?;
            game.play(best);
        }
        None
    }
}

/// An engine for one side of a pair.
fn engine(settings: &[Setting]) -> Result<Engine, SettingError> {
    let mut engine = Engine::with_table(1)?;
    for setting in settings {
        engine.apply(setting.clone())?;
    }
    // Damaged databases would decide games, or not decide them.
    let _ = engine.databases();
    match engine.take_problems().into_iter().next() {
        Some(problem) => Err(SettingError::Endings(problem)),
        None => Ok(engine),
    }
}
