//! Parsing and formatting of option values, by type.

use std::path::PathBuf;
use std::time::Duration;

use super::declaration::{Declaration, OptionKind};
use crate::eval::EvaluationKind;
use crate::level::Level;
use crate::search::SearchParams;
use kelso_draughts::referee::DrawRules;

pub(super) trait OptionValue: Sized {
    /// Parses a value, or returns `None` if it is invalid.
    fn read(text: &str, option: &Declaration) -> Option<Self>;

    /// Returns the value as text that can be parsed again.
    fn show(&self) -> String;
}

/// A button has no value.
impl OptionValue for () {
    fn read(text: &str, _: &Declaration) -> Option<Self> {
        text.is_empty().then_some(())
    }

    fn show(&self) -> String {
        String::new()
    }
}

macro_rules! whole_numbers {
    ($($number:ty)*) => {
        $(impl OptionValue for $number {
            fn read(text: &str, option: &Declaration) -> Option<Self> {
                let OptionKind::Spin { min, max } = option.kind else { return None };
                text.parse().ok().filter(|value| (min..=max).contains(value))?.try_into().ok()
            }

            fn show(&self) -> String {
                self.to_string()
            }
        })*
    };
}

whole_numbers! { u32 u64 usize }

/// A duration is a number of milliseconds.
impl OptionValue for Duration {
    fn read(text: &str, option: &Declaration) -> Option<Self> {
        u64::read(text, option).map(Self::from_millis)
    }

    fn show(&self) -> String {
        self.as_millis().to_string()
    }
}

impl OptionValue for bool {
    fn read(text: &str, _: &Declaration) -> Option<Self> {
        text.to_ascii_lowercase().parse().ok()
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

impl OptionValue for Option<PathBuf> {
    fn read(text: &str, _: &Declaration) -> Option<Self> {
        Some((!text.is_empty()).then(|| text.into()))
    }

    fn show(&self) -> String {
        self.as_ref().map(|path| path.to_string_lossy().into_owned()).unwrap_or_default()
    }
}

/// A level is its number, or 0 for full strength.
impl OptionValue for Option<Level> {
    fn read(text: &str, option: &Declaration) -> Option<Self> {
        usize::read(text, option).map(Level::new)
    }

    fn show(&self) -> String {
        self.map_or(0, Level::number).to_string()
    }
}

impl OptionValue for EvaluationKind {
    fn read(text: &str, _: &Declaration) -> Option<Self> {
        Self::from_name(text)
    }

    fn show(&self) -> String {
        self.name().into()
    }
}

impl OptionValue for SearchParams {
    fn read(text: &str, _: &Declaration) -> Option<Self> {
        Self::parse(text)
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

impl OptionValue for DrawRules {
    fn read(text: &str, _: &Declaration) -> Option<Self> {
        text.parse().ok()
    }

    fn show(&self) -> String {
        self.to_string()
    }
}
