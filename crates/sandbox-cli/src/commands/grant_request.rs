//! `actions grant request`: a grant request that an admin decides; nothing is granted here.

use serde_json::Value;
use wire::grant::RequestGrantRequest;

use super::request::fetch_document;
use crate::{
    cli::GrantRequestArgs,
    client::{Client, GatewayRequest},
    failure::Failure,
    system::idempotency_key,
};

pub(super) async fn run(client: &mut Client, args: GrantRequestArgs) -> Result<Value, Failure> {
    let request = RequestGrantRequest {
        integration: args.integration,
        action: args.action,
        scope: Some(args.scope.into()),
        max_calls: args.max_calls,
    };
    let body = serde_json::json!(request);
    // If a gateway does not know the key, a request that was sent twice is two requests and no grant.
    let key = idempotency_key();
    let call = GatewayRequest {
        path: &["grants"],
        query: &[],
        body: Some((&body, &key)),
        is_quick: false,
    };
    fetch_document(client, &call).await
}
