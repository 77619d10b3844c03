//! One byte sequence per JSON value (RFC 8785), so that equal values have equal digests.

use sha2::{Digest, Sha256};

/// The canonical bytes of a value.
///
/// Cannot fail: a `serde_json::Value` holds only what RFC 8785 can write down.
pub fn canonical_bytes(value: &serde_json::Value) -> Vec<u8> {
    serde_json_canonicalizer::to_vec(value).unwrap_or_default()
}

/// SHA-256 as lower-case hexadecimal digits.
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn key_order_and_number_spelling_do_not_matter() {
        let one: serde_json::Value = serde_json::from_str(r#"{"b":1.0,"a":[1e2,"é"]}"#).unwrap();
        let two = json!({"a": [100, "é"], "b": 1});
        assert_eq!(canonical_bytes(&one), canonical_bytes(&two));
        assert_eq!(canonical_bytes(&two), r#"{"a":[100,"é"],"b":1}"#.as_bytes());
    }

    #[test]
    fn known_digest() {
        // FIPS 180-2, appendix B.1.
        assert_eq!(
            sha256_hex(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
