//! Converts the decoder's message to an error about a member of the request.
//!
//! INVARIANT: no value of the request is repeated, only names: a token pasted into the wrong member
//! must appear neither in a response nor in a log.

use domain::Invalid;

/// `path` is the decoder's position, `.` at the top.
pub(super) fn invalid_member(path: &str, message: &str) -> Invalid {
    let message = without_position(message);
    let kinds = [
        ("missing field ", "is required"),
        ("duplicate field ", "is given twice"),
    ];
    for (prefix, problem) in kinds {
        if let Some((name, _)) = message.strip_prefix(prefix).and_then(quoted) {
            return Invalid::new(member_path(path, name), problem);
        }
    }
    if let Some((name, rest)) = message.strip_prefix("unknown field ").and_then(quoted) {
        return Invalid::new(
            member_path(path, name),
            format!("is not a known member{rest}"),
        );
    }
    if let Some((_, rest)) = message.strip_prefix("unknown variant ").and_then(quoted) {
        return Invalid::new(
            field_name(path),
            format!("is not one of the known values{rest}"),
        );
    }
    for prefix in ["invalid type: ", "invalid value: "] {
        if let Some(rest) = message.strip_prefix(prefix) {
            return Invalid::new(field_name(path), wrong_type(rest));
        }
    }
    // An invalid number in a query string, as reported by the library that parses numbers.
    let no_number = ["invalid digit ", "cannot parse integer ", "number too "];
    if no_number.iter().any(|prefix| message.starts_with(prefix)) {
        return Invalid::new(field_name(path), "must be a whole number");
    }
    Invalid::new(field_name(path), message)
}

/// The field for an error about the whole body.
fn field_name(path: &str) -> &str {
    if path == "." { "(body)" } else { path }
}

/// The member `name` of what is at `path`; the decoder's position may already include the member
/// itself.
fn member_path(path: &str, name: &str) -> String {
    if path == "." || path == name {
        return name.to_owned();
    }
    if path.ends_with(&format!(".{name}")) {
        return path.to_owned();
    }
    format!("{path}.{name}")
}

/// The message without the position: the field gives it.
fn without_position(message: &str) -> &str {
    message
        .rfind(" at line ")
        .map_or(message, |end| &message[..end])
}

/// A text that starts with backticks, and the rest.
fn quoted(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix('`')?.split_once('`')
}

/// `string "...", expected struct Foo` in words for users, without the value.
fn wrong_type(rest: &str) -> String {
    let (found, expected) = rest.rsplit_once(", expected ").unwrap_or((rest, "another"));
    let found = found.split([' ', '`', '"']).next().unwrap_or_default();
    let found = match found {
        "map" => "an object",
        "sequence" => "a list",
        "string" | "character" => "a string",
        "integer" | "floating" => "a number",
        "boolean" | "bool" => "true or false",
        "null" | "unit" | "Option" => "null",
        _ => "something else",
    };
    let expected = match expected {
        "a map" => "an object",
        "a sequence" => "a list",
        "u32" | "u64" => "a whole number, zero or more",
        other if other.starts_with("struct ") => "an object",
        other => other,
    };
    format!("must be {expected}, not {found}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_named_and_values_are_not_repeated() {
        let table = [
            (
                ".",
                "missing field `key` at line 1 column 9",
                "key: is required",
            ),
            ("scope", "missing field `kind`", "scope.kind: is required"),
            (".", "duplicate field `title`", "title: is given twice"),
            (
                "a.titel",
                "unknown field `titel`, expected `title`",
                "a.titel: is not a known member, expected `title`",
            ),
            (
                "kind",
                "unknown variant `hunter2`, expected one of `a`, `b`",
                "kind: is not one of the known values, expected one of `a`, `b`",
            ),
            (
                ".",
                "invalid type: string \"x, expected y\", expected struct Z at line 1 column 3",
                "(body): must be an object, not a string",
            ),
            (
                "limit",
                "invalid value: integer `-1`, expected u32",
                "limit: must be a whole number, zero or more, not a number",
            ),
            (
                "limit",
                "invalid digit found in string",
                "limit: must be a whole number",
            ),
            ("a[1]", "something of ours", "a[1]: something of ours"),
        ];
        for (path, message, expected) in table {
            assert_eq!(invalid_member(path, message).to_string(), expected);
        }
    }
}
