//! A document as policy text, each value on a line of its own, so that a line says which field it came from.
//!
//! The grammar then has one reader: what is unknown, missing or wrong in a document is answered by it, as in a text. Nothing in
//! a value can reach beyond it, since a value with a bracket, a comma or a brace of its own is refused here.

use retry_syntax::words::{self, NODES};

use super::super::refused::{Fault, Place};
use super::value::Value;

/// The one version that there is.
const VERSION: &str = "1";

const TOP: [&str; 4] = ["version", "name", "policy", "policies"];
const LEVELS: [&str; 4] = ["allow", "warn", "deny", "expect"];

/// A document as text.
pub(super) struct Written {
    pub(super) text: String,
    /// The policy to run; the others are there to be called.
    pub(super) name: String,
    /// The field of each line.
    pub(super) paths: Vec<String>,
}

/// Writes a document as text.
pub(super) fn written(document: &Value) -> Result<Written, Vec<Fault>> {
    let mut lines = Lines::default();
    let name = lines.document(document);
    if lines.faults.is_empty() {
        Ok(Written {
            text: lines.text,
            name,
            paths: lines.paths,
        })
    } else {
        Err(lines.faults)
    }
}

#[derive(Default)]
struct Lines {
    text: String,
    paths: Vec<String>,
    faults: Vec<Fault>,
}

type Fields = [(String, Value)];

impl Lines {
    fn fault(&mut self, path: &str, message: impl Into<String>) {
        let place = Place::Document(if path.is_empty() { "document" } else { path }.to_owned());
        self.faults.push(Fault::new(place, message));
    }

    fn line(&mut self, path: &str, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
        self.paths.push(path.to_owned());
    }

    /// Returns the policy's name.
    fn document(&mut self, document: &Value) -> String {
        let Value::Fields(fields) = document else {
            self.fault(
                "",
                format!("a policy document has fields, found {}", document.kind()),
            );
            return String::new();
        };
        self.known(fields, "", &TOP);
        match field(fields, "version").map(|version| (version, version.scalar())) {
            None => self.fault(
                "version",
                format!("the version is missing\n  help: write `version: {VERSION}`"),
            ),
            Some((_, Some(version))) if version == VERSION => {}
            Some((other, version)) => {
                let found = version.unwrap_or_else(|| other.kind().to_owned());
                self.fault(
                    "version",
                    format!("version {found} isn't known here, only {VERSION} is"),
                );
            }
        }
        let name = match field(fields, "name") {
            None => "policy".to_owned(),
            Some(name) => self.word("name", name),
        };
        match field(fields, "policy") {
            None => self.fault("policy", "the policy is missing"),
            Some(policy) => self.policy(&name, policy, "policy"),
        }
        match field(fields, "policies") {
            None | Some(Value::Nothing) => {}
            Some(Value::Fields(policies)) => {
                for (name, policy) in policies {
                    let path = format!("policies.{name}");
                    let name = self.word(&path, &Value::Text(name.clone()));
                    self.policy(&name, policy, &path);
                }
            }
            Some(other) => self.fault(
                "policies",
                format!("policies go by their names, found {}", other.kind()),
            ),
        }
        name
    }

    fn policy(&mut self, name: &str, policy: &Value, path: &str) {
        self.line(path, &format!("struct {name} {{"));
        self.entry(policy, path, false);
        self.line(path, "}");
    }

    /// Faults for fields that nobody knows, and for those that are there twice.
    fn known(&mut self, fields: &Fields, path: &str, known: &[&str]) {
        for (at, (name, _)) in fields.iter().enumerate() {
            let own = join(path, name);
            if !known.contains(&name.as_str()) {
                let near = words::nearest(name, known.iter().copied());
                let help = near.map(|near| format!("\n  help: did you mean `{near}`?"));
                self.fault(
                    &own,
                    format!("unknown field `{name}`{}", help.unwrap_or_default()),
                );
            }
            self.once(fields, at, &own);
        }
    }

