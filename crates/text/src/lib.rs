//! Text that users read and write.
//!
//! | module | contents |
//! |---|---|
//! | [`causes`] | the text of an error with its causes |
//! | [`system`] | messages of the operating system |
//! | [`time`] | durations with a unit, today's date |
//! | [`plural`] | numbers with their nouns |
//! | [`grammar`] | rules of grammars, written with nom |
//! | [`syntax`] | errors of grammars with their column, quoting of invalid text |
//! | [`keyvalue`] | lists of `KEY=VALUE` words |
//! | [`markup`] | escaping in HTML, SVG and XML |
//! | [`names`] | enums whose values have names |
//!
//! ```
//! use kelso_text::plural::counted;
//!
//! assert_eq!(counted(2400, "ply"), "2,400 plies");
//! ```

pub mod causes;
pub mod grammar;
pub mod keyvalue;
pub mod markup;
pub mod names;
pub mod plural;
pub mod syntax;
pub mod system;
pub mod time;
