//! How values of flags are read where clap has no parser of its own: words of a closed list, durations, `KEY=VALUE`.

use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser as _, ValueParser};
use domain::policy::ScopeKey;

/// One of the texts of a `text_enum!`, listed in the help and checked before anything is sent.
pub(crate) fn one_of<T>(all: &'static [T], text: fn(T) -> &'static str) -> ValueParser
where
    T: Copy + Send + Sync + std::str::FromStr<Err: std::error::Error + Send + Sync> + 'static,
{
    let known = all.iter().map(|value| text(*value));
    ValueParser::new(PossibleValuesParser::new(known).try_map(|given| given.parse::<T>()))
}

/// A whole number with its unit: `90s`, `30m`, `1h`, `7d`. A bare number is refused: its unit would be a guess.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let refuse = || "write a whole number with its unit, such as `30m`, `1h` or `7d`".to_owned();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let number: u64 = number.parse().map_err(|_| refuse())?;
    let seconds = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 60 * 60,
        "d" => 24 * 60 * 60,
        _ => return Err(refuse()),
    };
    number
        .checked_mul(seconds)
        .filter(|seconds| *seconds > 0)
        .map(Duration::from_secs)
        .ok_or_else(refuse)
}

/// A part of a call's scope: `case_id=CASE_1`.
pub(crate) fn scope_entry(text: &str) -> Result<(ScopeKey, String), String> {
    let Some((key, value)) = text.split_once('=') else {
        return Err("not of the form KEY=VALUE".to_owned());
    };
    let key: ScopeKey = key.parse().map_err(|error| format!("{error}"))?;
    Ok((key, value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_and_a_unit() {
        for (text, seconds) in [("90s", 90), ("30m", 1800), ("1h", 3600), ("7d", 604_800)] {
            assert_eq!(duration(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
        for bad in [
            "",
            "1",
            "h",
            "0s",
            "-1h",
            "1.5h",
            "1w",
            "99999999999999999999d",
        ] {
            assert!(duration(bad).is_err(), "{bad}");
        }
    }
}
