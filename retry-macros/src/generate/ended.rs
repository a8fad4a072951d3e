//! What becomes of a failed run: the operation's last error, or what its type makes of `Interrupted`.

use proc_macro2::{Span, TokenStream};
use quote::quote;

use super::body::var;
use crate::spans::located;

/// A function that makes the run's error of its `timer` and `fall`.
///
/// `interrupts` says whether something in the policy can end a run before an operation has returned an error; that the
/// error's type can't say so is shown at `place`; `shown` says that the type stands in the signature of a function around.
pub(super) fn error(
    rt: &TokenStream,
    interrupted: Option<&TokenStream>,
    interrupts: bool,
    place: Span,
    shown: bool,
) -> TokenStream {
    let (timer, fall) = (var("timer"), var("fall"));
    match interrupted {
        Some(interrupted) => quote!(|#timer, #fall| #timer.error_or(#fall, #interrupted)),
        None if interrupts => {
            let made = quote!(#rt::FromInterrupted::from_interrupted);
            if shown {
                // A closure, for what a function returns would say once more, of the whole function, what its error lacks.
                let interrupted = var("interrupted");
                let made = located(&quote!(#made(#interrupted)), place);
                quote!(|#timer, #fall| #timer.error_or(#fall, |#interrupted| #made))
            } else {
                let made = located(&made, place);
                located(&quote!(#rt::error_or(#made)), place)
            }
        }
        None => quote!(#rt::Course::last_error),
    }
}
