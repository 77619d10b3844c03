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
    env::EnvVar,
    error::{Complaint, Problem, Refusal},
    file::Lines,
    setting::{Effective, Overrides, SecretSetting, Setting, Source},
    value::{FileValue, Value},
};

/// Shown for a secret that is set.
pub const HIDDEN: &str = "(set, hidden)";
/// Shown for a setting without a value.
pub const NOT_SET: &str = "(not set)";

/// The sources in order, and what was found in them so far.
pub(crate) struct Resolver<'a> {
    pub(crate) flags: &'a Overrides,
    pub(crate) env: &'a dyn Fn(&str) -> Option<String>,
    pub(crate) lines: Lines,
    pub(crate) problems: Vec<Problem>,
    pub(crate) effective: Vec<Effective>,
}

impl Resolver<'_> {
    /// A variable's value. Set to nothing counts as not set: that is what `VAR=${OTHER:-}` in a
    /// compose file means.
    pub(crate) fn env_var(&self, var: &EnvVar) -> Option<String> {
        (self.env)(var.name).filter(|value| !value.trim().is_empty())
    }

    /// A setting with a default.
    pub(crate) fn value<T: Value>(
        &mut self,
        setting: &Setting,
        file: Option<impl FileValue>,
        default: T,
    ) -> T {
        let (value, source) = match self.parsed(setting, file) {
            Some((value, source)) => (value, source),
            None => (default, Source::Default),
        };
        self.record(setting, value.show(), source);
        value
    }

    /// A setting that may be absent.
    pub(crate) fn optional<T: Value>(
        &mut self,
        setting: &Setting,
        file: Option<impl FileValue>,
        absent: &str,
    ) -> Option<T> {
        let parsed: Option<(T, Source)> = self.parsed(setting, file);
        let (shown, source) = match &parsed {
            Some((value, source)) => (value.show(), source.clone()),
            None => (absent.to_owned(), Source::Default),
        };
        self.record(setting, shown, source);
        parsed.map(|(value, _)| value)
    }

    /// A path; one in the file is relative to the file's directory, because the file does not know
    /// where the process was started.
    pub(crate) fn path(
        &mut self,
        setting: &Setting,
        file: Option<String>,
    ) -> Option<(PathBuf, Source)> {
        let (text, source) = self.raw(setting, file)?;
        let path = PathBuf::from(text);
        let path = match (&source, self.lines.path.as_deref().and_then(Path::parent)) {
            (Source::File { .. }, Some(directory)) => directory.join(path),
            _ => path,
        };
        Some((path, source))
    }

    /// A secret's text, by variable or from a file of its own.
    pub(crate) fn secret(
        &mut self,
        setting: &SecretSetting,
        file: Option<String>,
    ) -> Option<SecretString> {
        let literal = setting
            .value
            .env
            .iter()
            .find_map(|var| Some((self.env_var(var)?, Source::Env(var.name))));
        let reference = self.path(&setting.file, file);
        let found = match (literal, reference) {
            (Some((_, Source::Env(value))), Some((_, Source::Env(path)))) => {
                self.problems.push(Problem::new(
                    setting.value.path,
                    Source::Env(value),
                    Refusal::new(
                        format!("is set twice, also by {path}"),
                        format!("unset {value} or {path}"),
                    ),
                ));
                None
            }
            (Some((text, source)), None | Some((_, Source::File { .. }))) => {
                Some((SecretString::from(text), source))
            }
            (_, Some((path, source))) => match read_secret(&path) {
                Ok(text) => Some((text, source)),
                Err(refusal) => {
                    self.problems
                        .push(Problem::new(setting.file.path, source, refusal));
                    None
                }
            },
            _ => None,
        };
        let (shown, source) = match &found {
            Some((_, source)) => (HIDDEN, source.clone()),
            None => (NOT_SET, Source::Default),
        };
        self.record(&setting.value, shown.to_owned(), source);
        found.map(|(text, _)| text)
    }

    pub(crate) fn record(&mut self, setting: &Setting, value: String, source: Source) {
        self.effective.push(Effective {
            setting: setting.path,
            value,
            source,
        });
    }

    /// Adds what a section's `validate()` found, with the place each value came from.
    pub(crate) fn complain(&mut self, complaints: Vec<Complaint>) {
        for complaint in complaints {
            let source = self
                .effective
                .iter()
                .find(|row| row.setting == complaint.setting)
                .map_or(Source::Default, |row| row.source.clone());
            self.problems
                .push(Problem::new(complaint.setting, source, complaint.refusal));
        }
    }

    fn parsed<T: Value>(
        &mut self,
        setting: &Setting,
        file: Option<impl FileValue>,
    ) -> Option<(T, Source)> {
        let (text, source) = self.raw(setting, file)?;
        let refusal = match T::parse(text.trim()) {
            Ok(value) if value.holds_secret() && matches!(source, Source::File { .. }) => {
                Refusal::new(
                    "contains a password, which must not be written in the file",
                    format!("set {} instead", setting.env[0].name),
                )
            }
            Ok(value) => return Some((value, source)),
            Err(refusal) => refusal,
        };
        self.problems
            .push(Problem::new(setting.path, source, refusal));
        None
    }

    fn raw(&self, setting: &Setting, file: Option<impl FileValue>) -> Option<(String, Source)> {
        if let Some(text) = self.flags.get(setting) {
            return Some((text.to_owned(), Source::Flag(setting.flag)));
        }
        for var in setting.env {
            if let Some(text) = self.env_var(var) {
                return Some((text, Source::Env(var.name)));
            }
        }
        file.map(|value| (value.into_text(), self.lines.source(setting.path)))
    }
}

/// Reads at most as much as a secret may have. Line ends behind it belong to the editor.
fn read_secret(path: &Path) -> Result<SecretString, Refusal> {
    let refuse = |why: String| {
        Refusal::new(
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
