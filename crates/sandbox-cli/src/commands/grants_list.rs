//! `actions grants list`: what runs without approval.

use serde_json::Value;

use super::answered;
use crate::{
    cli::GrantsList,
    client::{Call, Client},
    failure::Failure,
};

pub(super) async fn run(client: &mut Client, args: &GrantsList) -> Result<Value, Failure> {
    let mut query = vec![("limit", args.limit.to_string())];
    query.extend(args.cursor.clone().map(|cursor| ("cursor", cursor)));
    let call = Call {
        path: &["grants"],
        query: &query,
        body: None,
        is_quick: false,
    };
    answered(client, &call).await
}
