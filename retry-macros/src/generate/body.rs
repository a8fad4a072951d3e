//! From a tree to the code of a run: straight, with a loop for each retry and a number for each limit.
//!
//! A *path* is an async block in which one thing runs at a time: the run itself, a branch, a copy. It has its own `now` and
//! its own `last` error, returns from its leaf on success, and otherwise comes to an expression that says how it failed
//! (`Fell`). Each node becomes such an expression, around that of its child.

use std::time::Duration;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use retry_planner::plan::Needs;
use retry_syntax::ast::{Attempt, Attempts, BackoffKind, Budget, Hedge, Limit, Node, NodeKind, Retry, Value};
use retry_syntax::lower::retry_tokens;

use super::delegate::Delegate;
use super::hooks::{is_async, quiet};
use super::plain;

/// What the leaves of a policy run.
pub(crate) trait Leaves {
    /// An expression of the operation's future; `cx` is the attempt.
    fn call(&self, leaf: &Node, cx: &Ident) -> TokenStream;

    /// The operation, where it is a body that only waits for another future.
    fn delegate(&self, _leaf: &Node, _cx: &Ident) -> Option<Delegate> {
        None
    }

    /// Whether the operation's answer may be another `Outcome` than a `Result`.
    fn any_outcome(&self) -> bool;

    /// Whether that expression is a call, which needs the attempt no longer once its future is there.
    fn is_call(&self, leaf: &Node) -> bool;

    /// An expression of a composition's value, made of its children's.
    fn output(&self, node: &Node, children: &[Ident]) -> TokenStream;
}

/// The generator of one policy's code.
pub(crate) struct Body<'a> {
    /// `::retry_plan::__private`
    pub(crate) rt: TokenStream,
    /// An expression of the policy, in const evaluation; nothing where the needs are known.
    pub(crate) policy: TokenStream,
    /// What each node needs in order to succeed, where it is known now: const evaluation would plan once more for it.
    pub(crate) needs: Option<Vec<Needs>>,
    /// An expression of the policy's name, for observers.
    pub(crate) name: TokenStream,
    /// Whether the policy depends on type parameters or `Self`, so that no item can hold what is made of it.
    pub(crate) generic: bool,
    /// Whether the run can't say that it was interrupted.
    pub(crate) lenient: bool,
    /// Who waits, and for how many at a time.
    pub(crate) waits: Waits,
    /// An expression of the policy, in const evaluation, where the policy is plain.
    pub(crate) plain: Option<TokenStream>,
    pub(crate) leaves: &'a dyn Leaves,
}

/// Who waits in a run, and for how many things at a time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Waits {
    /// A thread, in a plain `fn`.
    Thread,
    /// A task, for one thing at a time, where only what its caller imposes ends it.
    Bare,
    /// A task, for one thing at a time.
    Alone,
    /// A task, for several things that are out together.
    Together,
}

/// Where a node stands.
#[derive(Clone)]
struct Place {
    /// An expression of the earliest enclosing limit.
    end: TokenStream,
    success: Success,
    /// The nearest retry: its counter and its figures.
    tries: Option<(Ident, TokenStream)>,
    /// The number of the nearest hedge's copy.
    copy: Option<Ident>,
    /// The nearest name.
    name: Option<String>,
    /// Whether it is on the run's own path, which waits for one thing at a time; a branch is driven with its siblings.
    alone: bool,
    /// Whether what is around has just asked whether something may start.
    admitted: bool,
}

/// What is done with a value.
#[derive(Clone)]
struct Success {
    /// What observers are told of it first: the races and fallbacks that it decides.
    won: TokenStream,
    to: To,
}

#[derive(Clone)]
enum To {
    /// The value ends its path, which is an async block.
    Return,
    /// The value ends the run, which is a labelled block.
    End,
    Break(syn::Lifetime),
}

impl Success {
    fn new(to: To) -> Self {
        Self {
            won: TokenStream::new(),
            to,
        }
    }

