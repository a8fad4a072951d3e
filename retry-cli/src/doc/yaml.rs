//! YAML 1.2 (core schema) to [`Node`]s, one for each document, with positions and the bounds of [`json`](super::json).

use std::collections::{HashMap, HashSet};

use saphyr_parser::{Event, Marker, Parser, ScalarStyle};

use super::{Entry, MAX_DEPTH, MAX_NODES, Node, Path, Value};
use crate::fault::{Faults, Span};

/// Longer texts are refused.
const MAX_TEXT: usize = 256 << 10;

/// Reads all documents of `text`; equal keys and keys that are no scalars are faults.
pub fn parse(text: &str, faults: &Faults) -> Option<Vec<Node>> {
    // The scanner keeps a whole line of tokens until it knows whether they are a key.
    if text.len() > MAX_TEXT {
        faults.add(
            0..0,
            &"",
            format!("a YAML text of more than {} KiB", MAX_TEXT >> 10),
        );
        return None;
    }
    let mut builder = Builder {
        offsets: text
            .char_indices()
            .map(|(at, _)| at)
            .chain(std::iter::once(text.len()))
            .collect(),
        faults,
        stack: Vec::new(),
        path: Path::default(),
        anchors: HashMap::new(),
        nodes: 0,
        documents: Vec::new(),
    };
    for event in Parser::new_from_str(text) {
        match event {
            Ok((event, span)) => {
                let at = builder.place(&span.start)..builder.place(&span.end);
                builder.event(event, at)?;
            }
            Err(error) => {
                let at = builder.place(error.marker());
                return builder.fail(at..at, format!("no YAML: {}", error.info()));
            }
        }
    }
    Some(builder.documents)
}

struct Builder<'a> {
    offsets: Vec<usize>,
    faults: &'a Faults,
    stack: Vec<Open>,
    path: Path,
    anchors: HashMap<usize, (Node, usize)>,
    nodes: usize,
    documents: Vec<Node>,
}

/// A list or an object that isn't closed yet.
struct Open {
    start: usize,
    anchor: usize,
    nodes_before: usize,
    kind: OpenKind,
}

enum OpenKind {
    Array(Vec<Node>),
    Object {
        entries: Vec<Entry>,
        seen: HashSet<String>,
        key: Option<(String, Span)>,
    },
}

impl Builder<'_> {
    fn place(&self, marker: &Marker) -> usize {
        let last = self.offsets.len() - 1;
        self.offsets[marker.index().min(last)]
    }

    fn fail<T>(&self, at: Span, message: impl Into<String>) -> Option<T> {
        self.faults.add(at, &self.path, message);
        None
    }

    fn event(&mut self, event: Event<'_>, at: Span) -> Option<()> {
        match event {
            Event::Scalar(text, style, anchor, _) => {
                let before = self.nodes;
                let value = if style == ScalarStyle::Plain {
                    plain(&text)
                } else {
                    Value::String(text.into_owned())
                };
                let node = Node { at, value };
                self.grow(1, &node.at)?;
                self.remember(anchor, &node, before)?;
                self.add(node)
            }
            Event::Alias(anchor) => match self.anchors.get(&anchor).cloned() {
                Some((node, size)) => {
                    self.grow(size, &at)?;
                    self.add(Node {
                        at,
                        value: node.value,
                    })
                }
                None => self.fail(at, "the alias has no anchor before it"),
            },
            Event::SequenceStart(anchor, _) => self.open(at, anchor, OpenKind::Array(Vec::new())),
            Event::MappingStart(anchor, _) => self.open(
                at,
                anchor,
                OpenKind::Object {
                    entries: Vec::new(),
                    seen: HashSet::new(),
                    key: None,
                },
            ),
            Event::SequenceEnd | Event::MappingEnd => {
                let open = self.stack.pop()?;
                let value = match open.kind {
                    OpenKind::Array(items) => Value::Array(items),
                    OpenKind::Object { entries, .. } => Value::Object(entries),
                };
                let node = Node {
                    at: open.start..at.end.max(open.start),
                    value,
                };
                self.remember(open.anchor, &node, open.nodes_before)?;
                self.path_end();
                self.add(node)
            }
            _ => Some(()),
        }
    }

    fn grow(&mut self, by: usize, at: &Span) -> Option<()> {
        self.nodes += by;
        if self.nodes > MAX_NODES {
            return self.fail(at.clone(), format!("more than {MAX_NODES} values"));
        }
        Some(())
    }

    /// Keeps a copy of an anchored node; it counts as values too, since it takes their memory.
    fn remember(&mut self, anchor: usize, node: &Node, before: usize) -> Option<()> {
        if anchor > 0 {
            let size = self.nodes - before;
            self.grow(size, &node.at)?;
            self.anchors.insert(anchor, (node.clone(), size));
        }
        Some(())
    }

    fn open(&mut self, at: Span, anchor: usize, kind: OpenKind) -> Option<()> {
        if self.stack.len() >= MAX_DEPTH {
            return self.fail(at, format!("nested more than {MAX_DEPTH} levels deep"));
        }
        let before = self.nodes;
        self.grow(1, &at)?;
        if let Some(Open {
            kind: OpenKind::Object { key: None, .. },
            ..
        }) = self.stack.last()
        {
            return self.fail(at, "a key must be a scalar");
        }
        self.path_start();
        self.stack.push(Open {
            start: at.start,
            anchor,
            nodes_before: before,
            kind,
        });
        Some(())
    }

    fn path_start(&mut self) {
        match self.stack.last().map(|open| &open.kind) {
            Some(OpenKind::Array(items)) => self.path.push_index(items.len()),
            Some(OpenKind::Object {
                key: Some((key, _)), ..
            }) => self.path.push_key(key),
            _ => {}
        }
    }

    fn path_end(&mut self) {
        self.path.pop();
    }

    fn add(&mut self, node: Node) -> Option<()> {
        let path = &self.path;
        match self.stack.last_mut().map(|open| &mut open.kind) {
            None => self.documents.push(node),
            Some(OpenKind::Array(items)) => items.push(node),
            Some(OpenKind::Object { entries, seen, key }) => {
                if let Some((key, key_at)) = key.take() {
                    entries.push(Entry { key, key_at, node });
                } else {
                    let name = match &node.value {
                        Value::String(text) | Value::Number(text) => text.clone(),
                        Value::Null => String::new(),
                        Value::Bool(value) => value.to_string(),
                        _ => return self.fail(node.at, "a key must be a scalar"),
                    };
                    if !seen.insert(name.clone()) {
                        self.faults
                            .add(node.at.clone(), &path.key(&name), "this key is given twice");
                    }
                    *key = Some((name, node.at));
                }
            }
        }
        Some(())
    }
}

