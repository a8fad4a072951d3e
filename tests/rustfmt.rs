//! The short form in place is an expression that rustfmt formats.

use std::io::Write as _;
use std::process::{Command, Stdio};

const WRITTEN: &str = "async fn charge() -> Result<u32, Error> {
    retry_policy!( attempts=3,attempt = 500ms,
        deadline=2s, backoff = exponential( 100ms,factor=2 ),async |cx| client.charge( &mut session,cx.remaining() ).await ).await
}
";

const FORMATTED: &str = "async fn charge() -> Result<u32, Error> {
    retry_policy!(
        attempts = 3,
        attempt = 500ms,
        deadline = 2s,
        backoff = exponential(100ms, factor = 2),
        async |cx| client.charge(&mut session, cx.remaining()).await
    )
    .await
}
";

#[test]
fn rustfmt_formats_the_short_form() {
    let mut rustfmt = Command::new("rustfmt")
        .args(["--edition", "2024", "--config-path", "/dev/null"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("rustfmt comes with the toolchain");
    let mut input = rustfmt.stdin.take().expect("is piped");
    input.write_all(WRITTEN.as_bytes()).expect("is read");
    drop(input);
    let output = rustfmt.wait_with_output().expect("ends");
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stdout), FORMATTED);
}
