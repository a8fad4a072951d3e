//! What a Prometheus server would read.

use std::time::Duration;

use metrics_exporter_prometheus::PrometheusBuilder;
use retry_plan::metrics::{Metrics, record_budget};
use retry_plan::{Attempt, Budget, End, Event, Observer, Repeat, Stop};

static PAYMENTS: Budget = Budget::ratio(0.1, 5).named("payments");

#[test]
fn every_event_of_a_run_is_a_figure_with_bounded_labels() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let page = recorder.handle();
    metrics::with_local_recorder(&recorder, || {
        let observer = Metrics::new();
        let end = |end, error| Event::End {
            leaf: "card",
            attempt: Attempt::ONLY,
            end,
            error,
        };
        for event in [
            Event::Begin,
            Event::Start {
                leaf: "card",
                attempt: Attempt::ONLY,
            },
            end(End::Failure, Some("card::Declined")),
            Event::Wait {
                attempt: 1,
                wait: Duration::from_millis(250),
                hinted: true,
            },
            Event::Hedge {
                copy: 2,
                after_failure: false,
            },
            end(End::Success, None),
            Event::Win { place: 2 },
            Event::Stop {
                stop: None,
                attempts: 2,
                elapsed: Duration::from_millis(400),
            },
            Event::Refusal {
                attempts: 1,
                stop: Stop::BudgetRefused,
            },
            Event::Stop {
                stop: Some(Stop::BudgetRefused),
                attempts: 1,
                elapsed: Duration::ZERO,
            },
        ] {
            observer.event("Charge", &event);
        }
        let paid = PAYMENTS.admit(Repeat::Retry).expect("it starts full");
        paid.spend();
        record_budget(&PAYMENTS);
    });
    let page = page.render();
    for line in [
        r#"retry_runs{retry_policy="Charge",retry_outcome="success"} 1"#,
        r#"retry_runs{retry_policy="Charge",retry_outcome="budget_refused"} 1"#,
        r#"retry_run_attempts_sum{retry_policy="Charge",retry_outcome="success"} 2"#,
        r#"retry_run_duration_sum{retry_policy="Charge",retry_outcome="success"} 0.4"#,
        r#"retry_retries{retry_policy="Charge",retry_hinted="true"} 1"#,
        r#"retry_wait_duration_sum{retry_policy="Charge"} 0.25"#,
        r#"retry_hedges{retry_policy="Charge"} 1"#,
        r#"retry_wins{retry_policy="Charge",retry_place="2"} 1"#,
        r#"retry_refusals{retry_policy="Charge",retry_stop="budget_refused"} 1"#,
        r#"error_type="card::Declined""#,
        r#"retry_budget_repeats{retry_budget="payments"} 1"#,
        r#"retry_budget_available{retry_budget="payments"} 4000000"#,
    ] {
        assert!(page.contains(line), "{line}\nisn't in\n{page}");
    }
}
