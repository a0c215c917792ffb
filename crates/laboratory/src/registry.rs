//! The program's registry: the evaluations and searchers of the engine, of published studies and of
//! textbooks.

use kelso_engine::{Engine, NamedEvaluation, NamedSearcher, Registry, Setting, SettingError};

use crate::evaluations::alex::{Alex, EndingTerm, Function};
use crate::evaluations::peterson::{V1, V2, V3, v2};
use crate::evaluations::{Lam, Presser, lam, presser};
use crate::textbook::TEXTBOOK;

/// All evaluations and searchers.
pub const REGISTRY: Registry = Registry { evaluations: &EVALUATIONS, searchers: &SEARCHERS };

/// Returns an engine with a textbook search, which changes to the playing engine do not affect.
#[expect(clippy::expect_used, clippy::missing_panics_doc, reason = "both are in the tables below")]
pub fn textbook_engine() -> Result<Engine, SettingError> {
    let mut engine = Engine::new(1).map_err(SettingError::Memory)?.with_registry(REGISTRY);
    engine.apply(Setting::Searcher(REGISTRY.searcher("ab-tt-q").expect("a textbook search")))?;
    engine.apply(Setting::Evaluation(REGISTRY.evaluation("v3").expect("a published evaluation")))?;
    Ok(engine)
}

const fn alex(function: Function, ending: Option<EndingTerm>) -> Alex {
    Alex { function, ending }
}

const SUM: Option<EndingTerm> = Some(EndingTerm::SumOfDistances);
const FARTHEST: Option<EndingTerm> = Some(EndingTerm::FarthestPair);

static EVALUATIONS: [NamedEvaluation; 20] = [
    NamedEvaluation::NETWORK,
    NamedEvaluation::CLASSIC,
    NamedEvaluation::MATERIAL,
    NamedEvaluation::without_weights("v1", || &V1),
    NamedEvaluation {
        weights: Some(&v2::WEIGHTS),
        ..NamedEvaluation::without_weights("v2", || &V2::PUBLISHED)
    },
    NamedEvaluation::without_weights("v3", || &V3),
    NamedEvaluation::without_weights("alex1", || &const { alex(Function::PieceValue, None) }),
    NamedEvaluation::without_weights("alex1-sum", || &const { alex(Function::PieceValue, SUM) }),
    NamedEvaluation::without_weights("alex1-far", || &const { alex(Function::PieceValue, FARTHEST) }),
    NamedEvaluation::without_weights("alex2", || &const { alex(Function::PieceAndHalf, None) }),
    NamedEvaluation::without_weights("alex2-sum", || &const { alex(Function::PieceAndHalf, SUM) }),
    NamedEvaluation::without_weights("alex2-far", || &const { alex(Function::PieceAndHalf, FARTHEST) }),
    NamedEvaluation::without_weights("alex3", || &const { alex(Function::PieceAndRow, None) }),
    NamedEvaluation::without_weights("alex3-sum", || &const { alex(Function::PieceAndRow, SUM) }),
    NamedEvaluation::without_weights("alex3-far", || &const { alex(Function::PieceAndRow, FARTHEST) }),
    NamedEvaluation::without_weights("alex4", || &const { alex(Function::Normalised, None) }),
    NamedEvaluation::without_weights("alex4-sum", || &const { alex(Function::Normalised, SUM) }),
    NamedEvaluation::without_weights("alex4-far", || &const { alex(Function::Normalised, FARTHEST) }),
    NamedEvaluation {
        weights: Some(&lam::WEIGHTS),
        ..NamedEvaluation::without_weights("lam", || &Lam::PUBLISHED)
    },
    NamedEvaluation {
        weights: Some(&presser::WEIGHTS),
        ..NamedEvaluation::without_weights("presser", || &Presser::PUBLISHED)
    },
];

