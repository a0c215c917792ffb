//! Games between two configurations of the engine in this process.

use std::collections::BTreeMap;
use std::ops::Range;

use super::engines::GamesError;
use kelso_batch::pool::divide;
use kelso_draughts::ballot::Deck;
use kelso_draughts::board::{Color, Game};
use kelso_draughts::referee::{DrawRules, Referee};
use kelso_draughts::result::GameResult;
use kelso_engine::search::{Limits, SearchParams};
use kelso_engine::{Engine, EngineSettings, Setting, SettingError};
use kelso_players::player::{self, EnginePlayer, PlayerError};
use kelso_runtime::stop::StopToken;

pub(super) struct Duel {
    engines: [Engine; 2],
    nodes: u64,
}

/// Draw rules that end games early, so that more games can be played.
const DRAW_RULES: DrawRules = DrawRules { no_progress_plies: 50, ..DrawRules::STANDARD };
const MAX_PLIES: u32 = 220;

pub(super) fn ballots() -> Vec<Game> {
    Deck::ElevenMan.in_play().map(|ballot| ballot.record().game()).collect()
}

impl Duel {
    /// Creates a duel for each thread.
    pub(super) fn for_threads(
        threads: usize,
        settings: &EngineSettings,
        nodes: u64,
    ) -> Result<Vec<Self>, SettingError> {
        let engine = || Engine::checked(settings.clone().with_default(Setting::Hash(1)));
        (0..threads.max(1)).map(|_| Ok(Self { engines: [engine()?, engine()?], nodes })).collect()
    }

    pub(super) fn first(&self) -> &Engine {
        let [first, _] = &self.engines;
        first
    }

    pub(super) fn set_params(&mut self, first: SearchParams, second: SearchParams) {
        for (engine, margins) in self.engines.iter_mut().zip([first, second]) {
            // This cannot fail: valid parameters are always accepted.
            let _ = engine.apply(Setting::Margins(margins));
        }
    }

    /// Plays two games with exchanged colours, and returns the half points of the first engine in each.
    pub(super) fn play_pair(&mut self, start: &Game) -> Result<[u8; 2], PlayerError> {
        let [black, white] = Color::BOTH;
        let as_black = self.play(start, black)?.half_points(black);
        let as_white = self.play(start, white)?.half_points(white);
        Ok([as_black, as_white])
    }

    /// Plays a game with the first engine on the given side.
    fn play(&mut self, start: &Game, side: Color) -> Result<GameResult, PlayerError> {
        self.engines.iter_mut().for_each(Engine::new_game);
        // Both engines have the same databases.
        let referee = Referee::new(DRAW_RULES, Some(self.first().databases()));
        let mut referee = referee.limited_to(Some(MAX_PLIES)).after(start);
        let mut players =
            self.engines.each_ref().map(|engine| EnginePlayer { engine, limits: Limits::nodes(self.nodes) });
        if side == Color::White {
            players.reverse();
        }
        let mut game = start.clone();
        let end = player::play(players.each_mut(), &mut game, [None; 2], &mut referee, &StopToken::default());
        end.map(|end| end.result).map_err(|(_, error)| error)
    }
}

/// Plays those of the numbered pairs of games that have no result yet. Calls `keep` with each new result, and
/// `on_progress` with the number of finished pairs; `on_progress` returns `false` to stop.
pub(super) fn play_missing<T: Send>(
    duels: &mut [Duel],
    numbers: Range<u64>,
    results: &mut BTreeMap<u64, T>,
    play: impl Fn(&mut Duel, u64) -> Result<T, PlayerError> + Sync,
    keep: &mut dyn FnMut(&T) -> Result<(), GamesError>,
    on_progress: &mut dyn FnMut(usize) -> bool,
) -> Result<(), GamesError> {
    let (known, missing): (Vec<u64>, Vec<u64>) = numbers.partition(|number| results.contains_key(number));
    let mut done = known.len();
    divide(
        duels,
        missing,
        |duel, number| (number, play(duel, number)),
        |played| {
            if let Some((number, result)) = played {
                let result = result.map_err(GamesError::Player)?;
                keep(&result)?;
                results.insert(number, result);
                done += 1;
            }
            Ok(on_progress(done))
        },
    )
    .map(drop)
}
