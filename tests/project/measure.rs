//! Tests of the measuring program, `tests/measure`.

use std::process::Command;

use crate::helpers::{example, result};

#[test]
fn shortest_wins_are_counted() {
    let output =
        Command::new(example("measure")).args(["play", "shortest", "--games", "3"]).output().unwrap();
    assert_eq!(result(&output), ("3 of 3 won in the fewest plies\n".to_owned(), String::new(), Some(0)));
}

#[test]
fn missing_databases_are_an_error() {
    let arguments = ["probe", "--databases", "no-such-folder"];
    let (out, errors, status) = result(&Command::new(example("measure")).args(arguments).output().unwrap());
    assert!(out.is_empty() && status == Some(1), "{out}{errors}");
    assert!(errors.starts_with("error: ") && errors.contains("no-such-folder"), "{errors}");
}
