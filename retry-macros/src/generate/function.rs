//! `#[retry]` on a function: the body becomes the operation of the policy's one leaf; all else stays as it was written.
//!
//! | function | what is wrapped |
//! |---|---|
//! | `async fn` | its body; where all arguments can be copied, the function may return the run itself ([`copied`]) |
//! | what `#[async_trait]` makes of one: `Box::pin(async move { … })` | the innermost block, where the body went |
//! | `fn … -> impl Future` that ends in an async block | that block's inside |
//! | any other `fn … -> impl Future` | the whole body, evaluated for each attempt |
//! | a plain `fn` | its body, on the thread's own clock |

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use retry_syntax::ast::{FnPolicy, Node, NodeKind, RetryArgs};
use syn::parse::{ParseStream, Parser};

use super::arguments::{Arguments, mentions};
use super::body::{self, Body, Leaves, Waits, var};
use super::delegate::Delegate;
use super::inside::Inside;
use super::plain::{self, is_figures};
use super::run_named::ported;
use super::{copied, ended, hooks};
use crate::chain::Chained;
use crate::judge::{Home, Judged};
use crate::spans;

/// A function in parts; its body is never parsed.
struct Function {
    vis: syn::Visibility,
    defaultness: Option<TokenStream>,
    signature: syn::Signature,
    body: Group,
}

impl Function {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let vis = input.parse()?;
        let defaultness = input
            .parse::<Option<syn::Token![default]>>()?
            .map(ToTokens::into_token_stream);
        let signature = input.parse()?;
        let token = input.parse::<TokenTree>()?;
        let body =
            braced(&token).ok_or_else(|| syn::Error::new(token.span(), "expected the function's body"))?;
        Ok(Self {
            vis,
            defaultness,
            signature,
            body,
        })
    }
}

/// A block; one that a macro passed on as `$body` stands in a group without delimiters.
fn braced(token: &TokenTree) -> Option<Group> {
    let TokenTree::Group(group) = token else {
        return None;
    };
    match group.delimiter() {
        Delimiter::Brace => Some(group.clone()),
        Delimiter::None => {
            let mut inside = group.stream().into_iter();
            let only = inside.next().filter(|_| inside.next().is_none())?;
            braced(&only)
        }
        _ => None,
    }
}

/// Where the user's code stands in the body.
enum Form {
    /// The whole body is the code, in an `async fn`.
    Async,
    /// A block inside of the body: what stands around it, and what the block's value is.
    Inside(Box<Inside>),
    /// The body makes a future, anew for each attempt.
    Future,
    /// The thread waits.
    Blocking,
}

struct Leaf<'a> {
    rt: TokenStream,
    args: &'a RetryArgs,
    arguments: &'a Arguments,
    /// The function's own type and const parameters.
    generics: &'a [String],
    code: TokenStream,
    /// Where the code stands.
    place: Span,
    output: Option<TokenStream>,
    form: LeafForm,
}

enum LeafForm {
    Async,
    Future,
    Blocking,
}

