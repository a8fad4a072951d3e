//! Text that is built in const evaluation, and the one renderer of durations.

use core::fmt;
use core::time::Duration;

use crate::amount::{NONE, nanos};

/// A text of bounded length; what doesn't fit is left out.
#[derive(Clone, Copy)]
pub struct Text {
    bytes: [u8; 2048],
    len: usize,
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Text {
    pub(crate) const fn new() -> Self {
        Self {
            bytes: [0; 2048],
            len: 0,
        }
    }

    /// A duration in its shortest exact form: `3.9 s`, `25 ms`, `1 h 5 min`; every figure in errors, docs and reports is
    /// shown by this.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use retry_planner::Text;
    /// assert_eq!(Text::of(Duration::from_millis(3_900)).to_string(), "3.9 s");
    /// ```
    #[must_use]
    pub const fn of(time: Duration) -> Self {
        Self::new().time(nanos(time), false)
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

    /// A name, left-aligned.
    pub(crate) const fn left(self, name: &str, width: usize) -> Self {
        let mut text = self.push(name);
        let mut len = name.len();
        while len < width {
            text = text.push(" ");
            len += 1;
        }
        text
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

    /// A duration in its shortest exact form: `3.9 s`, `1 h 5 min`, or `3.9s` as a literal, which has one unit.
    pub(crate) const fn time(self, ns: u128, literal: bool) -> Self {
        if ns == NONE {
            return self.push("no end");
        }
        let hour = 3_600_000_000_000;
        if !literal && ns > hour && !ns.is_multiple_of(hour) {
            let hours = self.number(ns / hour).push(" h ");
            return hours.time(ns % hour, false);
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

#[cfg(test)]
mod tests {
    extern crate std;
    use std::string::String;

    use super::*;

    fn shown(ns: u128) -> String {
        Text::new().time(ns, false).as_str().into()
    }

    fn literal(ns: u128) -> String {
        Text::new().time(ns, true).as_str().into()
    }

    #[test]
    fn a_time_is_shown_in_its_shortest_exact_form() {
        for (ns, form) in [
            (0, "0 ms"),
            (1, "1 ns"),
            (1_500, "1.5 us"),
            (25_000_000, "25 ms"),
            (333_333_333, "333.333333 ms"),
            (3_900_000_000, "3.9 s"),
            (1_000_000_001, "1.000000001 s"),
            (60_000_000_000, "1 min"),
            (90_000_000_000, "90 s"),
            (3_600_000_000_000, "1 h"),
            (3_900_000_000_000, "1 h 5 min"),
            (7_201_500_000_000, "2 h 1.5 s"),
        ] {
            assert_eq!(shown(ns), form);
        }
    }

    #[test]
    fn a_literal_has_one_unit() {
        assert_eq!(literal(3_900_000_000), "3.9s");
        assert_eq!(literal(3_900_000_000_000), "65min");
        assert_eq!(literal(7_201_500_000_000), "7201.5s");
    }

    #[test]
    fn the_longest_time_is_shown_without_a_panic() {
        assert_eq!(shown(crate::amount::LONGEST), "5124095576030431 h 15.999999999 s");
    }
}
