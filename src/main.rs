//! kelso
use kelso::board::{Position, perft, perft_played};
use std::time::Instant;
fn main() {
    let s = Position::start();
    for _ in 0..1 {
        let t = Instant::now();
        let n = perft(&s, 12);
        let a = n as f64 / t.elapsed().as_secs_f64() / 1e6;
        let t = Instant::now();
        let m = perft_played(&s, 11);
        let b = m as f64 / t.elapsed().as_secs_f64() / 1e6;
        println!("{n} {a:.1} M/s   {m} {b:.1} M/s");
    }
}
