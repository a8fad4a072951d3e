//! What an operation may return, and how its error comes back.

use std::error::Error;
use std::io;

use retry_plan::{Failure, Interrupted, Missing, Outcome, Stop, retry_policy};

use crate::script::ms;

retry_policy! {
    struct Three {
        retry(attempts = 3, backoff = none) { attempt(10ms) }
    }
    struct Limited {
        timeout(50ms) { attempt }
    }
}

#[tokio::test(start_paused = true)]
async fn an_option_is_retried_while_it_is_none() {
    let mut left = [None, Some(7)].into_iter();
    assert_eq!(
        retry_policy!(attempts = 3, attempt = 10ms, backoff = none, async |_| left
            .next()
            .flatten())
        .await,
        Ok(7)
    );
    let none = retry_policy!(attempts = 3, attempt = 10ms, backoff = none, async |_| None::<u8>).await;
    assert_eq!(none.unwrap_err().interrupted(), None);
    let hung = retry_policy!(attempts = 1, attempt = 50ms, async |_| std::future::pending::<
        Option<u8>,
    >()
    .await)
    .await;
    let told: Missing = hung.unwrap_err();
    assert_eq!(told.interrupted().unwrap().stop, Stop::Exhausted);
}

#[tokio::test(start_paused = true)]
async fn a_type_of_ones_own_is_retried_as_it_is() {
    struct Reply(u16);
    impl Outcome for Reply {
        type Value = u16;
        type Error = io::Error;

        fn into_result(self) -> io::Result<u16> {
            if self.0 < 500 {
                Ok(self.0)
            } else {
                Err(io::Error::other(format!("status {}", self.0)))
            }
        }

        fn from_result(result: io::Result<u16>) -> Self {
            Self(result.unwrap_or(500))
        }
    }
    let mut replies = [Reply(503), Reply(500), Reply(200)].into_iter();
    let value = retry_policy!(attempts = 3, attempt = 10ms, backoff = none, async |_| replies
        .next()
        .unwrap())
    .await;
    assert_eq!(value.unwrap(), 200);
}

#[tokio::test(start_paused = true)]
async fn errors_that_take_any_error_in_need_nothing_said() {
    let hung = || std::future::pending::<()>();
    let io: Result<(), io::Error> = Limited::run(async |_| {
        hung().await;
        Ok(())
    })
    .await;
    assert_eq!(io.unwrap_err().kind(), io::ErrorKind::TimedOut);
    let boxed: Result<(), Box<dyn Error + Send + Sync>> = Limited::run(async |_| {
        hung().await;
        Ok(())
    })
    .await;
    let boxed = boxed.unwrap_err();
    let told = boxed.downcast_ref::<Interrupted>().unwrap();
    assert_eq!(
        (told.stop, told.attempts, told.elapsed),
        (Stop::TimedOut, 1, ms(50))
    );
}

#[tokio::test(start_paused = true)]
async fn the_inner_error_is_not_hidden_from_a_downcast() {
    let failure: Failure<io::Error> =
        Three::run_detailed(async |_| Err::<(), _>(io::Error::from(io::ErrorKind::BrokenPipe)))
            .await
            .unwrap_err();
    let source = failure.source().unwrap().downcast_ref::<io::Error>().unwrap();
    assert_eq!(source.kind(), io::ErrorKind::BrokenPipe);
    assert_eq!(failure.to_string(), "every attempt failed (3 attempts in 0ns)");
}
