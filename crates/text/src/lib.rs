//! Reading and formatting text for users.
//!
//! | module | contents |
//! |---|---|
//! | [`system`] | messages of the operating system |
//! | [`time`] | durations with a unit, today's date |
//! | [`plural`] | numbers with their nouns |
//! | [`markup`] | escaping in HTML, SVG and XML |
//!
//! ```
//! use kelso_text::plural::counted;
//!
//! assert_eq!(counted(2400, "ply"), "2,400 plies");
//! ```

pub mod markup;
pub mod plural;
pub mod system;
pub mod time;
