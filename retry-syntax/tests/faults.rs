//! Each mistake has one error, on its own token, with the right spelling beside it.

use proc_macro2::TokenStream;
use retry_syntax::{Errors, parse};

/// Errors as `token under the span | message | help …`, in the order they are told.
fn told(text: &str, errors: &Errors) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    errors
        .all()
        .iter()
        .map(|fault| {
            let start = fault.span.start();
            let end = fault.through.unwrap_or(fault.span).end();
            let line: Vec<char> = lines
                .get(start.line - 1)
                .map(|line| line.chars().collect())
                .unwrap_or_default();
            let until = if end.line == start.line {
                end.column.min(line.len())
            } else {
                line.len()
            };
            let token: String = line.get(start.column..until).unwrap_or_default().iter().collect();
            [vec![token, fault.message.clone()], fault.help.clone()]
                .concat()
                .join(" | ")
        })
        .collect()
}

fn policy(text: &str) -> Vec<String> {
    let tokens: TokenStream = text.parse().expect("lexes");
    let (input, errors) = parse::policy(tokens);
    assert!(
        input.is_some() || !errors.is_empty(),
        "neither a policy nor an error"
    );
    told(text, &errors)
}

fn function(text: &str) -> Vec<String> {
    let tokens: TokenStream = text.parse().expect("lexes");
    let (_, _, errors) = parse::function(tokens, Vec::new());
    told(text, &errors)
}

macro_rules! accepted {
    ($read:ident: $($name:ident: $text:literal;)*) => {$(
        #[test]
        fn $name() {
            assert_eq!($read($text), Vec::<String>::new());
        }
    )*};
}

macro_rules! refused {
    ($read:ident: $($name:ident: $text:literal => [$($told:literal),+ $(,)?];)*) => {$(
        #[test]
        fn $name() {
            let expected: Vec<&str> = vec![$($told),+];
            assert_eq!($read($text), expected);
        }
    )*};
}

accepted! { policy:
    every_node_is_read: "struct A { deadline(2s) { series { a: timeout(1s) { attempt }, b: fallback { c: attempt(1ms), d: attempt(takes = 1ms..=5ms) }, e: race { f: call(x::P), g: attempt(1ms, takes = 1ms) }, h: parallel { i: hedge(after = 1ms, copies = 2) { attempt }, j: allowance(K = 3) { retry(attempts = 2, budget = K) { attempt(1us) } } } } } }";
    every_unit_is_read: "struct A { series { a: attempt(1ns), b: attempt(1us), c: attempt(1µs), d: attempt(1.5ms), e: attempt(1_000s), f: attempt(2min), g: attempt(1h) } }";
    every_backoff_is_read: "struct A { series { a: retry(attempts = 3, backoff = none) { attempt }, b: retry(attempts = 3, backoff = fixed(1ms)) { attempt }, c: retry(attempts = 3, backoff = linear(1ms, max = 1s)) { attempt }, d: retry(attempts = 3, backoff = exponential(1ms, factor = 1.5, max = 1s)) { attempt }, e: retry(attempts = 3, backoff = decorrelated(1ms, max = 1s)) { attempt }, f: retry(attempts = 3, backoff = schedule(1ms, 2ms)) { attempt }, g: retry(attempts = 9, backoff = schedule(1ms, 2ms, ..)) { attempt } } }";
    every_jitter_is_read: "struct A { series { a: retry(attempts = 3, jitter = none) { attempt }, b: retry(attempts = 3, jitter = full) { attempt }, c: retry(attempts = 3, jitter = equal) { attempt }, d: retry(attempts = 3, jitter = spread(0.2)) { attempt } } }";
    every_argument_of_retry_is_read: "struct A { type Error = E; retry(attempts = ..=3, backoff = fixed(1ms), jitter = full, budget = a::B, when = |e: &E| e.is(1, 2), until = E::ready, timeouts = stop, retry_after = |e| e.hint(), retry_after_max = 30s, on_retry = |r, n| log(r, n)) { attempt(idempotent = false, idempotency_key = key(1, 2)) } }";
    every_value_may_be_an_expression: "struct A { deadline(LIMIT) { retry(attempts = N, backoff = exponential(a::BASE, factor = F, max = f(2)), jitter = spread(S), retry_after = f, retry_after_max = { MAX }) { hedge(after = Self::AFTER, copies = { C + 1 }) { attempt(<T as Limits<A, B>>::BOUND, takes = LO..=HI, idempotent = SAFE) } } } }";
    a_named_policy_may_have_generics: "pub(crate) struct A<T: Limits, const N: usize> where T: Copy { attempt(T::BOUND) }";
    several_policies_stand_in_one_macro: "/// One.\n pub struct A { attempt(1ms) } #[allow(no_jitter)] struct B { attempts = 3, attempt = 1s }";
    a_tree_in_place_holds_code: "type Error = E; interrupted = |i| E(i, 1); move deadline(1s) { series { a: attempt(1ms) async |_| { a::<B, C>().await }, b: attempt async move |cx| -> Result<A, B> { x } } }";
    the_short_form_is_read: "attempts = 3, attempt = 500ms, deadline = 2s, after = 80ms, copies = 2, async |cx| f(cx).await";
    a_named_policy_runs_in_place: "a::Charge<A, B>, async |cx| f(cx).await";
    a_named_policy_with_leaves_runs_in_place: "LoadPage, profile = async |_| a().await, orders = async |_| b().await";
    foreign_lints_pass: "struct A { #[allow(unused, clippy::all, reason = \"x\")] attempt(1ms) }";
    levels_stand_before_a_node: "struct A { #[allow(cannot_fit, reason = \"x\")] #[expect(no_jitter)] #[warn(unbounded)] #[deny(no_cap)] deadline(1s) { series { #[allow(no_cap)] a: attempt(1ms), b: #[allow(no_cap)] attempt(1ms) } } }";
    a_level_stands_before_the_short_form: "#[allow(no_attempt_timeout)] attempts = 3, async |cx| f(cx).await";
    one_attempt_is_a_retry_too: "struct A { retry(attempts = 1) { attempt(1s) } }";
    a_schedule_of_zero_waits_is_legal: "struct A { retry(attempts = 3, backoff = schedule(0ms, 0s)) { attempt(1s) } }";
    a_trailing_comma_is_fine: "struct A { deadline(1s,) { retry(attempts = 3,) { attempt(1s,) } } }";
    an_operation_may_be_a_path: "attempts = 3, attempt = 1s, fetch";
}

