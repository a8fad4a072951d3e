//! `reqwest`, by itself and with its middleware.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use reqwest::{Method, Request, Response, StatusCode};
use reqwest_middleware::{ClientWithMiddleware, Next};
use retry_plan::http::Failed;
use retry_plan::reqwest::{Client, Error, Middleware};
use retry_plan::wire::Outgoing;
use retry_plan::{Attempt, SingleLeaf};

use crate::policies::{Brisk, Fetch, Fitting, Pay, Single, calls};
use crate::script::{Script, say};

fn client<P>() -> Client<P> {
    Client::new(reqwest::Client::new())
}

fn request(method: Method, address: SocketAddr) -> Request {
    let mut request = Request::new(method, format!("http://{address}/").parse().unwrap());
    *request.body_mut() = Some("order".into());
    request
}

#[tokio::test]
async fn an_idempotent_request_is_sent_again_until_it_works() {
    for method in [Method::GET, Method::PUT, Method::DELETE] {
        let script = Script::new([say(503), say(502), say(200)]);
        let address = script.serve().await;
        let answer = client::<Fetch>().send(request(method, address)).await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK);
        assert_eq!(script.bodies(), ["order"; 3]);
    }
}

#[tokio::test]
async fn a_post_without_a_key_is_sent_once_and_its_answer_given_back() {
    let script = Script::new([say(503)]);
    let address = script.serve().await;
    let answer = client::<Fetch>()
        .send(request(Method::POST, address))
        .await
        .unwrap();
    assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(script.calls(), 1);
}

#[tokio::test]
async fn a_post_without_a_key_is_not_sent_again_after_its_own_timeout() {
    let script = Script::new([say(200).after(2000)]);
    let address = script.serve().await;
    let error = client::<Brisk>()
        .send(request(Method::POST, address))
        .await
        .unwrap_err();
    assert!(matches!(error, Error::Interrupted(_)), "{error}");
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(script.calls(), 1);
}

#[tokio::test]
async fn a_post_is_sent_again_with_the_one_key_that_the_policy_supplies() {
    let script = Script::new([say(503), say(503), say(201)]);
    let address = script.serve().await;
    let answer = client::<Pay>()
        .send(request(Method::POST, address))
        .await
        .unwrap();
    assert_eq!(answer.status(), StatusCode::CREATED);
    let keys = script.header("idempotency-key");
    assert!(
        keys.len() == 3 && keys[0].is_some() && keys.iter().all(|key| *key == keys[0]),
        "{keys:?}"
    );
}

#[tokio::test]
async fn a_posts_own_key_is_enough_and_stays() {
    let script = Script::new([say(503), say(201)]);
    let mut post = request(Method::POST, script.serve().await);
    post.headers_mut()
        .insert("idempotency-key", "mine".parse().unwrap());
    client::<Pay>().send(post).await.unwrap();
    assert_eq!(
        script.header("idempotency-key"),
        [Some("mine".into()), Some("mine".into())]
    );
}

#[tokio::test]
async fn an_answer_about_the_request_itself_is_final() {
    for status in [400, 401, 404, 409, 422, 501] {
        let script = Script::new([say(status)]);
        let address = script.serve().await;
        let answer = client::<Fetch>()
            .send(request(Method::GET, address))
            .await
            .unwrap();
        assert_eq!(answer.status().as_u16(), status);
        assert_eq!(script.calls(), 1);
    }
}

#[tokio::test]
async fn calls_at_the_server_equal_the_plan_and_the_last_answer_comes_back() {
    let script = Script::new([say(503), say(503), say(429)]);
    let address = script.serve().await;
    let answer = client::<Fetch>()
        .send(request(Method::GET, address))
        .await
        .unwrap();
    assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(answer.text().await.unwrap(), "429", "its body, too");
    assert_eq!(script.calls(), calls(&Fetch::PLAN));
}

#[tokio::test]
async fn retry_after_is_waited_for_in_both_forms() {
    let date = httpdate::fmt_http_date(std::time::SystemTime::now() + Duration::from_secs(2));
    for hint in ["1".to_owned(), date] {
        let script = Script::new([say(503).with("retry-after", &hint), say(200)]);
        let address = script.serve().await;
        let begun = Instant::now();
        client::<Fetch>()
            .send(request(Method::GET, address))
            .await
            .unwrap();
        // A date has whole seconds: from two seconds ahead, at least one is left.
        assert!(
            begun.elapsed() >= Duration::from_millis(900),
            "{hint}: {:?}",
            begun.elapsed()
        );
        assert_eq!(script.calls(), 2);
    }
}

#[tokio::test]
async fn a_retry_after_beyond_the_bound_stops_at_once_and_is_not_asked_again_sooner() {
    for hint in ["60", "99999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"] {
        let script = Script::new([say(503).with("retry-after", hint)]);
        let address = script.serve().await;
        let begun = Instant::now();
        let answer = client::<Fetch>()
            .send(request(Method::GET, address))
            .await
            .unwrap();
        assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert!(begun.elapsed() < Duration::from_secs(1));
        assert_eq!(script.calls(), 1, "{hint}");
    }
}

/// A request whose body is a stream.
fn streaming(method: Method, address: SocketAddr) -> Request {
    let mut request = request(method, address);
    let stream = tokio_stream::iter([Ok::<_, std::io::Error>("part")]);
    *request.body_mut() = Some(reqwest::Body::wrap_stream(stream));
    request
}

