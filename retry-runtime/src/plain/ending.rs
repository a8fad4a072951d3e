//! What a plain run returns: a `Result` where the policy has a name, what the function returns where it is a function's.

use core::marker::PhantomData;

use crate::course::{Course, Manner};
use crate::fall::Fall;
use crate::outcome::Outcome;

/// What the end of a run is made into.
pub trait Ending<M, T, E> {
    /// What the run returns.
    type Output;

    /// The run has succeeded.
    fn value(value: T) -> Self::Output;

    /// The run has failed.
    fn failed(&self, course: &Course<M>, fall: Fall<E>) -> Self::Output;
}

/// A `Result`, whose error the function makes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Told<F>(pub(super) F);

impl<M: Manner, T, E, L, F> Ending<M, T, E> for Told<F>
where
    F: FnOnce(&Course<M>, Fall<E>) -> L + Copy,
{
    type Output = Result<T, L>;

    #[inline]
    fn value(value: T) -> Result<T, L> {
        Ok(value)
    }

    #[inline]
    fn failed(&self, course: &Course<M>, fall: Fall<E>) -> Result<T, L> {
        course.finish(Err(fall), self.0)
    }
}

/// What an operation of that type returns; the function makes the error in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Returned<O, F> {
    ended: F,
    output: PhantomData<fn() -> O>,
}

impl<O, F> Returned<O, F> {
    #[inline]
    pub(super) const fn new(ended: F) -> Self {
        Self {
            ended,
            output: PhantomData,
        }
    }
}

impl<M: Manner, O, F> Ending<M, O::Value, O::Error> for Returned<O, F>
where
    O: Outcome,
    F: FnOnce(&Course<M>, Fall<O::Error>) -> O::Error + Copy,
{
    type Output = O;

    #[inline]
    fn value(value: O::Value) -> O {
        O::from_result(Ok(value))
    }

    #[inline]
    fn failed(&self, course: &Course<M>, fall: Fall<O::Error>) -> O {
        O::from_result(course.finish(Err(fall), self.ended))
    }
}
