//! What a program knows that a file can't: its budgets, its hooks, its operations.

use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use retry_planner::{Level, Lint, Policy};
use retry_runtime::{Budget, Retrying};

use super::DynPolicy;
use super::hooks::{Hooks, compact, kept};
use super::program::{Called, Linker, Program, leaves, unknown};
use super::read::{self, Read};
use super::refused::{Fault, Place, Refused};

/// A policy with one leaf.
#[derive(Debug, Clone, Copy)]
pub struct One;

/// A policy with any number of leaves, each run by its name.
#[derive(Debug, Clone, Copy)]
pub struct Several;

/// Loads policies: knows what a file names, refuses what doesn't fit.
///
/// It is kept and used again for each new version of the file.
#[must_use = "a loader does nothing until it loads"]
pub struct Loader<T, E, L = One> {
    named: Option<String>,
    budgets: Vec<(String, &'static Budget)>,
    levels: Vec<(Lint, Level)>,
    hooks: Hooks<T, E>,
    leaves: Leaves,
    kind: PhantomData<fn() -> L>,
}

/// The leaves that a program has operations for.
#[derive(Clone)]
enum Leaves {
    One,
    Any,
    These(Vec<&'static str>),
}

impl<T, E> Default for Loader<T, E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T, E> Loader<T, E> {
    /// For a policy with one leaf, without budgets and hooks.
    pub const fn new() -> Self {
        Self {
            named: None,
            budgets: Vec::new(),
            levels: Vec::new(),
            hooks: Hooks::none(),
            leaves: Leaves::One,
            kind: PhantomData,
        }
    }

    /// For a policy whose leaves have these names, or some of them.
    ///
    /// A file with any other leaf is refused. One that leaves some out isn't: whether their values are needed is the
    /// program's to say.
    pub fn leaves(self, names: impl IntoIterator<Item = &'static str>) -> Loader<T, E, Several> {
        let names = names.into_iter().collect();
        self.of(Leaves::These(names))
    }

    /// For a policy with leaves of any name.
    pub fn any_leaves(self) -> Loader<T, E, Several> {
        self.of(Leaves::Any)
    }

    fn of<L>(self, leaves: Leaves) -> Loader<T, E, L> {
        Loader {
            named: self.named,
            budgets: self.budgets,
            levels: self.levels,
            hooks: self.hooks,
            leaves,
            kind: PhantomData,
        }
    }
}

impl<T, E, L> Loader<T, E, L> {
    /// Which policy of a text is meant, where it holds several: the others are there to be called.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.named = Some(name.into());
        self
    }

    /// The budget that `budget = name` and `allowance(name = n)` mean.
    pub fn budget(mut self, name: &str, budget: &'static Budget) -> Self {
        self.budgets.push((compact(name), budget));
        self
    }

    /// The level of a finding where the file says nothing else.
    ///
    /// ```
    /// use retry_plan::dynamic::Loader;
    /// use retry_plan::planner::{Level, Lint};
    ///
    /// let loader = Loader::<(), std::io::Error>::new().level(Lint::NoDeadline, Level::Deny);
    /// assert!(loader.text("attempt(1s)").is_err());
    /// assert!(loader.text("deadline(1s) { attempt }").is_ok());
    /// ```
    pub fn level(mut self, lint: Lint, level: Level) -> Self {
        self.levels.push((lint, level));
        self
    }

    /// What `when = name` means: whether an error is worth another attempt. A tree names no code; its hooks are called `_`.
    pub fn when(mut self, name: &str, hook: impl Fn(&E) -> bool + Send + Sync + 'static) -> Self {
        self.hooks.when.push((compact(name), Arc::new(hook)));
        self
    }

    /// What `until = name` means: whether a value is there yet. A `series` or a `parallel` is there when all its values are.
    pub fn until(mut self, name: &str, hook: impl Fn(&T) -> bool + Send + Sync + 'static) -> Self {
        self.hooks.until.push((compact(name), Arc::new(hook)));
        self
    }

    /// What `retry_after = name` means: the wait that a server asks for in an error.
    pub fn retry_after<H>(mut self, name: &str, hook: impl Fn(&E) -> H + Send + Sync + 'static) -> Self
    where
        H: retry_runtime::RetryAfter,
    {
        let hook = move |error: &E| -> Option<Duration> { hook(error).wait() };
        self.hooks.retry_after.push((compact(name), Arc::new(hook)));
        self
    }

    /// What `on_retry = name` means: what is told of each retry.
    pub fn on_retry(
        mut self,
        name: &str,
        hook: impl for<'e> Fn(Retrying<'e, E>) + Send + Sync + 'static,
    ) -> Self {
        self.hooks.on_retry.push((compact(name), Arc::new(hook)));
        self
    }

