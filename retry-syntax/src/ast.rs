//! What was written, with its spans: the tree that code is generated from.
//!
//! The tree is always whole. Where a part of the text was wrong, its fault is in the [`Errors`](crate::Errors) that come
//! beside it and a harmless part stands in its place, so that code can be generated for every policy and a mistake never
//! brings more than its own error.

use std::time::Duration;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use retry_planner::{Factor, Level, Lint};

/// Everything that `retry_policy!` accepts.
#[derive(Clone, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "there is one of it, and matching through a box costs readers more"
)]
pub enum Input {
    /// `retry_policy! { pub struct Charge { … } … }`
    Policies(Vec<NamedPolicy>),
    /// A policy in place, in the short form or as a tree, with its operations inside.
    InPlace(InPlace),
    /// `retry_policy!(Charge, async |cx| …)`
    RunNamed(RunNamed),
}

/// A policy that is a type.
#[derive(Clone, Debug)]
pub struct NamedPolicy {
    /// Doc comments and all other attributes, to stand on the type; levels of our findings are taken out.
    pub attrs: Vec<TokenStream>,
    /// Levels of our findings, in force for the whole policy.
    pub levels: Vec<LevelAttr>,
    /// The visibility as written.
    pub vis: TokenStream,
    /// The `struct` keyword.
    pub struct_token: Ident,
    /// The type's name.
    pub ident: Ident,
    /// Its generics, with the `where` clause.
    pub generics: syn::Generics,
    /// `type Error = …;`, `crate = …;`, `interrupted = …;`
    pub head: Head,
    /// The policy.
    pub root: Node,
}

/// What may stand before a tree.
#[derive(Clone, Debug, Default)]
pub struct Head {
    /// The type after `type Error =`.
    pub error: Option<TokenStream>,
    /// The path after `crate =`; `::retry_plan` where it isn't given.
    pub crate_path: Option<TokenStream>,
    /// The expression after `interrupted =`: from `Interrupted` to the error's type.
    pub interrupted: Option<TokenStream>,
}

/// A policy in place.
#[derive(Clone, Debug)]
pub struct InPlace {
    /// `type Error = …;`, `crate = …;`, `interrupted = …;`
    pub head: Head,
    /// The `move` before the tree.
    pub move_token: Option<Ident>,
    /// Levels of our findings.
    pub levels: Vec<LevelAttr>,
    /// Foreign lint attributes before the tree, passed on.
    pub attrs: Vec<TokenStream>,
    /// The policy; each leaf has its operation, unless a reported fault took it away.
    pub root: Node,
    /// Whether the short form was written.
    pub short: bool,
}

/// A named policy, run in place.
#[derive(Clone, Debug)]
pub struct RunNamed {
    /// The policy's type.
    pub policy: TokenStream,
    /// Its operations: one without a name, or one for each leaf (`profile = async |_| …`).
    pub operations: Vec<(Option<Ident>, Operation)>,
    /// `crate = …`, `interrupted = …` (there is no `type Error` here).
    pub head: Head,
}

/// The arguments of `#[retry(…)]`, with the level attributes beside it.
#[derive(Clone, Debug)]
pub struct RetryArgs {
    /// The policy.
    pub policy: FnPolicy,
    /// Levels of our findings, taken from the attributes beside `#[retry]`.
    pub levels: Vec<LevelAttr>,
    /// `interrupted = …`, `crate = …` (there is no `type Error` here).
    pub head: Head,
    /// `context = cx`: the binding of the `Attempt` in the body.
    pub context: Option<Ident>,
    /// `clone(a, b)`: arguments that are cloned for each attempt.
    pub clones: Vec<Ident>,
    /// `export = CHARGE_PLAN`
    pub export: Option<Ident>,
    /// `calls(pay::CHARGE_PLAN, Refund)`: paths of plans and of policies.
    pub calls: Vec<TokenStream>,
}

/// The policy of a function.
#[derive(Clone, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "there is one of it, and matching through a box costs readers more"
)]
pub enum FnPolicy {
    /// The shorthand or a whole tree; its one leaf is the function's body. The hooks of the shorthand stand on its nodes.
    Tree(Node),
    /// A named policy's type.
    Named(TokenStream),
}

