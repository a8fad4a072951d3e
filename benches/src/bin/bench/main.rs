//! What measures and prints, one part after another: `bench PART`.
//!
//! One binary, since each is optimised across all crates and takes a minute to link. What counts allocations is
//! `weigh`, since its allocator would cost the others instructions.

mod clock;
mod contend;
mod counts;
mod gate;
mod layout;
mod machine;
mod profile;
mod report;
mod run;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (part, rest) = arguments
        .split_first()
        .map_or(("", &[][..]), |(part, rest)| (part.as_str(), rest));
    let ended = match part {
        "machine" => {
            machine::print();
            Ok(true)
        }
        "counts" => counts::print().map(|()| true),
        "clock" => {
            clock::print();
            Ok(true)
        }
        "contend" => {
            contend::print();
            Ok(true)
        }
        "profile" => profile::print().map(|()| true),
        "layout" => layout::print().map(|()| true),
        "report" => report::print().map(|()| true),
        "gate" => gate::judge(),
        "run" => {
            run::cases(rest);
            Ok(true)
        }
        other => Err(format!("no part is called `{other}`")),
    };
    match ended {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{part}: {error}");
            ExitCode::FAILURE
        }
    }
}
