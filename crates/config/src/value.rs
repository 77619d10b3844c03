//! Text to value and back, the same for flags, variables and the file.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use crate::error::{Refusal, echo};

/// Something a setting can hold.
pub(crate) trait Value: Sized {
    fn parse(text: &str) -> Result<Self, Refusal>;
    /// As `config check` shows it; hides what must not be seen.
    fn show(&self) -> String;
    /// Whether a password is inside, which then must not come from the file.
    fn holds_secret(&self) -> bool {
        false
    }
}

/// What serde hands us from the file, turned back into the text that a variable would hold.
pub(crate) trait FileValue {
    fn into_text(self) -> String;
}

impl FileValue for String {
    fn into_text(self) -> String {
        self
    }
}

impl FileValue for u64 {
    fn into_text(self) -> String {
        self.to_string()
    }
}

impl FileValue for f64 {
    fn into_text(self) -> String {
        self.to_string()
    }
}

/// No value of ours that comes in lists contains a comma.
impl FileValue for Vec<String> {
    fn into_text(self) -> String {
        self.join(",")
    }
}

impl Value for String {
    fn parse(text: &str) -> Result<Self, Refusal> {
        Ok(text.to_owned())
    }

    fn show(&self) -> String {
        self.clone()
    }
}

impl Value for PathBuf {
    fn parse(text: &str) -> Result<Self, Refusal> {
        Ok(Self::from(text))
    }

    fn show(&self) -> String {
        self.display().to_string()
    }
}

impl Value for SocketAddr {
    fn parse(text: &str) -> Result<Self, Refusal> {
        text.parse().map_err(|_| {
            Refusal::new(
                format!("is {}, which is not an address", echo(text)),
                "write an IP address and a port, such as `127.0.0.1:7777` or `[::1]:7777`; \
                 port 0 takes a free one",
            )
        })
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

macro_rules! whole_number {
    ($($number:ty),*) => {$(
        impl Value for $number {
            fn parse(text: &str) -> Result<Self, Refusal> {
                text.parse().map_err(|_| {
                    Refusal::new(
                        format!("is {}, which is not a whole number it can hold", echo(text)),
                        format!("write digits only, at most {}", <$number>::MAX),
                    )
                })
            }

            fn show(&self) -> String {
                self.to_string()
            }
        }
    )*};
}
whole_number!(u32, usize);

impl Value for f64 {
    fn parse(text: &str) -> Result<Self, Refusal> {
        text.parse().map_err(|_| {
            Refusal::new(
                format!("is {}, which is not a number", echo(text)),
                "write a number such as `0.25`",
            )
        })
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

/// `500ms`, `30s`, `5m`, `1h`. A bare number is refused: its unit would be a guess.
impl Value for Duration {
    fn parse(text: &str) -> Result<Self, Refusal> {
        let refuse = || {
            Refusal::new(
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
            .map(Self::from_millis)
            .ok_or_else(refuse)
    }

    fn show(&self) -> String {
        show_duration(*self)
    }
}

/// The shortest spelling that [`Value::parse`] reads back.
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
            let duration = Duration::parse(text).unwrap();
            assert_eq!(duration, Duration::from_millis(milliseconds), "{text}");
            assert_eq!(duration.show(), text);
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
            let refusal = Duration::parse(bad).unwrap_err();
            assert!(refusal.hint.contains("30s"), "{bad}");
        }
    }
}
