//! Requests whose response is the document for stdout.

use serde_json::Value;

use crate::{
    client::{Client, GatewayRequest},
    failure::Failure,
    system::Deadline,
};

/// Sends a request and returns the document of its response.
pub(super) async fn fetch_document(
    client: &mut Client,
    request: &GatewayRequest<'_>,
) -> Result<Value, Failure> {
    let settled = client
        .settle(
            request,
            Deadline::after(client.settings.times.answer_within),
        )
        .await;
    settled.map_err(|failed| failed.failure)?.document()
}
