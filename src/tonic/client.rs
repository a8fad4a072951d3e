//! Requests that tell what is left.

use retry_runtime::Attempt;
use tonic::service::Interceptor;
use tonic::{Request, Status};

use super::interrupted;
use crate::wire::{Header, Late, Outgoing};

/// gRPC's own header, without a margin.
const GRPC: Outgoing = Outgoing::new(&[Header::Grpc]);

/// A request that tells its server what remains of this attempt, and which attempt it is.
///
/// # Errors
///
/// `DEADLINE_EXCEEDED` if nothing is left.
///
/// ```
/// # use retry_plan::Attempt;
/// // What the policy hands to its operation.
/// let attempt = Attempt::ONLY;
/// let request = retry_plan::tonic::request(&attempt, "world")?;
/// assert_eq!(request.metadata().get("x-envoy-attempt-count").unwrap(), "1");
/// # Ok::<(), tonic::Status>(())
/// ```
#[allow(clippy::result_large_err, reason = "tonic's own error type")]
pub fn request<T>(attempt: &Attempt, message: T) -> Result<Request<T>, Status> {
    let mut request = Request::new(message);
    GRPC.write(attempt, request.metadata_mut().as_mut())
        .map_err(late)?;
    Ok(request)
}

/// An interceptor that writes what remains of the [`Scope`](retry_runtime::Scope) around into each request, or of the
/// [`Attempt`] that its extensions hold.
///
/// ```
/// use std::time::Duration;
/// use retry_plan::{Scope, tonic::Tell};
/// use tonic::{Request, service::Interceptor};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// # let _made = async {
/// // GreeterClient::with_interceptor(channel, Tell::default())
/// # };
/// Scope::new().within(Duration::from_secs(2)).run(async {
///     let request = Tell::default().call(Request::new(())).expect("there is time left");
///     assert!(request.metadata().contains_key("grpc-timeout"));
/// }).await;
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tell {
    outgoing: Outgoing,
}

impl Tell {
    /// Writes so.
    #[must_use]
    pub const fn new(outgoing: Outgoing) -> Self {
        Self { outgoing }
    }
}

impl Default for Tell {
    /// Writes `grpc-timeout`, without a margin.
    fn default() -> Self {
        Self::new(GRPC)
    }
}

impl Interceptor for Tell {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        let attempt = request.extensions().get::<Attempt>().copied();
        let headers = request.metadata_mut().as_mut();
        match attempt {
            Some(attempt) => self.outgoing.write(&attempt, headers),
            None => self.outgoing.write_scope(headers),
        }
        .map_err(late)?;
        Ok(request)
    }
}

fn late(late: Late) -> Status {
    interrupted(late.into())
}
