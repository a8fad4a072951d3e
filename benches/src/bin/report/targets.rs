//! What this project set out to reach, and how far it got.

use retry_bench::figures::{self, Figures};

/// One target: what is compared, the bound, what was reached, and what keeps it from being reached.
struct Target {
    what: String,
    asked: String,
    reached: f64,
    met: bool,
    limit: &'static str,
}

/// What holds a whole run back, by kind; told only where a target is missed.
const STATE: &str = "each run keeps a clock, a count and a place for its timer in its future, asks for the caller's scope, and drops all \
of it, which a loop that knows none of them doesn't do";
const FAILED: &str = "each failed attempt asks for kind of error, wait, fit, scope and budget in that order (rule 4), a loop for a \
counter";
const BOUNDED: &str = "an attempt with a bound publishes it to what runs inside, and takes it back: two thread-local words, twice";
const PENDING: &str =
    "the run's clock is told apart from tokio's once a run, and the limit is published at each poll";
const IDLE: &str =
    "of a run's time in an idle runtime the first arming of its timer is the most, and that stays";
const HEDGE: &str = "the copies lie in the hedge, each under a path of its own with its own clock reading";
const LAUNCHED: &str = "most of it is the runtime that waits a millisecond, which the row of the sleep shows";
const SIZE: &str = "a limit may come from the caller's scope, so that a run has a place for its timer also where its own policy has no \
limit; clock, counts and the next wait take the rest";
const COPIES: &str =
    "each copy is a path of its own, with its clock, its last error and what its retries count";
const BUDGET: &str = "every operation is also counted, in a stripe of its thread, which tower doesn't do";
const SCOPE: &str =
    "a poll saves, publishes and restores two words and asks on both sides whether there is a context";

