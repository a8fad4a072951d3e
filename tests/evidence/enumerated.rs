//! Evidence 1: enumerated and random trees, under every script. What is claimed to be exact has to be reached on every tree.

use std::time::Instant;

use retry_plan::planner::{Attempts, Kind, Node};

use crate::case::{Budgets, Case, How};
use crate::execute::{broken, execute, paused, shown};
use crate::family::family;
use crate::random::Random;
use crate::report::{self, Section};
use crate::script::{GREATEST, LEAST, Plot, Script, aimed, scripts};
use crate::tree::Tree;

/// What was executed and what was seen.
#[derive(Default)]
pub(crate) struct Counts {
    pub(crate) trees: u64,
    pub(crate) runs: u64,
    pub(crate) calls: u64,
    pub(crate) exact: u64,
    /// Trees of which equality is claimed, and reached.
    pub(crate) worst: Share,
    pub(crate) total_calls: Share,
    pub(crate) charges: Share,
    pub(crate) best: Share,
    /// The same where it isn't claimed.
    pub(crate) loose_worst: Share,
    pub(crate) loose_calls: Share,
    pub(crate) loose_best: Share,
    pub(crate) unbounded: u64,
    pub(crate) broken: Vec<String>,
    pub(crate) unreached: Vec<String>,
}

/// How many of how many.
#[derive(Clone, Copy, Default)]
pub(crate) struct Share {
    pub(crate) of: u64,
    pub(crate) reached: u64,
}

impl Share {
    fn count(&mut self, reached: bool) {
        self.of += 1;
        self.reached += u64::from(reached);
    }

    fn maybe(&mut self, reached: Option<bool>) {
        if let Some(reached) = reached {
            self.count(reached);
        }
    }

    fn merge(&mut self, other: Self) {
        self.of += other.of;
        self.reached += other.reached;
    }
}

impl std::fmt::Display for Share {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {}", self.reached, self.of)
    }
}

impl Counts {
    fn merge(&mut self, other: Self) {
        self.trees += other.trees;
        self.runs += other.runs;
        self.calls += other.calls;
        self.exact += other.exact;
        self.unbounded += other.unbounded;
        for (mine, theirs) in [
            (&mut self.worst, other.worst),
            (&mut self.total_calls, other.total_calls),
            (&mut self.charges, other.charges),
            (&mut self.best, other.best),
            (&mut self.loose_worst, other.loose_worst),
            (&mut self.loose_calls, other.loose_calls),
            (&mut self.loose_best, other.loose_best),
        ] {
            mine.merge(theirs);
        }
        self.broken.extend(other.broken);
        self.unreached.extend(other.unreached);
    }

    /// Runs a policy under all its scripts.
    pub(crate) async fn judge(&mut self, case: &Case, how: How, seed: u64, randoms: u64) -> Seen {
        let mut seen = Seen::default();
        let mut all = scripts(case, seed, randoms);
        if how.shut {
            // Where nothing fails, no budget is asked.
            let asks = |plot| {
                matches!(
                    plot,
                    Plot::FailSlow | Plot::LatestSuccess | Plot::FastestSuccess | Plot::Random(_)
                )
            };
            all.retain(|script| asks(script.plot));
        }
        for script in all {
            self.run(case, how, script, seed, &mut seen).await;
        }
        seen
    }

    async fn run(&mut self, case: &Case, how: How, script: Script, seed: u64, seen: &mut Seen) {
        let told = execute(case, script, how.budgets, false).await;
        self.runs += 1;
        self.calls += told.all_calls;
        if let Some(why) = broken(&case.figures, &told) {
            let told = execute(case, script, how.budgets, true).await;
            self.broken.push(shown(case, script, seed, &why, &told));
        }
        seen.worst = seen.worst.max(told.end);
        seen.calls = seen.calls.max(told.all_calls);
        for key in 0..2 {
            seen.charges[key] = seen.charges[key].max(told.charges[key]);
        }
        if told.succeeded {
            seen.best = Some(seen.best.map_or(told.end, |best| best.min(told.end)));
        }
    }

