//! The planner's tree as a constant expression in the user's code: literals as numbers, expressions where they stood.

use std::time::Duration;

use proc_macro2::{Literal, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use retry_planner::{Factor, Level, Levels, Lint};

use super::{DEFAULT_BASE_MS, DEFAULT_MAX_S};
use crate::ast::{
    Attempt, Attempts, Backoff, BackoffKind, Budget, Jitter, JitterKind, LevelAttr, Node, NodeKind, Retry,
    Value,
};

/// An expression of the planner's `Policy<'static>`, for a constant.
///
/// `krate` is the facade's path. An expression's value that can't be, such as a zero timeout, is refused on its own tokens.
#[must_use]
pub fn policy_tokens(name: &str, levels: &[LevelAttr], root: &Node, krate: &TokenStream) -> TokenStream {
    let in_force = super::levels(levels, root);
    let planner = quote!(#krate::__private::planner);
    let write = Write { planner: &planner };
    let nodes = root.preorder().into_iter().map(|node| {
        let levels = in_force.get(node.index).copied().unwrap_or(Levels::DEFAULT);
        write.node(node, levels)
    });
    quote!(#planner::Policy { name: #name, nodes: &[#(#nodes),*] })
}

/// An expression of the planner's `Retry<'static>`, for a constant; `planner` is the planner's path.
#[must_use]
pub fn retry_tokens(retry: &Retry, planner: &TokenStream) -> TokenStream {
    Write { planner }.retry(retry)
}

struct Write<'a> {
    planner: &'a TokenStream,
}

impl Write<'_> {
    fn node(&self, node: &Node, levels: Levels) -> TokenStream {
        let p = self.planner;
        let name = node.name.as_ref().map(ToString::to_string).unwrap_or_default();
        let size = Literal::usize_unsuffixed(node.size);
        let levels = self.levels(levels);
        let kind = self.kind(&node.kind);
        quote!(#p::Node { name: #name, size: #size, levels: #levels, kind: #p::Kind::#kind })
    }

    fn levels(&self, levels: Levels) -> TokenStream {
        let p = self.planner;
        let mut tokens = quote!(#p::Levels::DEFAULT);
        for lint in Lint::ALL {
            let level = levels.get(lint);
            if level == Levels::DEFAULT.get(lint) {
                continue;
            }
            let lint = ident(&format!("{lint:?}"));
            let level = ident(match level {
                Level::Allow => "Allow",
                Level::Expect => "Expect",
                Level::Warn => "Warn",
                Level::Deny => "Deny",
            });
            tokens.extend(quote!(.with(#p::Lint::#lint, #p::Level::#level)));
        }
        tokens
    }

    fn kind(&self, kind: &NodeKind) -> TokenStream {
        let p = self.planner;
        match kind {
            NodeKind::Attempt(attempt) => self.attempt(attempt),
            NodeKind::Timeout(limit) => {
                let limit = self.limit(&limit.limit);
                quote!(Timeout(#limit))
            }
            NodeKind::Deadline(limit) => {
                let limit = self.limit(&limit.limit);
                quote!(Deadline(#limit))
            }
            NodeKind::Retry(retry) => {
                let retry = self.retry(retry);
                quote!(Retry(#retry))
            }
            NodeKind::Hedge(hedge) => {
                let after = self.range(&hedge.after);
                let copies = self.counted(&hedge.copies, "copies");
                let budget = self.charge(hedge.budget.as_ref());
                quote!(Hedge(#p::Hedge { after: #after, copies: #copies, budget: #budget }))
            }
            NodeKind::Allowance(allowance) => {
                let key = &allowance.budget.key;
                let limit = self.count(&allowance.limit);
                quote!(Allowance(#p::Allowance { key: #key, limit: #limit }))
            }
            NodeKind::Series(_) => quote!(Series),
            NodeKind::Parallel(_) => quote!(Parallel),
            NodeKind::Fallback(_) => quote!(Fallback),
            NodeKind::Race(_) => quote!(Race),
            NodeKind::Call(call) => {
                let callee = callee_tokens(&call.policy);
                quote!(Call(#callee))
            }
        }
    }

    fn attempt(&self, attempt: &Attempt) -> TokenStream {
        let p = self.planner;
        let bound = option(attempt.bound.as_ref().map(|bound| self.limit(bound)));
        let takes = option(attempt.takes.as_ref().map(|takes| {
            let min = takes
                .min
                .as_ref()
                .map_or_else(|| self.exact(Duration::ZERO), |min| self.range(min));
            let max = option(takes.max.as_ref().map(|max| self.limit(max)));
            quote!(#p::Takes { min: #min, max: #max })
        }));
        let idempotent = match &attempt.idempotent {
            None => quote!(true),
            Some(Value::Literal(value, _)) => quote!(#value),
            Some(Value::Expr(tokens)) => tokens.clone(),
        };
        let key = attempt.key.is_some();
        quote!(Attempt(#p::Attempt { bound: #bound, takes: #takes, idempotent: #idempotent, key: #key }))
    }

    fn retry(&self, retry: &Retry) -> TokenStream {
        let p = self.planner;
        let attempts = match &retry.attempts {
            Attempts::Exactly(count) => {
                let count = self.counted(count, "attempts");
                quote!(Exactly(#count))
            }
            Attempts::UpTo(count) => {
                let count = self.counted(count, "attempts");
                quote!(UpTo(#count))
            }
            Attempts::Unlimited(_) => quote!(Unlimited),
        };
        let backoff = match &retry.backoff {
            None => self.default_backoff(),
            Some(backoff) => self.backoff(backoff, retry),
        };
        let jitter = option(retry.jitter.as_ref().map(|jitter| self.jitter(jitter)));
        let budget = self.charge(retry.budget.as_ref());
        let (when, until, stop) = (retry.when.is_some(), retry.until.is_some(), retry.stop_on_timeout);
        let hint = option(retry.retry_after.as_ref().map(|_| {
            let max = option(retry.retry_after_max.as_ref().map(|max| self.range(max)));
            quote!(#p::Hint { max: #max })
        }));
        quote!(#p::Retry {
            attempts: #p::Attempts::#attempts,
            backoff: #backoff,
            jitter: #jitter,
            budget: #budget,
            when: #when,
            until: #until,
            stop_on_timeout: #stop,
            hint: #hint,
        })
    }

    fn default_backoff(&self) -> TokenStream {
        let p = self.planner;
        let base = self.exact(Duration::from_millis(DEFAULT_BASE_MS));
        let max = option(Some(self.exact(Duration::from_secs(DEFAULT_MAX_S))));
        quote!(#p::Backoff::Exponential { base: #base, factor: #p::Factor::whole(2), max: #max })
    }

    fn backoff(&self, backoff: &Backoff, retry: &Retry) -> TokenStream {
        let p = self.planner;
        let capped = |base: &Value<Duration>, max: Option<&Value<Duration>>| {
            option(max.map(|max| self.cap(base, max)))
        };
        match &backoff.kind {
            BackoffKind::None => quote!(#p::Backoff::None),
            BackoffKind::Fixed(wait) => {
                let wait = self.range(wait);
                quote!(#p::Backoff::Fixed(#wait))
            }
            BackoffKind::Linear { base, max } => {
                let max = capped(base, max.as_ref());
                let base = self.range(base);
                quote!(#p::Backoff::Linear { base: #base, max: #max })
            }
            BackoffKind::Exponential { base, factor, max } => {
                let max = capped(base, max.as_ref());
                let base = self.range(base);
                let factor = factor
                    .as_ref()
                    .map_or_else(|| quote!(#p::Factor::whole(2)), |f| self.factor(f, "factor"));
                quote!(#p::Backoff::Exponential { base: #base, factor: #factor, max: #max })
            }
            BackoffKind::Decorrelated { base, max } => {
                let max = capped(base, max.as_ref());
                let base = self.range(base);
                quote!(#p::Backoff::Decorrelated { base: #base, max: #max })
            }
            BackoffKind::Schedule { waits, repeat_last } => {
                let listed = waits.iter().map(|wait| self.range(wait));
                let all = quote!(&[#(#listed),*]);
                let waits = match &retry.attempts {
                    Attempts::Exactly(Value::Expr(n)) | Attempts::UpTo(Value::Expr(n)) if !repeat_last => {
                        let check = checked(p, backoff.span, "schedule");
                        quote_spanned!(backoff.span=> #check(#all, #n))
                    }
                    _ => all,
                };
                quote!(#p::Backoff::Schedule { waits: #waits, repeat_last: #repeat_last })
            }
            BackoffKind::Expr(tokens) => tokens.clone(),
        }
    }

    fn jitter(&self, jitter: &Jitter) -> TokenStream {
        let p = self.planner;
        match &jitter.kind {
            JitterKind::None => quote!(#p::Jitter::None),
            JitterKind::Full => quote!(#p::Jitter::Full),
            JitterKind::Equal => quote!(#p::Jitter::Equal),
            JitterKind::Spread(share) => {
                let share = self.factor(share, "spread");
                quote!(#p::Jitter::Spread(#share))
            }
            JitterKind::Expr(tokens) => tokens.clone(),
        }
    }

    fn charge(&self, budget: Option<&Budget>) -> TokenStream {
        let p = self.planner;
        option(budget.map(|budget| {
            let key = &budget.key;
            quote!(#p::Charge { key: #key, cost: 1 })
        }))
    }

    fn exact(&self, value: Duration) -> TokenStream {
        let p = self.planner;
        let value = duration_tokens(value);
        quote!(#p::Range::exact(#value))
    }

    /// A duration that may be zero.
    fn range(&self, value: &Value<Duration>) -> TokenStream {
        let p = self.planner;
        match value {
            Value::Literal(value, _) => self.exact(*value),
            Value::Expr(tokens) => quote!(#p::Range::exact(#tokens)),
        }
    }

    /// A duration above zero.
    fn limit(&self, value: &Value<Duration>) -> TokenStream {
        match value {
            Value::Literal(value, _) => self.exact(*value),
            Value::Expr(tokens) => {
                let span = value.span();
                let check = checked(self.planner, span, "limit");
                quote_spanned!(span=> #check(#tokens))
            }
        }
    }

    /// A cap that isn't below the first wait.
    fn cap(&self, base: &Value<Duration>, max: &Value<Duration>) -> TokenStream {
        if base.literal().is_some() && max.literal().is_some() {
            return self.range(max);
        }
        let check = checked(self.planner, max.span(), "cap");
        let plain = |value: &Value<Duration>| match value {
            Value::Literal(value, _) => duration_tokens(*value),
            Value::Expr(tokens) => tokens.clone(),
        };
        let span = max.span();
        let (base, max) = (plain(base), plain(max));
        quote_spanned!(span=> #check(#base, #max))
    }

    fn count(&self, value: &Value<u32>) -> TokenStream {
        let p = self.planner;
        match value {
            Value::Literal(value, _) => {
                let value = Literal::u32_unsuffixed(*value);
                quote!(#p::Count::exact(#value))
            }
            Value::Expr(tokens) => quote!(#p::Count::exact(#tokens)),
        }
    }

    /// A count that the function `check` of the planner's `value` module looks at.
    fn counted(&self, value: &Value<u32>, check: &str) -> TokenStream {
        match value {
            Value::Literal(..) => self.count(value),
            Value::Expr(tokens) => {
                let span = value.span();
                let check = checked(self.planner, span, check);
                quote_spanned!(span=> #check(#tokens))
            }
        }
    }

    fn factor(&self, value: &Value<Factor>, check: &str) -> TokenStream {
        let p = self.planner;
        match value {
            Value::Literal(Factor { digits, scale }, _) => {
                let digits = Literal::u64_unsuffixed(*digits);
                let scale = Literal::u32_unsuffixed(*scale);
                quote!(#p::Factor { digits: #digits, scale: #scale })
            }
            Value::Expr(tokens) => {
                let span = value.span();
                let check = checked(p, span, check);
                quote_spanned!(span=> #check(#tokens))
            }
        }
    }
}

/// What a caller sees of a policy: by its type, or by the constant of a function's plan.
#[must_use]
pub fn callee_tokens(path: &TokenStream) -> TokenStream {
    // Behind generic arguments stands no value.
    let is_value = match path.clone().into_iter().last() {
        Some(TokenTree::Ident(word)) => is_constant(&word.to_string()),
        _ => false,
    };
    if is_value {
        quote!(#path.callee())
    } else {
        quote!(<#path>::PLAN.callee())
    }
}

/// Whether a name is written as those of constants are. A policy's type of such a name is taken for one, and has to have
/// a value with the `callee()` of a plan.
#[must_use]
pub fn is_constant(name: &str) -> bool {
    name.len() > 1 && !name.contains(char::is_lowercase)
}

/// The path of a checking function, on the span where its panic shall be shown.
fn checked(planner: &TokenStream, span: Span, name: &str) -> TokenStream {
    let name = proc_macro2::Ident::new(name, span);
    let planner: TokenStream = planner
        .clone()
        .into_iter()
        .map(|mut token| {
            token.set_span(span);
            token
        })
        .collect();
    quote_spanned!(span=> #planner::value::#name)
}

pub(super) fn option(tokens: Option<TokenStream>) -> TokenStream {
    if let Some(tokens) = tokens {
        quote!(::core::option::Option::Some(#tokens))
    } else {
        quote!(::core::option::Option::None)
    }
}

fn ident(name: &str) -> proc_macro2::Ident {
    proc_macro2::Ident::new(name, Span::call_site())
}

/// A duration as a reader would write it in Rust.
pub(super) fn duration_tokens(value: Duration) -> TokenStream {
    let all = value.as_nanos();
    for (unit, made_of) in [
        (1_000_000_000, "from_secs"),
        (1_000_000, "from_millis"),
        (1_000, "from_micros"),
        (1, "from_nanos"),
    ] {
        if all.is_multiple_of(unit)
            && let Ok(count) = u64::try_from(all / unit)
        {
            let (count, made_of) = (Literal::u64_unsuffixed(count), ident(made_of));
            return quote!(::core::time::Duration::#made_of(#count));
        }
    }
    let seconds = Literal::u64_unsuffixed(value.as_secs());
    let nanos = Literal::u32_unsuffixed(value.subsec_nanos());
    quote!(::core::time::Duration::new(#seconds, #nanos))
}
