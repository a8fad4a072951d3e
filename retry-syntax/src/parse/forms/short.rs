//! The keys of `retry`, `hedge` and `attempt` in one row.

use proc_macro2::Span;

use super::super::args::{Arg, Given, example};
use super::super::keys::{AttemptKeys, HedgeKeys, RetryKeys, key_ident, word_at};
use super::super::{Parser, bare};
use crate::ast::{Attempt, Head, Limit, Node, NodeKind, Operation};
use crate::words::{ATTEMPT, FUNCTION, HEDGE, Place, RETRY};

impl Parser {
    /// The keys of `retry`, `hedge` and `attempt` in one row.
    pub(super) fn shorthand(
        &mut self,
        args: Vec<Arg>,
        place: Place,
        head: &mut Head,
        operation: Option<Operation>,
        span: Span,
    ) -> Node {
        let mut given = Given::default();
        let mut retry = RetryKeys::default();
        let mut hedge = HedgeKeys::default();
        let mut attempt = AttemptKeys::default();
        let mut deadline = None;
        for mut arg in args {
            let word = arg.name.clone().or_else(|| arg.lone());
            let known = |words: &[&str]| {
                word.as_ref()
                    .is_some_and(|word| words.iter().any(|known| word == known))
            };
            let lone = arg.name.is_none();
            let flag = lone && known(&["idempotent", "idempotency_key"]);
            if !flag && (lone || !known(&place.words())) || known(&FUNCTION) {
                self.unknown(place, &mut given, &arg);
                continue;
            }
            let Some(word) = word.clone() else { continue };
            if !self.once(&mut given, &word) {
                continue;
            }
            match word.to_string().as_str() {
                "attempt" => {
                    attempt.bound = Some(self.duration(&mut arg.value, word.span(), example("attempt")));
                }
                "deadline" => {
                    deadline = Some((
                        word.clone(),
                        self.duration(&mut arg.value, word.span(), example("deadline")),
                    ));
                }
                "crate" => head.crate_path = Some(self.expression(&mut arg.value, &word)),
                "interrupted" => head.interrupted = Some(self.expression(&mut arg.value, &word)),
                text if ATTEMPT.contains(&text) => drop(attempt.take(self, &mut arg)),
                text if HEDGE[..2].contains(&text) => drop(hedge.take(self, &mut arg)),
                _ => drop(retry.take(self, &mut arg)),
            }
        }
        let hedged = HEDGE[..2].iter().any(|word| given.has(word));
        let retried = RETRY
            .iter()
            .any(|word| given.has(word) && !(*word == "budget" && hedged))
            || (!hedged && !given.has("attempt") && !given.has("deadline") && !given.has("takes"));
        let budget = retry.budget.clone();
        let words_of = |words: &[&str]| {
            given
                .words
                .iter()
                .filter(|word| words.iter().any(|w| word == w))
                .cloned()
                .collect()
        };
        let at = |words: &[&str]| {
            words
                .iter()
                .find_map(|word| key_ident(&given, word))
                .map_or(span, |word| word.span())
        };

        let kind = NodeKind::Attempt(Attempt {
            bound: attempt.bound,
            takes: attempt.takes,
            idempotent: attempt.idempotent,
            key: attempt.key,
            operation,
        });
        let own = ["attempt", "takes", "attempts", "copies", "deadline"];
        let mut node = bare(word_at("attempt", at(&own)), kind);
        node.words = words_of(&["attempt", "takes", "idempotent", "idempotency_key"]);
        if hedged {
            let keyword = word_at("hedge", at(&HEDGE[..2]));
            if budget.is_some() {
                hedge.budget.clone_from(&budget);
            }
            let built = hedge.build(self, &given, &keyword, node);
            node = bare(keyword, NodeKind::Hedge(built));
            node.words = words_of(&HEDGE[..2]);
        }
        if retried {
            let keyword = word_at("retry", at(&RETRY));
            let built = retry.build(self, &given, &keyword, node);
            node = bare(keyword, NodeKind::Retry(built));
            node.words = words_of(&RETRY);
        }
        if let Some((word, limit)) = deadline {
            let keyword = word_at("deadline", word.span());
            node = bare(
                keyword,
                NodeKind::Deadline(Limit {
                    limit,
                    child: Box::new(node),
                }),
            );
        }
        node
    }
}
