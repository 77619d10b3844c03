//! A server's tools, page by page, until there are no more or there are too many.

use domain::{action::Risk, limits::CONNECTOR_PAGES_MAX};
use rmcp::model::{PaginatedRequestParams, Tool};
use serde_json::Value;

use super::{
    connection::McpConnection,
    error::{RequestError, TransportError},
};
use crate::{
    failure::{Failure, FailureKind},
    mcp::{
        catalog::{Annotations, OfferedTool, ToolCollector, ToolList},
        secret_scrubber::SecretScrubber,
    },
    output::ActionOutput,
};

/// Fetches all pages. The caller has a deadline around it.
pub(crate) async fn list(connection: &McpConnection) -> Result<ToolList, Failure> {
    let mut collector = ToolCollector::default();
    let mut cursor: Option<String> = None;
    for _ in 0..CONNECTOR_PAGES_MAX {
        let mut params = PaginatedRequestParams::default();
        params.cursor.clone_from(&cursor);
        let page = connection.peer().list_tools(Some(params)).await;
        let page = page.map_err(|error| failure(connection, RequestError::of_request(error)))?;
        for tool in page.tools {
            if !collector.add(offered(tool, &connection.credential.scrubber)) {
                return Ok(collector.finish(connection.protocol_version()));
            }
        }
        match page.next_cursor {
            None => return Ok(collector.finish(connection.protocol_version())),
            same if same == cursor => {
                collector.note("the list repeats a page; what follows is left out".into());
                return Ok(collector.finish(connection.protocol_version()));
            }
            next => cursor = next,
        }
    }
    collector.note(format!(
        "the list has more than {CONNECTOR_PAGES_MAX} pages; the others are left out"
    ));
    Ok(collector.finish(connection.protocol_version()))
}

fn failure(connection: &McpConnection, cause: RequestError) -> Failure {
    match cause {
        RequestError::Transport(TransportError::NotTheProtocol(_)) => Failure::never(
            FailureKind::MalformedReply,
            "the server's list of tools is not what the protocol says",
        ),
        RequestError::Transport(error) => error.failure(Risk::Read),
        RequestError::Refused { code, message } => {
            let said = connection.credential.scrubber.text(message);
            Failure::never(
                FailureKind::MalformedReply,
                format!("the server does not list its tools (error {code})"),
            )
            .with_output(ActionOutput::text(said))
        }
        RequestError::NoAnswer => connection.last_error().failure(Risk::Read),
    }
}

fn offered(tool: Tool, scrubber: &SecretScrubber) -> OfferedTool {
    let text = |text: String| scrubber.text(text);
    let schema = |schema| match scrubber.value(Value::Object(schema)) {
        Value::Object(schema) => schema,
        _ => serde_json::Map::new(),
    };
    let hints = tool.annotations.unwrap_or_default();
    OfferedTool {
        name: text(tool.name.into_owned()),
        title: tool.title.map(text),
        description: tool.description.map(|said| text(said.into_owned())),
        input_schema: schema(std::sync::Arc::unwrap_or_clone(tool.input_schema)),
        output_schema: (tool.output_schema)
            .map(|found| schema(std::sync::Arc::unwrap_or_clone(found))),
        annotations: Annotations {
            title: hints.title.map(text),
            read_only: hints.read_only_hint,
            destructive: hints.destructive_hint,
            idempotent: hints.idempotent_hint,
            open_world: hints.open_world_hint,
        },
    }
}
