//! A session: one short handler for each command. The session never searches and never waits for a search, so it
//! answers at once whatever the engine is doing.

use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel, sync_channel};
use std::thread;

use super::command::{Command, CommandError, Go};
use super::input::{Input, MAX_LINE, read_lines};
use super::message::{Job, Message};
use super::output::{Output, Write};
use super::worker::work;
use super::{AnotherGo, EndOfInput, Protocol};
use draughts::board::Game;
use draughts::notation::MoveText;
use engine::Engine;
use engine::book::Deck;
use engine::search::{Control, Limits, TimeLimit};

/// Messages that may wait; a small number, since a line may be long.
const INBOX: usize = 16;
/// Searches that may wait.
const MOST_WAITING: usize = 10_000;

/// The state of a conversation.
#[derive(Debug)]
pub struct Session<P, W> {
    protocol: P,
    out: W,
    game: Game,
    jobs: Sender<Job>,
    /// The controls of jobs that can be stopped and aren't over, the running one first; with what may go on without us.
    running: VecDeque<(Arc<Control>, Finite)>,
    closing: bool,
}

/// Whether a job ends by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Finite {
    Yes,
    No,
}

impl<P: Protocol, W: Write> Session<P, W> {
    /// Holds a session with whoever writes to `input`, until that ends or says `quit`.
    ///
    /// # Errors
    ///
    /// When nobody reads the output any more.
    pub fn hold(engine: Engine, protocol: P, input: impl BufRead + Send + 'static, out: W) -> io::Result<()> {
        let (inbox, messages) = sync_channel(INBOX);
        let (jobs, job_list) = channel();
        let outbox = inbox.clone();
        let worker =
            thread::Builder::new().name("engine".into()).spawn(move || work(engine, &job_list, &outbox))?;
        thread::Builder::new()
            .name("input".into())
            .spawn(move || read_lines(input, |line| inbox.send(Message::Input(line)).is_ok()))?;
        let mut session =
            Self { protocol, out, game: Game::default(), jobs, running: VecDeque::new(), closing: false };
        for message in messages {
            match message {
                Message::Input(input) => session.hear(input)?,
                Message::Output(output) => session.say(&output)?,
                Message::Done => drop(session.running.pop_front()),
                Message::Last => break,
            }
        }
        drop(session);
        // A worker that panicked has said so on stderr; there is nothing to add.
        let _ = worker.join();
        Ok(())
    }

    fn hear(&mut self, input: Input) -> io::Result<()> {
        // After quit nothing counts any more.
        if self.closing {
            return Ok(());
        }
        let result = match input {
            Input::End => {
                // What would not end by itself ends now.
                let all = self.protocol.habits().end_of_input == EndOfInput::Quit;
                self.stop(|finite| all || finite == Finite::No);
                self.close()
            }
            Input::TooLong(bytes) => Err(CommandError::TooLong { bytes, limit: MAX_LINE }),
            Input::Line(line) => {
                log::debug!("in: {line}");
                match self.protocol.read(&line) {
                    Ok(Some(command)) => self.obey(command)?,
                    Ok(None) => Ok(()),
                    Err(error) => Err(error),
                }
            }
        };
        match result {
            Ok(()) => Ok(()),
            Err(error) => self.say(&Output::Error(error)),
        }
    }

    /// Does what a line asks for. The outer result is that of the output, the inner one that of the line.
    fn obey(&mut self, command: Command) -> io::Result<Result<(), CommandError>> {
        let done = match command {
            Command::Identify => return self.say(&Output::Identity).map(Ok),
            Command::Moves => return self.say(&Output::Moves(*self.game.position())).map(Ok),
            Command::Paths => return self.say(&Output::Paths(*self.game.position())).map(Ok),
            Command::Ballots(deck, number) => return self.ballots(deck, number),
            Command::Probe => self.ask(Job::Probe(*self.game.position())),
            Command::Offer => {
                let game = self.game.clone();
                self.start(Finite::Yes, false, |control| Job::Offer(game, control))
            }
            Command::Show => return self.say(&Output::Show(self.game.clone())).map(Ok),
            Command::Help => return self.say(&Output::Help).map(Ok),
            Command::Ping => return self.say(&Output::Pong).map(Ok),
            Command::Ready if !self.running.is_empty() => return self.say(&Output::Ready).map(Ok),
            Command::Ready => self.ask(Job::Ready),
            Command::Set(setting) => self.ask(Job::Apply(setting)),
            Command::NewGame => {
                self.game = Game::default();
                self.ask(Job::NewGame)
            }
            Command::Position(game) => {
                self.game = game;
                Ok(())
            }
            Command::Go(go) => self.go(&go),
            Command::Perft(depth) => {
                let position = *self.game.position();
                self.start(Finite::Yes, false, |control| Job::Perft(position, depth, control))
            }
            Command::Bench(depth) => self.start(Finite::Yes, false, |control| Job::Bench(depth, control)),
            Command::Evaluate => self.ask(Job::Evaluate(*self.game.position())),
            Command::Stop => {
                self.stop(|_| true);
                Ok(())
            }
            Command::PonderHit => self.ponder_hit(),
            Command::Quit => {
                self.stop(|_| true);
                self.close()
            }
        };
        Ok(done)
    }

