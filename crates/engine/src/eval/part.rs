//! The parts of a value, to explain it.

/// A part of a value: a term of an evaluation by hand, a group of learned weights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// Its name: a word in lower case, or several joined by hyphens.
    pub name: &'static str,
    /// The part of the value for the side to move, in hundredths of a man.
    pub value: i32,
    /// What the side to move and the other side have of it, if the value is the difference of these.
    pub sides: Option<(i32, i32)>,
}

impl Part {
    /// Returns a part that isn't divided.
    #[must_use]
    pub const fn whole(name: &'static str, value: i32) -> Self {
        Self { name, value, sides: None }
    }

    /// Returns the same term for the side to move and for the other.
    #[must_use]
    pub const fn sides(name: &'static str, own: i32, other: i32) -> Self {
        Self { name, value: own - other, sides: Some((own, other)) }
    }
}
