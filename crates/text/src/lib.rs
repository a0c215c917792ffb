//! Text that users read and write.
//!
//! | module | contents |
//! |---|---|
//! | [`system`] | messages of the operating system |
//! | [`time`] | durations with a unit, today's date |
//! | [`plural`] | numbers with their nouns |
//! | [`keyvalue`] | lists of `KEY=VALUE` words |
//! | [`markup`] | escaping in HTML, SVG and XML |
//!
//! ```
//! use kelso_text::plural::counted;
//!
//! assert_eq!(counted(2400, "ply"), "2,400 plies");
//! ```

pub mod keyvalue;
pub mod markup;
pub mod plural;
pub mod system;
pub mod time;
