//! JSON that clients may shape as they like, as far as every database can keep it.

use domain::invalid::Invalid;
use serde_json::Value;

/// Checks that no text in `value` holds a zero byte, which not every database can store.
pub(crate) fn validate(field: &str, value: &Value) -> Result<(), Invalid> {
    if holds_zero_byte(value) {
        return Err(Invalid::new(field, "must not contain a zero byte"));
    }
    Ok(())
}

/// As deep as the parser goes, which has a bound of its own.
fn holds_zero_byte(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
        Value::String(text) => text.contains('\0'),
        Value::Array(items) => items.iter().any(holds_zero_byte),
        Value::Object(members) => members
            .iter()
            .any(|(key, value)| key.contains('\0') || holds_zero_byte(value)),
    }
}
