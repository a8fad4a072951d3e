//! The contest: one operation, many ways to retry it, each measured the same way.
//!
//! - [`operation`] is the work that every contestant repeats.
//! - [`drive`] polls a contestant's future through `dyn`, hidden from the optimiser.
//! - [`case`] is a contestant in a discipline: how to run it, how large its future is.
//! - [`contest`] holds the cases, one room per discipline.
//! - [`measure`] turns a case into instructions, nanoseconds, bytes and allocations; [`profile`] tells where the
//!   instructions go.
//!
//! The binaries print; `report` collects what they print into `BENCHMARKS.md`, `gate` compares our own counts with
//! the recorded ones.

pub mod allocations;
pub mod building;
pub mod case;
pub mod contention;
pub mod contest;
pub mod crowd;
pub mod drive;
pub mod figures;
pub mod measure;
pub mod operation;
pub mod profile;
