//! A board of issues for the demo: an MCP server of this process, so that an agent has something outside to read
//! and to change. It stands for the services that organizations connect; what is on it is gone with the process.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::{Arc, Mutex, PoisonError},
};

use axum::Router;
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
        ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
        ToolAnnotations,
    },
    service::RequestContext,
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::never::NeverSessionManager,
    },
};
use serde_json::{Map, Value, json};
use tokio::{net::TcpListener, task::JoinHandle};

/// Issues that are kept: enough to see that it works.
const ISSUES_MAX: usize = 100;
const TITLE_LENGTH_MAX: usize = 200;
pub(super) const LIST: &str = "list_issues";
pub(super) const CREATE: &str = "create_issue";

/// The board at work; gone when dropped.
#[derive(Debug)]
pub(crate) struct Board {
    pub(crate) address: SocketAddr,
    task: JoinHandle<()>,
}

impl Drop for Board {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Board {
    /// On a port of this machine.
    pub(crate) async fn start() -> std::io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let issues = Issues::default();
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true);
        let sessions = Arc::new(NeverSessionManager::default());
        let service = StreamableHttpService::new(move || Ok(issues.clone()), sessions, config);
        let router = Router::new().route_service("/mcp", service);
        let task = tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, router).await {
                tracing::error!(%error, "the demo's board ended");
            }
        });
        Ok(Self { address, task })
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }
}

#[derive(Debug, Clone)]
struct Issues(Arc<Mutex<Vec<String>>>);

impl Default for Issues {
    fn default() -> Self {
        let first = ["The greeting has no name", "Say hello in the morning"];
        Self(Arc::new(Mutex::new(first.map(str::to_owned).into())))
    }
}

impl Issues {
    fn all(&self) -> Value {
        let issues = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let issues = issues
            .iter()
            .enumerate()
            .map(|(at, title)| issue(at, title));
        json!({"issues": issues.collect::<Vec<_>>()})
    }

    fn create(&self, arguments: &Map<String, Value>) -> Result<Value, String> {
        let title = arguments.get("title").and_then(Value::as_str);
        let title = title.map(str::trim).filter(|title| !title.is_empty());
        let title = title.ok_or("`title` must be a text that is not empty")?;
        if title.chars().count() > TITLE_LENGTH_MAX {
            return Err(format!("`title` has {TITLE_LENGTH_MAX} characters at most"));
        }
        let mut issues = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if issues.len() >= ISSUES_MAX {
            return Err("the board is full".to_owned());
        }
        issues.push(title.to_owned());
        Ok(issue(issues.len() - 1, title))
    }
}

fn issue(at: usize, title: &str) -> Value {
    json!({"id": format!("DEMO-{}", at + 1), "title": title})
}

impl ServerHandler for Issues {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        let identity = Implementation::new("board", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(capabilities).with_server_info(identity)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let nothing = json!({"type": "object", "properties": {}});
        let title = json!({
            "type": "object",
            "properties": {"title": {"type": "string", "description": "What is to be done"}},
            "required": ["title"],
        });
        Ok(ListToolsResult::with_all_items(vec![
            tool(LIST, "The issues on the board", &nothing, true),
            tool(CREATE, "Puts an issue on the board", &title, false),
        ]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let done = match request.name.as_ref() {
            LIST => Ok(self.all()),
            CREATE => self.create(&request.arguments.unwrap_or_default()),
            _ => return Err(ErrorData::invalid_params("there is no such tool", None)),
        };
        let result = match done {
            Ok(value) => CallToolResult::structured(value),
            Err(why) => CallToolResult::error(vec![ContentBlock::text(why)]),
        };
        Ok(result.into())
    }
}

fn tool(name: &'static str, description: &'static str, schema: &Value, is_read: bool) -> Tool {
    let schema = schema.as_object().cloned().unwrap_or_default();
    let annotations = ToolAnnotations::with_title(description)
        .read_only(is_read)
        .destructive(false);
    Tool::new(name, description, Arc::new(schema)).with_annotations(annotations)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_takes_what_has_a_title() {
        let issues = Issues::default();
        let create = |value: Value| {
            let arguments = value.as_object().cloned().unwrap_or_default();
            issues.create(&arguments)
        };
        assert!(create(json!({})).is_err());
        assert!(create(json!({"title": "  "})).is_err());
        assert!(create(json!({"title": "x".repeat(TITLE_LENGTH_MAX + 1)})).is_err());
        let made = create(json!({"title": " Wave back "})).unwrap();
        assert_eq!(made, json!({"id": "DEMO-3", "title": "Wave back"}));
        assert_eq!(issues.all()["issues"][2], made);
        for _ in 3..ISSUES_MAX {
            create(json!({"title": "more"})).unwrap();
        }
        assert!(create(json!({"title": "one too many"})).is_err());
    }
}
