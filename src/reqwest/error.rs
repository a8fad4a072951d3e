//! How a request under a policy fails.

use retry_runtime::Interrupted;

use crate::http::Fault;

/// Why there is no response.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The client's last error, as it was.
    #[error(transparent)]
    Client(#[from] reqwest::Error),
    /// The policy may repeat the request, and its body can't be cloned; nothing was sent.
    #[error("the request's body can't be cloned, so that it could not be sent again; nothing was sent")]
    BodyNotCloneable,
    /// A limit passed, or the scope was cancelled, before the server had answered once.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

/// What an error of the client says about another attempt; `None` for those that would come again: a malformed request,
/// too many redirects, a body that isn't what was expected.
///
/// ```
/// # use retry_plan::http::Fault;
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// # let gone = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
/// // Nobody listens there.
/// let error = reqwest::get(format!("http://{gone}/")).await.unwrap_err();
/// assert_eq!(retry_plan::reqwest::fault(&error), Some(Fault::Connect));
/// # }
/// ```
#[must_use]
pub fn fault(error: &reqwest::Error) -> Option<Fault> {
    if error.is_builder() || error.is_redirect() || error.is_decode() || error.is_status() {
        None
    } else if error.is_connect() {
        Some(Fault::Connect)
    } else if error.is_timeout() {
        Some(Fault::Timeout)
    } else if error.is_request() || error.is_body() {
        Some(Fault::Transport)
    } else {
        None
    }
}
