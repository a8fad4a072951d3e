//! The plan of a policy whose values are all literals, as a constant expression: it was made while the macro expanded, and
//! const evaluation would only make it once more.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use retry_planner::{Plan, Policy};

use super::tokens::{duration_tokens, option};

/// An expression of the planner's `Plan<'static>` of `policy`, for a constant; `planner` is the planner's path.
///
/// Nothing where a plan holds more than its callers see of it.
#[must_use]
pub fn plan_tokens(policy: &Policy<'_>, planner: &TokenStream) -> Option<TokenStream> {
    let plan = Plan::of(policy);
    let callee = plan.callee();
    if Plan::told(callee) != plan {
        return None;
    }
    let number = |n: Option<u64>| {
        option(n.map(|n| {
            let n = Literal::u64_unsuffixed(n);
            quote!(#n)
        }))
    };
    let name = callee.name;
    let best = duration_tokens(callee.best);
    let fastest_failure = duration_tokens(callee.fastest_failure);
    let (worst, work) = (
        callee.worst.map(duration_tokens),
        callee.work.map(duration_tokens),
    );
    let (worst, work) = (option(worst), option(work));
    let (calls, leaf_calls) = (number(callee.calls), number(callee.leaf_calls));
    let unpaid = Literal::u32_unsuffixed(callee.unpaid);
    let repeaters = callee.repeaters.iter().map(|repeater| {
        let (name, times) = (repeater.name, number(repeater.times));
        quote!(#planner::Repeater { name: #name, times: #times })
    });
    let unsafe_to_repeat = callee.unsafe_to_repeat;
    let charges = callee.charges.iter().map(|charge| {
        let (key, cost) = (charge.key, Literal::u32_unsuffixed(charge.cost));
        quote!(#planner::Charge { key: #key, cost: #cost })
    });
    Some(quote! {
        #planner::Plan::told(#planner::Callee {
            name: #name,
            best: #best,
            fastest_failure: #fastest_failure,
            worst: #worst,
            work: #work,
            calls: #calls,
            leaf_calls: #leaf_calls,
            unpaid: #unpaid,
            repeaters: &[#(#repeaters),*],
            unsafe_to_repeat: #unsafe_to_repeat,
            charges: &[#(#charges),*],
        })
    })
}
