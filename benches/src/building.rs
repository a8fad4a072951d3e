//! Throw-away projects, built to see what compiling costs.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

/// What a command took.
#[derive(Clone, Copy, Debug)]
pub struct Spent {
    /// Processor seconds, over all processes.
    pub processor: f64,
    /// Seconds on the wall.
    pub wall: f64,
}

/// A library crate in a folder of its own, removed when dropped.
pub struct Project {
    folder: PathBuf,
}

/// A path relative to this package's folder, absolute.
#[must_use]
pub fn metadata_path(relative: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(relative);
    path.canonicalize().unwrap_or(path).display().to_string()
}

impl Project {
    /// A crate with these dependency lines and this source.
    ///
    /// # Errors
    ///
    /// Where the file system refuses or the dependencies can't be resolved.
    pub fn new(dependencies: &str, source: &str) -> Result<Self, String> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!(
            "retry-bench-{}-{}",
            std::process::id(),
            NEXT.fetch_add(1, Ordering::Relaxed)
        );
        let folder = std::env::temp_dir().join(name);
        let project = Self { folder };
        std::fs::create_dir_all(project.folder.join("src")).map_err(|error| error.to_string())?;
        let manifest = format!(
            "[package]\nname = \"probe\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n{dependencies}"
        );
        project.write("Cargo.toml", &manifest)?;
        project.write("src/lib.rs", source)?;
        project.cargo(&["fetch", "--quiet"])?;
        Ok(project)
    }

    /// Writes a file of the project.
    ///
    /// # Errors
    ///
    /// Where the file system refuses.
    pub fn write(&self, file: &str, text: &str) -> Result<(), String> {
        std::fs::write(self.folder.join(file), text).map_err(|error| format!("{file}: {error}"))
    }

    /// Runs cargo in the project, with a target folder of the project's own.
    ///
    /// # Errors
    ///
    /// What cargo said, where it failed.
    pub fn cargo(&self, arguments: &[&str]) -> Result<Spent, String> {
        self.cargo_with(arguments, &[])
    }

    /// As [`cargo`](Self::cargo), with variables of the environment set.
    ///
    /// # Errors
    ///
    /// What cargo said, where it failed.
    pub fn cargo_with(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Result<Spent, String> {
        let before = children_processor_seconds();
        let start = Instant::now();
        let output = Command::new("cargo")
            .args(arguments)
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", self.folder.join("target"))
            .envs(variables.iter().copied())
            .stdin(Stdio::null())
            .output()
            .map_err(|error| error.to_string())?;
        let wall = start.elapsed().as_secs_f64();
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        Ok(Spent {
            processor: children_processor_seconds() - before,
            wall,
        })
    }

    /// The instructions of a check of the project's own crate, in millions, by the function that they stand in; `None` where
    /// valgrind is missing.
    ///
    /// # Errors
    ///
    /// Where the check fails.
    pub fn check_instructions(&self) -> Result<Option<Vec<(String, f64)>>, String> {
        if Command::new("valgrind").arg("--version").output().is_err() {
            return Ok(None);
        }
        let sysroot = Command::new("rustc")
            .args(["--print", "sysroot"])
            .current_dir(&self.folder)
            .output()
            .map_err(|error| error.to_string())?;
        let sysroot = String::from_utf8_lossy(&sysroot.stdout).trim().to_owned();
        let counts = self.folder.join("instructions");
        // In place of the compiler, for this crate alone; cargo names the compiler first.
        let wrapper = format!(
            "#!/bin/sh\nshift\nexec valgrind --quiet --tool=cachegrind --cache-sim=no --cachegrind-out-file='{}' '{sysroot}/bin/rustc' \"$@\"\n",
            counts.display()
        );
        self.write("counted", &wrapper)?;
        let path = self.folder.join("counted");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755))
            .map_err(|error| error.to_string())?;
        let variables = [
            ("RUSTC_WORKSPACE_WRAPPER", path.to_str().unwrap_or_default()),
            ("CARGO_INCREMENTAL", "0"),
        ];
        self.cargo_with(&["check", "--quiet", "--offline"], &variables)?;
        let text = std::fs::read_to_string(&counts).map_err(|error| error.to_string())?;
        let mut function = String::new();
        let mut all = std::collections::HashMap::<String, f64>::new();
        for line in text.lines() {
            if let Some(name) = line.strip_prefix("fn=") {
                name.clone_into(&mut function);
            } else if line.starts_with(|first: char| first.is_ascii_digit())
                && let Some((_, count)) = line.split_once(' ')
            {
                let count = count.parse::<f64>().unwrap_or_default() / 1e6;
                *all.entry(function.clone()).or_default() += count;
            }
        }
        Ok(Some(all.into_iter().collect()))
    }

    /// Leaves the folder where it is, for a closer look.
    #[must_use]
    pub fn keep(mut self) -> PathBuf {
        std::mem::take(&mut self.folder)
    }

    /// Builds everything anew.
    ///
    /// # Errors
    ///
    /// As [`cargo`](Self::cargo).
    pub fn clean_build(&self) -> Result<Spent, String> {
        drop(std::fs::remove_dir_all(self.folder.join("target")));
        self.cargo(&["build", "--quiet", "--offline"])
    }

    /// How many crates the project compiles, itself left out.
    ///
    /// # Errors
    ///
    /// Where cargo can't say.
    pub fn crates(&self) -> Result<usize, String> {
        let output = Command::new("cargo")
            .args(["tree", "--offline", "--prefix", "none", "--edges", "normal,build"])
            .current_dir(&self.folder)
            .output()
            .map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut names: Vec<&str> = text.lines().map(|line| line.trim_end_matches(" (*)")).collect();
        names.sort_unstable();
        names.dedup();
        Ok(names.len() - 1)
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        if self.folder.as_os_str().is_empty() {
            return;
        }
        drop(std::fs::remove_dir_all(&self.folder));
    }
}

/// The processor seconds of all children that ended, from Linux's accounting in hundredths.
fn children_processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    // Fields 16 and 17 of proc(5): user and system time of children, counted from the field after the name, the third.
    after_name
        .split_whitespace()
        .skip(13)
        .take(2)
        .filter_map(|field| field.parse::<f64>().ok())
        .sum::<f64>()
        / 100.0
}
