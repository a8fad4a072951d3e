//! Bodies that can be sent again.
//!
//! A body is recorded by polling it as far as it goes without waiting. What is in memory (`Full`, a buffer, a unary gRPC
//! message) ends at once and is a recording; what has to be waited for is a stream, maybe one that waits for the answer
//! itself, and goes out once, with what was read put in front again.

use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use bytes::{Bytes, BytesMut};
use http_body::{Body, Frame, SizeHint};
use http_body_util::{Empty, Full};
use pin_project_lite::pin_project;

/// A request's body that may be at hand as a whole.
pub trait Recordable: Sized {
    /// The whole body.
    type Recording: Clone + Send + 'static;

    /// The whole body, if it is at hand and has at most `limit` bytes.
    ///
    /// # Errors
    ///
    /// Else the body, as it was.
    fn record(self, limit: usize) -> Result<Self::Recording, Self>;

    /// A body that gives what was recorded.
    fn play(recording: Self::Recording) -> Self;
}

macro_rules! at_hand {
    ($($body:ty),*) => {$(
        /// Held in memory: it is its own recording, of any length.
        impl Recordable for $body {
            type Recording = Self;

            fn record(self, _: usize) -> Result<Self, Self> {
                Ok(self)
            }

            fn play(recording: Self) -> Self {
                recording
            }
        }
    )*};
}
at_hand!((), String, Full<Bytes>, Empty<Bytes>);

#[cfg(feature = "axum")]
impl Recordable for axum_core::body::Body {
    type Recording = Bytes;

    fn record(self, limit: usize) -> Result<Bytes, Self> {
        record_ready(self, limit).map_err(Self::new)
    }

    fn play(recording: Bytes) -> Self {
        Self::from(recording)
    }
}

#[cfg(feature = "tonic")]
impl Recordable for tonic::body::Body {
    type Recording = Bytes;

    fn record(self, limit: usize) -> Result<Bytes, Self> {
        record_ready(self, limit).map_err(Self::new)
    }

    fn play(recording: Bytes) -> Self {
        Self::new(Chained::<Self>::only(recording))
    }
}

/// The whole body, if it ends without being waited for and has at most `limit` bytes: what an implementation of
/// [`Recordable`] for a boxed body calls.
///
/// # Errors
///
/// Else a body that gives the same: also where it fails, or has trailers, which a recording doesn't hold.
pub fn record_ready<B: Body<Data = Bytes> + Unpin>(mut body: B, limit: usize) -> Result<Bytes, Chained<B>> {
    let mut before = Vec::new();
    let mut length = 0;
    // The waker is never needed: whoever polls next brings a new one.
    let mut task = Context::from_waker(Waker::noop());
    if body.size_hint().lower() > limit as u64 {
        return Err(Chained::new(before, Some(body)));
    }
    loop {
        match Pin::new(&mut body).poll_frame(&mut task) {
            Poll::Ready(None) => return Ok(joined(before, length)),
            Poll::Ready(Some(Ok(frame))) => match frame.into_data() {
                Ok(data) => {
                    length += data.len();
                    before.push(Ok(Frame::data(data)));
                    if length > limit {
                        break;
                    }
                }
                Err(trailers) => {
                    before.push(Ok(trailers));
                    break;
                }
            },
            Poll::Ready(Some(Err(error))) => {
                before.push(Err(error));
                break;
            }
            Poll::Pending => break,
        }
    }
    Err(Chained::new(before, Some(body)))
}

fn joined<E>(frames: Vec<Result<Frame<Bytes>, E>>, length: usize) -> Bytes {
    let mut data = frames
        .into_iter()
        .filter_map(Result::ok)
        .filter_map(|frame| frame.into_data().ok());
    match (data.next(), data.next()) {
        (None, _) => Bytes::new(),
        // The usual body is one piece, which needs no copy.
        (Some(only), None) => only,
        (Some(first), Some(second)) => {
            let mut all = BytesMut::with_capacity(length);
            all.extend_from_slice(&first);
            all.extend_from_slice(&second);
            data.for_each(|piece| all.extend_from_slice(&piece));
            all.freeze()
        }
    }
}

