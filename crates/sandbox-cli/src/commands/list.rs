//! `actions list`: what this session can do outside of its sandbox.

use serde_json::Value;

use super::answered;
use crate::{
    client::{Call, Client},
    failure::Failure,
};

pub(super) async fn run(client: &mut Client) -> Result<Value, Failure> {
    let call = Call {
        path: &["available"],
        query: &[],
        body: None,
        is_quick: false,
    };
    answered(client, &call).await
}
