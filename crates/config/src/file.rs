//! The TOML file. Read in steps so that every mistake is found, not the first alone: syntax, then
//! names against the schema, then each value by itself. Messages never repeat the file's text,
//! which may hold a secret that does not belong there.

use std::{
    collections::BTreeMap,
    fs::File,
    io::Read as _,
    path::{Path, PathBuf},
};

use schemars::JsonSchema;
use serde::Deserialize;
use toml::{
    Table, Value,
    de::{DeTable, DeValue},
};

use crate::{
    catalog::Catalog,
    coordination::CoordinationFile,
    database::DatabaseFile,
    encryption::EncryptionFile,
    error::{Problem, Refusal, echo},
    fleet::FleetFile,
    identity::IdentityFile,
    integrations::IntegrationsFile,
    live::LiveFile,
    login::LoginFile,
    model::ModelFile,
    policy::PolicyFile,
    sandbox::SandboxFile,
    schema::{Known, KnownKey},
    server::ServerFile,
    setting::Source,
    storage::StorageFile,
    suggest::closest,
    telemetry::TelemetryFile,
};

/// The version of the file's format that this build reads.
pub const FILE_VERSION: u32 = 1;
/// Largest file that is read; one with every setting has about 2 KB.
const FILE_BYTES_MAX: u64 = 1024 * 1024;

/// Settings of the gateway. Whatever is left out has a default; secrets are named by file, never
/// written here.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(title = "Proliferate settings")]
pub(crate) struct FileSettings {
    /// Version of this file's format, always 1.
    #[schemars(range(min = 1, max = 1))]
    pub(crate) version: Option<u32>,
    /// Directory for everything the product keeps on disk; relative to this file.
    pub(crate) data_dir: Option<String>,
    pub(crate) server: ServerFile,
    pub(crate) database: DatabaseFile,
    pub(crate) coordination: CoordinationFile,
    pub(crate) storage: StorageFile,
    pub(crate) policy: PolicyFile,
    pub(crate) sandbox: SandboxFile,
    pub(crate) live: LiveFile,
    pub(crate) fleet: FleetFile,
    pub(crate) integrations: IntegrationsFile,
    pub(crate) model: ModelFile,
    pub(crate) identity: IdentityFile,
    pub(crate) login: LoginFile,
    pub(crate) encryption: EncryptionFile,
    pub(crate) telemetry: TelemetryFile,
}

/// Where in the file each setting stands.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    pub(crate) path: Option<PathBuf>,
    by_setting: BTreeMap<String, usize>,
}

impl Lines {
    pub(crate) fn source(&self, setting: &str) -> Source {
        match &self.path {
            Some(path) => Source::File {
                path: path.clone(),
                line: self.by_setting.get(setting).copied(),
            },
            None => Source::Default,
        }
    }
}

/// Reads the file at `path`, adding what is wrong with it to `problems`.
pub(crate) fn load(
    path: &Path,
    catalog: &Catalog,
    problems: &mut Vec<Problem>,
) -> (FileSettings, Lines) {
    let mut lines = Lines {
        path: Some(path.to_owned()),
        by_setting: BTreeMap::new(),
    };
    let mut found = Vec::new();
    let settings = match read(path) {
        Ok(text) => parse(&text, catalog, &mut lines, &mut found),
        Err(why) => {
            let hint = "name a TOML file with `--config` or PROLIFERATE_CONFIG, or neither";
            found.push(Problem::new("", lines.source(""), Refusal::new(why, hint)));
            FileSettings::default()
        }
    };
    // From top to bottom, as they will be fixed.
    found.sort_by_key(|problem| match problem.source {
        Source::File { line, .. } => line,
        _ => None,
    });
    problems.append(&mut found);
    (settings, lines)
}

fn read(path: &Path) -> Result<String, String> {
    let file = File::open(path).map_err(|error| format!("the file cannot be read: {error}"))?;
    let mut text = String::new();
    file.take(FILE_BYTES_MAX + 1)
        .read_to_string(&mut text)
        .map_err(|error| format!("the file cannot be read: {error}"))?;
    if text.len() as u64 > FILE_BYTES_MAX {
        return Err(format!("the file has more than {FILE_BYTES_MAX} bytes"));
    }
    Ok(text)
}

fn parse(
    text: &str,
    catalog: &Catalog,
    lines: &mut Lines,
    problems: &mut Vec<Problem>,
) -> FileSettings {
    let starts = LineStarts::of(text);
    let (parsed, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        // Half a file says nothing reliable about the other half, so only syntax is reported.
        for error in errors {
            let source = Source::File {
                path: lines.path.clone().unwrap_or_default(),
                line: error.span().map(|span| starts.line_at(span.start)),
            };
            let message = format!("the file is not TOML: {}", error.message());
            problems.push(Problem::new("", source, Refusal::new(message, "")));
        }
        return FileSettings::default();
    }
    for (key, value) in parsed.get_ref() {
        let name = key.get_ref().to_string();
        if let DeValue::Table(table) = value.get_ref() {
            for inner in table.keys() {
                let line = starts.line_at(inner.span().start);
                lines
                    .by_setting
                    .insert(format!("{name}.{}", inner.get_ref()), line);
            }
        }
        let line = starts.line_at(key.span().start);
        lines.by_setting.insert(name, line);
    }
    // It parsed a moment ago, so an error here cannot be; an empty table then reports `version`.
    let mut table: Table = toml::from_str(text).unwrap_or_default();
    if let Some(refusal) = version_refusal(&table) {
        let unknown_version = table.contains_key("version");
        problems.push(Problem::new("version", lines.source("version"), refusal));
        if unknown_version {
            // Another version's names are not ours to judge.
            return FileSettings::default();
        }
    }
    refuse_bad_entries(&mut table, catalog, lines, problems);
    FileSettings::deserialize(table).unwrap_or_default()
}

