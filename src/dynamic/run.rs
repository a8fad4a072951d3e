//! The interpreter: each node as generated code runs it, made of the runtime's own parts.
//!
//! A *path* is a future in which one thing runs at a time: the run itself, a branch, a copy. It has its own `last` error. A node
//! is told when it starts and by when it ends, and gives its value or how it fell.

use std::future::Future;
use std::pin::{Pin, pin};

use retry_runtime::__in_span as in_span;
use retry_runtime::budget::Trial;
use retry_runtime::called::{self, called};
use retry_runtime::course::Strict;
use retry_runtime::fall::{Fall, Fell};
use retry_runtime::hedge::Counted;
use retry_runtime::hook::earlier;
use retry_runtime::observer::{self, Watch};
use retry_runtime::parallel::parallel;
use retry_runtime::race::race;
use retry_runtime::retry::Tries;
use retry_runtime::scope::allowing;
use retry_runtime::timer::{Alarm, Timer};
use retry_runtime::{Attempt, Budget, End, Failure, IdempotencyKey, Repeat, Retrying, Stop};

use super::chain::Chain;
use super::output::Output;
use super::program::{COPIES, Hedge, Kind, Leaf, Program, Retry, Step};

/// A whole run.
pub(super) async fn run<T, E, Op, Fut>(
    program: &Program<T, E>,
    key: Option<IdempotencyKey>,
    operation: Op,
) -> Result<Output<T>, Failure<E>>
where
    T: Send,
    E: Send,
    Op: Fn(&'static str, Attempt) -> Fut + Send + Sync,
    Fut: Future<Output = Result<T, E>> + Send,
{
    in_span!(program.name, {
        let timer = Timer::new(program.name, Strict);
        let alarm = pin!(Alarm::new());
        let run = Run {
            policy: program.name,
            timer: &timer,
            operation: &operation,
            key: key.or_else(|| wants_key(&program.root).then(IdempotencyKey::random)),
        };
        let place = Place {
            end: timer.limit(),
            number: 1,
            of: 1,
            copy: 1,
        };
        let path = run.path(&program.root, place);
        let ended = timer.drive(alarm, path).await;
        timer.ended(&ended);
        ended.map_err(|fall| timer.failure(fall))
    })
}

fn wants_key<T, E>(step: &Step<T, E>) -> bool {
    matches!(step.kind, Kind::Leaf(Leaf { key: true, .. })) || step.children.iter().any(wants_key)
}

/// Where a node stands.
#[derive(Clone, Copy)]
struct Place {
    /// The earliest enclosing limit.
    end: u64,
    /// The attempt of the nearest retry, of how many.
    number: u32,
    of: u32,
    /// The copy of the nearest hedge.
    copy: u32,
}

struct Run<'r, Op> {
    /// The policy's name, for observers.
    policy: &'static str,
    timer: &'r Timer,
    operation: &'r Op,
    key: Option<IdempotencyKey>,
}

/// A node that runs.
type Running<'f, T> = Pin<Box<dyn Future<Output = Result<Output<T>, Fell>> + Send + 'f>>;

