//! The `retry-plan` command: plans, chains, imports and pictures of retry policies.
//!
//! [`cli`] says what can be asked and [`run`] answers it: [`chain`] judges the settings of several services, [`import`]
//! reads them from their targets, [`plan`] and [`scan`] plan policies, [`report`] shows results. Text comes in through
//! [`doc`], and whatever is wrong with it is a [`fault`].

pub mod chain;
pub mod cli;
pub mod doc;
pub mod fault;
pub mod import;
pub mod plan;
pub mod report;
pub mod run;
pub mod scan;