fn version_refusal(table: &Table) -> Option<Refusal> {
    match table.get("version") {
        Some(Value::Integer(version)) if *version == i64::from(FILE_VERSION) => None,
        Some(_) => Some(Refusal::new(
            "is not a version this build can read",
            format!("write `version = {FILE_VERSION}`"),
        )),
        None => Some(Refusal::new(
            "is missing",
            format!("begin the file with `version = {FILE_VERSION}`"),
        )),
    }
}

/// Takes every entry out of `table` that is unknown or of the wrong type, with a problem for each.
fn refuse_bad_entries(
    table: &mut Table,
    catalog: &Catalog,
    lines: &Lines,
    problems: &mut Vec<Problem>,
) {
    let known = Known::from_schema(catalog);
    table.retain(|name, value| {
        if known.sections.contains_key(name) && !value.is_table() {
            let refusal = Refusal::new(
                format!("is {}, must be a table", described(value)),
                format!("write `[{name}]` with its settings below"),
            );
            problems.push(Problem::new(name, lines.source(name), refusal));
            return false;
        }
        let Some(section) = value
            .as_table_mut()
            .filter(|_| known.sections.contains_key(name))
        else {
            return entry_is_good(&known, "", name, value, lines, problems);
        };
        section.retain(|key, value| entry_is_good(&known, name, key, value, lines, problems));
        true
    });
}

fn entry_is_good(
    known: &Known<'_>,
    section: &str,
    key: &str,
    value: &Value,
    lines: &Lines,
    problems: &mut Vec<Problem>,
) -> bool {
    let path = if section.is_empty() {
        key.to_owned()
    } else {
        format!("{section}.{key}")
    };
    let refusal = match known.key(section, key) {
        None => unknown_key(known, section, key),
        Some(expected) => match type_refusal(section, key, value, expected) {
            Some(refusal) => refusal,
            None => return true,
        },
    };
    let source = lines.source(&path);
    let shown = echo(&path);
    problems.push(Problem::new(shown.trim_matches('`'), source, refusal));
    false
}

fn unknown_key(known: &Known<'_>, section: &str, key: &str) -> Refusal {
    if let Some(secret) = known.catalog.secret_named(section, key) {
        return Refusal::new(
            "is a secret and must not be written in the file",
            format!(
                "set {} or name a file with `{}`, and replace the secret: it has been on disk",
                secret.value.env[0].name, secret.file.path
            ),
        );
    }
    let hint = match closest(key, known.names(section)) {
        Some(name) => format!("did you mean `{name}`?"),
        None => match known.elsewhere(key) {
            Some(path) => format!("did you mean `{path}`?"),
            None => format!(
                "known here: {}",
                known.names(section).collect::<Vec<_>>().join(", ")
            ),
        },
    };
    Refusal::new("is not a setting", hint)
}

/// Asks serde about this one value, so that one bad value does not hide the next.
fn type_refusal(section: &str, key: &str, value: &Value, expected: &KnownKey) -> Option<Refusal> {
    let mut alone = Table::new();
    alone.insert(key.to_owned(), value.clone());
    if !section.is_empty() {
        let inner = std::mem::take(&mut alone);
        alone.insert(section.to_owned(), Value::Table(inner));
    }
    if FileSettings::deserialize(alone).is_ok() && is_of_type(value, expected.type_name) {
        return None;
    }
    let message = if value.is_integer() && expected.type_name == "integer" {
        "is out of range".to_owned()
    } else {
        format!(
            "is {}, must be {}",
            described(value),
            with_article(expected.type_name)
        )
    };
    Some(Refusal::new(message, expected.doc.as_str()))
}

/// Whether the value is of a type that serde alone does not ask for, in sections whose keys are declared elsewhere.
fn is_of_type(value: &Value, type_name: &str) -> bool {
    match type_name {
        "string" => value.is_str(),
        "array" => value.is_array(),
        _ => true,
    }
}

fn described(value: &Value) -> String {
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

/// Offsets at which lines begin, so that finding a line does not read the text again.
struct LineStarts(Vec<usize>);

impl LineStarts {
    fn of(text: &str) -> Self {
        let behind_ends = text.match_indices('\n').map(|(at, _)| at + 1);
        Self(std::iter::once(0).chain(behind_ends).collect())
    }

    fn line_at(&self, offset: usize) -> usize {
        self.0.partition_point(|start| *start <= offset)
    }
}
