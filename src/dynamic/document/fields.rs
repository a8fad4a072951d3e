//! A tree as a document: the printed text, taken apart, so that values have one spelling.

use retry_planner::{Kind, Policy};
use retry_syntax::text::print;

use super::value::Value;

/// The document of a tree.
pub(super) fn document(policy: &Policy<'_>) -> Value {
    let printed = print(policy);
    let mut rows = Vec::new();
    let mut levels = Vec::new();
    for line in printed.lines().skip(1).map(str::trim) {
        if let Some(level) = line.strip_prefix("#[") {
            levels.push(level.trim_end_matches(']'));
        } else if !line.starts_with('}') {
            rows.push(Row {
                line,
                levels: std::mem::take(&mut levels),
            });
        }
    }
    let name = if policy.name.is_empty() {
        "policy"
    } else {
        policy.name
    };
    Value::Fields(vec![
        ("version".to_owned(), Value::Number("1".to_owned())),
        ("name".to_owned(), Value::Text(name.to_owned())),
        ("policy".to_owned(), Value::Fields(vec![node(policy, &rows, 0)])),
    ])
}

/// A node as it is printed, with the attributes above it.
struct Row<'p> {
    line: &'p str,
    levels: Vec<&'p str>,
}

/// The field that a node is.
fn node(policy: &Policy<'_>, rows: &[Row<'_>], at: usize) -> (String, Value) {
    let own = &policy.nodes[at];
    let head = rows[at].line.trim_end_matches(" {").trim_end_matches(',');
    let head = if own.name.is_empty() {
        head
    } else {
        &head[own.name.len() + 2..]
    };
    let (word, arguments) = match head.split_once('(') {
        Some((word, rest)) => (word, split(&rest[..rest.len() - 1])),
        None => (head, Vec::new()),
    };
    if let Kind::Call(_) = own.kind {
        return (word.to_owned(), Value::Text(arguments.join(", ")));
    }
    let mut fields: Vec<(String, Value)> = arguments
        .into_iter()
        .map(|argument| match (own.kind, argument.split_once(" = ")) {
            (Kind::Allowance(_), Some((budget, _))) => ("budget".to_owned(), Value::Text(budget.to_owned())),
            (_, Some((name, value))) => (name.to_owned(), scalar(value)),
            (_, None) if argument == "idempotency_key" => (argument.to_owned(), Value::Truth(true)),
            (_, None) => ("time".to_owned(), Value::Text(argument.to_owned())),
        })
        .collect();
    if let Kind::Allowance(allowance) = own.kind {
        fields.push(("limit".to_owned(), Value::Number(allowance.limit.hi.to_string())));
    }
    for level in &rows[at].levels {
        if let Some((level, findings)) = level.trim_end_matches(')').split_once('(') {
            let findings = findings
                .split(", ")
                .map(|finding| Value::Text(finding.to_owned()));
            fields.push((level.to_owned(), Value::List(findings.collect())));
        }
    }
    let mut children = Vec::new();
    let mut child = at + 1;
    while child < at + own.size {
        children.push((policy.nodes[child].name, node(policy, rows, child)));
        child += policy.nodes[child].size;
    }
    if matches!(
        own.kind,
        Kind::Series | Kind::Parallel | Kind::Fallback | Kind::Race
    ) {
        let named = |(name, child): (&str, (String, Value))| {
            Value::Fields(vec![("name".to_owned(), Value::Text(name.to_owned())), child])
        };
        let children = Value::List(children.into_iter().map(named).collect());
        if fields.is_empty() {
            return (word.to_owned(), children);
        }
        fields.push(("of".to_owned(), children));
    } else {
        fields.extend(children.into_iter().map(|(_, child)| child));
    }
    (word.to_owned(), Value::Fields(fields))
}

fn scalar(text: &str) -> Value {
    match text {
        "true" | "false" => Value::Truth(text == "true"),
        _ if text.parse::<u64>().is_ok() => Value::Number(text.to_owned()),
        _ => Value::Text(text.to_owned()),
    }
}

/// Parts between the commas that are in no bracket.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut from) = (Vec::new(), 0_usize, 0);
    for (at, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[from..].trim());
    parts
}
