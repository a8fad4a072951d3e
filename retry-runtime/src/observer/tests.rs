//! What observers are told, in which order, and what `tracing` makes of it.

use super::*;
#[cfg(feature = "tracing")]
use crate::fall::Fall;
#[cfg(feature = "watched")]
use crate::scope::testing::block_on;
#[cfg(feature = "tracing")]
use crate::{course::Strict, solo::Solo};

#[cfg(feature = "watched")]
const WAIT: Event<'static> = Event::Wait {
    attempt: 1,
    wait: Duration::from_millis(20),
    hinted: false,
};

#[test]
#[cfg(not(feature = "watched"))]
fn without_a_watcher_no_event_is_made_and_what_would_watch_has_no_size() {
    tell("P", || unreachable!("nobody watches"));
    assert_eq!(
        [
            size_of::<Watch<'_>>(),
            size_of::<Run>(),
            size_of::<Name>(),
            size_of::<InSpan>()
        ],
        [0; 4]
    );
    let words = [
        size_of::<crate::solo::Solo>(),
        size_of::<Option<tokio::time::Sleep>>(),
    ];
    assert_eq!(words[0] - words[1], 2 * size_of::<u64>(), "a clock and a count");
}

#[cfg(feature = "observe")]
mod observe {
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::scope::{Scope, carry};

    #[derive(Default)]
    struct Log(Mutex<Vec<String>>);

    impl Observer for Log {
        fn event(&self, policy: &'static str, event: &Event<'_>) {
            self.0.lock().unwrap().push(format!("{policy}: {event:?}"));
        }
    }

    impl Log {
        fn len(&self) -> usize {
            self.0.lock().unwrap().len()
        }
    }

    #[test]
    fn a_scopes_observers_are_told_inside_it_and_nowhere_else() {
        let (outer, inner) = (Arc::new(Log::default()), Arc::new(Log::default()));
        block_on(async {
            tell("P", || WAIT);
            Scope::new()
                .observed(outer.clone())
                .run(async {
                    tell("P", || WAIT);
                    Scope::new()
                        .observed(inner.clone())
                        .run(async { tell("Q", || Event::Begin) })
                        .await;
                    let carried = tokio::spawn(carry(async { tell("R", || Event::Begin) }));
                    carried.await.unwrap();
                    carry(async { tell("S", || Event::Begin) }).await;
                })
                .await;
            tell("P", || WAIT);
        });
        assert_eq!(
            *outer.0.lock().unwrap(),
            [
                "P: Wait { attempt: 1, wait: 20ms, hinted: false }",
                "Q: Begin",
                "R: Begin",
                "S: Begin"
            ]
        );
        assert_eq!(*inner.0.lock().unwrap(), ["Q: Begin"]);
    }

    #[test]
    fn one_observer_is_installed_for_good_and_told_of_every_run() {
        struct Installed(Arc<Log>);
        impl Observer for Installed {
            fn event(&self, policy: &'static str, event: &Event<'_>) {
                // Other tests tell things at the same time.
                if policy == "Installed" {
                    self.0.event(policy, event);
                }
            }
        }
        let log = Arc::new(Log::default());
        assert_eq!(install(Installed(log.clone())), Ok(()));
        assert_eq!(install(Installed(log.clone())), Err(AlreadyInstalled));
        tell("Installed", || WAIT);
        std::thread::spawn(|| tell("Installed", || WAIT)).join().unwrap();
        assert_eq!(log.len(), 2);
    }
}

#[cfg(feature = "tracing")]
mod tracing {
    use std::fmt::Write as _;
    use std::sync::{Arc, Mutex};

    use ::tracing::field::{Field, Visit};
    use ::tracing::span::{Attributes, Id, Record};
    use ::tracing::{Metadata, Subscriber, subscriber};
    use ::tracing_core::span::Current;

    use super::*;
    use crate::scope::Limit;

    /// Writes down every span and event as a line.
    #[derive(Clone, Default)]
    struct Lines(
        Arc<Mutex<Vec<String>>>,
        Arc<Mutex<Option<&'static Metadata<'static>>>>,
    );

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
            *self.1.lock().unwrap() = Some(meta);
            Id::from_u64(1)
        }

        /// There is one span in these tests, and where anything is recorded, it is entered.
        fn current_span(&self) -> Current {
            let meta = *self.1.lock().unwrap();
            meta.map_or_else(Current::none, |meta| Current::new(Id::from_u64(1), meta))
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

    fn event(event: Event<'_>) -> Vec<String> {
        told(|| tell("Charge", || event))
    }

    const ATTEMPT: Attempt = Attempt::new(2, 3, 1, Limit::NONE, None);

    #[test]
    fn a_run_is_one_span_at_info_and_is_entered_with_each_poll() {
        let lines = told(|| {
            block_on(async {
                crate::__in_span!("Charge", {
                    let timer = Solo::new("Charge", Strict);
                    tokio::task::yield_now().await;
                    timer.ended(&Ok::<_, Fall<()>>(()));
                });
            });
        });
        // The last pair is the drop of what ran.
        assert_eq!(
            lines,
            [
                "INFO span retry: retry.policy=\"Charge\"",
                "enter",
                "exit",
                "enter",
                "record retry.attempts=0",
                "record retry.outcome=\"success\"",
                "INFO message=run ended retry.policy=\"Charge\" retry.attempts=0 retry.outcome=\"success\" \
                 retry.elapsed_ms=0",
                "exit",
                "enter",
                "exit"
            ]
        );
    }

    #[test]
    fn a_failed_attempt_is_one_line_at_debug_with_its_errors_type() {
        let lines = event(Event::End {
            leaf: "card",
            attempt: ATTEMPT,
            end: End::Failure,
            error: Some("card::Declined"),
        });
        assert_eq!(
            lines,
            [
                "DEBUG message=attempt failed retry.policy=\"Charge\" retry.leaf=\"card\" retry.attempt=2 retry.copy=1 \
                 retry.end=\"failure\" error.type=\"card::Declined\""
            ]
        );
    }

    #[test]
    fn a_successful_attempt_is_no_line_since_the_outcome_tells_it() {
        let lines = event(Event::End {
            leaf: "card",
            attempt: ATTEMPT,
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
                attempt: ATTEMPT,
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
        for decision in decisions {
            let lines = event(decision);
            assert_eq!(lines.len(), 1, "{lines:?}");
            assert!(lines[0].starts_with("DEBUG "), "{lines:?}");
        }
        assert_eq!(
            event(WAIT),
            [
                "DEBUG message=waiting retry.policy=\"Charge\" retry.attempt=1 retry.wait_ms=20 retry.hinted=false"
            ]
        );
    }

    #[test]
    fn the_outcome_is_one_line_at_info_whatever_it_is() {
        let outcome = |stop| {
            event(Event::Stop {
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
