//! Endgame databases.

mod bits;
mod block;
mod index;
mod node;
mod pair;
mod slice;
mod table;
mod wld;

pub use pair::Counts;
pub use slice::{MOST_PIECES, Slice};

/// temporary
pub fn try_out(pieces: u32) {
    let mut solved: table::Solved<table::Pairs> = Default::default();
    for n in 2..=pieces {
        let start = std::time::Instant::now();
        let mut total = Counts::default();
        for slice in Slice::pairs(n..=n) {
            let t = std::time::Instant::now();
            let tables = table::Tables::new(slice.needs().iter().map(|s| solved[s].clone()));
            let solutions = pair::solve::<wld::Wld>(slice, &tables, |_| true).unwrap();
            let mut len = 0;
            for (table, counts) in solutions {
                total += counts;
                assert_eq!(counts.total(), table.index.len());
                len += counts.total();
                solved.insert(table.index.slice, table);
            }
            if n >= 5 {
                println!(
                    "{slice} {len} {:?} {:.1} ns",
                    t.elapsed(),
                    t.elapsed().as_nanos() as f64 / len as f64
                );
            }
        }
        println!("{n} {} {total:?} {:?}", total.total(), start.elapsed());
    }
}
