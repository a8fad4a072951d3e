//! What this project set out to reach, and how far it got.

use retry_bench::contention;
use retry_bench::figures::{self, Figures};

/// One target: what is compared, the bound, what was reached, and what keeps it from being reached.
struct Target {
    what: String,
    asked: String,
    reached: f64,
    met: bool,
    limit: Limit,
}

/// What keeps a target from being reached; told only where it is missed.
#[derive(Clone, Copy, PartialEq)]
enum Limit {
    /// Where the instructions of a case go: a discipline and a name.
    Rooms(&'static str, &'static str),
    /// The same, after the reason for the most of it.
    Since(&'static str, &'static str, &'static str),
    /// What lies in the future of a case.
    Layout(&'static str),
    /// How far a bare compare-and-swap gets: a state and a number of threads.
    Bare(&'static str, &'static str),
    Said(&'static str),
}

const RETRY: Limit = Limit::Since(
    "the function's body is an `async` block around the operation, which a closure that hands out the operation's own future \
     needn't have, as the row of `run` shows",
    "first-try",
    "retry-plan #[retry]",
);
const RETRY_PAID: Limit = Limit::Rooms("first-try", "retry-plan #[retry], budget");
const RUN: Limit = Limit::Rooms("first-try", "retry-plan run");
const RUN_PAID: Limit = Limit::Rooms("first-try", "retry-plan run, budget");
const DETAILED: Limit = Limit::Rooms("first-try", "retry-plan run_detailed, budget");
const BOUNDED: Limit = Limit::Rooms("bounded", "retry-plan run");
const NESTED: Limit = Limit::Rooms("nested", "retry-plan run");
const PENDING: Limit = Limit::Since(KEPT, "pending", "retry-plan run");
/// Why a limit that is pending takes more instructions than one of tokio.
const KEPT: &str = "limits are numbers on a clock of the run's own, which its operation is told of: the time is made into one, \
     and the instant for tokio's timer out of one; the row of times doesn't show it";
const TIMES: Limit = Limit::Said(
    "the row of its instructions tells what the run does; quartiles beside the median tell how much of its time is the machine's",
);
const THREE: Limit = Limit::Said(
    "each attempt that is pending sets the run's one `Sleep` anew, puts its waker there and reads the clock when it fails; the row of a hand loop without a limit tells what the attempts themselves take",
);

impl Limit {
    fn told(self) -> Result<String, String> {
        match self {
            Self::Said(text) => Ok(text.to_owned()),
            Self::Since(reason, id, name) => Ok(format!("{reason}; {}", Self::Rooms(id, name).told()?)),
            Self::Rooms(id, name) => {
                let rooms = super::rooms(id, name)?;
                let total: f64 = rooms.iter().map(|(_, instructions)| instructions).sum();
                Ok(format!(
                    "of {total:.0} instructions of `{name}`, {}",
                    super::listed(&rooms, 1.0)
                ))
            }
            Self::Layout(name) => {
                let parts = super::layouts()?;
                let told: Vec<String> = parts
                    .iter()
                    .filter(|part| part.case == name)
                    .map(|part| format!("bytes of the {}: {}", part.what, super::listed(&part.fields, 1.0)))
                    .collect();
                Ok(told.join("; "))
            }
            Self::Bare(state, threads) => Ok(format!(
                "where each payment is written, one word that is compared and swapped reaches {:.1} times tower's rate at {threads}, with \
                 nothing counted",
                super::rate(contention::BARE, state, threads)? / super::rate(TOWER, state, threads)?
            )),
        }
    }
}

const TOWER: &str = "tower TpsBudget";

pub(super) fn print() -> Result<(), String> {
    println!("\n## Targets\n");
    println!("Ratios are to the case named in the row, of the same table below.\n");
    println!("| target | asked | reached | |\n|---|--:|--:|---|");
    let mut missed: Vec<(Limit, Vec<String>)> = Vec::new();
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
        // What is missed by little isn't shown as if it were reached.
        let figure = Some(shown(reached))
            .filter(|figure| met || asked.split(' ').next_back() != Some(figure))
            .unwrap_or_else(|| format!("{reached:.3}"));
        println!("| {what} | {asked} | {figure} | {verdict} |");
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
            println!("- {}: {}.", rows.join("; "), limit.told()?);
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

fn at_most(what: &str, asked: f64, reached: f64, limit: Limit) -> Target {
    Target {
        what: what.to_owned(),
        asked: format!("≤ {}", shown(asked)),
        reached,
        met: reached <= asked,
        limit,
    }
}

fn at_least(what: &str, asked: f64, reached: f64, limit: Limit) -> Target {
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
    let weights = Figures::of_part("bytes")?;
    let count = |discipline: &str, name: &str| counts.of(discipline, name);
    // A time that wasn't taken reaches nothing.
    let time = |discipline: &str, name: &str| times.of(discipline, name).or(Ok::<_, String>(f64::NAN));
    let bytes = |name: &str| weights.of("size", name);
    let deep = |name: &str| weights.of("grow-nesting", name);
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
    let three = time("pending-three", "retry-plan run")?;
    let three_by_hand = time("pending-three", "hand loop, tokio timeout")?;
    let three_alone = time("pending-three", "hand loop, no limit")?;
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
            RETRY_PAID,
        ),
        at_most(
            "1. first try, `run` with budget, of the hand loop",
            1.3,
            first("retry-plan run, budget")?,
            RUN_PAID,
        ),
        at_most(
            "1. first try, `run_detailed` with budget, instructions",
            95.0,
            count("first-try", "retry-plan run_detailed, budget")?,
            DETAILED,
        ),
        at_most(
            "1. first try, `#[retry]` without budget, of tokio-retry",
            1.0,
            count("first-try", "retry-plan #[retry]")? / tokio_retry,
            RETRY,
        ),
        at_most(
            "1. first try, `#[retry]` without budget, of tokio-retry around the same body",
            1.0,
            count("first-try", "retry-plan #[retry]")? / count("first-try", "tokio-retry, of a body")?,
            RETRY,
        ),
        at_most(
            "1. first try, `run` without budget, of tokio-retry",
            1.0,
            count("first-try", "retry-plan run")? / tokio_retry,
            RUN,
        ),
        at_most(
            "1. first try, allocations",
            0.0,
            allocations("first-try", "retry-plan run, budget")?,
            RUN_PAID,
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
            NESTED,
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
            NESTED,
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
            TIMES,
        ),
        at_most(
            "2. three attempts each pending once, time of tokio's timeouts",
            0.5,
            three / three_by_hand,
            THREE,
        ),
        at_most(
            "2. three attempts each pending once, the same less the attempts themselves",
            0.5,
            (three - three_alone) / (three_by_hand - three_alone),
            THREE,
        ),
        at_most(
            "2. three nested limits pending once, instructions of tokio's timeouts",
            0.4,
            count("pending-nested", "retry-plan run")? / count("pending-nested", nested_hand)?,
            Limit::Since(KEPT, "pending-nested", "retry-plan run"),
        ),
        at_most(
            "2. three nested limits pending once, time of tokio's timeouts",
            0.4,
            time("pending-nested", "retry-plan run")? / time("pending-nested", nested_hand)?,
            TIMES,
        ),
        at_most(
            "2. parallel of four, each pending once, instructions of tokio's timeouts",
            0.6,
            count("pending-parallel", "retry-plan run")? / count("pending-parallel", four_hand)?,
            Limit::Rooms("pending-parallel", "retry-plan run"),
        ),
        at_most(
            "2. parallel of four, each pending once, time of tokio's timeouts",
            0.6,
            time("pending-parallel", "retry-plan run")? / time("pending-parallel", four_hand)?,
            TIMES,
        ),
        at_most(
            "3. two failures without wait and with a budget, `#[retry]`, of the hand loop",
            1.45,
            zero("retry-plan #[retry], budget")?,
            Limit::Rooms("zero-wait", "retry-plan #[retry], budget"),
        ),
        at_most(
            "3. two failures without wait and with a budget, `run`, of the hand loop",
            1.45,
            zero("retry-plan run, budget")?,
            Limit::Rooms("zero-wait", "retry-plan run, budget"),
        ),
        at_most(
            "3. two failures without wait, `#[retry]`, of the hand loop",
            1.2,
            zero("retry-plan #[retry]")?,
            Limit::Rooms("zero-wait", "retry-plan #[retry]"),
        ),
        at_most(
            "3. two failures without wait, `run`, of the hand loop",
            1.2,
            zero("retry-plan run")?,
            Limit::Rooms("zero-wait", "retry-plan run"),
        ),
        at_most(
            "4. hedge not launched, of one bounded attempt",
            1.8,
            hedged / one,
            Limit::Rooms("hedge-ready", "retry-plan run"),
        ),
        at_most(
            "4. hedge not launched, of tower's",
            1.0 / 3.0,
            hedged / count("hedge-ready", "tower hedge")?,
            Limit::Rooms("hedge-ready", "retry-plan run"),
        ),
        at_most(
            "4. hedge launched, allocations",
            0.0,
            allocations("hedge-launched", "retry-plan run")?,
            Limit::Rooms("hedge-launched", "retry-plan run"),
        ),
        at_most(
            "4. hedge launched, of tower's",
            0.3,
            count("hedge-launched", "retry-plan run")? / count("hedge-launched", "tower hedge")?,
            Limit::Since(
                "the sleep before the second copy is in both, and alone is most of it; the next row leaves it out",
                "hedge-launched",
                "retry-plan run",
            ),
        ),
        at_most(
            "4. hedge launched, of tower's, less the sleep of 1 ms in both",
            0.3,
            (count("hedge-launched", "retry-plan run")? - sleep)
                / (count("hedge-launched", "tower hedge")? - sleep),
            Limit::Rooms("hedge-launched", "retry-plan run"),
        ),
        at_most(
            "5. bytes beyond the operation, no limit",
            56.0,
            bytes("retry-plan run, no limit")? - operation,
            Limit::Layout("retry-plan run, no limit"),
        ),
        at_most(
            "5. bytes beyond the operation and a `Sleep`, one limit",
            72.0,
            one_limit - operation - sleep_size,
            Limit::Layout("retry-plan run, one limit"),
        ),
        at_most(
            "5. bytes beyond the operation and a `Sleep`, three limits",
            104.0,
            bytes("retry-plan run, three limits")? - operation - sleep_size,
            Limit::Layout("retry-plan run, three limits"),
        ),
        at_most(
            "5. bytes for each further limit, from 1 to 16",
            16.0,
            (deep("retry-plan run, 16")? - deep("retry-plan run, 1")?) / 15.0,
            Limit::Layout("retry-plan run, three limits"),
        ),
        at_most(
            "5. bytes beyond both copies and a `Sleep`, hedge of two",
            128.0,
            bytes("retry-plan run, hedge of two")? - 2.0 * operation - sleep_size,
            Limit::Layout("retry-plan run, hedge of two"),
        ),
    ];
    for threads in ["1", "2"] {
        for state in contention::STATES {
            let reached =
                super::rate("retry-plan Budget", state, threads)? / super::rate(TOWER, state, threads)?;
            let what = format!("6. budget, {state}, threads: {threads}, rate of tower's");
            let written = if state == contention::FUNDED {
                state
            } else {
                contention::IN_USE
            };
            targets.push(at_least(&what, 10.0, reached, Limit::Bare(written, threads)));
        }
    }
    targets.extend([
        at_most(
            "7. scope that imposes nothing, instructions a poll",
            20.0,
            polls("retry-plan Scope")?,
            Limit::Rooms("scope-polls", "retry-plan Scope"),
        ),
        at_most(
            "7. scope with a deadline, instructions a poll",
            20.0,
            polls("retry-plan Scope with a deadline")?,
            Limit::Rooms("scope-polls", "retry-plan Scope with a deadline"),
        ),
        at_most(
            "7. a nested run that doesn't wait, instructions more than outside of a scope",
            0.0,
            nested,
            Limit::Since(
                "whether the deadline has passed has to be known before the first call, which takes a reading of the clock",
                "scope-nested",
                "retry-plan run, in a scope with a deadline",
            ),
        ),
    ]);
    if figures::path("check_time").exists() {
        let lines = figures::lines("check_time")?;
        let each = |line: &Vec<String>| {
            line.get(3)
                .and_then(|figure| figure.parse::<f64>().ok())
                .unwrap_or(f64::NAN)
        };
        // The first line names the parts of the compiler; each policy is set against the hand loop that does the same.
        let rows = lines.get(1..).unwrap_or_default();
        let (hands, ours): (Vec<_>, Vec<_>) = rows.iter().partition(|line| line[0].starts_with("by hand"));
        for line in ours {
            let told = if line[0].ends_with("with a predicate") {
                "by hand, with a predicate"
            } else {
                "by hand"
            };
            let hand = hands.iter().find(|hand| hand[0] == told);
            let what = format!("8. check time of a policy beyond its hand loop, {}, ms", line[0]);
            targets.push(at_most(
                &what,
                10.0,
                each(line) - hand.map_or(f64::NAN, |hand| each(hand)),
                Limit::Said("the loop that a policy becomes: types, borrows and MIR of its futures, as the table of where it goes shows"),
            ));
        }
    }
    Ok(targets)
}
