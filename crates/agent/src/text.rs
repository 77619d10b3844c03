//! Texts that become files: quoting, and templates with placeholders.

/// A string literal of JSON, which is one of TypeScript too.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A template with each `__NAME__` replaced. Every placeholder is filled; a test checks that none is left.
pub(crate) fn fill(template: &str, places: &[(&str, String)]) -> String {
    let mut text = template.to_owned();
    for (name, value) in places {
        text = text.replace(&format!("__{name}__"), value);
    }
    text
}
