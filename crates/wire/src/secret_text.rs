//! A confidential string: in clear in JSON, because it has to be transmitted, and hidden in `Debug`
//! and in errors about its type.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize,
    de::{Error, Visitor},
};

/// A confidential string. It occurs in requests and never in a response, with the one exception of
/// a new API key.
#[derive(Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(value_type = String, format = Password)]
pub struct SecretText(String);

impl SecretText {
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    pub fn expose(&self) -> &str {
        &self.0
    }

    pub fn into_exposed(self) -> String {
        self.0
    }
}

impl fmt::Debug for SecretText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl<'de> Deserialize<'de> for SecretText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // `any`, because requesting a string lets serde quote the found value instead.
        deserializer.deserialize_any(TextVisitor)
    }
}

struct TextVisitor;

const NOT_A_STRING: &str = "must be a string (its value is not shown here)";

impl Visitor<'_> for TextVisitor {
    type Value = SecretText;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<SecretText, E> {
        Ok(SecretText(text.to_owned()))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<SecretText, E> {
        Ok(SecretText(text))
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<SecretText, E> {
        Err(E::custom(NOT_A_STRING))
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<SecretText, E> {
        Err(E::custom(NOT_A_STRING))
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<SecretText, E> {
        Err(E::custom(NOT_A_STRING))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<SecretText, E> {
        Err(E::custom(NOT_A_STRING))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_in_json_and_hidden_in_debug() {
        let secret: SecretText = serde_json::from_str(r#""hunter2""#).unwrap();
        assert_eq!(secret.expose(), "hunter2");
        assert_eq!(serde_json::to_string(&secret).unwrap(), r#""hunter2""#);
        assert_eq!(format!("{secret:?} {:?}", Some(&secret)), "*** Some(***)");
    }

    #[test]
    fn a_value_of_the_wrong_type_is_refused_without_quoting_it() {
        for bad in [
            "4711",
            "-4711",
            "4711.5",
            "true",
            "null",
            "[4711]",
            "{\"4711\":1}",
        ] {
            let error = serde_json::from_str::<SecretText>(bad)
                .unwrap_err()
                .to_string();
            assert!(
                !error.contains("4711") && !error.contains("true"),
                "{bad}: {error}"
            );
        }
    }
}
