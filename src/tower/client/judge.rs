//! What a layer has to know about its requests and answers.

use retry_planner::Policy;
use retry_runtime::Attempt;

/// Which requests may be sent again, and which answers ask for it.
///
/// [`Http`](super::Http) and [`Answers`](super::Answers) are the ones to start with; with the feature `tonic` there is
/// one for gRPC.
pub trait Judge<Req, Res, Err> {
    /// What the policy's hooks see of an answer that asks for another attempt.
    type Failure;
    /// What copies of a request are made from.
    type Template: Template<Req>;

    /// Makes a request ready, before its first attempt. `policy` is the one that it will run under.
    fn prepare(&self, request: Req, policy: &Policy<'static>) -> Prepared<Req, Self::Template>;

    /// Writes into a copy which attempt it is.
    fn stamp(&self, attempt: &Attempt, request: &mut Req) {
        let _ = (attempt, request);
    }

    /// What the policy sees of this answer; `None` where it is final, be it good or bad.
    fn judge(&self, answer: &Result<Res, Err>) -> Option<Self::Failure>;
}

/// A request before its first attempt.
#[derive(Debug)]
pub enum Prepared<Req, T> {
    /// It must not, or can't, be sent twice: the policy's limits hold, but nothing is repeated, also not what timed out.
    Once(Req),
    /// It may be sent as often as the policy says.
    Repeatable(T),
}

/// Makes copies of a request.
pub trait Template<Req> {
    /// One more copy.
    fn copy(&mut self) -> Req;

    /// The last copy, which may be the original: asked for instead of [`copy`](Self::copy) when no other can follow.
    fn last(self) -> Req;
}

/// A request that can be cloned is its own template.
impl<Req: Clone> Template<Req> for Req {
    fn copy(&mut self) -> Req {
        self.clone()
    }

    fn last(self) -> Req {
        self
    }
}
