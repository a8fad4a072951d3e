//! Hygiene: says so when macros and runtime are of two versions.
use deps::newer::retry_policy;

mod deps {
    pub(crate) mod newer {
        pub(crate) use retry_plan::retry_policy;

        pub(crate) mod __private {
            pub(crate) use crate::stamped as version;
            pub(crate) use retry_plan::__private::*;
        }
    }
}

// The facade of another version: its stamp isn't that of the macros.
macro_rules! stamped {
    ($macros:literal) => {
        retry_plan::__private::version!("0.0.9");
    };
}
use stamped;

retry_policy! {
    struct Charge {
        crate = crate::deps::newer;
        retry(attempts = 3) {
            attempt(500ms)
        }
    }
}

fn main() {}
