//! `reqwest`, by itself and with its middleware.

use std::time::{Duration, Instant};

use reqwest::{Method, Request, StatusCode};
use retry_plan::reqwest::{Client, Error, Middleware};
use retry_plan::wire::Outgoing;

use crate::policy::Hand;
use crate::script::{Script, say};

type Plain = Hand<3, 500, 4000>;
type Keyed = Hand<3, 500, 4000, true>;

fn client<P>() -> Client<P> {
    Client::new(reqwest::Client::new())
}

fn request(method: Method, address: std::net::SocketAddr) -> Request {
    let mut request = Request::new(method, format!("http://{address}/").parse().unwrap());
    *request.body_mut() = Some("order".into());
    request
}

#[tokio::test]
async fn an_idempotent_request_is_sent_again_until_it_works() {
    for method in [Method::GET, Method::PUT, Method::DELETE] {
        let script = Script::new([say(503), say(502), say(200)]);
        let address = script.serve().await;
        let answer = client::<Plain>().send(request(method, address)).await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK);
        assert_eq!(script.bodies(), ["order"; 3]);
    }
}

#[tokio::test]
async fn a_post_without_a_key_is_sent_once_and_its_answer_given_back() {
    let script = Script::new([say(503)]);
    let address = script.serve().await;
    let answer = client::<Plain>()
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
    let error = client::<Hand<3, 100, 4000>>()
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
    let answer = client::<Keyed>()
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
    client::<Keyed>().send(post).await.unwrap();
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
        let answer = client::<Plain>()
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
    let answer = client::<Plain>()
        .send(request(Method::GET, address))
        .await
        .unwrap();
    assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(answer.text().await.unwrap(), "429", "its body, too");
    assert_eq!(script.calls(), 3);
}

#[tokio::test]
async fn retry_after_is_waited_for_in_both_forms() {
    let date = httpdate::fmt_http_date(std::time::SystemTime::now() + Duration::from_secs(2));
    for hint in ["1".to_owned(), date] {
        let script = Script::new([say(503).with("retry-after", &hint), say(200)]);
        let address = script.serve().await;
        let begun = Instant::now();
        client::<Plain>()
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
        let answer = client::<Plain>()
            .send(request(Method::GET, address))
            .await
            .unwrap();
        assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert!(begun.elapsed() < Duration::from_secs(1));
        assert_eq!(script.calls(), 1, "{hint}");
    }
}

#[tokio::test]
async fn a_body_that_cannot_be_cloned_is_refused_before_the_first_try() {
    let script = Script::new([say(200)]);
    let mut put = request(Method::PUT, script.serve().await);
    let stream = tokio_stream::iter([Ok::<_, std::io::Error>("part")]);
    *put.body_mut() = Some(reqwest::Body::wrap_stream(stream));
    let error = client::<Plain>().send(put).await.unwrap_err();
    assert!(matches!(error, Error::BodyNotCloneable));
    assert_eq!(script.calls(), 0);
}

#[tokio::test]
async fn a_hung_attempt_is_cut_and_made_again() {
    let script = Script::new([say(200).after(5000), say(200)]);
    let address = script.serve().await;
    let begun = Instant::now();
    client::<Hand<3, 200, 4000>>()
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
    match client::<Plain>().send(request(Method::GET, gone)).await {
        Err(Error::Client(error)) => assert!(error.is_connect()),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn each_attempt_tells_its_own_number_and_what_it_has_left() {
    let script = Script::new([say(503).after(150), say(503), say(200)]);
    let address = script.serve().await;
    let client = client::<Hand<3, 500, 600>>().tell(Outgoing::default().margin(Duration::from_millis(20)));
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

#[tokio::test]
async fn the_middleware_does_the_same() {
    let script = Script::new([say(503), say(200)]);
    let address = script.serve().await;
    let client = reqwest_middleware::ClientBuilder::new(reqwest::Client::new())
        .with(Middleware::<Keyed>::new().tell(Outgoing::default()))
        .build();
    let answer = client.execute(request(Method::POST, address)).await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(
        script.header("x-envoy-attempt-count"),
        ["1", "2"].map(|n| Some(n.into()))
    );
}
