//! One page that shows everything: no script, no network, readable on paper and in the dark.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::chain::Judged;
use crate::chain::findings::{Finding, Severity};
use crate::chain::fix::Fix;
use crate::report::escape::terminal as shown;
use crate::report::timeline::share;
use crate::report::{svg, words};

const CSS: &str = include_str!("page.css");

/// More waits than this are not listed.
const WAITS: usize = 12;

/// The page of a chain.
#[must_use]
pub fn chain(judged: &Judged, fix: Option<&Fix>) -> String {
    let title = format!("{} – retry plan", shown(&judged.chain.name));
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:";
                link rel="icon" href="data:,";
                title { (title) }
                style { (PreEscaped(CSS)) }
            }
            body { main {
                (head(judged))
                section {
                    h2 { "Worst case" }
                    div.picture { (PreEscaped(svg::document(judged, false).to_string())) }
                }
                section {
                    h2 { "Amplification" }
                    (amplification(judged))
                }
                section {
                    h2 { "Layers" }
                    @for index in 0..judged.chain.layers.len() { (layer(judged, index)) }
                }
                @if let Some(fix) = fix { (proposal(judged, fix)) }
                footer { "retry-plan " (env!("CARGO_PKG_VERSION")) }
            } }
        }
    };
    page.into_string() + "\n"
}

fn head(judged: &Judged) -> Markup {
    let high = judged.high();
    let verdict = match (high, judged.findings.len()) {
        (0, 0) => "nothing is wrong".to_owned(),
        (0, _) => "no high finding".to_owned(),
        (high, _) => words::count(high, "high finding"),
    };
    let limit = words::number(judged.chain.max_amplification);
    html! {
        header {
            h1 { (shown(&judged.chain.name)) }
            p class=(if high > 0 { "verdict bad" } else { "verdict good" }) { (verdict) }
        }
        div.tiles {
            (tile(&words::amount(&judged.figures.worst_amplification), &format!("calls at most for one request (limit {limit})")))
            (tile(
                &words::number(judged.figures.expected_amplification),
                &format!("on average, every layer failing at {}", words::number(judged.chain.failure_rate)),
            ))
            (tile(&words::number(judged.figures.innermost_only_amplification), "on average, only the innermost failing"))
            (tile(
                &format!("{} / {} / {}", high, judged.count(Severity::Medium), judged.count(Severity::Low)),
                "findings: high / medium / low",
            ))
        }
    }
}

fn tile(figure: &str, about: &str) -> Markup {
    html! { div.tile { strong { (figure) } span { (about) } } }
}

/// A bar for each layer, as long as the logarithm of its calls, so that growth by a factor is a step of one length.
fn amplification(judged: &Judged) -> Markup {
    let log = |calls: f64| {
        if calls.is_finite() {
            calls.max(1.0).log10()
        } else {
            300.0
        }
    };
    let all = judged
        .figures
        .layers
        .iter()
        .map(|figures| log(figures.worst_amplification.float()));
    let limit = log(judged.chain.max_amplification);
    let top = all.fold(limit, f64::max).max(0.3) * 1.02;
    let percent = |log: f64| format!("{:.2}%", (log / top * 100.0).clamp(0.6, 100.0));
    html! {
        div.steps {
            @for (layer, figures) in judged.chain.layers.iter().zip(&judged.figures.layers) {
                @let calls = log(figures.worst_amplification.float());
                div.step {
                    span.label { (shown(&layer.name)) }
                    div.track {
                        div class=(if calls > limit { "bar over" } else { "bar" }) style=(format!("width:{}", percent(calls))) {}
                        div.limit style=(format!("left:{}", percent(limit))) {}
                    }
                    span.figure { (words::amount(&figures.worst_amplification)) }
                }
            }
            p.note { "logarithmic; the line is the limit of " (words::number(judged.chain.max_amplification)) " calls" }
        }
    }
}

