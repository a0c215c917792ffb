//! The text of an error with its causes.

use std::error::Error;
use std::iter::successors;

/// Joins the texts of an error and its sources. The text of an error that only passes on its source appears
/// once.
pub fn with_causes(error: &(dyn Error + 'static)) -> String {
    let mut texts: Vec<_> =
        successors(Some(error), |&error| error.source()).map(ToString::to_string).collect();
    texts.dedup();
    texts.join(": ")
}

#[cfg(test)]
mod tests {
    use std::fmt;

    use super::*;

    #[derive(Debug)]
    struct Chained(&'static str, Option<Box<Chained>>);

    impl Error for Chained {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            self.1.as_deref().map(|source| source as _)
        }
    }

    impl fmt::Display for Chained {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }
    }

    #[test]
    fn a_cause_that_is_passed_on_is_named_once() {
        let cause = Chained("disk full", None);
        let passed_on = Chained("disk full", Some(Box::new(cause)));
        assert_eq!(with_causes(&passed_on), "disk full");
        let error = Chained("cannot write a.pdn", Some(Box::new(passed_on)));
        assert_eq!(with_causes(&error), "cannot write a.pdn: disk full");
    }
}
