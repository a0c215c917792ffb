//! Analyses games side by side, each by a judge of its own, and gives each as soon as it is finished.

use super::annotate::{Signature, annotated};
use super::judge::{Effort, Judge, JudgeError};
use super::problem::Finder;
use super::record::GameRecord;
use crate::games::opening::Ballots;
use common::pool::{self, Queue};
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

/// Analyses games, in any order, by as many judges, each with someone who looks for problems or without. `stop` ends the run, and
/// so does an error of `take`, which gets the news.
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
    let queue = Queue::new(games);
    let ballots = Ballots::new();
    let mut failure = None;
    let analyse = |(mut judge, mut finder): (Judge<'_>, Option<Finder>), report: &dyn Fn(Message)| {
        while let Some(game) = queue.next() {
            if let Err(error) = work(&game, &mut judge, finder.as_mut(), &ballots, signature, report) {
                report(Message::Failed(error));
                break;
            }
        }
        let effort = judge.effort;
        judge.dismiss();
        effort
    };
    let efforts = pool::run(
        judges,
        analyse,
        || stop.stop(),
        |message| {
            match message {
                Some(Message::News(news)) => take(news)?,
                Some(Message::Failed(JudgeError::Stopped)) | None => {}
                Some(Message::Failed(error)) => drop(failure.get_or_insert(error)),
            }
            Ok::<_, E>(failure.is_none() && !stop.is_stopped())
        },
    )?;
    match failure {
        Some(error) => Err(error.into()),
        None => Ok(efforts.into_iter().fold(Effort::default(), Effort::plus)),
    }
}

fn work(
    game: &Assignment,
    judge: &mut Judge<'_>,
    finder: Option<&mut Finder>,
    ballots: &Ballots,
    signature: &Signature,
    report: &dyn Fn(Message),
) -> Result<(), JudgeError> {
    let Assignment { number, place, entry } = game;
    let mut tick = || report(Message::News(News::Position));
    let (mut record, looks) = GameRecord::of(entry, *number, place.clone(), ballots, judge, &mut tick)?;
    record.pdn = annotated(entry, &record, signature).to_string();
    if let Some(finder) = finder {
        record.problems = finder.problems(&looks, judge.databases());
    }
    report(Message::News(News::Game(Box::new(record))));
    Ok(())
}

impl Effort {
    /// Adds up both.
    fn plus(self, other: Self) -> Self {
        Self {
            searches: self.searches + other.searches,
            nodes: self.nodes + other.nodes,
            used: self.used + other.used,
            settled: self.settled + other.settled,
            allowed: self.allowed + other.allowed,
            spent: self.spent + other.spent,
        }
    }
}
