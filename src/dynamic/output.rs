//! What a policy of several leaves returns: a value for each, in the shape of its tree.

/// The values of a run, in the shape of the policy's tree.
///
/// A `race` or a `fallback` gives the value of the branch that won, a `series` or a `parallel` those of all its children.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Output<T> {
    /// What one leaf returned.
    One(T),
    /// What the children of a `series` or a `parallel` returned, by name, in their order.
    Each(Vec<(&'static str, Output<T>)>),
}

impl<T> Output<T> {
    /// The value, if it is that of one leaf.
    #[must_use]
    pub fn one(self) -> Option<T> {
        match self {
            Self::One(value) => Some(value),
            Self::Each(_) => None,
        }
    }

    /// The child of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Self> {
        match self {
            Self::One(_) => None,
            Self::Each(all) => all.iter().find(|(own, _)| *own == name).map(|(_, output)| output),
        }
    }

    /// The values of all leaves that have one, in their order.
    #[must_use]
    pub fn into_values(self) -> Vec<T> {
        match self {
            Self::One(value) => vec![value],
            Self::Each(all) => all
                .into_iter()
                .flat_map(|(_, output)| output.into_values())
                .collect(),
        }
    }

    /// The value of a tree with one leaf.
    pub(super) fn only(self) -> T {
        let mut output = self;
        loop {
            match output {
                Self::One(value) => return value,
                Self::Each(mut all) => {
                    output = all
                        .pop()
                        .expect("a tree with one leaf has one child at each node")
                        .1;
                }
            }
        }
    }
}
