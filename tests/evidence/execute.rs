//! One run: a policy under a script, held against the figures.

use std::fmt::Write;
use std::future::{Future, pending};
use std::pin::Pin;
use std::sync::Mutex;
use std::time::Duration;

use retry_plan::{Attempt, Failure, testing};
use tokio::time::{Instant, sleep};

use crate::aim::Tried;
use crate::case::{Budgets, Case, Figures};
use crate::script::{Act, Acting, Draws, Next, Oops, Script};

/// What happened in a run, times in nanoseconds since it began.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) succeeded: bool,
    pub(crate) end: u128,
    /// Of each leaf.
    pub(crate) calls: Vec<u64>,
    /// Of all leaves, those of callees in place of the calls that ran them.
    pub(crate) all_calls: u64,
    /// The time of all calls together.
    pub(crate) work: u128,
    /// To K and J.
    pub(crate) charges: [u64; 2],
    pub(crate) trace: Vec<String>,
}

/// A run on its way.
pub(crate) type Running<'w> = Pin<Box<dyn Future<Output = Result<(), Failure<Oops>>> + Send + 'w>>;

pub(crate) struct Watched<'c> {
    case: &'c Case,
    script: Script,
    began: Instant,
    state: Mutex<State>,
    traced: bool,
    /// Whether what the macro compiled is run, and not what was loaded.
    compiled: bool,
}

struct State {
    acting: Acting,
    calls: Vec<u64>,
    all_calls: u64,
    work: u128,
    trace: Vec<String>,
}

impl<'c> Watched<'c> {
    pub(crate) fn new(case: &'c Case, script: Script, traced: bool) -> Self {
        Self {
            case,
            script,
            began: Instant::now(),
            state: Mutex::new(State {
                acting: Acting::new(case, script),
                calls: vec![0; case.leaves.len()],
                all_calls: 0,
                work: 0,
                trace: Vec::new(),
            }),
            traced,
            compiled: false,
        }
    }

    /// The same for what the macro compiled.
    pub(crate) fn compiled(self) -> Self {
        Self {
            compiled: true,
            ..self
        }
    }

    async fn run(&self) -> bool {
        self.detailed().await.is_ok()
    }

    pub(crate) async fn detailed(&self) -> Result<(), Failure<Oops>> {
        if self.compiled {
            let run = self.case.compiled.expect("it was compiled");
            return run(self).await;
        }
        let operation = async |name: &'static str, attempt: Attempt| self.call(name, attempt).await;
        self.case.policy.run_detailed(operation).await.map(drop)
    }

    /// Runs the policy that the case loaded, for the error alone.
    pub(crate) async fn loaded(&self) -> Result<(), Oops> {
        let operation = async |name: &'static str, attempt: Attempt| self.call(name, attempt).await;
        self.case.policy.run(operation).await.map(drop)
    }

    /// What was seen so far, but for what a budget has counted.
    pub(crate) fn told(&self) -> Told {
        let state = self.state.lock().unwrap();
        Told {
            succeeded: false,
            end: self.began.elapsed().as_nanos(),
            calls: state.calls.clone(),
            all_calls: state.all_calls,
            work: state.work,
            charges: [0; 2],
            trace: state.trace.clone(),
        }
    }

    /// The operation of the only leaf.
    pub(crate) async fn only(&self, attempt: Attempt) -> Result<bool, Oops> {
        self.call(self.case.leaves[0].name, attempt).await
    }

    /// The operation of the leaf of that name.
    pub(crate) async fn call(&self, name: &'static str, attempt: Attempt) -> Result<bool, Oops> {
        let leaves = &self.case.leaves;
        let at = leaves
            .iter()
            .position(|leaf| leaf.name == name)
            .expect("a leaf of the policy");
        let next = {
            let mut state = self.state.lock().unwrap();
            state.calls[at] += 1;
            assert!(
                state.calls[at] < 10_000,
                "a run without an end: {}",
                self.case.text()
            );
            let now = u64::try_from(self.began.elapsed().as_millis()).expect("short");
            let tried = Tried {
                attempt: attempt.number(),
                copy: attempt.copy(),
            };
            state.acting.next(self.case, at, now, tried)
        };
        let out = Out {
            watched: self,
            began: Instant::now(),
            counts: matches!(next, Next::Act(_)),
            name,
        };
        if self.traced {
            let told = match &next {
                Next::Act(act) => format!("{act:?}"),
                Next::Call(script, _) => format!("{script:?}"),
            };
            self.note(format!("{name} {attempt} starts: {told}"));
        }
        let ended = match next {
            Next::Act(Act::Hang) => pending().await,
            Next::Act(Act::End(0, ended)) => ended,
            Next::Act(Act::End(after, ended)) => {
                sleep(Duration::from_millis(after)).await;
                ended
            }
            Next::Call(script, oops) => self.callee(at, script, oops).await,
        };
        drop(out);
        ended
    }