/// A function; `judged` is there where its policy is a tree, `chained` where it says what it calls.
pub(super) fn function(
    args: &RetryArgs,
    attributes: &[TokenStream],
    item: &TokenStream,
    facade: &TokenStream,
    judged: Option<&Judged>,
    chained: Option<&Chained>,
    words: &TokenStream,
) -> TokenStream {
    let function = match Function::parse.parse2(item.clone()) {
        Ok(function) => function,
        Err(error) => {
            let fault = declaration(item).unwrap_or_else(|| no_function(&error));
            return quote!(#fault #(#attributes)* #item);
        }
    };
    let rt = quote!(#facade::__private);
    let Function {
        vis,
        defaultness,
        mut signature,
        body,
    } = function;
    let (mut arguments, mut faults) = Arguments::of(&mut signature, &args.clones);
    let mut form = form(&signature, &body);
    if let Form::Inside(inside) = &mut form {
        arguments.inside(inside, &mut faults);
    }
    faults.extend(refused(&args.policy, &arguments, &form, &signature.ident));
    if matches!(signature.output, syn::ReturnType::Default) {
        let text = format!(
            "`{}` returns nothing that says whether to try again: it needs a `Result`, an `Option` or another `Outcome`",
            signature.ident
        );
        faults.push(quote_spanned!(signature.ident.span()=> ::core::compile_error!(#text);));
    }
    if let Some(primitive) = returned(&signature).and_then(only_word).filter(is_primitive) {
        let text = format!(
            "`{primitive}` says nothing of success and failure: an operation has to return a `Result`, an `Option` or another `Outcome`"
        );
        faults.push(quote_spanned!(primitive.span()=> ::core::compile_error!(#text);));
    }
    if !faults.is_empty() {
        let context = args
            .context
            .as_ref()
            .map(|name| quote!(let #name = #rt::Attempt::ONLY; let _ = #name;));
        let stream = body.stream();
        return quote! {
            #(#faults)*
            #(#attributes)*
            #vis #defaultness #signature { #words #context #stream }
        };
    }
    let output = returned(&signature);
    let generics: Vec<String> = signature
        .generics
        .params
        .iter()
        .filter_map(|param| match param {
            syn::GenericParam::Type(param) => Some(param.ident.to_string()),
            syn::GenericParam::Const(param) => Some(param.ident.to_string()),
            syn::GenericParam::Lifetime(_) => None,
        })
        .collect();
    let (code, leaf_form) = match &form {
        Form::Async => (body.stream(), LeafForm::Async),
        Form::Inside(inside) => (inside.block.clone(), LeafForm::Async),
        Form::Future => (body.stream(), LeafForm::Future),
        Form::Blocking => (body.stream(), LeafForm::Blocking),
    };
    let leaf = Leaf {
        rt: rt.clone(),
        args,
        arguments: &arguments,
        generics: &generics,
        code: arguments.code(code),
        place: Span::mixed_site().located_at(body.span()),
        output,
        form: leaf_form,
    };
    let copied = matches!(form, Form::Async) && copied::is_copied(&signature);
    let whole = copied.then(|| leaf.whole(judged)).flatten();
    let run = match whole {
        Some(whole) if copied::to_plain(&mut signature, attributes) => whole,
        Some(whole) => quote!(#whole.await),
        None => {
            let run = match &args.policy {
                FnPolicy::Named(policy) => {
                    let cx = var("cx");
                    let future = leaf.future(&cx);
                    ported(&rt, policy, &cx, &future, args.head.interrupted.as_ref())
                }
                FnPolicy::Tree(root) => leaf.run(root, judged),
            };
            match &form {
                Form::Async | Form::Blocking => run,
                Form::Inside(inside) => inside.around(&run),
                Form::Future => quote!(async move { #run }),
            }
        }
    };
    let exported = exported(args, &vis, &rt, judged, chained);
    quote! {
        #exported
        #(#attributes)*
        #vis #defaultness #signature { #words #run }
    }
}

/// What the policy can't do for this function.
fn refused(policy: &FnPolicy, arguments: &Arguments, form: &Form, name: &Ident) -> Vec<TokenStream> {
    let mut faults = Vec::new();
    if let FnPolicy::Tree(root) = policy
        && has(root, |kind| matches!(kind, NodeKind::Hedge(_)))
    {
        faults.extend(arguments.exclusive.iter().map(|(span, argument)| {
            let text = format!(
                "`hedge` runs copies of `{name}` side by side, and `{argument}` can be borrowed by only one of them: take `&{argument}` in place of `&mut`, or use `retry`"
            );
            quote_spanned!(*span=> ::core::compile_error!(#text);)
        }));
    }
    match (form, policy) {
        (Form::Blocking, FnPolicy::Tree(root)) => faults.extend(blocking_faults(root, name)),
        (Form::Blocking, FnPolicy::Named(policy)) => {
            let text = "a named policy runs async code: on a plain `fn`, write the policy out";
            let span = retry_syntax::ast::first_span(policy);
            faults.push(quote_spanned!(span=> ::core::compile_error!(#text);));
        }
        _ => {}
    }
    if let FnPolicy::Tree(root) = policy
        && root.leaves().len() > 1
    {
        let text = "a function is one operation, and this policy has several leaves: write a named policy, and run it with an operation for each leaf";
        let span = root.keyword.span();
        faults.push(quote_spanned!(span=> ::core::compile_error!(#text);));
    }
    faults
}

/// The function's plan as a constant beside it.
fn exported(
    args: &RetryArgs,
    vis: &syn::Visibility,
    rt: &TokenStream,
    judged: Option<&Judged>,
    chained: Option<&Chained>,
) -> Option<TokenStream> {
    let name = args.export.as_ref()?;
    let policy = chained
        .map(|chained| &chained.policy)
        .or_else(|| judged.map(|judged| &judged.policy));
    let plan = match (policy, &args.policy) {
        (Some(policy), _) => quote!(#rt::planner::Plan::of(&const { #policy })),
        (None, FnPolicy::Named(policy)) => quote!(<#policy>::PLAN),
        (None, FnPolicy::Tree(_)) => return None,
    };
    Some(quote! {
        /// What the function can do: its fastest success, its latest end, its calls.
        #[allow(dead_code, reason = "a plan is there for whoever asks")]
        #vis const #name: #rt::planner::Plan<'static> = #plan;
    })
}

impl Leaf<'_> {
    /// The whole run, a future of what the function returns: where all arguments can be copied, and the run stands in the
    /// runtime or is a named policy's.
    fn whole(&self, judged: Option<&Judged>) -> Option<TokenStream> {
        let rt = &self.rt;
        let output = self.output.as_ref()?;
        if mentions(output, |word| word == "_") {
            return None;
        }
        let cx = var("cx");
        let code = self.code(&cx);
        let operation = quote_spanned!(self.place=> move |#cx: #rt::Attempt| async move { #code });
        let interrupted = self.args.head.interrupted.as_ref();
        match &self.args.policy {
            FnPolicy::Named(policy) if interrupted.is_none() => Some(quote! {{
                const { #rt::one_at_a_time(&<#policy>::POLICY) };
                <#policy>::run(#operation)
            }}),
            FnPolicy::Named(_) => None,
            FnPolicy::Tree(root) => {
                let judged = judged?;
                let constant = Home::of(&judged.policy, self.generics) == Home::Item;
                let lent = plain::budget(root).is_some_and(|budget| self.arguments.any_in(budget));
                if !constant || lent || !plain::is_plain(root) {
                    return None;
                }
                let interrupts = body::interrupts(root);
                let lenient = !interrupts && interrupted.is_none();
                let moved = interrupted.map(|_| quote!(move));
                let ended = ended::error(rt, interrupted, interrupts, spans::error_type(output), true);
                let declared = plain::declared(rt, &judged.policy, &body::observed(&judged.name));
                let manner = body::manner(rt, lenient);
                let run = plain::Run {
                    rt,
                    policy: &quote!(__Plain),
                    root,
                    manner: &manner,
                    output,
                    operation: &operation,
                    when: plain::when(root).map(|when| {
                        let error = var("error");
                        let verdict = hooks::verdict(rt, when, &error);
                        quote!(move |#error| { #verdict })
                    }),
                    ended: &quote!(#moved #ended),
                };
                let run = run.future();
                Some(quote!({ #declared #run }))
            }
        }
    }

    /// The whole run, whose value is what the function returns.
    fn run(&self, root: &Node, judged: Option<&Judged>) -> TokenStream {
        let rt = &self.rt;
        let tree = judged.map(|judged| judged.policy.clone()).unwrap_or_default();
        let expressions = Home::of(&tree, self.generics) != Home::Item;
        let needs = judged.and_then(Judged::needs);
        let blocking = matches!(self.form, LeafForm::Blocking);
        let plain = (is_figures(root) && !blocking && !expressions).then(|| tree.clone());
        let (constant, policy) = if expressions {
            // A constant of its own, so that what is made of it may borrow from it for ever.
            (None, quote!(const { #tree }))
        } else if needs.is_some() || plain.is_some() {
            (None, TokenStream::new())
        } else {
            let item = quote!(const __RETRY_POLICY: #rt::planner::Policy<'static> = #tree;);
            (Some(item), quote!(__RETRY_POLICY))
        };
        let name = body::observed(judged.map_or("", |judged| &judged.name));
        let interrupts = body::interrupts(root);
        let interrupted = self.args.head.interrupted.as_ref();
        let lenient = !interrupts && interrupted.is_none();
        let body = Body {
            rt: rt.clone(),
            policy,
            needs,
            name: name.clone(),
            generic: expressions,
            lenient,
            waits: if blocking {
                Waits::Thread
            } else {
                Waits::of_task(root, self)
            },
            plain,
            leaves: self,
        };
        let place = self
            .output
            .as_ref()
            .map_or_else(Span::call_site, spans::error_type);
        let ended = ended::error(rt, interrupted, interrupts, place, false);
        let run = body.execute(root, &quote!(_), &body::manner(rt, lenient), &ended);
        quote! {
            #constant
            #rt::Outcome::from_result(#run)
        }
    }

    /// One attempt.
    fn future(&self, cx: &Ident) -> TokenStream {
        let code = self.code(cx);
        match self.form {
            // An argument that is moved out is told of where the body stands.
            LeafForm::Async => quote_spanned!(self.place=> async { #code }),
            LeafForm::Blocking => quote!((|| { #code })()),
            LeafForm::Future => quote!({ #code }),
        }
    }

    /// The code of an attempt.
    fn code(&self, cx: &Ident) -> TokenStream {
        let context = self.context(cx).unwrap_or_else(|| quote!(let _ = #cx;));
        let fresh = self.arguments.fresh();
        let code = &self.code;
        // Never runs; it tells the type of the block, so that `?` and coercions are those of the function. What makes a future
        // has that of its own.
        let output = self
            .output
            .as_ref()
            .filter(|_| !matches!(self.form, LeafForm::Future));
        let typed = output.map(|output| {
            let returned = var("returned");
            quote! {
                #[allow(unreachable_code, clippy::diverging_sub_expression, reason = "it is there for its type")]
                if false {
                    let #returned: #output = loop {};
                    return #returned;
                }
            }
        });
        quote!(#context #fresh #typed #code)
    }

    /// The attempt under the name that the body knows it by.
    fn context(&self, cx: &Ident) -> Option<TokenStream> {
        let (rt, name) = (&self.rt, self.args.context.as_ref()?);
        Some(quote!(let #name: #rt::Attempt = #cx;))
    }
}

impl Leaves for Leaf<'_> {
    fn call(&self, _: &Node, cx: &Ident) -> TokenStream {
        self.future(cx)
    }

    fn delegate(&self, _: &Node, cx: &Ident) -> Option<Delegate> {
        let LeafForm::Async = self.form else { return None };
        let before = || {
            let (context, fresh) = (self.context(cx), self.arguments.fresh());
            quote!(#context #fresh)
        };
        Delegate::of(&self.code, before, self.output.clone())
    }

    fn is_call(&self, _: &Node) -> bool {
        false
    }

    fn any_outcome(&self) -> bool {
        true
    }

    fn output(&self, _: &Node, children: &[Ident]) -> TokenStream {
        quote!((#(#children),*))
    }
}

/// A trait's method without a body has nothing to retry.
fn declaration(item: &TokenStream) -> Option<TokenStream> {
    let last = item.clone().into_iter().last()?;
    let ends = matches!(&last, TokenTree::Punct(punct) if punct.as_char() == ';');
    let is_fn = item.clone().into_iter().any(|token| token.to_string() == "fn");
    (ends && is_fn).then(|| {
        let text = "`#[retry]` needs a body to run again: put it on the implementation";
        quote_spanned!(last.span()=> ::core::compile_error!(#text);)
    })
}

fn no_function(error: &syn::Error) -> TokenStream {
    let text = format!("`#[retry]` stands on a function with a body: {error}");
    quote_spanned!(error.span()=> ::core::compile_error!(#text);)
}

fn has(root: &Node, is: impl Fn(&NodeKind) -> bool) -> bool {
    root.preorder().into_iter().any(|node| is(&node.kind))
}

/// What a thread can't do.
fn blocking_faults(root: &Node, name: &Ident) -> Vec<TokenStream> {
    root.preorder()
        .into_iter()
        .filter_map(|node| {
            let text = match &node.kind {
                NodeKind::Timeout(_) => format!(
                    "`{name}` is a plain `fn`, and nothing can cut off a thread: use `deadline`, which is kept between attempts, and give the operation `context = cx` and its `cx.remaining()`"
                ),
                NodeKind::Attempt(attempt) if attempt.bound.is_some() => format!(
                    "`{name}` is a plain `fn`, and nothing can cut off a thread: declare `takes`, and let the operation's own client keep it"
                ),
                NodeKind::Hedge(_) => {
                    format!("`{name}` is a plain `fn`, which runs one copy at a time: `hedge` needs an `async fn`")
                }
                NodeKind::Parallel(_) | NodeKind::Race(_) | NodeKind::Allowance(_) => {
                    format!("`{}` needs an `async fn`", node.keyword)
                }
                NodeKind::Retry(retry) => {
                    let hook = retry.when.iter().chain(&retry.on_retry).find(|hook| hooks::is_async(hook))?;
                    let span = retry_syntax::ast::first_span(hook);
                    let text = format!("`{name}` is a plain `fn`, and can't await a hook");
                    return Some(quote_spanned!(span=> ::core::compile_error!(#text);));
                }
                _ => return None,
            };
            let span = node.keyword.span();
            Some(quote_spanned!(span=> ::core::compile_error!(#text);))
        })
        .collect()
}

fn form(signature: &syn::Signature, body: &Group) -> Form {
    if signature.asyncness.is_some() {
        return Form::Async;
    }
    let syn::ReturnType::Type(_, output) = &signature.output else {
        return Form::Blocking;
    };
    if future_output(output).is_none() {
        return Form::Blocking;
    }
    Inside::of(body).map_or(Form::Future, |inside| Form::Inside(Box::new(inside)))
}

/// What the function's operation returns, with `_` for each `impl Trait`.
fn returned(signature: &syn::Signature) -> Option<TokenStream> {
    let syn::ReturnType::Type(_, output) = &signature.output else {
        return None;
    };
    let output = if signature.asyncness.is_some() {
        quote!(#output)
    } else if let Some(output) = future_output(output) {
        output
    } else {
        quote!(#output)
    };
    Some(without_impl(output))
}

/// The only word of a type.
fn only_word(tokens: TokenStream) -> Option<Ident> {
    let mut tokens = tokens.into_iter();
    match (tokens.next(), tokens.next()) {
        (Some(TokenTree::Ident(word)), None) => Some(word),
        _ => None,
    }
}

/// Whether a type is one of the language's own, none of which is an `Outcome`; of others rustc says so, at each use.
pub(super) fn is_primitive(word: &Ident) -> bool {
    const PRIMITIVES: [&str; 16] = [
        "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64",
        "u128", "usize",
    ];
    PRIMITIVES.iter().any(|primitive| word == primitive)
}

/// The `T` of `impl Future<Output = T>` or `Pin<Box<dyn Future<Output = T>>>`.
fn future_output(output: &syn::Type) -> Option<TokenStream> {
    use syn::{GenericArgument, PathArguments, Type, TypeParamBound};
    fn of_path(path: &syn::Path) -> Option<TokenStream> {
        let last = path.segments.last()?;
        let PathArguments::AngleBracketed(arguments) = &last.arguments else {
            return None;
        };
        arguments.args.iter().find_map(|argument| match argument {
            GenericArgument::AssocType(output) if last.ident == "Future" && output.ident == "Output" => {
                Some(output.ty.to_token_stream())
            }
            GenericArgument::Type(inner) if last.ident == "Pin" || last.ident == "Box" => {
                future_output(inner)
            }
            _ => None,
        })
    }
    fn of_bounds<'a>(bounds: impl IntoIterator<Item = &'a TypeParamBound>) -> Option<TokenStream> {
        bounds.into_iter().find_map(|bound| match bound {
            TypeParamBound::Trait(bound) => of_path(&bound.path),
            _ => None,
        })
    }
    match output {
        Type::ImplTrait(output) => of_bounds(&output.bounds),
        Type::TraitObject(output) => of_bounds(&output.bounds),
        Type::Path(path) => of_path(&path.path),
        Type::Paren(inner) => future_output(&inner.elem),
        Type::Group(inner) => future_output(&inner.elem),
        _ => None,
    }
}

/// `impl Trait` isn't a type that can be written in a body: everything from `impl` up to the next `,` or `>` is inferred.
fn without_impl(tokens: TokenStream) -> TokenStream {
    let mut found = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(word) if word == "impl" => {
                let mut depth = 0_i32;
                while let Some(next) = tokens.peek() {
                    match next {
                        TokenTree::Punct(punct) if punct.as_char() == '<' => depth += 1,
                        TokenTree::Punct(punct) if punct.as_char() == '>' && depth == 0 => break,
                        TokenTree::Punct(punct) if punct.as_char() == '>' => depth -= 1,
                        TokenTree::Punct(punct) if punct.as_char() == ',' && depth == 0 => break,
                        _ => {}
                    }
                    tokens.next();
                }
                let span = word.span();
                found.extend(quote_spanned!(span=> _));
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), without_impl(group.stream()));
                inner.set_span(group.span());
                found.push(TokenTree::Group(inner));
            }
            other => found.push(other),
        }
    }
    found.into_iter().collect()
}
