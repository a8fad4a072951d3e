//! A body that only waits for another future: `EXPR.await`.
//!
//! An attempt is that future then, without an async block around it that would hold it once more and be polled in between,
//! and that the compiler would have to check. The block would make the future when it is first polled, and so what is
//! published while it is polled is published while it is made. An `EXPR` is of calls, fields and the like, for what else may
//! stand in it leaves the body (`return`, `?`), waits itself, or can't be told (a macro).

use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::Expr;

use super::body::var;
use crate::spans::located;

/// A body that only waits.
pub(crate) struct Delegate {
    /// Statements that make what the future may borrow.
    pub(crate) before: TokenStream,
    /// What is waited for.
    awaited: TokenStream,
    /// Its first token, and its last.
    starts: Span,
    made: Span,
    /// The `.await` behind it.
    waits: TokenStream,
    ends: Span,
    /// The type of what it brings, where that is known.
    output: Option<TokenStream>,
}

impl Delegate {
    /// Of a body that is nothing but `EXPR.await`.
    pub(super) fn of(
        body: &TokenStream,
        before: impl FnOnce() -> TokenStream,
        output: Option<TokenStream>,
    ) -> Option<Self> {
        // Most bodies end in something else, and needn't be parsed.
        let last = body.clone().into_iter().last()?;
        if last.to_string() != "await" {
            return None;
        }
        let Expr::Await(whole) = syn::parse2(body.clone()).ok()? else {
            return None;
        };
        if !whole.attrs.is_empty() || !is_straight(&whole.base) {
            return None;
        }
        let (dot, word) = (whole.dot_token, whole.await_token);
        let awaited = whole.base.to_token_stream();
        let tokens: Vec<TokenTree> = awaited.clone().into_iter().collect();
        Some(Self {
            before: before(),
            starts: tokens.first()?.span(),
            made: tokens.last()?.span(),
            awaited,
            waits: quote!(#dot #word),
            ends: last.span(),
            output,
        })
    }

    /// The items that [`run`](Self::run) needs.
    pub(super) fn items(rt: &TokenStream) -> TokenStream {
        quote! {
            #[allow(unused_imports, reason = "it is there for what can't be awaited")]
            use #rt::NoFuture as _;
        }
    }

    /// An expression of the attempt that `timer`, an expression of who waits, waits for: a `Result`, with what `told` makes of
    /// `answer`, which the future has brought, in it.
    ///
    /// The user's own `await` stands in it, and is where rustc says of what can't be awaited that it can't.
    pub(super) fn run(self, timer: &TokenStream, told: Option<TokenStream>) -> TokenStream {
        let (answer, fell) = (var("answer"), var("fell"));
        let typed = self.typed(&answer);
        let Self {
            before,
            awaited,
            waits,
            starts,
            made,
            ..
        } = self;
        let asked = located(&quote!(#timer.operation), starts);
        let begun = located(&quote!(.begun()), made);
        let run = quote!(#asked(#awaited) #begun #waits);
        let run = if typed.is_none() && told.is_none() {
            run
        } else {
            let told = told.unwrap_or_else(|| quote!(#answer));
            quote! {
                match #run {
                    ::core::result::Result::Ok(#answer) => {
                        #typed
                        ::core::result::Result::Ok(#told)
                    }
                    ::core::result::Result::Err(#fell) => ::core::result::Result::Err(#fell),
                }
            }
        };
        if before.is_empty() {
            return run;
        }
        // What the body has made is gone before anybody is told of the attempt's end.
        quote!({ #before let #answer = #run; #answer })
    }

    /// Statements that say of which type `answer` is; where it is of another, that is shown of the whole body.
    fn typed(&self, answer: &Ident) -> Option<TokenStream> {
        let output = self.output.as_ref()?;
        let at = |span| Span::mixed_site().located_at(span);
        let brought = Ident::new("answer", at(self.starts));
        let mut first = Literal::usize_unsuffixed(0);
        first.set_span(at(self.ends));
        Some(quote! {
            #[allow(unreachable_code, reason = "what never ends brings nothing")]
            let #answer: #output = {
                let #answer = (#answer,);
                #brought.#first
            };
        })
    }
}

/// Whether an expression is only evaluated: it never leaves the body, and waits for nothing.
fn is_straight(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) | Expr::Lit(_) => true,
        Expr::Call(call) => is_straight(&call.func) && call.args.iter().all(is_straight),
        Expr::MethodCall(call) => is_straight(&call.receiver) && call.args.iter().all(is_straight),
        Expr::Field(field) => is_straight(&field.base),
        Expr::Index(index) => is_straight(&index.expr) && is_straight(&index.index),
        Expr::Reference(reference) => is_straight(&reference.expr),
        Expr::Unary(unary) => is_straight(&unary.expr),
        Expr::Binary(binary) => is_straight(&binary.left) && is_straight(&binary.right),
        Expr::Cast(cast) => is_straight(&cast.expr),
        Expr::Paren(paren) => is_straight(&paren.expr),
        Expr::Group(group) => is_straight(&group.expr),
        Expr::Tuple(tuple) => tuple.elems.iter().all(is_straight),
        Expr::Array(array) => array.elems.iter().all(is_straight),
        Expr::Struct(fields) => {
            fields.fields.iter().all(|field| is_straight(&field.expr))
                && fields.rest.as_deref().is_none_or(is_straight)
        }
        _ => false,
    }
}
