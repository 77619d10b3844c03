//! `actions guide`: how to use a service.

use serde_json::Value;

use super::answered;
use crate::{
    cli::Guide,
    client::{Call, Client},
    failure::Failure,
};

pub(super) async fn run(client: &mut Client, args: &Guide) -> Result<Value, Failure> {
    let call = Call {
        path: &["guide", &args.integration],
        query: &[],
        body: None,
        is_quick: false,
    };
    answered(client, &call).await
}
