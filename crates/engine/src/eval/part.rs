//! The parts of a value, to explain it.

/// A part of a value: a term of a hand-made evaluation, or a group of learned weights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// Its name: a word in lower case, or several joined by hyphens.
    pub name: &'static str,
    /// The part of the value for the side to move, in hundredths of a man.
    pub value: i32,
    /// The parts of the side to move and of the other side, if the value is their difference.
    pub sides: Option<(i32, i32)>,
}

impl Part {
    /// Returns a part without sides.
    #[must_use]
    pub const fn whole(name: &'static str, value: i32) -> Self {
        Self { name, value, sides: None }
    }

    /// Returns the difference of a term for the side to move and for the other side.
    #[must_use]
    pub const fn sides(name: &'static str, own: i32, other: i32) -> Self {
        Self { name, value: own - other, sides: Some((own, other)) }
    }
}
