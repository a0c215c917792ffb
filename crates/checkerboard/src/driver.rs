//! The engine behind the interface: what has been set, what has been played, and thinking.
//!
//! The GUI calls from two threads: on one it waits for a move, on the other it may give commands meanwhile. So the engine
//! and the settings have a lock each; a setting that finds the engine thinking waits for the next move.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::Duration;

use super::{scores, status};
use draughts::board::{Game, Move, Outcome, Position};
use endgames::MAX_PIECES;
use engine::search::{self, Budget, Control, Event, Limits, Score, TimeLimit};
use engine::{Engine, Setting};

/// How often the GUI's wish to move at once is looked at.
const POLL: Duration = Duration::from_millis(2);
/// What answering costs, where the engine's own budget is not used.
const OVERHEAD: Duration = Duration::from_millis(10);

/// What the engine claims of the game, in the numbers of the interface.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// The game is drawn.
    Draw = 0,
    /// The engine wins.
    Win = 1,
    /// The engine loses.
    Loss = 2,
    /// Nothing is claimed.
    Unknown = 3,
}

/// A thought's end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Thought {
    /// The move, unless there is none.
    pub best: Option<Move>,
    /// What it comes to.
    pub verdict: Claim,
}

/// What has been set.
#[derive(Debug)]
pub(super) struct Settings {
    /// Show the scores of all moves.
    pub all_scores: bool,
    /// Think until the result is proved, whatever the time.
    pub solve: bool,
    /// How the opening book is played, from 0 for not at all to 3 for its best moves.
    pub book: usize,
    /// Use endgame databases.
    pub databases: bool,
    /// Up to so many pieces.
    pub pieces: u64,
    /// What has been played, if the GUI has said.
    pub history: Option<Game>,
    /// Options that have been set, with their values as text.
    values: Vec<(&'static str, String)>,
    /// Those that the engine doesn't know yet.
    waiting: Vec<Setting>,
}

impl Settings {
    /// An option's value, if it has been set.
    pub(super) fn value(&self, option: &str) -> Option<&str> {
        self.values.iter().find(|(name, _)| *name == option).map(|(_, value)| value.as_str())
    }

    /// Keeps an option's value, to be told when it is asked for.
    pub(super) fn remember(&mut self, option: &'static str, value: &str) {
        self.values.retain(|(name, _)| *name != option);
        self.values.push((option, value.into()));
    }
}

/// The engine and its settings.
#[derive(Debug)]
pub(super) struct Driver {
    settings: Mutex<Settings>,
    /// Made when it is first needed: a library that is only looked at takes no memory.
    engine: Mutex<Option<Engine>>,
}

/// What the engine's thread says to the caller's.
enum Message {
    Status(Move, Score, String),
    Best(Option<Move>),
}

impl Driver {
    pub(super) const fn new() -> Self {
        Self {
            settings: Mutex::new(Settings {
                all_scores: false,
                solve: false,
                book: 3,
                databases: true,
                pieces: MAX_PIECES as u64,
                history: None,
                values: Vec::new(),
                waiting: Vec::new(),
            }),
            engine: Mutex::new(None),
        }
    }

