//! A policy that follows its file.

use std::path::PathBuf;
use std::sync::{PoisonError, RwLock};
use std::time::{Duration, SystemTime};
use std::{fs, io};

use retry_plan::dynamic::{DynPolicy, Loader, Refused};

/// The policy of a file: the last version that planned.
pub(crate) struct Live<T, E> {
    path: PathBuf,
    loader: Loader<T, E>,
    current: RwLock<DynPolicy<T, E>>,
}

/// What became of a new version of the file.
#[derive(Debug)]
pub(crate) enum Change {
    /// It plans, and runs from now on; runs that are out keep theirs.
    Swapped,
    /// It doesn't, and the old one stays.
    Refused(Refused),
    /// It can't be read, and the old one stays.
    Unreadable(io::Error),
}

impl<T, E> Live<T, E> {
    /// Loads the file for the first time.
    ///
    /// # Errors
    ///
    /// Where there is no policy to begin with.
    pub(crate) fn open(
        path: impl Into<PathBuf>,
        loader: Loader<T, E>,
    ) -> Result<Self, Box<dyn std::error::Error>> {
        let path = path.into();
        let policy = loader.text(&fs::read_to_string(&path)?)?;
        Ok(Self {
            path,
            loader,
            current: RwLock::new(policy),
        })
    }

    /// The policy as it is now; a copy, so that nobody waits for a run.
    pub(crate) fn policy(&self) -> DynPolicy<T, E> {
        self.current
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Loads the file again.
    pub(crate) fn reload(&self) -> Change {
        let text = match fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(error) => return Change::Unreadable(error),
        };
        match self.loader.text(&text) {
            Ok(policy) => {
                *self.current.write().unwrap_or_else(PoisonError::into_inner) = policy;
                Change::Swapped
            }
            Err(refused) => Change::Refused(refused),
        }
    }

    /// Looks at the file in this rhythm, loads it when it has changed, and tells what came of it; for as long as it is polled.
    pub(crate) async fn watch(&self, every: Duration, mut told: impl FnMut(Change)) {
        let mut seen = self.stamp();
        let mut rhythm = tokio::time::interval(every);
        loop {
            rhythm.tick().await;
            let now = self.stamp();
            if now != seen {
                seen = now;
                told(self.reload());
            }
        }
    }

    /// Time and length, since a file may change twice within the resolution of its time.
    fn stamp(&self) -> Option<(SystemTime, u64)> {
        let file = fs::metadata(&self.path).ok()?;
        Some((file.modified().ok()?, file.len()))
    }
}
