//! Takes each setting from the first source that has it and remembers which one that was. A value
//! that does not parse becomes a problem and the default takes its place, so that loading goes on
//! and finds the other problems too.

use std::{
    fs::File,
    io::Read as _,
    path::{Path, PathBuf},
};

use domain::limits::SECRET_VALUE_BYTES_MAX;
use secrecy::SecretString;

use crate::{
    error::ConfigProblem,
    invalid::{InvalidSetting, InvalidValue},
    setting::{NOT_SET, SecretSetting, Setting},
    sources::{EffectiveSetting, FileValues, Overrides, ValueSource},
    value::SettingValue,
};

/// Shown for a secret that is set.
const HIDDEN: &str = "(set, hidden)";

/// The sources in order, and what was found in them so far.
pub(crate) struct Resolver<'a> {
    flags: &'a Overrides,
    env: &'a dyn Fn(&str) -> Option<String>,
    pub(crate) file: FileValues,
    pub(crate) problems: Vec<ConfigProblem>,
    pub(crate) effective: Vec<EffectiveSetting>,
}

impl<'a> Resolver<'a> {
    pub(crate) fn new(flags: &'a Overrides, env: &'a dyn Fn(&str) -> Option<String>) -> Self {
        Self {
            flags,
            env,
            file: FileValues::default(),
            problems: Vec::new(),
            effective: Vec::new(),
        }
    }

