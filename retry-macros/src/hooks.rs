//! Hooks that look at errors and values, where nobody says of which type.

use proc_macro2::{TokenStream, TokenTree};
use retry_syntax::ast::{NamedPolicy, Node, NodeKind, Retry};
use retry_syntax::{Diagnostic, Errors};

/// A named policy's error is what its caller's operation fails with, so a hook knows it only by `type Error`; and its value
/// is what that operation brings, which no hook of the policy can know.
///
/// The hook is taken away, for it would bring errors of its own.
pub(crate) fn of_unknown_types(policy: &mut NamedPolicy, errors: &mut Errors) {
    let (name, typed) = (policy.ident.to_string(), policy.head.error.is_some());
    visit(&mut policy.root, &name, typed, errors);
}

fn visit(node: &mut Node, name: &str, typed: bool, errors: &mut Errors) {
    if let NodeKind::Retry(Retry {
        when,
        until,
        retry_after,
        ..
    }) = &mut node.kind
    {
        for (word, hook) in [("when", when), ("until", until), ("retry_after", retry_after)] {
            let value = word == "until";
            if (typed && !value) || !hook.as_ref().is_some_and(looks) {
                continue;
            }
            *hook = None;
            let at = node.words.iter().find(|written| *written == word);
            let at = at.unwrap_or(&node.keyword).span();
            errors.push(if value {
                let text = format!(
                    "`until` looks at values, and `{name}` can't know of which type: each run has its own"
                );
                Diagnostic::new(at, text).help("write the policy in place, or on a function")
            } else {
                let text = format!("`{word}` looks at errors, and `{name}` doesn't say of which type");
                Diagnostic::new(at, text).help(format!("write `type Error = …;` before the tree of `{name}`"))
            });
        }
    }
    for child in node.kind.children_mut() {
        visit(child, name, typed, errors);
    }
}

/// Whether a hook is more than a closure that ignores its argument.
fn looks(hook: &TokenStream) -> bool {
    let words: Vec<String> = hook
        .clone()
        .into_iter()
        .skip_while(|token| matches!(token, TokenTree::Ident(word) if word == "async" || word == "move"))
        .take(3)
        .map(|token| token.to_string())
        .collect();
    words != ["|", "_", "|"]
}
