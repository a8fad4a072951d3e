//! Faults as data: collected until all are known, then shown together.

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, TokenTree};
use proc_macro2::{Span, TokenStream};

/// One fault: what it is, where, and what would be right.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The token to point at.
    pub span: Span,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What to write instead, and other lines under the message.
    pub help: Vec<String>,
    /// The last token that takes part, where there are several: the underline runs from `span` to here.
    pub through: Option<Span>,
}

impl Diagnostic {
    /// A fault without more to say.
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        Self {
            span,
            message: message.into(),
            help: Vec::new(),
            through: None,
        }
    }

    /// The same with a line of help under it.
    #[must_use]
    pub fn help(mut self, line: impl Into<String>) -> Self {
        self.help.push(line.into());
        self
    }

    /// The same, underlined as far as another token.
    #[must_use]
    pub fn through(mut self, last: Span) -> Self {
        self.through = Some(last);
        self
    }

    /// The message with its help, as a compiler's error shows it.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = self.message.clone();
        for line in &self.help {
            text.push_str("\n  help: ");
            text.push_str(line);
        }
        text
    }
}

/// Every fault found so far.
#[derive(Clone, Debug, Default)]
pub struct Errors {
    found: Vec<Diagnostic>,
}

impl Errors {
    /// None yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// One more.
    pub fn push(&mut self, fault: Diagnostic) {
        self.found.push(fault);
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// All of them, in the order they were found.
    #[must_use]
    pub fn all(&self) -> &[Diagnostic] {
        &self.found
    }

    /// Keeps the first fault of what is still being typed: those found since there were `before` are about its end.
    pub(crate) fn keep_first(&mut self, before: usize) {
        self.found.truncate(before + 1);
    }

    /// One `::core::compile_error! { … }` for each; they stand as items and as statements.
    #[must_use]
    pub fn to_compile_errors(&self) -> TokenStream {
        let mut tokens = TokenStream::new();
        for fault in &self.found {
            tokens.extend(compile_error(
                fault.span,
                fault.through.unwrap_or(fault.span),
                &fault.text(),
            ));
        }
        tokens
    }
}

fn compile_error(span: Span, last: Span, text: &str) -> TokenStream {
    let punct = |char, spacing| {
        let mut punct = Punct::new(char, spacing);
        punct.set_span(span);
        TokenTree::from(punct)
    };
    let mut text = Literal::string(text);
    text.set_span(span);
    let mut body = Group::new(Delimiter::Brace, TokenTree::from(text).into());
    // rustc underlines from the first token of an item to its last.
    body.set_span(last);
    [
        punct(':', Spacing::Joint),
        punct(':', Spacing::Alone),
        Ident::new("core", span).into(),
        punct(':', Spacing::Joint),
        punct(':', Spacing::Alone),
        Ident::new("compile_error", span).into(),
        punct('!', Spacing::Alone),
        body.into(),
    ]
    .into_iter()
    .collect()
}