    /// Loads a policy text, in the grammar of `retry_policy!`: named policies, or one tree alone.
    ///
    /// Values are literals, and `call(Name)` means another policy of the text. What is about Rust types (visibility, generics,
    /// `type Error`) is read over.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it. Where it can't be read as a policy, it isn't planned.
    pub fn text(&self, text: &str) -> Result<DynPolicy<T, E, L>, Refused> {
        self.load(read::text(text, self.named.as_deref(), &self.levels))
    }

    /// Loads a tree, such as the `POLICY` of a named policy.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it. What the grammar couldn't say (a retry of nothing, zero attempts) is an error as
    /// in a text.
    pub fn tree(&self, policy: &Policy<'_>) -> Result<DynPolicy<T, E, L>, Refused> {
        self.load(read::tree(policy, &self.levels))
    }

    /// Loads a document, as serde reads it from JSON, TOML or YAML.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it.
    #[cfg(feature = "serde")]
    pub fn document(&self, document: &super::Document) -> Result<DynPolicy<T, E, L>, Refused> {
        self.load(document.read(&self.levels))
    }

    fn load(&self, read: Result<Read, Vec<Fault>>) -> Result<DynPolicy<T, E, L>, Refused> {
        let read = read.map_err(Refused::new)?;
        let mut found = read.findings();
        let (name, root) = read.tree.with(|policy| {
            let name = kept(policy.name);
            for (node, message) in self.foreign_leaves(&leaves(policy)) {
                found.push((node, Fault::new(read.places[node].clone(), message)));
            }
            let called: Vec<Called<'_>> = read
                .hooks
                .iter()
                .map(|(node, word, code, _)| Called {
                    node: *node,
                    word,
                    code,
                })
                .collect();
            let mut linker = Linker {
                policy,
                name,
                called: &called,
                hooks: &self.hooks,
                budgets: &self.budgets,
                missing: Vec::new(),
            };
            let root = linker.step(0);
            for (node, word, message) in linker.missing {
                let place = word.and_then(|word| read.hook(node, word));
                let place = place.unwrap_or(&read.places[node]).clone();
                found.push((node, Fault::new(place, message)));
            }
            (name, root)
        });
        for (node, _, _, place) in read
            .hooks
            .iter()
            .filter(|(_, word, ..)| *word == "idempotency_key")
        {
            let fault = "a file can't make a key\n  help: write `idempotency_key` alone, and give the key with `keyed`";
            found.push((*node, Fault::new(place.clone(), fault)));
        }
        found.sort_by_key(|(node, fault)| (*node, fault.place.in_text()));
        let faults: Vec<Fault> = found.into_iter().map(|(_, fault)| fault).collect();
        if faults.iter().any(|fault| fault.level == Level::Deny) {
            return Err(Refused::new(faults));
        }
        Ok(DynPolicy::new(Arc::new(Program {
            name,
            tree: read.tree,
            root,
            warnings: faults,
        })))
    }

    /// The leaves that the program has no operation for.
    fn foreign_leaves(&self, found: &[(usize, &str)]) -> Vec<(usize, String)> {
        match &self.leaves {
            Leaves::Any => Vec::new(),
            Leaves::One => {
                let all = found.len();
                let second = found.get(1).iter().map(|(node, _)| *node).collect::<Vec<_>>();
                let fault = format!("this policy has {all} leaves, and the program has one operation");
                second.into_iter().map(|node| (node, fault.clone())).collect()
            }
            Leaves::These(names) => found
                .iter()
                .filter(|(_, name)| !names.contains(name))
                .map(|(node, name)| {
                    let what = format!("no operation `{name}`");
                    (*node, unknown(&what, name, names.iter().copied()))
                })
                .collect(),
        }
    }
}

impl Read {
    fn hook(&self, node: usize, word: &str) -> Option<&Place> {
        let hook = self
            .hooks
            .iter()
            .find(|(own, name, ..)| *own == node && *name == word);
        hook.map(|(.., place)| place)
    }
}

impl<T, E, L> Clone for Loader<T, E, L> {
    fn clone(&self) -> Self {
        Self {
            named: self.named.clone(),
            budgets: self.budgets.clone(),
            levels: self.levels.clone(),
            hooks: self.hooks.clone(),
            leaves: self.leaves.clone(),
            kind: PhantomData,
        }
    }
}

impl<T, E, L> core::fmt::Debug for Loader<T, E, L> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Loader")
            .field("named", &self.named)
            .field("budgets", &self.budgets)
            .field("levels", &self.levels)
            .finish_non_exhaustive()
    }
}
