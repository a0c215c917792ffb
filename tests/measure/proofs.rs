//! Proves many positions and measures the certificates.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use clap::Args;
use kelso_draughts::board::{Color, Piece, PieceKind, Position, Setup, Square};
use kelso_draughts::notation::fen;
use kelso_draughts::result::Wdl;
use kelso_endgames::{DatabaseOptions, Databases};
use kelso_proof::{Leaves, Prover, Unproved};

use crate::shared::random::Random;
use crate::{processor_ticks, read};

#[derive(Args)]
pub struct Arguments {
    /// File of positions; each line is a position and, after a `|`, the value to prove (`win`, `draw`,
    /// `loss`) or anything else
    #[arg(long, value_name = "FILE", conflicts_with = "random")]
    positions: Option<PathBuf>,
    /// Prove N random positions instead
    #[arg(long, value_name = "N", requires = "pieces")]
    random: Option<usize>,
    /// Number of pieces of random positions
    #[arg(long, value_name = "N")]
    pieces: Option<u32>,
    /// Seed of random positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Maximum number of pieces in leaves; leaves always have fewer pieces than the position
    #[arg(long, value_name = "N", default_value_t = 8)]
    leaves: u32,
    /// Directory of the databases
    #[arg(long, value_name = "DIR")]
    databases: Option<PathBuf>,
    /// Number of nodes for each position
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    nodes: u64,
    /// Directory for the certificates, numbered from 1
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub fn run(args: &Arguments) -> Result<()> {
    let databases =
        Databases::open(&DatabaseOptions { folder: args.databases.clone(), ..DatabaseOptions::default() });
    let tasks = match (&args.positions, args.random, args.pieces) {
        (Some(file), ..) => listed(file)?,
        (None, Some(count), Some(pieces)) => {
            let mut random = Random::new(args.seed);
            (0..count).map(|_| (ending(&mut random, pieces), None)).collect()
        }
        _ => return Err(anyhow!("use --positions, or --random with --pieces")),
    };
    let (mut sizes, mut bytes, mut times) = (Vec::new(), Vec::new(), Vec::new());
    for (index, (position, claim)) in tasks.iter().enumerate() {
        let pieces = args.leaves.min(position.piece_count().saturating_sub(1));
        let mut prover = Prover::new(Leaves::up_to(&databases, pieces), args.nodes);
        let began = processor_time()?;
        let result = prover.prove(position, *claim, &mut |_| true);
        let took = processor_time()?.saturating_sub(began);
        let shown = match result {
            Ok(certificate) => {
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
            Err(error @ Unproved::Check(_)) => return Err(anyhow!("{}: {error}", fen::format(position))),
            Err(error) => format!("not proved: {error}"),
        };
        println!("{} {} {shown}, {} nodes, {took:.2?}", index + 1, fen::format(position), prover.nodes());
    }
    println!("proved: {} of {}", times.len(), tasks.len());
    println!("positions: {}", median_and_largest(&mut sizes));
    println!("bytes: {}", median_and_largest(&mut bytes));
    println!("time: {}", median_and_largest(&mut times));
    Ok(())
}

fn processor_time() -> Result<Duration> {
    Ok(Duration::from_millis(10) * processor_ticks(std::process::id())?)
}

fn write(folder: &Path, number: usize, text: &str) -> Result<()> {
    fs::create_dir_all(folder)?;
    let path = folder.join(format!("{number}.txt"));
    fs::write(&path, text).with_context(|| format!("cannot write \"{}\"", path.display()))
}

fn listed(file: &Path) -> Result<Vec<(Position, Option<Wdl>)>> {
    let text = read(file)?;
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let parse = |line: &str| {
        let mut fields = line.split('|').map(str::trim);
        let position = fen::parse(fields.next().context("an empty line")?)?;
        let claim = fields.next().and_then(|claim| match claim {
            "win" => Some(Wdl::Win),
            "draw" => Some(Wdl::Draw),
            "loss" => Some(Wdl::Loss),
            _ => None,
        });
        Ok((position, claim))
    };
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