    fn with(&self, value: &TokenStream) -> TokenStream {
        let won = &self.won;
        let done = match &self.to {
            To::Return => quote!(return ::core::result::Result::Ok(#value)),
            To::End => {
                let run = run_label();
                quote!(break #run ::core::result::Result::Ok(#value))
            }
            To::Break(label) => quote!(break #label #value),
        };
        if won.is_empty() {
            done
        } else {
            quote!({ #won #done })
        }
    }

    /// The same, for the branch at `place` of a race or a fallback, counted from 0.
    fn winning(&self, rt: &TokenStream, policy: &TokenStream, place: usize) -> Self {
        let outer = &self.won;
        let place = u32::try_from(place + 1).unwrap_or(u32::MAX);
        Self {
            won: quote!(#rt::won(#policy, #place); #outer),
            to: self.to.clone(),
        }
    }
}

/// A policy's name as observers are told it: where it was written, if it has none.
pub(crate) fn observed(name: &str) -> TokenStream {
    if name.is_empty() {
        quote!(::core::concat!(::core::file!(), ":", ::core::line!()))
    } else {
        quote!(#name)
    }
}

/// A variable of the generated code that no code of the user's can see.
pub(crate) fn var(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// A value that says whether a run is lenient.
pub(crate) fn manner(rt: &TokenStream, lenient: bool) -> TokenStream {
    if lenient {
        quote!(#rt::Lenient)
    } else {
        quote!(#rt::Strict)
    }
}

fn run_label() -> syn::Lifetime {
    syn::Lifetime::new("'run", Span::mixed_site())
}

impl Waits {
    /// How a task waits in a run of the policy.
    pub(crate) fn of_task(root: &Node, leaves: &dyn Leaves) -> Self {
        let nodes = root.preorder();
        let beside = nodes.iter().any(|node| match &node.kind {
            NodeKind::Parallel(_) | NodeKind::Race(_) | NodeKind::Allowance(_) => true,
            NodeKind::Hedge(hedge) => {
                !matches!(hedge.child.kind, NodeKind::Attempt(_)) || !leaves.is_call(&hedge.child)
            }
            _ => false,
        });
        if beside {
            Self::Together
        } else if nodes
            .iter()
            .any(|node| limits(node) || matches!(node.kind, NodeKind::Hedge(_)))
        {
            Self::Alone
        } else {
            Self::Bare
        }
    }
}

fn numbered(name: &str, node: &Node) -> Ident {
    format_ident!("{name}{}", node.index, span = Span::mixed_site())
}

fn label(name: &str, node: &Node) -> syn::Lifetime {
    syn::Lifetime::new(&format!("'{name}{}", node.index), Span::mixed_site())
}

/// Whether something in the policy can end a run before an operation has returned an error.
pub(crate) fn interrupts(root: &Node) -> bool {
    interrupter(root).is_some()
}

/// The first node that can.
pub(crate) fn interrupter(root: &Node) -> Option<&Node> {
    root.preorder().into_iter().find(|node| match &node.kind {
        NodeKind::Retry(retry) => retry.until.is_some(),
        _ => limits(node),
    })
}

fn is_leaf(node: &Node) -> bool {
    matches!(node.kind, NodeKind::Attempt(_) | NodeKind::Call(_))
}

/// Whether the node limits what is in it.
pub(super) fn limits(node: &Node) -> bool {
    match &node.kind {
        NodeKind::Timeout(_) | NodeKind::Deadline(_) => true,
        NodeKind::Attempt(attempt) => attempt.bound.is_some(),
        _ => false,
    }
}

impl Body<'_> {
    /// The whole run, an expression: a `Result`, whose error the function `ended` makes of the run and its `Fall`. `manner` is a value that
    /// says whether the run is lenient.
    pub(crate) fn execute(
        &self,
        root: &Node,
        error: &TokenStream,
        manner: &TokenStream,
        ended: &TokenStream,
    ) -> TokenStream {
        let (rt, name) = (&self.rt, &self.name);
        if let Some(policy) = &self.plain {
            let (leaves, cx) = (root.leaves(), var("cx"));
            let call = leaves
                .first()
                .map(|leaf| self.leaves.call(leaf, &cx))
                .unwrap_or_default();
            return plain::execute(rt, policy, name, error, ended, &cx, &call);
        }
        let (timer, alarm, entered) = (var("timer"), var("alarm"), var("_entered"));
        let outcome = var("outcome");
        let start = match self.waits {
            Waits::Thread => quote! {
                let #entered = #rt::entered(#name);
                let #timer = #rt::Course::started(#name, #manner);
            },
            Waits::Bare => quote!(let mut #timer = #rt::Bare::new(#name, #manner);),
            Waits::Alone => quote!(let mut #timer = ::core::pin::pin!(#rt::Solo::new(#name, #manner));),
            Waits::Together => quote! {
                let #timer = &#rt::Timer::new(#name, #manner);
                let mut #alarm = ::core::pin::pin!(#rt::Alarm::new());
            },
        };
        let run = self.run(root, error);
        let whole = quote! {{
            #start
            #[allow(clippy::diverging_sub_expression, reason = "a node that always fails ends its block")]
            let #outcome = #run;
            #timer.finish(#outcome, #ended)
        }};
        if self.waits == Waits::Thread {
            whole
        } else {
            quote!(#rt::in_span!(#name, #whole))
        }
    }

    /// The run's path, an expression: a `Result<T, Fall<E>>`.
    fn run(&self, root: &Node, error: &TokenStream) -> TokenStream {
        let (timer, limit, now) = (var("timer"), var("limit"), var("now"));
        let specs = self.specs(root);
        let keys = self.keys(root);
        let (end, begin) = if self.waits == Waits::Bare {
            (quote!(#timer.end()), None)
        } else {
            let begin = quote! {
                let #limit = #timer.limit();
                let mut #now: u64 = 0;
            };
            (quote!(#limit), Some(begin))
        };
        let place = Place {
            end,
            success: Success::new(To::End),
            tries: None,
            copy: None,
            name: None,
            alone: true,
            admitted: false,
        };
        let path = self.path(root, &place, error);
        let run = run_label();
        quote! {
            #run: {
                #specs
                #keys
                #begin
                #path
            }
        }
    }

    /// The figures of retries and hedges as constants.
    fn specs(&self, root: &Node) -> TokenStream {
        if self.generic && self.needs.is_none() {
            return TokenStream::new();
        }
        let rt = &self.rt;
        root.preorder()
            .into_iter()
            .filter_map(|node| {
                let figures = self.figures(node)?;
                Some(if matches!(node.kind, NodeKind::Hedge(_)) {
                    let name = numbered("__HEDGE_", node);
                    quote!(const #name: #rt::HedgeSpec = #figures;)
                } else {
                    let name = numbered("__RETRY_", node);
                    quote!(const #name: #rt::RetrySpec<'static> = #figures;)
                })
            })
            .collect()
    }

    /// The figures of a retry or a hedge, in const evaluation.
    fn figures(&self, node: &Node) -> Option<TokenStream> {
        let (rt, policy) = (&self.rt, &self.policy);
        let nanos = |time: Option<Duration>| {
            let nanos = time.and_then(|time| u64::try_from(time.as_nanos()).ok());
            nanos.map_or_else(
                || quote!(::core::primitive::u64::MAX),
                |nanos| Literal::u64_unsuffixed(nanos).into_token_stream(),
            )
        };
        let needs = self.needs.as_ref().and_then(|needs| needs.get(node.index));
        let index = Literal::usize_unsuffixed(node.index);
        match (&node.kind, needs) {
            (NodeKind::Retry(retry), Some(needs)) => {
                let retry = retry_tokens(retry, &quote!(#rt::planner));
                let (least, start_by) = (nanos(Some(needs.time)), nanos(needs.start_by));
                Some(quote!(#rt::RetrySpec::new(#retry, #least, #start_by)))
            }
            (
                NodeKind::Hedge(Hedge {
                    after: Value::Literal(after, _),
                    copies: Value::Literal(copies, _),
                    ..
                }),
                Some(needs),
            ) => {
                let (least, start_by) = (nanos(Some(needs.time)), nanos(needs.start_by));
                let (after, copies) = (nanos(Some(*after)), Literal::u32_unsuffixed(*copies));
                Some(quote!(#rt::HedgeSpec {
                    after: #after, least: #least, start_by: #start_by, copies: #copies
                }))
            }
            (NodeKind::Retry(_), _) => Some(quote!(#rt::RetrySpec::of(&#policy, #index))),
            (NodeKind::Hedge(_), _) => Some(quote!(#rt::HedgeSpec::of(&#policy, #index))),
            _ => None,
        }
    }

    fn spec(&self, node: &Node, name: &str) -> TokenStream {
        if self.generic && self.needs.is_none() {
            let figures = self.figures(node);
            quote!(const { #figures })
        } else {
            let name = numbered(name, node);
            quote!(#name)
        }
    }

    /// The idempotency keys, made once, before the first attempt.
    fn keys(&self, root: &Node) -> TokenStream {
        let rt = &self.rt;
        let mut random = false;
        let mut keys = TokenStream::new();
        for node in root.leaves() {
            let NodeKind::Attempt(Attempt { key: Some(key), .. }) = &node.kind else {
                continue;
            };
            if let Some(expr) = &key.expr {
                let name = numbered("key", node);
                keys.extend(quote!(
                    let #name = ::core::option::Option::Some(
                        <#rt::IdempotencyKey as ::core::convert::From<_>>::from(#expr)
                    );
                ));
            } else if !random {
                random = true;
                let name = var("key");
                keys.extend(quote!(let #name = ::core::option::Option::Some(#rt::IdempotencyKey::random());));
            }
        }
        keys
    }

    fn key(node: &Node) -> TokenStream {
        if let NodeKind::Attempt(Attempt { key: Some(key), .. }) = &node.kind {
            let name = if key.expr.is_some() {
                numbered("key", node)
            } else {
                var("key")
            };
            quote!(#name)
        } else {
            quote!(::core::option::Option::None)
        }
    }

    /// A path's statements; `now` is the path's own.
    fn path(&self, node: &Node, place: &Place, error: &TokenStream) -> TokenStream {
        let rt = &self.rt;
        let (last, fell) = (var("last"), var("fell"));
        let run = self.node(node, place);
        quote! {
            let mut #last: ::core::option::Option<#error> = ::core::option::Option::None;
            let #fell: #rt::Fell = #run;
            ::core::result::Result::Err(#rt::Fall::new(#fell, #last.take()))
        }
    }

    /// Waits for what the timer is asked for: `leaf(…)` or `pause(…)`.
    fn awaited(&self, place: &Place, asked: &TokenStream) -> TokenStream {
        let (timer, alarm) = (var("timer"), var("alarm"));
        match self.waits {
            Waits::Alone => quote!(#timer.as_mut().#asked.await),
            Waits::Together if place.alone => {
                quote!(#timer.drive(#alarm.as_mut(), #timer.#asked).await)
            }
            _ => quote!(#timer.#asked.await),
        }
    }

    /// Takes the time of what follows: a statement. Where nothing limits the run, nobody asks for it.
    fn clock(&self) -> Option<TokenStream> {
        let (timer, now) = (var("timer"), var("now"));
        (self.waits != Waits::Bare).then(|| quote!(#now = #timer.now();))
    }

    /// Waits for a future under the limit around; `end` is that limit.
    fn limited(&self, place: &Place, end: &TokenStream, future: &TokenStream) -> TokenStream {
        let asked = if self.waits == Waits::Bare {
            quote!(leaf(#future))
        } else {
            quote!(leaf(#end, #future))
        };
        self.awaited(place, &asked)
    }

    /// An expression of whether something may start under the limit `end`: a `Result`.
    fn admits(&self, end: &TokenStream) -> TokenStream {
        let (timer, now) = (var("timer"), var("now"));
        if self.waits == Waits::Bare {
            quote!(#timer.may_start())
        } else {
            quote!(#timer.admits(#now, #end))
        }
    }

    /// Waits for all that is out together.
    fn driven(place: &Place, together: &TokenStream) -> TokenStream {
        if place.alone {
            let (timer, alarm) = (var("timer"), var("alarm"));
            quote!(#timer.drive(#alarm.as_mut(), #together).await)
        } else {
            quote!(#together.await)
        }
    }

    /// A branch: a path of its own, as a future. `success` is what its value is to the node that it is a branch of.
    fn branch(&self, node: &Node, success: Success, place: &Place) -> TokenStream {
        let place = Place {
            success,
            alone: false,
            ..place.clone()
        };
        let path = self.path(node, &place, &quote!(_));
        let now = var("now");
        quote!(async {
            let mut #now = #now;
            #path
        })
    }

    fn node(&self, node: &Node, place: &Place) -> TokenStream {
        let here = Place {
            name: node
                .name
                .as_ref()
                .map_or_else(|| place.name.clone(), |name| Some(name.to_string())),
            admitted: place.admitted && is_leaf(node),
            ..place.clone()
        };
        let place = &here;
        match &node.kind {
            NodeKind::Attempt(attempt) => self.leaf(node, attempt.bound.as_ref(), place),
            NodeKind::Call(_) => self.leaf(node, None, place),
            NodeKind::Timeout(limit) => self.timeout(node, limit, place),
            NodeKind::Deadline(limit) => self.deadline(node, limit, place),
            NodeKind::Retry(retry) => self.retry(node, retry, place),
            NodeKind::Hedge(hedge) => self.hedge(node, hedge, place),
            NodeKind::Allowance(allowance) => {
                let budget = &allowance.budget.path;
                let limit = match &allowance.limit {
                    Value::Literal(limit, _) => quote!(#limit),
                    Value::Expr(tokens) => tokens.clone(),
                };
                let rt = &self.rt;
                let branch = self.branch(&allowance.child, Success::new(To::Return), place);
                self.joined(&quote!(#rt::allowing(&#budget, #limit, #branch)), place)
            }
            NodeKind::Series(steps) => self.series(node, steps, place),
            NodeKind::Fallback(branches) => self.fallback(node, branches, place),
            NodeKind::Parallel(branches) => self.parallel(node, branches, place),
            NodeKind::Race(branches) => {
                let rt = &self.rt;
                let own = Success::new(To::Return);
                let chain = self.chain(branches, place, |at| own.winning(rt, &self.name, at));
                self.joined(&quote!(#rt::race(#chain)), place)
            }
        }
    }

    /// A limit on the run's clock.
    fn nanos(&self, node: &Node, value: &Value<Duration>) -> TokenStream {
        let (rt, policy) = (&self.rt, &self.policy);
        match value {
            Value::Literal(value, _) => {
                let nanos = u64::try_from(value.as_nanos()).unwrap_or(u64::MAX);
                if nanos.is_multiple_of(1_000_000) {
                    let millis = Literal::u64_unsuffixed(nanos / 1_000_000);
                    quote!(#rt::ms(#millis))
                } else {
                    let nanos = Literal::u64_unsuffixed(nanos);
                    quote!(#rt::within(#nanos))
                }
            }
            Value::Expr(_) => {
                let index = Literal::usize_unsuffixed(node.index);
                quote!(const { #rt::limit(&#policy, #index) })
            }
        }
    }

    fn leaf(&self, node: &Node, bound: Option<&Value<Duration>>, place: &Place) -> TokenStream {
        let rt = &self.rt;
        let (timer, now, last, cx) = (var("timer"), var("now"), var("last"), var("cx"));
        let (answer, value, error, fell) = (var("answer"), var("value"), var("error"), var("fell"));
        let (watch, site) = (var("watch"), self.site(place.name.as_ref()));
        let outer = &place.end;
        let (number, of) = Self::number(place);
        let copy = place
            .copy
            .as_ref()
            .map_or_else(|| quote!(1), |copy| quote!(#copy));
        let key = Self::key(node);
        let is_call = matches!(node.kind, NodeKind::Call(_));
        let failed = if is_call {
            quote!(#rt::call_fell())
        } else {
            quote!(#rt::Fell::FAILED)
        };
        let done = place.success.with(&quote!(#value));
        let (limits, end, cut) = if let Some(bound) = bound {
            let (own, end) = (numbered("bound", node), numbered("end", node));
            let nanos = self.nanos(node, bound);
            (
                quote! {
                    let #own = #now.wrapping_add(#nanos);
                    let #end = #rt::earlier(#own, #outer);
                },
                quote!(#end),
                quote!(#fell.through_timeout(#own, #outer)),
            )
        } else if self.lenient && self.waits != Waits::Bare {
            let end = numbered("end", node);
            let limit = self.inherited(outer);
            (quote!(let #end = #limit;), quote!(#end), quote!(#fell))
        } else {
            (TokenStream::new(), outer.clone(), quote!(#fell))
        };
        let (seen, run) = self.operation(node, place, &end);
        let attempt = match self.waits {
            Waits::Bare if place.admitted => quote!(#timer.admitted(#number, #of, #copy, #key)),
            Waits::Bare => quote!(#timer.attempt(#number, #of, #copy, #key)),
            Waits::Alone => quote!(#timer.as_mut().attempt(#now, #end, #number, #of, #copy, #key)),
            Waits::Thread | Waits::Together => {
                quote!(#timer.attempt(#now, #end, #number, #of, #copy, #key))
            }
        };
        let heard = (self.lenient && self.waits == Waits::Bare).then(|| quote!(#timer.failed();));
        quote! {{
            #limits
            match #attempt {
                ::core::result::Result::Ok(#cx) => {
                    #seen
                    let #watch = #rt::Watch::starts(&#site, #cx);
                    let #answer = #run;
                    match #watch.ended(#answer) {
                        ::core::result::Result::Ok(::core::result::Result::Ok(#value)) => #done,
                        ::core::result::Result::Ok(::core::result::Result::Err(#error)) => {
                            #last = ::core::option::Option::Some(#error);
                            #heard
                            #failed
                        }
                        ::core::result::Result::Err(#fell) => #cut,
                    }
                }
                ::core::result::Result::Err(#fell) => #cut,
            }
        }}
    }

    /// The operation of a leaf under the limit `end`, an expression: a `Result`, with the operation's own in it. Before it, the
    /// items that it needs.
    fn operation(&self, node: &Node, place: &Place, end: &TokenStream) -> (Option<TokenStream>, TokenStream) {
        let rt = &self.rt;
        let (timer, cx, answer) = (var("timer"), var("cx"), var("answer"));
        let is_call = matches!(node.kind, NodeKind::Call(_));
        let told = if self.leaves.any_outcome() {
            Some(quote!(#rt::Outcome::into_result(#answer)))
        } else {
            None
        };
        let waiting = match self.waits {
            Waits::Bare => Some(quote!(#timer)),
            Waits::Alone => Some(quote!(#timer.as_mut().entered(#end))),
            Waits::Thread | Waits::Together => None,
        };
        if let Some(waiting) = waiting.filter(|_| !is_call)
            && let Some(delegate) = self.leaves.delegate(node, &cx)
        {
            return (Some(Delegate::items(rt)), delegate.run(&waiting, told));
        }
        let call = self.leaves.call(node, &cx);
        let run = match (is_call, self.waits) {
            (false, Waits::Thread) => quote!(#timer.call(#end, || #call)),
            (false, _) => self.limited(place, end, &call),
            (true, Waits::Thread) => quote!(#timer.call(#end, || #rt::calling(|| #call))),
            (true, _) => self.limited(place, end, &quote!(#rt::called(#call))),
        };
        let run = if told.is_some() {
            quote!(#run.map(#rt::Outcome::into_result))
        } else {
            run
        };
        (None, run)
    }

    /// The limit that holds for an attempt that starts now and has none of its own.
    fn inherited(&self, end: &TokenStream) -> TokenStream {
        let (timer, last) = (var("timer"), var("last"));
        if self.lenient {
            quote!(#timer.inherited(#end, ::core::option::Option::is_some(&#last)))
        } else {
            quote!(#end)
        }
    }

    fn timeout(&self, node: &Node, limit: &Limit, place: &Place) -> TokenStream {
        let rt = &self.rt;
        let (now, outer) = (var("now"), &place.end);
        let (own, end, fell) = (numbered("timeout", node), numbered("end", node), var("fell"));
        let nanos = self.nanos(node, &limit.limit);
        let child = self.node(
            &limit.child,
            &Place {
                end: quote!(#end),
                ..place.clone()
            },
        );
        quote! {{
            let #own = #now.wrapping_add(#nanos);
            let #end = #rt::earlier(#own, #outer);
            let #fell: #rt::Fell = #child;
            #fell.through_timeout(#own, #outer)
        }}
    }

    fn deadline(&self, node: &Node, limit: &Limit, place: &Place) -> TokenStream {
        let rt = &self.rt;
        let outer = &place.end;
        let (own, end, fell) = (numbered("deadline", node), numbered("end", node), var("fell"));
        let nanos = self.nanos(node, &limit.limit);
        let child = self.node(
            &limit.child,
            &Place {
                end: quote!(#end),
                ..place.clone()
            },
        );
        quote! {{
            let #own = #nanos;
            let #end = #rt::earlier(#own, #outer);
            let #fell: #rt::Fell = #child;
            #fell.through_deadline(#own, #outer)
        }}
    }

    #[expect(
        clippy::too_many_lines,
        clippy::similar_names,
        reason = "it is one template, in the words of a retry"
    )]
    fn retry(&self, node: &Node, retry: &Retry, place: &Place) -> TokenStream {
        let rt = &self.rt;
        let (timer, now, last) = (var("timer"), var("now"), var("last"));
        let (fell, wait, then, error) = (var("fell"), var("wait"), var("then"), var("error"));
        let (hint, verdict) = (var("hint"), var("verdict"));
        let policy = &self.name;
        let tries = numbered("tries", node);
        let spec = self.spec(node, "__RETRY_");
        let end = &place.end;
        let budget = retry.budget.as_ref().map(|budget| &budget.path);

        let clock = self.clock();
        let at_once = retry.retry_after.is_none()
            && retry
                .backoff
                .as_ref()
                .is_some_and(|backoff| matches!(backoff.kind, BackoffKind::None));
        let breathes = matches!(retry.attempts, Attempts::Unlimited(_)) && self.waits != Waits::Thread;
        // Nothing happens between what is asked after an attempt and the next one: what has just been asked holds still.
        let still = at_once && !breathes && retry.on_retry.is_none();
        // Whether it is asked before the first attempt whether something may start, so that the leaf needn't ask.
        let asked = budget.is_some() || (still && self.waits == Waits::Bare && is_leaf(&retry.child));
        let tried = self.tried(node, retry, place, &tries, &spec, asked);
        let (request, record, admit, spend) = match budget {
            None => Default::default(),
            Some(budget) => {
                let trial = numbered("trial", node);
                let hinted = if retry.retry_after.is_some() {
                    quote!(::core::option::Option::is_some(&#hint))
                } else {
                    quote!(false)
                };
                let ended = if retry.until.is_some() {
                    quote!(ended)
                } else {
                    quote!(failed)
                };
                let (first, pays, starts) = if still {
                    (quote!(at_once), quote!(again_at_once), None)
                } else {
                    let admits = self.admits(end);
                    let starts = quote! {
                        // A repeat that can't start gives back what was paid for it.
                        if let ::core::result::Result::Err(#fell) = #admits {
                            break #fell;
                        }
                        #trial.again();
                    };
                    (quote!(first), quote!(admit), Some(starts))
                };
                (
                    quote!(let mut #trial = #rt::Trial::#first(|| &#budget);),
                    quote!(#trial.#ended(#fell.end(#hinted));),
                    quote! {
                        if !#trial.#pays(#fell.repeat()) {
                            #rt::refused(#policy, #tries.number(), #rt::Stop::BudgetRefused);
                            break #fell.because(#rt::Stop::BudgetRefused);
                        }
                    },
                    starts,
                )
            }
        };
        let hinted = retry.retry_after.as_ref().map(|read| {
            let quiet = quiet(read);
            quote! {
                #quiet
                let #hint = match (#fell, &#last) {
                    (#rt::Fell::Failed(_), ::core::option::Option::Some(#error)) => #rt::retry_after(#error, #read),
                    _ => ::core::option::Option::None,
                };
            }
        });
        let hint = if hinted.is_some() {
            quote!(#hint)
        } else {
            quote!(::core::option::Option::None)
        };
        let when = retry.when.as_ref().map(|when| {
            let judged = if is_async(when) {
                let judging = self.limited(place, end, &quote!(#rt::when_async(#error, #when)));
                quote!(match #judging {
                    ::core::result::Result::Ok(#verdict) => #rt::Verdict::again(#verdict),
                    ::core::result::Result::Err(#fell) => break #fell,
                })
            } else {
                quote!(#rt::when(#error, #when))
            };
            let quiet = quiet(when);
            quote! {
                #quiet
                if let (#rt::Fell::Failed(_), ::core::option::Option::Some(#error)) = (#fell, &#last) {
                    if !#judged {
                        break #fell.because(#rt::Stop::NotRetryable);
                    }
                }
            }
        });
        let on_retry = retry.on_retry.as_ref().map(|hook| {
            let told = quote!(#rt::Retrying::new(
                #tries.number(), #fell, ::core::option::Option::as_ref(&#last), #wait
            ));
            if is_async(hook) {
                let hooked = self.limited(place, end, &quote!(#rt::on_retry_async(#told, #hook)));
                quote! {
                    if let ::core::result::Result::Err(#fell) = #hooked {
                        break #fell;
                    }
                    #clock
                }
            } else {
                let quiet = quiet(hook);
                quote!(#quiet #rt::on_retry(#told, #hook);)
            }
        });
        let breathe = breathes.then(|| {
            quote! {
                #timer.breathe(#tries).await;
                #clock
            }
        });
        let look = if self.waits == Waits::Bare {
            quote!(#timer.waited(&#spec, #policy, #tries, #fell))
        } else {
            quote!(#spec.waited(#policy, #tries, #now, #end, #fell))
        };
        let waited = quote! {
            if let ::core::result::Result::Err(#fell) = #look {
                break #fell;
            }
        };
        // Without a wait only what is awaited beside it lets time pass.
        let awaits = breathes || retry.on_retry.as_ref().is_some_and(is_async);
        let (after_wait, after_all) = if awaits {
            (None, Some(waited))
        } else {
            (Some(waited), None)
        };
        // Only what is drawn from the last wait keeps it.
        let remembers = retry.backoff.as_ref().is_some_and(|backoff| {
            matches!(
                backoff.kind,
                BackoffKind::Decorrelated { .. } | BackoffKind::Expr(_)
            )
        });
        let previous = if remembers { quote!(u64) } else { quote!(()) };
        let pause = match self.waits {
            Waits::Thread => quote!(#timer.sleep(#now, #wait)),
            Waits::Bare => self.awaited(place, &quote!(pause(#wait))),
            Waits::Alone | Waits::Together => self.awaited(place, &quote!(pause(#now, #wait))),
        };
        let (pause, drawn, asks, about) = if self.waits == Waits::Bare {
            (
                quote! {
                    if let ::core::result::Result::Err(#fell) = #pause {
                        break #fell;
                    }
                    #after_wait
                },
                quote!(#timer.wait(&#spec, #policy, &mut #tries, #hint, #fell)),
                quote!(#timer),
                quote!(&#spec, #policy, &mut #tries, #fell),
            )
        } else {
            let paused = if after_wait.is_some() {
                quote!(#spec.paused(#policy, #tries, #pause, #end, #fell))
            } else {
                pause
            };
            (
                quote! {
                    match #paused {
                        ::core::result::Result::Ok(#then) => #now = #then,
                        ::core::result::Result::Err(#fell) => break #fell,
                    }
                },
                quote!(#spec.wait(#policy, &mut #tries, #now, #end, #hint, #fell)),
                quote!(#spec),
                quote!(#policy, &mut #tries, #now, #end, #fell),
            )
        };
        // What stands between a failure and the next attempt is asked in one call, if it can be: each line is time for the
        // compiler.
        let judges = retry.when.as_ref().filter(|when| !is_async(when));
        let decided = if when.is_some() == judges.is_some() && hinted.is_none() && budget.is_none() {
            let quiet = judges.and_then(quiet);
            let again = if let Some(when) = judges {
                quote!(#asks.again_when(#about, &#last, #when))
            } else {
                quote!(#asks.again(#about))
            };
            if at_once && on_retry.is_none() {
                quote! {
                    #quiet
                    if let ::core::result::Result::Err(#fell) = #again {
                        break #fell;
                    }
                }
            } else {
                quote! {
                    #quiet
                    let #wait = match #again {
                        ::core::result::Result::Ok(#wait) => #wait,
                        ::core::result::Result::Err(#fell) => break #fell,
                    };
                }
            }
        } else {
            quote! {
                #hinted
                #record
                if let ::core::option::Option::Some(#fell) = #spec.ends(#tries, #fell) {
                    break #fell;
                }
                #when
                let #wait = match #drawn {
                    ::core::result::Result::Ok(#wait) => #wait,
                    ::core::result::Result::Err(#fell) => break #fell,
                };
                #admit
                #rt::waits(#policy, #tries.number(), #wait, #hint);
            }
        };
        // Where nothing ever waits, nothing has to be kept meanwhile.
        let pause = (!at_once).then(|| quote!(if #wait > 0 { #pause }));
        let run = quote! {
            let mut #tries = #rt::Tries::<#previous>::new();
            #request
            loop {
                let #fell: #rt::Fell = #tried;
                #clock
                #decided
                #on_retry
                #pause
                #breathe
                #after_all
                #spend
                #tries.next();
            }
        };
        if !asked {
            return quote!({ #run });
        }
        // What never starts a call funds nothing.
        let admitted = self.admits(&self.inherited(end));
        quote! {
            match #admitted {
                ::core::result::Result::Ok(()) => { #run }
                ::core::result::Result::Err(#fell) => #fell,
            }
        }
    }

    /// One attempt of a retry; what looks at values is between the child and what encloses the retry.
    #[expect(clippy::similar_names, reason = "what is tried is one of the tries")]
    fn tried(
        &self,
        node: &Node,
        retry: &Retry,
        place: &Place,
        tries: &Ident,
        spec: &TokenStream,
        admitted: bool,
    ) -> TokenStream {
        let rt = &self.rt;
        let (value, last) = (var("value"), var("last"));
        let inner = Place {
            tries: Some((tries.clone(), spec.clone())),
            admitted,
            ..place.clone()
        };
        if retry.until.is_none() && retry.budget.is_none() {
            return self.node(&retry.child, &inner);
        }
        let (tried, got) = (label("tried", node), label("value", node));
        let child = self.node(
            &retry.child,
            &Place {
                success: Success::new(To::Break(got.clone())),
                ..inner
            },
        );
        let succeeded = retry.budget.as_ref().map(|_| {
            let trial = numbered("trial", node);
            quote!(#trial.succeeded();)
        });
        let done = place.success.with(&quote!(#value));
        let seen = match &retry.until {
            None => done,
            Some(until) => {
                let quiet = quiet(until);
                quote! {
                    #quiet
                    if #rt::until(&#value, #until) {
                        #done
                    }
                    #last = ::core::option::Option::None;
                    #rt::Fell::NOT_YET
                }
            }
        };
        quote! {
            #tried: {
                let #value = #got: { break #tried #child };
                #succeeded
                #seen
            }
        }
    }

    fn hedge(&self, node: &Node, hedge: &Hedge, place: &Place) -> TokenStream {
        let rt = &self.rt;
        let (timer, now, end, policy) = (var("timer"), var("now"), &place.end, &self.name);
        let (launch, copy) = (numbered("launch", node), numbered("copy", node));
        let spec = self.spec(node, "__HEDGE_");
        let count = match &hedge.copies {
            Value::Literal(copies, _) => {
                let copies = proc_macro2::Literal::u32_unsuffixed(*copies);
                quote!(#copies)
            }
            Value::Expr(tokens) => quote!({ (#tokens) as usize }),
        };
        let pays = hedge.budget.as_ref().map_or_else(
            || quote!(|_| true),
            |Budget { path, .. }| {
                let fell = var("fell");
                quote!(|counted| {
                    match counted {
                        #rt::Counted::First => #rt::Budget::request(&#path),
                        #rt::Counted::Won => #rt::Budget::succeeded(&#path, 0),
                        #rt::Counted::Lost(#fell) => #rt::Budget::record(&#path, #fell.end(false)),
                        #rt::Counted::Dropped => #rt::Budget::record(&#path, #rt::End::Cancelled),
                        #rt::Counted::Again => return #rt::Budget::spend(&#path, #rt::Repeat::Hedge),
                    }
                    true
                })
            },
        );
        if self.waits == Waits::Alone {
            return self.leaf_hedge(node, hedge, place, &count, &pays);
        }
        let inner = Place {
            success: Success::new(To::Return),
            copy: Some(copy.clone()),
            alone: false,
            ..place.clone()
        };
        let path = self.path(&hedge.child, &inner, &quote!(_));
        let run = self.joined(
            &quote!(#timer.hedge::<#count, _, _, _, _, _>(#policy, #now, #end, &#spec, #launch, #pays)),
            place,
        );
        quote! {{
            let #launch = async |#copy: u32, mut #now: u64| { #path };
            #run
        }}
    }

    /// A hedge of one operation, on a path of its own.
    fn leaf_hedge(
        &self,
        node: &Node,
        hedge: &Hedge,
        place: &Place,
        count: &TokenStream,
        pays: &TokenStream,
    ) -> TokenStream {
        let rt = &self.rt;
        let (timer, now, last, cx) = (var("timer"), var("now"), var("last"), var("cx"));
        let (limit, copy, answer) = (var("limit"), var("copy"), var("answer"));
        let (value, fall) = (var("value"), var("fall"));
        let (end, leaf, spec) = (&place.end, &*hedge.child, self.spec(node, "__HEDGE_"));
        let site = self.site(
            leaf.name
                .as_ref()
                .map(ToString::to_string)
                .as_ref()
                .or(place.name.as_ref()),
        );
        let (number, of) = Self::number(place);
        let key = Self::key(leaf);
        let bound = if let NodeKind::Attempt(Attempt {
            bound: Some(bound), ..
        }) = &leaf.kind
        {
            self.nanos(leaf, bound)
        } else {
            quote!(::core::primitive::u64::MAX)
        };
        let call = self.leaves.call(leaf, &cx);
        let answered = if self.leaves.any_outcome() {
            quote!(#rt::Outcome::into_result(#answer))
        } else {
            quote!(#answer)
        };
        let done = place.success.with(&quote!(#value));
        quote! {
            match #timer.as_mut().hedge::<#count, _, _, _, _, _, _, _>(
                #now,
                #end,
                || #rt::Known { spec: &#spec, site: &#site, bound: #bound },
                |#limit, #copy| {
                    let #cx = #rt::Attempt::new(#number, #of, #copy, #limit, #key);
                    (#cx, #call)
                },
                |#answer| #answered,
                #pays,
            ).await {
                ::core::result::Result::Ok(#value) => #done,
                ::core::result::Result::Err(#fall) => #rt::Fall::merge(#fall, &mut #last),
            }
        }
    }

    /// An expression of where an attempt stands, for observers.
    fn site(&self, name: Option<&String>) -> TokenStream {
        let (rt, policy) = (&self.rt, &self.name);
        let leaf = name.map_or_else(|| policy.clone(), |name| quote!(#name));
        quote!(#rt::Site { policy: #policy, leaf: #leaf })
    }

    /// Expressions of an attempt's number, and of how many there are at most.
    fn number(place: &Place) -> (TokenStream, TokenStream) {
        match &place.tries {
            Some((tries, spec)) => (quote!(#tries.number()), quote!(#spec.of_attempts())),
            None => (quote!(1), quote!(1)),
        }
    }

    fn series(&self, node: &Node, steps: &[Node], place: &Place) -> TokenStream {
        let failed = label("series", node);
        let mut names = Vec::new();
        let mut code = TokenStream::new();
        for (at, step) in steps.iter().enumerate() {
            let name = step_name(step, at);
            let got = label("step", step);
            let child = self.node(
                step,
                &Place {
                    success: Success::new(To::Break(got.clone())),
                    ..place.clone()
                },
            );
            if at > 0 {
                code.extend(self.clock());
            }
            code.extend(quote!(let #name = #got: { break #failed #child };));
            names.push(name);
        }
        let done = place.success.with(&self.leaves.output(node, &names));
        quote!(#failed: { #code #done })
    }

    fn fallback(&self, node: &Node, branches: &[Node], place: &Place) -> TokenStream {
        let rt = &self.rt;
        let (fell, clock) = (var("fell"), self.clock());
        let failed = label("fallback", node);
        let mut code = TokenStream::new();
        for (at, branch) in branches.iter().enumerate() {
            let child = self.node(
                branch,
                &Place {
                    success: place.success.winning(rt, &self.name, at),
                    ..place.clone()
                },
            );
            if at + 1 == branches.len() {
                code.extend(child);
            } else {
                code.extend(quote! {
                    let #fell: #rt::Fell = #child;
                    if #fell.unwinds() {
                        break #failed #fell;
                    }
                    #clock
                });
            }
        }
        quote!(#failed: { #code })
    }

    fn parallel(&self, node: &Node, branches: &[Node], place: &Place) -> TokenStream {
        let rt = &self.rt;
        let (last, fall) = (var("last"), var("fall"));
        let chain = self.chain(branches, place, |_| Success::new(To::Return));
        let names: Vec<_> = branches
            .iter()
            .enumerate()
            .map(|(at, branch)| step_name(branch, at))
            .collect();
        let pattern = names
            .iter()
            .rev()
            .fold(quote!(()), |rest, name| quote!((#name, #rest)));
        let done = place.success.with(&self.leaves.output(node, &names));
        let joined = Self::driven(place, &quote!(#rt::parallel(#chain)));
        quote! {
            match #joined {
                ::core::result::Result::Ok(#pattern) => #done,
                ::core::result::Result::Err(#fall) => #rt::Fall::merge(#fall, &mut #last),
            }
        }
    }

    fn chain(&self, branches: &[Node], place: &Place, success: impl Fn(usize) -> Success) -> TokenStream {
        let rt = &self.rt;
        let branches = branches.iter().enumerate().rev();
        branches.fold(quote!(#rt::NoMore), |rest, (at, branch)| {
            let branch = self.branch(branch, success(at), place);
            quote!(#rt::Branch::new(#branch, #rest))
        })
    }

    /// Awaits a node that is a future of its own, and takes its last error over.
    fn joined(&self, future: &TokenStream, place: &Place) -> TokenStream {
        let rt = &self.rt;
        let (last, value, fall) = (var("last"), var("value"), var("fall"));
        let done = place.success.with(&quote!(#value));
        let joined = Self::driven(place, future);
        quote! {
            match #joined {
                ::core::result::Result::Ok(#value) => #done,
                ::core::result::Result::Err(#fall) => #rt::Fall::merge(#fall, &mut #last),
            }
        }
    }
}

/// The binding of a step's or a branch's value.
pub(crate) fn step_name(step: &Node, at: usize) -> Ident {
    step.name
        .clone()
        .unwrap_or_else(|| format_ident!("step{at}", span = Span::mixed_site()))
}
