//! The weights of hand-made evaluations as text, so that they can be read, changed, fitted and tuned:
//!
//! ```text
//! kelso weights presser
//! # What follows a hash is for people.
//! man 10000
//! king 15000
//! ```
//!
//! The first line names the evaluation. Each further line names a weight with its value, or its values if it has several;
//! what isn't named is as published. Values go from -1000000 to 1000000.

use std::fmt;
use std::sync::Arc;

use super::weightlist::{LIMIT, SheetError, WeightList, lines};
use super::{Evaluate, Evaluation};

/// The weights of a hand-made evaluation.
#[derive(Clone, Debug)]
pub struct Sheet {
    evaluation: Evaluation,
    list: &'static WeightList,
    values: Vec<i32>,
}

impl Sheet {
    /// The evaluations that have weights.
    pub fn evaluations() -> impl Iterator<Item = &'static str> {
        let with_weights = |evaluation: &Evaluation| evaluation.weights().is_some();
        Evaluation::all().filter(with_weights).map(Evaluation::name)
    }

    /// The published weights of an evaluation; none if it has no such weights. Its name does not depend on case.
    #[must_use]
    pub fn published(evaluation: &str) -> Option<Self> {
        let evaluation = Evaluation::by_name(evaluation)?;
        let list = evaluation.weights()?;
        Some(Self { evaluation, list, values: (list.published)() })
    }

    /// Reads a sheet.
    ///
    /// # Errors
    ///
    /// When the text is none.
    pub fn parse(text: &str) -> Result<Self, SheetError> {
        let (name, lines) = lines(text)?;
        let unknown = || {
            let known: Vec<_> = Self::evaluations().collect();
            SheetError::Evaluation { name: name.into(), known: known.join(", ") }
        };
        let mut sheet = Self::published(name).ok_or_else(unknown)?;
        sheet.list.fill(lines, &mut sheet.values)?;
        Ok(sheet)
    }

    /// The evaluation whose weights these are.
    #[must_use]
    pub const fn evaluation(&self) -> Evaluation {
        self.evaluation
    }

    /// All values: those of the first name, of the second, and so on.
    #[must_use]
    pub fn values(&self) -> &[i32] {
        &self.values
    }

    /// A checksum of all of it.
    #[must_use]
    pub fn checksum(&self) -> u32 {
        crc32fast::hash(self.to_string().as_bytes())
    }

    /// The same names with other values, kept in their range. What is missing stays as it is.
    #[must_use]
    pub fn with(&self, values: &[i32]) -> Self {
        let mut sheet = self.clone();
        for (value, new) in sheet.values.iter_mut().zip(values) {
            *value = (*new).clamp(-LIMIT, LIMIT);
        }
        sheet
    }

    /// The names, each with its values.
    pub fn rows(&self) -> impl Iterator<Item = (&'static str, &[i32])> {
        self.list.names.iter().copied().zip(self.values.chunks(self.list.columns))
    }

    /// The evaluation with these weights.
    #[must_use]
    pub fn evaluator(&self) -> Arc<dyn Evaluate> {
        (self.list.make)(&self.values)
    }
}

impl PartialEq for Sheet {
    fn eq(&self, other: &Self) -> bool {
        self.evaluation() == other.evaluation() && self.values == other.values
    }
}

impl Eq for Sheet {}

