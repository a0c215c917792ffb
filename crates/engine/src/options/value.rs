//! How the values of options are read and shown, by their types.

use std::path::PathBuf;
use std::time::Duration;

use super::declaration::Kind;
use crate::eval::Evaluation;
use crate::search::{Level, Margins, Searcher};

/// What an option may have for a value.
pub(super) trait Value: Sized {
    /// The value that a text means; none if it means none of this kind.
    fn read(text: &str, kind: Kind) -> Option<Self>;

    /// A text that means this value.
    fn show(&self) -> String;
}

/// The only value of what is done and not set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Press;

impl Value for Press {
    fn read(text: &str, _: Kind) -> Option<Self> {
        text.is_empty().then_some(Self)
    }

    fn show(&self) -> String {
        String::new()
    }
}

impl Value for u64 {
    fn read(text: &str, kind: Kind) -> Option<Self> {
        let Kind::Spin { min, max } = kind else { return None };
        text.parse().ok().filter(|value| (min..=max).contains(value))
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

impl Value for u32 {
    fn read(text: &str, kind: Kind) -> Option<Self> {
        u64::read(text, kind)?.try_into().ok()
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

impl Value for usize {
    fn read(text: &str, kind: Kind) -> Option<Self> {
        u64::read(text, kind)?.try_into().ok()
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

/// In milliseconds.
impl Value for Duration {
    fn read(text: &str, kind: Kind) -> Option<Self> {
        u64::read(text, kind).map(Self::from_millis)
    }

    fn show(&self) -> String {
        self.as_millis().to_string()
    }
}

impl Value for bool {
    fn read(text: &str, _: Kind) -> Option<Self> {
        text.to_ascii_lowercase().parse().ok()
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

impl Value for Option<PathBuf> {
    fn read(text: &str, _: Kind) -> Option<Self> {
        Some((!text.is_empty()).then(|| text.into()))
    }

    fn show(&self) -> String {
        self.as_ref().map(|path| path.to_string_lossy().into_owned()).unwrap_or_default()
    }
}

/// By number, 0 for none.
impl Value for Option<Level> {
    fn read(text: &str, kind: Kind) -> Option<Self> {
        usize::read(text, kind).map(Level::new)
    }

    fn show(&self) -> String {
        self.map_or(0, Level::number).to_string()
    }
}

impl Value for Evaluation {
    fn read(text: &str, _: Kind) -> Option<Self> {
        Self::by_name(text)
    }

    fn show(&self) -> String {
        self.name().into()
    }
}

impl Value for Searcher {
    fn read(text: &str, _: Kind) -> Option<Self> {
        Self::by_name(text)
    }

    fn show(&self) -> String {
        self.name().into()
    }
}

impl Value for Margins {
    fn read(text: &str, _: Kind) -> Option<Self> {
        Self::parse(text)
    }

    fn show(&self) -> String {
        self.to_string()
    }
}
