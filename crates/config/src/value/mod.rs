//! Values of settings: text to value and back, the same for flags, variables and the file.

pub(crate) mod bounds;
pub(crate) mod duration;
mod list;
pub(crate) mod url;
mod word;

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use self::duration::{parse_duration, show_duration};
pub(crate) use self::{list::ListItem, word::word_values};
use crate::invalid::{InvalidValue, echo};

/// What a setting can hold.
pub(crate) trait SettingValue: Sized {
    fn parse(text: &str) -> Result<Self, InvalidValue>;
    /// As `config check` shows it; hides what must not be seen.
    fn show(&self) -> String;
    /// Whether a password is inside, which then must not come from the file.
    fn holds_secret(&self) -> bool {
        false
    }
}

impl SettingValue for String {
    fn parse(text: &str) -> Result<Self, InvalidValue> {
        Ok(text.to_owned())
    }

    fn show(&self) -> String {
        self.clone()
    }
}

impl SettingValue for PathBuf {
    fn parse(text: &str) -> Result<Self, InvalidValue> {
        Ok(Self::from(text))
    }

    fn show(&self) -> String {
        self.display().to_string()
    }
}

impl SettingValue for SocketAddr {
    fn parse(text: &str) -> Result<Self, InvalidValue> {
        text.parse().map_err(|_| {
            InvalidValue::new(
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

macro_rules! whole_numbers {
    ($($number:ty),*) => {$(
        impl SettingValue for $number {
            fn parse(text: &str) -> Result<Self, InvalidValue> {
                text.parse().map_err(|_| {
                    InvalidValue::new(
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
whole_numbers!(u16, u32, usize);

impl SettingValue for f64 {
    fn parse(text: &str) -> Result<Self, InvalidValue> {
        text.parse().map_err(|_| {
            InvalidValue::new(
                format!("is {}, which is not a number", echo(text)),
                "write a number such as `0.25`",
            )
        })
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

impl SettingValue for Duration {
    fn parse(text: &str) -> Result<Self, InvalidValue> {
        parse_duration(text)
    }

    fn show(&self) -> String {
        show_duration(*self)
    }
}
