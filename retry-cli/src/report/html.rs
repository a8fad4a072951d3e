//! x
use crate::chain::Judged;
use crate::chain::fix::Fix;
/// x
#[must_use]
pub fn chain(_judged: &Judged, _fix: Option<&Fix>) -> String {
    String::new()
}
