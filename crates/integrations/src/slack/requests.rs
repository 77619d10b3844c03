//! Calls of Slack's methods: reads by query, the rest as JSON.

use domain::limits::SOURCE_PAGE_MAX;
use reqwest::Method;

use crate::{Failure, http::Request, service::Params};

pub(super) fn list_channels(params: &Params) -> Result<Request, Failure> {
    let types = match params.0.get("include_private") {
        Some(wanted) if wanted == true => "public_channel,private_channel",
        _ => "public_channel",
    };
    let limit = params.word("limit");
    let request = Request::get(&["conversations.list"])?
        .with_query("types", Some(types.to_owned()))
        .with_query("exclude_archived", Some("true".to_owned()))
        .with_query("limit", limit.or(Some(SOURCE_PAGE_MAX.to_string())))
        .with_query("cursor", params.word("cursor"));
    Ok(request)
}

pub(super) fn send_message(params: &Params) -> Result<Request, Failure> {
    let request = Request::new(Method::POST, &["chat.postMessage"])?;
    Ok(request.with_body(params.pick(&["channel", "text", "thread_ts"])))
}

pub(super) fn delete_message(params: &Params) -> Result<Request, Failure> {
    let request = Request::new(Method::POST, &["chat.delete"])?;
    Ok(request.with_body(params.pick(&["channel", "ts"])))
}
