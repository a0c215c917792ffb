//! Evaluations of published studies, each in a file with its formula.

pub mod alex;
mod distance;
pub(crate) mod lam;
mod noise;
pub mod peterson;
pub(crate) mod presser;

pub use lam::Lam;
pub use presser::Presser;
