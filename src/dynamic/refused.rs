//! Why a policy isn't run: every fault of it, each with its place.

use std::error::Error;
use std::fmt;

use retry_planner::{Level, Lint};

/// Where in what was loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// In a text: line and column, both from 1, the column in characters.
    Text {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
    },
    /// In a document: its keys, such as `policy.deadline.retry`, with `[0]` for the first of a list.
    Document(String),
    /// In a tree: the index of the node.
    Tree(usize),
}

impl Place {
    /// Line and column, to sort by.
    pub(super) const fn in_text(&self) -> (usize, usize) {
        match self {
            Self::Text { line, column } => (*line, *column),
            Self::Document(_) | Self::Tree(_) => (0, 0),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text { line, column } => write!(f, "{line}:{column}"),
            Self::Document(path) => f.write_str(path),
            Self::Tree(node) => write!(f, "node {node}"),
        }
    }
}

/// One thing that is wrong, or warned of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub(super) place: Place,
    pub(super) lint: Option<Lint>,
    pub(super) level: Level,
    pub(super) message: String,
}

impl Fault {
    pub(super) fn new(place: Place, message: impl Into<String>) -> Self {
        Self {
            place,
            lint: None,
            level: Level::Deny,
            message: message.into(),
        }
    }

    /// Where.
    #[must_use]
    pub const fn place(&self) -> &Place {
        &self.place
    }

    /// The planner's finding; `None` for what isn't a policy at all.
    #[must_use]
    pub const fn lint(&self) -> Option<Lint> {
        self.lint
    }

    /// `Deny` for what refuses the policy, `Warn` for the rest.
    #[must_use]
    pub const fn level(&self) -> Level {
        self.level
    }

    /// What is wrong, and what would fit, in one or more lines.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = if self.level == Level::Deny {
            "error"
        } else {
            "warning"
        };
        write!(f, "{}: {level}: {}", self.place, self.message)
    }
}

/// A policy that doesn't run: every fault and every finding, in the order of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    faults: Vec<Fault>,
}

impl Refused {
    pub(super) const fn new(faults: Vec<Fault>) -> Self {
        Self { faults }
    }

    /// What is wrong, the warnings included.
    #[must_use]
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, fault) in self.faults.iter().enumerate() {
            if at > 0 {
                f.write_str("\n")?;
            }
            fault.fmt(f)?;
        }
        Ok(())
    }
}

impl Error for Refused {}
