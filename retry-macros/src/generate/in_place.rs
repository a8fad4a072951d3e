//! A policy in place: an async block with the user's code in its leaves.
//!
//! Bodies are spliced as they were written, so that `&mut`, captures and `?` are those of plain code. `return` leaves a
//! leaf, as it leaves a closure.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::{format_ident, quote};
use retry_syntax::ast::{Closure, InPlace, Node, NodeKind, Operation, first_span};

use super::body::{self, Body, Leaves, Waits, step_name};
use super::delegate::Delegate;
use super::ended;
use super::plain::is_figures;
use crate::judge::{Home, Judged};

struct Place<'a> {
    rt: TokenStream,
    place: &'a InPlace,
}

pub(super) fn in_place(place: &InPlace, facade: &TokenStream, judged: &Judged) -> TokenStream {
    let rt = quote!(#facade::__private);
    let leaves = Place {
        rt: rt.clone(),
        place,
    };
    let tree = &judged.policy;
    let expressions = Home::of(tree, &[]) != Home::Item;
    let needs = judged.needs();
    let plain = (is_figures(&place.root) && !expressions).then(|| tree.clone());
    let (constant, policy) = if expressions {
        // A constant of its own, so that what is made of it may borrow from it for ever.
        (None, quote!(const { #tree }))
    } else if needs.is_some() || plain.is_some() {
        (None, TokenStream::new())
    } else {
        let item = quote!(const __RETRY_POLICY: #rt::planner::Policy<'static> = #tree;);
        (Some(item), quote!(__RETRY_POLICY))
    };
    let interrupts = body::interrupts(&place.root);
    let lenient = !interrupts && place.head.interrupted.is_none();
    let name = body::observed(&judged.name);
    let body = Body {
        rt: rt.clone(),
        policy,
        needs,
        name: name.clone(),
        generic: expressions,
        lenient,
        waits: Waits::of_task(&place.root, &leaves),
        plain,
        leaves: &leaves,
    };
    let error = place.head.error.clone().unwrap_or_else(|| quote!(_));
    let limit = match &place.head.error {
        Some(error) => first_span(error),
        None => body::interrupter(&place.root)
            .unwrap_or(&place.root)
            .keyword
            .span(),
    };
    let ended = ended::error(&rt, place.head.interrupted.as_ref(), interrupts, limit, false);
    let run = body.execute(&place.root, &error, &body::manner(&rt, lenient), &ended);
    let operations = leaves.operations();
    let outputs = leaves.output_types();
    let moves = leaves.moves();
    quote! {
        async #moves {
            #constant
            #outputs
            #operations
            #run
        }
    }
}

/// The operation of a leaf.
pub(super) fn operation(leaf: &Node) -> Option<&Operation> {
    match &leaf.kind {
        NodeKind::Attempt(attempt) => attempt.operation.as_ref(),
        NodeKind::Call(call) => call.operation.as_ref(),
        _ => None,
    }
}

/// A closure's parameter with its type, so that its methods are known in the body.
pub(super) fn typed(rt: &TokenStream, closure: &Closure) -> TokenStream {
    let param = &closure.param;
    if param.is_empty() {
        return quote!(_: #rt::Attempt);
    }
    let annotated = {
        let mut colon = false;
        let mut tokens = param.clone().into_iter().peekable();
        while let Some(token) = tokens.next() {
            if let TokenTree::Punct(punct) = &token
                && punct.as_char() == ':'
            {
                // `::` is a path in a pattern.
                if punct.spacing() == proc_macro2::Spacing::Joint {
                    tokens.next();
                } else {
                    colon = true;
                }
            }
        }
        colon
    };
    if annotated {
        quote!(#param)
    } else {
        quote!(#param: #rt::Attempt)
    }
}

/// A closure's future, where `cx` is the attempt.
pub(super) fn spliced(rt: &TokenStream, closure: &Closure, cx: &Ident) -> TokenStream {
    let param = typed(rt, closure);
    let body = &closure.body;
    match (&closure.async_token, &closure.output) {
        // Borrowing is enough: the future ends where it begins.
        (Some(word), None) => quote!(#word { let #param = #cx; #body }),
        (Some(word), Some(output)) => quote!((#word |#param| -> #output #body)(#cx)),
        (None, None) => quote!({ let #param = #cx; #body }),
        (None, Some(output)) => quote!((|#param| -> #output #body)(#cx)),
    }
}

/// What stands in the braces of a block.
fn unbraced(body: &TokenStream) -> TokenStream {
    let mut tokens = body.clone().into_iter();
    match (tokens.next(), tokens.next()) {
        (Some(TokenTree::Group(block)), None) if block.delimiter() == Delimiter::Brace => block.stream(),
        _ => body.clone(),
    }
}

impl Place<'_> {
    fn named(leaf: &Node) -> Ident {
        format_ident!("operation{}", leaf.index, span = proc_macro2::Span::mixed_site())
    }

    /// Operations that aren't closures, evaluated once.
    fn operations(&self) -> TokenStream {
        let rt = &self.rt;
        self.place
            .root
            .leaves()
            .into_iter()
            .filter_map(|leaf| match operation(leaf) {
                Some(Operation::Expr(expr)) => {
                    let name = Self::named(leaf);
                    Some(quote!(let mut #name = #rt::operation(#expr);))
                }
                _ => None,
            })
            .collect()
    }

    /// The structs of what compositions bring, with the fields that were written.
    fn output_types(&self) -> TokenStream {
        self.place
            .root
            .preorder()
            .into_iter()
            .filter(|node| matches!(node.kind, NodeKind::Series(_) | NodeKind::Parallel(_)))
            .map(|node| {
                let output = format_ident!("__Output{}", node.index);
                let steps = node.kind.children();
                let fields: Vec<Ident> = steps
                    .iter()
                    .enumerate()
                    .map(|(at, step)| step_name(step, at))
                    .collect();
                let types: Vec<Ident> = (0..fields.len()).map(|at| format_ident!("T{at}")).collect();
                quote! {
                    #[allow(dead_code, reason = "not every value is of use to everyone")]
                    #[derive(::core::clone::Clone, ::core::fmt::Debug)]
                    struct #output<#(#types),*> { #(#fields: #types,)* }
                }
            })
            .collect()
    }

    /// The `move` before the tree, or that of the one closure of the short form.
    fn moves(&self) -> Option<Ident> {
        let own = || match self.place.root.leaves()[..] {
            [leaf] if self.place.short => match operation(leaf) {
                Some(Operation::Closure(closure)) => closure.move_token.clone(),
                _ => None,
            },
            _ => None,
        };
        self.place.move_token.clone().or_else(own)
    }
}

impl Leaves for Place<'_> {
    fn call(&self, leaf: &Node, cx: &Ident) -> TokenStream {
        let rt = &self.rt;
        let future = match operation(leaf) {
            Some(Operation::Closure(closure)) => spliced(rt, closure, cx),
            Some(Operation::Expr(_)) => {
                let name = Self::named(leaf);
                quote!(#name(#cx))
            }
            // A reported fault took it away.
            None => quote!({
                let _ = #cx;
                async {
                    #[allow(unreachable_code, reason = "the missing code is told by an error of its own")]
                    return ::core::result::Result::Ok(::core::unreachable!());
                }
            }),
        };
        match &self.place.head.error {
            Some(error) => quote!(#rt::fails_with::<#error, _, _>(#future)),
            None => future,
        }
    }

    fn delegate(&self, leaf: &Node, cx: &Ident) -> Option<Delegate> {
        let Some(Operation::Closure(closure)) = operation(leaf) else {
            return None;
        };
        if closure.async_token.is_none() || closure.output.is_some() {
            return None;
        }
        let before = || {
            if closure.param.is_empty() || closure.param.to_string() == "_" {
                return TokenStream::new();
            }
            let param = typed(&self.rt, closure);
            quote!(let #param = #cx;)
        };
        let error = self.place.head.error.as_ref();
        let output = error.map(|error| quote!(::core::result::Result<_, #error>));
        Delegate::of(&unbraced(&closure.body), before, output)
    }

    fn is_call(&self, leaf: &Node) -> bool {
        matches!(operation(leaf), Some(Operation::Expr(_)))
    }

    fn any_outcome(&self) -> bool {
        self.place.head.error.is_none()
    }

    fn output(&self, node: &Node, children: &[Ident]) -> TokenStream {
        let output = format_ident!("__Output{}", node.index);
        quote!(#output { #(#children),* })
    }
}
