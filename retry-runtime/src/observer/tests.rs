//! What observers are told, in which order, and what `tracing` makes of it.

use std::cell::RefCell;

use super::*;

#[derive(Default)]
struct Log(RefCell<Vec<String>>);

impl<E: core::fmt::Debug> Observer<E> for Log {
    fn event(&self, policy: &'static str, event: &Event<'_, E>) {
        self.0.borrow_mut().push(format!("{policy}: {event:?}"));
    }
}

const WAIT: Event<'static, &str> = Event::Wait {
    attempt: 1,
    wait: Duration::from_millis(20),
    hinted: false,
};

#[test]
fn nobody_watching_has_no_size_and_is_not_enabled() {
    assert_eq!(size_of::<Silent>(), 0);
    const {
        assert!(!<Silent as Observer<()>>::ENABLED);
        assert!(!<&Silent as Observer<()>>::ENABLED);
        assert!(!<(Silent, &Silent) as Observer<()>>::ENABLED);
        assert!(<(Silent, Log) as Observer<()>>::ENABLED);
    }
}

#[test]
fn both_of_a_pair_are_told_the_same() {
    let (one, two) = (Log::default(), Log::default());
    (&one, &two).event("P", &WAIT);
    assert_eq!(one.0.borrow().as_slice(), two.0.borrow().as_slice());
    assert_eq!(
        one.0.borrow().as_slice(),
        ["P: Wait { attempt: 1, wait: 20ms, hinted: false }"]
    );
}

#[test]
fn an_observer_that_wraps_nothing_returns_the_run_as_it_is() {
    let log = Log::default();
    let run = <Log as Observer<()>>::observe(&log, "P", core::future::ready(7_u64));
    assert_eq!(size_of_val(&run), size_of::<core::future::Ready<u64>>());
}

#[cfg(feature = "tracing")]
mod tracing {
    use std::fmt::Write as _;
    use std::sync::{Arc, Mutex};

    use ::tracing::field::{Field, Visit};
    use ::tracing::span::{Attributes, Id, Record};
    use ::tracing::{Metadata, Subscriber, subscriber};

    use super::*;
    use crate::scope::Limit;
    use crate::scope::testing::block_on;

    /// Writes down every span and event as a line.
    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<String>>>);

    struct Fields<'l>(&'l mut String);

    impl Visit for Fields<'_> {
        fn record_debug(&mut self, field: &Field, value: &dyn core::fmt::Debug) {
            let _ = write!(self.0, " {field}={value:?}");
        }
    }

    impl Lines {
        fn push(&self, start: &str, record: impl FnOnce(&mut Fields<'_>)) {
            let mut line = start.to_owned();
            record(&mut Fields(&mut line));
            self.0.lock().unwrap().push(line);
        }
    }

    impl Subscriber for Lines {
        fn enabled(&self, _: &Metadata<'_>) -> bool {
            true
        }

        fn new_span(&self, span: &Attributes<'_>) -> Id {
            let meta = span.metadata();
            self.push(&format!("{} span {}:", meta.level(), meta.name()), |fields| {
                span.record(fields);
            });
            Id::from_u64(1)
        }

        fn record(&self, _: &Id, values: &Record<'_>) {
            self.push("record", |fields| values.record(fields));
        }

        fn record_follows_from(&self, _: &Id, _: &Id) {}

        fn event(&self, event: &::tracing::Event<'_>) {
            self.push(event.metadata().level().as_str(), |fields| event.record(fields));
        }

        fn enter(&self, _: &Id) {
            self.push("enter", |_| {});
        }

        fn exit(&self, _: &Id) {
            self.push("exit", |_| {});
        }
    }

    fn told(tell: impl FnOnce()) -> Vec<String> {
        let lines = Lines::default();
        subscriber::with_default(lines.clone(), tell);
        lines.0.lock().unwrap().clone()
    }

    fn event(event: &Event<'_, &str>) -> Vec<String> {
        told(|| Tracing.event("Charge", event))
    }

    const ATTEMPT: Attempt = Attempt::new(2, 3, 1, Limit::None, None);

    #[test]
    fn a_run_is_one_span_at_info_and_is_entered_with_each_poll() {
        let lines = told(|| {
            block_on(<Tracing as Observer<&str>>::observe(&Tracing, "Charge", async {
                tokio::task::yield_now().await;
            }));
        });
        // The last pair is the drop of what ran.
        assert_eq!(
            lines,
            [
                "INFO span retry: retry.policy=\"Charge\"",
                "enter",
                "exit",
                "enter",
                "exit",
                "enter",
                "exit"
            ]
        );
    }

    #[test]
    fn a_failed_attempt_is_one_line_at_debug_with_the_operations_error() {
        let lines = event(&Event::End {
            leaf: "card",
            attempt: &ATTEMPT,
            end: End::Failure,
            error: Some(&"boom"),
        });
        assert_eq!(
            lines,
            [
                "DEBUG message=attempt failed retry.policy=\"Charge\" retry.leaf=\"card\" retry.attempt=2 retry.copy=1 \
                 retry.end=\"failure\" error=boom"
            ]
        );
    }

    #[test]
    fn a_successful_attempt_is_no_line_since_the_outcome_tells_it() {
        let lines = event(&Event::End {
            leaf: "card",
            attempt: &ATTEMPT,
            end: End::Success,
            error: None,
        });
        assert!(lines.is_empty());
    }

    #[test]
    fn each_decision_is_one_line_at_debug() {
        let decisions = [
            WAIT,
            Event::Start {
                leaf: "card",
                attempt: &ATTEMPT,
            },
            Event::Hedge {
                copy: 2,
                after_failure: false,
            },
            Event::Win { place: 2 },
            Event::Refusal {
                attempts: 2,
                stop: Stop::WontFit,
            },
        ];
        for decision in &decisions {
            let lines = event(decision);
            assert_eq!(lines.len(), 1, "{lines:?}");
            assert!(lines[0].starts_with("DEBUG "), "{lines:?}");
        }
        assert_eq!(
            event(&WAIT),
            [
                "DEBUG message=waiting retry.policy=\"Charge\" retry.attempt=1 retry.wait_ms=20 retry.hinted=false"
            ]
        );
    }

    #[test]
    fn the_outcome_is_one_line_at_info_whatever_it_is() {
        let outcome = |stop| {
            event(&Event::Stop {
                stop,
                attempts: 3,
                elapsed: Duration::from_millis(1_500),
            })
        };
        assert_eq!(
            outcome(None),
            [
                "INFO message=run ended retry.policy=\"Charge\" retry.attempts=3 retry.outcome=\"success\" \
                 retry.elapsed_ms=1500"
            ]
        );
        let failed = outcome(Some(Stop::DeadlineExceeded));
        assert!(failed[0].starts_with("INFO ") && failed[0].contains("\"deadline_exceeded\""));
    }
}
