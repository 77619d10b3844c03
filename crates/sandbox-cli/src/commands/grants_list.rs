//! `actions grants list`: what runs without approval.

use serde_json::Value;

use super::request::fetch_document;
use crate::{
    cli::GrantsListArgs,
    client::{Client, GatewayRequest},
    failure::Failure,
};

pub(super) async fn run(client: &mut Client, args: &GrantsListArgs) -> Result<Value, Failure> {
    let mut query = vec![("limit", args.limit.to_string())];
    query.extend(args.cursor.clone().map(|cursor| ("cursor", cursor)));
    let call = GatewayRequest {
        path: &["grants"],
        query: &query,
        body: None,
        is_quick: false,
    };
    fetch_document(client, &call).await
}