/// One node.
#[derive(Clone, Debug)]
pub struct Node {
    /// The place in preorder, equal to the place in the planner's tree.
    pub index: usize,
    /// How many nodes the subtree has, this one included.
    pub size: usize,
    /// The name of a leaf, step or branch.
    pub name: Option<Ident>,
    /// The node's word as written; in the shorthand, the key that brought the node about.
    pub keyword: Ident,
    /// The names of the arguments as written, for documentation on hover.
    pub words: Vec<Ident>,
    /// Levels of our findings on this node.
    pub levels: Vec<LevelAttr>,
    /// Doc comments and foreign lints on this node.
    pub attrs: Vec<TokenStream>,
    /// What it is.
    pub kind: NodeKind,
}

/// What a node is.
#[derive(Clone, Debug)]
#[allow(
    clippy::large_enum_variant,
    reason = "trees are small, and matching through a box costs readers more"
)]
pub enum NodeKind {
    /// `attempt`
    Attempt(Attempt),
    /// `call(path::Policy)`
    Call(Call),
    /// `timeout(d) { n }`
    Timeout(Limit),
    /// `deadline(d) { n }`
    Deadline(Limit),
    /// `retry(…) { n }`
    Retry(Retry),
    /// `hedge(…) { n }`
    Hedge(Hedge),
    /// `allowance(KEY = n) { n }`
    Allowance(Allowance),
    /// `series { … }`
    Series(Vec<Node>),
    /// `parallel { … }`
    Parallel(Vec<Node>),
    /// `fallback { … }`
    Fallback(Vec<Node>),
    /// `race { … }`
    Race(Vec<Node>),
}

/// A value: known here, or an expression for const evaluation.
#[derive(Clone, Debug)]
pub enum Value<T> {
    /// A literal and the token it stood in.
    Literal(T, Span),
    /// A path, a call, or a block; spliced as it is.
    Expr(TokenStream),
}

/// The user's operation.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The bound that the executor enforces.
    pub bound: Option<Value<Duration>>,
    /// What the operation is declared to take.
    pub takes: Option<Takes>,
    /// `idempotent = …`
    pub idempotent: Option<Value<bool>>,
    /// `idempotency_key [= expr]`
    pub key: Option<Key>,
    /// The code, where the policy stands in place.
    pub operation: Option<Operation>,
}

/// `idempotency_key` and its expression, where one is given.
#[derive(Clone, Debug)]
pub struct Key {
    /// The word.
    pub word: Ident,
    /// What makes the key; made by the runtime where there is none.
    pub expr: Option<TokenStream>,
}

/// `takes = lo..=hi`
#[derive(Clone, Debug)]
pub struct Takes {
    /// The fastest success; zero where it isn't given.
    pub min: Option<Value<Duration>>,
    /// The latest end; `None` for `lo..`.
    pub max: Option<Value<Duration>>,
}

/// The code of a leaf.
#[derive(Clone, Debug)]
pub enum Operation {
    /// `async |cx| body`, in parts, so that the body can be spliced where `&mut` and `?` just work.
    Closure(Closure),
    /// Anything else that can be called with an `Attempt`.
    Expr(TokenStream),
}

/// A closure in parts, none of them parsed.
#[derive(Clone, Debug)]
pub struct Closure {
    /// All its tokens, as written.
    pub whole: TokenStream,
    /// The `async`, where it stands.
    pub async_token: Option<Ident>,
    /// The `move`, where it stands.
    pub move_token: Option<Ident>,
    /// What stands between the bars: a pattern, maybe with a type. Empty for `||`.
    pub param: TokenStream,
    /// The type after `->`.
    pub output: Option<TokenStream>,
    /// The body, with its braces where it has some.
    pub body: TokenStream,
}

/// Another policy, run by this leaf's operation.
#[derive(Clone, Debug)]
pub struct Call {
    /// The policy's type.
    pub policy: TokenStream,
    /// The code, where the policy stands in place.
    pub operation: Option<Operation>,
}

/// A limit and what it encloses.
#[derive(Clone, Debug)]
pub struct Limit {
    /// How long.
    pub limit: Value<Duration>,
    /// What is cut.
    pub child: Box<Node>,
}

