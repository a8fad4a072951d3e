//! `#[allow(cannot_fit, reason = "…")]` and its like: ours are taken out, all others are passed on.

use proc_macro2::{Group, Ident, Punct, Spacing, TokenStream, TokenTree};
use retry_planner::Level;

use super::Parser;
use crate::ast::LevelAttr;
use crate::errors::Errors;
use crate::tokens::{Cursor, List, split};
use crate::words;

/// rustc's own lints that are spelled like one of ours.
const RUSTC: [&str; 4] = [
    "unreachable_pub",
    "unreachable_code",
    "unreachable_patterns",
    "unfulfilled_lint_expectations",
];

impl Parser {
    /// The levels of our findings in one attribute; what isn't ours goes to `rest`.
    pub(super) fn level_attribute(
        &mut self,
        hash: &TokenTree,
        group: &Group,
        rest: &mut Vec<TokenStream>,
    ) -> Vec<LevelAttr> {
        let whole = || {
            [hash.clone(), group.clone().into()]
                .into_iter()
                .collect::<TokenStream>()
        };
        let inside = Cursor::inside(group);
        let (Some(word), Some(TokenTree::Group(list)), 2) =
            (inside.ident_at(0), inside.peek_nth(1), inside.left().len())
        else {
            rest.push(whole());
            return Vec::new();
        };
        let level = match word.to_string().as_str() {
            "allow" => Some(Level::Allow),
            "expect" => Some(Level::Expect),
            "warn" => Some(Level::Warn),
            "deny" => Some(Level::Deny),
            "forbid" => None,
            _ => {
                rest.push(whole());
                return Vec::new();
            }
        };
        let mut reason = None;
        let mut reason_tokens = None;
        let mut found = Vec::new();
        let mut foreign: Vec<TokenStream> = Vec::new();
        // A fault in the list is rustc's to tell.
        for mut part in split(&Cursor::inside(list), List::Args, &mut Errors::new()) {
            let tokens: TokenStream = part.left().iter().cloned().collect();
            if part.is_word(0, "reason") && part.is_assign(1) {
                part.skip(2);
                reason = part
                    .peek()
                    .map(|token| token.to_string().trim_matches('"').to_owned());
                reason_tokens = Some(tokens);
                continue;
            }
            match self.lint_name(&mut part) {
                Some(Named::Ours(finding, spelled)) => match level {
                    Some(level) => found.push((finding, spelled, level)),
                    None => self.error_help(
                        word.span(),
                        format!("`forbid` can't be said of `{}`", finding.name()),
                        "write `deny`: the levels are `allow`, `expect`, `warn` and `deny`",
                    ),
                },
                Some(Named::Wrong) => {}
                None => foreign.push(tokens),
            }
        }
        if !foreign.is_empty() || (found.is_empty() && list.stream().is_empty()) {
            rest.push(rebuild(hash, group, word, list, foreign, reason_tokens));
        }
        found
            .into_iter()
            .map(|(lint, word, level)| LevelAttr {
                level,
                lint,
                word,
                reason: reason.clone(),
            })
            .collect()
    }

    fn lint_name(&mut self, part: &mut Cursor) -> Option<Named> {
        let tokens = part.left();
        if let [TokenTree::Ident(name)] = tokens {
            let text = name.to_string();
            if let Some(lint) = words::lint(&text) {
                return Some(Named::Ours(lint, name.clone()));
            }
            if RUSTC.contains(&text.as_str()) {
                return None;
            }
            let near = words::near_lint(&text)?;
            self.error_help(
                name.span(),
                format!("there is no finding `{text}`"),
                format!("did you mean `{}`?", near.name()),
            );
            return Some(Named::Wrong);
        }
        // `retry_plan::cannot_fit`
        if let [TokenTree::Ident(tool), .., TokenTree::Ident(name)] = tokens
            && (tool == "retry_plan" || tool == "retry")
        {
            let text = name.to_string();
            let known = words::lint(&text)
                .or_else(|| words::near_lint(&text))
                .map_or("cannot_fit", |lint| lint.name());
            self.error_help(
                tool.span(),
                "findings are named without a path",
                format!("write `{known}`"),
            );
            return Some(Named::Wrong);
        }
        None
    }
}

enum Named {
    Ours(retry_planner::Lint, Ident),
    Wrong,
}

/// The attribute with only what isn't ours.
fn rebuild(
    hash: &TokenTree,
    group: &Group,
    word: &Ident,
    list: &Group,
    foreign: Vec<TokenStream>,
    reason: Option<TokenStream>,
) -> TokenStream {
    let mut names = TokenStream::new();
    for part in foreign.into_iter().chain(reason) {
        names.extend(part);
        names.extend([TokenTree::from(Punct::new(',', Spacing::Alone))]);
    }
    let mut inner = Group::new(list.delimiter(), names);
    inner.set_span(list.span());
    let mut outer = Group::new(
        group.delimiter(),
        [TokenTree::from(word.clone()), inner.into()]
            .into_iter()
            .collect(),
    );
    outer.set_span(group.span());
    [hash.clone(), outer.into()].into_iter().collect()
}