    /// More random scripts, for as long as something isn't reached that is claimed to be.
    async fn search(&mut self, case: &Case, how: How, seed: u64, seen: &mut Seen) {
        let found = |seen: &Seen| !case.figures.exact || Self::missing(case, seen).is_empty();
        for script in aimed() {
            if found(seen) {
                return;
            }
            self.run(case, how, script, seed, seen).await;
        }
        for turn in 0..SEARCHED {
            if found(seen) {
                return;
            }
            let seed = seed.wrapping_mul(100_000).wrapping_add(50_000 + turn);
            let script = Script {
                hinted: turn % 4 < 2,
                ..Script::new(Plot::Random(seed), if turn % 2 == 0 { GREATEST } else { LEAST })
            };
            self.run(case, how, script, seed, seen).await;
        }
    }

    fn missing(case: &Case, seen: &Seen) -> Vec<String> {
        let figures = &case.figures;
        let mut missing = Vec::new();
        if figures.worst.is_some_and(|worst| worst != seen.worst) {
            missing.push(format!("worst {:?}, seen {}", figures.worst, seen.worst));
        }
        if figures.calls.is_some_and(|calls| calls != seen.calls) {
            missing.push(format!("calls {:?}, seen {}", figures.calls, seen.calls));
        }
        if figures.charges != seen.charges {
            missing.push(format!("charges {:?}, seen {:?}", figures.charges, seen.charges));
        }
        if claims_best(case) && seen.best != Some(figures.best) {
            missing.push(format!("best {}, seen {:?}", figures.best, seen.best));
        }
        missing
    }

    fn reached(&mut self, case: &Case, seen: &Seen, seed: u64) {
        let figures = &case.figures;
        let worst = figures.worst.map(|worst| worst == seen.worst);
        let calls = figures.calls.map(|calls| calls == seen.calls);
        let best = seen.best.map(|best| best == figures.best);
        self.trees += 1;
        self.unbounded += u64::from(worst.is_none());
        if !figures.exact {
            self.loose_worst.maybe(worst);
            self.loose_calls.maybe(calls);
            self.loose_best.maybe(best);
            return;
        }
        self.exact += 1;
        self.worst.maybe(worst);
        self.total_calls.maybe(calls);
        self.charges.count(figures.charges == seen.charges);
        if claims_best(case) {
            self.best.count(best == Some(true));
        }
        let missing = Self::missing(case, seen);
        if !missing.is_empty() {
            self.unreached
                .push(format!("{} (seed {seed})\n{}", missing.join("; "), case.text()));
        }
    }
}

/// More random scripts where something isn't reached at first.
const SEARCHED: u64 = 300;

/// Whether the fastest success has to be seen: where tokio's timers keep the least waits.
fn claims_best(case: &Case) -> bool {
    case.figures.exact_best && on_grid(&case.nodes)
}

/// The extremes of a policy's runs.
#[derive(Default)]
pub(crate) struct Seen {
    worst: u128,
    calls: u64,
    charges: [u64; 2],
    best: Option<u128>,
}

