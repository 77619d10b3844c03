//! `actions grant request`: a wish that an admin decides; nothing is granted here.

use serde_json::Value;
use wire::grant::RequestGrantRequest;

use super::answered;
use crate::{
    cli::GrantRequest,
    client::{Call, Client},
    failure::Failure,
    system::idempotency_key,
};

pub(super) async fn run(client: &mut Client, args: GrantRequest) -> Result<Value, Failure> {
    let request = RequestGrantRequest {
        integration: args.integration,
        action: args.action,
        scope: Some(args.scope.into()),
        max_calls: args.max_calls,
    };
    let body = serde_json::json!(request);
    // Should a gateway not know the key, a wish that was sent twice is two wishes and no grant.
    let key = idempotency_key();
    let call = Call {
        path: &["grants"],
        query: &[],
        body: Some((&body, &key)),
        is_quick: false,
    };
    answered(client, &call).await
}
