//! `#[retry]` on the functions that people write.
//!
//! Each row of a [`table!`] is one shape: it compiles without a warning, is spawned where the plain function would be, and
//! runs exactly the attempts that it should. What more is to be said of a shape stands below its table.

#![deny(warnings, clippy::pedantic)]

mod arguments;
mod bodies;
mod chains;
mod copied;
mod documentation;
mod hooks;
mod on_threads;
mod peers;
mod returns;
mod signatures;
mod table;
mod tails;