    fn once(&mut self, fields: &Fields, at: usize, path: &str) {
        if fields[..at].iter().any(|(before, _)| *before == fields[at].0) {
            self.fault(path, "this field is there twice");
        }
    }

    /// One node, which is the field of its word.
    fn entry(&mut self, entry: &Value, path: &str, named: bool) {
        let Value::Fields(fields) = entry else {
            self.fault(path, format!("expected a node, found {}", entry.kind()));
            return;
        };
        let around: &[&str] = if named { &["name"] } else { &[] };
        self.known(fields, path, &[&NODES[..], around].concat());
        if named {
            match field(fields, "name") {
                None => self.fault(path, "a step or branch needs a `name`"),
                Some(name) => {
                    let own = join(path, "name");
                    let name = self.word(&own, name);
                    self.levels_of(fields, path);
                    self.line(&own, &format!("{name}:"));
                }
            }
        } else {
            self.levels_of(fields, path);
        }
        self.only_node(fields, path);
    }

    /// The levels of the node that these fields hold.
    fn levels_of(&mut self, fields: &Fields, path: &str) {
        let mut nodes = fields.iter().filter(|(name, _)| NODES.contains(&name.as_str()));
        if let (Some((word, Value::Fields(inside))), None) = (nodes.next(), nodes.next()) {
            let path = join(path, word);
            for level in LEVELS {
                if let Some(value) = field(inside, level) {
                    self.level(level, value, &join(&path, level));
                }
            }
        }
    }

    fn level(&mut self, level: &str, value: &Value, path: &str) {
        let findings = match value {
            Value::List(all) => all.clone(),
            one => vec![one.clone()],
        };
        let words: Vec<String> = findings.iter().map(|finding| self.word(path, finding)).collect();
        self.line(path, &format!("#[{level}({})]", words.join(", ")));
    }

    /// The one field that is a node.
    fn only_node(&mut self, fields: &Fields, path: &str) {
        let nodes: Vec<_> = fields
            .iter()
            .filter(|(name, _)| NODES.contains(&name.as_str()))
            .collect();
        match nodes[..] {
            [(word, value)] => self.node(word, value, &join(path, word)),
            [] => self.fault(
                path,
                format!("a node is missing, one of {}", listed(NODES.iter().copied())),
            ),
            [..] => {
                let all = listed(nodes.iter().map(|(name, _)| name.as_str()));
                self.fault(path, format!("one node, not several: {all}\n  help: put them into a `series`, `parallel`, `fallback` or `race`"));
            }
        }
    }

    fn node(&mut self, word: &str, value: &Value, path: &str) {
        match (word, value) {
            ("series" | "parallel" | "fallback" | "race", _) => self.composition(word, value, path),
            ("call", _) => {
                let callee = self.value(path, value);
                self.line(path, &format!("call({callee})"));
            }
            ("attempt", Value::Nothing) => self.line(path, "attempt"),
            ("attempt", Value::Fields(fields)) => self.arguments(word, fields, path),
            ("attempt", bound) => {
                let bound = self.value(path, bound);
                self.line(path, &format!("attempt({bound})"));
            }
            (_, Value::Fields(fields)) => {
                self.arguments(word, fields, path);
                self.line(path, "{");
                self.levels_of(fields, path);
                self.only_node(fields, path);
                self.line(path, "}");
            }
            (_, other) => self.fault(path, format!("`{word}` has fields, found {}", other.kind())),
        }
    }

    fn composition(&mut self, word: &str, value: &Value, path: &str) {
        let children = match value {
            Value::List(children) => children,
            Value::Fields(fields) => {
                self.known(fields, path, &[&["of"], &LEVELS[..]].concat());
                match field(fields, "of") {
                    Some(Value::List(children)) => children,
                    _ => {
                        return self.fault(
                            path,
                            format!("the list of what is in this `{word}` is missing: `of`"),
                        );
                    }
                }
            }
            other => {
                return self.fault(
                    path,
                    format!("`{word}` is a list of nodes, found {}", other.kind()),
                );
            }
        };
        self.line(path, &format!("{word} {{"));
        for (at, child) in children.iter().enumerate() {
            let own = format!("{path}[{at}]");
            self.entry(child, &own, true);
            self.line(&own, ",");
        }
        self.line(path, "}");
    }

