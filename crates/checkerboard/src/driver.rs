//! The engine behind CheckerBoard's interface, its settings and its searches.
//!
//! The GUI calls from two threads: one waits for a move while the other may send commands. The engine and the
//! settings therefore have separate locks, and a setting that arrives during a search takes effect in the
//! next search.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, Once, TryLockError};
use std::thread;
use std::time::Duration;

use super::settings::{self, DriverSettings, LastMove};
use super::storage;
use anyhow::{Context, Result, anyhow};
use kelso_draughts::board::{Color, Game, Move, Position};
use kelso_draughts::notation::movetext;
use kelso_draughts::result::{GameEnd, GameResult};
use kelso_draughts::score::ReportedScore;
use kelso_engine::search::{
    BookReport, Control, Limits, LineReport, Score, SearchAnswer, SearchEvent, TimeLimit,
};
use kelso_engine::{Engine, EngineSettings, Setting};
use kelso_runtime::sync::lock;

/// Interval at which `playnow` is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// The result of the game, as far as it is known, numbered as in the interface.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CbResult {
    /// The game is drawn.
    Draw = 0,
    /// The engine wins.
    Win = 1,
    /// The engine loses.
    Loss = 2,
    /// The result is open.
    Unknown = 3,
}

/// The engine and its settings.
#[derive(Debug)]
pub(super) struct Driver {
    settings: Mutex<DriverSettings>,
    /// Created on first use, since a GUI may load the library only to get the engine's name.
    engine: Mutex<Option<Engine>>,
    restored: Once,
}

/// A message from the engine's thread.
struct SearchMessage {
    mv: Move,
    score: Score,
    /// The line to show.
    text: String,
}

impl Driver {
    pub(super) const fn new() -> Self {
        Self { settings: Mutex::new(DriverSettings::new()), engine: Mutex::new(None), restored: Once::new() }
    }

