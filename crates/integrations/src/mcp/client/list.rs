//! A server's tools, page by page, until there are no more or there are too many.

use domain::{action::Risk, limits::CONNECTOR_PAGES_MAX};
use rmcp::model::{PaginatedRequestParams, Tool};
use serde_json::Value;

use super::{
    error::{RequestError, TransportError},
    link::Link,
};
use crate::{
    failure::{Failure, FailureKind},
    mcp::{
        catalog::{Annotations, Collector, Offered, ToolList},
        scrub::Scrub,
    },
    output::ActionOutput,
};

/// Fetches all pages. The caller has a deadline around it.
pub(crate) async fn list(link: &Link) -> Result<ToolList, Failure> {
    let mut collector = Collector::default();
    let mut cursor: Option<String> = None;
    for _ in 0..CONNECTOR_PAGES_MAX {
        let mut params = PaginatedRequestParams::default();
        params.cursor.clone_from(&cursor);
        let page = link.peer().list_tools(Some(params)).await;
        let page = page.map_err(|error| failure(link, RequestError::of_request(error)))?;
        for tool in page.tools {
            if !collector.add(offered(tool, &link.credential.scrub)) {
                return Ok(collector.finish(link.protocol_version()));
            }
        }
        match page.next_cursor {
            None => return Ok(collector.finish(link.protocol_version())),
            same if same == cursor => {
                collector.note("the list leads back to itself; what follows is left out".into());
                return Ok(collector.finish(link.protocol_version()));
            }
            next => cursor = next,
        }
    }
    collector.note(format!(
        "the list has more than {CONNECTOR_PAGES_MAX} pages; the others are left out"
    ));
    Ok(collector.finish(link.protocol_version()))
}

fn failure(link: &Link, cause: RequestError) -> Failure {
    match cause {
        RequestError::Transport(TransportError::NotTheProtocol(_)) => Failure::never(
            FailureKind::MalformedReply,
            "the server's list of tools is not what the protocol says",
        ),
        RequestError::Transport(trouble) => trouble.failure(Risk::Read),
        RequestError::Said { code, message } => {
            let said = link.credential.scrub.text(message);
            Failure::never(
                FailureKind::MalformedReply,
                format!("the server does not list its tools (error {code})"),
            )
            .with_output(ActionOutput::text(said))
        }
        RequestError::Lost => link.last_trouble().failure(Risk::Read),
    }
}

fn offered(tool: Tool, scrub: &Scrub) -> Offered {
    let text = |text: String| scrub.text(text);
    let schema = |schema| match scrub.value(Value::Object(schema)) {
        Value::Object(schema) => schema,
        _ => serde_json::Map::new(),
    };
    let hints = tool.annotations.unwrap_or_default();
    Offered {
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