    fn callee(
        &self,
        at: usize,
        script: Script,
        oops: Oops,
    ) -> Pin<Box<dyn Future<Output = Result<bool, Oops>> + Send + '_>> {
        Box::pin(async move {
            let callee = self.case.leaves[at].callee.as_ref().expect("a call has a callee");
            let inner = Inner {
                of: self,
                watched: Watched {
                    compiled: self.compiled,
                    ..Watched::new(callee, script, false)
                },
            };
            if inner.watched.run().await {
                Ok(true)
            } else {
                Err(oops)
            }
        })
    }

    fn note(&self, what: String) {
        let mut line = format!("{:>6} ms  ", self.began.elapsed().as_millis());
        line.push_str(&what);
        self.state.lock().unwrap().trace.push(line);
    }
}

/// A run inside of a call; what it did counts as the outer run's, also where it is dropped.
struct Inner<'w> {
    of: &'w Watched<'w>,
    watched: Watched<'w>,
}

impl Drop for Inner<'_> {
    fn drop(&mut self) {
        let inner = self.watched.state.lock().unwrap();
        let mut outer = self.of.state.lock().unwrap();
        outer.all_calls += inner.all_calls;
        outer.work += inner.work;
    }
}

/// A call that is out.
struct Out<'w> {
    watched: &'w Watched<'w>,
    began: Instant,
    counts: bool,
    name: &'static str,
}

impl Drop for Out<'_> {
    fn drop(&mut self) {
        if self.counts {
            let mut state = self.watched.state.lock().unwrap();
            state.all_calls += 1;
            state.work += self.began.elapsed().as_nanos();
        }
        if self.watched.traced {
            self.watched.note(format!("{} ends", self.name));
        }
    }
}

/// Runs a policy under a script.
pub(crate) async fn execute(case: &Case, script: Script, budgets: &'static Budgets, traced: bool) -> Told {
    let spent = || {
        [0, 1].map(|key| {
            let stats = budgets.open[key].stats();
            stats.retries + stats.hedges
        })
    };
    let before = spent();
    let _draws = drawing(script);
    let watched = Watched::new(case, script, traced);
    // What the planner calls endless is watched for a while, and what should end by itself for long enough to see it.
    let patience = Duration::from_secs(if case.figures.worst.is_none() { 1 } else { 3_600 });
    let ended = tokio::time::timeout(patience, watched.run()).await;
    let succeeded = ended == Ok(true);
    let after = spent();
    Told {
        succeeded,
        charges: [after[0] - before[0], after[1] - before[1]],
        ..watched.told()
    }
}

/// Draws as the script says, until it is dropped.
pub(crate) fn drawing(script: Script) -> testing::Seeded {
    match script.draws {
        Draws::Always(bits) => testing::always(bits),
        Draws::Seeded(seed) => testing::seed(seed),
    }
}

/// The first claim that a run breaks.
pub(crate) fn broken(figures: &Figures, told: &Told) -> Option<String> {
    let ms = |ns: u128| format!("{ns} ns");
    if let Some(worst) = figures.worst
        && told.end > worst
    {
        return Some(format!("ends at {}, after worst {}", ms(told.end), ms(worst)));
    }
    if told.succeeded && told.end < figures.best {
        return Some(format!(
            "succeeds at {}, before best {}",
            ms(told.end),
            ms(figures.best)
        ));
    }
    for (leaf, (calls, most)) in told.calls.iter().zip(&figures.leaf_calls).enumerate() {
        if most.is_some_and(|most| *calls > most) {
            return Some(format!("{calls} calls of leaf {leaf}, more than {most:?}"));
        }
    }
    if figures.calls.is_some_and(|most| told.all_calls > most) {
        return Some(format!(
            "{} calls in all, more than {:?}",
            told.all_calls, figures.calls
        ));
    }
    if figures.work.is_some_and(|work| told.work > work) {
        return Some(format!("{} of work, more than {:?}", ms(told.work), figures.work));
    }
    for (key, (spent, most)) in ["K", "J"].iter().zip(told.charges.iter().zip(&figures.charges)) {
        if spent > most {
            return Some(format!("{spent} charged to {key}, more than {most}"));
        }
    }
    None
}

/// A mismatch, so that it can be seen and run again.
pub(crate) fn shown(case: &Case, script: Script, seed: u64, why: &str, told: &Told) -> String {
    let mut text = format!(
        "{why}\n{}figures: {:?}\nscript: {script:?}, seed {seed}\n",
        case.text(),
        case.figures
    );
    for line in told.trace.iter().take(80) {
        let _ = writeln!(text, "  {line}");
    }
    let _ = writeln!(
        text,
        "  ended at {} ns, {}",
        told.end,
        if told.succeeded {
            "with a value"
        } else {
            "without one"
        }
    );
    text
}

/// Runs on a clock that only moves when everything waits.
pub(crate) fn paused<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("a runtime")
        .block_on(future)
}
