//! As many branches as a file has: the runtime's own chain of branches, its links on the heap.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::task::Context;

use retry_runtime::branch::Branch;
use retry_runtime::fall::Fall;
use retry_runtime::parallel::Together;
use retry_runtime::race::Rivals;

/// The rest of a chain, as long as it happens to be.
pub(super) struct Chain<F, T>(Option<Pin<Box<Branch<F, T, Self>>>>);

impl<F, T, E> Chain<F, T>
where
    F: Future<Output = Result<T, Fall<E>>>,
{
    /// All futures, in their order.
    pub(super) fn of(futures: impl DoubleEndedIterator<Item = F>) -> Self {
        futures.rev().fold(Self(None), |rest, future| {
            Self(Some(Box::pin(Branch::new(future, rest))))
        })
    }
}

impl<F, T, E> Together<E> for Chain<F, T>
where
    F: Future<Output = Result<T, Fall<E>>>,
{
    type Values = VecDeque<T>;

    fn poll_all(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Result<bool, Fall<E>> {
        match &mut self.0 {
            Some(branch) => branch.as_mut().poll_all(cx),
            None => Ok(false),
        }
    }

    fn values(mut self: Pin<&mut Self>) -> Option<VecDeque<T>> {
        let Some(branch) = &mut self.0 else {
            return Some(VecDeque::new());
        };
        let (value, mut rest) = Together::<E>::values(branch.as_mut())?;
        rest.push_front(value);
        Some(rest)
    }

    fn clear(mut self: Pin<&mut Self>) {
        if let Some(branch) = &mut self.0 {
            Together::<E>::clear(branch.as_mut());
        }
    }
}

impl<F, T, E> Rivals<T, E> for Chain<F, T>
where
    F: Future<Output = Result<T, Fall<E>>>,
{
    fn poll_any(
        mut self: Pin<&mut Self>,
        lost: &mut Option<Fall<E>>,
        cx: &mut Context<'_>,
    ) -> Option<Result<T, Fall<E>>> {
        match &mut self.0 {
            Some(branch) => branch.as_mut().poll_any(lost, cx),
            None => None,
        }
    }

    fn all_lost(&self) -> bool {
        self.0
            .as_ref()
            .is_none_or(|branch| branch.as_ref().get_ref().all_lost())
    }

    fn clear(mut self: Pin<&mut Self>) {
        if let Some(branch) = &mut self.0 {
            Rivals::<T, E>::clear(branch.as_mut());
        }
    }
}

impl<F, T> std::fmt::Debug for Chain<F, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Chain").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use retry_runtime::fall::Fell;
    use retry_runtime::parallel::parallel;
    use retry_runtime::race::race;

    type Told = Result<u32, Fall<&'static str>>;

    fn ready(all: &[Told]) -> Chain<std::future::Ready<Told>, u32> {
        Chain::of(all.iter().copied().map(std::future::ready))
    }

    fn lost(error: &'static str) -> Told {
        Err(Fall::new(Fell::FAILED, Some(error)))
    }

    #[tokio::test]
    async fn values_come_in_the_order_of_the_branches() {
        let values = parallel(ready(&[Ok(1), Ok(2), Ok(3)])).await;
        assert_eq!(values.unwrap(), [1, 2, 3]);
    }

    #[tokio::test]
    async fn no_branches_are_all_done() {
        assert!(parallel::<_, &str>(ready(&[])).await.unwrap().is_empty());
    }

    #[tokio::test]
    async fn the_first_failure_in_order_fails_a_parallel_and_the_first_success_wins_a_race() {
        let failed = parallel(ready(&[Ok(1), lost("a"), lost("b")])).await;
        assert_eq!(failed.unwrap_err().last, Some("a"));
        assert_eq!(race(ready(&[lost("a"), Ok(2), Ok(3)])).await, Ok(2));
        assert_eq!(
            race(ready(&[lost("a"), lost("b")])).await.unwrap_err().last,
            Some("a")
        );
    }
}
