//! What the planner says of a policy: on the tokens while the macro expands where everything is literal, and as constant
//! checks on the same tokens where const evaluation has to say it.

use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use retry_planner::plan::Needs;
use retry_planner::{Level, Lint, plan};
use retry_syntax::ast::{LevelAttr, Node};
use retry_syntax::lower::{self, OwnedPolicy};
use retry_syntax::{Diagnostic, Errors};

use crate::spans::respan;

/// A policy with what the planner has to say about it.
pub(crate) struct Judged {
    /// What errors call the policy; empty where it has no name.
    pub(crate) name: String,
    /// The planner's path.
    planner: TokenStream,
    /// The policy as a constant expression, of the planner's `Policy<'static>`.
    pub(crate) policy: TokenStream,
    /// Errors and warnings that are known now, as items.
    pub(crate) told: TokenStream,
    /// Whether const evaluation has to judge it.
    pub(crate) open: bool,
    /// The nodes whose own values only const evaluation knows.
    pub(crate) unknown: Vec<usize>,
    /// The tree, where all of it is known now.
    known: Option<OwnedPolicy>,
}

impl Judged {
    /// `name` is what errors call the policy; `faulty` says that its text had faults, so that its plan means nothing.
    pub(crate) fn of(
        name: &str,
        levels: &[LevelAttr],
        root: &Node,
        facade: &TokenStream,
        faulty: bool,
    ) -> Self {
        let policy = lower::policy_tokens(name, levels, root, facade);
        let (owned, unknown) = lower::lower(name, levels, root, &mut |_| None);
        let open = !unknown.is_empty() && !faulty;
        let unknown: Vec<usize> = unknown.iter().map(|unknown| unknown.index).collect();
        let told = match (faulty, open) {
            (true, _) => TokenStream::new(),
            (false, true) => told_of_nodes(&owned, root, &unknown),
            (false, false) => told(&owned, levels, root),
        };
        let known = (!open && !faulty).then_some(owned);
        let planner = quote!(#facade::__private::planner);
        Self {
            name: name.to_owned(),
            planner,
            policy,
            told,
            open,
            unknown,
            known,
        }
    }

    /// The plan as documentation, where it is known now.
    pub(crate) fn docs(&self) -> Option<String> {
        self.known.as_ref().map(documented)
    }

    /// What each node needs in order to succeed, by index, where it is known now.
    pub(crate) fn needs(&self) -> Option<Vec<Needs>> {
        self.known.as_ref().map(|owned| {
            owned.with(|policy| {
                (0..policy.nodes.len())
                    .map(|index| plan::needs(policy, index))
                    .collect()
            })
        })
    }

    /// The plan as an associated constant; `policy` is the policy's constant, and `root` its tree where const evaluation
    /// judges it.
    pub(crate) fn constant(&self, policy: &TokenStream, root: Option<&Node>) -> TokenStream {
        let planner = &self.planner;
        let known = self.known.as_ref();
        let plan = known
            .and_then(|owned| owned.with(|policy| lower::plan_tokens(policy, planner)))
            .unwrap_or_else(|| {
                if root.is_some() {
                    quote!(Self::__JUDGEMENT.plan())
                } else {
                    quote!(#planner::Plan::of(&#policy))
                }
            });
        let judgement = root.map(|root| {
            let judgement = judgement(root, planner);
            quote!(const __JUDGEMENT: #judgement = #planner::plan::Judgement::of(&#policy);)
        });
        quote! {
            #judgement
            /// What the policy can do: its fastest success, its latest end, its calls.
            pub const PLAN: #planner::Plan<'static> = #plan;
        }
    }
}

fn told(owned: &OwnedPolicy, levels: &[LevelAttr], root: &Node) -> TokenStream {
    let mut errors = Errors::new();
    let mut warnings = TokenStream::new();
    owned.with(|policy| {
        let judged = plan::Judged::of(policy);
        for node in root.preorder() {
            for lint in Lint::ALL {
                let level = policy.nodes[node.index].levels.get(lint);
                if !matches!(level, Level::Deny | Level::Warn) {
                    continue;
                }
                let Some(text) = judged.message(lint, node.index) else {
                    continue;
                };
                if level == Level::Deny {
                    errors.push(Diagnostic::new(node.keyword.span(), text.as_str()));
                } else {
                    warnings.extend(warning(node.keyword.span(), lint, text.as_str()));
                }
            }
        }
        for (attr, node) in root.expected(levels) {
            if judged.has_inside(attr.lint, node) {
                continue;
            }
            let text = attr.unfulfilled();
            match policy.nodes[node].levels.get(Lint::UnfulfilledExpect) {
                Level::Deny => errors.push(Diagnostic::new(attr.word.span(), text)),
                Level::Warn => warnings.extend(warning(attr.word.span(), Lint::UnfulfilledExpect, &text)),
                Level::Allow | Level::Expect => {}
            }
        }
    });
    let errors = errors.to_compile_errors();
    quote!(#errors #warnings)
}

/// A warning on stable: a deprecated function, called on the token.
fn warning(span: Span, lint: Lint, text: &str) -> TokenStream {
    let name = Ident::new(lint.name(), span);
    quote_spanned! {span=>
        const _: () = {
            #[deprecated(note = #text)]
            const fn #name() {}
            #name()
        };
    }
}

/// The plan as a reader of the documentation sees it.
fn documented(owned: &OwnedPolicy) -> String {
    owned.with(|policy| {
        let judged = plan::Judged::of(policy);
        let timeline = judged.timeline();
        let lines = timeline.as_str().lines().filter(|line| !line.is_empty());
        let mut text = format!("# Plan\n\n```text\n{}\n", judged.plan());
        lines.for_each(|line| {
            text.push_str(line);
            text.push('\n');
        });
        text.push_str("```");
        text
    })
}

/// How a check is evaluated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Home {
    /// As an item: the values name nothing that only an enclosing item knows.
    Item,
    /// As an array's length inside a function: the values may name `Self`.
    Length,
    /// When the function is instantiated: the values may name its generic parameters.
    Instance,
}

/// A policy as const evaluation checks it.
#[derive(Clone, Copy)]
pub(crate) struct Checked<'a> {
    /// An expression of the policy.
    pub(crate) policy: &'a TokenStream,
    /// A path of its `Judgement`, where a constant holds one: else each check plans the policy anew.
    pub(crate) judgement: Option<&'a TokenStream>,
    /// The nodes whose own values only const evaluation knows; `None` where the macro has told of none.
    pub(crate) unknown: Option<&'a [usize]>,
}

impl Checked<'_> {
    /// Whether const evaluation has to look for a warning, which the macro couldn't.
    fn is_open(&self, lint: Lint, node: usize) -> bool {
        !OWN.contains(&lint) || self.unknown.is_none_or(|unknown| unknown.contains(&node))
    }

    fn check(&self, planner: &TokenStream, node: usize, span: Span) -> TokenStream {
        let policy = respan(self.policy, span);
        if let Some(judgement) = self.judgement {
            let judgement = respan(judgement, span);
            quote_spanned!(span=> #judgement.check(&#policy, #node))
        } else {
            quote_spanned!(span=> #planner::plan::check(&#policy, #node))
        }
    }

    fn has(&self, planner: &TokenStream, lint: Lint, node: usize, span: Span) -> TokenStream {
        let word = variant(lint);
        if let Some(judgement) = self.judgement {
            let judgement = respan(judgement, span);
            quote_spanned!(span=> #judgement.has(#planner::Lint::#word, #node))
        } else {
            let policy = respan(self.policy, span);
            quote_spanned!(span=> #planner::plan::has(&#policy, #planner::Lint::#word, #node))
        }
    }

    fn has_inside(&self, planner: &TokenStream, lint: Lint, node: usize, span: Span) -> TokenStream {
        let (word, policy) = (variant(lint), respan(self.policy, span));
        if let Some(judgement) = self.judgement {
            let judgement = respan(judgement, span);
            quote_spanned!(span=> #judgement.has_inside(&#policy, #planner::Lint::#word, #node))
        } else {
            quote_spanned!(span=> #planner::plan::has_inside(&#policy, #planner::Lint::#word, #node))
        }
    }
}

/// What hangs on nothing but a node's own values.
const OWN: [Lint; 2] = [Lint::NoJitter, Lint::NoCap];

/// The warnings that the macro can tell of a policy with values that only const evaluation knows.
fn told_of_nodes(owned: &OwnedPolicy, root: &Node, unknown: &[usize]) -> TokenStream {
    owned.with(|policy| {
        let judged = plan::Judged::of(policy);
        let nodes = root
            .preorder()
            .into_iter()
            .filter(|node| !unknown.contains(&node.index));
        let all = nodes.flat_map(|node| OWN.map(|lint| (node, lint)));
        all.filter(|(node, lint)| policy.nodes[node.index].levels.get(*lint) == Level::Warn)
            .filter_map(|(node, lint)| {
                let text = judged.message(lint, node.index)?;
                Some(warning(node.keyword.span(), lint, text.as_str()))
            })
            .collect()
    })
}

/// Whether a named policy's values may hang on its parameters.
pub(crate) fn is_generic(generics: &syn::Generics) -> bool {
    generics.type_params().next().is_some() || generics.const_params().next().is_some()
}

/// The type of a policy's `Judgement`.
pub(crate) fn judgement(root: &Node, planner: &TokenStream) -> TokenStream {
    let size = Literal::usize_unsuffixed(root.size);
    quote!(#planner::plan::Judgement<'static, #size>)
}

/// The checks that const evaluation does, each on its node's token.
pub(crate) fn checks(
    levels: &[LevelAttr],
    root: &Node,
    checked: Checked<'_>,
    facade: &TokenStream,
    home: Home,
) -> TokenStream {
    let in_force = lower::levels(levels, root);
    let mut tokens = TokenStream::new();
    for node in root.preorder() {
        let (span, index) = (node.keyword.span(), node.index);
        let planner = respan(&quote!(#facade::__private::planner), span);
        let check = checked.check(&planner, index, span);
        tokens.extend(home.wrap(span, &check));
        if home == Home::Instance {
            continue;
        }
        for lint in [Lint::NoJitter, Lint::NoCap, Lint::UselessHedge] {
            let warns = in_force
                .get(index)
                .is_some_and(|levels| levels.get(lint) == Level::Warn);
            if !warns || !may_have(node, lint) || !checked.is_open(lint, index) {
                continue;
            }
            let found = checked.has(&planner, lint, index, span);
            let name = Ident::new(lint.name(), span);
            tokens.extend(home.wrap(span, &conditional(span, &name, &found, general(lint))));
        }
    }
    if home != Home::Instance {
        tokens.extend(expectations(root.expected(levels), checked, facade, home));
    }
    tokens
}

/// What is expected and isn't found, each on its attribute.
pub(crate) fn expectations<'a>(
    expected: impl Iterator<Item = (&'a LevelAttr, usize)>,
    checked: Checked<'_>,
    facade: &TokenStream,
    home: Home,
) -> TokenStream {
    let mut tokens = TokenStream::new();
    for (attr, index) in expected {
        let span = attr.word.span();
        let planner = respan(&quote!(#facade::__private::planner), span);
        let found = checked.has_inside(&planner, attr.lint, index, span);
        let missing = quote_spanned!(span=> !#found);
        let name = Ident::new(Lint::UnfulfilledExpect.name(), span);
        tokens.extend(home.wrap(span, &conditional(span, &name, &missing, &attr.unfulfilled())));
    }
    tokens
}

impl Home {
    /// By what the policy's expressions name; `generics` are the parameters of the function around, where they are known.
    pub(crate) fn of(policy: &TokenStream, generics: &[String]) -> Self {
        let mut words = Vec::new();
        collect(policy, &mut words);
        // In place a parameter can only be told from a type by how it is written.
        let parameter = |word: &String| {
            generics.contains(word)
                || (generics.is_empty() && word.len() == 1 && word.starts_with(|c: char| c.is_uppercase()))
        };
        if words.iter().any(parameter) {
            Self::Instance
        } else if words.iter().any(|word| word == "Self") {
            Self::Length
        } else {
            Self::Item
        }
    }

    pub(crate) fn wrap(self, span: Span, check: &TokenStream) -> TokenStream {
        match self {
            Self::Item => quote_spanned!(span=> const _: () = { #check };),
            Self::Length => quote_spanned!(span=> let _: [(); { #check; 0 }] = [];),
            Self::Instance => quote_spanned!(span=> const { #check };),
        }
    }
}

/// A warning that shows if a constant is true.
///
/// Each function is used by a constant inside it, so that neither is dead code, and no warning comes of that use. An
/// `allow` would not survive a `forbid`.
fn conditional(span: Span, name: &Ident, found: &TokenStream, text: &str) -> TokenStream {
    quote_spanned! {span=>
        struct When<const FOUND: bool>;
        impl When<true> {
            #[deprecated(note = #text)]
            const fn #name() {
                const _: fn() = When::<true>::#name;
            }
        }
        impl When<false> {
            const fn #name() {
                const _: fn() = When::<false>::#name;
            }
        }
        When::<{ #found }>::#name()
    }
}

fn may_have(node: &Node, lint: Lint) -> bool {
    use retry_syntax::ast::NodeKind;
    match lint {
        Lint::UselessHedge => matches!(node.kind, NodeKind::Hedge(_)),
        _ => matches!(node.kind, NodeKind::Retry(_)),
    }
}

/// What a warning says where const evaluation found it, which can't tell the figures.
fn general(lint: Lint) -> &'static str {
    match lint {
        Lint::NoJitter => {
            "waits without jitter: clients that failed together come back together\n  fits with: jitter = full, or jitter = none where that is meant\n  meant so? `#[allow(no_jitter, reason = \"…\")]`"
        }
        Lint::NoCap => {
            "waits that grow without an end\n  fits with: max = 10s in its backoff\n  meant so? `#[allow(no_cap, reason = \"…\")]`"
        }
        _ => {
            "a hedge that never helps: by the time a copy starts, the first has ended\n  fits with: a shorter `after`\n  meant so? `#[allow(useless_hedge, reason = \"…\")]`"
        }
    }
}

/// The words that begin a path.
fn collect(tokens: &TokenStream, words: &mut Vec<String>) {
    let mut inside_path = false;
    for token in tokens.clone() {
        match token {
            TokenTree::Group(group) => collect(&group.stream(), words),
            TokenTree::Ident(word) => {
                if !inside_path {
                    words.push(word.to_string());
                }
                inside_path = false;
                continue;
            }
            TokenTree::Punct(punct) => {
                inside_path = matches!(punct.as_char(), ':' | '.');
                continue;
            }
            TokenTree::Literal(_) => {}
        }
        inside_path = false;
    }
}

/// A finding as the planner's enum spells it.
pub(crate) fn variant(lint: Lint) -> Ident {
    Ident::new(&format!("{lint:?}"), Span::call_site())
}
