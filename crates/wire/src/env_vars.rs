//! Environment variables given with a session: names in clear, values confidential.

use std::{collections::BTreeMap, fmt};

use serde::{
    Deserialize, Deserializer, Serialize,
    de::{Error, MapAccess, Visitor},
};

use crate::secret_text::SecretText;

/// Environment variables by name. Values are confidential and never returned.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(value_type = BTreeMap<String, String>, example = json!({"NODE_ENV": "development"}))]
pub struct EnvVars(BTreeMap<String, SecretText>);

impl EnvVars {
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl IntoIterator for EnvVars {
    type Item = (String, SecretText);
    type IntoIter = std::collections::btree_map::IntoIter<String, SecretText>;

    /// In the order of the names.
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<K: Into<String>, V: Into<String>> FromIterator<(K, V)> for EnvVars {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        let secret = |(key, value): (K, V)| (key.into(), SecretText::new(value));
        Self(pairs.into_iter().map(secret).collect())
    }
}

impl<'de> Deserialize<'de> for EnvVars {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(EnvVarsVisitor)
    }
}

struct EnvVarsVisitor;

impl<'de> Visitor<'de> for EnvVarsVisitor {
    type Value = EnvVars;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of strings")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<EnvVars, A::Error> {
        let mut variables = BTreeMap::new();
        while let Some((key, value)) = map.next_entry::<String, SecretText>()? {
            if variables.contains_key(&key) {
                return Err(A::Error::custom(format!("`{key}` is given twice")));
            }
            variables.insert(key, value);
        }
        Ok(EnvVars(variables))
    }

    /// It may be the text of a whole .env file: the error must not quote it.
    fn visit_str<E: Error>(self, _: &str) -> Result<EnvVars, E> {
        Err(E::custom("must be an object of strings, not one string"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_shown_and_values_are_not() {
        let variables: EnvVars = serde_json::from_str(r#"{"B":"two","A":"one"}"#).unwrap();
        assert_eq!(format!("{variables:?}"), r#"EnvVars({"A": ***, "B": ***})"#);
        assert_eq!(
            serde_json::to_string(&variables).unwrap(),
            r#"{"A":"one","B":"two"}"#
        );
        assert_eq!(
            variables,
            [("A", "one"), ("B", "two")].into_iter().collect()
        );
    }

    #[test]
    fn refusals_do_not_quote_values() {
        let cases = [
            (r#"{"A":"s3cret","A":"x"}"#, "`A` is given twice"),
            (
                r#""A=s3cret""#,
                "must be an object of strings, not one string",
            ),
            (
                r#"["s3cret"]"#,
                "invalid type: sequence, expected an object of strings",
            ),
        ];
        for (text, expected) in cases {
            let error = serde_json::from_str::<EnvVars>(text)
                .unwrap_err()
                .to_string();
            assert!(error.starts_with(expected), "{error}");
            assert!(!error.contains("s3cret"), "{error}");
        }
    }
}
