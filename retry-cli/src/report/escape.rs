//! Names come from files: nothing in them may forge a line, a cell, an escape sequence or a tag.

use std::fmt::Write;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Whether a character could steer a terminal or reorder a line: controls, line separators, bidirectional marks and
/// other invisible formatting.
#[must_use]
pub fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// For a terminal: what doesn't print is shown as an escape.
#[must_use]
pub fn terminal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if is_unprintable(c) => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

/// For Markdown: as for a terminal, and everything with a meaning in Markdown is escaped.
#[must_use]
pub fn markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in terminal(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '(' | ')' | '#' | '+' | '-' | '.' | '!'
            | '|' | '~' | '=' | ':' | '@' | '$' | '^' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

/// At most `max` columns, the last one an ellipsis where something was cut.
#[must_use]
pub fn shortened(text: &str, max: usize) -> String {
    if text.width() <= max {
        return text.to_owned();
    }
    let mut short = String::new();
    let mut columns = 0;
    for c in text.chars() {
        columns += c.width().unwrap_or(0);
        if columns >= max {
            break;
        }
        short.push(c);
    }
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_can_not_forge_a_line() {
        assert_eq!(terminal("a\nb\u{1b}[31m\u{202e}c"), "a\\nb\\u{1b}[31m\\u{202e}c");
        assert_eq!(markdown("a|b\n- No findings."), "a\\|b\\\\n\\- No findings\\.");
        assert_eq!(markdown("<img src=x>"), "&lt;img src\\=x&gt;");
    }

    #[test]
    fn a_long_name_is_shortened_by_columns() {
        assert_eq!(shortened("äöüß", 3), "äö…");
        assert_eq!(shortened("äöü", 3), "äöü");
        assert_eq!(shortened("東京の店", 6), "東京…");
    }
}