#[tokio::test]
async fn a_body_that_cannot_be_cloned_is_refused_before_the_first_try() {
    let script = Script::new([say(200)]);
    let address = script.serve().await;
    let put = client::<Fetch>().send(streaming(Method::PUT, address)).await;
    assert!(matches!(put, Err(Error::BodyNotCloneable)));
    let post = client::<Pay>().send(streaming(Method::POST, address)).await;
    assert!(
        matches!(post, Err(Error::BodyNotCloneable)),
        "the key makes it repeatable"
    );
    assert_eq!(script.calls(), 0);
}

#[tokio::test]
async fn a_body_that_cannot_be_cloned_is_sent_where_nothing_may_be_sent_twice() {
    let script = Script::new([say(503)]);
    let address = script.serve().await;
    client::<Fetch>()
        .send(streaming(Method::POST, address))
        .await
        .unwrap();
    client::<Single>()
        .send(streaming(Method::PUT, address))
        .await
        .unwrap();
    assert_eq!(script.bodies(), ["part", "part"]);
}

#[tokio::test]
async fn a_hung_attempt_is_cut_and_made_again() {
    let script = Script::new([say(200).after(5000), say(200)]);
    let address = script.serve().await;
    let begun = Instant::now();
    client::<Brisk>()
        .send(request(Method::GET, address))
        .await
        .unwrap();
    assert!(begun.elapsed() >= Duration::from_millis(200) && begun.elapsed() < Duration::from_secs(3));
    assert_eq!(script.calls(), 2);
}

#[tokio::test]
async fn a_refused_connection_is_the_clients_own_error_in_the_end() {
    let gone = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap()
    };
    match client::<Fetch>().send(request(Method::GET, gone)).await {
        Err(Error::Client(error)) => assert!(error.is_connect()),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn each_attempt_tells_its_own_number_and_what_it_has_left() {
    let script = Script::new([say(503).after(150), say(503), say(200)]);
    let address = script.serve().await;
    let client = client::<Fitting>().tell(Outgoing::default().margin(Duration::from_millis(20)));
    client.send(request(Method::GET, address)).await.unwrap();
    let told = script.header("x-envoy-expected-rq-timeout-ms");
    let left: Vec<u64> = told
        .into_iter()
        .map(|told| told.unwrap().parse().unwrap())
        .collect();
    assert!(left[0] <= 480 && left[1] <= 430 && left[2] <= left[1], "{left:?}");
    assert_eq!(
        script.header("x-envoy-attempt-count"),
        ["1", "2", "3"].map(|n| Some(n.into()))
    );
    assert_eq!(
        script.header("grpc-previous-rpc-attempts"),
        [None, Some("1".into()), Some("2".into())]
    );
}

/// A client with a middleware after the policy's, which counts what it lets through.
fn middleware<P>(seen: Arc<AtomicU64>) -> ClientWithMiddleware
where
    P: SingleLeaf<Result<Response, reqwest_middleware::Error>, Failed> + 'static,
{
    struct Counts(Arc<AtomicU64>);

    #[async_trait::async_trait]
    impl reqwest_middleware::Middleware for Counts {
        async fn handle(
            &self,
            request: Request,
            extensions: &mut axum::http::Extensions,
            next: Next<'_>,
        ) -> reqwest_middleware::Result<Response> {
            assert!(extensions.get::<Attempt>().is_some(), "the attempt is told");
            self.0.fetch_add(1, Relaxed);
            next.run(request, extensions).await
        }
    }

    reqwest_middleware::ClientBuilder::new(reqwest::Client::new())
        .with(Middleware::<P>::new().tell(Outgoing::default()))
        .with(Counts(seen))
        .build()
}

#[tokio::test]
async fn through_the_middleware_what_stands_after_it_runs_once_for_each_attempt() {
    let script = Script::new([say(503), say(200)]);
    let address = script.serve().await;
    let seen = Arc::default();
    let client = middleware::<Pay>(Arc::clone(&seen));
    let answer = client.execute(request(Method::POST, address)).await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(seen.load(Relaxed), 2);
    assert_eq!(
        script.header("x-envoy-attempt-count"),
        ["1", "2"].map(|n| Some(n.into()))
    );
    let keys = script.header("idempotency-key");
    assert!(keys[0].is_some() && keys[0] == keys[1], "{keys:?}");
}

#[tokio::test]
async fn through_the_middleware_a_post_without_a_key_is_sent_once() {
    let script = Script::new([say(503)]);
    let address = script.serve().await;
    let client = middleware::<Fetch>(Arc::default());
    let answer = client.execute(request(Method::POST, address)).await.unwrap();
    assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(script.calls(), 1);
}

#[tokio::test]
async fn through_the_middleware_a_body_that_cannot_be_cloned_is_refused_before_the_first_try() {
    let script = Script::new([say(200)]);
    let seen = Arc::default();
    let put = streaming(Method::PUT, script.serve().await);
    let error = middleware::<Fetch>(Arc::clone(&seen))
        .execute(put)
        .await
        .unwrap_err();
    let reqwest_middleware::Error::Middleware(error) = error else {
        panic!("{error:?}")
    };
    assert!(matches!(error.downcast_ref(), Some(Error::BodyNotCloneable)));
    assert_eq!((seen.load(Relaxed), script.calls()), (0, 0));
}
