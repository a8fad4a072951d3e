//! Configuration text as a tree that remembers where each part stood.
//!
//! `serde_json` and the YAML crates for serde drop positions, keep one of two equal keys and turn numbers into floats;
//! here every fault has its path and its place, equal keys are a fault, and numbers keep their digits. [`json`] and
//! [`yaml`] read text into one [`Node`]; [`fields`] takes typed values out of it and reports everything that is wrong.

pub mod decimal;
pub mod fields;
pub mod json;
pub mod yaml;

use std::fmt;

pub use crate::fault::Span;

/// Deeper nesting is refused; a real configuration needs a handful of levels.
pub const MAX_DEPTH: usize = 64;

/// More values than this are refused, so that memory stays bounded whatever the text holds.
pub const MAX_NODES: usize = 250_000;

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its place in the text.
    pub at: Span,
    /// What it is.
    pub value: Value,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as written; always in JSON's grammar.
    Number(String),
    /// A string, unescaped.
    String(String),
    /// A list.
    Array(Vec<Node>),
    /// Keys and values, in order.
    Object(Vec<Entry>),
}

/// A key with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key, unescaped.
    pub key: String,
    /// Where the key stands.
    pub key_at: Span,
    /// The value.
    pub node: Node,
}

impl Value {
    /// What it is called in messages.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::String(_) => "a string",
            Self::Array(_) => "a list",
            Self::Object(_) => "an object",
        }
    }
}

/// The way from the root to a value, as `layers[0].attempts`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path(Vec<Step>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Key(String),
    Index(usize),
}

impl Path {
    /// The path of the value under `key`.
    #[must_use]
    pub fn key(&self, key: &str) -> Self {
        let mut path = self.clone();
        path.push_key(key);
        path
    }

    /// The path of the item at `index`.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        let mut path = self.clone();
        path.push_index(index);
        path
    }

    pub(crate) fn push_key(&mut self, key: &str) {
        self.0.push(Step::Key(key.to_owned()));
    }

    pub(crate) fn push_index(&mut self, index: usize) {
        self.0.push(Step::Index(index));
    }

    pub(crate) fn pop(&mut self) {
        self.0.pop();
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("the top level");
        }
        for (i, step) in self.0.iter().enumerate() {
            match step {
                Step::Index(index) => write!(f, "[{index}]")?,
                Step::Key(key) => {
                    let plain = !key.is_empty() && key.len() <= 64 && key.bytes().all(is_plain);
                    if plain {
                        write!(f, "{}{key}", if i == 0 { "" } else { "." })?;
                    } else {
                        let short: String = key.chars().take(64).collect();
                        write!(f, "[{short:?}]")?;
                    }
                }
            }
        }
        Ok(())
    }
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-' || byte == b'@'
}
