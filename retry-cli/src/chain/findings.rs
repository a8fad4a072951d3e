//! What is wrong with a chain: the codes, their severities, and when each stands.

use std::time::Duration;

use serde::Serialize;

use super::bounds;
use super::figures::{Amount, Figures, LayerFigures};
use super::model::{Attempts, Chain, Condition, Jitter, Layer};
use crate::report::words;

/// How bad it is; `High` decides the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth a look.
    Low,
    /// Hurts in an outage.
    Medium,
    /// Makes or lengthens an outage.
    High,
}

impl Severity {
    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Medium => "medium",
            Self::Low => "low",
        }
    }
}

/// The name of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[allow(missing_docs, reason = "`about` says what each is")]
pub enum Code {
    InnerOutlivesCaller,
    RetryUnsafe,
    Amplification,
    HotLoop,
    NoPerTryTimeout,
    #[serde(rename = "RETRY_ON_4XX")]
    RetryOn4xx,
    NoJitter,
    NoCap,
    IgnoresRetryAfter,
    NoDeadline,
    DeadlineTooShort,
    TooManyAttempts,
}

impl Code {
    /// All, the strongest first.
    pub const ALL: [Self; 12] = [
        Self::InnerOutlivesCaller,
        Self::RetryUnsafe,
        Self::Amplification,
        Self::HotLoop,
        Self::NoPerTryTimeout,
        Self::RetryOn4xx,
        Self::NoJitter,
        Self::NoCap,
        Self::IgnoresRetryAfter,
        Self::NoDeadline,
        Self::DeadlineTooShort,
        Self::TooManyAttempts,
    ];

    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::InnerOutlivesCaller => "INNER_OUTLIVES_CALLER",
            Self::RetryUnsafe => "RETRY_UNSAFE",
            Self::Amplification => "AMPLIFICATION",
            Self::HotLoop => "HOT_LOOP",
            Self::NoPerTryTimeout => "NO_PER_TRY_TIMEOUT",
            Self::RetryOn4xx => "RETRY_ON_4XX",
            Self::NoJitter => "NO_JITTER",
            Self::NoCap => "NO_CAP",
            Self::IgnoresRetryAfter => "IGNORES_RETRY_AFTER",
            Self::NoDeadline => "NO_DEADLINE",
            Self::DeadlineTooShort => "DEADLINE_TOO_SHORT",
            Self::TooManyAttempts => "TOO_MANY_ATTEMPTS",
        }
    }

    /// How bad it is.
    #[must_use]
    pub fn severity(self) -> Severity {
        match self {
            Self::InnerOutlivesCaller
            | Self::RetryUnsafe
            | Self::Amplification
            | Self::HotLoop
            | Self::NoPerTryTimeout => Severity::High,
            Self::TooManyAttempts => Severity::Low,
            _ => Severity::Medium,
        }
    }

    /// What it means, in one sentence.
    #[must_use]
    pub fn about(self) -> &'static str {
        match self {
            Self::InnerOutlivesCaller => {
                "The called service can still be working when its caller has given up."
            }
            Self::RetryUnsafe => {
                "An operation that isn't idempotent is sent again without an idempotency key."
            }
            Self::Amplification => {
                "One request from outside can cause more calls inside than the chain allows."
            }
            Self::HotLoop => "More than two retries follow each other without any wait.",
            Self::NoPerTryTimeout => "One try that hangs takes all the time there is.",
            Self::RetryOn4xx => "A client error comes again however often the request is sent.",
            Self::NoJitter => "Clients that fail together come back together.",
            Self::NoCap => "The waits grow without a longest one.",
            Self::IgnoresRetryAfter => "The server says when to come back, and nobody listens.",
            Self::NoDeadline => "Nothing bounds all tries and waits together.",
            Self::DeadlineTooShort => "The deadline cuts the first try, or leaves no time for a second.",
            Self::TooManyAttempts => "More than five tries rarely succeed where five did not.",
        }
    }
}

/// Something that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Its name.
    pub code: Code,
    /// The index of the layer.
    pub layer: usize,
    /// The sentence, with the figures.
    pub detail: String,
}

/// More tries than this are too many.
const MANY: u64 = 5;

/// All findings, by layer and there the worst first.
#[must_use]
pub fn findings(chain: &Chain, figures: &Figures) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut amplified = false;
    for (index, (layer, its)) in chain.layers.iter().zip(&figures.layers).enumerate() {
        let mut add = |code, detail: String| {
            found.push(Finding {
                code,
                layer: index,
                detail,
            });
        };
        settings(layer, its, &mut add);
        if let Some(detail) = index
            .checked_sub(1)
            .and_then(|outer| outlives(&chain.layers[..=outer], layer, its))
        {
            add(Code::InnerOutlivesCaller, detail);
        }
        // One cause, one finding: it stands where the limit is passed, not again on all that follows.
        if !amplified && its.sustained_amplification > chain.max_amplification {
            amplified = true;
            add(Code::Amplification, amplification(chain, its));
        }
    }
    found.sort_by_key(|finding| (finding.layer, std::cmp::Reverse(finding.code.severity())));
    found
}

