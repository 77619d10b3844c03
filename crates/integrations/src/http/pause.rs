//! How long a service asks to wait.

use std::time::Duration;

use chrono::DateTime;
use domain::clock::Timestamp;

use super::Reply;

/// `Retry-After`: seconds or a date.
pub(crate) fn retry_after(reply: &Reply, now: Timestamp) -> Option<Duration> {
    let text = reply.header("retry-after")?;
    let text = text.trim();
    if let Some(seconds) = seconds(text) {
        return Some(seconds);
    }
    let date = DateTime::parse_from_rfc2822(text).ok()?;
    Some(Timestamp::from_datetime(date.to_utc()).since(now))
}

/// A header with the second of the Unix epoch at which requests are accepted again.
pub(crate) fn reset_seconds(reply: &Reply, name: &str, now: Timestamp) -> Option<Duration> {
    until(seconds(reply.header(name)?.trim())?, now)
}

/// The same in milliseconds.
pub(crate) fn reset_millis(reply: &Reply, name: &str, now: Timestamp) -> Option<Duration> {
    let millis = reply.header(name)?.trim().parse().ok()?;
    until(Duration::from_millis(millis), now)
}

fn until(since_epoch: Duration, now: Timestamp) -> Option<Duration> {
    Some(Timestamp::from_micros(0)?.plus(since_epoch).since(now))
}

/// Whole or with a fraction, as Sentry writes them.
fn seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests {
    use reqwest::header::{HeaderMap, HeaderName};

    use super::*;

    fn reply(name: &str, value: &str) -> Reply {
        let name: HeaderName = name.parse().unwrap();
        let headers = HeaderMap::from_iter([(name, value.parse().unwrap())]);
        Reply::new(429, headers, b"", &"a-token".into())
    }

    /// 2026-01-01T00:00:00Z.
    fn now() -> Timestamp {
        Timestamp::from_micros(1_767_225_600_000_000).unwrap()
    }

    #[test]
    fn seconds_and_dates_are_understood() {
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        let table = [
            ("7", seconds(7)),
            (" 0 ", seconds(0)),
            ("1.5", Some(Duration::from_millis(1500))),
            ("Thu, 01 Jan 2026 00:00:30 GMT", seconds(30)),
            ("Thu, 01 Jan 2026 01:00:30 +0100", seconds(30)),
            // Gone by already.
            ("Wed, 31 Dec 2025 00:00:00 GMT", seconds(0)),
            ("soon", None),
            ("-5", None),
            ("NaN", None),
            ("inf", None),
            ("", None),
        ];
        for (text, expected) in table {
            let found = retry_after(&reply("retry-after", text), now());
            assert_eq!(found, expected, "{text}");
        }
        assert_eq!(retry_after(&reply("x", "7"), now()), None);
    }

    #[test]
    fn moments_are_understood_in_seconds_and_milliseconds() {
        let found = reset_seconds(&reply("x", "1767225610"), "x", now());
        assert_eq!(found, Some(Duration::from_secs(10)));
        let found = reset_millis(&reply("x", "1767225600250"), "x", now());
        assert_eq!(found, Some(Duration::from_millis(250)));
        let found = reset_seconds(&reply("x", "12"), "x", now());
        assert_eq!(found, Some(Duration::ZERO));
        for bad in ["", "soon", "-1", "99999999999999999999999"] {
            assert_eq!(reset_millis(&reply("x", bad), "x", now()), None, "{bad}");
        }
        // Further away than the calendar goes.
        assert!(reset_seconds(&reply("x", "1e18"), "x", now()).is_some());
    }
}
