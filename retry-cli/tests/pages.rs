//! The page, opened in a browser.

mod support;

use std::path::{Path, PathBuf};
use std::time::Duration;

use assert_cmd::Command;
use serde_json::Value;
use support::{case, run};

/// The browser, or `None` with a word about it where there is none.
fn chromium() -> Option<PathBuf> {
    let found = [
        "/usr/bin/chromium",
        "/usr/bin/chromium-browser",
        "/usr/bin/google-chrome",
    ]
    .into_iter()
    .map(PathBuf::from)
    .find(|path| path.exists());
    if found.is_none() {
        eprintln!("SKIPPED: no Chromium on this machine");
    }
    found
}

struct Opened {
    /// The document as it stands after loading.
    dom: String,
    /// What the browser complains about.
    told: String,
    /// The addresses that the page asked for.
    asked: Vec<String>,
}

fn open(chromium: &Path, page: &Path, width: u32) -> Opened {
    let folder = tempfile::tempdir().unwrap();
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
        ])
        .args([
            "--enable-logging=stderr",
            "--virtual-time-budget=2000",
            "--dump-dom",
        ])
        // No name is resolved, so nothing leaves this machine.
        .arg("--host-resolver-rules=MAP * ~NOTFOUND")
        .arg(format!("--window-size={width},900"))
        .arg(format!(
            "--user-data-dir={}",
            folder.path().join("profile").display()
        ))
        .arg(format!("--log-net-log={}", log.display()))
        .arg(format!("file://{}", page.display()))
        .timeout(Duration::from_secs(120))
        .output()
        .unwrap();
    let log: Value = serde_json::from_str(&std::fs::read_to_string(log).unwrap()).unwrap();
    // A request of the browser's own services has no origin; a page has one.
    let asked = log["events"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|event| {
            let origin = event["params"]["initiator"].as_str();
            origin.is_some_and(|origin| origin != "not an origin")
        })
        .filter_map(|event| event["params"]["url"].as_str().map(str::to_owned))
        .collect();
    Opened {
        dom: String::from_utf8_lossy(&output.stdout).into_owned(),
        told: String::from_utf8_lossy(&output.stderr).into_owned(),
        asked,
    }
}

fn page(folder: &Path, chain: &str) -> PathBuf {
    let page = folder.join("page.html");
    run(
        &["chain", "-", "--html", page.to_str().unwrap()],
        chain.as_bytes(),
    );
    page
}

#[test]
fn the_page_loads_without_errors_or_requests() {
    let Some(chromium) = chromium() else { return };
    let folder = tempfile::tempdir().unwrap();
    let page = page(folder.path(), &case("checkout_baseline"));
    let opened = open(&chromium, &page, 1100);
    for word in [
        "INNER_OUTLIVES_CALLER",
        "RETRY_UNSAFE",
        "AMPLIFICATION",
        "A chain that passes",
    ] {
        assert!(opened.dom.contains(word), "{word} isn't on the page");
    }
    assert!(!opened.told.contains(":CONSOLE"), "{}", opened.told);
    assert_eq!(opened.asked, Vec::<String>::new());

    // A page that asks is told apart from it.
    let other = folder.path().join("other.html");
    std::fs::write(
        &other,
        "<img src='http://elsewhere.test/a.png'><script>console.log('b')</script>",
    )
    .unwrap();
    let opened = open(&chromium, &other, 1100);
    assert!(
        opened
            .asked
            .iter()
            .any(|url| url == "http://elsewhere.test/a.png"),
        "{:?}",
        opened.asked
    );
    assert!(opened.told.contains(":CONSOLE"), "{}", opened.told);
}

/// Put into a copy of the page, as the page itself lets no script run.
const MEASURE: &str = "<script>
    const seen = element => {
        const box = element.getBoundingClientRect(), style = getComputedStyle(element);
        return box.width > 60 && box.height > 12 && style.visibility == 'visible' && style.opacity == 1;
    };
    const all = query => [...document.querySelectorAll(query)];
    const inside = element => element.scrollWidth <= element.clientWidth + 1;
    document.title = JSON.stringify({
        findings: all('.finding').filter(seen).length,
        beside: all('.layer').filter(layer => layer.querySelector('.finding, .fine')).length,
        svg: all('svg').filter(seen).length,
        wide: document.documentElement.scrollWidth > innerWidth,
        spilled: all('.layer, .tile, .steps, .fix').filter(element => !inside(element)).length,
    });
</script></body>";

#[test]
fn every_finding_is_seen_beside_its_layer_at_any_width() {
    let Some(chromium) = chromium() else { return };
    let folder = tempfile::tempdir().unwrap();
    let long = "a service of many words, ".repeat(20) + &"and_one_of_many_letters".repeat(20);
    let mut chain: Value = serde_json::from_str(&case("checkout_baseline")).unwrap();
    chain["name"] = long.clone().into();
    chain["layers"][1]["name"] = long.into();
    let page = page(folder.path(), &chain.to_string());
    let text = std::fs::read_to_string(&page).unwrap();
    let policy = text
        .find("<meta http-equiv=\"Content-Security-Policy\"")
        .expect("scripts are forbidden");
    let end = policy + text[policy..].find('>').unwrap() + 1;
    let open_to_scripts = format!("{}{}", &text[..policy], &text[end..]).replace("</body>", MEASURE);
    std::fs::write(&page, open_to_scripts).unwrap();
    for width in [1400, 800, 500] {
        let dom = open(&chromium, &page, width).dom;
        let title = dom
            .split("<title>")
            .nth(1)
            .and_then(|rest| rest.split("</title>").next());
        let measured: Value =
            serde_json::from_str(title.expect("the page has a title")).expect("it was measured");
        let expected =
            serde_json::json!({ "findings": 10, "beside": 3, "svg": 1, "wide": false, "spilled": 0 });
        assert_eq!(measured, expected, "{width} wide");
    }
}
