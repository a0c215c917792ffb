//! Parsing and formatting of option values, by type.

use std::path::PathBuf;
use std::time::Duration;

use super::declaration::OptionKind;
use crate::eval::EvaluationKind;
use crate::level::Level;
use crate::search::SearchParams;
use kelso_draughts::referee::DrawRules;
use kelso_syntax::WordError;

pub(super) trait OptionValue: Sized {
    fn read(text: &str, kind: &OptionKind) -> Result<Self, WordError>;

    /// Returns the value as text that can be parsed again.
    fn show(&self) -> String;
}

/// Defines how the values of each type are read and shown.
macro_rules! values {
    ($($(#[$doc:meta])* $type:ty: $read:expr, $show:expr;)*) => {
        $($(#[$doc])*
        impl OptionValue for $type {
            fn read(text: &str, kind: &OptionKind) -> Result<Self, WordError> {
                let read: fn(&str, &OptionKind) -> Result<Self, WordError> = $read;
                read(text, kind)
            }

            fn show(&self) -> String {
                let show: fn(&Self) -> String = $show;
                show(self)
            }
        })*
    };
}

values! {
    /// A button has no value.
    (): |text, kind| kind.check(text, text.is_empty().then_some(())), |&()| String::new();
    u8: whole_number, u8::to_string;
    u32: whole_number, u32::to_string;
    u64: whole_number, u64::to_string;
    usize: whole_number, usize::to_string;
    /// A duration is a number of milliseconds.
    Duration: |text, kind| whole_number(text, kind).map(Self::from_millis),
        |time| time.as_millis().to_string();
    bool: |text, kind| kind.check(text, text.to_ascii_lowercase().parse().ok()), bool::to_string;
    Option<PathBuf>: |text, _| Ok((!text.is_empty()).then(|| text.into())),
        |path| path.as_ref().map_or_else(String::new, |path| path.to_string_lossy().into_owned());
    /// A level is its number, or 0 for full strength.
    Option<Level>: |text, kind| whole_number(text, kind).map(Level::new),
        |level| level.map_or(0, Level::number).to_string();
    EvaluationKind: |text, kind| kind.check(text, Self::from_name(&text.to_ascii_lowercase())),
        |kind| kind.name().into();
    SearchParams: |text, _| text.parse(), Self::to_string;
    DrawRules: |text, kind| kind.check(text, text.parse().ok()), Self::to_string;
}

fn whole_number<T: TryFrom<u64>>(text: &str, kind: &OptionKind) -> Result<T, WordError> {
    let number = text.parse().ok().filter(|value| match kind {
        OptionKind::Spin { min, max } => (*min..=*max).contains(value),
        _ => false,
    });
    kind.check(text, number.and_then(|number| number.try_into().ok()))
}
