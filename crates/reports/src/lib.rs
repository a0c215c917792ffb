//! Reports on screens, in files and in browsers.
//!
//! | module | contents |
//! |---|---|
//! | [`table`] | tables as aligned text and as HTML |
//! | [`diagram`] | boards as text and as SVG |
//! | [`chart`] | curves as SVG |
//! | [`page`] | HTML pages with games to play through |
//! | [`statistics`] | estimates of playing strength, SPRT |
//!
//! ```
//! use kelso_draughts::result::WdlCounts;
//! use kelso_reports::statistics::Estimate;
//! use kelso_reports::table::Table;
//!
//! let table = Table::of(&[("Kelso", 12)]).words("engine", |row| row.0).number("won", |row| row.1).build();
//! assert_eq!(table.to_string(), "engine  won\nKelso    12\n");
//!
//! let estimate = Estimate::of_games(WdlCounts::new(60, 20, 20)).ok_or("no games")?;
//! assert_eq!(estimate.elo.value.round(), 147.0);
//! # Ok::<(), &str>(())
//! ```

pub mod chart;
pub mod diagram;
pub mod page;
pub mod statistics;
pub mod table;
