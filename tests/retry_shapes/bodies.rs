//! What stands in a body: it leaves the attempt, never the loop around it.

use std::future::Future;
use std::io;
use std::pin::Pin;

use retry_plan::retry;

use crate::table::{Flaky, broken, table};

table! {
    spawned a_question_mark: async |flaky| question_mark(&flaky).await.is_ok();
    spawned a_tail_expression: async |flaky| tail(&flaky).await.is_ok();
    spawned an_early_return: async |flaky| early_return(&flaky).await.is_ok();
    spawned a_return_from_a_loop: async |flaky| return_from_a_loop(&flaky).await.is_ok();
    spawned loops_and_labels: async |flaky| labels(&flaky).await.is_ok_and(|sum| sum == 6);
    spawned labels_of_generated_code: async |flaky| labels_alike(&flaky).await.is_ok();
    spawned macros: async |flaky| with_macros(&flaky).await.is_ok_and(|text| text == "[1, 2] and 3");
    spawned join_and_select: async |flaky| both_at_once(&flaky).await.is_ok();
    spawned let_else_and_chains: async |flaky| let_else(&flaky, Some(7)).await.is_ok();
    spawned items: async |flaky| with_items(&flaky).await.is_ok();
    spawned blocks_that_are_futures: async |flaky| async_blocks(&flaky).await.is_ok();
    spawned closures_with_their_own_return: async |flaky| closures(&flaky).await.is_ok();
    spawned a_body_that_moves_what_it_made: async |flaky| moves(&flaky).await.is_ok();
    spawned a_body_that_only_diverges_into_errors: async |flaky| diverges(&flaky).await.is_ok();
    spawned a_recursive_call: async |flaky| countdown(&flaky, 3).await.is_ok();
    spawned a_recursive_call_that_returns_a_box: async |flaky| boxed_countdown(&flaky, 3).await.is_ok();
    blocking a_recursive_call_on_a_thread: |flaky| blocking_countdown(flaky, 3).is_ok();
}

#[retry(attempts = 3, attempt = 500ms)]
async fn question_mark(flaky: &Flaky) -> io::Result<u32> {
    let value = flaky.answer().await?;
    Ok(value)
}

#[retry(attempts = 3, attempt = 500ms)]
async fn tail(flaky: &Flaky) -> io::Result<u32> {
    flaky.answer().await
}

#[retry(attempts = 3, attempt = 500ms)]
async fn early_return(flaky: &Flaky) -> io::Result<u32> {
    if flaky.answer().await.is_err() {
        return Err(broken());
    }
    Ok(0)
}

#[retry(attempts = 3, attempt = 500ms)]
async fn return_from_a_loop(flaky: &Flaky) -> io::Result<u32> {
    let mut asked = 0;
    loop {
        asked += 1;
        match flaky.answer().await {
            Ok(value) => return Ok(value),
            Err(error) if asked == 1 => return Err(error),
            Err(_) => {}
        }
    }
}

#[retry(attempts = 3, attempt = 500ms)]
async fn labels(flaky: &Flaky) -> io::Result<u32> {
    let mut sum = 0;
    'outer: for round in 0.. {
        for step in 0..2 {
            if step == 1 {
                continue 'outer;
            }
            sum += round;
            if round == 3 {
                break 'outer;
            }
        }
    }
    let labelled = 'block: {
        if sum > 5 {
            break 'block sum;
        }
        0
    };
    flaky.answer().await?;
    Ok(labelled)
}

#[retry(attempts = 3, attempt = 500ms)]
async fn labels_alike(flaky: &Flaky) -> io::Result<u32> {
    'tried0: loop {
        let value = 'value0: {
            if flaky.answer().await.is_ok() {
                break 'value0 flaky.calls();
            }
            return Err(broken());
        };
        if value > 0 {
            break 'tried0 Ok(value);
        }
    }
}

