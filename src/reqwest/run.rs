//! A request under a policy, whoever sends it.

use std::future::Future;
use std::sync::{Mutex, PoisonError};

use reqwest::{Request, Response};
use retry_planner::{Kind, Policy};
use retry_runtime::{Attempt, Interrupted, Scope, SingleLeaf};

use crate::http::{Failed, asks_for_another, keyed, may_repeat, set_key};
use crate::wire::{Late, Outgoing};

/// What came of it: the last answer, or none.
pub(super) enum Outcome<E> {
    Answer(Result<Response, E>),
    Interrupted(Interrupted),
    BodyNotCloneable,
}

/// Sends `request` under `P`. `judge` says what an error of the sender means for another attempt.
pub(super) async fn run<P, E, S, F>(
    request: Request,
    outgoing: Option<Outgoing>,
    send: S,
    judge: fn(&E) -> Option<Failed>,
) -> Outcome<E>
where
    P: SingleLeaf<Result<Response, E>, Failed>,
    E: Send,
    S: Fn(Request, Attempt) -> F + Send + Sync,
    F: Future<Output = Result<Response, E>> + Send,
{
    let repeatable = keyed(&P::TREE) || may_repeat(request.method(), request.headers());
    let once = !(repeatable && repeats(&P::TREE));
    let copies = match request.try_clone() {
        Some(_) => Copies::Template(request),
        None if once => Copies::Only(Mutex::new(Some(request))),
        None => return Outcome::BodyNotCloneable,
    };
    let last = Mutex::new(None);
    let (copies, last, send) = (&copies, &last, &send);
    let operation = P::run_single(move |attempt: Attempt| {
        let request = copies.copy();
        async move {
            let mut request = request;
            set_key(&attempt, request.headers_mut());
            if let Some(outgoing) = outgoing
                && let Err(Late) = outgoing.write(&attempt, request.headers_mut())
            {
                return Err(Failed::from(Interrupted::from(Late)));
            }
            let answer = send(request, attempt).await;
            if !repeatable {
                return Ok(answer);
            }
            let failed = match &answer {
                Ok(response) => asks_for_another(response.status(), response.headers()),
                Err(error) => judge(error),
            };
            match failed {
                None => Ok(answer),
                Some(failed) => {
                    *last.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
                    Err(failed)
                }
            }
        }
    });
    let ended = if repeatable {
        operation.await
    } else {
        Scope::new().once().run(operation).await
    };
    match ended {
        Ok(answer) => Outcome::Answer(answer),
        Err(failure) => match last.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(answer) => Outcome::Answer(answer),
            None => Outcome::Interrupted(failure.interrupted()),
        },
    }
}

enum Copies {
    Template(Request),
    Only(Mutex<Option<Request>>),
}

impl Copies {
    fn copy(&self) -> Request {
        match self {
            Self::Template(request) => request.try_clone(),
            Self::Only(request) => request.lock().unwrap_or_else(PoisonError::into_inner).take(),
        }
        .expect("what could be cloned once can be again, and without repeats there is one call")
    }
}

fn repeats(policy: &Policy<'_>) -> bool {
    policy
        .nodes
        .iter()
        .any(|node| matches!(node.kind, Kind::Retry(_) | Kind::Hedge(_)))
}
