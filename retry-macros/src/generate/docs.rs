//! The plan of a policy in its documentation.

use proc_macro2::TokenStream;
use quote::quote;
use retry_syntax::ast::{FnPolicy, RetryArgs};

use crate::judge::Judged;

/// The plan as a section below what the user wrote.
pub(super) fn policy(judged: &Judged) -> TokenStream {
    judged.docs().as_deref().map(section).unwrap_or_default()
}

/// The plan of a function: its figures where they are known now, else its policy as it is `written`; and what it calls.
pub(super) fn function(args: &RetryArgs, judged: Option<&Judged>, written: &str) -> TokenStream {
    let mut text = match (&args.policy, judged.and_then(Judged::docs)) {
        (FnPolicy::Named(policy), _) => format!("# Plan\n\nThat of `{}`.", path(policy)),
        (FnPolicy::Tree(_), Some(docs)) => docs,
        (FnPolicy::Tree(_), None) if judged.is_some_and(|judged| judged.open) => {
            format!("# Plan\n\nIts figures hang on constants.\n\n```text\n{written}\n```")
        }
        // A policy with faults has no plan.
        (FnPolicy::Tree(_), None) => return TokenStream::new(),
    };
    if !args.calls.is_empty() {
        let calls: Vec<String> = args
            .calls
            .iter()
            .map(|call| format!("`{}`", path(call)))
            .collect();
        text.push_str("\n\nEach of its calls may make those of ");
        text.push_str(&calls.join(" and "));
        text.push('.');
    }
    if let Some(export) = &args.export
        && (!args.calls.is_empty() || judged.is_some_and(|judged| judged.open))
    {
        text.push_str("\n\nIn figures: `");
        text.push_str(&export.to_string());
        text.push_str("`.");
    }
    section(&text)
}

fn section(text: &str) -> TokenStream {
    let lines = text.lines().map(|line| {
        if line.is_empty() {
            String::new()
        } else {
            format!(" {line}")
        }
    });
    quote!(#[doc = ""] #(#[doc = #lines])*)
}

fn path(tokens: &TokenStream) -> String {
    tokens.to_string().replace(' ', "")
}

#[cfg(test)]
mod tests {
    use proc_macro2::TokenStream;

    use crate::expand;

    /// The lines of documentation of a function with this policy.
    fn documentation(policy: &str) -> String {
        let tokens = |text: &str| -> TokenStream { text.parse().expect("is made of tokens") };
        let function = tokens("/// Charges.\npub async fn charge() -> Result<u32, Error> { Ok(7) }");
        let expanded = expand::function(tokens(policy), function);
        let file: syn::File = syn::parse2(expanded).expect("what is generated is Rust");
        let Some(syn::Item::Fn(function)) = file.items.iter().find(|item| matches!(item, syn::Item::Fn(_)))
        else {
            panic!("the function is there");
        };
        let lines = function.attrs.iter().filter_map(|attribute| {
            let syn::Meta::NameValue(line) = &attribute.meta else {
                return None;
            };
            match &line.value {
                syn::Expr::Lit(syn::ExprLit {
                    lit: syn::Lit::Str(text),
                    ..
                }) => Some(text.value().trim().to_owned()),
                _ => None,
            }
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_plan_that_is_known_is_shown_in_figures() {
        assert_eq!(
            documentation("attempts = 2, attempt = 500ms, export = CHARGE_PLAN"),
            "Charges.\n\n# Plan\n\n```text\nbest 0 ms, worst 1.1 s, calls 2\n\
             attempt 1        0 ms ..    500 ms\nattempt 2      600 ms ..   1100 ms\n```"
        );
    }

    #[test]
    fn a_plan_that_hangs_on_constants_is_shown_as_it_is_written() {
        assert_eq!(
            documentation("attempts = TRIES, attempt = 500ms, export = CHARGE_PLAN"),
            "Charges.\n\n# Plan\n\nIts figures hang on constants.\n\n\
             ```text\nattempts = TRIES, attempt = 500ms, export = CHARGE_PLAN\n```\n\nIn figures: `CHARGE_PLAN`."
        );
    }

    #[test]
    fn what_a_function_calls_is_told_beside_its_own_plan() {
        let text = documentation("attempts = 2, attempt = 5s, calls(pay::ORDER_PLAN, Refund)");
        assert!(text.contains("worst 10.1 s, calls 2"), "{text}");
        assert!(
            text.ends_with("Each of its calls may make those of `pay::ORDER_PLAN` and `Refund`."),
            "{text}"
        );
    }

    #[test]
    fn the_plan_of_a_named_policy_is_told_by_its_name() {
        assert_eq!(
            documentation("pay::Often"),
            "Charges.\n\n# Plan\n\nThat of `pay::Often`."
        );
    }
}
