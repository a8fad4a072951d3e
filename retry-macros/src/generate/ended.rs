//! What becomes of a failed run: the operation's last error, or what its type makes of `Interrupted`.

use proc_macro2::{Span, TokenStream};
use quote::quote;

use super::body::var;
use crate::spans::located;

/// An expression of the run's error, made of `timer` and `fall`.
///
/// `interrupts` says whether something in the policy can end a run before an operation has returned an error; that the
/// error's type can't say so is shown at `place`.
pub(super) fn error(
    rt: &TokenStream,
    interrupted: Option<&TokenStream>,
    interrupts: bool,
    place: Span,
) -> TokenStream {
    let (timer, fall) = (var("timer"), var("fall"));
    match interrupted {
        Some(interrupted) => quote!(#timer.error_or(#fall, #interrupted)),
        None if interrupts => {
            let made = located(&quote!(#rt::FromInterrupted::from_interrupted), place);
            quote!(#timer.error_or(#fall, #made))
        }
        None => quote!(#timer.last_error(#fall)),
    }
}

/// The same as a function of the run's `Course` and its `Fall`.
pub(super) fn by(
    rt: &TokenStream,
    interrupted: Option<&TokenStream>,
    interrupts: bool,
    place: Span,
) -> TokenStream {
    match interrupted {
        Some(_) => {
            let (timer, fall) = (var("timer"), var("fall"));
            let error = error(rt, interrupted, interrupts, place);
            quote!(|#timer, #fall| #error)
        }
        None if interrupts => located(&quote!(#rt::Course::error), place),
        None => quote!(#rt::Course::last_error),
    }
}
