//! Analyses games side by side, each by a judge of its own, and gives each as soon as it is finished.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::annotate::{Signature, annotated};
use super::judge::{Effort, Judge, JudgeError};
use super::problem::Finder;
use super::record::GameRecord;
use crate::games::opening::Ballots;
use common::stop::StopToken;
use draughts::notation::pdn::Entry;

/// A game to analyse.
#[derive(Debug)]
pub struct Assignment {
    /// Its number among all that were read, from 1.
    pub number: u64,
    /// Its file and line.
    pub place: String,
    /// The game.
    pub entry: Entry,
}

/// What a run tells.
#[derive(Debug)]
pub enum News {
    /// A position has been looked at.
    Position,
    /// A game is finished.
    Game(Box<GameRecord>),
}

enum Message {
    News(News),
    Failed(JudgeError),
}

/// How often it is looked whether work is to be stopped.
const GLANCE: Duration = Duration::from_millis(50);

/// Analyses games, in any order, by as many judges, each with someone who looks for problems or without.
/// `stop` ends
/// the run, and so does an error of `take`, which gets the news.
///
/// # Errors
///
/// The first judge's that fails, or what `take` says; a run that was stopped is no error.
pub fn run<E: From<JudgeError>>(
    judges: Vec<(Judge<'_>, Option<Finder>)>,
    games: impl Iterator<Item = Assignment> + Send,
    signature: &Signature,
    stop: &StopToken,
    mut take: impl FnMut(News) -> Result<(), E>,
) -> Result<Effort, E> {
    let games = Mutex::new(games.fuse());
    let ballots = Ballots::new();
    let mut failure = None;
    let mut effort = Effort::default();
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        let workers: Vec<_> = judges
            .into_iter()
            .map(|(mut judge, mut finder)| {
                let (sender, games, ballots) = (sender.clone(), &games, &ballots);
                scope.spawn(move || {
                    let next = || games.lock().unwrap_or_else(PoisonError::into_inner).next();
                    while let Some(game) = next() {
                        let told = work(&game, &mut judge, finder.as_mut(), ballots, signature, &sender);
                        if let Err(error) = told {
                            // Nobody may be listening any more.
                            drop(sender.send(Message::Failed(error)));
                            break;
                        }
                    }
                    let effort = judge.effort;
                    judge.dismiss();
                    effort
                })
            })
            .collect();
        drop(sender);
        loop {
            let told = match receiver.recv_timeout(GLANCE) {
                Ok(Message::News(news)) => take(news),
                Ok(Message::Failed(JudgeError::Stopped)) | Err(RecvTimeoutError::Timeout) => Ok(()),
                Ok(Message::Failed(error)) => Err(E::from(error)),
                Err(RecvTimeoutError::Disconnected) => break,
            };
            if let Err(error) = told {
                failure.get_or_insert(error);
                stop.stop();
            }
        }
        for worker in workers {
            if let Ok(done) = worker.join() {
                effort.add(done);
            }
        }
    });
    failure.map_or(Ok(effort), Err)
}

fn work(
    game: &Assignment,
    judge: &mut Judge<'_>,
    finder: Option<&mut Finder>,
    ballots: &Ballots,
    signature: &Signature,
    sender: &mpsc::Sender<Message>,
) -> Result<(), JudgeError> {
    let Assignment { number, place, entry } = game;
    let mut tick = || drop(sender.send(Message::News(News::Position)));
    let (mut record, looks) = GameRecord::of(entry, *number, place.clone(), ballots, judge, &mut tick)?;
    record.pdn = annotated(entry, &record, signature).to_string();
    if let Some(finder) = finder {
        record.problems = finder.problems(&looks, judge.databases());
    }
    drop(sender.send(Message::News(News::Game(Box::new(record)))));
    Ok(())
}

impl Effort {
    /// Both together.
    pub fn add(&mut self, other: Self) {
        self.searches += other.searches;
        self.nodes += other.nodes;
        self.used += other.used;
        self.settled += other.settled;
        self.allowed += other.allowed;
        self.spent += other.spent;
    }
}
