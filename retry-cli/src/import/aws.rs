//! An AWS config profile: `standard` and `adaptive` make three attempts with full jitter from one second up to twenty, and
//! pay for retries from a quota of 500 tokens, five for each; `legacy` makes five attempts.

use std::time::Duration;

use super::{Draft, Imported};
use crate::chain::findings::Severity;
use crate::chain::model::{Attempts, Budget, Condition, Jitter};
use crate::doc::Path;
use crate::fault::{Faults, Span};

struct Setting {
    value: String,
    at: Span,
}

#[derive(Default)]
struct Profile {
    name: String,
    at: Span,
    mode: Option<Setting>,
    attempts: Option<Setting>,
}

pub(crate) fn read(text: &str, faults: &Faults) -> Vec<Imported> {
    let mut profiles: Vec<Profile> = Vec::new();
    let mut start = 0;
    // `[sso-session x]` and `[services x]` hold no retries.
    let mut other = false;
    for line in text.split_inclusive('\n') {
        let at = start..start + line.trim_end().len();
        start += line.len();
        // An indented line belongs to a nested setting (`s3 =`), which has no retries in it.
        if line.starts_with([' ', '\t']) {
            continue;
        }
        let line = line.trim();
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        if let Some(section) = line.strip_prefix('[') {
            let Some(name) = section.strip_suffix(']') else {
                faults.add(at, &"", "the section has no closing `]`");
                continue;
            };
            let (kind, name) = match name.trim().split_once(char::is_whitespace) {
                Some((kind, name)) => (kind, name.trim()),
                None => ("profile", name.trim()),
            };
            other = kind != "profile";
            if other {
                continue;
            }
            if !is_name(name) {
                faults.add(at, &"", "this is no name of a profile");
                continue;
            }
            if profiles.iter().any(|profile| profile.name == name) {
                faults.add(
                    at.clone(),
                    &Path::default().key(name),
                    "this profile is given twice",
                );
            }
            profiles.push(Profile {
                name: name.to_owned(),
                at,
                ..Profile::default()
            });
            continue;
        }
        if other {
            continue;
        }
        let (Some((key, value)), Some(profile)) = (line.split_once('='), profiles.last_mut()) else {
            faults.add(at, &"", "expected `[profile]` and then `key = value`");
            continue;
        };
        let place = match key.trim() {
            "retry_mode" => &mut profile.mode,
            "max_attempts" => &mut profile.attempts,
            _ => continue,
        };
        if place.is_some() {
            faults.add(
                at.clone(),
                &Path::default().key(&profile.name).key(key.trim()),
                "this key is given twice",
            );
        }
        *place = Some(Setting {
            value: value.trim().to_owned(),
            at,
        });
    }
    profiles
        .iter()
        .filter_map(|profile| layer(profile, faults))
        .collect()
}

fn is_name(name: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || "-_.@+/:%".contains(c);
    !name.is_empty() && name.len() <= 256 && name.chars().all(plain)
}

fn layer(profile: &Profile, faults: &Faults) -> Option<Imported> {
    let path = |key| Path::default().key(&profile.name).key(key);
    let mut draft = Draft::new(profile.name.clone(), profile.at.clone());
    let mode = profile
        .mode
        .as_ref()
        .map_or("standard", |mode| mode.value.as_str());
    let default = match mode {
        "standard" | "adaptive" => 3,
        "legacy" => 5,
        _ => {
            let at = profile
                .mode
                .as_ref()
                .map(|mode| mode.at.clone())
                .unwrap_or_default();
            faults.add(at, &path("retry_mode"), "expected standard, adaptive or legacy");
            return None;
        }
    };
    if profile.mode.is_none() {
        draft.note(
            "VERSION_DEPENDENT",
            Severity::Low,
            None,
            "without retry_mode some SDKs are in legacy mode",
        );
    }
    let attempts = match &profile.attempts {
        None => {
            draft.assume("attempts");
            default
        }
        Some(setting) => match setting.value.parse::<u32>() {
            Ok(count) if count > 0 => count,
            _ => {
                faults.add(
                    setting.at.clone(),
                    &path("max_attempts"),
                    "expected a whole number of at least 1",
                );
                return None;
            }
        },
    };
    draft.layer.attempts = Attempts::Count(attempts);
    draft.layer.base_delay = Duration::from_secs(1);
    draft.layer.max_delay = Some(Duration::from_secs(20));
    draft.layer.jitter = Jitter::Full;
    draft.layer.retry_on = [500, 502, 503, 504].map(Condition::Status).to_vec();
    draft
        .layer
        .retry_on
        .extend(["timeout", "network", "throttling"].map(|word| Condition::Word(word.to_owned())));
    for key in ["base_delay_ms", "max_delay_ms", "jitter", "retry_on"] {
        draft.assume(key);
    }
    if mode != "legacy" {
        // 500 tokens pay for a hundred retries; a first success brings back one token, a fifth of a retry.
        draft.layer.budget = Some(Budget {
            ratio: 0.2,
            burst: 100,
        });
        draft.assume("budget");
    }
    let detail =
        "the profile sets no timeouts: the client's own bound each try, and nothing bounds all of them";
    draft.note("NO_TIMEOUT", Severity::Low, None, detail);
    Some(draft.done())
}
