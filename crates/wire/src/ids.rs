//! Ids as they arrive: texts, so that an invalid one gives the gateway's own error with the field's
//! name and position.

use std::str::FromStr;

use domain::{
    Invalid,
    id::{InvalidId, parse_field},
    invalid::bounded_count,
};

/// Parses a bounded list of ids; the error names the entry.
pub(crate) fn parse_ids<T: FromStr<Err = InvalidId>>(
    field: &str,
    texts: &[String],
    count_max: usize,
) -> Result<Vec<T>, Invalid> {
    bounded_count(field, texts.len(), count_max)?;
    let parse = |(index, text): (usize, &String)| parse_field(&format!("{field}[{index}]"), text);
    texts.iter().enumerate().map(parse).collect()
}

/// Parses an id that may be absent.
pub(crate) fn parse_optional<T: FromStr<Err = InvalidId>>(
    field: &str,
    text: Option<&str>,
) -> Result<Option<T>, Invalid> {
    text.map(|text| parse_field(field, text)).transpose()
}
