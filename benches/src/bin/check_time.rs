//! Prints what `cargo check` of policies costs beside hand-written loops:
//! `WHAT SECONDS-CLEAN SECONDS-AFTER-AN-EDIT MILLISECONDS-EACH INSTRUCTIONS-EACH SHARE…`, tab-separated: seconds of processor
//! time, the compiler's instructions in millions, and how many percent of them stand in which part of it.
//!
//! Each crate has a hundred functions, each under a policy of its own: a deadline around three attempts, each bounded,
//! with jittered exponential waits. The first row does it by hand with tokio's timeouts. Dependencies are checked before.
//! What is told of each leaves out what an empty crate costs; instructions are the difference between more and fewer of them,
//! so that what the first one costs is left out too. After an edit means that one function of the hundred has changed, with
//! incremental compilation.
//!
//! `check_time named` measures one row and leaves its crate.

use retry_bench::building::{Project, metadata_path};

const ITEMS: u32 = 100;
const ROUNDS: u32 = 5;

const HEAD: &str = "use std::io::Error;\nuse std::time::Duration;\n\n\
    #[allow(dead_code)]\nconst LIMIT: Duration = Duration::from_secs(2);\n\n\
    async fn call(order: u32, salt: u32) -> Result<u32, Error> {\n    Ok(order + salt)\n}\n";

/// What a predicate says of an error, in all of them.
const TRANSIENT: &str = "error.kind() == std::io::ErrorKind::TimedOut";

fn by_hand(item: u32, when: bool) -> String {
    let declined = if when {
        format!(" || !({TRANSIENT})")
    } else {
        String::new()
    };
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
        if tries == 3{declined} || tokio::time::Instant::now() + drawn >= deadline {{
            return Err(error);
        }}
        tokio::time::sleep(drawn).await;
        wait = (wait * 2).min(Duration::from_secs(1));
    }}
}}
"
    )
}