impl<Op> Run<'_, Op> {
    /// A path of its own, that starts where it is first polled.
    async fn path<T, E, Fut>(&self, step: &Step<T, E>, place: Place) -> Result<Output<T>, Fall<E>>
    where
        T: Send,
        E: Send,
        Op: Fn(&'static str, Attempt) -> Fut + Send + Sync,
        Fut: Future<Output = Result<T, E>> + Send,
    {
        self.path_from(step, place, self.timer.now()).await
    }

    /// A path of its own, that starts at this time.
    async fn path_from<T, E, Fut>(
        &self,
        step: &Step<T, E>,
        place: Place,
        now: u64,
    ) -> Result<Output<T>, Fall<E>>
    where
        T: Send,
        E: Send,
        Op: Fn(&'static str, Attempt) -> Fut + Send + Sync,
        Fut: Future<Output = Result<T, E>> + Send,
    {
        let mut last = None;
        let ended = self.node(step, place, now, &mut last).await;
        ended.map_err(|fell| Fall::new(fell, last))
    }

    fn node<'f, T, E, Fut>(
        &'f self,
        step: &'f Step<T, E>,
        place: Place,
        now: u64,
        last: &'f mut Option<E>,
    ) -> Running<'f, T>
    where
        T: Send,
        E: Send,
        Op: Fn(&'static str, Attempt) -> Fut + Send + Sync,
        Fut: Future<Output = Result<T, E>> + Send + 'f,
    {
        let outer = place.end;
        Box::pin(async move {
            match &step.kind {
                Kind::Leaf(leaf) => self.leaf(leaf, place, now, last).await,
                Kind::Timeout(limit) => {
                    let own = now.wrapping_add(*limit);
                    let end = earlier(own, outer);
                    let inside = self.node(&step.children[0], Place { end, ..place }, now, last);
                    inside.await.map_err(|fell| fell.through_timeout(own, outer))
                }
                Kind::Deadline(own) => {
                    let end = earlier(*own, outer);
                    let inside = self.node(&step.children[0], Place { end, ..place }, now, last);
                    inside.await.map_err(|fell| fell.through_deadline(*own, outer))
                }
                Kind::Retry(retry) => self.retry(retry, &step.children[0], place, now, last).await,
                Kind::Hedge(hedge) => self.hedge(hedge, &step.children[0], place, now, last).await,
                Kind::Allowance { budget, limit } => {
                    let inside = allowing(budget, *limit, self.path(&step.children[0], place));
                    inside.await.map_err(|fall| fall.merge(last))
                }
                Kind::Series => {
                    let mut values = Vec::with_capacity(step.children.len());
                    for (at, child) in step.children.iter().enumerate() {
                        let now = if at > 0 { self.timer.now() } else { now };
                        values.push((child.name, self.node(child, place, now, last).await?));
                    }
                    Ok(Output::Each(values))
                }
                Kind::Fallback => {
                    let mut fell = Fell::FAILED;
                    for (at, child) in step.children.iter().enumerate() {
                        let now = if at > 0 { self.timer.now() } else { now };
                        fell = match self.node(child, place, now, last).await {
                            Err(fell) if !fell.unwinds() => fell,
                            ended => return self.won(at, ended),
                        };
                    }
                    Err(fell)
                }
                Kind::Parallel => {
                    let branches = step.children.iter().map(|child| self.path(child, place));
                    let values = parallel(Chain::of(branches)).await;
                    let values = values.map_err(|fall| fall.merge(last))?;
                    let names = step.children.iter().map(|child| child.name);
                    Ok(Output::Each(names.zip(values).collect()))
                }
                Kind::Race => {
                    let branches = step.children.iter().enumerate();
                    let branches = branches
                        .map(|(at, child)| async move { self.won(at, self.path(child, place).await) });
                    let won = race(Chain::of(branches)).await;
                    won.map_err(|fall| fall.merge(last))
                }
            }
        })
    }

    /// What the branch at `place` of a race or a fallback came to, its win told.
    fn won<T, F>(&self, place: usize, ended: Result<T, F>) -> Result<T, F> {
        if ended.is_ok() {
            observer::won(self.policy, u32::try_from(place + 1).unwrap_or(u32::MAX));
        }
        ended
    }

    async fn leaf<T, E, Fut>(
        &self,
        leaf: &Leaf,
        place: Place,
        now: u64,
        last: &mut Option<E>,
    ) -> Result<Output<T>, Fell>
    where
        Op: Fn(&'static str, Attempt) -> Fut,
        Fut: Future<Output = Result<T, E>>,
    {
        let outer = place.end;
        let own = leaf.bound.map(|bound| now.wrapping_add(bound));
        let end = own.map_or(outer, |own| earlier(own, outer));
        let key = if leaf.key { self.key } else { None };
        let attempt = self
            .timer
            .attempt(now, end, place.number, place.of, place.copy, key);
        let answer = match attempt {
            Ok(attempt) => {
                let watch = Watch::starts(&leaf.site, attempt);
                let answer = self
                    .timer
                    .leaf(end, called((self.operation)(leaf.site.leaf, attempt)))
                    .await;
                watch.ended(answer)
            }
            Err(fell) => Err(fell),
        };
        match answer {
            Ok(Ok(value)) => Ok(Output::One(value)),
            Ok(Err(error)) => {
                *last = Some(error);
                Err(if leaf.call { called::fell() } else { Fell::FAILED })
            }
            Err(fell) => Err(own.map_or(fell, |own| fell.through_timeout(own, outer))),
        }
    }

    async fn retry<T, E, Fut>(
        &self,
        retry: &Retry<T, E>,
        child: &Step<T, E>,
        place: Place,
        mut now: u64,
        last: &mut Option<E>,
    ) -> Result<Output<T>, Fell>
    where
        T: Send,
        E: Send,
        Op: Fn(&'static str, Attempt) -> Fut + Send + Sync,
        Fut: Future<Output = Result<T, E>> + Send,
    {
        let (timer, end, spec) = (self.timer, place.end, retry.spec());
        let mut tries = Tries::<u64>::new();
        let mut trial = match retry.budget {
            None => None,
            Some(budget) => {
                timer.admits(now, end)?;
                Some(Trial::first(move || budget))
            }
        };
        loop {
            let inside = Place {
                number: tries.number(),
                of: spec.of_attempts(),
                ..place
            };
            let fell = match self.node(child, inside, now, last).await {
                Ok(value) => {
                    if let Some(trial) = &mut trial {
                        trial.succeeded();
                    }
                    if is_there(retry, &value) {
                        return Ok(value);
                    }
                    *last = None;
                    Fell::NOT_YET
                }
                Err(fell) => fell,
            };
            now = timer.now();
            let error = match fell {
                Fell::Failed(_) => last.as_ref(),
                _ => None,
            };
            let hint = match (&retry.hint, error) {
                (Some(read), Some(error)) => read(error),
                _ => None,
            };
            if let Some(trial) = &mut trial {
                trial.ended(fell.end(hint.is_some()));
            }
            if let Some(fell) = spec.ends(tries, fell) {
                return Err(fell);
            }
            if let (Some(when), Some(error)) = (&retry.when, error)
                && !when(error)
            {
                return Err(fell.because(Stop::NotRetryable));
            }
            let wait = spec.wait(self.policy, &mut tries, now, end, hint, fell)?;
            if let Some(trial) = &mut trial
                && !trial.admit(fell.repeat())
            {
                observer::refused(self.policy, tries.number(), Stop::BudgetRefused);
                return Err(fell.because(Stop::BudgetRefused));
            }
            observer::waits(self.policy, tries.number(), wait, hint);
            if let Some(hook) = &retry.told {
                hook(Retrying::new(tries.number(), fell, last.as_ref(), wait));
            }
            if wait > 0 {
                now = timer.pause(now, wait).await?;
            }
            if retry.unlimited() {
                timer.breathe(tries).await;
                now = timer.now();
            }
            spec.waited(self.policy, tries, now, end, fell)?;
            if let Some(trial) = &mut trial {
                // A repeat that can't start gives back what was paid for it.
                timer.admits(now, end)?;
                trial.again();
            }
            tries.next();
        }
    }

    async fn hedge<T, E, Fut>(
        &self,
        hedge: &Hedge,
        child: &Step<T, E>,
        place: Place,
        now: u64,
        last: &mut Option<E>,
    ) -> Result<Output<T>, Fell>
    where
        T: Send,
        E: Send,
        Op: Fn(&'static str, Attempt) -> Fut + Send + Sync,
        Fut: Future<Output = Result<T, E>> + Send,
    {
        let launch = |copy, now| self.path_from(child, Place { copy, ..place }, now);
        let pays = |counted| hedge.budget.is_none_or(|budget| pays(budget, counted));
        let (timer, spec) = (self.timer, &hedge.spec);
        let copies = timer.hedge::<COPIES, _, _, _, _, _>(self.policy, now, place.end, spec, launch, pays);
        copies.await.map_err(|fall| fall.merge(last))
    }
}

/// Counts what a hedge tells; whether another copy is paid for.
fn pays(budget: &'static Budget, counted: Counted) -> bool {
    match counted {
        Counted::First => budget.request(),
        Counted::Won => budget.succeeded(0),
        Counted::Lost(fell) => budget.record(fell.end(false)),
        Counted::Dropped => budget.record(End::Cancelled),
        Counted::Again => return budget.spend(Repeat::Hedge),
    }
    true
}

/// A composition's value is there when all its values are.
fn is_there<T, E>(retry: &Retry<T, E>, value: &Output<T>) -> bool {
    match (&retry.until, value) {
        (None, _) => true,
        (Some(until), Output::One(value)) => until(value),
        (_, Output::Each(all)) => all.iter().all(|(_, value)| is_there(retry, value)),
    }
}