    pub(super) fn settings(&self) -> MutexGuard<'_, DriverSettings> {
        lock(&self.settings)
    }

    /// Reads the saved settings on the first call, to be applied when the engine is created.
    pub(super) fn restore(&self, file: impl FnOnce() -> Option<PathBuf>) {
        self.restored.call_once(|| {
            let Some(file) = file() else { return };
            let mut settings = self.settings();
            match storage::read(&file) {
                Ok(values) => {
                    let effects = values.keys().flat_map(|key| settings::effects(&values, key)).flatten();
                    settings.waiting = effects.collect();
                    settings.values = values;
                }
                Err(error) => {
                    log::warn!("{error}");
                    settings.errors.push(error.to_string());
                }
            }
            settings.file = Some(file);
        });
    }

    /// Sets a valid value immediately, or before the next search if one is running.
    pub(super) fn set(&self, key: &'static str, value: String) -> Result<()> {
        let mut values = self.settings().values.clone();
        values.insert(key, value.clone());
        for setting in settings::effects(&values, key)? {
            self.apply(setting)?;
        }
        self.settings().values.insert(key, value);
        Ok(())
    }

    /// Saves the value of a setting for later sessions.
    pub(super) fn save(&self, key: &'static str) -> Result<()> {
        let settings = self.settings();
        settings.file.as_ref().map_or(Ok(()), |file| storage::save(file, &settings.values, key))
    }

    /// Sets an option immediately, or before the next search if one is running.
    fn apply(&self, setting: Setting) -> Result<()> {
        match self.idle_engine() {
            Some(mut engine) => {
                let engine = self.prepare(&mut engine)?;
                engine.apply(setting)?;
                while engine.warm_up() {}
            }
            None => self.settings().waiting.push(setting),
        }
        Ok(())
    }

    /// Creates the engine if necessary, applies pending settings, and returns the engine.
    fn prepare<'a>(&self, engine: &'a mut Option<Engine>) -> Result<&'a mut Engine> {
        let engine = match engine {
            Some(engine) => engine,
            // Users expect an opening book; the GUI can turn it off.
            none => none.insert(Engine::new(EngineSettings::installed().with_default(Setting::Book(true)))?),
        };
        let mut settings = self.settings();
        for setting in std::mem::take(&mut settings.waiting) {
            // The previous value stays in effect, and the error is shown with the next move.
            settings.errors.extend(engine.apply(setting).err().map(|error| error.to_string()));
        }
        drop(settings);
        while engine.warm_up() {}
        Ok(engine)
    }

    /// Returns the value of a position for the side to move, in hundredths of a man.
    pub(super) fn evaluate(&self, position: &Position) -> Result<i32> {
        let mut engine = self.idle_engine().context("the engine is searching")?;
        Ok(self.prepare(&mut engine)?.evaluate(position))
    }

    /// Frees the engine and the settings, unless a search is running.
    pub(super) fn release(&self) {
        if let Some(mut engine) = self.idle_engine() {
            *engine = None;
            *self.settings() = DriverSettings::new();
        }
    }

    /// Returns the engine, unless it is searching.
    fn idle_engine(&self) -> Option<MutexGuard<'_, Option<Engine>>> {
        match self.engine.try_lock() {
            Ok(engine) => Some(engine),
            Err(TryLockError::Poisoned(error)) => Some(error.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// Searches a position. Returns the move, if there is one, and the result of the game. `show` is called
    /// with each line to display, and regularly with `None`; it returns `true` to stop the search and move.
    pub(super) fn search(
        &self,
        position: &Position,
        limit: TimeLimit,
        new_game: bool,
        show: &mut dyn FnMut(Option<&str>) -> bool,
    ) -> Result<(Option<Move>, CbResult)> {
        // The clock is already running.
        let control = Control::new();
        let mut engine = lock(&self.engine);
        let engine = self.prepare(&mut engine)?;
        let (game, all_scores, solve) = {
            let mut settings = self.settings();
            let sent = settings.history.take().filter(|game| game.position() == position);
            let last_move = settings.last_move.take().filter(|_| !new_game);
            let game = sent.or_else(|| last_move?.continued(position));
            let game = game.unwrap_or_else(|| Game::new(*position));
            (game, settings.number("allscores") == 1, settings.number("solve") == 1)
        };
        if new_game {
            engine.new_game();
        }
        // To score all moves, request a line for each.
        let lines = if all_scores { position.moves().len().max(1) } else { 1 };
        engine.apply(Setting::MultiPv(lines))?;
        let limits = Limits { time: (!solve).then_some(limit), ..Limits::default() };
        let (sender, messages) = channel();
        let (best, score) = self.on_thread(
            || search(engine, &game, &limits, &control, all_scores, sender),
            || follow(&messages, &control, solve, show),
        )?;
        let mut notices = std::mem::take(&mut self.settings().errors);
        notices.extend(engine.databases().take_errors().iter().map(ToString::to_string));
        for notice in &notices {
            show(Some(notice));
        }
        // If there is no result, play the first legal move.
        let best = best.or_else(|| position.moves().first().copied());
        self.settings().last_move = best.map(|mv| LastMove { game: game.clone(), mv });
        Ok((best, result_after(game, best, score)))
    }

    /// Searches on a thread, while `follow` receives its messages. Returns the move and its score. If the
    /// search panics, they are those that `follow` returns, and the failure is shown with the move.
    fn on_thread(
        &self,
        search: impl FnOnce() -> SearchAnswer + Send,
        follow: impl FnOnce() -> Option<(Move, Score)>,
    ) -> Result<(Option<Move>, Option<Score>)> {
        thread::scope(|scope| {
            let started = thread::Builder::new().name("engine".into()).spawn_scoped(scope, search);
            let worker = started.map_err(|error| anyhow!("cannot start a thread: {error}"))?;
            let last = follow();
            Ok(worker.join().map_or_else(
                |_| {
                    let notice = "the search has failed; the move may be weak";
                    self.settings().errors.push(notice.to_owned());
                    last.unzip()
                },
                |answer| (answer.best, answer.score),
            ))
        })
    }
}

/// Searches, and sends messages.
fn search(
    engine: &Engine,
    game: &Game,
    limits: &Limits,
    control: &Control,
    all_scores: bool,
    messages: Sender<SearchMessage>,
) -> SearchAnswer {
    let root = game.position();
    let count = engine.options().multi_pv;
    // If the channel is closed, the search is being stopped.
    let report = move |mv, score, text| drop(messages.send(SearchMessage { mv, score, text }));
    let mut lines = Vec::new();
    let on_event = &mut |event| match event {
        SearchEvent::Line(line) => {
            // The lines of an iteration arrive together, best first.
            lines.truncate(line.rank - 1);
            lines.push(line);
            let best = lines.first().filter(|_| lines.len() == count);
            if let Some((best, &mv)) = best.and_then(|best| Some((best, best.line.first()?))) {
                let text = if all_scores { scores(root, &lines) } else { progress(root, best) };
                report(mv, best.score, text);
            }
        }
        // A book move says nothing about the result.
        SearchEvent::Book(book) => report(book.mv, Score::DRAW, book_move(root, &book)),
        SearchEvent::Trying { .. } => {}
    };
    // The book scores only the moves that it plays.
    if all_scores {
        engine.search_without_book(game, limits, control, None, on_event)
    } else {
        engine.search(game, limits, control, on_event)
    }
}

/// Shows the messages from the engine's thread until the search is done. Returns the last move and its score.
fn follow(
    messages: &Receiver<SearchMessage>,
    control: &Control,
    solve: bool,
    show: &mut dyn FnMut(Option<&str>) -> bool,
) -> Option<(Move, Score)> {
    let mut last = None;
    loop {
        let at_once = match messages.recv_timeout(POLL_INTERVAL) {
            Ok(SearchMessage { mv, score, text }) => {
                last = Some((mv, score));
                show(Some(&text)) || solve && score.is_proved()
            }
            Err(RecvTimeoutError::Disconnected) => return last,
            Err(RecvTimeoutError::Timeout) => show(None),
        };
        if at_once {
            control.stop();
        }
    }
}

/// Returns the result of the game after a move. It is known if the game is over or its result is proved.
fn result_after(mut game: Game, best: Option<Move>, score: Option<Score>) -> CbResult {
    let Some(best) = best else { return CbResult::Loss };
    game.play(best);
    match game.end() {
        Some(GameEnd { result: GameResult::Draw, .. }) => return CbResult::Draw,
        Some(_) => return CbResult::Win,
        None => {}
    }
    match score.map(Score::reported) {
        Some(ReportedScore::Win(Some(_))) => CbResult::Win,
        Some(ReportedScore::Loss(Some(_))) => CbResult::Loss,
        _ => CbResult::Unknown,
    }
}

fn scores(root: &Position, lines: &[LineReport]) -> String {
    let mut scores = Vec::new();
    for line in lines {
        if let Some(&mv) = line.line.first() {
            scores.push(format!("{} {}", movetext::format(root, mv), value(line.score, root.side())));
        }
    }
    let (depth, time) = lines.first().map_or((0, Duration::ZERO), |best| (best.depth, best.time));
    format!("{} depth {depth} time {:.2} s", scores.join(", "), time.as_secs_f64())
}

/// Formats the progress of a search, starting with the move.
fn progress(root: &Position, report: &LineReport) -> String {
    let LineReport { depth, selective_depth, score, nodes, time, ref line, .. } = *report;
    let moves = movetext::format_line(root, line);
    let (best, rest) = moves.split_once(' ').unwrap_or((&moves, ""));
    let per_second = u128::from(nodes) * 1_000_000 / time.as_nanos().max(1);
    format!(
        "{best} value {} depth {depth}/{selective_depth} time {:.2} s speed {per_second} kn/s pv {best} {rest}",
        value(score, root.side()),
        time.as_secs_f64(),
    )
}

fn book_move(root: &Position, report: &BookReport) -> String {
    let BookReport { mv, score, depth } = *report;
    format!("{} by the book, value {score} depth {depth}", movetext::format(root, mv))
}

/// Formats a score for the side to move, in men or as a known result.
fn value(score: Score, side: Color) -> String {
    match score.reported() {
        ReportedScore::Cp(value) => ReportedScore::men(value),
        known => known.describe(side),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::execute;
    use kelso_batch::testing::Folder;
    use kelso_draughts::notation::fen;

    fn think(driver: &Driver, text: &str, millis: u64) -> (String, CbResult, Vec<String>) {
        let position = fen::parse(text).unwrap();
        let mut shown = Vec::new();
        let (best, result) = driver
            .search(&position, TimeLimit::Exact(Duration::from_millis(millis)), false, &mut |text| {
                shown.extend(text.map(str::to_owned));
                false
            })
            .unwrap();
        let best = best.map_or_else(|| "none".into(), |mv| movetext::format(&position, mv));
        (best, result, shown)
    }

    #[test]
    fn the_result_is_that_of_the_game() {
        let driver = Driver::new();
        assert_eq!(execute(&driver, "set hashsize 1").unwrap(), "hashsize set to 1");
        let (best, result, shown) = think(&driver, "B:W21-32:B1-12", 30);
        assert_eq!(result, CbResult::Unknown);
        assert!(
            shown.len() == 1 && shown[0].starts_with(&format!("{best} by the book, value +0.")),
            "{shown:?}"
        );
        assert!(execute(&driver, "set book 0").is_ok());
        let (_, result, shown) = think(&driver, "B:W21-32:B1-12", 30);
        assert_eq!(result, CbResult::Unknown);
        assert!(shown.iter().any(|line| line.contains(" depth 3/")), "{shown:?}");
        // This capture ends the game.
        let (best, result, _) = think(&driver, "B:W9:B5", 30);
        assert_eq!((best.as_str(), result), ("5x14", CbResult::Win));
        let (best, result, _) = think(&driver, "B:W9:B", 30);
        assert_eq!((best.as_str(), result), ("none", CbResult::Loss));
        // A man cannot be stopped from crowning.
        assert_eq!(think(&driver, "B:W5:B27,1", 1000).1, CbResult::Win);
    }

    #[test]
    fn history_makes_a_third_repetition_a_draw() {
        let driver = Driver::new();
        let round = "1-5 32-28 5-1 28-32";
        // White, ahead in material, could repeat a position for the third time with 28-32.
        let history = format!("set gamehist B:WK32,K31:BK1 {round} 1-5 32-28 5-1");
        assert!(execute(&driver, &history).is_ok());
        let position = "W:WK28,K31:BK1";
        assert_ne!(think(&driver, position, 20).1, CbResult::Draw);
        let drawn = Game::new(fen::parse("B:WK32,K31:BK1").unwrap());
        let mut game = drawn;
        for text in format!("{round} {round}").split(' ').take(7) {
            let mv = movetext::parse(game.position(), text).unwrap();
            game.play(mv);
        }
        let back = movetext::parse(game.position(), "28-32").unwrap();
        assert_eq!(result_after(game, Some(back), None), CbResult::Draw);
    }

    /// A GUI that does not send the game history.
    struct Board<'a>(&'a Driver, Position);

    impl Board<'_> {
        /// Lets the engine move, and returns the game as the engine knows it.
        fn ask(&mut self, new_game: bool) -> Game {
            let limit = TimeLimit::Exact(Duration::ZERO);
            let (best, _) = self.0.search(&self.1, limit, new_game, &mut |_| false).unwrap();
            self.1 = self.1.after(best.unwrap());
            self.0.settings().last_move.as_ref().unwrap().game.clone()
        }

        fn reply(&mut self) {
            self.1 = self.1.after(self.1.moves()[0]);
        }
    }

    #[test]
    fn the_game_is_kept_until_the_board_shows_another_one() {
        let driver = Driver::new();
        let start = fen::parse("W:WK2,K14,K20:BK19,K32,K5").unwrap();
        let mut board = Board(&driver, start);
        assert_eq!(board.ask(false).reversible_plies(), 0);
        board.reply();
        assert_eq!(board.ask(false).reversible_plies(), 2);
        // The engine also moves for the other side.
        assert_eq!(board.ask(false).reversible_plies(), 3);
        // Search the same position again, as for analysis.
        let before = *driver.settings().last_move.as_ref().unwrap().game.position();
        board.1 = before;
        assert_eq!(board.ask(false).reversible_plies(), 3);
        board.reply();
        let (now, other) = (board.1, board.1.after(board.1.moves()[0]));
        for new_game in [true, false] {
            // Start a new game, and then take back moves.
            board.1 = if new_game { now } else { start };
            let game = board.ask(new_game);
            assert_eq!((game.reversible_plies(), game.keys().len()), (0, 1));
        }
        // A history from the GUI replaces the engine's own record for one search.
        let sent = "set gamehist W:WK2,K14,K20:BK19,K32,K5 2-6";
        assert!(execute(&driver, sent).is_ok());
        board.1 = fen::parse("B:WK6,K14,K20:BK19,K32,K5").unwrap();
        assert_eq!(board.ask(false).reversible_plies(), 1);
        assert!(driver.settings().history.is_none());
        // Search a position that is not in the game.
        board.1 = other;
        assert_eq!(board.ask(false).reversible_plies(), 0);
    }

    #[test]
    fn settings_are_restored_once_and_reach_the_engine() {
        let folder = Folder::new();
        let file = folder.write("checkerboard.txt", "book 0\nenable_wld 0\nhashsize 2\nsolve 0\n");
        let driver = Driver::new();
        driver.restore(|| Some(file.clone()));
        driver.restore(|| panic!("restored before"));
        let get = |driver: &Driver, key| execute(driver, &format!("get {key}")).unwrap();
        assert_eq!(["hashsize", "book", "enable_wld"].map(|key| get(&driver, key)), ["2", "0", "0"]);
        let (_, _, shown) = think(&driver, "B:W21-32:B1-12", 0);
        assert!(!shown.iter().any(|line| line.contains(" by the book")), "{shown:?}");
        let (_, _, shown) = think(&driver, "B:WK32:BK1,K2,K3", 0);
        assert!(!shown.last().unwrap().contains(" value Black wins"), "{shown:?}");
        assert_eq!(driver.idle_engine().unwrap().as_ref().unwrap().options().hash, 2);
        // Restored settings do not undo a change made before the engine was created.
        let later = Driver::new();
        later.restore(|| Some(file.clone()));
        assert!(execute(&later, "set hashsize 3").is_ok());
        think(&later, "B:W21-32:B1-12", 0);
        assert_eq!(later.idle_engine().unwrap().as_ref().unwrap().options().hash, 3);
        assert!(folder.read("checkerboard.txt").contains("\nhashsize 3\n"));
    }

    #[test]
    fn databases_are_used_unless_they_are_turned_off() {
        let driver = Driver::new();
        // The win takes 21 plies, so a short search cannot find it. Database results score higher than any
        // material.
        let known = || {
            let shown = think(&driver, "B:WK32:BK1,K2,K3", 0).2;
            shown.last().unwrap().contains(" value Black wins")
        };
        assert!(known());
        for (off, on) in [("enable_wld 0", "enable_wld 1"), ("max_dbpieces 3", "max_dbpieces 24")] {
            assert!(execute(&driver, &format!("set {off}")).is_ok());
            assert!(!known(), "{off}");
            assert!(execute(&driver, &format!("set {on}")).is_ok());
            assert!(known(), "{on}");
        }
        // The piece limit is kept while the databases are off.
        for command in ["set enable_wld 0", "set max_dbpieces 4"] {
            assert!(execute(&driver, command).is_ok());
            assert!(!known(), "{command}");
        }
        assert!(execute(&driver, "set enable_wld 1").is_ok());
        assert!(known());
        assert_eq!(execute(&driver, "get max_dbpieces").unwrap(), "4");
    }

    #[test]
    fn a_folder_without_databases_is_refused() {
        let driver = Driver::new();
        let error = execute(&driver, "set dbpath /no/such folder").unwrap_err().to_string();
        assert!(error.contains("\"/no/such folder\""), "{error}");
        // An invalid setting that arrived during a search is rejected before the next search.
        driver.settings().waiting.push(Setting::EgdbPath(Some("/no/such folder".into())));
        let is_refused = |shown: Vec<String>| shown.iter().any(|line| line.contains("\"/no/such folder\""));
        assert!(is_refused(think(&driver, "B:W21-32:B1-12", 0).2));
        assert!(!is_refused(think(&driver, "B:W21-32:B1-12", 0).2));
    }

    #[test]
    fn a_search_that_panics_has_its_last_move_and_is_shown() {
        let driver = Driver::new();
        let last = (Position::start().moves()[3], Score::DRAW);
        let found = driver.on_thread(|| panic!("this panics on purpose"), || Some(last)).unwrap();
        assert_eq!(found, (Some(last.0), Some(last.1)));
        let (_, _, shown) = think(&driver, "B:W21-32:B1-12", 0);
        assert_eq!(shown.last().unwrap(), "the search has failed; the move may be weak");
    }

    #[test]
    fn all_scores_are_reported_on_request() {
        let driver = Driver::new();
        assert!(execute(&driver, "set allscores 1").is_ok());
        let (best, _, shown) = think(&driver, "B:W21-32:B1-12", 60);
        let last = shown.last().unwrap();
        assert!(last.starts_with(&best) && last.matches(", ").count() == 6, "{last}");
    }

    #[test]
    fn solve_mode_ends_with_a_proof_and_play_now_with_a_move() {
        let driver = Driver::new();
        assert!(execute(&driver, "set solve 1").is_ok());
        assert_eq!(think(&driver, "B:W5:B27,1", 0).1, CbResult::Win);
        let mut asked = 0;
        let result = driver.search(&Position::start(), TimeLimit::Exact(Duration::ZERO), true, &mut |_| {
            asked += 1;
            asked > 5
        });
        assert!(result.unwrap().0.is_some());
    }
}
