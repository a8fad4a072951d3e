//! Prints what the figures were taken with: `WHAT VERSION`, tab-separated.

use retry_bench::measure;

pub(super) fn print() {
    println!("rustc\t{}", measure::compiler());
    println!("valgrind\t{}", measure::first_line("valgrind", "--version"));
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpuinfo
        .lines()
        .find_map(|line| line.strip_prefix("model name"))
        .unwrap_or(": unknown");
    println!(
        "processor\t{} × {processors}",
        model.trim_start_matches([' ', '\t', ':'])
    );
    println!("bytes of tokio's Sleep\t{}", size_of::<tokio::time::Sleep>());
    let lock = include_str!("../../../Cargo.lock");
    for name in [
        "tokio",
        "backon",
        "tokio-retry",
        "tokio-retry2",
        "tryhard",
        "tower",
    ] {
        let version = lock
            .split("[[package]]")
            .find(|package| package.contains(&format!("\nname = \"{name}\"\n")))
            .and_then(|package| package.split("version = \"").nth(1)?.split('"').next())
            .unwrap_or("?");
        println!("{name}\t{version}");
    }
}
