//! Actions as tools: definitions, and the list in pages.

use std::{collections::BTreeMap, sync::Arc};

use app::actions::SessionActions;
use domain::{action::Risk, limits::MCP_TOOLS_PAGE_MAX};
use rmcp::model::{CacheScope, ListToolsResult, Tool, ToolAnnotations};
use serde_json::{Map, Value, json};

use super::names::{NamedAction, OWN, name_all};

/// The tool that waits for an undecided call.
pub(super) fn wait_tool_name() -> String {
    format!("{OWN}__wait_for_action")
}

/// The tools for an agent. Tools that would be denied are left out: a model that sees a tool tries it.
pub(super) fn tools(available: &SessionActions) -> BTreeMap<String, Tool> {
    let named = name_all(&available.offers);
    let shown = named
        .into_iter()
        .filter(|(_, named)| named.action.risk != Risk::Danger);
    let mut tools: BTreeMap<_, _> = shown
        .map(|(name, named)| (name.clone(), tool(name, named)))
        .collect();
    tools.insert(wait_tool_name(), wait_tool());
    tools
}

/// The page after the cursor, which is the name of the last tool before it: if tools are added or removed
/// between two pages, no other tool is left out or repeated.
pub(super) fn page(mut tools: BTreeMap<String, Tool>, cursor: Option<&str>) -> ListToolsResult {
    if let Some(cursor) = cursor {
        tools.retain(|name, _| name.as_str() > cursor);
    }
    let more = tools.len() > MCP_TOOLS_PAGE_MAX;
    let page: Vec<Tool> = tools.into_values().take(MCP_TOOLS_PAGE_MAX).collect();
    let last = page.last().map(|tool| tool.name.to_string());
    ListToolsResult {
        next_cursor: last.filter(|_| more),
        // Connectors change, and the list depends on the caller.
        ttl_ms: Some(0),
        cache_scope: Some(CacheScope::Private),
        ..ListToolsResult::with_all_items(page)
    }
}

fn tool(name: String, NamedAction { offer, action }: NamedAction<'_>) -> Tool {
    let title = format!("{}: {}", offer.display_name, action.name.replace('_', " "));
    let description = match action.risk {
        Risk::Read | Risk::Danger => action.description.clone(),
        Risk::Write => format!(
            "{}\n\nThis call may need an approval first.",
            action.description
        )
        .trim_start()
        .to_owned(),
    };
    let is_read = action.risk == Risk::Read;
    let annotations = ToolAnnotations::with_title(title.clone())
        .read_only(is_read)
        .destructive(action.risk == Risk::Danger)
        .idempotent(is_read)
        .open_world(true);
    Tool::new(name, description, schema(&action.schema))
        .with_title(title)
        .with_annotations(annotations)
}

/// Unmodified, but always of type object, which clients require.
fn schema(schema: &Value) -> Arc<Map<String, Value>> {
    let mut schema = schema.as_object().cloned().unwrap_or_default();
    schema.entry("type").or_insert_with(|| json!("object"));
    Arc::new(schema)
}

fn wait_tool() -> Tool {
    let title = "Wait for an action";
    let description = "Waits until an action that needs a person's approval was decided and done, and \
                       returns its result. Use it with the invocationId of a call that is pending; call it \
                       again if it is still pending.";
    let schema_of = json!({
        "type": "object",
        "properties": {
            "invocationId": {
                "type": "string", "format": "uuid",
                "description": "Of the call that is pending",
            },
        },
        "required": ["invocationId"],
        "additionalProperties": false,
    });
    let annotations = ToolAnnotations::with_title(title)
        .read_only(true)
        .destructive(false)
        .idempotent(true)
        .open_world(false);
    Tool::new(wait_tool_name(), description, schema(&schema_of))
        .with_title(title)
        .with_annotations(annotations)
}
