//! `actions list`: what this session can do outside of its sandbox.

use serde_json::Value;

use super::request::fetch_document;
use crate::{
    client::{Client, GatewayRequest},
    failure::Failure,
};

pub(super) async fn run(client: &mut Client) -> Result<Value, Failure> {
    let call = GatewayRequest {
        path: &["available"],
        query: &[],
        body: None,
        is_quick: false,
    };
    fetch_document(client, &call).await
}
