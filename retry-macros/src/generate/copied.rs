//! Functions all of whose arguments can be copied: each attempt has copies of its own, and nothing has to hold what it borrows.
//!
//! The run needs no `async` block around it then, in which its operation could borrow what lies beside it, and the function
//! returns the run itself: `async fn` becomes what it is short for, `fn … -> impl Future`. The block would be a future more
//! around the run: more to check, to hold and to poll.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::{FnArg, Pat, ReceiverKind, Signature, Type};

use super::function::is_primitive;

/// Whether all arguments are of types that can be copied, as far as they are written: shared references, the language's own
/// numbers and the like, and tuples and arrays of such.
pub(super) fn is_copied(signature: &Signature) -> bool {
    signature.inputs.iter().all(|argument| match argument {
        FnArg::Receiver(receiver) => match &receiver.kind {
            ReceiverKind::Reference(_, _, mutability) => mutability.is_none(),
            ReceiverKind::Typed(_, of) => is_copy(of),
            _ => false,
        },
        FnArg::Typed(typed) => is_plain(&typed.pat) && is_copy(&typed.ty),
    })
}

/// Whether a pattern binds the argument itself, if anything.
fn is_plain(pattern: &Pat) -> bool {
    match pattern {
        Pat::Ident(name) => name.by_ref.is_none() && name.subpat.is_none(),
        Pat::Wild(_) => true,
        _ => false,
    }
}

fn is_copy(of: &Type) -> bool {
    match of {
        Type::Reference(reference) => reference.mutability.is_none(),
        Type::Path(path) => path.qself.is_none() && path.path.get_ident().is_some_and(is_primitive),
        Type::Tuple(tuple) => tuple.elems.iter().all(is_copy),
        Type::Array(array) => is_copy(&array.elem),
        Type::Paren(inner) => is_copy(&inner.elem),
        Type::Group(inner) => is_copy(&inner.elem),
        _ => false,
    }
}

/// Makes an `async fn` a function that returns a future; `false` where that can't be, or where another
/// attribute may want to see what was written.
pub(super) fn to_plain(signature: &mut Signature, attributes: &[TokenStream]) -> bool {
    let ordinary = signature.constness.is_none() && matches!(signature.safety, syn::Safety::Default);
    let syn::ReturnType::Type(arrow, output) = &signature.output else {
        return false;
    };
    let Some(word) = signature
        .asyncness
        .filter(|_| ordinary && attributes.iter().all(is_inert))
    else {
        return false;
    };
    let at = Span::mixed_site().located_at(word.span);
    let future = quote_spanned!(at=> impl ::core::future::Future<Output = #output>);
    signature.output = syn::ReturnType::Type(*arrow, Box::new(Type::Verbatim(future)));
    signature.asyncness = None;
    true
}

/// Whether an attribute is one of the language's own, which don't look at what they stand on.
fn is_inert(attribute: &TokenStream) -> bool {
    const INERT: [&str; 11] = [
        "allow",
        "cfg",
        "clippy",
        "cold",
        "deny",
        "deprecated",
        "doc",
        "expect",
        "inline",
        "must_use",
        "warn",
    ];
    let inside = attribute.clone().into_iter().find_map(|token| match token {
        TokenTree::Group(group) => group.stream().into_iter().next(),
        _ => None,
    });
    inside.is_some_and(|word| INERT.contains(&word.into_token_stream().to_string().as_str()))
}