    fn ballots(&mut self, deck: Deck, number: Option<u32>) -> io::Result<Result<(), CommandError>> {
        let mut ballots = deck.ballots();
        if let Some(number) = number {
            ballots.retain(|ballot| ballot.number == number);
            if ballots.is_empty() {
                return Ok(Err(CommandError::NoBallot { deck, number }));
            }
        }
        self.say(&Output::Ballots(deck, ballots)).map(Ok)
    }

    fn go(&mut self, go: &Go) -> Result<(), CommandError> {
        let limits = self.limits(go)?;
        let finite = if limits.is_limited() { Finite::Yes } else { Finite::No };
        let game = self.game.clone();
        if self.protocol.habits().another_go == AnotherGo::EndsEndless {
            self.stop(|finite| finite == Finite::No);
        }
        self.start(finite, limits.ponder, |control| Job::Search(game, limits, control))
    }

    fn limits(&self, go: &Go) -> Result<Limits, CommandError> {
        let position = self.game.position();
        let resolve = |(index, text): (usize, &MoveText)| {
            text.resolve(position).map_err(|error| CommandError::Move { number: index + 1, error })
        };
        let search_moves = go.search_moves.iter().enumerate().map(resolve).collect::<Result<_, _>>()?;
        let clock = go.clock(position.side()).map(|remaining| TimeLimit::Clock {
            remaining,
            increment: go.increments[position.side().index()].unwrap_or_default(),
            moves_to_go: go.moves_to_go,
        });
        let mut limits = Limits {
            depth: go.depth,
            nodes: go.nodes,
            time: go.move_time.map(TimeLimit::Exact).or(clock),
            infinite: go.infinite,
            ponder: go.ponder,
            search_moves,
        };
        // Without any limit a search goes on until it is stopped, also when there is nothing left to find.
        limits.infinite |=
            limits.depth.is_none() && limits.nodes.is_none() && limits.time.is_none() && !limits.ponder;
        Ok(limits)
    }

    /// Hears nothing more, and ends when everything that was asked for is done.
    fn close(&mut self) -> Result<(), CommandError> {
        self.closing = true;
        self.ask(Job::Last)
    }

    fn stop(&mut self, which: impl Fn(Finite) -> bool) {
        for (control, _) in self.running.iter().filter(|(_, finite)| which(*finite)) {
            control.stop();
        }
    }

    fn ponder_hit(&mut self) -> Result<(), CommandError> {
        // One that has been stopped may have answered already, and means nothing by it.
        let waits = |control: &Control| control.is_pondering() && !control.is_stopped();
        let pondering = self.running.iter_mut().find(|(control, _)| waits(control));
        let (control, finite) = pondering.ok_or(CommandError::NotPondering)?;
        control.ponder_hit();
        *finite = Finite::Yes;
        Ok(())
    }

    fn ask(&mut self, job: Job) -> Result<(), CommandError> {
        self.jobs
            .send(job)
            .map_err(|_| CommandError::Failed("the engine has ended, expected it to run".into()))
    }

    /// Gives the engine a job that can be stopped.
    fn start(
        &mut self,
        finite: Finite,
        ponder: bool,
        job: impl FnOnce(Arc<Control>) -> Job,
    ) -> Result<(), CommandError> {
        if self.running.len() >= MOST_WAITING {
            return Err(CommandError::TooMany { waiting: self.running.len() });
        }
        let control = Arc::new(Control::new(ponder));
        self.ask(job(Arc::clone(&control)))?;
        self.running.push_back((control, finite));
        Ok(())
    }

    fn say(&mut self, output: &Output) -> io::Result<()> {
        let text = self.protocol.write(output);
        self.out.lines(&text)
    }
}
