//! Prints what adding a crate costs in a clean debug build: `WHAT CPU-SECONDS WALL-SECONDS CRATES`, tab-separated.
//! The crates and seconds of tokio's `rt` and `time`, which every one of them needs, are a row of their own.

use retry_bench::building::{Project, metadata_path};

const ROUNDS: usize = 1;

fn main() -> Result<(), String> {
    let tokio = "tokio = { version = \"1.54\", features = [\"rt\", \"time\"] }\n";
    let ours = format!("retry-plan = {{ path = {:?} }}\n", metadata_path(".."));
    let contestants = [
        ("tokio alone (rt, time)", String::new()),
        ("retry-plan", ours),
        ("backon", "backon = { version = \"1.6\", default-features = false, features = [\"std\", \"tokio-sleep\"] }\n".into()),
        ("tokio-retry", "tokio-retry = \"0.3\"\n".into()),
        ("tokio-retry2", "tokio-retry2 = { version = \"0.9\", features = [\"jitter\"] }\n".into()),
        ("tryhard", "tryhard = \"0.5\"\n".into()),
        ("tower (retry, timeout)", "tower = { version = \"0.5\", features = [\"retry\", \"timeout\"] }\n".into()),
        (
            "tower (retry, timeout, hedge)",
            "tower = { version = \"0.5\", features = [\"retry\", \"timeout\", \"hedge\"] }\n".into(),
        ),
        ("tokio macros and thiserror", String::new()),
    ];
    let projects = contestants
        .into_iter()
        .map(|(what, lines)| {
            let dependencies = if what == "tokio macros and thiserror" {
                format!(
                    "{}thiserror = \"2\"\n",
                    tokio.replace("\"time\"", "\"time\", \"macros\"")
                )
            } else {
                format!("{tokio}{lines}")
            };
            Ok((what, Project::new(&dependencies, "")?))
        })
        .collect::<Result<Vec<_>, String>>()?;
    let mut best = vec![(f64::INFINITY, f64::INFINITY); projects.len()];
    for _ in 0..ROUNDS {
        for ((_, project), best) in projects.iter().zip(&mut best) {
            let spent = project.clean_build()?;
            best.0 = best.0.min(spent.processor);
            best.1 = best.1.min(spent.wall);
        }
    }
    for ((what, project), (processor, wall)) in projects.iter().zip(best) {
        println!("{what}\t{processor:.2}\t{wall:.2}\t{}", project.crates()?);
    }
    Ok(())
}
