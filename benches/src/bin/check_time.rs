//! Prints what `cargo check` of policies costs beside hand-written loops:
//! `WHAT SECONDS-CLEAN SECONDS-AFTER-AN-EDIT MILLISECONDS-EACH`, processor time, tab-separated.
//!
//! Each crate has a hundred functions, each under a policy of its own: a deadline around three attempts, each bounded,
//! with jittered exponential waits. The first row does it by hand with tokio's timeouts. Dependencies are checked before.
//! The last column leaves out what an empty crate costs. After an edit means that one function of the hundred has
//! changed, with incremental compilation.
//!
//! Where the time goes is told by a nightly compiler: `cargo run --bin check_time named` measures one row and leaves its
//! crate, in which `cargo +nightly rustc --profile check -- -Ztime-passes` prints the seconds of each pass.

use retry_bench::building::{Project, metadata_path};

const ITEMS: u32 = 100;
const ROUNDS: u32 = 3;

const HEAD: &str = "use std::io::Error;\nuse std::time::Duration;\n\n\
    #[allow(dead_code)]\nconst LIMIT: Duration = Duration::from_secs(2);\n\n\
    async fn call(order: u32, salt: u32) -> Result<u32, Error> {\n    Ok(order + salt)\n}\n";

fn by_hand(item: u32) -> String {
    format!(
        "pub async fn charge{item}(order: u32) -> Result<u32, Error> {{
    let deadline = tokio::time::Instant::now() + Duration::from_secs(2);
    let mut wait = Duration::from_millis(100);
    let mut tries = 0;
    loop {{
        tries += 1;
        let bound = deadline.min(tokio::time::Instant::now() + Duration::from_millis(500));
        let error = match tokio::time::timeout_at(bound, call(order, {item})).await {{
            Ok(Ok(receipt)) => return Ok(receipt),
            Ok(Err(error)) => error,
            Err(_) => Error::from(std::io::ErrorKind::TimedOut),
        }};
        let drawn = wait.mul_f64(rand::random::<f64>());
        if tries == 3 || tokio::time::Instant::now() + drawn >= deadline {{
            return Err(error);
        }}
        tokio::time::sleep(drawn).await;
        wait = (wait * 2).min(Duration::from_secs(1));
    }}
}}
"
    )
}

fn named(item: u32, limit: &str) -> String {
    format!(
        "retry_plan::retry_policy! {{
    pub struct Charge{item} {{
        deadline({limit}) {{
            retry(attempts = 3, backoff = exponential(100ms, factor = 2, max = 1s)) {{
                attempt(500ms)
            }}
        }}
    }}
}}
pub async fn charge{item}(order: u32) -> Result<u32, Error> {{
    Charge{item}::run(async |_| call(order, {item}).await).await
}}
"
    )
}

fn function(item: u32) -> String {
    format!(
        "#[retry_plan::retry(attempts = 3, attempt = 500ms, deadline = 2s, backoff = exponential(100ms, factor = 2, max = 1s))]
pub async fn charge{item}(order: u32) -> Result<u32, Error> {{
    call(order, {item}).await
}}
"
    )
}

fn in_place(item: u32) -> String {
    format!(
        "pub async fn charge{item}(order: u32) -> Result<u32, Error> {{
    let run = retry_plan::retry_policy!(
        attempts = 3, attempt = 500ms, deadline = 2s, backoff = exponential(100ms, factor = 2, max = 1s),
        async |_| call(order, {item}).await
    );
    run.await
}}
"
    )
}

/// A crate's source, with `edits` changes in one of its functions.
fn source(item: &dyn Fn(u32) -> String, edits: u32) -> String {
    let mut source = HEAD.to_owned();
    for number in 0..ITEMS {
        source.push_str(&item(number));
    }
    // The salt of the last call is what changes.
    let salt = format!("call(order, {})", ITEMS - 1);
    source.replace(&salt, &format!("call(order, {})", ITEMS + edits))
}

/// Processor seconds: of a clean check, and of one after an edit.
fn measure(project: &Project, item: &dyn Fn(u32) -> String) -> Result<(f64, f64), String> {
    const CHECK: [&str; 3] = ["check", "--quiet", "--offline"];
    let clean = [("CARGO_INCREMENTAL", "0")];
    let (mut whole, mut edited) = (f64::INFINITY, f64::INFINITY);
    for round in 0..ROUNDS {
        project.write("src/lib.rs", &source(item, 2 * round))?;
        whole = whole.min(project.cargo_with(&CHECK, &clean)?.processor);
        // One check that fills the cache, and one of an edit.
        project.cargo(&CHECK)?;
        project.write("src/lib.rs", &source(item, 2 * round + 1))?;
        edited = edited.min(project.cargo(&CHECK)?.processor);
    }
    Ok((whole, edited))
}

fn main() -> Result<(), String> {
    let dependencies = format!(
        "retry-plan = {{ path = {:?} }}\ntokio = {{ version = \"1.54\", features = [\"rt\", \"time\"] }}\nrand = \"0.10\"\n",
        metadata_path("..")
    );
    let contestants: [(&str, &dyn Fn(u32) -> String); 5] = [
        ("by hand", &by_hand),
        ("in place", &in_place),
        ("#[retry]", &function),
        ("named", &|item| named(item, "2s")),
        ("named, with a constant", &|item| named(item, "LIMIT")),
    ];
    let project = Project::new(&dependencies, HEAD)?;
    let only = std::env::args().nth(1);
    let empty = measure(&project, &|_| String::new())?;
    for (what, item) in contestants {
        if only.as_ref().is_some_and(|only| only != what) {
            continue;
        }
        let (clean, edited) = measure(&project, item)?;
        let each = (clean - empty.0) / f64::from(ITEMS) * 1e3;
        println!("{what}\t{clean:.2}\t{edited:.2}\t{each:.2}");
    }
    if only.is_some() {
        eprintln!("{}", project.keep().display());
    }
    Ok(())
}
