//! What a run promises, on tokio's paused clock: each test is a claim, and each claim is a sentence of the guide.
//!
//! Times are whole milliseconds of virtual time, so that every expectation is exact.

#![expect(
    clippy::format_push_string,
    clippy::manual_async_fn,
    clippy::unnecessary_wraps,
    reason = "scripts are short, and say what an operation returns"
)]

mod allowance;
mod bare;
mod budget;
mod call;
mod deadlines;
mod fallback;
mod hedge;
mod hints;
mod hooks;
mod jitter;
mod key;
mod limits;
mod only_woken;
mod outcomes;
mod parallel;
mod peers;
mod plain;
mod plans;
mod race;
mod retry;
mod scope;
mod script;
mod series;
mod stops;
