//! Hooks that look at errors, where nobody says of which type.

use proc_macro2::{TokenStream, TokenTree};
use retry_syntax::ast::{NamedPolicy, Node, NodeKind, Retry};
use retry_syntax::{Diagnostic, Errors};

/// A named policy's error is what its caller's operation fails with, so a hook knows it only by `type Error`.
///
/// The hook is taken away, for it would bring errors of its own.
pub(crate) fn of_an_unknown_error(policy: &mut NamedPolicy, errors: &mut Errors) {
    if policy.head.error.is_none() {
        let name = policy.ident.to_string();
        visit(&mut policy.root, &name, errors);
    }
}

fn visit(node: &mut Node, name: &str, errors: &mut Errors) {
    if let NodeKind::Retry(Retry {
        when, retry_after, ..
    }) = &mut node.kind
    {
        for (word, hook) in [("when", when), ("retry_after", retry_after)] {
            if !hook.as_ref().is_some_and(looks) {
                continue;
            }
            *hook = None;
            let at = node
                .words
                .iter()
                .find(|written| *written == word)
                .unwrap_or(&node.keyword);
            errors.push(
                Diagnostic::new(
                    at.span(),
                    format!("`{word}` looks at errors, and `{name}` doesn't say of which type"),
                )
                .help(format!("write `type Error = …;` before the tree of `{name}`")),
            );
        }
    }
    for child in node.kind.children_mut() {
        visit(child, name, errors);
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
