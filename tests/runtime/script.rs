//! Operations that do as they are told, and remember what was done to them.

use std::future::{Future, pending};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};

use retry_plan::Interrupted;
use tokio::time::{Duration, Instant, sleep};

/// What the operations fail with.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Oops {
    /// An error that may pass.
    Boom(u32),
    /// One that won't.
    Fatal,
    /// The server asks to come back later.
    Busy(f64),
    /// The run ended before an operation returned an error.
    Interrupted(Interrupted),
}

impl Oops {
    pub(crate) fn is_transient(&self) -> bool {
        !matches!(self, Self::Fatal)
    }

    pub(crate) fn retry_after(&self) -> Option<f64> {
        match self {
            Self::Busy(seconds) => Some(*seconds),
            _ => None,
        }
    }
}

impl From<Interrupted> for Oops {
    fn from(interrupted: Interrupted) -> Self {
        Self::Interrupted(interrupted)
    }
}

impl std::fmt::Display for Oops {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self:?}")
    }
}

impl std::error::Error for Oops {}

/// One call: after so many milliseconds, this; `None` hangs.
pub(crate) type Step = Option<(u64, Result<u32, Oops>)>;

pub(crate) fn ok(ms: u64, value: u32) -> Step {
    Some((ms, Ok(value)))
}

pub(crate) fn err(ms: u64, which: u32) -> Step {
    Some((ms, Err(Oops::Boom(which))))
}

pub(crate) fn fails(ms: u64, error: Oops) -> Step {
    Some((ms, Err(error)))
}

pub(crate) const HANGS: Step = None;

/// An operation that follows its steps, one for each call, the last one for all further calls.
pub(crate) struct Script {
    steps: Vec<Step>,
    began: Instant,
    starts: Mutex<Vec<u64>>,
    ends: Mutex<Vec<u64>>,
    out: AtomicU32,
}

impl Script {
    pub(crate) fn new(steps: impl IntoIterator<Item = Step>) -> Self {
        Self {
            steps: steps.into_iter().collect(),
            began: Instant::now(),
            starts: Mutex::default(),
            ends: Mutex::default(),
            out: AtomicU32::new(0),
        }
    }

    /// One call. It counts as started when it is first polled, as an `async` operation does nothing before.
    pub(crate) fn call(&self) -> impl Future<Output = Result<u32, Oops>> + Send + '_ {
        async {
            let call = {
                let mut starts = self.starts.lock().unwrap();
                starts.push(self.now());
                starts.len() - 1
            };
            let _out = Out::new(self);
            match &self.steps[call.min(self.steps.len() - 1)] {
                None => pending().await,
                Some((0, outcome)) => outcome.clone(),
                Some((ms, outcome)) => {
                    sleep(Duration::from_millis(*ms)).await;
                    outcome.clone()
                }
            }
        }
    }

    /// Milliseconds since the script was made.
    pub(crate) fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap()
    }

    /// When each call started.
    pub(crate) fn starts(&self) -> Vec<u64> {
        self.starts.lock().unwrap().clone()
    }

    /// When each call ended or was dropped, in the order of the ends.
    pub(crate) fn ends(&self) -> Vec<u64> {
        self.ends.lock().unwrap().clone()
    }

    pub(crate) fn calls(&self) -> usize {
        self.starts.lock().unwrap().len()
    }

    /// How many calls are neither ended nor dropped.
    pub(crate) fn out(&self) -> u32 {
        self.out.load(SeqCst)
    }
}

struct Out<'s>(&'s Script);

impl<'s> Out<'s> {
    fn new(script: &'s Script) -> Self {
        script.out.fetch_add(1, SeqCst);
        Self(script)
    }
}

impl Drop for Out<'_> {
    fn drop(&mut self) {
        self.0.out.fetch_sub(1, SeqCst);
        self.0.ends.lock().unwrap().push(self.0.now());
    }
}

pub(crate) const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}
