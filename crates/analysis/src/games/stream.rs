//! Reads games on several threads, and returns results in the order of the file.
//!
//! One thread divides the file into batches of games, which is fast. The other threads take turns: each
//! parses a batch, does the work, and holds at most a few batches in memory.

use std::sync::mpsc::sync_channel;
use std::thread;

use draughts::notation::pdn::{Batch, PdnEntry};

/// Capacity of the batch and result queues.
const WAITING: usize = 2;

/// Calls `work` with each game of a file and its text, and `take` with each game's number (from 1) and
/// result, in order, until `take` returns `false`. Returns the last value of `take`. The number stored in the
/// game itself counts from the start of its batch instead.
pub fn each<T: Send>(
    mut batches: impl Iterator<Item = Batch> + Send,
    threads: usize,
    work: impl Fn(PdnEntry, &[u8]) -> T + Sync,
    mut take: impl FnMut(usize, T) -> bool,
) -> bool {
    let mut number = 0;
    let mut take_all = |results: Vec<T>| {
        results.into_iter().all(|result| {
            number += 1;
            take(number, result)
        })
    };
    let do_all = |batch: &Batch| batch.entries().map(|(entry, text)| work(entry, text)).collect::<Vec<T>>();
    if threads <= 1 {
        return batches.all(|batch| take_all(do_all(&batch)));
    }
    thread::scope(|scope| {
        let mut inputs = Vec::with_capacity(threads);
        let mut outputs = Vec::with_capacity(threads);
        for _ in 0..threads {
            let (batch_to, batch_from) = sync_channel::<Batch>(WAITING);
            let (result_to, result_from) = sync_channel::<Vec<T>>(WAITING);
            inputs.push(batch_to);
            outputs.push(result_from);
            let do_all = &do_all;
            // A thread ends when its channel is closed: at the end of the file, or when `take` returns `false`.
            scope.spawn(move || batch_from.iter().all(|batch| result_to.send(do_all(&batch)).is_ok()));
        }
        scope.spawn(move || {
            let mut turns = inputs.iter().cycle();
            batches.all(|batch| turns.next().is_some_and(|input| input.send(batch).is_ok()))
        });
        // The threads take turns, so results arrive in the order of the file.
        outputs.iter().cycle().map_while(|output| output.recv().ok()).all(&mut take_all)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use draughts::notation::pdn::PdnReader;
    use std::fmt::Write;

    #[test]
    fn order_is_the_files_on_any_number_of_threads() {
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
