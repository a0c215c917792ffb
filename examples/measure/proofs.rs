//! Proves many positions and measures the certificates.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use clap::Args;
use draughts::board::{Color, Piece, PieceKind, Position, Setup, Square};
use draughts::notation::fen;
use endgames::{DatabasePaths, Databases};
use proof::{Leaves, Prover, Unproved};

use crate::duration;
use crate::shared::random::Random;

#[derive(Args)]
pub struct Arguments {
    /// File of positions; each line is used up to the first `|`
    #[arg(long, value_name = "FILE", conflicts_with = "random")]
    positions: Option<PathBuf>,
    /// Prove N random positions instead
    #[arg(long, value_name = "N", requires = "pieces")]
    random: Option<usize>,
    /// Number of pieces of random positions
    #[arg(long, value_name = "N")]
    pieces: Option<u32>,
    /// Maximum number of pieces in leaves; leaves always have fewer pieces than the position
    #[arg(long, value_name = "N", default_value_t = 8)]
    leaves: u32,
    /// Directory of the databases
    #[arg(long, value_name = "DIR")]
    databases: Option<PathBuf>,
    /// Time for each position
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    time: Duration,
    /// Directory for the certificates, numbered from 1
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub fn run(args: &Arguments) -> Result<()> {
    let databases =
        Databases::open(&DatabasePaths { folder: args.databases.clone(), ..DatabasePaths::default() });
    let positions = match (&args.positions, args.random, args.pieces) {
        (Some(file), ..) => listed(file)?,
        (None, Some(count), Some(pieces)) => {
            let mut random = Random::new(u64::from(pieces));
            (0..count).map(|_| ending(&mut random, pieces)).collect()
        }
        _ => return Err(anyhow!("use --positions, or --random with --pieces")),
    };
    let (mut sizes, mut bytes, mut times, mut count) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for (index, position) in positions.iter().enumerate() {
        let pieces = args.leaves.min(position.piece_count().saturating_sub(1));
        let mut prover = Prover::new(Leaves::up_to(&databases, pieces), u64::MAX);
        let began = Instant::now();
        let result = prover.prove(position, None, &mut |_| began.elapsed() < args.time);
        let took = began.elapsed();
        let shown = match result {
            Ok(certificate) => {
                count += 1;
                let text = certificate.to_string();
                sizes.push(certificate.positions());
                bytes.push(text.len());
                times.push(took);
                if let Some(folder) = &args.out {
                    write(folder, index + 1, &text)?;
                }
                format!(
                    "{} by {} positions, {} bytes",
                    certificate.claim,
                    certificate.positions(),
                    text.len()
                )
            }
            Err(error @ (Unproved::Stopped { .. } | Unproved::Memory)) => format!("not proved: {error}"),
            Err(error) => return Err(anyhow!("{}: {error}", fen::format(position))),
        };
        println!("{} {} {shown}, {} nodes, {took:.3?}", index + 1, fen::format(position), prover.nodes());
    }
    println!("proved: {count} of {}", positions.len());
    println!("positions: {}", median_and_largest(&mut sizes));
    println!("bytes: {}", median_and_largest(&mut bytes));
    println!("time: {}", median_and_largest(&mut times));
    Ok(())
}

fn write(folder: &Path, number: usize, text: &str) -> Result<()> {
    fs::create_dir_all(folder)?;
    let path = folder.join(format!("{number}.txt"));
    fs::write(&path, text).with_context(|| format!("cannot write \"{}\"", path.display()))
}

fn listed(file: &Path) -> Result<Vec<Position>> {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read \"{}\"", file.display()))?;
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let parse = |line: &str| Ok(fen::parse(line.split('|').next().context("an empty line")?.trim())?);
    lines.map(parse).collect()
}

/// Returns a random position in which both sides have a piece.
fn ending(random: &mut Random, pieces: u32) -> Position {
    let squares: Vec<Square> = Square::all().collect();
    loop {
        let mut setup = Setup::empty(random.pick(&Color::BOTH));
        for _ in 0..pieces {
            let color = random.pick(&Color::BOTH);
            let kind = if random.one_in(2) { PieceKind::King } else { PieceKind::Man };
            setup.put(random.pick(&squares), Piece { color, kind });
        }
        if let Ok(position) = Position::try_from(setup)
            && position.piece_count() == pieces
            && Color::BOTH.iter().all(|&color| !position.pieces(color).is_empty())
        {
            return position;
        }
    }
}

fn median_and_largest<T: Ord + std::fmt::Debug>(values: &mut [T]) -> String {
    values.sort();
    match (values.get(values.len() / 2), values.last()) {
        (Some(median), Some(largest)) => format!("median {median:?}, largest {largest:?}"),
        _ => "none".to_owned(),
    }
}
