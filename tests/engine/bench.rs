//! Node counts, which are the same in every build.

use std::process::Command;

use crate::helpers::result;
use kelso_draughts::board::Game;
use kelso_engine::search::{Control, Limits};
use kelso_engine::{Engine, Setting, bench_positions};

/// Nodes of three bench positions. They change with the search, like the sum printed by `kelso bench`, but
/// must not change with the build.
const NODES: [(usize, u64); 3] = [(0, 928), (23, 820), (44, 749)];

#[test]
fn nodes_are_the_same_in_every_build() {
    let mut engine = Engine::new([Setting::Hash(16)]).unwrap();
    let found = NODES.map(|(index, _)| {
        engine.new_game();
        let game = Game::new(bench_positions().nth(index).unwrap());
        (index, engine.search(&game, &Limits::depth(6), &Control::new(), &mut |_| {}).nodes)
    });
    assert_eq!(found, NODES, "if the search was changed, these are its nodes");
}

/// Returns the output of `kelso bench` in a build, without the times.
fn bench(arguments: &[&str]) -> Vec<String> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["run", "--quiet"]).args(arguments).args(["--bin", "kelso", "--", "bench", "8"]);
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    let (out, errors, status) = result(&command.output().unwrap());
    assert_eq!(status, Some(0), "{errors}");
    let lines: Vec<String> = out.lines().map(ToOwned::to_owned).collect();
    let (_time, nodes) = lines.split_last().unwrap();
    assert_eq!(nodes.len(), bench_positions().count() + 1, "{out}");
    nodes.to_vec()
}

#[test]
#[ignore = "builds the program twice"]
fn bench_is_the_same_in_debug_and_release() {
    assert_eq!(bench(&[]), bench(&["--release"]));
}
