//! Quoting of one value. A shell that sources the file gets every byte; other readers of dotenv files do
//! too, where the format has a form on which all of them agree.

/// A value as it stands after `KEY=`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Quoted {
    pub(crate) text: String,
    /// Whether the common readers agree on this text; otherwise it is right for shells alone.
    pub(crate) is_common: bool,
}

/// Quotes a value without NUL, which no environment can hold.
pub(crate) fn quote(value: &str) -> Quoted {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_./:@%+,=-".contains(&byte);
    if !value.is_empty() && value.bytes().all(is_plain) {
        return Quoted {
            text: value.to_owned(),
            is_common: true,
        };
    }
    // Readers other than shells take carriage returns out, quoted or not.
    let has_return = value.contains('\r');
    if !value.contains('\'') {
        // In single quotes nothing is special, but some readers take `\'` for a quote that goes on.
        let is_common = !has_return && !value.ends_with('\\');
        return Quoted {
            text: format!("'{value}'"),
            is_common,
        };
    }
    if !has_return && !value.contains(['"', '$', '`', '\\']) {
        return Quoted {
            text: format!("\"{value}\""),
            is_common: true,
        };
    }
    Quoted {
        text: format!("'{}'", value.replace('\'', r"'\''")),
        is_common: false,
    }
}
