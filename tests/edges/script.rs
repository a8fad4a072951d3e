//! Servers on loopback that answer by script and remember what they were asked.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Response, StatusCode};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use tower::Service;

/// One answer.
#[derive(Clone, Debug)]
pub(crate) struct Say {
    status: u16,
    headers: Vec<(&'static str, String)>,
    after: Duration,
}

pub(crate) fn say(status: u16) -> Say {
    Say {
        status,
        headers: Vec::new(),
        after: Duration::ZERO,
    }
}

impl Say {
    pub(crate) fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    pub(crate) fn after(mut self, ms: u64) -> Self {
        self.after = Duration::from_millis(ms);
        self
    }
}

/// What a server answers, and what it saw.
#[derive(Clone, Default)]
pub(crate) struct Script(Arc<Mutex<Inner>>);

#[derive(Default)]
struct Inner {
    answers: VecDeque<Say>,
    seen: Vec<(HeaderMap, String)>,
}

impl Script {
    /// Answers these, and the last one for ever.
    pub(crate) fn new(answers: impl IntoIterator<Item = Say>) -> Self {
        let script = Self::default();
        script.0.lock().unwrap().answers = answers.into_iter().collect();
        script
    }

    pub(crate) fn calls(&self) -> u64 {
        self.0.lock().unwrap().seen.len() as u64
    }

    /// This header of each request.
    pub(crate) fn header(&self, name: &str) -> Vec<Option<String>> {
        let seen = &self.0.lock().unwrap().seen;
        seen.iter()
            .map(|(headers, _)| Some(headers.get(name)?.to_str().unwrap().to_owned()))
            .collect()
    }

    pub(crate) fn bodies(&self) -> Vec<String> {
        self.0
            .lock()
            .unwrap()
            .seen
            .iter()
            .map(|(_, body)| body.clone())
            .collect()
    }

    /// Serves it on a free port.
    pub(crate) async fn serve(&self) -> SocketAddr {
        serve(Router::new().fallback(answer).with_state(self.clone())).await
    }
}

async fn answer(State(script): State<Script>, request: Request) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.unwrap_or_default();
    let said = {
        let mut inner = script.0.lock().unwrap();
        inner
            .seen
            .push((parts.headers, String::from_utf8_lossy(&body).into_owned()));
        if inner.answers.len() > 1 {
            inner.answers.pop_front()
        } else {
            inner.answers.front().cloned()
        }
    }
    .unwrap_or_else(|| say(200));
    tokio::time::sleep(said.after).await;
    let mut response = Response::builder().status(StatusCode::from_u16(said.status).unwrap());
    for (name, value) in said.headers {
        response = response.header(name, value);
    }
    response.body(Body::from(said.status.to_string())).unwrap()
}

pub(crate) async fn serve(router: Router) -> SocketAddr {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

/// Serves a service by hyper-util, without a framework.
pub(crate) async fn serve_hyper<S>(service: S) -> SocketAddr
where
    S: Service<axum::http::Request<hyper::body::Incoming>, Response = Response<Body>, Error = Infallible>,
    S: Clone + Send + 'static,
    S::Future: Send,
{
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let service = TowerToHyperService::new(service.clone());
            tokio::spawn(async move {
                let server = Builder::new(TokioExecutor::new());
                server.serve_connection(TokioIo::new(stream), service).await
            });
        }
    });
    address
}
