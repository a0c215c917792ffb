//! Reading and formatting text for users. This crate depends on no other crate in the workspace.
//!
//! | module | contents |
//! |---|---|
//! | [`syntax`] | errors of nom grammars with their column, quoting of invalid text |
//! | [`keyvalue`] | `KEY=VALUE` words |
//! | [`system`] | messages of the operating system |
//! | [`time`] | durations with a unit, today's date |
//! | [`plural`] | numbers with their nouns |
//! | [`markup`] | escaping in HTML, SVG and XML |
//!
//! ```
//! use text::plural::counted;
//! use text::syntax::Quoted;
//!
//! assert_eq!(counted(2400, "ply"), "2,400 plies");
//! assert_eq!(Quoted("11-15\t").to_string(), r#""11-15\t""#);
//! ```

#![warn(missing_docs)]

pub mod keyvalue;
pub mod markup;
pub mod plural;
pub mod syntax;
pub mod system;
pub mod time;
