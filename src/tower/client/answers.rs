//! The judge for services of any kind.

use retry_planner::Policy;

use super::{Judge, Prepared};

/// Every error asks for another attempt, no response does, and requests are cloned: for services whose errors say it all.
///
/// The policy's hooks see the service's own error, which has to be `Clone`, since the layer keeps it too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Answers;

impl<Req: Clone, Res, Err: Clone> Judge<Req, Res, Err> for Answers {
    type Failure = Err;
    type Template = Req;

    fn prepare(&self, request: Req, _: &Policy<'static>) -> Prepared<Req, Req> {
        Prepared::Repeatable(request)
    }

    fn judge(&self, answer: &Result<Res, Err>) -> Option<Err> {
        answer.as_ref().err().cloned()
    }
}
