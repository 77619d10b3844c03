//! A member of a PATCH body: absent, `null`, or a value. `Option` cannot tell the first two apart,
//! and treating `null` as absent would ignore part of the request.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A member that may be absent, `null` or present. Goes with `#[serde(default)]` and
/// `skip_serializing_if = "Patch::is_keep"`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Patch<T> {
    /// Absent: keeps the value.
    #[default]
    Keep,
    /// `null`: clears it.
    Clear,
    /// Sets it to this.
    Set(T),
}

impl<T> Patch<T> {
    pub const fn is_keep(&self) -> bool {
        matches!(self, Self::Keep)
    }

    /// The new value of a member whose old value is `current`.
    pub fn apply_to(self, current: Option<T>) -> Option<T> {
        match self {
            Self::Keep => current,
            Self::Clear => None,
            Self::Set(value) => Some(value),
        }
    }

    /// `None` to keep, `Some(None)` to clear, `Some(Some(..))` to set.
    pub fn into_option(self) -> Option<Option<T>> {
        match self {
            Self::Keep => None,
            Self::Clear => Some(None),
            Self::Set(value) => Some(Some(value)),
        }
    }
}

impl<T: Serialize> Serialize for Patch<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Keep | Self::Clear => serializer.serialize_none(),
            Self::Set(value) => serializer.serialize_some(value),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Patch<T> {
    /// Called only for a member that is present; an absent one is the default.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::deserialize(deserializer)?.map_or(Self::Clear, Self::Set))
    }
}

/// Parses a member that may be absent but not `null`: it has no cleared value.
pub(crate) fn not_null<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Body {
        #[serde(default, skip_serializing_if = "Patch::is_keep")]
        title: Patch<String>,
        #[serde(
            default,
            deserialize_with = "not_null",
            skip_serializing_if = "Option::is_none"
        )]
        name: Option<String>,
    }

    #[test]
    fn absent_null_and_present_are_three_things() {
        let cases = [
            ("{}", Patch::Keep, None),
            (r#"{"title":null}"#, Patch::Clear, Some(None)),
            (
                r#"{"title":"x"}"#,
                Patch::Set("x".to_owned()),
                Some(Some("x".to_owned())),
            ),
        ];
        for (text, title, option) in cases {
            let body: Body = serde_json::from_str(text).unwrap();
            assert_eq!(body.title, title);
            assert_eq!(serde_json::to_string(&body).unwrap(), text);
            assert_eq!(title.into_option(), option);
        }
        let old = || Some("old".to_owned());
        assert_eq!(Patch::Keep.apply_to(old()), old());
        assert_eq!(Patch::Clear.apply_to(old()), None);
        assert_eq!(Patch::Set("new".to_owned()).apply_to(old()).unwrap(), "new");
    }

    #[test]
    fn null_is_refused_where_nothing_can_be_cleared() {
        assert!(serde_json::from_str::<Body>(r#"{"name":null}"#).is_err());
        let body: Body = serde_json::from_str(r#"{"name":"x"}"#).unwrap();
        assert_eq!(body.name.as_deref(), Some("x"));
    }
}
