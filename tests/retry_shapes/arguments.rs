//! What each attempt gets of the arguments: owned ones borrowed, `&mut` ones reborrowed, `mut` ones anew.

use std::collections::BTreeMap;
use std::io;

use retry_plan::retry;

use crate::table::{Flaky, table};

table! {
    spawned owned_arguments: async |flaky| owned(&flaky, "a".to_owned(), vec![1]).await.is_ok();
    spawned a_cloned_argument: async |flaky| cloned(&flaky, "a".to_owned(), vec![1]).await.is_ok_and(|text| text == "a1");
    spawned a_mutable_argument: async |flaky| mutable(&flaky, vec![0]).await.is_ok_and(|seen| seen == [0, 1]);
    spawned mutable_arguments_in_patterns: async |flaky| mutable_patterns(&flaky, (1, 2)).await.is_ok_and(|sum| sum == 4);
    spawned a_mutable_reference: async |flaky| reborrowed(&flaky, &mut Vec::new()).await.is_ok();
    spawned a_mutable_reference_that_is_passed_on: async |flaky| passed_on(&flaky, &mut 0).await.is_ok();
    spawned a_mutable_slice: async |flaky| sliced(&flaky, &mut [0; 3]).await.is_ok();
    spawned a_mutable_dyn_reference: async |flaky| written(&flaky, &mut Vec::new()).await.is_ok();
    spawned patterns: async |flaky| {
        let point = Point { x: 1, y: Some(2) };
        destructured(&flaky, (1, 2), [3, 4], point, Wrapped(6), &7).await.is_ok_and(|sum| sum == 1 + 2 + 3 + 1 + 2 + 6 + 7)
    };
    spawned a_pattern_with_a_name: async |flaky| named(&flaky, [1, 2, 3]).await.is_ok_and(|sum| sum == 1 + 3 + 6);
    spawned unused_arguments: async |flaky| unused(&flaky, 1, "two".to_owned(), &mut 3).await.is_ok();
    spawned a_large_argument: async |flaky| large(&flaky, [0; 4096]).await.is_ok();
    spawned arguments_with_the_names_of_generated_code: async |flaky| {
        named_alike(&flaky, 1, 2, 3, 4, 5).await.is_ok_and(|sum| sum == 15)
    };
}

#[retry(attempts = 3, attempt = 500ms)]
async fn owned(flaky: &Flaky, text: String, list: Vec<u32>) -> io::Result<usize> {
    flaky.answer().await?;
    Ok(text.len() + list.len())
}

#[retry(attempts = 3, attempt = 500ms, clone(text, list))]
async fn cloned(flaky: &Flaky, text: String, list: Vec<u32>) -> io::Result<String> {
    fn joined(text: String, list: Vec<u32>) -> String {
        list.into_iter().fold(text, |text, one| format!("{text}{one}"))
    }
    let all = joined(text, list);
    flaky.answer().await?;
    Ok(all)
}

#[retry(attempts = 3, attempt = 500ms)]
async fn mutable(flaky: &Flaky, mut seen: Vec<u32>) -> io::Result<Vec<u32>> {
    seen.push(1);
    flaky.answer().await?;
    Ok(seen)
}

#[retry(attempts = 3, attempt = 500ms)]
async fn mutable_patterns(flaky: &Flaky, (one, mut two): (u32, u32)) -> io::Result<u32> {
    two += 1;
    flaky.answer().await?;
    Ok(one + two)
}

#[retry(attempts = 3, attempt = 500ms)]
async fn reborrowed(flaky: &Flaky, list: &mut Vec<u32>) -> io::Result<()> {
    list.push(0);
    flaky.answer().await?;
    assert_eq!(u32::try_from(list.len()).ok(), Some(flaky.calls()));
    Ok(())
}

#[retry(attempts = 3, attempt = 500ms)]
async fn passed_on(flaky: &Flaky, count: &mut u32) -> io::Result<u32> {
    async fn add(count: &mut u32) -> &mut u32 {
        tokio::task::yield_now().await;
        *count += 1;
        count
    }
    let count = add(count).await;
    flaky.answer().await?;
    Ok(*count)
}

#[retry(attempts = 3, attempt = 500ms)]
async fn sliced(flaky: &Flaky, buffer: &mut [u32]) -> io::Result<u32> {
    buffer.fill(flaky.answer().await?);
    Ok(buffer.iter().sum())
}

#[retry(attempts = 3, attempt = 500ms)]
async fn written(flaky: &Flaky, out: &mut (dyn io::Write + Send)) -> io::Result<()> {
    out.write_all(b"attempt")?;
    flaky.answer().await?;
    out.flush()
}

struct Point {
    x: u32,
    y: Option<u32>,
}

struct Wrapped(u32);

#[retry(attempts = 3, attempt = 500ms)]
async fn destructured(
    flaky: &Flaky,
    (one, two): (u32, u32),
    [three, ..]: [u32; 2],
    Point { x, y: inner }: Point,
    Wrapped(six): Wrapped,
    &seven: &u32,
) -> io::Result<u32> {
    flaky.answer().await?;
    Ok(one + two + three + x + inner.unwrap_or(0) + six + seven)
}

#[retry(attempts = 3, attempt = 500ms)]
async fn named(flaky: &Flaky, all @ [first, .., last]: [u32; 3]) -> io::Result<u32> {
    flaky.answer().await?;
    Ok(first + last + all.iter().sum::<u32>())
}

#[retry(attempts = 3, attempt = 500ms)]
async fn unused(flaky: &Flaky, _: u32, _text: String, _count: &mut u32) -> io::Result<()> {
    flaky.answer().await?;
    Ok(())
}

#[retry(attempts = 3, attempt = 500ms)]
async fn large(flaky: &Flaky, bytes: [u8; 4096]) -> io::Result<usize> {
    flaky.answer().await?;
    Ok(bytes.len())
}

#[retry(attempts = 3, attempt = 500ms)]
async fn named_alike(
    flaky: &Flaky,
    timer: u32,
    now: u32,
    mut last: u32,
    limit: u32,
    value: u32,
) -> io::Result<u32> {
    let cx = flaky.answer().await?;
    last += u32::from(cx > 3);
    let error = timer + now + last;
    Ok(error + limit + value)
}

#[retry(attempts = 3, attempt = 500ms)]
async fn grouped(flaky: &Flaky, key: u32, mut groups: BTreeMap<u32, Vec<u32>>) -> io::Result<usize> {
    groups.entry(key).or_default().push(flaky.answer().await?);
    Ok(groups.values().map(Vec::len).sum())
}

#[tokio::test(start_paused = true)]
async fn no_attempt_sees_what_its_predecessor_did_to_a_mutable_argument() {
    assert_eq!(grouped(&Flaky::new(3), 7, BTreeMap::new()).await.unwrap(), 1);
}

#[tokio::test(start_paused = true)]
async fn every_attempt_sees_what_its_predecessor_did_through_a_mutable_reference() {
    let mut list = Vec::new();
    reborrowed(&Flaky::new(3), &mut list).await.unwrap();
    assert_eq!(list, [0, 0, 0]);
}
