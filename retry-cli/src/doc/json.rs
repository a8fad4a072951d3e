//! JSON (RFC 8259) to a [`Node`]: strict, with positions, bounded in depth and size.
//!
//! The property tests hold it to `serde_json`: it accepts the same texts (equal keys and the bounds aside) and reads the
//! same values.

use std::collections::HashSet;

use super::{Entry, MAX_DEPTH, MAX_NODES, Node, Path, Value};
use crate::fault::Faults;

/// Reads `text`; every equal key is a fault, and the first break of the grammar ends the reading.
pub fn parse(text: &str, faults: &Faults) -> Option<Node> {
    let start = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let mut parser = Parser {
        text,
        at: start,
        path: Path::default(),
        nodes: 0,
        faults,
    };
    let node = parser.value(0)?;
    parser.skip_space();
    if parser.at < text.len() {
        return parser.fail("expected the end of the text after the value");
    }
    Some(node)
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    path: Path,
    nodes: usize,
    faults: &'a Faults,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn fail<T>(&self, message: impl Into<String>) -> Option<T> {
        self.fail_at(self.at, message)
    }

    fn fail_at<T>(&self, at: usize, message: impl Into<String>) -> Option<T> {
        let end = self.text[at..].chars().next().map_or(at, |c| at + c.len_utf8());
        self.faults.add(at..end, &self.path, message);
        None
    }

    fn value(&mut self, depth: usize) -> Option<Node> {
        self.skip_space();
        self.nodes += 1;
        if depth > MAX_DEPTH {
            return self.fail(format!("nested more than {MAX_DEPTH} levels deep"));
        }
        if self.nodes > MAX_NODES {
            return self.fail(format!("more than {MAX_NODES} values"));
        }
        let start = self.at;
        let value = match self.peek() {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.array(depth)?,
            Some(b'"') => Value::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b't') => self.word("true", Value::Bool(true))?,
            Some(b'f') => self.word("false", Value::Bool(false))?,
            Some(b'n') => self.word("null", Value::Null)?,
            Some(b'N' | b'I' | b'+') => {
                return self.fail("expected a value; NaN and infinities are no JSON numbers");
            }
            Some(_) => return self.fail("expected a JSON value"),
            None => return self.fail("expected a JSON value, found the end of the text"),
        };
        Some(Node {
            at: start..self.at,
            value,
        })
    }

    fn word(&mut self, word: &str, value: Value) -> Option<Value> {
        if self.text[self.at..].starts_with(word) {
            self.at += word.len();
            Some(value)
        } else {
            self.fail("expected a JSON value")
        }
    }

    fn object(&mut self, depth: usize) -> Option<Value> {
        self.at += 1;
        let mut entries = Vec::new();
        let mut seen = HashSet::new();
        self.skip_space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Some(Value::Object(entries));
        }
        loop {
            self.skip_space();
            if self.peek() != Some(b'"') {
                return self.fail("expected a key in double quotes");
            }
            let key_start = self.at;
            let key = self.string()?;
            let key_at = key_start..self.at;
            self.skip_space();
            if self.peek() != Some(b':') {
                return self.fail("expected `:` after the key");
            }
            self.at += 1;
            self.path.push_key(&key);
            if !seen.insert(key.clone()) {
                self.faults
                    .add(key_at.clone(), &self.path, "this key is given twice");
            }
            let node = self.value(depth + 1)?;
            self.path.pop();
            entries.push(Entry { key, key_at, node });
            self.skip_space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Some(Value::Object(entries));
                }
                _ => return self.fail("expected `,` or `}`"),
            }
        }
    }

    fn array(&mut self, depth: usize) -> Option<Value> {
        self.at += 1;
        let mut items = Vec::new();
        self.skip_space();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Some(Value::Array(items));
        }
        loop {
            self.path.push_index(items.len());
            items.push(self.value(depth + 1)?);
            self.path.pop();
            self.skip_space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Some(Value::Array(items));
                }
                _ => return self.fail("expected `,` or `]`"),
            }
        }
    }

    fn number(&mut self) -> Option<Value> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else if self.digits() == 0 {
            return self.fail("expected a digit");
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            if self.digits() == 0 {
                return self.fail("expected a digit after the point");
            }
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            if self.digits() == 0 {
                return self.fail("expected a digit in the exponent");
            }
        }
        if matches!(
            self.peek(),
            Some(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'.')
        ) {
            return self.fail("expected the end of the number");
        }
        Some(Value::Number(self.text[start..self.at].to_owned()))
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        self.at - start
    }

    fn string(&mut self) -> Option<String> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = &self.text[self.at..];
            let plain = rest
                .find(|c: char| c == '"' || c == '\\' || c < ' ')
                .unwrap_or(rest.len());
            out.push_str(&rest[..plain]);
            self.at += plain;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Some(out);
                }
                Some(b'\\') => out.push(self.escape()?),
                Some(_) => return self.fail("a control character must be escaped in a string"),
                None => return self.fail("the string has no closing quote"),
            }
        }
    }

    fn escape(&mut self) -> Option<char> {
        let start = self.at;
        self.at += 1;
        let escaped = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                let first = self.hex()?;
                let code = match first {
                    0xd800..=0xdbff => {
                        if !self.text[self.at..].starts_with("\\u") {
                            return self.fail_at(start, "half a surrogate pair is no character");
                        }
                        self.at += 2;
                        let second = self.hex()?;
                        if !(0xdc00..=0xdfff).contains(&second) {
                            return self.fail_at(start, "half a surrogate pair is no character");
                        }
                        0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)
                    }
                    _ => first,
                };
                return match char::from_u32(code) {
                    Some(c) => Some(c),
                    None => self.fail_at(start, "half a surrogate pair is no character"),
                };
            }
            _ => return self.fail_at(start, "no such escape in JSON"),
        };
        self.at += 1;
        Some(escaped)
    }

    fn hex(&mut self) -> Option<u32> {
        let digits = self.text.as_bytes().get(self.at..self.at + 4);
        let digits = digits.filter(|d| d.iter().all(u8::is_ascii_hexdigit));
        let Some(digits) = digits else {
            return self.fail("expected four hexadecimal digits");
        };
        let code = digits.iter().fold(0, |code, digit| {
            code * 16 + char::from(*digit).to_digit(16).unwrap_or_default()
        });
        self.at += 4;
        Some(code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> (Option<Node>, Vec<String>) {
        let faults = Faults::default();
        let node = parse(text, &faults);
        (node, faults.sentences())
    }

    fn as_serde(node: &Node) -> serde_json::Value {
        match &node.value {
            Value::Null => serde_json::Value::Null,
            Value::Bool(value) => (*value).into(),
            Value::Number(text) => serde_json::from_str(text).unwrap(),
            Value::String(value) => value.clone().into(),
            Value::Array(items) => items.iter().map(as_serde).collect(),
            Value::Object(entries) => entries
                .iter()
                .map(|entry| (entry.key.clone(), as_serde(&entry.node)))
                .collect(),
        }
    }

    #[test]
    fn a_fault_in_a_string_names_the_path_it_is_under() {
        let (node, faults) = read(r#"{"layers":[{"name":"\ud800"}]}"#);
        assert_eq!(node, None);
        assert_eq!(faults, ["layers[0].name: half a surrogate pair is no character"]);
    }

    #[test]
    fn equal_keys_are_a_fault_each() {
        let (node, faults) = read(r#"{"a":1,"a":2,"a":3}"#);
        assert!(node.is_some());
        assert_eq!(
            faults,
            ["a: this key is given twice", "a: this key is given twice"]
        );
    }

    #[test]
    fn deep_nesting_is_refused_before_the_stack_is() {
        let (node, faults) = read(&"[".repeat(1_000_000));
        assert_eq!(node, None);
        assert!(
            faults[0].ends_with("nested more than 64 levels deep"),
            "{faults:?}"
        );
    }

    /// Pieces of JSON, so that most texts are nearly right.
    fn json_like() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"",
            "\"a\"",
            "\"b\"",
            "1",
            "-0",
            "01",
            "1.5",
            "1e3",
            "1e",
            ".",
            "true",
            "false",
            "null",
            "nul",
            "\\u0041",
            "\\ud83d\\ude00",
            "\\udc00",
            "\\n",
            "\\x",
            " ",
            "\n",
            "\u{1}",
            "é",
            "NaN",
        ]);
        prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
    }

    fn value() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(Into::into),
            any::<i64>().prop_map(Into::into),
            (-1e300..1e300f64).prop_map(Into::into),
            ".*".prop_map(Into::into),
        ];
        leaf.prop_recursive(4, 32, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Into::into),
                prop::collection::hash_map(".*", inner, 0..5)
                    .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn it_accepts_what_serde_json_accepts(text in json_like()) {
            let ours = read(&text).0;
            let theirs = serde_json::from_str::<serde_json::Value>(&text);
            prop_assert_eq!(ours.is_some(), theirs.is_ok(), "{:?}: {:?}", text, theirs);
        }

        #[test]
        fn it_reads_what_serde_json_writes(value in value(), pretty in any::<bool>()) {
            let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) };
            let text = text.unwrap();
            let node = read(&text).0.unwrap();
            let theirs: serde_json::Value = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(as_serde(&node), theirs);
        }

        #[test]
        fn no_text_makes_it_panic(text in ".*") {
            let _ = read(&text);
        }
    }
}
