//! A chain that passes, changing as little as possible: retry at one layer, limits that nest, full jitter and a cap.
//!
//! Each round looks at the findings of the chain as it is then and answers the strongest kind first, so that what one
//! answer settles brings no second change. The proposal is judged like any chain; its figures are as real as the first.

use std::time::Duration;

use serde::Serialize;

use super::Judged;
use super::bounds;
use super::findings::Code;
use super::model::{Attempts, Chain, Jitter, Layer};
use crate::report::words;

/// A chain in place of another.
#[derive(Clone, Debug, PartialEq)]
pub struct Fix {
    /// The proposal, judged.
    pub after: Judged,
    /// What was changed, in the order of the layers.
    pub changes: Vec<Change>,
}

/// One setting that was changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The index of the layer.
    pub layer: usize,
    /// The setting.
    pub key: &'static str,
    /// Its value before; empty where there was none.
    pub before: String,
    /// Its value now; empty where there is none.
    pub after: String,
}

/// The first wait where there was none.
const BASE: Duration = Duration::from_millis(100);
/// The longest wait where there was none and the tries reach beyond it.
const CAP: Duration = Duration::from_secs(10);
/// The bound of a try where nothing in the chain says how long one may take.
const PER_TRY: Duration = Duration::from_secs(1);
/// So many times a change is tried without.
const LOOKS: usize = 400;
/// The least that a layer is given.
const TICK: Duration = Duration::from_millis(1);
/// Tries where there were too many.
const TRIES: u32 = 5;

/// What would pass in place of `judged`; `None` where nothing is wrong.
#[must_use]
pub fn propose(judged: &Judged) -> Option<Fix> {
    if judged.findings.is_empty() {
        return None;
    }
    let mut now = judged.clone();
    // Each round settles a kind of finding for good, so the number of kinds bounds the rounds; a limit that had to shrink
    // can bring one more of another kind.
    for _ in 0..2 * Code::ALL.len() {
        let Some(code) = next(&now) else { break };
        let mut chain = now.chain.clone();
        answer(code, &now, &mut chain);
        if chain == now.chain {
            break;
        }
        now = now.revised(chain);
    }
    if now.findings.is_empty() {
        take_back(judged, &mut now);
    }
    let changes = changes(&judged.chain, &now.chain);
    Some(Fix { after: now, changes })
}

/// Takes back each change that the others make needless, until there is none.
fn take_back(judged: &Judged, now: &mut Judged) {
    let mut looks = LOOKS;
    let mut taken = true;
    while taken {
        taken = false;
        for change in changes(&judged.chain, &now.chain).into_iter().take(looks) {
            looks -= 1;
            let mut chain = now.chain.clone();
            restore(
                change.key,
                &judged.chain.layers[change.layer],
                &mut chain.layers[change.layer],
            );
            // A cap below the first wait is no chain file.
            let layer = &chain.layers[change.layer];
            let readable = layer.max_delay.is_none_or(|cap| cap >= layer.base_delay);
            let without = now.revised(chain);
            if readable && without.findings.is_empty() {
                *now = without;
                taken = true;
            }
        }
    }
}

/// Gives the setting the value that it had.
fn restore(key: &str, before: &Layer, now: &mut Layer) {
    match key {
        "attempts" => now.attempts = before.attempts,
        "hedge" => now.hedge = before.hedge,
        "base_delay_ms" => now.base_delay = before.base_delay,
        "max_delay_ms" => now.max_delay = before.max_delay,
        "jitter" => now.jitter = before.jitter,
        "per_try_timeout_ms" => now.per_try_timeout = before.per_try_timeout,
        "deadline_ms" => now.deadline = before.deadline,
        "retry_on" => now.retry_on.clone_from(&before.retry_on),
        "respect_retry_after" => now.respect_retry_after = before.respect_retry_after,
        _ => now.max_retry_after = before.max_retry_after,
    }
}

/// Repeats first: what isn't retried needs no wait, no jitter and less time. Then waits, then limits.
fn next(judged: &Judged) -> Option<Code> {
    const ORDER: [Code; 12] = [
        Code::RetryUnsafe,
        Code::Amplification,
        Code::TooManyAttempts,
        Code::RetryOn4xx,
        Code::HotLoop,
        Code::NoJitter,
        Code::NoCap,
        Code::IgnoresRetryAfter,
        Code::NoPerTryTimeout,
        Code::InnerOutlivesCaller,
        Code::NoDeadline,
        Code::DeadlineTooShort,
    ];
    ORDER
        .into_iter()
        .find(|code| judged.findings.iter().any(|finding| finding.code == *code))
}

