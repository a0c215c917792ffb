use std::sync::Arc;

use super::*;
use crate::testing::assert_other_run;
use kelso_draughts::board::{Color, Position, Square};
use kelso_engine::NamedEvaluation;
use kelso_engine::eval::{Classic, Evaluation, WeightTable};
use kelso_runs::error::RunError;
use kelso_runs::testing::Folder;

fn tournament(folder: &Folder, name: &str, first: TermWeights) -> MutationTournament {
    MutationTournament {
        first,
        seed: 5,
        challengers: 3,
        pairs: 2,
        nodes: 60,
        reach: 0.1,
        threads: 1,
        settings: EngineSettings::default(),
        file: folder.path(name),
    }
}

/// An evaluation of the material and the rows that men have advanced.
struct Simple {
    man: i32,
    king: i32,
    advance: i32,
}

static WEIGHTS: WeightTable = WeightTable {
    names: || &["man", "king", "advance"],
    columns: 1,
    defaults: || vec![10_000, 15_000, 500],
    build: |values| Arc::new(Simple { man: values[0], king: values[1], advance: values[2] }),
};

impl Simple {
    fn side(&self, position: &Position, color: Color) -> i32 {
        let rows = |square: Square| i32::from(square.row().abs_diff(7 - color.crown_row()));
        let advanced: i32 = position.men(color).iter().map(rows).sum();
        let [men, kings] = [position.men(color), position.kings(color)].map(|set| set.len().cast_signed());
        self.man * men + self.king * kings + self.advance * advanced
    }
}

impl Evaluation for Simple {
    fn raw_value(&self, position: &Position) -> i32 {
        self.side(position, position.side()) - self.side(position, !position.side())
    }

    fn raw_man(&self) -> i32 {
        self.man
    }
}

fn weights(name: &'static str) -> TermWeights {
    let evaluation = NamedEvaluation {
        weights: Some(&WEIGHTS),
        ..NamedEvaluation::without_weights(name, || Classic::fitted())
    };
    TermWeights::default_of(evaluation).unwrap()
}

fn simple() -> TermWeights {
    weights("simple")
}

#[test]
fn mutations_are_bounded_by_the_range() {
    let weights = simple();
    let mut random = rng::stream(&[1]);
    let (mut highest, mut lowest) = (0.0f64, 0.0f64);
    for _ in 0..300 {
        for (before, after) in weights.values().iter().zip(mutated(&weights, 0.1, &mut random).values()) {
            let share = f64::from(after - before) / f64::from(*before);
            assert!(share.abs() <= 0.1, "{before} {after}");
            (highest, lowest) = (highest.max(share), lowest.min(share));
        }
    }
    assert!(highest > 0.095 && lowest < -0.095, "{lowest} {highest}");
    assert_eq!(mutated(&weights.with(&[0, 3]), 0.1, &mut random).values()[..2], [0, 3]);
}

fn run(tournament: &MutationTournament, generations: u64) -> (MutationState, Vec<Generation>) {
    let (mut file, mut state) = tournament.resume().unwrap();
    let mut played = Vec::new();
    while state.generation < generations {
        played.push(tournament.generation(&mut file, &mut state, &|_, _| true).unwrap().unwrap());
    }
    file.finish().unwrap();
    (state, played)
}

#[test]
fn a_tournament_depends_only_on_its_seed() {
    let folder = Folder::new();
    let one = tournament(&folder, "one", simple());
    let (whole, generations) = run(&one, 2);
    let two = MutationTournament { threads: 3, file: folder.path("two"), ..one.clone() };
    assert_eq!(run(&two, 2), (whole.clone(), generations.clone()));
    assert_eq!(
        std::fs::read(folder.path("one.state")).unwrap(),
        std::fs::read(folder.path("two.state")).unwrap()
    );
    let other = MutationTournament { seed: 6, file: folder.path("other"), ..one.clone() };
    let (different, _) = run(&other, 2);
    assert_ne!(one.challenger(&whole, 0), other.challenger(&different, 0));

    // The run is stopped after a pair or two, and resumed from the file.
    let three = MutationTournament { file: folder.path("three"), ..one.clone() };
    let mut ends = 0;
    let resumed = loop {
        let (mut file, mut state) = three.resume().unwrap();
        if state.generation == 2 {
            break state;
        }
        ends += 1;
        let before = state.played.len();
        let done = three.generation(&mut file, &mut state, &|played, _| played <= before).unwrap();
        assert!(ends < 40 && (done.is_some() || state.played.len() > before));
    };
    assert_eq!(resumed, whole);
    assert!(ends >= 6, "{ends}");
}

#[test]
fn the_winner_is_champion_and_a_bad_weight_is_repaired() {
    let folder = Folder::new();
    // Weights that make a king worth a tenth of a man, so that kings are given away.
    let mut values = simple().values().to_vec();
    values[1] = 1000;
    let first = simple().with(&values);
    let tournament = MutationTournament {
        challengers: 6,
        pairs: 6,
        nodes: 150,
        reach: 1.0,
        ..tournament(&folder, "state", first)
    };
    let (state, generations) = run(&tournament, 6);
    assert!(generations.iter().any(|generation| generation.is_champion), "{generations:?}");
    for generation in &generations {
        assert_eq!(generation.score.total(), 12);
        assert_eq!(generation.is_champion, generation.score.half_points() > 12);
    }
    let (wdl, estimate) = tournament.final_match(&state, 30, &|_, _| true).unwrap().unwrap();
    assert_eq!(wdl.total(), 60);
    assert!(estimate.unwrap().elo.low > 0.0, "{wdl:?} {}", tournament.champion(&state));
}

#[test]
fn checkpoints_of_other_tournaments_are_rejected() {
    let folder = Folder::new();
    let good = tournament(&folder, "state", simple());
    run(&good, 1);
    for (other, part) in [
        (MutationTournament { seed: 6, ..good.clone() }, "seed"),
        (MutationTournament { nodes: 61, ..good.clone() }, "nodes"),
        (MutationTournament { pairs: 3, ..good.clone() }, "pairs"),
        (MutationTournament { challengers: 4, ..good.clone() }, "challengers"),
        (MutationTournament { reach: 0.2, ..good.clone() }, "reach"),
        (MutationTournament { first: simple().with(&[9999]), ..good.clone() }, "weights"),
        (MutationTournament { first: weights("other"), ..good.clone() }, "evaluation"),
    ] {
        assert_other_run(other.resume(), part);
    }
}

/// If a line is damaged or truncated, its games are played again, with the same result.
#[test]
fn a_damaged_line_loses_only_its_games() {
    let folder = Folder::new();
    let tournament = tournament(&folder, "a", simple());
    let (whole, _) = run(&tournament, 2);
    let path = folder.path("a.state");
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    std::fs::write(&path, text.replacen("\"n\":3,", "\"n\":4,", 1)).unwrap();
    let error = tournament.resume().unwrap_err();
    assert!(
        matches!(&error, GamesError::File(RunError::Damaged { fault, .. }) if fault.starts_with("line 5: ")),
        "{error}"
    );
    std::fs::write(&path, [&lines[..4], &lines[5..]].concat().concat()).unwrap();
    assert_eq!(run(&tournament, 2).0, whole);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    std::fs::write(&path, &text[..text.len() - 5]).unwrap();
    assert_eq!(run(&tournament, 2).0, whole);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
}
