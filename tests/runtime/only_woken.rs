//! A combinator that polls what is inside only when what is inside was woken, as `FuturesUnordered` does.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};

pub(crate) struct OnlyWoken<F> {
    inside: Pin<Box<F>>,
    woken: Arc<Woken>,
}

struct Woken {
    inside: AtomicBool,
    outside: Mutex<Option<Waker>>,
}

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.inside.store(true, SeqCst);
        if let Some(waker) = self.outside.lock().unwrap().take() {
            waker.wake();
        }
    }
}

impl<F: Future> OnlyWoken<F> {
    pub(crate) fn new(inside: F) -> Self {
        Self {
            inside: Box::pin(inside),
            woken: Arc::new(Woken {
                inside: AtomicBool::new(true),
                outside: Mutex::new(None),
            }),
        }
    }
}

impl<F: Future> Future for OnlyWoken<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<F::Output> {
        let woken = self.woken.clone();
        *woken.outside.lock().unwrap() = Some(task.waker().clone());
        if !woken.inside.swap(false, SeqCst) {
            return Poll::Pending;
        }
        let waker = Waker::from(woken);
        self.inside.as_mut().poll(&mut Context::from_waker(&waker))
    }
}