fn answer(code: Code, judged: &Judged, chain: &mut Chain) {
    match code {
        Code::Amplification => one_layer(chain),
        Code::InnerOutlivesCaller | Code::NoDeadline | Code::DeadlineTooShort | Code::NoPerTryTimeout => {
            nest(chain);
        }
        _ => {
            for finding in judged.findings.iter().filter(|finding| finding.code == code) {
                settle(code, &mut chain.layers[finding.layer]);
            }
        }
    }
}

fn settle(code: Code, layer: &mut Layer) {
    match code {
        Code::RetryUnsafe => {
            layer.attempts = Attempts::Count(1);
            layer.hedge = None;
        }
        Code::TooManyAttempts => layer.attempts = Attempts::Count(TRIES),
        Code::RetryOn4xx => layer.retry_on.retain(|condition| !condition.is_client_error()),
        Code::HotLoop => {
            layer.base_delay = layer.max_delay.map_or(BASE, |cap| cap.min(BASE)).max(TICK);
            layer.max_delay = layer.max_delay.map(|cap| cap.max(layer.base_delay));
            layer.jitter = Jitter::Full;
        }
        Code::NoJitter => layer.jitter = Jitter::Full,
        Code::NoCap => {
            // The longest wait that the tries reach anyway changes nothing; ten seconds are enough for the others.
            let reached = match layer.attempts {
                Attempts::Count(count) => bounds::delay(layer, count.max(2) - 1).1,
                Attempts::Unlimited => CAP,
            };
            layer.max_delay = Some(reached.min(CAP).max(layer.base_delay));
        }
        Code::IgnoresRetryAfter => {
            layer.respect_retry_after = true;
            // An honoured hint needs a bound, or the worst case has none.
            layer.max_retry_after = layer.max_retry_after.or(layer.max_delay).or(Some(CAP));
        }
        _ => {}
    }
}

/// One layer retries: the innermost that may. Where one layer alone passes the limit, it gets as many tries as fit.
fn one_layer(chain: &mut Chain) {
    let repeats = |layer: &Layer| layer.retries() || layer.hedge.is_some();
    let keep = chain
        .layers
        .iter()
        .rposition(|layer| layer.retries() && !layer.is_unsafe());
    for (index, layer) in chain.layers.iter_mut().enumerate() {
        if repeats(layer) && Some(index) != keep {
            layer.attempts = Attempts::Count(1);
            layer.hedge = None;
        }
    }
    let Some(keep) = keep else { return };
    let limit = chain.max_amplification;
    let layer = &mut chain.layers[keep];
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the limit is at least one, and floats above the range become its end"
    )]
    let most = (limit as u32).clamp(1, TRIES);
    if let Attempts::Count(count) = layer.attempts
        && f64::from(count) * f64::from(layer.hedge.map_or(1, |hedge| hedge.copies)) <= limit
    {
        return;
    }
    layer.hedge = None;
    layer.attempts = Attempts::Count(most);
}

/// Limits from outside to inside: each layer ends before its caller gives up, and leaves the next one what that needs.
fn nest(chain: &mut Chain) {
    let needs = needs(&chain.layers);
    let mut room: Option<Duration> = None;
    for (layer, inside) in chain.layers.iter_mut().zip(&needs[1..]) {
        let room_here = room.map(|room| room.saturating_sub(layer.margin).max(TICK));
        leave(layer, *inside);
        fit(layer, room_here, *inside);
        room = layer.patience().or(room_here);
    }
}

/// The least that a caller has to wait for each layer: the way there and back, and a moment of each below it. One more, for
/// what the last layer waits for.
fn needs(layers: &[Layer]) -> Vec<Duration> {
    let mut needs = vec![Duration::ZERO];
    let mut inside = Duration::ZERO;
    for layer in layers.iter().rev() {
        let moment = layer.patience().map_or(TICK, |patience| patience.min(TICK));
        inside = layer
            .margin
            .saturating_add(least_deadline(layer, inside.max(moment)));
        needs.push(inside);
    }
    needs.reverse();
    needs
}

/// The least deadline of a layer whose tries take `each`.
fn least_deadline(layer: &Layer, each: Duration) -> Duration {
    if layer.retries() {
        each.saturating_mul(2).saturating_add(bounds::delay(layer, 1).0)
    } else {
        each
    }
}

