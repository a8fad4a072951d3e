//! nginx in front: a proxy that answers 502 and 503 with `Retry-After` for servers that don't.

use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use reqwest::{Method, Request, StatusCode};
use retry_plan::reqwest::Client;

use crate::policies::{Fetch, Single};
use crate::script::{Script, say};

const NGINX: &str = "/usr/sbin/nginx";

/// A running nginx and its folder; both go with it.
struct Nginx {
    process: Child,
    folder: PathBuf,
    address: SocketAddr,
}

impl Drop for Nginx {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn free_port() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

/// `None`, with a message, where nginx isn't installed.
async fn nginx(locations: &str) -> Option<Nginx> {
    if !Path::new(NGINX).exists() {
        println!("skipped: {NGINX} isn't installed");
        return None;
    }
    let address = free_port();
    let folder = std::env::temp_dir().join(format!("retry-plan-nginx-{}", address.port()));
    std::fs::create_dir_all(&folder).unwrap();
    let temp = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|kind| format!("{kind}_temp_path {}/{kind};", folder.display()))
        .join("\n");
    let config = format!(
        "daemon off; master_process off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log;
         events {{ worker_connections 64; }}
         http {{ access_log off; {temp}
           server {{ listen {address}; {locations} }} }}",
        folder = folder.display()
    );
    let file = folder.join("nginx.conf");
    std::fs::write(&file, config).unwrap();
    let process = Command::new(NGINX)
        .arg("-p")
        .arg(&folder)
        .arg("-c")
        .arg(&file)
        .arg("-e")
        .arg(folder.join("error.log"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let nginx = Nginx {
        process,
        folder,
        address,
    };
    let begun = Instant::now();
    while tokio::net::TcpStream::connect(address).await.is_err() {
        let log = std::fs::read_to_string(nginx.folder.join("error.log")).unwrap_or_default();
        assert!(
            begun.elapsed() < Duration::from_secs(10),
            "nginx doesn't listen: {log}"
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Some(nginx)
}

async fn get<P>(nginx: &Nginx, path: &str) -> reqwest::Response
where
    P: retry_plan::SingleLeaf<Result<reqwest::Response, reqwest::Error>, retry_plan::http::Failed>,
{
    let url = format!("http://{}{path}", nginx.address).parse().unwrap();
    Client::<P>::new(reqwest::Client::new())
        .send(Request::new(Method::GET, url))
        .await
        .unwrap()
}

#[tokio::test]
async fn a_proxys_502_and_503_are_retried_no_sooner_than_it_asks() {
    let script = Script::new([say(503), say(200)]);
    let (server, gone) = (script.serve().await, free_port());
    let Some(nginx) = nginx(&format!(
        "location /flaky {{ proxy_pass http://{server}; add_header Retry-After 1 always; }}
         location /gone {{ proxy_pass http://{gone}; add_header Retry-After 1 always; }}
         location /closed {{ add_header Retry-After 3600 always; return 503; }}"
    ))
    .await
    else {
        return;
    };

    let begun = Instant::now();
    let answer = get::<Fetch>(&nginx, "/flaky").await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(script.calls(), 2);
    assert!(begun.elapsed() >= Duration::from_secs(1), "{:?}", begun.elapsed());

    let begun = Instant::now();
    let answer = get::<Fetch>(&nginx, "/gone").await;
    assert_eq!(answer.status(), StatusCode::BAD_GATEWAY);
    assert!(begun.elapsed() >= Duration::from_secs(1), "{:?}", begun.elapsed());

    let begun = Instant::now();
    let answer = get::<Fetch>(&nginx, "/closed").await;
    assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(
        begun.elapsed() < Duration::from_millis(900),
        "an hour doesn't fit: {:?}",
        begun.elapsed()
    );
}

#[tokio::test]
async fn a_deadline_passes_through_a_proxy() {
    let script = Script::new([say(200)]);
    let server = script.serve().await;
    let Some(nginx) = nginx(&format!("location / {{ proxy_pass http://{server}; }}")).await else {
        return;
    };
    let url = format!("http://{}/", nginx.address).parse().unwrap();
    let client = Client::<Single>::new(reqwest::Client::new()).tell(retry_plan::wire::Outgoing::default());
    client.send(Request::new(Method::GET, url)).await.unwrap();
    let told = script.header("x-envoy-expected-rq-timeout-ms");
    assert!(
        told[0]
            .as_ref()
            .is_some_and(|told| told.parse::<u64>().unwrap() <= 400),
        "{told:?}"
    );
}
