//! The two example programs, run as their `main` runs them.

use std::time::Duration;

use clap::Parser;

#[path = "../examples/fetch/ask.rs"]
mod ask;
#[path = "../examples/service/shop/mod.rs"]
mod shop;

#[tokio::test]
async fn the_service_answers_what_its_upstream_lets_it_and_orders_once() {
    let shop = shop::Shop::open().await.unwrap();
    assert_ne!(shop.address().port(), 0);
    let [tea, order, nothing] = shop.tour().await.unwrap();

    assert_eq!(
        (tea.status, tea.body.as_str()),
        (200, "12 tea at 3 coins"),
        "{tea}"
    );
    assert_eq!(
        tea.asked,
        3 + 2,
        "the stock is refused twice, and the first price never comes"
    );
    assert!(tea.took < Duration::from_secs(5), "{tea}");

    assert_eq!(
        (order.status, order.body.as_str()),
        (200, "order 17 of tea"),
        "{order}"
    );
    assert_eq!(
        (order.asked, shop.orders()),
        (2, 1),
        "a lost answer is asked for again, and taken once"
    );

    assert_eq!(nothing.status, 503, "{nothing}");
    assert_eq!(nothing.asked, 3, "and no price of it");
    assert!(nothing.body.contains("503"), "{nothing}");
}

#[test]
fn the_services_plans_are_told_before_it_runs() {
    let plans = shop::plans();
    assert_eq!(plans.lines().count(), 4, "{plans}");
    assert!(plans.lines().all(|line| line.contains("worst")), "{plans}");
}

fn fetched(arguments: &[&str]) -> (String, std::io::Result<()>) {
    let mut out = Vec::new();
    let ended = ask::run(&ask::Args::parse_from(arguments), &mut out);
    (String::from_utf8(out).unwrap(), ended)
}

#[test]
fn the_command_asks_again_and_says_why() {
    let (out, ended) = fetched(&["fetch", "--verbose", "one", "two"]);
    ended.unwrap();
    let lines: Vec<_> = out.lines().collect();
    assert!(
        lines[0].starts_with("plan: best 0 ms, worst 4.07 s, calls 4"),
        "{out}"
    );
    assert!(lines[1].starts_with("try 1: "), "{out}");
    assert!(lines[2].starts_with("try 2: "), "{out}");
    assert_eq!(
        lines[3..],
        ["one: the answer to one", "two: the answer to two"],
        "{out}"
    );
}

#[test]
fn the_command_does_not_ask_again_for_what_is_not_there() {
    let (out, ended) = fetched(&["fetch", "one", "nothing"]);
    let error = ended.unwrap_err();
    assert_eq!(
        (out.as_str(), error.to_string().as_str()),
        ("one: the answer to one\n", "such name")
    );
}