/// Raises limits that don't leave `inside` to what is called.
fn leave(layer: &mut Layer, inside: Duration) {
    layer.per_try_timeout = layer.per_try_timeout.map(|per_try| per_try.max(inside));
    if layer.patience().is_some_and(|patience| patience < inside) {
        let least = least_deadline(layer, inside);
        layer.deadline = layer.deadline.map(|deadline| deadline.max(least));
    }
}

/// Bounds `layer` by `room`, if its caller leaves any bound; each try has at least `inside`.
fn fit(layer: &mut Layer, room: Option<Duration>, inside: Duration) {
    let fits = |layer: &Layer| {
        let worst = bounds::bounds(layer).worst;
        match (worst, room) {
            (Some(worst), Some(room)) => worst <= room,
            (worst, _) => worst.is_some(),
        }
    };
    if !fits(layer) {
        layer.deadline = match (layer.deadline, room) {
            (Some(deadline), Some(room)) => Some(deadline.min(room)),
            (deadline, room) => deadline.or(room),
        };
    }
    let waits = bounds::delay_total(layer).unwrap_or(Duration::ZERO);
    let tries = match layer.attempts {
        Attempts::Count(count) => count,
        Attempts::Unlimited => TRIES,
    };
    let least = bounds::delay(layer, 1).0;
    let starts_again = |per_try: Duration, deadline| per_try.saturating_add(least) < deadline;
    match (layer.per_try_timeout, layer.deadline) {
        (None, None) => layer.per_try_timeout = Some(PER_TRY.max(inside)),
        (Some(per_try), Some(deadline)) if !layer.retries() && per_try > deadline => {
            layer.per_try_timeout = Some(deadline);
        }
        (per_try, Some(deadline))
            if layer.retries() && !per_try.is_some_and(|per_try| starts_again(per_try, deadline)) =>
        {
            let each = share(deadline, waits, tries);
            let half = deadline.saturating_sub(least) / 2;
            if half.is_zero() || half < inside {
                // The shortest wait leaves no time for a second try.
                layer.attempts = Attempts::Count(1);
                layer.per_try_timeout = per_try.map(|per_try| per_try.min(deadline));
            } else {
                layer.per_try_timeout = Some(each.min(half).max(inside));
            }
        }
        _ => {}
    }
    if layer.retries() && layer.deadline.is_none() {
        layer.deadline = match (bounds::bounds(layer).worst, room) {
            (Some(worst), Some(room)) => Some(worst.min(room)),
            (worst, room) => worst
                .or(room)
                .or(Some(PER_TRY.saturating_mul(tries).saturating_add(waits))),
        };
    }
}

/// What each of the tries has of `deadline`, the waits taken off; where those take all of it, as if there were none.
fn share(deadline: Duration, waits: Duration, tries: u32) -> Duration {
    let each = deadline.saturating_sub(waits) / tries;
    whole_millis(if each < TICK { deadline / tries } else { each })
}

/// Whole milliseconds where there are some.
fn whole_millis(time: Duration) -> Duration {
    match u64::try_from(time.as_millis()) {
        Ok(millis) if millis > 0 => Duration::from_millis(millis),
        _ => time.max(Duration::from_nanos(1)),
    }
}

fn changes(before: &Chain, after: &Chain) -> Vec<Change> {
    let mut changes = Vec::new();
    for (index, (before, after)) in before.layers.iter().zip(&after.layers).enumerate() {
        let (before, after) = (settings(before), settings(after));
        for ((key, before), (_, after)) in before.into_iter().zip(after) {
            if before != after {
                changes.push(Change {
                    layer: index,
                    key,
                    before,
                    after,
                });
            }
        }
    }
    changes
}

fn settings(layer: &Layer) -> [(&'static str, String); 10] {
    let time = |time: Option<Duration>| time.map_or_else(String::new, words::time);
    let list: Vec<String> = layer.retry_on.iter().map(words::condition).collect();
    let hedge = layer
        .hedge
        .map_or_else(String::new, |hedge| format!("{} copies", hedge.copies));
    [
        ("attempts", words::attempts(layer.attempts)),
        ("hedge", hedge),
        ("base_delay_ms", words::time(layer.base_delay)),
        ("max_delay_ms", time(layer.max_delay)),
        ("jitter", words::jitter(layer.jitter)),
        ("per_try_timeout_ms", time(layer.per_try_timeout)),
        ("deadline_ms", time(layer.deadline)),
        ("retry_on", list.join(", ")),
        ("respect_retry_after", layer.respect_retry_after.to_string()),
        ("max_retry_after_ms", time(layer.max_retry_after)),
    ]
}