fn layer(judged: &Judged, index: usize) -> Markup {
    let layer = &judged.chain.layers[index];
    let figures = &judged.figures.layers[index];
    let limit = |limit| Option::map_or_else(limit, || "–".to_owned(), words::time);
    let assumed = |keys: &[&str]| {
        layer
            .assumed
            .iter()
            .any(|assumed| keys.contains(&assumed.as_str()))
    };
    let hint = match (layer.hears_hints(), layer.max_retry_after) {
        (false, _) => "not heard".to_owned(),
        (true, None) => "heard, without a bound".to_owned(),
        (true, Some(most)) => format!("heard, up to {}", words::time(most)),
    };
    let retried: Vec<String> = layer.retry_on.iter().map(words::condition).collect();
    let mut rows = vec![
        ("tries", &["attempts"][..], words::attempts(layer.attempts)),
        (
            "waits",
            &["base_delay_ms", "multiplier", "max_delay_ms"],
            words::waits(layer),
        ),
        ("jitter", &["jitter"], words::jitter(layer.jitter)),
        ("each try", &["per_try_timeout_ms"], limit(layer.per_try_timeout)),
        ("deadline", &["deadline_ms"], limit(layer.deadline)),
        ("retried on", &["retry_on"], retried.join(", ")),
        (
            "Retry-After",
            &["respect_retry_after", "max_retry_after_ms"],
            hint,
        ),
    ];
    if let Some(hedge) = layer.hedge {
        let value = format!("{} copies, {} apart", hedge.copies, words::time(hedge.after));
        rows.push(("hedge", &["hedge"], value));
    }
    if let Some(budget) = layer.budget {
        let value = format!(
            "{} retries a request, {} at once",
            words::number(budget.ratio),
            budget.burst
        );
        rows.push(("budget", &["budget"], value));
    }
    rows.extend([
        ("worst case", &[][..], words::bound(figures.worst)),
        ("expected tries", &[], words::number(figures.expected_tries)),
        ("calls so far", &[], words::amount(&figures.worst_amplification)),
    ]);
    html! {
        article.layer {
            div.settings {
                h3 { span.number { (index + 1) } (shown(&layer.name)) }
                dl {
                    @for (what, keys, value) in rows.into_iter().filter(|(_, _, value)| !value.is_empty()) {
                        dt { (what) }
                        dd { (shown(&value)) @if assumed(keys) { " " span.assumed title="a default of the target, not written in its file" { "assumed" } } }
                    }
                }
                (delays(figures))
            }
            div.findings {
                @for finding in judged.of_layer(index) { (one(finding)) }
                @if judged.of_layer(index).next().is_none() { p.fine { "nothing is wrong here" } }
            }
        }
    }
}

fn delays(figures: &crate::chain::figures::LayerFigures) -> Markup {
    let longest = figures
        .delays
        .iter()
        .map(|delay| delay.max)
        .max()
        .unwrap_or_default();
    if longest.is_zero() {
        return html! {};
    }
    let percent = |time| format!("{:.2}%", share(time, longest) * 100.0);
    let mean = |ms: f64| {
        std::time::Duration::try_from_secs_f64(ms / 1000.0)
            .unwrap_or(longest)
            .min(longest)
    };
    html! {
        table.delays {
            caption { "waits: shortest to longest, and the mean" }
            @for (k, delay) in figures.delays.iter().enumerate().take(WAITS) {
                tr {
                    th scope="row" { (k + 1) }
                    td.draw { div.track {
                        div.range style=(format!(
                            "left:{};width:{}",
                            percent(delay.min),
                            percent(delay.max.saturating_sub(delay.min).max(longest / 100)),
                        )) {}
                        div.mean style=(format!("left:{}", percent(mean(delay.expected_ms)))) {}
                    } }
                    td {
                        @if delay.min != delay.max { (words::time(delay.min)) " – " }
                        (words::time(delay.max))
                    }
                    td { "⌀ " (words::mean_time(delay.expected_ms)) }
                }
            }
        }
        @if figures.delays.len() > WAITS { p.note { "and more" } }
    }
}

fn one(finding: &Finding) -> Markup {
    let severity = finding.code.severity().word();
    html! {
        div class=(format!("finding {severity}")) {
            span.severity { (severity) }
            code { (finding.code.name()) }
            p { (words_and_code(&finding.detail)) }
            p.note { (finding.code.about()) }
        }
    }
}

/// What stands in backticks is a name or a setting.
fn words_and_code(text: &str) -> Markup {
    html! {
        @for (index, part) in text.split('`').enumerate() {
            @if index % 2 == 1 { code { (shown(part)) } } @else { (shown(part)) }
        }
    }
}

fn proposal(judged: &Judged, fix: &Fix) -> Markup {
    let value = |value: &str| {
        if value.is_empty() {
            "–".to_owned()
        } else {
            shown(value)
        }
    };
    let calls = |judged: &Judged| words::amount(&judged.figures.worst_amplification);
    let high = |judged: &Judged| format!("{} of {}", judged.high(), judged.findings.len());
    html! {
        section {
            h2 { (if fix.after.high() == 0 { "A chain that passes" } else { "A better chain" }) }
            table.fix {
                thead { tr { th { "layer" } th { "setting" } th { "now" } th { "instead" } } }
                tbody {
                    @for change in &fix.changes {
                        tr {
                            td { (shown(&judged.chain.layers[change.layer].name)) }
                            td { code { (change.key) } }
                            td { (value(&change.before)) }
                            td.new { (value(&change.after)) }
                        }
                    }
                    @for (index, (before, after)) in judged.figures.layers.iter().zip(&fix.after.figures.layers).enumerate() {
                        @if before.worst != after.worst {
                            tr.planned {
                                td { (shown(&judged.chain.layers[index].name)) }
                                td { "worst case" }
                                td { (words::bound(before.worst)) }
                                td.new { (words::bound(after.worst)) }
                            }
                        }
                    }
                    tr.planned { td { "the chain" } td { "calls at most" } td { (calls(judged)) } td.new { (calls(&fix.after)) } }
                    tr.planned { td { "the chain" } td { "high findings" } td { (high(judged)) } td.new { (high(&fix.after)) } }
                }
            }
            details { summary { "the chain file" } pre { (shown_lines(&crate::chain::write::text(&fix.after.chain))) } }
        }
    }
}

/// A text of several lines: only its own line breaks stay.
fn shown_lines(text: &str) -> String {
    text.lines().map(shown).collect::<Vec<_>>().join("\n")
}