accepted! { function:
    the_shorthand_is_read: "attempts = 3, attempt = 500ms, deadline = 2s, when = E::is_transient, context = cx, clone(a, b), export = PLAN, calls(pay::PLAN, Refund), interrupted = |i| E(i), idempotency_key";
    a_tree_is_read: "deadline(2s) { retry(attempts = 3) { attempt(500ms) } }, context = cx, idempotent = false";
    a_policy_is_read: "pay::Charge, context = cx";
    the_crate_may_be_named: "attempts = 3, crate = my::retry_plan";
}

refused! { policy:
    minutes_or_milliseconds: "struct A { attempt(5m) }" => ["5m | `5m` could be minutes or milliseconds | write `5min` or `5ms`"];
    a_missing_unit: "struct A { attempt(800) }" => ["800 | `800` has no unit | write `800ms` for milliseconds, or `800s` for seconds"];
    a_missing_unit_on_a_fraction: "struct A { attempt(1.5) }" => ["1.5 | `1.5` has no unit | write `1.5s` for seconds, or `1.5ms` for milliseconds"];
    a_numeric_suffix: "struct A { attempt(800u64) }" => ["800u64 | `800u64` has no unit | write `800ms` for milliseconds, or `800s` for seconds"];
    two_units: "struct A { attempt(1min30s) }" => ["1min30s | `1min30s` is more than one number; a duration has one | write `90s`"];
    a_quoted_duration: "struct A { attempt(\"1m 30s\") }" => ["\"1m 30s\" | a duration is written without quotes, found \"1m 30s\" | write `90s`"];
    hex: "struct A { attempt(0x10ms) }" => ["0x10ms | durations are decimal, found `0x10ms` | write `16ms`"];
    an_exponent: "struct A { attempt(1.5e3ms) }" => ["1.5e3ms | durations have no exponent, found `1.5e3ms` | write `1.5s`"];
    a_spelled_out_unit: "struct A { attempt(5sec) }" => ["5sec | `sec` isn't a unit | write `5s`"];
    a_day: "struct A { attempt(2d) }" => ["2d | `d` isn't a unit; the longest is the hour | write `48h`"];
    a_mistyped_unit: "struct A { attempt(5mn) }" => ["5mn | `mn` isn't a unit | write `5min`"];
    no_unit_at_all: "struct A { attempt(5xyz) }" => ["5xyz | `xyz` isn't a unit | the units are `ns`, `us`, `ms`, `s`, `min`, `h`"];
    a_detached_unit: "struct A { attempt(500 ms) }" => ["500 | a number and its unit are written together | write `500ms`"];
    a_negative_duration: "struct A { attempt(-5ms) }" => ["- | a negative value, `-5ms`, has no meaning here | write `attempt(500ms)`"];
    a_leading_point: "struct A { attempt(.5s) }" => [". | a number begins with a digit | write `0.5s`"];
    finer_than_a_nanosecond: "struct A { attempt(1.5ns) }" => ["1.5ns | this duration is finer than a nanosecond | the shortest step is `1ns`"];
    a_duration_out_of_range: "struct A { attempt(99999999999999999999h) }" => ["99999999999999999999h | this duration is out of range | the longest is 2^64 seconds"];
    a_calculation: "struct A { attempt(2 * 5ms) }" => ["* | expected one value, found `*` behind it | a value is a literal, a path, a call, or a block such as `{ LIMIT.saturating_mul(2) }`"];
    a_literal_inside_a_block: "struct A { attempt({ 800ms * 2 }) }" => ["800ms | `800ms` is a literal of the policy, and can't stand inside an expression | write `Duration::from_millis(800)`"];

    an_unknown_node: "struct A { wibble(3) { attempt(5) } }" => [
        "wibble | there is no node `wibble` | the nodes are `attempt`, `call`, `timeout`, `deadline`, `retry`, `hedge`, `series`, `parallel`, `fallback`, `race`, `allowance`",
        "5 | `5` has no unit | write `5ms` for milliseconds, or `5s` for seconds",
    ];
    a_mistyped_node: "struct A { deadlien(1s) { attempt(5ms) } }" => ["deadlien | there is no node `deadlien` | did you mean `deadline`?"];
    a_node_of_another_library: "struct A { join { a: attempt(5ms), b: attempt(5ms) } }" => ["join | there is no node `join` | it is called `parallel` here"];
    a_number_for_a_node: "struct A { deadline(1s) { 3 } }" => ["3 | expected a node, found `3` | such as `attempt(500ms)` or `retry(attempts = 3) { … }`"];
    a_step_without_a_node: "struct A { series { a: , b: attempt } }" => ["a | expected a node behind `a:` | such as `attempt(500ms)` or `retry(attempts = 3) { … }`"];
    an_unnamed_step: "struct A { series { attempt(5ms), b: attempt } }" => ["attempt | each step of `series` has a name | write `name: attempt …`"];
    an_empty_composition: "struct A { race { } }" => ["race | this `race` is empty | write at least one branch: `race { a: attempt(500ms) }`"];
    an_empty_retry: "struct A { retry(attempts = 3) { } }" => ["retry | this `retry` holds nothing | write what it holds: `retry(attempts = 3) { attempt(500ms) }`"];
    a_limit_around_nothing: "struct A { deadline(1s) }" => ["deadline | `deadline` needs what it holds, between braces | write `deadline(2s) { attempt(500ms) }`"];
    a_limit_without_a_time: "struct A { timeout { attempt } }" => ["timeout | `timeout` needs a duration | write `timeout(500ms) { … }`"];
    a_limit_with_two_times: "struct A { timeout(1s, 2s) { attempt } }" => ["2s | `timeout` takes one duration | write `timeout(500ms) { … }`"];
    two_nodes_in_one: "struct A { retry(attempts = 3) { attempt(1s), attempt(2s) } }" => ["attempt | `retry` holds one node | put them into one: `series { a: …, b: … }`, `parallel { … }`, `fallback { … }` or `race { … }`"];
    two_roots: "struct A { attempt(1s), attempt(2s) }" => ["attempt | a policy has one root | put its nodes into one: `series { a: …, b: … }`, `parallel { … }`, `fallback { … }` or `race { … }`"];
    two_branches_of_one_name: "struct A { race { a: attempt(1s), a: attempt(2s) } }" => ["a | two are called `a` | give each its own name"];
    two_leaves_of_one_name: "struct A { series { x: race { a: attempt(1s), b: attempt(1s) }, y: race { a: attempt(1s), c: attempt(1s) } } }" => ["a | two leaves are called `a` | give each its own name"];
    a_missing_comma_between_steps: "struct A { series { a: attempt(1s) b: attempt(1s) } }" => ["b | a comma is missing before `b`"];
    a_semicolon_between_steps: "struct A { series { a: attempt(1s); b: attempt(1s) } }" => ["; | steps and branches are separated by commas | write `,` instead of `;`"];
    a_missing_comma_between_arguments: "struct A { retry(attempts = 3 backoff = none) { attempt(1s) } }" => ["backoff | a comma is missing before `backoff`"];
    a_comma_too_many: "struct A { retry(attempts = 3,, backoff = none) { attempt(1s) } }" => [", | nothing stands before this comma"];
    cfg_on_a_node: "struct A { #[cfg(test)] attempt(1s) }" => ["cfg | `cfg` can't stand on a node: the policy is planned before it is known | put it on two policies"];

    no_attempts: "struct A { retry(backoff = none) { attempt(1s) } }" => ["retry | `attempts` is missing: how often is tried, the first try included? | write `attempts = 3`, or `attempts = ..=3` for as many as fit, or `attempts = unlimited`"];
    zero_attempts: "struct A { retry(attempts = 0) { attempt(1s) } }" => ["0 | zero attempts try nothing: `attempts` counts the first try too | write `attempts = 1` for one try and no retry"];
    an_argument_twice: "struct A { retry(attempts = 3, attempts = 4) { attempt(1s) } }" => ["attempts | `attempts` is given twice | keep one of them"];
    an_unnamed_count: "struct A { retry(3) { attempt(1s) } }" => ["3 | expected an argument of `retry`, found `3` | write `attempts = 3`"];
    retries: "struct A { retry(retries = 2) { attempt(1s) } }" => ["retries | `retries` isn't a word here: `attempts` counts every try, the first included | write `attempts = 3`"];
    max_retries: "struct A { retry(max_retries = 4) { attempt(1s) } }" => ["max_retries | `max_retries` isn't a word here: `attempts` counts every try, the first included | write `attempts = 5`"];
    max_attempts: "struct A { retry(max_attempts = 4) { attempt(1s) } }" => ["max_attempts | `max_attempts` is called `attempts` here | write `attempts = 4`, or `attempts = ..=4` for as many of them as fit"];
    times: "struct A { retry(times = 4) { attempt(1s) } }" => ["times | `times` isn't a word here: `attempts` counts every try, the first included | write `attempts = 4` for 4 in all, or `attempts = 5` for 4 after the first"];
    initial_delay: "struct A { retry(attempts = 3, initial_delay = 50ms) { attempt(1s) } }" => ["initial_delay | `initial_delay` is the first wait of a backoff | write `backoff = exponential(50ms)`"];
    min_delay: "struct A { retry(attempts = 3, min_delay = 50ms) { attempt(1s) } }" => ["min_delay | `min_delay` is the first wait of a backoff | write `backoff = exponential(50ms)`"];
    multiplier: "struct A { retry(attempts = 3, multiplier = 1.5) { attempt(1s) } }" => ["multiplier | `multiplier` belongs to the backoff | write `backoff = exponential(100ms, factor = 1.5)`"];
    max_interval: "struct A { retry(attempts = 3, max_interval = 5s) { attempt(1s) } }" => ["max_interval | `max_interval` belongs to the backoff | write `backoff = exponential(100ms, max = 5s)`"];
    a_mistyped_argument: "struct A { retry(atempts = 3) { attempt(1s) } }" => ["atempts | `retry` has no argument `atempts` | did you mean `attempts`?"];
    an_unknown_argument: "struct A { retry(attempts = 3, colour = red) { attempt(1s) } }" => ["colour | `retry` has no argument `colour` | its arguments are `attempts`, `backoff`, `jitter`, `budget`, `when`, `until`, `timeouts`, `retry_after`, `retry_after_max`, `on_retry`"];
    a_half_typed_argument: "struct A { retry(attempts =) { attempt(1s) } }" => ["attempts | a value is missing here | write `attempts = 3`"];
    an_argument_without_a_value: "struct A { retry(attempts = 3, backoff) { attempt(1s) } }" => ["backoff | `backoff` needs a value | write `backoff = exponential(100ms)`"];
    a_timeout_in_retry: "struct A { retry(attempts = 3, timeout = 1s) { attempt(1s) } }" => ["timeout | `timeout` isn't an argument of `retry` | write `attempt(1s)` inside to bound each attempt, or `timeout(1s) { … }` around to bound all of them"];
    a_quoted_count: "struct A { retry(attempts = \"3\") { attempt(1s) } }" => ["\"3\" | a count is written without quotes, found \"3\" | write `3`"];
    a_fractional_count: "struct A { retry(attempts = 3.0) { attempt(1s) } }" => ["3.0 | expected a whole number, found `3.0` | write `3`"];
    a_count_with_a_unit: "struct A { retry(attempts = 3s) { attempt(1s) } }" => ["3s | expected a count, found the duration `3s` | write it in digits, such as `3`"];
    a_negative_count: "struct A { retry(attempts = -1) { attempt(1s) } }" => ["- | a negative value, `-1`, has no meaning here | write `attempts = 3`"];
    a_count_out_of_range: "struct A { retry(attempts = 5_000_000_000) { attempt(1s) } }" => ["5_000_000_000 | `5_000_000_000` is out of range | the most is `4294967295`"];
    an_open_range: "struct A { retry(attempts = ..3) { attempt(1s) } }" => [". | the most is part of `attempts` | write `attempts = ..=3`, or `..=2`"];
    a_range_with_a_least: "struct A { retry(attempts = 1..=3) { attempt(1s) } }" => ["1 | as many as fit has no least: the first attempt is always made | write `attempts = ..=3`"];
    forever: "struct A { retry(attempts = forever) { attempt(1s) } }" => ["forever | `forever` isn't a count | write `attempts = unlimited`"];
    timeouts_of_another_kind: "struct A { retry(attempts = 3, timeouts = fail) { attempt(1s) } }" => ["fail | expected `retry` or `stop`, found `fail` | write `timeouts = retry` to try again after a timeout, or `timeouts = stop` to end there"];
    a_literal_budget: "struct A { retry(attempts = 3, budget = 10) { attempt(1s) } }" => ["10 | expected the path of a budget, found `10` | budgets are shared: write `static PAYMENTS: Budget = …;` and `budget = PAYMENTS` | for at most so many retries inside one run, write `allowance(PAYMENTS = 3) { … }` around"];
    a_cap_without_a_hint: "struct A { retry(attempts = 3, retry_after_max = 3s) { attempt(1s) } }" => ["3s | `retry_after_max` bounds `retry_after`, which is missing | write `retry_after = |error| error.retry_after()` too"];

    an_unknown_backoff: "struct A { retry(attempts = 3, backoff = wobble(1s)) { attempt(1s) } }" => ["wobble | there is no backoff `wobble` | the backoffs are `none`, `fixed`, `linear`, `exponential`, `decorrelated`, `schedule`"];
    a_mistyped_backoff: "struct A { retry(attempts = 3, backoff = exponental(1s)) { attempt(1s) } }" => ["exponental | there is no backoff `exponental` | did you mean `exponential(1s)`?"];
    a_backoff_of_another_library: "struct A { retry(attempts = 3, backoff = constant(1s)) { attempt(1s) } }" => ["constant | there is no backoff `constant` | write `backoff = fixed(1s)`"];
    fibonacci: "struct A { retry(attempts = 3, backoff = fibonacci(1s)) { attempt(1s) } }" => ["fibonacci | there is no backoff `fibonacci` | write `backoff = schedule(100ms, 200ms, 300ms, 500ms, 800ms, ..)`"];
    a_duration_for_a_backoff: "struct A { retry(attempts = 3, backoff = 100ms) { attempt(1s) } }" => ["100ms | expected a backoff, found `100ms` | write `backoff = fixed(100ms)`, or `backoff = exponential(100ms)` to double it each time"];
    a_backoff_without_its_wait: "struct A { retry(attempts = 3, backoff = exponential) { attempt(1s) } }" => ["exponential | `exponential` needs its first wait | write `backoff = exponential(100ms)`"];
    a_backoff_with_empty_parentheses: "struct A { retry(attempts = 3, backoff = linear()) { attempt(1s) } }" => ["linear | `linear` needs its first wait | write `linear(100ms)`"];
    a_factor_below_one: "struct A { retry(attempts = 3, backoff = exponential(1s, factor = 0.5)) { attempt(1s) } }" => ["0.5 | a factor of 0.5 makes waits shorter each time; the least is 1 | write `factor = 2` to double each wait, or a `schedule(…)` for waits that shrink"];
    a_factor_with_a_unit: "struct A { retry(attempts = 3, backoff = exponential(1s, factor = 2x)) { attempt(1s) } }" => ["2x | a factor has no unit, found `2x` | write `2`"];
    an_unnamed_factor: "struct A { retry(attempts = 3, backoff = exponential(1s, 2)) { attempt(1s) } }" => ["2 | `exponential` has one value without a name, its first wait | write `factor = 2`"];
    an_unnamed_cap: "struct A { retry(attempts = 3, backoff = exponential(1s, 10s)) { attempt(1s) } }" => ["10s | `exponential` has one value without a name, its first wait | write `max = 10s`"];
    a_cap_below_the_base: "struct A { retry(attempts = 3, backoff = exponential(5s, max = 1s)) { attempt(1s) } }" => ["5s, max = 1s | the first wait, 5s, is above `max`, 1s | write `exponential(1s, max = 5s)`, or `fixed(1s)`"];
    a_cap_by_another_name: "struct A { retry(attempts = 3, backoff = exponential(1s, cap = 10s)) { attempt(1s) } }" => ["cap | `exponential` has no argument `cap` | write `max = 10s`"];
    a_named_base: "struct A { retry(attempts = 3, backoff = exponential(base = 1s)) { attempt(1s) } }" => ["base | `exponential` has no argument `base` | write its first wait without a name: `exponential(1s)`"];
    jitter_inside_a_backoff: "struct A { retry(attempts = 3, backoff = exponential(1s, jitter = full)) { attempt(1s) } }" => ["jitter | `exponential` has no argument `jitter` | `jitter` is an argument of `retry`, beside `backoff`"];
    a_schedule_too_short: "struct A { retry(attempts = 4, backoff = schedule(1s, 2s)) { attempt(1s) } }" => ["schedule | `attempts = 4` has 3 retries, and the schedule has 2 waits | write `attempts = 3` | or close the schedule with `..` to repeat its last wait"];
    a_schedule_too_long: "struct A { retry(attempts = 2, backoff = schedule(1s, 2s)) { attempt(1s) } }" => ["schedule | `attempts = 2` has 1 retry, and the schedule has 2 waits | write `attempts = 3`"];
    a_schedule_that_ends_too_soon: "struct A { retry(attempts = unlimited, backoff = schedule(1s)) { attempt(1s) } }" => ["schedule | a schedule of 1 wait ends, and `attempts` is unlimited | close it with `..` to repeat the last wait"];
    an_empty_schedule: "struct A { retry(attempts = 3, backoff = schedule()) { attempt(1s) } }" => ["schedule | `schedule` needs at least one wait | write `schedule(100ms, 300ms, ..)`"];
    an_unknown_jitter: "struct A { retry(attempts = 3, jitter = ful) { attempt(1s) } }" => ["ful | there is no jitter `ful` | did you mean `full`?"];
    a_boolean_jitter: "struct A { retry(attempts = 3, jitter = true) { attempt(1s) } }" => ["true | there is no jitter `true` | write `jitter = full`"];
    a_number_for_a_jitter: "struct A { retry(attempts = 3, jitter = 0.3) { attempt(1s) } }" => ["0.3 | expected a jitter, found `0.3` | write `jitter = spread(0.3)`, or `jitter = full`"];
    a_spread_above_one: "struct A { retry(attempts = 3, jitter = spread(20)) { attempt(1s) } }" => ["20 | a spread of 20 is above the whole wait; the most is 1 | for 20 percent write `spread(0.2)`"];
    jitter_on_decorrelated: "struct A { retry(attempts = 3, backoff = decorrelated(1s), jitter = full) { attempt(1s) } }" => ["full | `decorrelated` draws its waits itself, so there is nothing to spread | leave `jitter` out, or write `backoff = exponential(…)`"];
    jitter_on_no_backoff: "struct A { retry(attempts = 3, backoff = none, jitter = full) { attempt(1s) } }" => ["full | without a backoff there is no wait to spread | leave `jitter` out, or write `backoff = fixed(…)`"];

    a_zero_timeout: "struct A { timeout(0s) { attempt } }" => ["0s | a timeout of zero lets nothing start | write a time above zero, such as `500ms`"];
    a_zero_deadline: "struct A { deadline(0ms) { attempt } }" => ["0ms | a deadline of zero lets nothing start | write a time above zero, such as `500ms`"];
    a_zero_bound: "struct A { attempt(0ms) }" => ["0ms | a bound of zero lets nothing start | write a time above zero, such as `500ms`"];
    takes_turned_around: "struct A { attempt(takes = 5ms..=2ms) }" => ["5ms..=2ms | the least is above the most: 5ms and 2ms | write `takes = 2ms..=5ms`"];
    takes_without_an_end: "struct A { attempt(takes = 5ms..) }" => ["5ms | `takes` without an end needs a bound on the attempt | write `takes = 50ms..=500ms`, or `attempt(500ms, takes = 50ms..)`"];
    takes_with_an_open_range: "struct A { attempt(takes = 5ms..9ms) }" => [". | the longest is part of `takes` | write `..=`"];
    two_bounds: "struct A { attempt(5ms, 9ms) }" => ["9ms | an attempt has one bound | for what it is declared to take, write `takes = 9ms`"];
    a_named_bound: "struct A { attempt(timeout = 5ms) }" => ["timeout | `timeout` isn't an argument of `attempt` | write the bound without a name: `attempt(5ms)`"];
    a_number_for_idempotent: "struct A { attempt(5ms, idempotent = 0) }" => ["0 | expected `true` or `false`, found `0`"];

    a_hedge_without_copies: "struct A { hedge(after = 80ms) { attempt(1s) } }" => ["hedge | `copies` is missing: how many run at most, the first included? | write `copies = 2`"];
    a_hedge_without_a_time: "struct A { hedge(copies = 2) { attempt(1s) } }" => ["hedge | `after` is missing: how long without an answer until the next copy starts? | write `after = 80ms`"];
    one_copy: "struct A { hedge(after = 80ms, copies = 1) { attempt(1s) } }" => ["1 | one copy is no hedge: `copies` counts the first one too | write `copies = 2` for one more while the first is out"];
    attempts_of_a_hedge: "struct A { hedge(after = 80ms, attempts = 2) { attempt(1s) } }" => ["attempts | a hedge has copies, not attempts | write `copies = 2`"];
    an_allowance_without_a_key: "struct A { allowance(3) { attempt(1s) } }" => ["3 | an allowance names a budget and how much of it may be used inside | write `allowance(PAYMENTS = 3) { … }`"];
    a_call_of_nothing: "struct A { call() }" => ["call | `call` needs the policy that it runs | write `call(path::Policy)`"];

    a_near_miss_of_a_finding: "struct A { #[allow(canot_fit)] attempt(1s) }" => ["canot_fit | there is no finding `canot_fit` | did you mean `cannot_fit`?"];
    a_finding_with_a_path: "struct A { #[allow(retry_plan::cannot_fit)] attempt(1s) }" => ["retry_plan | findings are named without a path | write `cannot_fit`"];
    forbid: "struct A { #[forbid(cannot_fit)] attempt(1s) }" => ["forbid | `forbid` can't be said of `cannot_fit` | write `deny`: the levels are `allow`, `expect`, `warn` and `deny`"];

    nothing_at_all: "struct A { }" => ["A | the policy of `A` is empty | write `struct A { retry(attempts = 3) { attempt(500ms) } }`"];
    a_half_typed_policy: "struct A" => ["A | the policy of `A` is missing | write `struct A { retry(attempts = 3) { attempt(500ms) } }`"];
    an_enum: "enum A { attempt(1s) }" => ["enum | a policy is a struct, found `enum` | write `struct Name { … }`"];
    code_in_a_named_policy: "struct A { attempt(1s) async |cx| f(cx).await }" => ["async | the operation of a named policy is given where it runs | write the attempt without code, and `Policy::run(async |cx| { … })` where it runs"];
    a_misnamed_error_type: "struct A { type Err = E; attempt(1s) }" => ["Err | `Err` isn't known here | write `type Error = MyError;`"];
    a_missing_semicolon: "struct A { type Error = E attempt(1s) }" => ["E | a `;` is missing behind this | write `type Error = MyError;`"];

    no_code_in_place: "deadline(1s) { attempt(1s) }" => ["attempt | this `attempt` has no operation: a policy in place holds its code | write `attempt(500ms) async |cx| { … }`; outside of a function, a policy has a name: `struct Name { … }`"];
    a_name_without_struct: "Charge { attempt(1s) }" => ["Charge | a named policy begins with `struct` | write `struct Charge { … }`"];
    a_capital_node: "Series { a: attempt(1s) async |_| f().await }" => ["Series | there is no node `Series` | did you mean `series`?"];
    a_block_for_an_operation: "deadline(1s) { attempt(1s) { f().await } }" => ["{ | an operation is a closure, for it may run more than once | write `async |cx| { … }`"];
    an_async_block_for_an_operation: "deadline(1s) { attempt(1s) async { f().await } }" => ["async | an operation is a closure: an async block runs only once | write `async |_| { … }`"];
    a_short_form_without_code: "attempts = 3, attempt = 1s" => ["1s | the operation is missing | write it last: `attempts = 3, attempt = 500ms, async |cx| { … }`"];
    a_named_policy_without_code: "Charge" => ["Charge | the operation is missing | write `retry_policy!(Charge, async |cx| { … })`"];
    a_key_beside_a_named_policy: "Charge, attempts = 3, async |cx| f(cx).await" => ["attempts | `attempts` belongs to the policy `Charge` | write it there"];
    an_ambiguous_timeout: "attempts = 3, timeout = 2s, async |cx| f(cx).await" => ["timeout | `timeout` is ambiguous: each attempt, or the whole run? | write `attempt = 2s` to bound each attempt, or `deadline = 2s` to bound the whole run"];

    five_mistakes_are_five_errors: "struct A { deadline(5m) { retry(retries = 2, backof = fixed(1s), jitter = ful) { atempt(1s) } } }" => [
        "5m | `5m` could be minutes or milliseconds | write `5min` or `5ms`",
        "retries | `retries` isn't a word here: `attempts` counts every try, the first included | write `attempts = 3`",
        "backof | `retry` has no argument `backof` | did you mean `backoff`?",
        "ful | there is no jitter `ful` | did you mean `full`?",
        "atempt | there is no node `atempt` | did you mean `attempt`?",
    ];
}

