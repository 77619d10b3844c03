//! Values that are one of a few words.

/// Implements `SettingValue` for an enum whose variants are words. The hint says what to write instead
/// of another word, and `is_not` what that word is not.
macro_rules! word_values {
    ($type:ty { $($word:literal => $variant:ident),* $(,)? }, $hint:literal $(, is_not $kind:literal)?) => {
        impl $crate::value::SettingValue for $type {
            fn parse(text: &str) -> Result<Self, $crate::invalid::InvalidValue> {
                match text {
                    $($word => Ok(Self::$variant),)*
                    _ => Err($crate::invalid::InvalidValue::new(
                        format!(
                            concat!("is {}" $(, ", which is not ", $kind)?),
                            $crate::invalid::echo(text)
                        ),
                        $hint,
                    )),
                }
            }

            fn show(&self) -> String {
                match self {
                    $(Self::$variant => $word,)*
                }
                .to_owned()
            }
        }
    };
}

pub(crate) use word_values;
