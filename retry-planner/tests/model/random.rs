//! Larger trees from a seed.

use super::tree::{Attempts, Backoff, Charge, Jitter, Key, Kind, Retry, Tree};

/// `SplitMix64` (Steele, Lea, Flood 2014): the whole state is one number, so a seed and a turn name a tree.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Below `n`.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn ms(&mut self, from: u8, to: u8) -> u8 {
        from + u8::try_from(self.below(u64::from(to - from) + 1)).expect("within a byte")
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn budget(&mut self) -> Option<Charge> {
        self.one_in(3).then(|| Charge {
            key: if self.one_in(2) { Key::K } else { Key::J },
            cost: self.ms(1, 2),
        })
    }

    /// A tree of at most `depth` levels.
    pub(crate) fn tree(&mut self, depth: usize) -> Tree {
        if depth == 1 || self.one_in(8) {
            return self.leaf();
        }
        let kind = match self.below(12) {
            0 => Kind::Timeout(self.ms(2, 40)),
            1 => Kind::Deadline(self.ms(4, 60)),
            2..=4 => Kind::Retry(self.retry()),
            5 | 6 => Kind::Hedge {
                after: self.ms(1, 6),
                copies: self.ms(2, 3),
                budget: self.budget(),
            },
            7 => Kind::Allowance {
                key: Key::K,
                limit: self.ms(1, 6),
            },
            n => {
                let kids = (0..self.ms(2, 3)).map(|_| self.tree(depth - 1)).collect();
                let kind = [Kind::Series, Kind::Parallel, Kind::Fallback, Kind::Race][n as usize - 8].clone();
                return Tree::over(kind, kids);
            }
        };
        let kid = self.tree(depth - 1);
        Tree::over(kind, vec![kid])
    }

    fn leaf(&mut self) -> Tree {
        let min = self.ms(0, 4);
        let max = self.ms(min, 9);
        match self.below(5) {
            0 | 1 => Tree::leaf(Some(self.ms(1, 9)), None),
            2 => Tree::leaf(None, Some((min, Some(max)))),
            3 => Tree::leaf(Some(self.ms(1, 9)), Some((min, Some(max)))),
            _ => Tree::leaf(Some(self.ms(1, 9)), Some((min, None))),
        }
    }

    fn retry(&mut self) -> Retry {
        let base = self.ms(0, 4);
        let cap = self.one_in(2).then(|| self.ms(base, 12));
        let backoff = match self.below(6) {
            0 => Backoff::None,
            1 => Backoff::Fixed(base),
            2 => Backoff::Linear(base, cap),
            3 => Backoff::Exponential(base, 2, cap),
            4 => Backoff::Decorrelated(base, cap),
            _ => Backoff::Schedule(&[2, 0, 5], true),
        };
        let jitter = match self.below(4) {
            0 => Jitter::Full,
            1 => Jitter::Equal,
            2 => Jitter::Spread(3),
            _ => Jitter::None,
        };
        let attempts = self.ms(1, 4);
        Retry {
            attempts: if self.one_in(4) {
                Attempts::UpTo(attempts)
            } else {
                Attempts::Exactly(attempts)
            },
            backoff,
            jitter: if matches!(backoff, Backoff::None | Backoff::Decorrelated(..)) {
                Jitter::None
            } else {
                jitter
            },
            budget: self.budget(),
            when: self.one_in(3),
            until: self.one_in(6),
            stop_on_timeout: self.one_in(5),
            hint: self.one_in(6).then(|| Some(self.ms(1, 8))),
        }
    }
}
