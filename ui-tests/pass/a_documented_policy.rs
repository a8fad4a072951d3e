//! Forms: comments and attributes stand on the policy and on its nodes.
#![deny(missing_docs)]

use std::io::Error;

use retry_plan::retry_policy;

retry_policy! {
    /// Loads a page.
    ///
    /// Both halves at once.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[must_use]
    pub(crate) struct LoadPage {
        /// As long as a reader waits.
        deadline(1s) {
            parallel {
                /// Who it is.
                profile: attempt(200ms),
                /// What was bought.
                #[allow(unused_variables)]
                orders: attempt(300ms),
            }
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_eq!(LoadPage, LoadPage::default());
    let page = LoadPage::new()
        .profile(async |_| Ok::<_, Error>(3))
        .orders(async |_| Ok(4))
        .run()
        .await
        .unwrap();
    assert_eq!(page, LoadPageOutput { profile: 3, orders: 4 });
}
