#[allow(no_jitter)]
#[retry_plan::retry(Charge)]
#[tracing::instrument]
async fn a() {}
#[retry(attempts = 3)]
struct NoFunction;
mod retry { }
