//! `retry-plan chain`: what the retry settings of several services do together.
//!
//! text → [`input`] → [`model`] → [`figures`] (bounds, means, products) → [`findings`] → a report; [`fix`] proposes a
//! chain that passes and judges it the same way; [`mod@write`] turns a chain back into text.

pub mod bounds;
pub mod expected;
pub mod figures;
pub mod findings;
pub mod fix;
pub mod input;
pub mod model;
pub mod write;

use figures::Figures;
use findings::{Finding, Severity};
use model::Chain;

/// A chain with all that is to be said about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The chain.
    pub chain: Chain,
    /// Its figures.
    pub figures: Figures,
    /// Its findings.
    pub findings: Vec<Finding>,
}

impl Judged {
    /// Judges `chain`.
    #[must_use]
    pub fn new(chain: Chain) -> Self {
        let figures = figures::figures(&chain, None);
        Self::with(chain, figures)
    }

    /// Judges a change of this chain, at the same failure rate.
    #[must_use]
    pub fn revised(&self, chain: Chain) -> Self {
        let figures = figures::figures(&chain, Some((&self.chain, &self.figures)));
        Self::with(chain, figures)
    }

    fn with(chain: Chain, figures: Figures) -> Self {
        let findings = findings::findings(&chain, &figures);
        Self {
            chain,
            figures,
            findings,
        }
    }

    /// How many findings are high.
    #[must_use]
    pub fn high(&self) -> usize {
        self.count(Severity::High)
    }

    /// How many findings are of `severity`.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        self.findings
            .iter()
            .filter(|finding| finding.code.severity() == severity)
            .count()
    }

    /// The findings of one layer.
    pub fn of_layer(&self, layer: usize) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(move |finding| finding.layer == layer)
    }
}
