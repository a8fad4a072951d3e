//! What becomes of a failed run: the operation's last error, or what its type makes of `Interrupted`.

use proc_macro2::{Span, TokenStream};
use quote::quote;

use super::body::var;
use crate::spans::located;

/// A function that makes the run's error of its `timer` and `fall`.
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
        Some(interrupted) => quote!(|#timer, #fall| #timer.error_or(#fall, #interrupted)),
        None if interrupts => located(&quote!(#rt::Course::error), place),
        None => quote!(#rt::Course::last_error),
    }
}
