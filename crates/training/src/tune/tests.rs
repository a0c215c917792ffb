use super::*;
use crate::testing::assert_other_run;
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

#[test]
fn mutations_are_bounded_by_the_range() {
    let weights = TermWeights::default();
    let mut random = rng::stream(&[1]);
    let (mut highest, mut lowest) = (0.0f64, 0.0f64);
    for _ in 0..300 {
        for (before, after) in weights.values().iter().zip(mutated(&weights, 0.1, &mut random).values()) {
            // Small weights are rounded, and 0 stays 0.
            if before.abs() < 100 {
                continue;
            }
            let share = f64::from(after - before) / f64::from(*before);
            assert!(share.abs() <= 0.1 + 0.5 / f64::from(before.abs()), "{before} {after}");
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
    let one = tournament(&folder, "one", TermWeights::default());
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
    // Only men, kings and steps count, and a king is worth a tenth of a man, so that kings are given away.
    let default = TermWeights::default();
    let mut values = Vec::new();
    for (name, _) in default.rows() {
        values.extend(match name {
            "man" => [1000; 2],
            "king" => [100; 2],
            "steps" => [20; 2],
            _ => [0; 2],
        });
    }
    let first = default.with(&values);
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
    let good = tournament(&folder, "state", TermWeights::default());
    run(&good, 1);
    for (other, part) in [
        (MutationTournament { seed: 6, ..good.clone() }, "seed"),
        (MutationTournament { nodes: 61, ..good.clone() }, "nodes"),
        (MutationTournament { pairs: 3, ..good.clone() }, "pairs"),
        (MutationTournament { challengers: 4, ..good.clone() }, "challengers"),
        (MutationTournament { reach: 0.2, ..good.clone() }, "reach"),
        (MutationTournament { first: TermWeights::default().with(&[9999]), ..good.clone() }, "weights"),
    ] {
        assert_other_run(other.resume(), part);
    }
}

/// If a line is damaged or truncated, its games are played again, with the same result.
#[test]
fn a_damaged_line_loses_only_its_games() {
    let folder = Folder::new();
    let tournament = tournament(&folder, "a", TermWeights::default());
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