#[retry(attempts = 3, attempt = 500ms)]
async fn with_macros(flaky: &Flaky) -> io::Result<String> {
    macro_rules! answered {
        ($flaky:ident) => {
            $flaky.answer().await?
        };
    }
    let list = vec![1, 2];
    let three = list.iter().sum::<u32>();
    assert!(matches!(list[..], [1, _]), "{list:?}");
    answered!(flaky);
    Ok(format!("{list:?} and {three}"))
}

#[retry(attempts = 3, attempt = 500ms)]
async fn both_at_once(flaky: &Flaky) -> io::Result<u32> {
    let (one, answer) = tokio::join!(std::future::ready(1), flaky.answer());
    let answer = answer?;
    let first = tokio::select! {
        biased;
        () = std::future::ready(()) => one,
        () = std::future::pending() => 0,
    };
    Ok(answer + first)
}

#[retry(attempts = 3, attempt = 500ms)]
async fn let_else(flaky: &Flaky, id: Option<u32>) -> io::Result<u32> {
    let Some(id) = id else {
        return Err(broken());
    };
    if let Ok(answer) = flaky.answer().await
        && answer > 0
    {
        return Ok(answer + id);
    }
    Err(broken())
}

#[retry(attempts = 3, attempt = 500ms)]
async fn with_items(flaky: &Flaky) -> io::Result<u32> {
    const TWICE: u32 = 2;
    struct Answer(u32);
    impl Answer {
        fn twice(&self) -> u32 {
            self.0 * TWICE
        }
    }
    async fn ask(flaky: &Flaky) -> io::Result<Answer> {
        Ok(Answer(flaky.answer().await?))
    }
    #[retry(attempts = 2, attempt = 100ms)]
    async fn retried_inside() -> io::Result<()> {
        Ok(())
    }
    retried_inside().await?;
    Ok(ask(flaky).await?.twice())
}

#[retry(attempts = 3, attempt = 500ms)]
async fn async_blocks(flaky: &Flaky) -> io::Result<u32> {
    let answer = async {
        let answer = flaky.answer().await?;
        io::Result::Ok(answer)
    };
    let answer = async move { answer.await.map(|answer| answer + 1) }.await?;
    let more = async |more: u32| answer + more;
    Ok(more(1).await)
}

#[retry(attempts = 3, attempt = 500ms)]
async fn closures(flaky: &Flaky) -> io::Result<u32> {
    let twice = |value: u32| {
        if value == 0 {
            return Err(broken());
        }
        Ok(value * 2)
    };
    twice(flaky.answer().await?)
}

#[retry(attempts = 3, attempt = 500ms)]
async fn moves(flaky: &Flaky) -> io::Result<String> {
    let text = "made here".to_owned();
    let moved = async move { text };
    flaky.answer().await?;
    Ok(moved.await)
}

#[retry(attempts = 3, attempt = 500ms)]
async fn diverges(flaky: &Flaky) -> io::Result<u32> {
    match flaky.answer().await {
        Ok(value) => return Ok(value),
        Err(error) => return Err(error),
    }
}

/// Only the innermost call asks; the outer ones have attempts too, and see an error that isn't worth another.
#[retry(attempts = 3, attempt = 500ms, when = |_| left == 0)]
async fn countdown(flaky: &Flaky, left: u32) -> io::Result<u32> {
    if left > 0 {
        return Box::pin(countdown(flaky, left - 1)).await;
    }
    flaky.answer().await
}

#[retry(attempts = 3, attempt = 500ms, when = |_| left == 0)]
fn boxed_countdown<'a>(
    flaky: &'a Flaky,
    left: u32,
) -> Pin<Box<dyn Future<Output = io::Result<u32>> + Send + 'a>> {
    Box::pin(async move {
        if left > 0 {
            boxed_countdown(flaky, left - 1).await
        } else {
            flaky.answer().await
        }
    })
}

#[retry(attempts = 3, takes = 1ms, backoff = none, when = |_| left == 0)]
fn blocking_countdown(flaky: &Flaky, left: u32) -> io::Result<u32> {
    if left > 0 {
        return blocking_countdown(flaky, left - 1);
    }
    flaky.call()
}