static SEARCHERS: [NamedSearcher; 1 + TEXTBOOK.len()] = {
    let mut searchers = [NamedSearcher::ALPHABETA; 1 + TEXTBOOK.len()];
    let mut index = 0;
    while index < TEXTBOOK.len() {
        let (name, config) = &TEXTBOOK[index];
        searchers[index + 1] = NamedSearcher { name, searcher: config };
        index += 1;
    }
    searchers
};

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::textbook::textbook;
    use kelso_draughts::notation::fen;
    use kelso_engine::OptionKind;
    use kelso_engine::TermWeights;
    use kelso_engine::eval::testing::{assert_symmetric, positions};

    #[test]
    fn every_name_is_found_whatever_its_case() {
        for name in REGISTRY.evaluation_names() {
            let found = REGISTRY.evaluation(&name.to_uppercase());
            assert_eq!(found.map(|evaluation| evaluation.name), Some(name));
        }
        for name in REGISTRY.searcher_names() {
            assert_eq!(REGISTRY.searcher(&name.to_uppercase()).map(|searcher| searcher.name), Some(name));
            assert_eq!(textbook(name).is_none(), name == "alphabeta");
        }
        assert_eq!(REGISTRY.evaluation("network"), Some(NamedEvaluation::default()));
        for name in ["alphabeta", "AlphaBeta"] {
            assert_eq!(REGISTRY.searcher(name), Some(NamedSearcher::default()), "{name}");
        }
    }

    #[test]
    fn a_man_more_is_worth_about_a_hundred_by_all_evaluations() {
        let position = fen::parse("B:W22-32:B1-12").unwrap();
        for name in REGISTRY.evaluation_names() {
            let value = REGISTRY.evaluation(name).unwrap().build().evaluate(&position);
            assert!((50..250).contains(&value), "{name}: {value}");
        }
    }

    #[test]
    fn a_flip_has_the_same_value_by_all_evaluations_but_two() {
        // These two use sets of squares that are not symmetric.
        let uneven = ["v2", "v3"];
        for evaluation in REGISTRY.evaluations.iter().filter(|evaluation| !uneven.contains(&evaluation.name))
        {
            assert_symmetric(evaluation.build());
        }
    }

    #[test]
    fn weights_round_trip_through_text() {
        assert_eq!(REGISTRY.weighted_names(), ["classic", "v2", "lam", "presser"]);
        for name in REGISTRY.weighted_names() {
            let published = REGISTRY.default_weights(&name.to_uppercase()).unwrap();
            assert_eq!(published.evaluation().name, name);
            let count = published.values().len();
            let others: Vec<i32> = (0i32..).map(|n| n * 7919 % 2001 - 1000).take(count).collect();
            for weights in [published.clone(), published.with(&others), published.with(&[i32::MAX, i32::MIN])]
            {
                assert_eq!(REGISTRY.parse_weights(&weights.to_string()).as_ref(), Ok(&weights));
            }
            assert!(published.with(&[i32::MIN]).values()[0] > i32::MIN);
            let names: HashSet<_> = published.rows().map(|(name, _)| name).collect();
            assert_eq!(names.len(), published.rows().count(), "{name}");
        }
        assert_eq!(REGISTRY.default_weights("v1"), None);
    }

    #[test]
    fn published_weights_make_the_published_evaluation() {
        for name in REGISTRY.weighted_names() {
            let weights = REGISTRY.default_weights(name).unwrap();
            let (published, built) = (weights.evaluation().build(), weights.build());
            let limits = [i32::MIN, i32::MAX].map(|limit| weights.with(&[limit; 1000]).build());
            positions(|position| {
                assert_eq!(built.raw_value(position), published.raw_value(position));
                // Even the largest weights that a file may hold do not overflow.
                for extreme in &limits {
                    assert!(extreme.evaluate(position).abs() <= 1_000_000_000);
                }
            });
        }
    }

    #[test]
    fn evaluations_without_weights_are_errors() {
        let error = REGISTRY.parse_weights("kelso weights v3\n").unwrap_err();
        assert!(error.to_string().contains("classic, v2, lam, presser"), "{error}");
        assert_eq!(TermWeights::default_of(REGISTRY.evaluation("v3").unwrap()), None);
    }

    #[test]
    fn the_protocol_document_has_a_row_for_each_option() {
        for option in REGISTRY.options() {
            let (kind, values) = match &option.kind {
                OptionKind::Spin { min, max } => ("spin", format!("{min} to {max} |")),
                OptionKind::Combo { choices } => ("combo", format!("{} |", choices.join(", "))),
                OptionKind::Check => ("check", "true, false |".into()),
                OptionKind::Path => ("string", "a ".into()),
                OptionKind::Button => ("button", "|".into()),
                _ => ("string", "`NAME=VALUE` words |".into()),
            };
            let default = match option.default() {
                empty if empty.is_empty() && option.kind == OptionKind::Button => String::new(),
                empty if empty.is_empty() => " `<empty>`".into(),
                value => format!(" {value}"),
            };
            let row = format!("\n| `{}` | {kind} |{default} | {values}", option.name);
            let document = include_str!("../../../protocol.md");
            assert!(document.contains(&row), "protocol.md has no row {row:?}");
            // The last cell begins with the help text of the option.
            let line = document[document.find(&row).unwrap() + 1..].lines().next().unwrap();
            let cell = line.split('|').nth_back(1).unwrap().trim();
            let more = cell.strip_prefix(option.help).expect(cell);
            assert!(more.is_empty() || more.starts_with(". "), "{cell}");
        }
    }
}
