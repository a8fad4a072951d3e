//! How cost grows: with attempts, with leaves one after another and side by side, with limits one in another.

use super::by_hand;
use crate::case;
use crate::case::{Case, Discipline, Drive};
use crate::operation::Refusal;
use retry_plan::retry_policy;

retry_policy! {
    /// As many attempts as the longest row needs.
    #[allow(unbounded, hot_loop, reason = "what grows is measured, without limits and without waits")]
    struct Thousand {
        type Error = Refusal;
        retry(attempts = 1000, backoff = none, when = Refusal::is_transient) { attempt }
    }
}

retry_policy! {
    /// Limits one in another: 1 of them.
    struct Deep1 {
        type Error = Refusal;
        attempt(500ms)
    }
}

retry_policy! {
    /// Limits one in another: 2 of them.
    struct Deep2 {
        type Error = Refusal;
        timeout(16s) { attempt(500ms) }
    }
}

retry_policy! {
    /// Limits one in another: 4 of them.
    struct Deep4 {
        type Error = Refusal;
        timeout(16s) { timeout(15s) { timeout(14s) { attempt(500ms) }}}
    }
}

retry_policy! {
    /// Limits one in another: 8 of them.
    struct Deep8 {
        type Error = Refusal;
        timeout(16s) { timeout(15s) { timeout(14s) { timeout(13s) { timeout(12s) { timeout(11s) { timeout(10s) { attempt(500ms) }}}}}}}
    }
}

retry_policy! {
    /// Limits one in another: 16 of them.
    struct Deep16 {
        type Error = Refusal;
        timeout(16s) { timeout(15s) { timeout(14s) { timeout(13s) { timeout(12s) { timeout(11s) { timeout(10s) { timeout(9s) { timeout(8s) { timeout(7s) { timeout(6s) { timeout(5s) { timeout(4s) { timeout(3s) { timeout(2s) { attempt(500ms) }}}}}}}}}}}}}}}
    }
}

/// `$count` leaves in a `$node`, in place.
macro_rules! leaves {
    ($node:ident, $remote:ident, $($leaf:ident)+) => {
        async {
            let all = retry_policy! {
                type Error = Refusal;
                $node { $($leaf: attempt(500ms) async |_| $remote.ready().await,)+ }
            };
            all.await.map(|all| 0 $(+ all.$leaf)+)
        }
    };
}

fn discipline(id: &'static str, title: &'static str, cases: Vec<Case>) -> Discipline {
    Discipline {
        id,
        title,
        counted: Drive::Polled,
        timed: Drive::Polled,
        runs: 200,
        cases,
    }
}

pub(super) fn disciplines() -> Vec<Discipline> {
    vec![
        discipline(
            "grow-attempts",
            "Growth with attempts that fail at once",
            vec![
                case!("hand loop, 1", 0, |remote| {} by_hand::retry_at_once(1000, || remote.ready())),
                case!("retry-plan run, 1", 0, |remote| {} Thousand::run(|_| remote.ready())),
                case!("hand loop, 10", 9, |remote| {} by_hand::retry_at_once(1000, || remote.ready())),
                case!("retry-plan run, 10", 9, |remote| {} Thousand::run(|_| remote.ready())),
                case!("hand loop, 100", 99, |remote| {} by_hand::retry_at_once(1000, || remote.ready())),
                case!("retry-plan run, 100", 99, |remote| {} Thousand::run(|_| remote.ready())),
                case!("hand loop, 1000", 999, |remote| {} by_hand::retry_at_once(1000, || remote.ready())),
                case!("retry-plan run, 1000", 999, |remote| {} Thousand::run(|_| remote.ready())),
            ],
        ),
        discipline(
            "grow-series",
            "Growth with leaves one after another",
            vec![
                case!("retry-plan series, 1", 0, |remote| {} leaves!(series, remote, s00)),
                case!("retry-plan series, 10", 0, |remote| {} leaves!(series, remote, s00 s01 s02 s03 s04 s05 s06 s07 s08 s09)),
                case!("retry-plan series, 100", 0, |remote| {} leaves!(series, remote, s00 s01 s02 s03 s04 s05 s06 s07 s08 s09 s10 s11 s12 s13 s14 s15 s16 s17 s18 s19 s20 s21 s22 s23 s24 s25 s26 s27 s28 s29 s30 s31 s32 s33 s34 s35 s36 s37 s38 s39 s40 s41 s42 s43 s44 s45 s46 s47 s48 s49 s50 s51 s52 s53 s54 s55 s56 s57 s58 s59 s60 s61 s62 s63 s64 s65 s66 s67 s68 s69 s70 s71 s72 s73 s74 s75 s76 s77 s78 s79 s80 s81 s82 s83 s84 s85 s86 s87 s88 s89 s90 s91 s92 s93 s94 s95 s96 s97 s98 s99)),
            ],
        ),
        discipline(
            "grow-parallel",
            "Growth with leaves side by side",
            vec![
                case!("retry-plan parallel, 1", 0, |remote| {} leaves!(parallel, remote, s00)),
                case!("retry-plan parallel, 10", 0, |remote| {} leaves!(parallel, remote, s00 s01 s02 s03 s04 s05 s06 s07 s08 s09)),
                case!("retry-plan parallel, 100", 0, |remote| {} leaves!(parallel, remote, s00 s01 s02 s03 s04 s05 s06 s07 s08 s09 s10 s11 s12 s13 s14 s15 s16 s17 s18 s19 s20 s21 s22 s23 s24 s25 s26 s27 s28 s29 s30 s31 s32 s33 s34 s35 s36 s37 s38 s39 s40 s41 s42 s43 s44 s45 s46 s47 s48 s49 s50 s51 s52 s53 s54 s55 s56 s57 s58 s59 s60 s61 s62 s63 s64 s65 s66 s67 s68 s69 s70 s71 s72 s73 s74 s75 s76 s77 s78 s79 s80 s81 s82 s83 s84 s85 s86 s87 s88 s89 s90 s91 s92 s93 s94 s95 s96 s97 s98 s99)),
            ],
        ),
        discipline(
            "grow-nesting",
            "Growth with limits one in another",
            vec![
                case!("retry-plan run, 1", 0, |remote| {} Deep1::run(|_| remote.ready())),
                case!("retry-plan run, 2", 0, |remote| {} Deep2::run(|_| remote.ready())),
                case!("retry-plan run, 4", 0, |remote| {} Deep4::run(|_| remote.ready())),
                case!("retry-plan run, 8", 0, |remote| {} Deep8::run(|_| remote.ready())),
                case!("retry-plan run, 16", 0, |remote| {} Deep16::run(|_| remote.ready())),
            ],
        ),
    ]
}