fn settings(layer: &Layer, figures: &LayerFigures, add: &mut impl FnMut(Code, String)) {
    let retries = layer.retries();
    let waits = !layer.base_delay.is_zero();
    if retries && waits && layer.jitter == Jitter::None {
        add(
            Code::NoJitter,
            "every client waits the same; use full jitter".to_owned(),
        );
    }
    let grows = bounds::grows(layer);
    let more_than = |n: u32| match layer.attempts {
        Attempts::Count(count) => count > n,
        Attempts::Unlimited => true,
    };
    if waits && grows && layer.max_delay.is_none() && more_than(2) {
        let detail = match layer.waits() {
            Some(waits) => format!(
                "wait {waits} may take {}; set `max_delay_ms`",
                words::time(bounds::delay(layer, waits).1)
            ),
            None => "set `max_delay_ms`, as there is no last try".to_owned(),
        };
        add(Code::NoCap, detail);
    }
    if !waits && more_than(3) {
        add(
            Code::HotLoop,
            format!(
                "{} tries, one at the end of the other; set `base_delay_ms`",
                words::attempts(layer.attempts)
            ),
        );
    }
    if layer.per_try_timeout.is_none() && (retries || layer.deadline.is_none()) {
        let detail = match layer.deadline {
            Some(deadline) => format!(
                "one hung try takes the whole {}, and no retry follows",
                words::time(deadline)
            ),
            None => "one hung try never ends".to_owned(),
        };
        add(Code::NoPerTryTimeout, detail);
    }
    if retries && layer.deadline.is_none() {
        let detail = match figures.worst {
            Some(worst) => format!("they may take {}; set `deadline_ms`", words::time(worst)),
            None => "they may never end; set `deadline_ms`".to_owned(),
        };
        add(Code::NoDeadline, detail);
    }
    if let Some(detail) = too_short(layer) {
        add(Code::DeadlineTooShort, detail);
    }
    let hedged = layer.hedge.is_some_and(|hedge| hedge.copies > 1);
    if (retries || hedged) && layer.is_unsafe() {
        let times = figures
            .tries
            .map_or_else(|| "without end".to_owned(), |tries| format!("{tries} times"));
        add(
            Code::RetryUnsafe,
            format!("one call may do it {times}; send an idempotency key, or try once"),
        );
    }
    let listed = |of: fn(&Condition) -> bool| {
        let all: Vec<String> = layer
            .retry_on
            .iter()
            .filter(|c| of(c))
            .map(words::condition)
            .collect();
        all.join(", ")
    };
    let client_errors = listed(Condition::is_client_error);
    if retries && !client_errors.is_empty() {
        add(
            Code::RetryOn4xx,
            format!("{client_errors} is retried; take it out of `retry_on`"),
        );
    }
    let hints = listed(Condition::brings_hint);
    if retries && !layer.respect_retry_after && !hints.is_empty() {
        add(
            Code::IgnoresRetryAfter,
            format!("{hints} may say when to come back"),
        );
    }
    if more_than(5) {
        add(
            Code::TooManyAttempts,
            format!("{} tries; use {MANY} or fewer", words::attempts(layer.attempts)),
        );
    }
}

fn too_short(layer: &Layer) -> Option<String> {
    let (per_try, deadline) = (layer.per_try_timeout?, layer.deadline?);
    if deadline < per_try {
        return Some(format!(
            "the deadline of {} ends before the first try's {}",
            words::time(deadline),
            words::time(per_try)
        ));
    }
    let second = per_try.saturating_add(bounds::delay(layer, 1).0);
    (layer.retries() && second >= deadline).then(|| {
        format!(
            "after a first try of {} a second can't start before the deadline of {}",
            words::time(per_try),
            words::time(deadline)
        )
    })
}

/// The nearest caller that gives up at all, and whether this layer can still be working then.
fn outlives(callers: &[Layer], layer: &Layer, figures: &LayerFigures) -> Option<String> {
    let caller = callers.last()?;
    let patience = caller.patience()?;
    let (Some(worst), margin) = (figures.worst, layer.margin) else {
        return Some(format!(
            "no worst case, while {} gives up after {}",
            words::quoted(&caller.name),
            words::time(patience)
        ));
    };
    let end = worst.saturating_add(margin);
    (end > patience).then(|| {
        let margin = if margin == Duration::ZERO {
            String::new()
        } else {
            format!(" and {} on the way", words::time(margin))
        };
        format!(
            "may work for {}{margin}, while {} gives up after {}",
            words::time(worst),
            words::quoted(&caller.name),
            words::time(patience)
        )
    })
}

fn amplification(chain: &Chain, figures: &LayerFigures) -> String {
    let limit = words::number(chain.max_amplification);
    match &figures.worst_amplification {
        Amount::Unbounded => format!("calls without bound for one request; the limit is {limit}"),
        amount => {
            let sustained = figures.sustained_amplification;
            let budgets = if sustained < amount.float() {
                format!(" ({} in a long outage, by the budgets)", words::number(sustained))
            } else {
                String::new()
            };
            format!(
                "up to {} calls for one request{budgets}; the limit is {limit}",
                words::amount(amount)
            )
        }
    }
}
