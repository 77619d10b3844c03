//! The TOML file. Read in steps so that every mistake is found, not the first alone: syntax, then
//! names and types against the declarations of settings. Messages never repeat the file's text,
//! which may hold a secret that does not belong there.

use std::path::Path;

use toml::{
    Table, Value,
    de::{DeTable, DeValue},
};

use crate::{
    catalog::Catalog,
    error::ConfigProblem,
    invalid::{InvalidValue, echo},
    setting::{Section, Setting, TomlType},
    sources::{FileValues, ValueSource},
    suggest::closest,
    text_file::{self, LineStarts},
};

/// The version of the file's format that this build reads.
pub(crate) const FILE_VERSION: u32 = 1;
/// The key with that version.
pub(crate) const VERSION_KEY: &str = "version";

/// Reads the file at `path`, adding what is wrong with it to `problems`.
pub(crate) fn load(
    path: &Path,
    catalog: &Catalog,
    problems: &mut Vec<ConfigProblem>,
) -> FileValues {
    let mut reader = FileReader {
        catalog,
        values: FileValues::of_file(path),
        problems: Vec::new(),
    };
    match text_file::read(path) {
        Ok(text) => reader.read_text(&text),
        Err(why) => {
            let hint = "name a TOML file with `--config` or PROLIFERATE_CONFIG, or neither";
            reader.report("", InvalidValue::new(why, hint));
        }
    }
    // From top to bottom, as they will be fixed.
    reader.problems.sort_by_key(|problem| match problem.source {
        ValueSource::File { line, .. } => line,
        _ => None,
    });
    problems.append(&mut reader.problems);
    reader.values
}

/// Reads one file and collects what is wrong with it.
struct FileReader<'a> {
    catalog: &'a Catalog,
    values: FileValues,
    problems: Vec<ConfigProblem>,
}

impl FileReader<'_> {
    fn read_text(&mut self, text: &str) {
        if !self.read_lines(text) {
            return;
        }
        // It parsed a moment ago, so an error here cannot be; an empty table then reports `version`.
        let mut table: Table = toml::from_str(text).unwrap_or_default();
        let version = table.remove(VERSION_KEY);
        if let Err(invalid) = check_version(version.as_ref()) {
            self.report(VERSION_KEY, invalid);
            if version.is_some() {
                // Another version's names are not ours to judge.
                return;
            }
        }
        for (name, value) in table {
            self.read_entry(&name, value);
        }
    }

    /// Notes the line of each name. Returns false for a text that is not TOML: its other
    /// half may be missing, so only syntax is reported.
    fn read_lines(&mut self, text: &str) -> bool {
        let starts = LineStarts::of(text);
        let (parsed, errors) = DeTable::parse_recoverable(text);
        for error in &errors {
            let line = error.span().map(|span| starts.line_at(span.start));
            let message = format!("the file is not TOML: {}", error.message());
            let invalid = InvalidValue::new(message, "");
            let source = self.values.source_at(line);
            self.problems.push(ConfigProblem::new("", source, invalid));
        }
        for (key, value) in parsed.get_ref() {
            let name = key.get_ref().to_string();
            if let DeValue::Table(table) = value.get_ref() {
                for inner in table.keys() {
                    let line = starts.line_at(inner.span().start);
                    self.values
                        .set_line(format!("{name}.{}", inner.get_ref()), line);
                }
            }
            self.values.set_line(name, starts.line_at(key.span().start));
        }
        errors.is_empty()
    }

    /// Reads a section, or one of the keys above all sections.
    fn read_entry(&mut self, name: &str, value: Value) {
        let catalog = self.catalog;
        let section = catalog.section(name).filter(|_| !name.is_empty());
        match (section, value) {
            (Some(section), Value::Table(entries)) => {
                for (key, value) in entries {
                    self.read_setting(section, &key, &value);
                }
            }
            (Some(_), other) => {
                let message = format!("is {}, must be a table", describe(&other));
                let hint = format!("write `[{name}]` with its settings below");
                self.report(name, InvalidValue::new(message, hint));
            }
            (None, value) => {
                if let Some(top) = catalog.section("") {
                    self.read_setting(top, name, &value);
                }
            }
        }
    }

    fn read_setting(&mut self, section: &Section, key: &str, value: &Value) {
        let read = match section.setting(key) {
            None => Err(unknown_key(self.catalog, section, key)),
            Some(setting) => value_text(setting, value).map(|text| (setting, text)),
        };
        match read {
            Ok((setting, text)) => self.values.set(setting, text),
            Err(invalid) if section.name.is_empty() => self.report(key, invalid),
            Err(invalid) => self.report(&format!("{}.{key}", section.name), invalid),
        }
    }

    /// Adds what is wrong with a name of the file, which may be of any length.
    fn report(&mut self, name: &str, invalid: InvalidValue) {
        let (shown, source) = (echo(name), self.values.source(name));
        let shown = shown.trim_matches('`');
        self.problems
            .push(ConfigProblem::new(shown, source, invalid));
    }
}

