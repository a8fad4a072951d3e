//! What observers are told: every start, end, wait, hedge, win, refusal and stop of a run, in order, in every form that a
//! run has; and what `tracing` makes of it.

#![expect(
    clippy::manual_async_fn,
    clippy::unnecessary_wraps,
    reason = "scripts are short, and say what an operation returns"
)]

mod forms;
mod log;
mod nodes;
#[path = "../runtime/script.rs"]
#[expect(dead_code, reason = "shared with the tests of what runs promise")]
mod script;
mod spans;