refused! { function:
    no_policy: "" => [" | `#[retry]` needs a policy | write `#[retry(attempts = 3, attempt = 500ms)]`"];
    an_ambiguous_timeout_on_a_function: "attempts = 3, timeout = 2s" => ["timeout | `timeout` is ambiguous: each attempt, or the whole run? | write `attempt = 2s` to bound each attempt, or `deadline = 2s` to bound the whole run"];
    two_policies: "Charge, Refund" => ["Refund | a function has one policy | keep one of them"];
    a_key_beside_a_tree: "deadline(1s) { attempt(1s) }, when = f" => ["when | `when` stands inside the policy's tree | write it on its node there"];
    a_key_beside_a_policy: "Charge, when = f" => ["when | `when` belongs to the policy `Charge` | write it there"];
    context_without_a_name: "attempts = 3, context" => ["context | `context` is written otherwise | write `context = cx`"];
    clone_without_parentheses: "attempts = 3, clone = a" => ["clone | `clone` is written otherwise | write `clone(name)`"];
    a_mistyped_key: "attempts = 3, contxt = cx" => ["contxt | `#[retry]` has no argument `contxt` | did you mean `context`?"];
    code_beside_a_function: "deadline(1s) { attempt(1s) async |cx| f() }" => ["async | the operation of a `#[retry]` function is its body | write the attempt without code"];
}
