//! Every form of a run tells the same story.

use retry_plan::{retry, retry_policy};

use crate::log::{told, watched};
use crate::script::{Oops, Script, err, ok};

retry_policy! {
    struct Charge {
        retry(attempts = 3, backoff = fixed(20ms), jitter = none) { attempt(100ms) }
    }

    struct Page {
        series {
            user: attempt(100ms),
            orders: retry(attempts = 2, backoff = fixed(20ms), jitter = none) { attempt(100ms) },
        }
    }
}

/// A failure, a wait, a success: what each form tells of a retry whose one leaf is called `leaf`.
fn story(leaf: &str) -> Vec<String> {
    [
        "begin".to_owned(),
        format!("start {leaf} 1/3 copy 1"),
        format!("end {leaf} 1/3 copy 1: failure Oops"),
        "wait 20ms after 1".to_owned(),
        format!("start {leaf} 2/3 copy 1"),
        format!("end {leaf} 2/3 copy 1: success"),
        "stop success, 2 in 28ms".to_owned(),
    ]
    .into()
}

fn op() -> Script {
    Script::new([err(5, 1), ok(3, 7)])
}

#[track_caller]
fn tells(lines: &[String], policy: &str) {
    let story = story(policy);
    told(
        lines,
        policy,
        &story.iter().map(String::as_str).collect::<Vec<_>>(),
    );
}

#[tokio::test(start_paused = true)]
async fn a_named_policy() {
    let op = op();
    let (value, lines) = watched(Charge::run(async |_| op.call().await)).await;
    assert_eq!(value, Ok(7));
    tells(&lines, "Charge");
}

#[tokio::test(start_paused = true)]
async fn a_named_policy_in_detail() {
    let op = op();
    let (value, lines) = watched(Charge::run_detailed(async |_| op.call().await)).await;
    assert_eq!(value, Ok(7));
    tells(&lines, "Charge");
}

#[tokio::test(start_paused = true)]
async fn a_named_policy_in_place() {
    let op = op();
    let mut calls = 0;
    let (value, lines) = watched(retry_policy!(Charge, async |_| {
        calls += 1;
        op.call().await
    }))
    .await;
    assert_eq!((value, calls), (Ok(7), 2));
    tells(&lines, "Charge");
}

#[tokio::test(start_paused = true)]
async fn a_policy_in_place_goes_by_where_it_stands() {
    let op = op();
    let line = line!() + 1;
    let run = retry_policy!(
        attempts = 3,
        attempt = 100ms,
        backoff = fixed(20ms),
        jitter = none,
        async |_| op.call().await
    );
    let (value, lines) = watched(run).await;
    assert_eq!(value, Ok(7));
    tells(&lines, &format!("{}:{line}", file!()));
}

#[tokio::test(start_paused = true)]
async fn a_function() {
    #[retry(attempts = 3, attempt = 100ms, backoff = fixed(20ms), jitter = none)]
    async fn charge(op: &Script) -> Result<u32, Oops> {
        op.call().await
    }
    let op = op();
    let (value, lines) = watched(charge(&op)).await;
    assert_eq!(value, Ok(7));
    tells(&lines, "charge");
}

#[tokio::test(start_paused = true)]
async fn a_function_under_a_named_policy() {
    #[retry(Charge)]
    async fn charge(op: &Script) -> Result<u32, Oops> {
        op.call().await
    }
    let op = op();
    let (value, lines) = watched(charge(&op)).await;
    assert_eq!(value, Ok(7));
    tells(&lines, "Charge");
}

#[tokio::test]
async fn a_plain_function() {
    #[retry(attempts = 3, takes = 1s, backoff = none)]
    fn charge(calls: &mut u32) -> Result<u32, Oops> {
        *calls += 1;
        if *calls < 2 { Err(Oops::Boom(1)) } else { Ok(7) }
    }
    let (value, lines) = watched(async { charge(&mut 0) }).await;
    assert_eq!(value, Ok(7));
    let (last, before) = lines.split_last().unwrap();
    told(
        before,
        "charge",
        &[
            "begin",
            "start charge 1/3 copy 1",
            "end charge 1/3 copy 1: failure Oops",
            "wait 0ns after 1",
            "start charge 2/3 copy 1",
            "end charge 2/3 copy 1: success",
        ],
    );
    // Its clock is the thread's own.
    assert!(last.starts_with("charge: stop success, 2 in "), "{last}");
}

#[tokio::test(start_paused = true)]
async fn several_leaves_go_by_the_nearest_name() {
    let (user, orders) = (Script::new([ok(5, 1)]), Script::new([err(5, 1), ok(5, 2)]));
    let run = Page::new()
        .user(async |_| user.call().await)
        .orders(async |_| orders.call().await)
        .run();
    let (page, lines) = watched(run).await;
    let page = page.unwrap();
    assert_eq!((page.user, page.orders), (1, 2));
    told(
        &lines,
        "Page",
        &[
            "begin",
            "start user 1/1 copy 1",
            "end user 1/1 copy 1: success",
            "start orders 1/2 copy 1",
            "end orders 1/2 copy 1: failure Oops",
            "wait 20ms after 1",
            "start orders 2/2 copy 1",
            "end orders 2/2 copy 1: success",
            "stop success, 3 in 35ms",
        ],
    );
}

#[tokio::test(start_paused = true)]
async fn a_tree_in_place_has_its_own_leaves_names() {
    let (user, orders) = (Script::new([ok(5, 1)]), Script::new([err(5, 1)]));
    let run = retry_policy! {
        type Error = Oops;
        series {
            user: attempt(100ms) async |_| user.call().await,
            orders: attempt(100ms) async |_| orders.call().await,
        }
    };
    let (page, lines) = watched(run).await;
    assert_eq!(page.unwrap_err(), Oops::Boom(1));
    let kinds: Vec<&str> = lines.iter().filter_map(|line| line.split(": ").nth(1)).collect();
    assert_eq!(
        kinds,
        [
            "begin",
            "start user 1/1 copy 1",
            "end user 1/1 copy 1",
            "start orders 1/1 copy 1",
            "end orders 1/1 copy 1",
            "stop exhausted, 2 in 10ms"
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_run_inside_another_tells_its_own_story_between() {
    retry_policy! {
        struct Caller { timeout(1s) { attempt } }
    }
    let op = op();
    let (value, lines) = watched(Caller::run(async |_| {
        Charge::run(async |_| op.call().await).await
    }))
    .await;
    assert_eq!(value, Ok(7));
    assert_eq!(lines[..2], ["Caller: begin", "Caller: start Caller 1/1 copy 1"]);
    tells(&lines[2..9], "Charge");
    assert_eq!(
        lines[9..],
        [
            "Caller: end Caller 1/1 copy 1: success",
            "Caller: stop success, 1 in 28ms"
        ]
    );
}