    /// The node's word and its arguments, each on a line.
    fn arguments(&mut self, word: &str, fields: &Fields, path: &str) {
        let given: Vec<(usize, &(String, Value))> = fields
            .iter()
            .enumerate()
            .filter(|(_, (name, _))| !NODES.contains(&name.as_str()) && !LEVELS.contains(&name.as_str()))
            .collect();
        for (at, (name, _)) in fields.iter().enumerate() {
            self.once(fields, at, &join(path, name));
        }
        if word == "allowance" {
            return self.allowance(fields, path);
        }
        if given.is_empty() && word == "attempt" {
            return self.line(path, word);
        }
        self.line(path, &format!("{word}("));
        let place = |name: &str| usize::from(name != "time");
        let mut ordered = given;
        ordered.sort_by_key(|(_, (name, _))| place(name));
        for (_, (name, value)) in ordered {
            let own = join(path, name);
            if !is_word(name) {
                self.fault(&own, format!("unknown field `{name}`"));
            } else if name == "time" && matches!(word, "attempt" | "timeout" | "deadline") {
                let value = self.value(&own, value);
                self.line(&own, &format!("{value},"));
            } else if let (Value::Truth(wanted), "idempotency_key") = (value, name.as_str()) {
                if *wanted {
                    self.line(&own, "idempotency_key,");
                }
            } else {
                let value = self.value(&own, value);
                self.line(&own, &format!("{name} = {value},"));
            }
        }
        self.line(path, ")");
    }

    fn allowance(&mut self, fields: &Fields, path: &str) {
        self.known(
            fields,
            path,
            &[&["budget", "limit"], &NODES[..], &LEVELS].concat(),
        );
        let (Some(budget), Some(limit)) = (field(fields, "budget"), field(fields, "limit")) else {
            return self.fault(path, "an `allowance` needs `budget` and `limit`");
        };
        let budget = self.value(&join(path, "budget"), budget);
        let limit = self.value(&join(path, "limit"), limit);
        self.line(path, "allowance(");
        self.line(&join(path, "budget"), &format!("{budget} ="));
        self.line(&join(path, "limit"), &limit);
        self.line(path, ")");
    }

    /// A name.
    fn word(&mut self, path: &str, value: &Value) -> String {
        match value {
            Value::Text(text) if is_word(text) => text.clone(),
            Value::Text(text) => {
                self.fault(path, format!("`{text}` is no name: letters, digits and `_` are"));
                "unnamed".to_owned()
            }
            other => {
                self.fault(path, format!("expected a name, found {}", other.kind()));
                "unnamed".to_owned()
            }
        }
    }

    /// A value of the language, which can't end before its line does.
    fn value(&mut self, path: &str, value: &Value) -> String {
        let Some(text) = value.scalar() else {
            self.fault(
                path,
                format!("expected a text or a number, found {}", value.kind()),
            );
            return String::new();
        };
        if is_closed(&text) {
            text
        } else {
            self.fault(path, format!("`{text}` is no value of the language"));
            String::new()
        }
    }
}

/// Whether a text is one value: no quotes, braces or comments, and every bracket and comma inside of it.
fn is_closed(text: &str) -> bool {
    let mut depth = 0_usize;
    for character in text.chars() {
        match character {
            '(' => depth += 1,
            ')' | ',' if depth == 0 => return false,
            ')' => depth -= 1,
            ' ' | '.' | ',' | '=' | '_' | ':' | 'µ' => {}
            other if other.is_ascii_alphanumeric() => {}
            _ => return false,
        }
    }
    depth == 0 && !text.trim().is_empty()
}

fn is_word(text: &str) -> bool {
    let letters = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.chars().all(letters) && text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

fn field<'v>(fields: &'v Fields, name: &str) -> Option<&'v Value> {
    fields.iter().find(|(own, _)| own == name).map(|(_, value)| value)
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}

fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let quoted: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}
