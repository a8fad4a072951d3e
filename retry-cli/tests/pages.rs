//! The page and the picture, opened in a browser.

mod support;

use std::path::Path;
use std::time::Duration;

use assert_cmd::Command;
use support::{case, run};

#[test]
fn the_page_opens_in_a_browser_without_errors_or_requests() {
    let chromium = [
        "/usr/bin/chromium",
        "/usr/bin/chromium-browser",
        "/usr/bin/google-chrome",
    ];
    let Some(chromium) = chromium.into_iter().find(|path| Path::new(path).exists()) else {
        eprintln!("SKIPPED: no Chromium on this machine");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    run(
        &["chain", "-", "--html", page.to_str().unwrap()],
        case("checkout_baseline").as_bytes(),
    );
    let log = folder.path().join("net.json");
    let output = Command::new(chromium)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
        ])
        .args([
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--enable-logging=stderr",
        ])
        .arg(format!(
            "--user-data-dir={}",
            folder.path().join("profile").display()
        ))
        .arg(format!("--log-net-log={}", log.display()))
        .args(["--virtual-time-budget=2000", "--dump-dom"])
        .arg(format!("file://{}", page.display()))
        .timeout(Duration::from_secs(60))
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout);
    for code in [
        "INNER_OUTLIVES_CALLER",
        "RETRY_UNSAFE",
        "AMPLIFICATION",
        "A chain that passes",
    ] {
        assert!(dom.contains(code), "{code} isn't on the page");
    }
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(!told.contains(":CONSOLE"), "{told}");
    // The page itself is the only thing that is asked for.
    let source = std::fs::read_to_string(&page).unwrap();
    for reference in ["src=", "@import", "url(http", "<script", "href=\"http"] {
        assert!(!source.contains(reference), "{reference}");
    }
}
