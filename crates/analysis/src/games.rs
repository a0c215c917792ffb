//! Collections of games: files of any size, read on several threads, with results in the order of the file.
//!
//! Each thread takes the next batch of games, which is found fast, and does the work of parsing it. Few
//! batches are in memory at the same time.

use std::convert::Infallible;

use kelso_batch::pool::{self, InOrder};
use kelso_draughts::notation::pdn::{Batch, PdnEntry};

/// Calls `work` with each game of a file and its text, and `take` with each game's number (from 1) and
/// result, in order, until `take` returns `false`. Returns the last value of `take`. The number stored in the
/// game itself counts from the start of its batch instead.
pub fn each<T: Send>(
    batches: impl Iterator<Item = Batch> + Send,
    threads: usize,
    work: impl Fn(PdnEntry, &[u8]) -> T + Sync,
    mut take: impl FnMut(usize, T) -> bool,
) -> bool {
    let mut order = InOrder::default();
    let mut number = 0;
    let mut running = true;
    let Ok(_) = pool::divide(
        vec![(); threads.max(1)],
        batches.enumerate(),
        |(), (index, batch)| {
            (index, batch.entries().map(|(entry, text)| work(entry, text)).collect::<Vec<T>>())
        },
        |done| {
            if let Some((index, results)) = done {
                running = running
                    && order.add(index, results).flatten().all(|result| {
                        number += 1;
                        take(number, result)
                    });
            }
            Ok::<_, Infallible>(running)
        },
    );
    running
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_draughts::notation::pdn::PdnReader;
    use std::fmt::Write;

    #[test]
    fn games_are_in_file_order_on_any_number_of_threads() {
        let mut text = String::new();
        for number in 0..40_000 {
            writeln!(
                text,
                "[Event \"{number}\"] {} *",
                if number % 3 == 0 { "11-15 11-15" } else { "11-15" }
            )
            .unwrap();
        }
        for threads in [1, 2, 3] {
            let mut seen = 0;
            let flow = each(
                PdnReader::new(text.as_bytes()).batches(),
                threads,
                |entry, text| (entry.game.tags.get("Event").map(str::to_owned), entry.line, text.len()),
                |number, (event, line, length)| {
                    assert_eq!((event, line), (Some(seen.to_string()), number));
                    assert!(length >= "[Event \"1\"] 11-15 *".len());
                    seen += 1;
                    true
                },
            );
            assert_eq!((seen, flow), (40_000, true));
            let flow = each(
                PdnReader::new(text.as_bytes()).batches(),
                threads,
                |_, _| (),
                |number, ()| number < 20_000,
            );
            assert!(!flow);
        }
    }
}