/// A plain scalar by the core schema. Numbers that JSON can't write (hexadecimal, `.nan`) stay strings, so that they are
/// refused wherever a number is expected.
fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ if is_json_number(text) => Value::Number(text.to_owned()),
        _ => Value::String(text.to_owned()),
    }
}

fn is_json_number(text: &str) -> bool {
    let first = text.bytes().next();
    matches!(first, Some(b'-' | b'0'..=b'9'))
        && super::json::parse(text, &Faults::default())
            .is_some_and(|node| matches!(node.value, Value::Number(_)) && node.at == (0..text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> (Option<Vec<Node>>, Vec<String>) {
        let faults = Faults::default();
        let nodes = parse(text, &faults);
        (nodes, faults.sentences())
    }

    #[test]
    fn places_are_bytes_of_the_text() {
        let text = "ä: x\nroute:\n  timeout: 2s\n";
        let (nodes, faults) = read(text);
        assert_eq!(faults, [""; 0]);
        let nodes = nodes.unwrap();
        let Value::Object(entries) = &nodes[0].value else {
            panic!()
        };
        let Value::Object(inner) = &entries[1].node.value else {
            panic!()
        };
        assert_eq!(&text[inner[0].key_at.clone()], "timeout");
        assert_eq!(&text[inner[0].node.at.clone()], "2s");
    }

    #[test]
    fn equal_keys_and_broken_text_are_faults_with_a_path() {
        assert_eq!(read("a: {b: 1, b: 2}").1, ["a.b: this key is given twice"]);
        assert!(read("a: [1").1[0].contains("no YAML"));
    }

    #[test]
    fn aliases_are_expanded_within_the_bound() {
        assert_eq!(read("a: &x {b: 1}\nc: *x").1, [""; 0]);
        let mut bomb = String::from("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
        for i in 1..10 {
            let aliases = vec![format!("*a{}", i - 1); 10].join(",");
            bomb = [bomb, format!("a{i}: &a{i} [{aliases}]\n")].concat();
        }
        assert!(read(&bomb).1[0].contains("more than 250000 values"));
    }

    #[test]
    fn deep_nesting_is_refused() {
        assert_eq!(read(&"[".repeat(100_000)).1.len(), 1);
        assert!(read(&"[".repeat(100)).1[0].contains("nested more than 64"));
        assert!(read(&"- ".repeat(1_000)).1[0].contains("nested more than 64"));
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "[-\\[\\]{}:,&*#?|>'\"a-c0-2 \n\t.~!%@]{0,40}") {
            let _ = read(&text);
        }
    }
}
