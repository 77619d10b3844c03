//! The limits that a command changes: a flag for each, `none` for no limit. What is not named stays as it is.

use domain::model_usage::micro_usd;
use wire::organization_limits::UpdateLimitsRequest;

use crate::value_parsers::duration;

/// At least one of them.
#[derive(Debug, Clone, clap::Args)]
#[group(required = true, multiple = true)]
pub(crate) struct ChangeArgs {
    /// Sessions that start or run at once, or `none`
    #[arg(long, value_name = "NUMBER", value_parser = number)]
    live_sessions: Option<Limit>,
    /// Sandboxes at once, or `none`
    #[arg(long, value_name = "NUMBER", value_parser = number)]
    sandboxes: Option<Limit>,
    /// Stored bytes, such as `500MB`, `20GB` or `1TB`, or `none`
    #[arg(long, value_name = "SIZE", value_parser = size)]
    storage: Option<Limit>,
    /// Dollars for models in a day (UTC), such as `50` or `2.50`, or `none`
    #[arg(long, value_name = "DOLLARS", value_parser = dollars)]
    spend_day: Option<Limit>,
    /// Dollars for models in a month (UTC), or `none`
    #[arg(long, value_name = "DOLLARS", value_parser = dollars)]
    spend_month: Option<Limit>,
    /// How long an action waits for an approval, such as `5m` or `8h`; `none` is the time of its lane
    #[arg(long, value_name = "DURATION", value_parser = seconds)]
    approval: Option<Limit>,
}

/// A limit, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Limit(Option<i64>);

impl ChangeArgs {
    pub(crate) fn applied_to(&self, before: UpdateLimitsRequest) -> UpdateLimitsRequest {
        let or = |given: Option<Limit>, before| given.map_or(before, |limit| limit.0);
        UpdateLimitsRequest {
            live_sessions: or(self.live_sessions, before.live_sessions),
            sandboxes: or(self.sandboxes, before.sandboxes),
            storage_bytes: or(self.storage, before.storage_bytes),
            spend_day_micro_usd: or(self.spend_day, before.spend_day_micro_usd),
            spend_month_micro_usd: or(self.spend_month, before.spend_month_micro_usd),
            approval_seconds: or(self.approval, before.approval_seconds),
        }
    }
}

fn limit(text: &str, parse: impl FnOnce(&str) -> Option<i64>, hint: &str) -> Result<Limit, String> {
    if text == "none" {
        return Ok(Limit(None));
    }
    let value = parse(text).ok_or_else(|| format!("write {hint}, or `none`"))?;
    Ok(Limit(Some(value)))
}

fn number(text: &str) -> Result<Limit, String> {
    limit(
        text,
        |text| text.parse::<u32>().ok().map(i64::from),
        "a whole number",
    )
}

fn dollars(text: &str) -> Result<Limit, String> {
    limit(
        text,
        micro_usd,
        "dollars such as `5` or `2.50`, at most 1000000",
    )
}

fn seconds(text: &str) -> Result<Limit, String> {
    let seconds = |text: &str| i64::try_from(duration(text).ok()?.as_secs()).ok();
    limit(
        text,
        seconds,
        "a whole number with its unit, such as `5m` or `8h`",
    )
}

fn size(text: &str) -> Result<Limit, String> {
    limit(text, bytes, "a size such as `500MB`, `20GB` or `1TB`")
}

/// A bare number is a number of bytes.
fn bytes(text: &str) -> Option<i64> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let factor: i64 = match unit {
        "" | "B" => 1,
        "KB" => 1_000,
        "MB" => 1_000_000,
        "GB" => 1_000_000_000,
        "TB" => 1_000_000_000_000,
        _ => return None,
    };
    number.parse::<i64>().ok()?.checked_mul(factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_with_their_units() {
        assert_eq!(number("3"), Ok(Limit(Some(3))));
        assert_eq!(size("20GB"), Ok(Limit(Some(20_000_000_000))));
        assert_eq!(size("7"), Ok(Limit(Some(7))));
        assert_eq!(dollars("2.50"), Ok(Limit(Some(2_500_000))));
        assert_eq!(seconds("8h"), Ok(Limit(Some(28_800))));
        for parse in [number, size, dollars, seconds] {
            assert_eq!(parse("none"), Ok(Limit(None)));
            for bad in ["", "-1", "x", "1.2.3", "9999999999999999999GB"] {
                assert!(parse(bad).is_err(), "{bad}");
            }
        }
    }
}
