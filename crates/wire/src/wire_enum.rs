//! `wire_enum!`: the wire form of a domain enum. The conversions match every variant in both
//! directions, so a variant added to the domain does not compile until it has a spelling here.

/// Declares the enum with its spellings, the conversions from and to the domain's, and a test that
/// both spell every variant alike.
macro_rules! wire_enum {
    ($(#[$meta:meta])* $name:ident = $domain:ty {
        $($(#[$variant_meta:meta])* $variant:ident = $text:tt $(or $alias:tt)?),+ $(,)?
    }) => {
        $(#[$meta])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, Hash,
            serde::Serialize, serde::Deserialize, utoipa::ToSchema,
        )]
        pub enum $name {
            $($(#[$variant_meta])* #[serde(rename = $text $(, alias = $alias)?)] $variant),+
        }

        impl From<$domain> for $name {
            fn from(value: $domain) -> Self {
                match value { $(<$domain>::$variant => Self::$variant),+ }
            }
        }

        impl From<$name> for $domain {
            fn from(value: $name) -> Self {
                match value { $($name::$variant => Self::$variant),+ }
            }
        }

        // Named like the enum, which is in another namespace: one test for each, none forgotten.
        #[cfg(test)]
        #[test]
        #[expect(non_snake_case, reason = "the test is named after the enum")]
        fn $name() {
            for value in <$domain>::ALL {
                let text = serde_json::to_value($name::from(*value)).unwrap();
                assert_eq!(text, value.as_str());
                let read: $name = serde_json::from_value(text).unwrap();
                assert_eq!(<$domain>::from(read), *value);
            }
        }
    };
}
