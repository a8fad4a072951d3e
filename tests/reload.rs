//! The example's own parts: a policy follows its file, and only to what plans.

#[path = "../examples/reload/live.rs"]
mod live;

use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use live::{Change, Live};
use retry_plan::dynamic::Loader;

/// A file that goes with the test.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("retry-plan-{name}-{}.policy", std::process::id()));
        fs::write(&path, text).unwrap();
        Self(path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _gone = fs::remove_file(&self.0);
    }
}

fn policy(name: &str, limit: &str) -> String {
    format!(
        "struct {name} {{ deadline({limit}) {{ retry(attempts = 3, backoff = fixed(100ms), jitter = none) {{ attempt(500ms) }} }} }}"
    )
}

#[tokio::test(start_paused = true)]
async fn a_new_version_is_swapped_in_only_if_it_plans() {
    let file = Temporary::new("swap", &policy("First", "2s"));
    let live = Live::open(&file.0, Loader::<u32, io::Error>::new()).unwrap();
    let running = live.policy();

    fs::write(&file.0, policy("Second", "1s")).unwrap();
    let Change::Refused(refused) = live.reload() else {
        panic!("it can't fit");
    };
    assert!(
        refused
            .to_string()
            .contains("`Second` cannot fit: worst case 1.7 s, limit 1 s"),
        "{refused}"
    );
    assert_eq!(live.policy().name(), "First");

    fs::write(&file.0, "deadline(2s) {").unwrap();
    assert!(matches!(live.reload(), Change::Refused(_)));
    fs::write(&file.0, policy("Third", "3s")).unwrap();
    assert!(matches!(live.reload(), Change::Swapped));
    assert_eq!((running.name(), live.policy().name()), ("First", "Third"));
    assert_eq!(live.policy().run(async |_| Ok(7)).await.unwrap(), 7);

    fs::remove_file(&file.0).unwrap();
    let Change::Unreadable(error) = live.reload() else {
        panic!("there is no file");
    };
    assert_eq!(error.kind(), io::ErrorKind::NotFound);
    assert_eq!(live.policy().name(), "Third");
}

#[tokio::test(start_paused = true)]
async fn a_file_that_is_watched_is_loaded_when_it_changes_and_only_then() {
    let file = Temporary::new("watch", &policy("First", "2s"));
    let live = Live::open(&file.0, Loader::<u32, io::Error>::new()).unwrap();
    let mut changes = Vec::new();
    let edits = async {
        tokio::time::sleep(Duration::from_secs(5)).await;
        fs::write(&file.0, policy("Second", "20s")).unwrap();
        tokio::time::sleep(Duration::from_secs(5)).await;
        fs::write(&file.0, policy("Third", "100ms")).unwrap();
        tokio::time::sleep(Duration::from_secs(5)).await;
    };
    tokio::select! {
        () = live.watch(Duration::from_secs(1), |change| changes.push(change)) => {}
        () = edits => {}
    }
    assert!(
        matches!(changes[..], [Change::Swapped, Change::Refused(_)]),
        "{changes:?}"
    );
    assert_eq!(live.policy().name(), "Second");
}
