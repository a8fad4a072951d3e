//! A [`Chain`] as a chain file: only what differs from the defaults, in the order of the documentation.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::input::{FAILURE_RATE, MAX_AMPLIFICATION};
use super::model::{Attempts, Chain, Condition, Layer};
use crate::report::{json as report, words};

/// The text of a chain file.
#[must_use]
pub fn text(chain: &Chain) -> String {
    let layers: Vec<String> = chain
        .layers
        .iter()
        .map(|layer| block(&layer_lines(layer), 4))
        .collect();
    let mut top = vec![line("name", &json!(chain.name))];
    if (chain.failure_rate - FAILURE_RATE).abs() > f64::EPSILON {
        top.push(line("failure_rate", &json!(chain.failure_rate)));
    }
    if (chain.max_amplification - MAX_AMPLIFICATION).abs() > f64::EPSILON {
        top.push(line("max_amplification", &json!(chain.max_amplification)));
    }
    top.push(format!("\"layers\": [\n    {}\n  ]", layers.join(",\n    ")));
    format!("{}\n", block(&top, 0))
}

fn block(lines: &[String], indent: usize) -> String {
    let pad = " ".repeat(indent);
    format!("{{\n{pad}  {}\n{pad}}}", lines.join(&format!(",\n{pad}  ")))
}

fn line(key: &str, value: &Value) -> String {
    format!("\"{key}\": {}", report::line(value))
}

fn time(lines: &mut Vec<String>, key: &str, time: Option<Duration>) {
    if let Some(time) = time {
        lines.push(format!("\"{key}\": {}", report::ms(time).get()));
    }
}

fn layer_lines(layer: &Layer) -> Vec<String> {
    let default = Layer::new("");
    let mut lines = vec![line("name", &json!(layer.name))];
    match layer.attempts {
        Attempts::Count(count) => lines.push(line("attempts", &json!(count))),
        Attempts::Unlimited => lines.push(line("attempts", &json!("unlimited"))),
    }
    let differs = |time: Duration, default: Duration| (time != default).then_some(time);
    time(
        &mut lines,
        "base_delay_ms",
        differs(layer.base_delay, default.base_delay),
    );
    if layer.multiplier != default.multiplier {
        lines.push(format!("\"multiplier\": {}", words::factor(layer.multiplier)));
    }
    time(&mut lines, "max_delay_ms", layer.max_delay);
    if layer.jitter != default.jitter {
        lines.push(line("jitter", &json!(words::jitter(layer.jitter))));
    }
    time(&mut lines, "per_try_timeout_ms", layer.per_try_timeout);
    time(&mut lines, "deadline_ms", layer.deadline);
    if !layer.retry_on.is_empty() {
        let list: Vec<Value> = layer
            .retry_on
            .iter()
            .map(|condition| match condition {
                Condition::Status(status) => json!(status),
                Condition::Word(word) => json!(word),
            })
            .collect();
        lines.push(line("retry_on", &json!(list)));
    }
    for (key, value, default) in [
        ("idempotent", layer.idempotent, default.idempotent),
        ("idempotency_key", layer.idempotency_key, default.idempotency_key),
        (
            "respect_retry_after",
            layer.respect_retry_after,
            default.respect_retry_after,
        ),
    ] {
        if value != default {
            lines.push(line(key, &json!(value)));
        }
    }
    time(&mut lines, "max_retry_after_ms", layer.max_retry_after);
    time(&mut lines, "margin_ms", differs(layer.margin, default.margin));
    if let Some(hedge) = layer.hedge {
        let after = report::ms(hedge.after);
        lines.push(format!(
            "\"hedge\": {{\"after_ms\": {}, \"copies\": {}}}",
            after.get(),
            hedge.copies
        ));
    }
    if let Some(budget) = layer.budget {
        let mut object = Map::new();
        object.insert("ratio".to_owned(), json!(budget.ratio));
        object.insert("burst".to_owned(), json!(budget.burst));
        lines.push(line("budget", &Value::Object(object)));
    }
    if !layer.assumed.is_empty() {
        lines.push(line("assumed", &json!(layer.assumed)));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::input;
    use crate::chain::model::{Budget, Hedge, Jitter};
    use crate::fault::Faults;
    use retry_planner::Factor;

    #[test]
    fn what_is_written_is_read_back_as_it_was() {
        let chain = Chain {
            name: "a \"name\"\n\u{1b}".to_owned(),
            failure_rate: 0.3,
            max_amplification: 12.5,
            layers: vec![
                Layer::new("plain"),
                Layer {
                    attempts: Attempts::Unlimited,
                    base_delay: Duration::from_nanos(1_500_001),
                    multiplier: Factor { digits: 15, scale: 1 },
                    max_delay: Some(Duration::from_secs(3)),
                    jitter: Jitter::PlusMinus(Factor { digits: 2, scale: 1 }),
                    per_try_timeout: Some(Duration::from_millis(400)),
                    deadline: Some(Duration::from_secs(9)),
                    retry_on: vec![Condition::Status(503), Condition::Word("timeout".to_owned())],
                    idempotent: false,
                    idempotency_key: true,
                    respect_retry_after: true,
                    max_retry_after: Some(Duration::from_secs(2)),
                    margin: Duration::from_millis(5),
                    hedge: Some(Hedge {
                        after: Duration::from_millis(80),
                        copies: 2,
                    }),
                    budget: Some(Budget {
                        ratio: 0.1,
                        burst: 10,
                    }),
                    assumed: vec!["margin_ms".to_owned()],
                    ..Layer::new("every key")
                },
            ],
        };
        let faults = Faults::default();
        let read = input::read(&text(&chain), &faults);
        assert_eq!(faults.sentences(), [""; 0]);
        assert_eq!(read, Some(chain));
    }
}
