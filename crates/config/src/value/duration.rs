//! Durations: a whole number and one unit.
//!
//! Not `humantime`: it reads `1M` as a month and shows 90 seconds as `1m 30s`, where a setting is
//! shown as an operator writes it.

use std::time::Duration;

use crate::invalid::{InvalidValue, echo};

/// Reads `500ms`, `30s`, `5m` or `1h`. Refuses a bare number: its unit would be a guess.
pub(crate) fn parse_duration(text: &str) -> Result<Duration, InvalidValue> {
    let refuse = || {
        InvalidValue::new(
            format!("is {}, which is not a duration", echo(text)),
            "write a whole number with its unit, such as `500ms`, `30s`, `5m` or `1h`",
        )
    };
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let number: u64 = number.parse().map_err(|_| refuse())?;
    let milliseconds = match unit {
        "ms" => 1,
        "s" => 1000,
        "m" => 60 * 1000,
        "h" => 60 * 60 * 1000,
        _ => return Err(refuse()),
    };
    number
        .checked_mul(milliseconds)
        .map(Duration::from_millis)
        .ok_or_else(refuse)
}

/// The shortest spelling that [`parse_duration`] reads back.
pub(crate) fn show_duration(duration: Duration) -> String {
    let milliseconds = duration.as_millis();
    if !milliseconds.is_multiple_of(1000) {
        return format!("{milliseconds}ms");
    }
    match milliseconds / 1000 {
        0 => "0s".to_owned(),
        seconds if seconds.is_multiple_of(3600) => format!("{}h", seconds / 3600),
        seconds if seconds.is_multiple_of(60) => format!("{}m", seconds / 60),
        seconds => format!("{seconds}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_need_a_unit_and_round_trip() {
        for (text, milliseconds) in [
            ("0s", 0),
            ("500ms", 500),
            ("30s", 30_000),
            ("90s", 90_000),
            ("5m", 300_000),
            ("2h", 7_200_000),
        ] {
            let duration = parse_duration(text).unwrap();
            assert_eq!(duration, Duration::from_millis(milliseconds), "{text}");
            assert_eq!(show_duration(duration), text);
        }
        for bad in [
            "",
            "30",
            "s",
            "1.5s",
            "-1s",
            "1 s",
            "1d",
            "99999999999999999999s",
            "9999999999999999h",
        ] {
            let invalid = parse_duration(bad).unwrap_err();
            assert!(invalid.hint.contains("30s"), "{bad}");
        }
    }
}
