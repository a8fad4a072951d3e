//! The recorded figures, `figures/*.tsv`: what the measuring binaries printed.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// Where the recorded figures lie.
#[must_use]
pub fn path(part: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("figures")
        .join(format!("{part}.tsv"))
}

/// The lines of a part, split at tabs.
///
/// # Errors
///
/// Where the part was never measured.
pub fn lines(part: &str) -> Result<Vec<Vec<String>>, String> {
    let path = path(part);
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(text
        .lines()
        .map(|line| line.split('\t').map(str::to_owned).collect())
        .collect())
}

/// Figures by discipline and contestant.
#[derive(Debug, Default)]
pub struct Figures {
    by_case: BTreeMap<(String, String), Vec<f64>>,
}

impl Figures {
    /// Those of a part whose lines are `DISCIPLINE NAME FIGURE..`.
    ///
    /// # Errors
    ///
    /// Where the part was never measured or isn't of that form.
    pub fn of_part(part: &str) -> Result<Self, String> {
        let mut by_case = BTreeMap::new();
        for line in lines(part)? {
            let [discipline, name, figures @ ..] = line.as_slice() else {
                return Err(format!("{part}: a line without a contestant"));
            };
            let figures = figures
                .iter()
                .map(|figure| {
                    figure
                        .parse()
                        .map_err(|_| format!("{part}: `{figure}` is no number"))
                })
                .collect::<Result<Vec<f64>, _>>()?;
            by_case.insert((discipline.clone(), name.clone()), figures);
        }
        Ok(Self { by_case })
    }

    /// Every figure of a contestant.
    ///
    /// # Errors
    ///
    /// Where there is none.
    pub fn all_of(&self, discipline: &str, name: &str) -> Result<&[f64], String> {
        self.by_case
            .get(&(discipline.to_owned(), name.to_owned()))
            .map(Vec::as_slice)
            .ok_or_else(|| format!("no figure of `{name}` in `{discipline}`: measure again"))
    }

    /// The first figure of a contestant.
    ///
    /// # Errors
    ///
    /// Where there is none.
    pub fn of(&self, discipline: &str, name: &str) -> Result<f64, String> {
        self.all_of(discipline, name)?
            .first()
            .copied()
            .ok_or_else(|| format!("{name}: no figure"))
    }
}

/// The recorded instruction counts.
///
/// # Errors
///
/// As [`Figures::of_part`].
pub fn counts() -> Result<Figures, String> {
    Figures::of_part("counts")
}

/// The compiler of the recorded counts.
///
/// # Errors
///
/// Where nothing was measured.
pub fn compiler() -> Result<String, String> {
    lines("machine")?
        .iter()
        .find_map(|line| match line.as_slice() {
            [key, value] if key == "rustc" => Some(value.clone()),
            _ => None,
        })
        .ok_or_else(|| "machine: no compiler".to_owned())
}