fn check_version(version: Option<&Value>) -> Result<(), InvalidValue> {
    match version {
        Some(Value::Integer(version)) if *version == i64::from(FILE_VERSION) => Ok(()),
        Some(_) => Err(InvalidValue::new(
            "is not a version this build can read",
            format!("write `version = {FILE_VERSION}`"),
        )),
        None => Err(InvalidValue::new(
            "is missing",
            format!("begin the file with `version = {FILE_VERSION}`"),
        )),
    }
}

/// The value as a variable would hold it.
fn value_text(setting: &Setting, value: &Value) -> Result<String, InvalidValue> {
    let expected = setting.kind.toml_type();
    let strings = |items: &[Value]| {
        let text = |item: &Value| item.as_str().map(str::to_owned);
        items.iter().map(text).collect::<Option<Vec<_>>>()
    };
    let message = match (expected, value) {
        (TomlType::String, Value::String(text)) => return Ok(text.clone()),
        (TomlType::Integer, Value::Integer(number)) if *number >= 0 => {
            return Ok(number.to_string());
        }
        (TomlType::Integer, Value::Integer(_)) => "is out of range".to_owned(),
        (TomlType::Float, Value::Float(number)) => return Ok(number.to_string()),
        (TomlType::Float, Value::Integer(number)) => return Ok(number.to_string()),
        (TomlType::Array, Value::Array(items)) => match strings(items) {
            Some(texts) => return Ok(texts.join(",")),
            None => "has an entry that is not a string".to_owned(),
        },
        _ => format!(
            "is {}, must be {}",
            describe(value),
            with_article(expected.name())
        ),
    };
    Err(InvalidValue::new(message, setting.file_description()))
}

fn describe(value: &Value) -> String {
    with_article(value.type_str())
}

fn with_article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'i']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {noun}")
}

fn unknown_key(catalog: &Catalog, section: &Section, key: &str) -> InvalidValue {
    if let Some(secret) = catalog.secret_named(section.name, key) {
        return InvalidValue::new(
            "is a secret and must not be written in the file",
            format!(
                "set {} or name a file with `{}`, and replace the secret: it has been on disk",
                secret.value.env[0].name, secret.file.path
            ),
        );
    }
    let known = known_names(catalog, section);
    let hint = match closest(key, known.iter().copied()).or_else(|| path_elsewhere(catalog, key)) {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("known here: {}", known.join(", ")),
    };
    InvalidValue::new("is not a setting", hint)
}

/// What may stand in this section; above all sections, their names too.
fn known_names<'a>(catalog: &'a Catalog, section: &'a Section) -> Vec<&'a str> {
    let mut names: Vec<&str> = section.settings().map(Setting::key).collect();
    if section.name.is_empty() {
        names.push(VERSION_KEY);
        let sections = catalog.sections().iter().map(|section| section.name);
        names.extend(sections.filter(|name| !name.is_empty()));
    }
    names.sort_unstable();
    names
}

/// The full name of a setting that has this key in another section. Of several it is the first one of
/// `config check` that is not the file of a secret: more operators want that one.
fn path_elsewhere(catalog: &Catalog, key: &str) -> Option<&'static str> {
    let files = catalog.secrets().map(|secret| &secret.file);
    let mut settings = catalog.settings().chain(files);
    settings
        .find(|setting| setting.key() == key)
        .map(|setting| setting.path)
}