/// Its child again, on error.
#[derive(Clone, Debug)]
pub struct Retry {
    /// How many attempts, the first included.
    pub attempts: Attempts,
    /// The waits; `None` where it isn't written: `exponential(100ms, factor = 2, max = 10s)`.
    pub backoff: Option<Backoff>,
    /// The spread of the waits, where it is written.
    pub jitter: Option<Jitter>,
    /// What each retry is charged to.
    pub budget: Option<Budget>,
    /// `when = …`: from `&E` to `bool`.
    pub when: Option<TokenStream>,
    /// `until = …`: from `&T` to `bool`.
    pub until: Option<TokenStream>,
    /// `on_retry = …`
    pub on_retry: Option<TokenStream>,
    /// `retry_after = …`: from `&E` to `Option<Duration>`.
    pub retry_after: Option<TokenStream>,
    /// `retry_after_max = …`: a longer hint stops the retry.
    pub retry_after_max: Option<Value<Duration>>,
    /// `timeouts = stop`
    pub stop_on_timeout: bool,
    /// What is retried.
    pub child: Box<Node>,
}

/// `attempts = …`
#[derive(Clone, Debug)]
pub enum Attempts {
    /// `n`
    Exactly(Value<u32>),
    /// `..=n`
    UpTo(Value<u32>),
    /// `unlimited`
    Unlimited(Ident),
}

/// `backoff = …`
#[derive(Clone, Debug)]
pub struct Backoff {
    /// The word, or the first token of an expression.
    pub span: Span,
    /// Which one.
    pub kind: BackoffKind,
}

/// The waits of a retry, before jitter.
#[derive(Clone, Debug)]
pub enum BackoffKind {
    /// `none`
    None,
    /// `fixed(d)`
    Fixed(Value<Duration>),
    /// `linear(d, max = d)`
    Linear {
        /// The first wait.
        base: Value<Duration>,
        /// The cap.
        max: Option<Value<Duration>>,
    },
    /// `exponential(d, factor = f, max = d)`
    Exponential {
        /// The first wait.
        base: Value<Duration>,
        /// What each wait is multiplied by; 2 where it isn't given.
        factor: Option<Value<Factor>>,
        /// The cap.
        max: Option<Value<Duration>>,
    },
    /// `decorrelated(d, max = d)`
    Decorrelated {
        /// The least wait.
        base: Value<Duration>,
        /// The cap.
        max: Option<Value<Duration>>,
    },
    /// `schedule(d, d, ..)`
    Schedule {
        /// One wait for each retry.
        waits: Vec<Value<Duration>>,
        /// Whether the last repeats (`..`).
        repeat_last: bool,
    },
    /// An expression of the planner's own `Backoff` type.
    Expr(TokenStream),
}

/// `jitter = …`
#[derive(Clone, Debug)]
pub struct Jitter {
    /// The word, or the first token of an expression.
    pub span: Span,
    /// Which one.
    pub kind: JitterKind,
}

/// The spread of a wait.
#[derive(Clone, Debug)]
pub enum JitterKind {
    /// `none`
    None,
    /// `full`
    Full,
    /// `equal`
    Equal,
    /// `spread(x)`
    Spread(Value<Factor>),
    /// An expression of the planner's own `Jitter` type.
    Expr(TokenStream),
}

/// `budget = PATH`, and the key of an allowance.
#[derive(Clone, Debug)]
pub struct Budget {
    /// The path of a `static`.
    pub path: TokenStream,
    /// The path without white space, by which the planner compares budgets.
    pub key: String,
}

/// Another copy of its child each time `after` passes.
#[derive(Clone, Debug)]
pub struct Hedge {
    /// The time without an answer.
    pub after: Value<Duration>,
    /// How many copies, the first included.
    pub copies: Value<u32>,
    /// What each further copy is charged to.
    pub budget: Option<Budget>,
    /// What is copied.
    pub child: Box<Node>,
}

/// At most so many retries and hedges charged to one budget inside.
#[derive(Clone, Debug)]
pub struct Allowance {
    /// Which budget.
    pub budget: Budget,
    /// How many.
    pub limit: Value<u32>,
    /// Inside what.
    pub child: Box<Node>,
}

/// One finding's level, as `#[allow(cannot_fit, reason = "…")]` sets it.
#[derive(Clone, Debug)]
pub struct LevelAttr {
    /// The level and where it is written.
    pub level: Level,
    /// The finding.
    pub lint: Lint,
    /// Where the finding's name stands.
    pub word: Ident,
    /// The reason, where one is given.
    pub reason: Option<String>,
}