pin_project! {
    /// What was read of a body, and then the rest of it.
    #[derive(Debug)]
    pub struct Chained<B: Body> {
        before: std::vec::IntoIter<Result<Frame<B::Data>, B::Error>>,
        #[pin]
        rest: Option<B>,
    }
}

impl<B: Body<Data = Bytes>> Chained<B> {
    fn new(before: Vec<Result<Frame<Bytes>, B::Error>>, rest: Option<B>) -> Self {
        Self {
            before: before.into_iter(),
            rest,
        }
    }

    #[cfg(feature = "tonic")]
    fn only(data: Bytes) -> Self {
        let frame = (!data.is_empty()).then(|| Ok(Frame::data(data)));
        Self::new(frame.into_iter().collect(), None)
    }
}

impl<B: Body<Data = Bytes>> Body for Chained<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        task: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let this = self.project();
        if let Some(frame) = this.before.next() {
            return Poll::Ready(Some(frame));
        }
        match this.rest.as_pin_mut() {
            Some(rest) => rest.poll_frame(task),
            None => Poll::Ready(None),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.before.as_slice().is_empty() && self.rest.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        let before: usize = self
            .before
            .as_slice()
            .iter()
            .filter_map(|frame| frame.as_ref().ok()?.data_ref())
            .map(Bytes::len)
            .sum();
        let mut hint = SizeHint::with_exact(before as u64);
        if let Some(rest) = &self.rest {
            let rest = rest.size_hint();
            hint = SizeHint::new();
            if let Some(upper) = rest.upper().and_then(|upper| upper.checked_add(before as u64)) {
                hint.set_upper(upper);
            }
            hint.set_lower(rest.lower().saturating_add(before as u64));
        }
        hint
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::convert::Infallible;

    use super::*;

    /// Gives its pieces; `None` is a wait, once.
    #[derive(Debug)]
    struct Pieces(VecDeque<Option<&'static str>>);

    impl Pieces {
        fn new(pieces: &[Option<&'static str>]) -> Self {
            Self(pieces.iter().copied().collect())
        }
    }

    impl Body for Pieces {
        type Data = Bytes;
        type Error = Infallible;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
            match self.0.pop_front() {
                None => Poll::Ready(None),
                Some(None) => Poll::Pending,
                Some(Some(piece)) => Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(piece.as_bytes()))))),
            }
        }
    }

    fn read<B: Body<Data = Bytes> + Unpin>(mut body: B) -> String {
        let mut task = Context::from_waker(Waker::noop());
        let mut text = String::new();
        loop {
            match Pin::new(&mut body).poll_frame(&mut task) {
                Poll::Pending => {}
                Poll::Ready(None) => return text,
                Poll::Ready(Some(frame)) => {
                    let frame = frame.unwrap_or_else(|_| panic!("these bodies don't fail"));
                    text.push_str(str::from_utf8(frame.data_ref().unwrap()).unwrap());
                }
            }
        }
    }

    #[test]
    fn what_is_at_hand_is_recorded_as_a_whole() {
        for (pieces, whole) in [
            (&[][..], ""),
            (&[Some("abc")], "abc"),
            (&[Some("ab"), Some("c"), Some("de")], "abcde"),
        ] {
            let recording = record_ready(Pieces::new(pieces), 5).unwrap();
            assert_eq!(recording, whole);
        }
    }

    #[test]
    fn a_stream_is_not_waited_for_and_loses_nothing() {
        let body = Pieces::new(&[Some("ab"), None, Some("cd")]);
        let chained = record_ready(body, 100).unwrap_err();
        assert_eq!(read(chained), "abcd");
    }

    #[test]
    fn a_body_beyond_the_limit_goes_out_whole() {
        let body = Pieces::new(&[Some("abc"), Some("def"), Some("ghi")]);
        let chained = record_ready(body, 5).unwrap_err();
        assert_eq!(chained.size_hint().lower(), 6);
        assert_eq!(read(chained), "abcdefghi");
    }
}
