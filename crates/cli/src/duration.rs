//! Durations on the command line: `90s`, `30m`, `1h`, `7d`.

use std::time::Duration;

/// A whole number with its unit. A bare number is refused: its unit would be a guess.
pub(crate) fn parse(text: &str) -> Result<Duration, String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_and_a_unit() {
        for (text, seconds) in [("90s", 90), ("30m", 1800), ("1h", 3600), ("7d", 604_800)] {
            assert_eq!(parse(text), Ok(Duration::from_secs(seconds)), "{text}");
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
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