/// Whether the ends of all waits are whole milliseconds, as tokio's timers are.
fn on_grid(nodes: &[Node<'_>]) -> bool {
    ends_on_grid(nodes, |wait| wait.lo)
}

/// A tree whose greatest waits tokio's timers can keep.
pub(crate) fn keeps_time(nodes: &[Node<'_>]) -> bool {
    ends_on_grid(nodes, |wait| wait.hi)
}

fn ends_on_grid(nodes: &[Node<'_>], end: impl Fn(retry_plan::planner::Range) -> std::time::Duration) -> bool {
    nodes.iter().all(|node| match node.kind {
        Kind::Retry(retry) => {
            let last = match retry.attempts {
                Attempts::Exactly(n) | Attempts::UpTo(n) => n.hi,
                Attempts::Unlimited => 8,
            };
            (1..last).all(|k| end(retry.interval(k)).subsec_nanos().is_multiple_of(1_000_000))
        }
        _ => true,
    })
}

/// Executes trees on all processors; each comes with the seed of its random scripts.
fn on_all_threads(trees: &[(u64, Tree)], randoms: u64) -> Counts {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut counts = Counts::default();
    std::thread::scope(|scope| {
        let parts: Vec<_> = (0..threads)
            .map(|part| {
                scope.spawn(move || {
                    // Its own, so that each sees what its own runs spent.
                    let budgets = Box::leak(Box::new(Budgets::NEW));
                    let mine = trees.iter().skip(part).step_by(threads);
                    paused(async {
                        let mut counts = Counts::default();
                        for (seed, tree) in mine {
                            one(&mut counts, tree, *seed, budgets, randoms).await;
                        }
                        counts
                    })
                })
            })
            .collect();
        for part in parts {
            counts.merge(part.join().expect("a part runs to its end"));
        }
    });
    counts
}

async fn one(counts: &mut Counts, tree: &Tree, seed: u64, budgets: &'static Budgets, randoms: u64) {
    let open = How { budgets, shut: false };
    let case = Case::of(tree, open);
    if !keeps_time(&case.nodes) {
        return;
    }
    let mut seen = counts.judge(&case, open, seed, randoms).await;
    if case.figures.charges != [0; 2] {
        // A budget outside of the policy may refuse at any time (rule 7).
        let shut = How { budgets, shut: true };
        let refused = counts.judge(&Case::of(tree, shut), shut, seed, 1).await;
        seen.best = seen.best.into_iter().chain(refused.best).min();
    }
    counts.search(&case, open, seed, &mut seen).await;
    counts.reached(&case, &seen, seed);
}

/// Seeds of random trees are their numbers from here on.
const FIRST_SEED: u64 = 7_000_000;

fn evidence(name: &'static str, every: usize, randoms_trees: u64, randoms: u64) {
    let began = Instant::now();
    let mut trees: Vec<(u64, Tree)> = (0_u64..).zip(family()).step_by(every).collect();
    let enumerated = trees.len();
    trees.extend((FIRST_SEED..FIRST_SEED + randoms_trees).map(|seed| (seed, Random(seed).tree(4))));
    let counts = on_all_threads(&trees, randoms);
    assert!(
        report::expect_none("a claim is broken", &counts.broken),
        "see above"
    );
    assert!(
        report::expect_none(
            "an extreme isn't reached that is claimed to be",
            &counts.unreached
        ),
        "see above"
    );
    assert!(enumerated >= 20_000, "{enumerated} trees");
    let share = if every == 1 { "all" } else { "every second" };
    Section::new(name)
        .line(format!("Enumerated trees: {enumerated}, {share} of the family; random trees: {randoms_trees}, seeds from {FIRST_SEED}."))
        .line(format!("Executed, where tokio's timers can keep the greatest waits: {} trees, {} runs, {} calls.", counts.trees, counts.runs, counts.calls))
        .line("In none a run ended after `worst`, succeeded before `best`, made more calls of a leaf or in all than planned, worked longer than planned, or charged a budget more than planned.")
        .line(format!("Equality is claimed (rule 28) of {} trees, and every one of these was reached by some script: worst {}, calls {}, charges {}, best {} (this only without `timeouts = stop`, allowances, and waits between two milliseconds).", counts.exact, counts.worst, counts.total_calls, counts.charges, counts.best))
        .line(format!("Only bounded, of the rest: worst reached on {}, calls on {}, best on {}; no worst case at all: {}.", counts.loose_worst, counts.loose_calls, counts.loose_best, counts.unbounded))
        .took(began.elapsed())
        .settle();
}

#[test]
fn no_run_leaves_its_plan_and_what_is_claimed_to_be_reached_is() {
    evidence("trees", 2, 1_000, 2);
}

/// All trees: `cargo test --release --test evidence --all-features -- --ignored`.
#[test]
#[ignore = "executes the whole family, and twenty random scripts for each tree"]
fn the_whole_family_keeps_its_plans() {
    evidence("all trees", 1, 20_000, 20);
}

/// The scripts are of every kind that is promised.
#[test]
fn operations_are_slowest_fastest_failing_at_each_place_hanging_and_failing_then_succeeding() {
    let tree = family()
        .find(|tree| tree.kids.len() == 2)
        .expect("a tree with two leaves");
    let budgets = Box::leak(Box::new(Budgets::NEW));
    let case = Case::of(&tree, How { budgets, shut: false });
    let plots: Vec<Plot> = scripts(&case, 1, 2).iter().map(|script| script.plot).collect();
    for plot in [
        Plot::Slowest,
        Plot::Fastest,
        Plot::FailAt(0),
        Plot::FailAt(1),
        Plot::HangAt(1),
        Plot::Hang,
        Plot::FailThen(1, false),
        Plot::FailThen(2, true),
    ] {
        assert!(plots.contains(&plot), "{plot:?} in {plots:?}");
    }
}
