retry_policy! { pub struct Charge { deadline(1s) { retry(attempts = 3) { attempt(500ms) } } } }
#[retry(attempts = 2, attempt = LIMIT, deadline = 2s)]
async fn pay(&self) -> Result<(), E> { x }
let page = retry_policy!(attempts = 3, attempt = 5ms, async |cx| get(cx).await).await?;
