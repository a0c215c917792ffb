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

use super::Evaluate;
use super::classic::{self, Classic};
use super::lam::{self, Lam};
use super::peterson::v2::{self, V2};
use super::presser::{self, Presser};
use crate::notation::syntax::Quoted;

/// The names of an evaluation's weights.
#[derive(Debug)]
pub(super) struct Form {
    pub(super) evaluation: &'static str,
    pub(super) names: &'static [&'static str],
    /// How many values each name has.
    pub(super) columns: usize,
    pub(super) published: fn() -> Vec<i32>,
    pub(super) make: fn(&[i32]) -> Made,
}

static FORMS: [&Form; 4] = [&classic::FORM, &v2::FORM, &lam::FORM, &presser::FORM];

/// The largest weight, and its negative the smallest: sums of them fit.
const LIMIT: i32 = 1_000_000;

/// The weights of a hand-made evaluation.
#[derive(Clone, Debug)]
pub struct Sheet {
    form: &'static Form,
    values: Vec<i32>,
}

/// A hand-made evaluation with weights of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Made {
    /// Ours.
    Classic(Box<Classic>),
    /// Peterson's second.
    V2(V2),
    /// Lam's.
    Lam(Lam),
    /// Presser's.
    Presser(Presser),
}

/// Why a text is no sheet of weights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SheetError {
    /// It does not begin as one.
    Foreign,
    /// It is for an evaluation that has no such weights.
    Evaluation(String),
    /// A line names no weight of the evaluation.
    Name(usize, String, &'static [&'static str]),
    /// A line names a weight that a line before it named.
    Again(usize, String),
    /// A line has too few values, too many, or one that is none.
    Values(usize, String, usize),
}

impl fmt::Display for SheetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign => write!(f, "no weights: expected \"kelso weights\" and an evaluation's name"),
            Self::Evaluation(name) => {
                let names: Vec<_> = Sheet::evaluations().collect();
                write!(
                    f,
                    "weights of unknown evaluation {}: expected one of {}",
                    Quoted(name),
                    names.join(", ")
                )
            }
            Self::Name(line, name, names) => {
                let names = names.join(", ");
                write!(f, "unknown weight {} in line {line}: expected one of {names}", Quoted(name))
            }
            Self::Again(line, name) => {
                write!(f, "weight {} again in line {line}: expected it once", Quoted(name))
            }
            Self::Values(line, text, 1) => {
                write!(
                    f,
                    "bad value {} in line {line}: expected a whole number from -{LIMIT} to {LIMIT}",
                    Quoted(text)
                )
            }
            Self::Values(line, text, count) => write!(
                f,
                "bad values {} in line {line}: expected {count} whole numbers from -{LIMIT} to {LIMIT}",
                Quoted(text)
            ),
        }
    }
}

impl std::error::Error for SheetError {}

impl Form {
    fn count(&self) -> usize {
        self.names.len() * self.columns
    }

    /// Takes the values of lines.
    fn fill<'a>(
        &self,
        lines: impl Iterator<Item = (usize, &'a str)>,
        values: &mut [i32],
    ) -> Result<Vec<bool>, SheetError> {
        let mut seen = vec![false; self.names.len()];
        for (line, text) in lines {
            let text = text.split('#').next().unwrap_or_default().trim();
            let Some((name, rest)) =
                text.split_once(char::is_whitespace).or((!text.is_empty()).then_some((text, "")))
            else {
                continue;
            };
            let index = self.names.iter().position(|known| known.eq_ignore_ascii_case(name));
            let index = index.ok_or_else(|| SheetError::Name(line, name.into(), self.names))?;
            if std::mem::replace(&mut seen[index], true) {
                return Err(SheetError::Again(line, name.into()));
            }
            let row: Option<Vec<i32>> = rest
                .split_whitespace()
                .map(|word| word.parse().ok().filter(|value| (-LIMIT..=LIMIT).contains(value)))
                .collect();
            let row = row.filter(|row| row.len() == self.columns);
            let row = row.ok_or_else(|| SheetError::Values(line, rest.trim().into(), self.columns))?;
            values.iter_mut().skip(index * self.columns).zip(row).for_each(|(value, new)| *value = new);
        }
        Ok(seen)
    }
}

