//! Games between two settings of the engine in this process.

use draughts::board::{Color, Game};
use draughts::referee::{Draws, Referee};
use engine::eval::Sheet;
use engine::search::{Control, Limits, Margins};
use engine::{Engine, Setting, SettingError};

/// Two engines that play each other.
pub(super) struct Duel {
    engines: [Engine; 2],
    nodes: u64,
}

/// Games end sooner than those of people, so that there are more of them.
const DRAWS: Draws = Draws { plies: 50, most: Some(220), ..Draws::STANDARD };

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

    /// The engine that has Black unless colours are exchanged.
    pub(super) fn first(&self) -> &Engine {
        let [first, _] = &self.engines;
        first
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
        let mut referees =
            self.engines.each_ref().map(|engine| Referee::new(DRAWS, Some(engine.databases())));
        loop {
            let seat = seat(game.position().side());
            // Each side's own databases count when it is to move.
            if let Some((result, _)) = referees[seat].verdict(&game) {
                return result.winner();
            }
            let limits = Limits::nodes(self.nodes);
            let best = self.engines[seat].search(&game, &limits, &Control::new(false), &mut |_| {}).best?;
            game.play(best);
            for referee in &mut referees {
                referee.saw(best);
            }
        }
    }
}

/// An engine for one side of a pair.
fn engine(settings: &[Setting]) -> Result<Engine, SettingError> {
    let mut engine = Engine::with_table(1)?;
    for setting in settings {
        engine.apply(setting.clone())?;
    }
    // Damaged databases would decide games, or not decide them.
    engine.databases().check();
    match engine.take_problems().into_iter().next() {
        Some(problem) => Err(SettingError::Endings(problem)),
        None => Ok(engine),
    }
}
