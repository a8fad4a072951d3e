//! A policy written by hand: these tests speak of the edges, whoever runs the policy.

use std::future::Future;
use std::time::Duration;

use retry_plan::http::Failed;
use retry_plan::{Attempt, Failure, IdempotencyKey, Scope, SingleLeaf, Stop};
use retry_planner::{self as planner, Backoff, Count, Jitter, Kind, Levels, Node, Policy, Range};
use retry_runtime::scope::Limit;
use tokio::time::Instant;

/// `deadline(LIMIT ms) { retry(attempts = ATTEMPTS, backoff = fixed(WAIT), retry_after, retry_after_max = 1s) {
/// attempt(BOUND ms) } }`, with `idempotency_key` where `KEY`.
pub(crate) struct Hand<const ATTEMPTS: u32, const BOUND: u64, const LIMIT: u64, const KEY: bool = false>;

const WAIT: Duration = Duration::from_millis(5);
const LONGEST_HINT: Duration = Duration::from_millis(1500);

/// What a policy's hooks would ask of an error.
pub(crate) trait Hints {
    fn hint(&self) -> Option<Duration>;
    fn retryable(&self) -> bool {
        true
    }
}

impl Hints for Failed {
    fn hint(&self) -> Option<Duration> {
        self.retry_after()
    }
}

impl Hints for tonic::Status {
    fn hint(&self) -> Option<Duration> {
        retry_plan::tonic::pushback(self)
    }

    fn retryable(&self) -> bool {
        retry_plan::tonic::may_retry(self)
    }
}

const fn exact(ms: u64) -> Range {
    Range::exact(Duration::from_millis(ms))
}

impl<const ATTEMPTS: u32, const BOUND: u64, const LIMIT: u64, const KEY: bool>
    Hand<ATTEMPTS, BOUND, LIMIT, KEY>
{
    const NODES: &[Node<'static>] = &[
        Node {
            name: "",
            size: 3,
            levels: Levels::DEFAULT,
            kind: Kind::Deadline(exact(LIMIT)),
        },
        Node {
            name: "",
            size: 2,
            levels: Levels::DEFAULT,
            kind: Kind::Retry(planner::Retry {
                attempts: planner::Attempts::Exactly(Count::exact(ATTEMPTS)),
                backoff: Backoff::Fixed(Range::exact(WAIT)),
                jitter: Some(Jitter::None),
                budget: None,
                when: true,
                until: false,
                stop_on_timeout: false,
                hint: Some(planner::Hint {
                    max: Some(Range::exact(LONGEST_HINT)),
                }),
            }),
        },
        Node {
            name: "",
            size: 1,
            levels: Levels::DEFAULT,
            kind: Kind::Attempt(planner::Attempt {
                bound: Some(exact(BOUND)),
                takes: None,
                idempotent: true,
                key: KEY,
            }),
        },
    ];
}

impl<T, E: Hints, const ATTEMPTS: u32, const BOUND: u64, const LIMIT: u64, const KEY: bool> SingleLeaf<T, E>
    for Hand<ATTEMPTS, BOUND, LIMIT, KEY>
{
    const TREE: Policy<'static> = Policy {
        name: "Hand",
        nodes: Self::NODES,
    };

    async fn run_single<Op, Fut>(operation: Op) -> Result<T, Failure<E>>
    where
        Op: Fn(Attempt) -> Fut + Send + Sync,
        Fut: Future<Output = Result<T, E>> + Send,
        T: Send,
        E: Send,
    {
        let begun = Instant::now();
        let scope = Scope::current().within(Duration::from_millis(LIMIT));
        let end = scope.deadline().expect("it has just got one");
        let key = KEY.then(IdempotencyKey::random);
        let failure = |stop, last, attempts| Failure {
            stop,
            last,
            attempts,
            elapsed: begun.elapsed(),
        };
        let mut last = None;
        for number in 1..=ATTEMPTS {
            if Instant::now() >= end {
                return Err(failure(Stop::DeadlineExceeded, last, number - 1));
            }
            let bound = (Instant::now() + Duration::from_millis(BOUND)).min(end);
            let attempt = Attempt::new(number, ATTEMPTS, 1, Limit::At(bound), key);
            let run = Scope::new().until(bound).run(operation(attempt));
            let mut wait = WAIT;
            match tokio::time::timeout_at(bound, run).await {
                Ok(Ok(value)) => return Ok(value),
                Ok(Err(error)) => {
                    let (hint, retryable) = (error.hint().unwrap_or_default(), error.retryable());
                    last = Some(error);
                    wait = wait.max(hint);
                    if !retryable {
                        return Err(failure(Stop::NotRetryable, last, number));
                    }
                    if hint > LONGEST_HINT {
                        return Err(failure(Stop::WontFit, last, number));
                    }
                }
                Err(_) if bound == end => return Err(failure(Stop::DeadlineExceeded, last, number)),
                Err(_) => {}
            }
            if number == ATTEMPTS {
                return Err(failure(Stop::Exhausted, last, number));
            }
            if !Scope::current().allows_repeats() {
                return Err(failure(Stop::NotRetryable, last, number));
            }
            if Instant::now() + wait >= end {
                return Err(failure(Stop::WontFit, last, number));
            }
            tokio::time::sleep(wait).await;
        }
        unreachable!("the last attempt returns")
    }
}