/// The lines of a text with their numbers, after the first; and the evaluation that the first names.
fn lines(text: &str) -> Result<(&str, impl Iterator<Item = (usize, &str)>), SheetError> {
    let mut lines = (1..).zip(text.lines());
    let first = lines.next().map_or("", |(_, line)| line);
    let mut words = first.split_whitespace();
    match (words.next(), words.next(), words.next(), words.next()) {
        (Some("kelso"), Some("weights"), Some(name), None) => Ok((name, lines)),
        _ => Err(SheetError::Foreign),
    }
}

impl Sheet {
    /// The evaluations that have weights.
    pub fn evaluations() -> impl Iterator<Item = &'static str> {
        FORMS.iter().map(|form| form.evaluation)
    }

    /// The published weights of an evaluation; none if it has no such weights. Its name does not depend on case.
    #[must_use]
    pub fn published(evaluation: &str) -> Option<Self> {
        let form = FORMS.iter().find(|form| form.evaluation.eq_ignore_ascii_case(evaluation))?;
        Some(Self { form, values: (form.published)() })
    }

    /// Reads a sheet.
    ///
    /// # Errors
    ///
    /// When the text is none.
    pub fn parse(text: &str) -> Result<Self, SheetError> {
        let (name, lines) = lines(text)?;
        let mut sheet = Self::published(name).ok_or_else(|| SheetError::Evaluation(name.into()))?;
        sheet.form.fill(lines, &mut sheet.values)?;
        Ok(sheet)
    }

    /// Values from a text that is compiled in and must name all weights; zeros if it doesn't.
    pub(super) fn whole(form: &Form, text: &str) -> Vec<i32> {
        let mut values = vec![0; form.count()];
        match lines(text).and_then(|(_, lines)| form.fill(lines, &mut values)) {
            Ok(seen) if seen.iter().all(|&seen| seen) => values,
            _ => vec![0; form.count()],
        }
    }

    /// The evaluation whose weights these are.
    #[must_use]
    pub const fn evaluation(&self) -> &'static str {
        self.form.evaluation
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
        self.form.names.iter().copied().zip(self.values.chunks(self.form.columns))
    }

    /// The evaluation with these weights.
    #[must_use]
    pub fn made(&self) -> Made {
        (self.form.make)(&self.values)
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
        writeln!(f, "kelso weights {}", self.evaluation())?;
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

impl Made {
    /// The evaluation's name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Classic(_) => classic::FORM.evaluation,
            Self::V2(_) => v2::FORM.evaluation,
            Self::Lam(_) => lam::FORM.evaluation,
            Self::Presser(_) => presser::FORM.evaluation,
        }
    }

    /// What judges.
    #[must_use]
    pub fn evaluator(&self) -> &dyn Evaluate {
        match self {
            Self::Classic(classic) => &**classic,
            Self::V2(v2) => v2,
            Self::Lam(lam) => lam,
            Self::Presser(presser) => presser,
        }
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
            assert_eq!(published.made().name(), evaluation);
            assert_eq!(published.values().len(), published.form.count());
            let others: Vec<i32> =
                (0i32..).map(|n| n * 7919 % 2001 - 1000).take(published.values().len()).collect();
            for sheet in [published.clone(), published.with(&others), published.with(&[LIMIT, i32::MIN])] {
                assert_eq!(Sheet::parse(&sheet.to_string()).as_ref(), Ok(&sheet));
            }
            assert_eq!(published.with(&[i32::MIN]).values()[0], -LIMIT);
            let mut names = published.form.names.to_vec();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), published.form.names.len(), "{evaluation}");
        }
        assert_eq!(Sheet::published("v1"), None);
    }

    #[test]
    fn published_weights_make_the_published_evaluation() {
        for (evaluation, published) in [
            ("classic", Classic::fitted() as &dyn Evaluate),
            ("v2", &V2::PUBLISHED),
            ("lam", &Lam::PUBLISHED),
            ("presser", &Presser::PUBLISHED),
        ] {
            let made = Sheet::published(evaluation).unwrap().made();
            let limits = [-LIMIT, LIMIT].map(|end| {
                let sheet = Sheet::published(evaluation).unwrap();
                sheet.with(&vec![end; sheet.values().len()]).made()
            });
            positions(|position| {
                assert_eq!(made.evaluator().value(position), published.value(position));
                // Nothing that a sheet may hold is too much.
                for made in &limits {
                    assert!(made.evaluator().evaluate(position).abs() <= 1_000_000_000);
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
