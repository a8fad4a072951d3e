//! Nodes: a tree in place runs other policies in its leaves.
use std::io::Error;

use retry_plan::retry_policy;

async fn checkout() -> Result<u32, Error> {
    let mut log = Vec::new();
    let paid = retry_policy! {
        type Error = Error;
        deadline(3s) {
            series {
                reserve: attempt(200ms) async |_| { log.push("reserved"); Ok(3_u32) },
                pay: call(pay::Charge) async |_| pay::Charge::run(async |_| Ok(reserve + 4)).await,
            }
        }
    };
    let paid = paid.await?.pay;
    assert_eq!(log, ["reserved"]);
    Ok(paid)
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_eq!(checkout().await.unwrap(), 7);
}
