//! What an editor shows over the words of a policy: each is an item with a documentation, which the macros use on the
//! word's own span.
#![expect(
    non_upper_case_globals,
    reason = "the items are named as the words are written"
)]

/// The nodes of a policy.
pub mod node {
    /// `attempt(800ms)`: the operation, cut off after 800 ms; a retry may try again then.
    ///
    /// `attempt(takes = 50ms..=800ms)` declares what the operation takes where its client already enforces it: planned with,
    /// not enforced. `attempt` alone has no bound of its own. `idempotent = false` says that it must not be repeated, unless
    /// an `idempotency_key` goes with it.
    pub const attempt: () = ();
    /// `call(path::Policy)`: a leaf whose operation runs another policy. It is planned through that policy's constant, with
    /// its own clock; the limits around it are passed on.
    pub const call: () = ();
    /// `timeout(d) { … }`: cancels what it holds once `d` has passed since this node started. The error is `TimedOut`, which
    /// a retry around it may retry.
    pub const timeout: () = ();
    /// `deadline(d) { … }`: a point on the policy's own clock, `d` after the run began, or the caller's earlier one.
    /// `DeadlineExceeded` is not retried, for it would come again.
    pub const deadline: () = ();
    /// `retry(attempts = 3, …) { … }`: what it holds again on error, or while `until` says that a value isn't there yet.
    pub const retry: () = ();
    /// `hedge(after = d, copies = n) { … }`: another copy each time `after` passes without an answer, or at once when a copy
    /// fails. The first success wins, the others are dropped; it fails only when every copy failed.
    pub const hedge: () = ();
    /// `series { a: …, b: … }`: one after another; stops at the first failure.
    pub const series: () = ();
    /// `parallel { a: …, b: … }`: together; the first failure cancels the rest.
    pub const parallel: () = ();
    /// `fallback { a: …, b: … }`: the next one when one fails, until one succeeds.
    pub const fallback: () = ();
    /// `race { a: …, b: … }`: together; the first success wins.
    pub const race: () = ();
    /// `allowance(KEY = n) { … }`: at most `n` retries and hedges charged to `KEY` inside, whoever spends them.
    pub const allowance: () = ();
}

/// The arguments of the nodes, and the keys of the short form.
pub mod argument {
    /// `attempts = 3`: three tries in all, the first included, and the plan holds the policy to whole ones.
    ///
    /// `attempts = ..=3`: at most three, as many as fit. `attempts = unlimited` has no count.
    pub const attempts: () = ();
    /// `backoff = exponential(100ms, factor = 2, max = 10s)`, which is what holds where none is written.
    ///
    /// The others: `none`, `fixed(d)`, `linear(d, max = d)`, `decorrelated(d, max = d)`, `schedule(d, d, ..)`.
    pub const backoff: () = ();
    /// `jitter = full` draws each wait from `0..=d`, `equal` from `d/2..=d`, `spread(0.2)` from 20 % around `d`; `none`
    /// doesn't draw. `full` holds for growing backoffs and `none` for `fixed` and `schedule` where none is written.
    pub const jitter: () = ();
    /// `budget = PAYMENTS`: the `static` that every retry or hedge is charged to; without enough left in it there is none.
    pub const budget: () = ();
    /// `when = |error| error.is_transient()`: which errors of the operation are tried again.
    pub const when: () = ();
    /// `until = |value| value.is_ready()`: tried again while the value isn't there yet.
    pub const until: () = ();
    /// `timeouts = stop`: a timeout ends the retry. `timeouts = retry`, which is the default, counts it as an error.
    pub const timeouts: () = ();
    /// `retry_after = |error| error.retry_after()`: a server's hint; the wait is the longer of hint and backoff.
    pub const retry_after: () = ();
    /// `retry_after_max = 30s`: a longer hint stops the retry.
    pub const retry_after_max: () = ();
    /// `on_retry = |retry| log(retry)`: told of each retry before its wait.
    pub const on_retry: () = ();
    /// `after = 80ms`: the time without an answer until the next copy starts.
    pub const after: () = ();
    /// `copies = 2`: how many run at most, the first included.
    pub const copies: () = ();
    /// `takes = 50ms..=800ms`: what the operation is declared to take: no success before, no end after.
    pub const takes: () = ();
    /// `idempotent = false`: the operation's effect must not happen twice, so that it is neither retried nor hedged without
    /// a key.
    pub const idempotent: () = ();
    /// `idempotency_key`: a key made once per run, the same for all its attempts; `idempotency_key = expr` to keep one across
    /// runs.
    pub const idempotency_key: () = ();
    /// `attempt = 500ms`: the bound of each attempt.
    pub const attempt: () = ();
    /// `deadline = 2s`: the bound of the whole run.
    pub const deadline: () = ();
}
