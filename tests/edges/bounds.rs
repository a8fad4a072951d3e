//! What every public type of the edges can do, whatever it is made of: asserted while this compiles.

use std::error::Error;
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::marker::Unpin;

use retry_plan::{
    Attempt, Budget, Charge, End, Event, Failure, IdempotencyKey, Interrupted, Missing, Observer, Plan,
    Policy, Scope, Stats, Stop,
};
use retry_plan::{http, metrics, observer, reqwest, tonic, tower, wire};
use static_assertions::{assert_impl_all, assert_obj_safe};

use crate::policies::Fetch;

// What goes with every request into other threads.
assert_impl_all!(reqwest::Client<Fetch>: Clone, Debug, Send, Sync, Unpin);
assert_impl_all!(reqwest::Middleware<Fetch>: Clone, Debug, Default, Send, Sync, Unpin);
assert_impl_all!(tower::RetryLayer<Fetch>: Clone, Debug, Send, Sync, Unpin);
assert_impl_all!(tower::Retry<Fetch, tower::Http, ()>: Clone, Debug, Send, Sync, Unpin);
assert_impl_all!(tower::Inbound<()>: Copy, Debug, Send, Sync, Unpin);
assert_impl_all!(tower::Outbound<()>: Copy, Debug, Send, Sync, Unpin);
assert_impl_all!(tower::InboundFuture<std::future::Ready<()>>: Debug, Send);
assert_impl_all!(tower::OutboundFuture<std::future::Ready<()>>: Debug, Send);
assert_impl_all!(Budget: Debug, Send, Sync, Unpin);
assert_impl_all!(Charge: Debug, Send, Sync, Unpin);
assert_impl_all!(Scope: Clone, Debug, Default, Send, Sync, Unpin);

// Plain values.
assert_impl_all!(tower::InboundLayer: Copy, Debug, Default, Eq, Hash, Send, Sync, Unpin);
assert_impl_all!(tower::OutboundLayer: Copy, Debug, Default, Eq, Hash, Send, Sync, Unpin);
assert_impl_all!(tower::Http: Copy, Debug, Default, Eq, Hash, Send, Sync, Unpin);
assert_impl_all!(tower::Answers: Copy, Debug, Default, Eq, Hash, Send, Sync, Unpin);
assert_impl_all!(tonic::Grpc: Copy, Debug, Default, Eq, Hash, Send, Sync, Unpin);
assert_impl_all!(tonic::Tell: Copy, Debug, Default, Eq, Hash, Send, Sync, Unpin);
assert_impl_all!(tonic::Pushback: Copy, Debug, Eq, Hash, Send, Sync, Unpin);
assert_impl_all!(metrics::Metrics: Copy, Debug, Default, Eq, Hash, Send, Sync, Unpin);
assert_impl_all!(wire::Header: Copy, Debug, Eq, Hash, Send, Sync, Unpin);
assert_impl_all!(wire::Outgoing: Copy, Debug, Default, Eq, Hash, Send, Sync, Unpin);
assert_impl_all!(wire::Incoming: Clone, Debug, Eq, Hash, Send, Sync, Unpin);
assert_impl_all!(http::Fault: Copy, Debug, Eq, Send, Sync, Unpin);
assert_impl_all!(Attempt: Copy, Debug, Display, Eq, Send, Sync, Unpin);
assert_impl_all!(IdempotencyKey: Copy, Debug, Display, Eq, Hash, Send, Sync, Unpin);
assert_impl_all!(End: Copy, Debug, Eq, Hash, Send, Sync, Unpin);
assert_impl_all!(Stop: Copy, Debug, Display, Eq, Hash, Send, Sync, Unpin);
assert_impl_all!(Stats: Copy, Debug, Default, Eq, Send, Sync, Unpin);
assert_impl_all!(Event<'static>: Copy, Debug, PartialEq, Send, Sync, Unpin);
assert_impl_all!(Policy<'static>: Copy, Debug, PartialEq, Send, Sync, Unpin);
assert_impl_all!(Plan<'static>: Copy, Debug, Display, Eq, Send, Sync, Unpin);

// Errors go into a `Box<dyn Error + Send + Sync>`, and so through `?`.
assert_impl_all!(http::Failed: Error, Copy, Eq, Send, Sync);
assert_impl_all!(wire::Malformed: Error, Copy, Eq, Hash, Send, Sync);
assert_impl_all!(wire::Late: Error, Copy, Eq, Hash, Send, Sync);
assert_impl_all!(tower::Error<std::io::Error>: Error, Send, Sync);
assert_impl_all!(reqwest::Error: Error, Send, Sync);
assert_impl_all!(Failure<std::io::Error>: Error, Send, Sync);
assert_impl_all!(Interrupted: Error, Copy, Eq, Send, Sync);
assert_impl_all!(Missing: Error, Copy, Eq, Send, Sync);
assert_impl_all!(observer::AlreadyInstalled: Error, Copy, Eq, Send, Sync);

// Installed as a trait object.
assert_obj_safe!(Observer);

/// The first letter of each message is small and its end has no full stop, so that it stands well after another's colon.
#[test]
fn every_error_is_a_phrase_that_others_can_quote() {
    let interrupted = Interrupted {
        stop: Stop::DeadlineExceeded,
        attempts: 2,
        elapsed: std::time::Duration::from_secs(1),
    };
    let failed = http::Failed::new(http::Fault::Connect);
    let all: [Box<dyn Error>; 9] = [
        Box::new(failed),
        Box::new(failed.after(Some(std::time::Duration::from_secs(1)))),
        Box::new(http::Failed::from(interrupted)),
        Box::new(wire::Late),
        Box::new(wire::Malformed::Form),
        Box::new(wire::Malformed::Digits),
        Box::new(wire::Malformed::Unit),
        Box::new(reqwest::Error::BodyNotCloneable),
        Box::new(interrupted),
    ];
    for error in all {
        let text = error.to_string();
        assert!(text.starts_with(char::is_lowercase), "{text:?}");
        assert!(!text.ends_with(['.', '!', '\n']), "{text:?}");
    }
}