impl LevelAttr {
    /// What is said of an `#[expect]` of what isn't found.
    #[must_use]
    pub fn unfulfilled(&self) -> String {
        let reason = self
            .reason
            .as_ref()
            .map(|reason| format!(" (\"{reason}\")"))
            .unwrap_or_default();
        format!("`{}` is expected here{reason} and isn't found", self.lint.name())
    }
}

impl<T> Value<T> {
    /// The literal, if it is one.
    pub fn literal(&self) -> Option<&T> {
        match self {
            Self::Literal(value, _) => Some(value),
            Self::Expr(_) => None,
        }
    }

    /// The token to point at.
    pub fn span(&self) -> Span {
        match self {
            Self::Literal(_, span) => *span,
            Self::Expr(tokens) => first_span(tokens),
        }
    }
}

impl Operation {
    /// All its tokens, as written.
    #[must_use]
    pub fn tokens(&self) -> &TokenStream {
        match self {
            Self::Closure(closure) => &closure.whole,
            Self::Expr(tokens) => tokens,
        }
    }
}

impl NodeKind {
    /// The children in order.
    #[must_use]
    pub fn children(&self) -> &[Node] {
        match self {
            Self::Attempt(_) | Self::Call(_) => &[],
            Self::Timeout(limit) | Self::Deadline(limit) => std::slice::from_ref(&limit.child),
            Self::Retry(retry) => std::slice::from_ref(&retry.child),
            Self::Hedge(hedge) => std::slice::from_ref(&hedge.child),
            Self::Allowance(allowance) => std::slice::from_ref(&allowance.child),
            Self::Series(all) | Self::Parallel(all) | Self::Fallback(all) | Self::Race(all) => all,
        }
    }

    /// The children in order, to change.
    pub fn children_mut(&mut self) -> &mut [Node] {
        match self {
            Self::Attempt(_) | Self::Call(_) => &mut [],
            Self::Timeout(limit) | Self::Deadline(limit) => std::slice::from_mut(&mut limit.child),
            Self::Retry(retry) => std::slice::from_mut(&mut retry.child),
            Self::Hedge(hedge) => std::slice::from_mut(&mut hedge.child),
            Self::Allowance(allowance) => std::slice::from_mut(&mut allowance.child),
            Self::Series(all) | Self::Parallel(all) | Self::Fallback(all) | Self::Race(all) => all,
        }
    }

    /// Whether the user's code runs here: `attempt` and `call`.
    #[must_use]
    pub fn is_leaf(&self) -> bool {
        matches!(self, Self::Attempt(_) | Self::Call(_))
    }
}

impl Node {
    /// Every node of the subtree in preorder: the order of their indices.
    #[must_use]
    pub fn preorder(&self) -> Vec<&Node> {
        let mut found = Vec::with_capacity(self.size);
        let mut open = vec![self];
        while let Some(node) = open.pop() {
            found.push(node);
            open.extend(node.kind.children().iter().rev());
        }
        found
    }

    /// The leaves in order, each with the name that it goes by: its own, or that of the closest node around it.
    #[must_use]
    pub fn leaf_names(&self) -> Vec<(&Node, Option<&Ident>)> {
        let mut found = Vec::new();
        let mut open = vec![(self, None)];
        while let Some((node, around)) = open.pop() {
            let name = node.name.as_ref().or(around);
            if node.kind.is_leaf() {
                found.push((node, name));
            }
            open.extend(node.kind.children().iter().rev().map(|child| (child, name)));
        }
        found
    }

    /// Every `#[expect]`, with the node that it stands on; `levels` are those of the whole policy.
    pub fn expected<'a>(&'a self, levels: &'a [LevelAttr]) -> impl Iterator<Item = (&'a LevelAttr, usize)> {
        let inside = self
            .preorder()
            .into_iter()
            .flat_map(|node| node.levels.iter().map(|attr| (attr, node.index)));
        levels
            .iter()
            .map(|attr| (attr, 0))
            .chain(inside)
            .filter(|(attr, _)| attr.level == Level::Expect)
    }

    /// The leaves in order.
    #[must_use]
    pub fn leaves(&self) -> Vec<&Node> {
        let mut leaves = self.preorder();
        leaves.retain(|node| node.kind.is_leaf());
        leaves
    }
}

/// The first token's span: joined spans are underlined differently by different toolchains.
#[must_use]
pub fn first_span(tokens: &TokenStream) -> Span {
    tokens
        .clone()
        .into_iter()
        .next()
        .map_or_else(Span::call_site, |token: TokenTree| token.span())
}
