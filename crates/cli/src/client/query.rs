//! Queries of URLs.

use std::fmt::Write as _;

use serde::Serialize;

/// The query of a flat value: its members with plain values; a member that is null is left out.
pub(super) fn query_string(query: &impl Serialize) -> String {
    let Ok(serde_json::Value::Object(members)) = serde_json::to_value(query) else {
        return String::new();
    };
    let pairs: Vec<String> = members
        .iter()
        .filter_map(|(name, value)| {
            let text = match value {
                serde_json::Value::Null => return None,
                serde_json::Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            Some(format!("{name}={}", percent_encoded(&text)))
        })
        .collect();
    pairs.join("&")
}

/// Everything but unreserved characters, as a query wants it.
fn percent_encoded(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn queries_are_encoded() {
        let query = json!({"status": "running", "cursor": "a b&c=é", "limit": 3, "no": null});
        assert_eq!(
            query_string(&query),
            "cursor=a%20b%26c%3D%C3%A9&limit=3&status=running"
        );
        assert_eq!(query_string(&json!({})), "");
    }
}
