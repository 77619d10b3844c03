//! `actions guide`: how to use a service.

use serde_json::Value;

use super::request::fetch_document;
use crate::{
    cli::GuideArgs,
    client::{Client, GatewayRequest},
    failure::Failure,
};

pub(super) async fn run(client: &mut Client, args: &GuideArgs) -> Result<Value, Failure> {
    let call = GatewayRequest {
        path: &["guide", &args.integration],
        query: &[],
        body: None,
        is_quick: false,
    };
    fetch_document(client, &call).await
}