/// As text that can be read again.
impl fmt::Display for Sheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "kelso weights {}", self.evaluation.name())?;
        for (name, values) in self.rows() {
            write!(f, "{name}")?;
            for value in values {
                write!(f, " {value}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::testing::positions;

    #[test]
    fn every_sheet_comes_back_from_its_text() {
        for evaluation in Sheet::evaluations() {
            let published = Sheet::published(&evaluation.to_uppercase()).unwrap();
            assert_eq!(published.evaluation().name(), evaluation);
            assert_eq!(published.values().len(), published.list.count());
            let others: Vec<i32> =
                (0i32..).map(|n| n * 7919 % 2001 - 1000).take(published.values().len()).collect();
            for sheet in [published.clone(), published.with(&others), published.with(&[LIMIT, i32::MIN])] {
                assert_eq!(Sheet::parse(&sheet.to_string()).as_ref(), Ok(&sheet));
            }
            assert_eq!(published.with(&[i32::MIN]).values()[0], -LIMIT);
            let mut names = published.list.names.to_vec();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), published.list.names.len(), "{evaluation}");
        }
        assert_eq!(Sheet::published("v1"), None);
    }

    #[test]
    fn published_weights_make_the_published_evaluation() {
        for evaluation in Sheet::evaluations() {
            let published = Evaluation::by_name(evaluation).unwrap().evaluator();
            let made = Sheet::published(evaluation).unwrap().evaluator();
            let limits = [-LIMIT, LIMIT].map(|end| {
                let sheet = Sheet::published(evaluation).unwrap();
                sheet.with(&vec![end; sheet.values().len()]).evaluator()
            });
            positions(|position| {
                assert_eq!(made.value(position), published.value(position));
                // Nothing that a sheet may hold is too much.
                for made in &limits {
                    assert!(made.evaluate(position).abs() <= 1_000_000_000);
                }
            });
        }
    }

    #[test]
    fn lines_change_what_they_name() {
        let text = "kelso weights Presser\r\n\n  # for people\nKING 14000 # less\nratio\t-3\n";
        let sheet = Sheet::parse(text).unwrap();
        let changed: Vec<_> = sheet
            .rows()
            .zip(Sheet::published("presser").unwrap().rows())
            .filter(|(new, old)| new != old)
            .map(|((name, values), _)| (name, values.to_vec()))
            .collect();
        assert_eq!(changed, [("king", vec![14_000]), ("ratio", vec![-3])]);
        let sheet = Sheet::parse("kelso weights classic\nturn 5 -6").unwrap();
        assert_eq!(sheet.rows().find(|(name, _)| *name == "turn").unwrap().1, [5, -6]);
    }

    #[test]
    fn what_is_no_sheet_is_named() {
        let values = "expected a whole number from -1000000 to 1000000";
        for (text, message) in [
            ("", "no weights: expected \"kelso weights\" and an evaluation's name"),
            ("kelso weights", "no weights: expected \"kelso weights\" and an evaluation's name"),
            ("kelso weights lam 2\n", "no weights: expected \"kelso weights\" and an evaluation's name"),
            ("\nkelso weights lam\n", "no weights: expected \"kelso weights\" and an evaluation's name"),
            (
                "kelso weights v3\n",
                "weights of unknown evaluation \"v3\": expected one of classic, v2, lam, presser",
            ),
            (
                "kelso weights lam\nking 3\n",
                "unknown weight \"king\" in line 2: expected one of kng, backrow, distance, trade, corner, center",
            ),
            ("kelso weights lam\nkng 3\n\nkng 4", "weight \"kng\" again in line 4: expected it once"),
            ("kelso weights lam\nkng", &format!("bad value \"\" in line 2: {values}")),
            ("kelso weights lam\nkng 1 2", &format!("bad value \"1 2\" in line 2: {values}")),
            ("kelso weights lam\nkng 1.5", &format!("bad value \"1.5\" in line 2: {values}")),
            ("kelso weights lam\nkng 1000001", &format!("bad value \"1000001\" in line 2: {values}")),
            ("kelso weights lam\nkng 99999999999", &format!("bad value \"99999999999\" in line 2: {values}")),
            (
                "kelso weights classic\nman 1",
                "bad values \"1\" in line 2: expected 2 whole numbers from -1000000 to 1000000",
            ),
        ] {
            assert_eq!(Sheet::parse(text).unwrap_err().to_string(), message, "{text:?}");
        }
        let error = Sheet::parse("kelso weights classic\nmen 1 1").unwrap_err().to_string();
        assert!(
            error.starts_with("unknown weight \"men\" in line 2: expected one of man, king, "),
            "{error}"
        );
    }
}