    pub(super) fn settings(&self) -> MutexGuard<'_, Settings> {
        self.settings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets an option: at once, or if the engine is thinking, before its next move.
    pub(super) fn apply(&self, setting: Setting) -> Result<(), String> {
        let engine = match self.engine.try_lock() {
            Ok(engine) => Some(engine),
            Err(TryLockError::Poisoned(error)) => Some(error.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        };
        match engine {
            Some(mut engine) => {
                let engine = ready(&mut engine)?;
                engine.apply(setting).map_err(|error| error.to_string())?;
                warm(engine);
            }
            None => self.settings().waiting.push(setting),
        }
        Ok(())
    }

    /// Gives back what the engine takes, unless it is thinking.
    pub(super) fn let_go(&self) {
        match self.engine.try_lock() {
            Ok(mut engine) => *engine = None,
            Err(TryLockError::Poisoned(error)) => *error.into_inner() = None,
            Err(TryLockError::WouldBlock) => {}
        }
    }

    /// Thinks about a position, and tells `show` what there is to show. `show` is also asked every now and then whether
    /// the move shall be made at once, with or without something to show.
    pub(super) fn think(
        &self,
        position: &Position,
        limit: TimeLimit,
        new_game: bool,
        show: &mut dyn FnMut(Option<&str>) -> bool,
    ) -> Result<Thought, String> {
        // The GUI's clock runs already.
        let control = Control::new(false);
        let mut engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
        let engine = ready(&mut engine)?;
        let mut refused = Vec::new();
        let (game, all_scores, solve) = {
            let mut settings = self.settings();
            for setting in settings.waiting.drain(..) {
                // The engine goes on with what it has, and says so where the GUI shows it.
                refused.extend(engine.apply(setting).err().map(|error| error.to_string()));
            }
            let known = settings.history.as_ref().filter(|game| game.position() == position);
            (known.cloned().unwrap_or_else(|| Game::new(*position)), settings.all_scores, settings.solve)
        };
        if new_game {
            engine.new_game();
        }
        let limits = Limits { time: (!solve).then_some(limit), ..Limits::default() };
        // Scores for all moves take many searches, whose time is kept here.
        let deadline = (all_scores && !solve).then(|| Budget::new(limit, OVERHEAD).hard);
        let (sender, messages) = channel();
        let engine = &*engine;
        let (best, score) = thread::scope(|scope| {
            let (game, control) = (&game, &control);
            let worker = move || {
                // Without a listener the search is being stopped.
                if all_scores {
                    let mut best = None;
                    scores::search(engine, game, control, &mut |mv, score, text| {
                        best = Some(mv);
                        let _ = sender.send(Message::Status(mv, score, text));
                    });
                    let _ = sender.send(Message::Best(best));
                } else {
                    let answer = engine.search(game, &limits, control, &mut |event| match event {
                        Event::Line(report) => {
                            if let Some(&mv) = report.line.first() {
                                let text = status::line(game.position(), &report);
                                let _ = sender.send(Message::Status(mv, report.score, text));
                            }
                        }
                        Event::Book(report) => {
                            // A book claims nothing.
                            let text = status::book(game.position(), &report);
                            let _ = sender.send(Message::Status(report.mv, Score::DRAW, text));
                        }
                        Event::Trying { .. } => {}
                    });
                    let _ = sender.send(Message::Best(answer.best));
                }
            };
            let worker = thread::Builder::new().name("engine".into()).spawn_scoped(scope, worker);
            let worker = worker.map_err(|error| format!("no thread to think on: {error}"))?;
            let found = follow(&messages, control, deadline, solve, show);
            // A panic has left nothing but what was found before, which is still a move.
            let _ = worker.join();
            Ok::<_, String>(found)
        })?;
        for problem in refused.into_iter().chain(engine.take_problems().iter().map(ToString::to_string)) {
            show(Some(&problem));
        }
        // Without any news of a move the first legal one is better than none.
        let best = best.or_else(|| position.moves().first().copied());
        Ok(Thought { best, verdict: verdict(game, best, score) })
    }
}

/// The engine, made if there is none yet.
fn ready(engine: &mut Option<Engine>) -> Result<&mut Engine, String> {
    match engine {
        Some(engine) => Ok(engine),
        none => {
            let engine = none.insert(Engine::new().map_err(|error| error.to_string())?);
            // A person who plays expects openings to be known; the GUI may say otherwise.
            engine.apply(Setting::Book(true)).map_err(|error| error.to_string())?;
            warm(engine);
            Ok(engine)
        }
    }
}

/// Makes the table's memory ready, while nobody's clock is running but the GUI's own.
fn warm(engine: &mut Engine) {
    while engine.warm_up() {}
}

/// Passes on what the engine's thread says until it is done: the move and its score.
fn follow(
    messages: &Receiver<Message>,
    control: &Control,
    deadline: Option<Duration>,
    solve: bool,
    show: &mut dyn FnMut(Option<&str>) -> bool,
) -> (Option<Move>, Option<Score>) {
    let mut last = (None, None);
    loop {
        let at_once = match messages.recv_timeout(POLL) {
            Ok(Message::Status(mv, score, text)) => {
                last = (Some(mv), Some(score));
                show(Some(&text)) || solve && score.is_proved()
            }
            Ok(Message::Best(best)) => return (best, last.1),
            Err(RecvTimeoutError::Disconnected) => return last,
            Err(RecvTimeoutError::Timeout) => show(None),
        };
        if at_once || deadline.is_some_and(|deadline| control.elapsed() >= deadline) {
            control.stop();
        }
    }
}

/// What may be claimed after a move: the end of the game, or one that the search has proved.
fn verdict(mut game: Game, best: Option<Move>, score: Option<Score>) -> Claim {
    let Some(best) = best else { return Claim::Loss };
    game.play(best);
    match game.outcome() {
        Some(Outcome::Win(_)) => return Claim::Win,
        Some(Outcome::Repetition | Outcome::NoProgress) => return Claim::Draw,
        None => {}
    }
    match score.map(Score::kind) {
        Some(search::ScoreKind::Win(Some(_))) => Claim::Win,
        Some(search::ScoreKind::Loss(Some(_))) => Claim::Loss,
        _ => Claim::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::obey;
    use draughts::notation::{fen, movetext};

    fn think(driver: &Driver, text: &str, millis: u64) -> (String, Claim, Vec<String>) {
        let position = fen::parse(text).unwrap();
        let mut shown = Vec::new();
        let thought = driver
            .think(&position, TimeLimit::Exact(Duration::from_millis(millis)), false, &mut |text| {
                shown.extend(text.map(str::to_owned));
                false
            })
            .unwrap();
        let best = thought.best.map_or_else(|| "none".into(), |mv| movetext::format(&position, mv));
        (best, thought.verdict, shown)
    }

    #[test]
    fn claims_are_what_the_game_is() {
        let driver = Driver::new();
        assert_eq!(obey(&driver, "set hashsize 1").as_deref(), Ok("hashsize set to 1"));
        let (best, verdict, shown) = think(&driver, "B:W21-32:B1-12", 30);
        assert_eq!(verdict, Claim::Unknown);
        assert!(
            shown.len() == 1 && shown[0].starts_with(&format!("{best} by the book, value +0.")),
            "{shown:?}"
        );
        assert!(obey(&driver, "set book 0").is_ok());
        let (_, verdict, shown) = think(&driver, "B:W21-32:B1-12", 30);
        assert_eq!(verdict, Claim::Unknown);
        assert!(shown.iter().any(|line| line.contains(" depth 3/")), "{shown:?}");
        // The last capture.
        let (best, verdict, _) = think(&driver, "B:W9:B5", 30);
        assert_eq!((best.as_str(), verdict), ("5x14", Claim::Win));
        let (best, verdict, _) = think(&driver, "B:W9:B", 30);
        assert_eq!((best.as_str(), verdict), ("none", Claim::Loss));
        // A man that nobody can stop.
        assert_eq!(think(&driver, "B:W5:B27,1", 1000).1, Claim::Win);
    }

    #[test]
    fn history_makes_a_third_repetition_a_draw() {
        let driver = Driver::new();
        let round = "1-5 32-28 5-1 28-32";
        // Black, behind in material, comes back to a position for the third time.
        let history = format!("set gamehist B:WK32,K31:BK1 {round} 1-5 32-28 5-1");
        assert!(obey(&driver, &history).is_ok());
        let position = "W:WK28,K31:BK1";
        assert_ne!(think(&driver, position, 20).1, Claim::Draw);
        let drawn = Game::new(fen::parse("B:WK32,K31:BK1").unwrap());
        let mut game = drawn;
        for text in format!("{round} {round}").split(' ').take(7) {
            let mv = movetext::parse(game.position(), text).unwrap();
            game.play(mv);
        }
        let back = movetext::parse(game.position(), "28-32").unwrap();
        assert_eq!(verdict(game, Some(back), None), Claim::Draw);
    }

    #[test]
    fn databases_are_used_unless_they_are_turned_off() {
        let driver = Driver::new();
        // A win in 21 plies, which is far beyond a first look; what is known by heart is worth more than any material.
        let known = || {
            let shown = think(&driver, "B:WK32:BK1,K2,K3", 0).2;
            shown.last().unwrap().contains(" value Black wins")
        };
        assert!(known());
        for (off, on) in [("enable_wld 0", "enable_wld 1"), ("max_dbpieces 3", "max_dbpieces 24")] {
            assert!(obey(&driver, &format!("set {off}")).is_ok());
            assert!(!known(), "{off}");
            assert!(obey(&driver, &format!("set {on}")).is_ok());
            assert!(known(), "{on}");
        }
        // A limit is kept while they are off.
        for command in ["set enable_wld 0", "set max_dbpieces 4"] {
            assert!(obey(&driver, command).is_ok());
            assert!(!known(), "{command}");
        }
        assert!(obey(&driver, "set enable_wld 1").is_ok());
        assert!(known());
        assert_eq!(obey(&driver, "get max_dbpieces").as_deref(), Ok("4"));
    }

    #[test]
    fn a_folder_without_databases_is_refused() {
        let driver = Driver::new();
        let error = obey(&driver, "set dbpath /no/such folder").unwrap_err();
        assert!(error.contains("cannot use endgame database \"/no/such folder\""), "{error}");
        // While the engine thinks a setting waits, and is refused where the GUI shows it.
        driver.settings().waiting.push(Setting::EgdbPath(Some("/no/such folder".into())));
        let told = |shown: Vec<String>| {
            shown.iter().any(|line| line.contains("cannot use endgame database \"/no/such folder\""))
        };
        assert!(told(think(&driver, "B:W21-32:B1-12", 0).2));
        assert!(!told(think(&driver, "B:W21-32:B1-12", 0).2));
    }

    #[test]
    fn every_move_has_a_score_if_that_is_asked_for() {
        let driver = Driver::new();
        assert!(obey(&driver, "set allscores 1").is_ok());
        let (best, _, shown) = think(&driver, "B:W21-32:B1-12", 60);
        let last = shown.last().unwrap();
        assert!(last.starts_with(&best) && last.matches(", ").count() == 6, "{last}");
    }

    #[test]
    fn a_solver_ends_with_the_proof_and_a_hurry_with_a_move() {
        let driver = Driver::new();
        assert!(obey(&driver, "set solve 1").is_ok());
        assert_eq!(think(&driver, "B:W5:B27,1", 0).1, Claim::Win);
        let mut asked = 0;
        let thought = driver.think(&Position::start(), TimeLimit::Exact(Duration::ZERO), true, &mut |_| {
            asked += 1;
            asked > 5
        });
        assert!(thought.unwrap().best.is_some());
    }
}
