//! The errors of the levels: how often a move soon loses a man, or fails to win one.

use anyhow::{Context, Result};
use clap::Args;
use draughts::board::{Game, Position};
use engine::book::Deck;
use engine::search::{Level, Limits};
use engine::{Engine, Setting};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;

use crate::shared::endings::reply;
use crate::shared::problems::material;

#[derive(Args)]
pub struct Arguments {
    /// Levels, each of which plays against itself
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "1,2,3,4,5,6,7,8,9,10")]
    levels: Vec<usize>,
    /// Games of each level
    #[arg(long, value_name = "N", default_value_t = 20)]
    games: usize,
    /// Seed of the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Numbers of plies to look ahead after a move for a lost or missed man, not counting the captures that
/// follow.
const PLIES: [u32; 3] = [0, 1, 2];
/// The value of a man, in half men.
const MAN: i32 = 2;

impl Arguments {
    pub fn run(&self) -> Result<()> {
        println!("level  moves  of 1,000 lose a man to captures  to a reply  to a reply and an answer");
        for &number in &self.levels {
            let level = Level::new(number).with_context(|| format!("invalid level {number}"))?;
            let mut engine = Engine::with_table(4)?;
            engine.apply(Setting::Level(Some(level)))?;
            let mut random = SmallRng::seed_from_u64(self.seed);
            let ballots = Deck::ThreeMove.ballots();
            let (mut moves, mut errors) = (0, [0; PLIES.len()]);
            for _ in 0..self.games {
                let Some(opening) = ballots.choose(&mut random) else { continue };
                let mut game = opening.record().game();
                engine.new_game();
                while game.end().is_none() {
                    moves += 1;
                    count(&engine, &mut game, &mut errors);
                }
            }
            let share = |count: usize| 1000 * count / moves.max(1);
            let [captures, replies, answers] = errors.map(share);
            println!("{number:5}  {moves:5}  {captures:5}  {replies:5}  {answers:5}");
        }
        Ok(())
    }
}

/// Plays a move, and counts for each of `PLIES` whether it costs a man.
fn count(engine: &Engine, game: &mut Game, errors: &mut [usize]) {
    let before = *game.position();
    let mv = reply(engine, game, &Limits::nodes(20_000));
    game.play(mv);
    for (count, plies) in errors.iter_mut().zip(PLIES) {
        let worth = |position: &Position| -material(position, plies, -20_000, 20_000);
        let best = before.moves().iter().map(|&mv| worth(&before.after(mv))).max().unwrap_or(0);
        *count += usize::from(worth(game.position()) + MAN <= best);
    }
}
