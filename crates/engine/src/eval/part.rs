//! The parts of a value, to explain it.

/// A part of a value: a term of an evaluation by hand, a group of learned weights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// Its name: a word in lower case, or several joined by hyphens.
    pub name: &'static str,
    /// The part of the value for the side to move, in hundredths of a man.
    pub value: i32,
    /// The source of its value.
    pub from: Source,
}

/// Where a part's value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// No more is known.
    Whole,
    /// The side to move has the first, the other side the second; the value is the difference.
    Sides(i32, i32),
}

impl Part {
    /// Returns a part that isn't divided.
    #[must_use]
    pub const fn whole(name: &'static str, value: i32) -> Self {
        Self { name, value, from: Source::Whole }
    }

    /// Returns the same term for the side to move and for the other.
    #[must_use]
    pub const fn sides(name: &'static str, own: i32, other: i32) -> Self {
        Self { name, value: own - other, from: Source::Sides(own, other) }
    }
}
