//! Bounds of values: what every section's `validate()` checks in the same words.

use std::{fmt::Display, time::Duration};

use super::duration::show_duration;
use crate::{invalid::InvalidSetting, setting::Setting};

/// Checks that a number is within its bounds.
pub(crate) fn check_range<T: Copy + PartialOrd + Display>(
    setting: &Setting,
    value: T,
    [min, max]: [T; 2],
) -> Option<InvalidSetting> {
    (value < min || value > max).then(|| {
        InvalidSetting::new(
            setting.path,
            format!("is {value}"),
            format!("write a number from {min} to {max}"),
        )
    })
}

/// Checks that a duration is within its bounds.
pub(crate) fn check_duration_range(
    setting: &Setting,
    value: Duration,
    [min, max]: [Duration; 2],
) -> Option<InvalidSetting> {
    (value < min || value > max).then(|| {
        InvalidSetting::new(
            setting.path,
            format!("is {}", show_duration(value)),
            format!(
                "write a duration from {} to {}",
                show_duration(min),
                show_duration(max)
            ),
        )
    })
}

/// Checks that a list has at most `max` entries; `entries` says what they are.
pub(crate) fn check_count(
    setting: &Setting,
    count: usize,
    max: usize,
    entries: &str,
) -> Option<InvalidSetting> {
    (count > max).then(|| {
        InvalidSetting::new(
            setting.path,
            format!("has {count} entries"),
            format!("list at most {max} {entries}"),
        )
    })
}

/// Checks that a text is not empty and has at most `length_max` characters.
pub(crate) fn check_text(
    setting: &Setting,
    text: &str,
    length_max: usize,
    hint: &str,
) -> Option<InvalidSetting> {
    domain::invalid::bounded_text(setting.path, text, 1, length_max)
        .err()
        .map(|invalid| InvalidSetting::new(setting.path, invalid.message, hint))
}
