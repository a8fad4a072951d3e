//! The disciplines. Each room lists its contestants, the hand-written loop first.

mod by_hand;
mod crowd;
mod middleware;
mod ours;
mod peers;

pub mod bounded;
pub mod first_try;
pub mod growth;
pub mod hedged;
pub mod parts;
pub mod pending;
pub mod size;
pub mod zero_wait;

use crate::case::Discipline;

pub use crowd::{CROWD, crowd_of};

/// Every discipline, in the order of the report.
#[must_use]
pub fn all() -> Vec<Discipline> {
    let rooms = [
        first_try::disciplines(),
        zero_wait::disciplines(),
        bounded::disciplines(),
        pending::disciplines(),
        hedged::disciplines(),
        parts::disciplines(),
        growth::disciplines(),
        size::disciplines(),
    ];
    rooms.into_iter().flatten().collect()
}

/// The discipline called `id`.
///
/// # Panics
///
/// Where there is none.
#[must_use]
pub fn discipline(id: &str) -> Discipline {
    all()
        .into_iter()
        .find(|discipline| discipline.id == id)
        .unwrap_or_else(|| panic!("no discipline `{id}`"))
}