pub(super) fn print() -> Result<(), String> {
    println!("\n## Targets\n");
    println!("Ratios are to the case named in the row, of the same table below.\n");
    println!("| target | asked | reached | |\n|---|--:|--:|---|");
    let mut missed: Vec<(&'static str, Vec<String>)> = Vec::new();
    for target in targets()? {
        let Target {
            what,
            asked,
            reached,
            met,
            limit,
        } = target;
        let verdict = match (met, reached.is_nan()) {
            (true, _) => "reached",
            (false, false) => "missed",
            (false, true) => "not taken",
        };
        println!("| {what} | {asked} | {} | {verdict} |", shown(reached));
        if verdict == "missed" {
            match missed.iter_mut().find(|(known, _)| *known == limit) {
                Some((_, rows)) => rows.push(what),
                None => missed.push((limit, vec![what])),
            }
        }
    }
    if !missed.is_empty() {
        println!("\nWhat limits those that were missed:\n");
        for (limit, rows) in missed {
            println!("- {}: {limit}.", rows.join("; "));
        }
    }
    Ok(())
}

fn shown(figure: f64) -> String {
    if figure.abs() < 10.0 {
        format!("{figure:.2}")
    } else {
        format!("{figure:.0}")
    }
}

fn at_most(what: &str, asked: f64, reached: f64, limit: &'static str) -> Target {
    Target {
        what: what.to_owned(),
        asked: format!("≤ {}", shown(asked)),
        reached,
        met: reached <= asked,
        limit,
    }
}

fn at_least(what: &str, asked: f64, reached: f64, limit: &'static str) -> Target {
    Target {
        what: what.to_owned(),
        asked: format!("≥ {}", shown(asked)),
        reached,
        met: reached >= asked,
        limit,
    }
}

#[expect(clippy::too_many_lines, reason = "it is a list")]
fn targets() -> Result<Vec<Target>, String> {
    let counts = figures::counts()?;
    let times = Figures::of_part("clock")?;
    let weights = Figures::of_part("weigh")?;
    let count = |discipline: &str, name: &str| counts.of(discipline, name);
    // A time that wasn't taken reaches nothing.
    let time = |discipline: &str, name: &str| times.of(discipline, name).or(Ok::<_, String>(f64::NAN));
    let bytes = |name: &str| weights.of("size", name);
    let allocations = |discipline: &str, name: &str| -> Result<f64, String> {
        weights
            .all_of(discipline, name)?
            .get(1)
            .copied()
            .ok_or_else(|| format!("{name}: no allocations"))
    };
    let first = |name: &str| -> Result<f64, String> {
        Ok(count("first-try", name)? / count("first-try", "hand loop")?)
    };
    let zero = |name: &str| -> Result<f64, String> {
        Ok(count("zero-wait", name)? / count("zero-wait", "hand loop that skips zero waits")?)
    };
    let tokio_retry = count("first-try", "tokio-retry")?;
    let nested_hand = "tokio timeouts around hand loops";
    let four_hand = "tokio::try_join! of tokio timeouts";
    let one = count("bounded", "retry-plan run, one attempt, no retry")?;
    let hedged = count("hedge-ready", "retry-plan run")?;
    let sleep = count("hedge-launched", "a sleep of 1 ms and nothing else")?;
    let operation = bytes("the operation alone")?;
    let sleep_size = figures::lines("machine")?
        .iter()
        .find_map(|line| (line[0] == "bytes of tokio's Sleep").then(|| line[1].parse::<f64>().ok())?)
        .ok_or("machine: no size of Sleep")?;
    let one_limit = bytes("retry-plan run, one limit")?;
    let polls = |case: &str| -> Result<f64, String> {
        let extra = |discipline: &str| -> Result<f64, String> {
            Ok(count(discipline, case)? - count(discipline, "no scope")?)
        };
        Ok((extra("scope-polls")? - extra("scope")?) / 9.0)
    };
    let nested = (count("scope-nested", "retry-plan run, in a scope with a deadline")?
        - count("scope-nested", "no policy in the scope")?)
        - (count("scope-nested", "retry-plan run, no scope")? - count("first-try", "the operation alone")?);
    let mut targets = vec![
        at_most(
            "1. first try, `#[retry]` with budget, of the hand loop",
            1.3,
            first("retry-plan #[retry], budget")?,
            STATE,
        ),
        at_most(
            "1. first try, `run` with budget, of the hand loop",
            1.3,
            first("retry-plan run, budget")?,
            STATE,
        ),
        at_most(
            "1. first try, `run_detailed` with budget, instructions",
            95.0,
            count("first-try", "retry-plan run_detailed, budget")?,
            STATE,
        ),
        at_most(
            "1. first try, `#[retry]` without budget, of tokio-retry",
            1.0,
            count("first-try", "retry-plan #[retry]")? / tokio_retry,
            STATE,
        ),
        at_most(
            "1. first try, `run` without budget, of tokio-retry",
            1.0,
            count("first-try", "retry-plan run")? / tokio_retry,
            STATE,
        ),
        at_most(
            "1. first try, allocations",
            0.0,
            allocations("first-try", "retry-plan run, budget")?,
            STATE,
        ),
        at_most(
            "2. bounded attempt in a retry, instructions",
            115.0,
            count("bounded", "retry-plan run")?,
            BOUNDED,
        ),
        at_most(
            "2. three nested limits, instructions",
            145.0,
            count("nested", "retry-plan run")?,
            BOUNDED,
        ),
        at_most(
            "2. bounded attempt in a retry, of the hand loop's",
            115.0 / 263.0,
            count("bounded", "retry-plan run")? / count("bounded", "hand loop, tokio timeout")?,
            BOUNDED,
        ),
        at_most(
            "2. three nested limits, of the hand loops'",
            145.0 / 643.0,
            count("nested", "retry-plan run")? / count("nested", nested_hand)?,
            BOUNDED,
        ),
        at_most(
            "2. one attempt pending once, instructions of tokio's timeout",
            1.05,
            count("pending", "retry-plan run")? / count("pending", "tokio timeout")?,
            PENDING,
        ),
        at_most(
            "2. one attempt pending once, time of tokio's timeout",
            1.05,
            time("pending", "retry-plan run")? / time("pending", "tokio timeout")?,
            PENDING,
        ),
        at_most(
            "2. three attempts each pending once, time of tokio's timeouts",
            0.5,
            time("pending-three", "retry-plan run")? / time("pending-three", "hand loop, tokio timeout")?,
            IDLE,
        ),
        at_most(
            "2. three nested limits pending once, instructions of tokio's timeouts",
            0.4,
            count("pending-nested", "retry-plan run")? / count("pending-nested", nested_hand)?,
            PENDING,
        ),
        at_most(
            "2. parallel of four, each pending once, instructions of tokio's timeouts",
            0.6,
            count("pending-parallel", "retry-plan run")? / count("pending-parallel", four_hand)?,
            PENDING,
        ),
        at_most(
            "3. two failures without wait and with a budget, `#[retry]`, of the hand loop",
            1.45,
            zero("retry-plan #[retry], budget")?,
            FAILED,
        ),
        at_most(
            "3. two failures without wait and with a budget, `run`, of the hand loop",
            1.45,
            zero("retry-plan run, budget")?,
            FAILED,
        ),
        at_most(
            "3. two failures without wait, `#[retry]`, of the hand loop",
            1.2,
            zero("retry-plan #[retry]")?,
            FAILED,
        ),
        at_most(
            "3. two failures without wait, `run`, of the hand loop",
            1.2,
            zero("retry-plan run")?,
            FAILED,
        ),
        at_most(
            "4. hedge not launched, of one bounded attempt",
            1.8,
            hedged / one,
            HEDGE,
        ),
        at_most(
            "4. hedge not launched, of tower's",
            1.0 / 3.0,
            hedged / count("hedge-ready", "tower hedge")?,
            HEDGE,
        ),
        at_most(
            "4. hedge launched, allocations",
            0.0,
            allocations("hedge-launched", "retry-plan run")?,
            LAUNCHED,
        ),
        at_most(
            "4. hedge launched, of tower's",
            0.3,
            count("hedge-launched", "retry-plan run")? / count("hedge-launched", "tower hedge")?,
            LAUNCHED,
        ),
        at_most(
            "4. hedge launched, of tower's, less the sleep of 1 ms in both",
            0.3,
            (count("hedge-launched", "retry-plan run")? - sleep)
                / (count("hedge-launched", "tower hedge")? - sleep),
            LAUNCHED,
        ),
        at_most(
            "5. bytes beyond the operation, no limit",
            56.0,
            bytes("retry-plan run, no limit")? - operation,
            SIZE,
        ),
        at_most(
            "5. bytes beyond the operation and a `Sleep`, one limit",
            72.0,
            one_limit - operation - sleep_size,
            SIZE,
        ),
        at_most(
            "5. bytes for each further limit",
            16.0,
            (bytes("retry-plan run, three nested limits")? - one_limit) / 2.0,
            SIZE,
        ),
        at_most(
            "5. bytes beyond both copies and a `Sleep`, hedge of two",
            128.0,
            bytes("retry-plan run, hedge of two")? - 2.0 * operation - sleep_size,
            COPIES,
        ),
    ];
    let rates = figures::lines("contend")?;
    let rate = |name: &str, state: &str, threads: &str| -> Result<f64, String> {
        rates
            .iter()
            .find(|line| line[0] == name && line[1] == state && line[2] == threads)
            .and_then(|line| line[3].parse().ok())
            .ok_or_else(|| format!("contend: no rate of {name}, {state}, {threads}"))
    };
    for threads in ["1", "2"] {
        for state in ["full: each run pays in", "in use: pay in, draw"] {
            let reached =
                rate("retry-plan Budget", state, threads)? / rate("tower TpsBudget", state, threads)?;
            let what = format!("6. budget, {state}, threads: {threads}, rate of tower's");
            targets.push(at_least(&what, 10.0, reached, BUDGET));
        }
    }
    targets.extend([
        at_most("7. scope that imposes nothing, instructions a poll", 20.0, polls("retry-plan Scope")?, SCOPE),
        at_most("7. scope with a deadline, instructions a poll", 20.0, polls("retry-plan Scope with a deadline")?, SCOPE),
        at_most("7. a nested run that doesn't wait, instructions more than outside of a scope", 0.0, nested, "a deadline around is known in the process' time and a run's limits in its own, so that a run in a scope with a deadline reads the clock once"),
    ]);
    if figures::path("check_time").exists() {
        let lines = figures::lines("check_time")?;
        let each = |line: &Vec<String>| {
            line.last()
                .and_then(|figure| figure.parse::<f64>().ok())
                .unwrap_or(f64::NAN)
        };
        if let Some((hand, ours)) = lines.split_first() {
            for line in ours {
                let what = format!("8. check time of a policy beyond its hand loop, {}, ms", line[0]);
                targets.push(at_most(
                    &what,
                    10.0,
                    each(line) - each(hand),
                    "typing and borrow checking the loop that a policy becomes is most of it",
                ));
            }
        }
    }
    Ok(targets)
}
