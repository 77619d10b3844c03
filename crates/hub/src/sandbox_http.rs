//! HTTP clients for programs inside a sandbox, and the memory that their JSON takes, estimated before it is parsed.

use std::time::Duration;

use domain::limits::{
    SANDBOX_JSON_DEPTH_MAX, SANDBOX_JSON_LIST_COST, SANDBOX_JSON_MEMORY_MAX,
    SANDBOX_JSON_OBJECT_COST, SANDBOX_JSON_VALUE_COST,
};
use reqwest::{Client, ClientBuilder, redirect::Policy};
use serde_json::Value;

/// Builds a client without proxies and redirects. Programs in a sandbox have no certificates, so those of this machine are
/// not loaded.
pub(crate) fn client(connect_timeout: Duration) -> ClientBuilder {
    Client::builder()
        .no_proxy()
        .redirect(Policy::none())
        .connect_timeout(connect_timeout)
        .tls_certs_only([])
}

/// Why JSON is not parsed: it is too deep, or takes too much memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JsonTooLarge {
    Depth(usize),
    Memory(usize),
}

/// Returns an upper bound of the memory that this JSON takes when it is parsed. Fails if that is too much, or if it is too
/// deep. Invalid JSON is left to the parser.
pub(crate) fn estimate_memory(json: &[u8]) -> Result<usize, JsonTooLarge> {
    let (mut depth, mut memory) = (0_usize, json.len());
    let mut bytes = json.iter();
    while let Some(byte) = bytes.next() {
        memory += match byte {
            b'"' => {
                skip_string(&mut bytes);
                0
            }
            b'{' | b'[' => {
                depth += 1;
                if depth > SANDBOX_JSON_DEPTH_MAX {
                    return Err(JsonTooLarge::Depth(SANDBOX_JSON_DEPTH_MAX));
                }
                match byte {
                    b'{' => SANDBOX_JSON_OBJECT_COST,
                    _ => SANDBOX_JSON_LIST_COST,
                }
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                0
            }
            b',' | b':' => SANDBOX_JSON_VALUE_COST,
            _ => 0,
        };
        if memory > SANDBOX_JSON_MEMORY_MAX {
            return Err(JsonTooLarge::Memory(SANDBOX_JSON_MEMORY_MAX));
        }
    }
    Ok(memory)
}

/// Returns an upper bound of the memory that a parsed value takes, by the same estimate.
pub(crate) fn value_memory(value: &Value) -> usize {
    estimate_memory(value.to_string().as_bytes()).unwrap_or(SANDBOX_JSON_MEMORY_MAX)
}

fn skip_string(bytes: &mut std::slice::Iter<'_, u8>) {
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => return,
            b'\\' => _ = bytes.next(),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn text_weighs_what_it_has_and_structure_much_more() {
        let text = format!("[\"{}\"]", "{[,".repeat(10_000));
        assert_eq!(
            estimate_memory(text.as_bytes()),
            Ok(text.len() + SANDBOX_JSON_LIST_COST)
        );
        assert_eq!(
            estimate_memory(br#"["\\\"{", 1]"#).map(|memory| memory > 128),
            Ok(true)
        );
        let objects = format!("[{}{{}}]", "{},".repeat(100_000));
        assert_eq!(
            estimate_memory(objects.as_bytes()),
            Err(JsonTooLarge::Memory(SANDBOX_JSON_MEMORY_MAX))
        );
        let deep = "[".repeat(SANDBOX_JSON_DEPTH_MAX + 1);
        assert_eq!(
            estimate_memory(deep.as_bytes()),
            Err(JsonTooLarge::Depth(SANDBOX_JSON_DEPTH_MAX))
        );
        assert!(estimate_memory(&deep.as_bytes()[1..]).is_ok());
    }

    /// About what a parsed value takes, by the sizes of the standard library's types.
    fn taken(value: &Value) -> usize {
        let own = size_of::<Value>();
        own + match value {
            Value::String(text) => text.capacity(),
            // The values themselves are in its buffer.
            Value::Array(values) => {
                let inner = values.iter().map(|value| taken(value) - own);
                values.capacity() * own + inner.sum::<usize>()
            }
            Value::Object(members) => {
                // Nodes have room for eleven members and are half full at least, but for the first.
                let nodes = members.len().div_ceil(5);
                let node = 11 * (own + size_of::<String>()) + 16;
                // The value itself is in its node.
                let inner = |(name, value): (&String, &Value)| name.capacity() + taken(value) - own;
                nodes * node + members.iter().map(inner).sum::<usize>()
            }
            _ => 0,
        }
    }

    fn json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<i64>().prop_map(Value::from),
            "[\\PC\"\\\\]{0,20}".prop_map(Value::from),
        ];
        leaf.prop_recursive(6, 200, 12, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..12).prop_map(Value::from),
                prop::collection::btree_map("[a-z\"]{0,4}", inner, 0..12)
                    .prop_map(|members| members.into_iter().collect::<Value>()),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_parsed_takes_no_more_than_it_weighed(value in json()) {
            let text = value.to_string();
            let weight = estimate_memory(text.as_bytes()).unwrap();
            let parsed: Value = serde_json::from_str(&text).unwrap();
            prop_assert!(taken(&parsed) <= weight + SANDBOX_JSON_VALUE_COST, "{text}");
        }

        #[test]
        fn any_bytes_are_weighed(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
            let _ = estimate_memory(&bytes);
        }
    }
}
