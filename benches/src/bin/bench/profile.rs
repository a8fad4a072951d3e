//! Prints where the instructions of a run go: `DISCIPLINE NAME ROOM INSTRUCTIONS`, tab-separated, the largest share first.

use retry_bench::{contest, measure, profile};

/// What the targets are judged by, and what it is compared with.
const PROFILED: [(&str, &str); 26] = [
    ("first-try", "hand loop"),
    ("first-try", "tokio-retry"),
    ("first-try", "retry-plan #[retry], budget"),
    ("first-try", "retry-plan run, budget"),
    ("first-try", "retry-plan run_detailed, budget"),
    ("first-try", "retry-plan in place, a named policy, budget"),
    ("first-try", "retry-plan #[retry]"),
    ("first-try", "retry-plan run"),
    ("zero-wait", "hand loop that skips zero waits"),
    ("zero-wait", "retry-plan #[retry], budget"),
    ("zero-wait", "retry-plan run, budget"),
    ("zero-wait", "retry-plan #[retry]"),
    ("zero-wait", "retry-plan run"),
    ("bounded", "retry-plan run"),
    ("bounded", "retry-plan run, one attempt, no retry"),
    ("nested", "retry-plan run"),
    ("pending", "tokio timeout"),
    ("pending", "retry-plan run"),
    ("pending-nested", "retry-plan run"),
    ("pending-parallel", "retry-plan run"),
    ("hedge-ready", "retry-plan run"),
    ("hedge-launched", "tower hedge"),
    ("hedge-launched", "retry-plan run"),
    ("scope-polls", "retry-plan Scope"),
    ("scope-polls", "retry-plan Scope with a deadline"),
    ("scope-nested", "retry-plan run, in a scope with a deadline"),
];

pub(super) fn print() -> Result<(), String> {
    let bench = measure::sibling("release");
    for (id, name) in PROFILED {
        let discipline = contest::discipline(id);
        let case = discipline
            .cases
            .iter()
            .find(|case| case.name == name)
            .ok_or_else(|| format!("no case `{name}` in `{id}`"))?;
        for share in profile::shares(&bench, &discipline, case)? {
            if share.instructions >= 0.5 {
                println!("{id}\t{name}\t{}\t{:.1}", share.room, share.instructions);
            }
        }
    }
    Ok(())
}
