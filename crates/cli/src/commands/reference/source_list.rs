//! The built-in sources as data: the dashboard shows them, and the forms to connect them, from this file.

use serde_json::{Value, json};

pub(super) fn render() -> String {
    let sources: Vec<Value> = integrations::declarations()
        .map(|source| {
            json!({
                "id": source.name,
                "name": source.display_name,
                "summary": source.summary,
                "app": source.has_app,
            })
        })
        .collect();
    format!("{:#}\n", Value::from(sources))
}