fn named(item: u32, limit: &str, when: bool) -> String {
    let (typed, when) = if when {
        ("type Error = Error;", format!(", when = |error| {TRANSIENT}"))
    } else {
        ("", String::new())
    };
    format!(
        "retry_plan::retry_policy! {{
    pub struct Charge{item} {{
        {typed}
        deadline({limit}) {{
            retry(attempts = 3, backoff = exponential(100ms, factor = 2, max = 1s){when}) {{
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

fn function(item: u32, when: bool) -> String {
    let when = if when {
        format!(", when = |error| {TRANSIENT}")
    } else {
        String::new()
    };
    format!(
        "#[retry_plan::retry(attempts = 3, attempt = 500ms, deadline = 2s, backoff = exponential(100ms, factor = 2, max = 1s){when})]
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

/// The parts of the compiler, each with the crates that it is made of; what stands in none of them is the last one's.
const PARTS: [(&str, &[&str]); 7] = [
    (
        "the macro",
        &[
            "proc_macro",
            "quote",
            "syn",
            "retry_macros",
            "retry_syntax",
            "retry_planner",
        ],
    ),
    (
        "syntax and names",
        &[
            "rustc_lexer",
            "rustc_parse",
            "rustc_ast",
            "rustc_expand",
            "rustc_resolve",
            "rustc_attr_parsing",
        ],
    ),
    (
        "types",
        &[
            "rustc_hir_typeck",
            "rustc_hir_analysis",
            "rustc_infer",
            "rustc_trait_selection",
            "rustc_type_ir",
            "rustc_next_trait_solver",
            "rustc_traits",
            "rustc_ty_utils",
        ],
    ),
    ("borrows", &["rustc_borrowck"]),
    (
        "MIR",
        &[
            "rustc_mir_build",
            "rustc_mir_transform",
            "rustc_mir_dataflow",
            "rustc_pattern_analysis",
        ],
    ),
    ("constants", &["rustc_const_eval"]),
    ("queries, memory and the rest", &[]),
];

/// The part of the compiler that a function belongs to: that of the crate which its name begins with.
fn part(function: &str) -> usize {
    let places = PARTS.iter().enumerate().flat_map(|(part, (_, crates))| {
        crates
            .iter()
            .filter_map(move |name| Some((function.find(name)?, part)))
    });
    // A type of the compiler's middle may stand before a crate that it was made generic over.
    let middle = function.find("rustc_middle").unwrap_or(usize::MAX);
    places
        .min()
        .filter(|(at, _)| *at < middle)
        .map_or(PARTS.len() - 1, |(_, part)| part)
}

/// The compiler's instructions by part, in millions, for a crate of so many functions.
fn instructions(
    project: &Project,
    item: &dyn Fn(u32) -> String,
    count: u32,
) -> Result<Option<[f64; PARTS.len()]>, String> {
    project.write("src/lib.rs", &source(item, 0, count))?;
    let Some(functions) = project.check_instructions()? else {
        return Ok(None);
    };
    let mut parts = [0.0; PARTS.len()];
    for (function, count) in functions {
        parts[part(&function)] += count;
    }
    Ok(Some(parts))
}

/// What one more function costs: instructions in millions, and the share of each part.
fn each(project: &Project, item: &dyn Fn(u32) -> String) -> Result<Vec<String>, String> {
    const FEW: u32 = 4;
    const MORE: u32 = 12;
    let (Some(few), Some(more)) = (
        instructions(project, item, FEW)?,
        instructions(project, item, MORE)?,
    ) else {
        eprintln!("valgrind is missing: nothing is told of instructions");
        return Ok(vec!["–".to_owned(); PARTS.len() + 1]);
    };
    let parts = std::array::from_fn::<f64, { PARTS.len() }, _>(|part| {
        (more[part] - few[part]) / f64::from(MORE - FEW)
    });
    let all: f64 = parts.iter().sum();
    let shares = parts.iter().map(|part| format!("{:.0}", part / all * 100.0));
    Ok(std::iter::once(format!("{all:.1}")).chain(shares).collect())
}

/// A crate's source of so many functions, with `edits` changes in the last of them.
fn source(item: &dyn Fn(u32) -> String, edits: u32, count: u32) -> String {
    let mut source = HEAD.to_owned();
    for number in 0..count {
        source.push_str(&item(number));
    }
    // The salt of the last call is what changes.
    let salt = format!("call(order, {})", count - 1);
    source.replace(&salt, &format!("call(order, {})", count + edits))
}

/// Processor seconds of a crate's checks: the least of all rounds, since what else the machine does only adds to them.
#[derive(Clone, Copy)]
struct Seconds {
    clean: f64,
    edited: f64,
}

impl Seconds {
    const NONE: Self = Self {
        clean: f64::INFINITY,
        edited: f64::INFINITY,
    };

    /// One more round.
    fn measure(&mut self, project: &Project, item: &dyn Fn(u32) -> String, round: u32) -> Result<(), String> {
        const CHECK: [&str; 3] = ["check", "--quiet", "--offline"];
        let clean = [("CARGO_INCREMENTAL", "0")];
        project.write("src/lib.rs", &source(item, 2 * round, ITEMS))?;
        self.clean = self.clean.min(project.cargo_with(&CHECK, &clean)?.processor);
        // One check that fills the cache, and one of an edit.
        project.cargo(&CHECK)?;
        project.write("src/lib.rs", &source(item, 2 * round + 1, ITEMS))?;
        self.edited = self.edited.min(project.cargo(&CHECK)?.processor);
        Ok(())
    }
}

fn main() -> Result<(), String> {
    let dependencies = format!(
        "retry-plan = {{ path = {:?} }}\ntokio = {{ version = \"1.54\", features = [\"rt\", \"time\"] }}\nrand = \"0.10\"\n",
        metadata_path("..")
    );
    let contestants: [(&str, &dyn Fn(u32) -> String); 8] = [
        ("by hand", &|item| by_hand(item, false)),
        ("in place", &in_place),
        ("#[retry]", &|item| function(item, false)),
        ("named", &|item| named(item, "2s", false)),
        ("named, with a constant", &|item| named(item, "LIMIT", false)),
        ("by hand, with a predicate", &|item| by_hand(item, true)),
        ("#[retry], with a predicate", &|item| function(item, true)),
        ("named, with a predicate", &|item| named(item, "2s", true)),
    ];
    let project = Project::new(&dependencies, HEAD)?;
    let only = std::env::args().nth(1);
    let parts: Vec<&str> = PARTS.iter().map(|(name, _)| *name).collect();
    println!("\t\t\t\t\t{}", parts.join("\t"));
    let nothing: &dyn Fn(u32) -> String = &|_| String::new();
    let contestants: Vec<_> = contestants
        .into_iter()
        .filter(|(what, _)| only.as_ref().is_none_or(|only| only == what))
        .collect();
    // Round by round, for a machine is faster at one time than at another.
    let mut seconds = vec![Seconds::NONE; contestants.len()];
    let mut empty = Seconds::NONE;
    for round in 0..ROUNDS {
        empty.measure(&project, nothing, round)?;
        for ((_, item), seconds) in contestants.iter().zip(&mut seconds) {
            seconds.measure(&project, item, round)?;
        }
    }
    for ((what, item), Seconds { clean, edited }) in contestants.into_iter().zip(seconds) {
        let millis = (clean - empty.clean) / f64::from(ITEMS) * 1e3;
        let instructions = each(&project, item)?.join("\t");
        println!("{what}\t{clean:.2}\t{edited:.2}\t{millis:.2}\t{instructions}");
    }
    if only.is_some() {
        eprintln!("{}", project.keep().display());
    }
    Ok(())
}
