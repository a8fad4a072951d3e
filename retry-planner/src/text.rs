//! Text that is built in const evaluation, and the one renderer of durations.

use crate::amount::NONE;

/// A text of bounded length; what doesn't fit is left out.
#[derive(Clone, Copy)]
pub struct Text {
    bytes: [u8; 2048],
    len: usize,
}

impl core::fmt::Debug for Text {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.as_str().fmt(f)
    }
}

impl Text {
    pub(crate) const fn new() -> Self {
        Self {
            bytes: [0; 2048],
            len: 0,
        }
    }

    /// The text.
    #[must_use]
    pub const fn as_str(&self) -> &str {
        let (text, _) = self.bytes.split_at(self.len);
        match core::str::from_utf8(text) {
            Ok(text) => text,
            Err(_) => "",
        }
    }

    pub(crate) const fn push(mut self, text: &str) -> Self {
        let bytes = text.as_bytes();
        if self.len + bytes.len() > self.bytes.len() {
            return self;
        }
        let mut i = 0;
        while i < bytes.len() {
            self.bytes[self.len] = bytes[i];
            self.len += 1;
            i += 1;
        }
        self
    }

    pub(crate) const fn number(self, number: u128) -> Self {
        self.padded(number, 0)
    }

    /// A number, right-aligned.
    pub(crate) const fn padded(self, number: u128, width: usize) -> Self {
        let mut digits = [b' '; 40];
        let mut at = 40;
        let mut rest = number;
        loop {
            at -= 1;
            digits[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        if 40 - at < width && width <= 40 {
            at = 40 - width;
        }
        let (_, shown) = digits.split_at(at);
        match core::str::from_utf8(shown) {
            Ok(text) => self.push(text),
            Err(_) => self,
        }
    }

    /// A duration in its shortest exact form: `3.9 s`, or `3.9s` as a literal.
    pub(crate) const fn time(self, ns: u128, literal: bool) -> Self {
        if ns == NONE {
            return self.push("no end");
        }
        let (unit, name) = if ns == 0 {
            (1_000_000, "ms")
        } else if ns.is_multiple_of(3_600_000_000_000) {
            (3_600_000_000_000, "h")
        } else if ns.is_multiple_of(60_000_000_000) {
            (60_000_000_000, "min")
        } else if ns >= 1_000_000_000 {
            (1_000_000_000, "s")
        } else if ns >= 1_000_000 {
            (1_000_000, "ms")
        } else if ns >= 1_000 {
            (1_000, "us")
        } else {
            (1, "ns")
        };
        let mut text = self.number(ns / unit);
        let mut rest = ns % unit;
        if rest > 0 {
            text = text.push(".");
            let mut place = unit / 10;
            while rest > 0 {
                text = text.number(rest / place);
                rest %= place;
                place /= 10;
            }
        }
        if !literal {
            text = text.push(" ");
        }
        text.push(name)
    }
}