    /// What a section is when no source sets anything.
    pub(crate) fn defaults<T>(resolve: impl FnOnce(&mut Resolver<'_>) -> T) -> T {
        let flags = Overrides::default();
        resolve(&mut Resolver::new(&flags, &|_| None))
    }

    /// Reads a variable that is in a section's declarations. One set to nothing counts as not set: that
    /// is what `VAR=${OTHER:-}` in a compose file means.
    pub(crate) fn variable(&self, name: &str) -> Option<String> {
        (self.env)(name).filter(|value| !value.trim().is_empty())
    }

    /// A setting with a fixed default.
    pub(crate) fn value<T: SettingValue>(&mut self, setting: &Setting) -> T {
        self.value_as(setting, T::parse)
    }

    /// The same, with a parser other than that of its type.
    pub(crate) fn value_as<T: SettingValue>(
        &mut self,
        setting: &Setting,
        parse: impl Fn(&str) -> Result<T, InvalidValue>,
    ) -> T {
        let found = self.parsed(setting, &parse);
        let (value, source) = found.unwrap_or_else(|| {
            let default = setting.default.text().and_then(|text| parse(&text).ok());
            // A mistake in a declaration, which every test that loads settings would find.
            let default = default.unwrap_or_else(|| panic!("no default: {}", setting.path));
            (default, ValueSource::Default)
        });
        self.record(setting.path, value.show(), source);
        value
    }

    /// A setting whose default the section computes.
    pub(crate) fn value_or<T: SettingValue>(&mut self, setting: &Setting, default: T) -> T {
        let found = self.parsed(setting, T::parse);
        let (value, source) = found.unwrap_or((default, ValueSource::Default));
        self.record(setting.path, value.show(), source);
        value
    }

    /// A setting that may be absent.
    pub(crate) fn optional<T: SettingValue>(&mut self, setting: &Setting) -> Option<T> {
        self.optional_as(setting, T::parse)
    }

    /// The same, with a parser other than that of its type.
    pub(crate) fn optional_as<T: SettingValue>(
        &mut self,
        setting: &Setting,
        parse: impl Fn(&str) -> Result<T, InvalidValue>,
    ) -> Option<T> {
        let parsed = self.parsed(setting, parse);
        let (shown, source) = match &parsed {
            Some((value, source)) => (value.show(), source.clone()),
            None => (setting.default.absence(), ValueSource::Default),
        };
        self.record(setting.path, shown, source);
        parsed.map(|(value, _)| value)
    }

    /// A path; one in the file is relative to the file's directory, because the file does not know
    /// where the process was started.
    pub(crate) fn path(&self, setting: &Setting) -> Option<(PathBuf, ValueSource)> {
        let (text, source) = self.text(setting)?;
        let path = PathBuf::from(text);
        let path = match (&source, self.file.directory()) {
            (ValueSource::File { .. }, Some(directory)) => directory.join(path),
            _ => path,
        };
        Some((path, source))
    }

    /// A secret's text, by variable or from a file of its own, with where it came from.
    pub(crate) fn secret(&mut self, setting: &SecretSetting) -> Option<SecretString> {
        let found = self.find_secret(setting);
        let (shown, source) = match &found {
            Some((_, source)) => (HIDDEN, source.clone()),
            None => (NOT_SET, ValueSource::Default),
        };
        self.record(setting.value.path, shown.to_owned(), source);
        found.map(|(text, _)| text)
    }

    fn find_secret(&mut self, setting: &SecretSetting) -> Option<(SecretString, ValueSource)> {
        let value = self.variable_text(&setting.value);
        let file = self.path(&setting.file);
        match (value, file) {
            (Some((_, ValueSource::Env(value))), Some((_, ValueSource::Env(path)))) => {
                let invalid = InvalidValue::new(
                    format!("is set twice, also by {path}"),
                    format!("unset {value} or {path}"),
                );
                self.report(setting.value.path, ValueSource::Env(value), invalid);
                None
            }
            (Some((text, source)), None | Some((_, ValueSource::File { .. }))) => {
                Some((SecretString::from(text), source))
            }
            (_, Some((path, source))) => match read_secret(&path) {
                Ok(text) => Some((text, source)),
                Err(invalid) => {
                    self.report(setting.file.path, source, invalid);
                    None
                }
            },
            _ => None,
        }
    }

    /// Adds a row of `config check`.
    pub(crate) fn record(&mut self, setting: &'static str, value: String, source: ValueSource) {
        self.effective.push(EffectiveSetting {
            setting,
            value,
            source,
        });
    }

    /// Adds what is wrong with a value from this source.
    pub(crate) fn report(&mut self, setting: &str, source: ValueSource, invalid: InvalidValue) {
        self.problems
            .push(ConfigProblem::new(setting, source, invalid));
    }

    /// Adds what is wrong with values that were resolved, with the source each came from.
    pub(crate) fn report_invalid(&mut self, found: impl IntoIterator<Item = InvalidSetting>) {
        for InvalidSetting { setting, invalid } in found {
            let mut rows = self.effective.iter();
            let row = rows.find(|row| row.setting == setting);
            let source = row.map_or(ValueSource::Default, |row| row.source.clone());
            self.report(setting, source, invalid);
        }
    }

    fn parsed<T: SettingValue>(
        &mut self,
        setting: &Setting,
        parse: impl Fn(&str) -> Result<T, InvalidValue>,
    ) -> Option<(T, ValueSource)> {
        let (text, source) = self.text(setting)?;
        let invalid = match parse(text.trim()) {
            Ok(value) if value.holds_secret() && matches!(source, ValueSource::File { .. }) => {
                InvalidValue::new(
                    "contains a password, which must not be written in the file",
                    format!("set {} instead", setting.env[0].name),
                )
            }
            Ok(value) => return Some((value, source)),
            Err(invalid) => invalid,
        };
        self.report(setting.path, source, invalid);
        None
    }

    /// The text of the first source that has the setting: flag, variables, file.
    fn text(&self, setting: &Setting) -> Option<(String, ValueSource)> {
        if let Some(text) = self.flags.get(setting) {
            return Some((text.to_owned(), ValueSource::Flag(setting.flag)));
        }
        let of_file = || {
            let text = self.file.get(setting)?;
            Some((text.to_owned(), self.file.source(setting.path)))
        };
        self.variable_text(setting).or_else(of_file)
    }

    fn variable_text(&self, setting: &Setting) -> Option<(String, ValueSource)> {
        let mut variables = setting.env.iter();
        variables.find_map(|var| Some((self.variable(var.name)?, ValueSource::Env(var.name))))
    }
}

/// Reads at most as much as a secret may have. Line ends behind it belong to the editor.
pub(crate) fn read_secret(path: &Path) -> Result<SecretString, InvalidValue> {
    let refuse = |why: String| {
        InvalidValue::new(
            format!("cannot be read from {}: {why}", path.display()),
            "name a file that this user may read and that holds nothing but the secret",
        )
    };
    let file = File::open(path).map_err(|error| refuse(error.to_string()))?;
    let mut text = String::new();
    file.take(SECRET_VALUE_BYTES_MAX as u64 + 1)
        .read_to_string(&mut text)
        .map_err(|error| refuse(error.to_string()))?;
    if text.len() > SECRET_VALUE_BYTES_MAX {
        return Err(refuse(format!("more than {SECRET_VALUE_BYTES_MAX} bytes")));
    }
    let text = text.trim_end_matches(['\r', '\n']);
    if text.is_empty() {
        return Err(refuse("it is empty".into()));
    }
    Ok(text.into())
}
