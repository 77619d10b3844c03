//! Reads the values of a table, and reports what is wrong with one on its line.

use std::{ops::Range, path::Path};

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::keys::FileKey;
use crate::{
    error::ConfigProblem, invalid::InvalidValue, sources::ValueSource, suggest::closest,
    text_file::LineStarts,
};

/// Bytes of a client id, a scope, a group or the name of a claim.
pub(super) const TEXT_LENGTH_MAX: usize = 255;
/// Characters of what a problem calls a key, which may be of any length in the file.
const CALLED_LENGTH_MAX: usize = 120;
/// The key that would hold a secret.
const SECRET: &str = "client_secret";

/// Reads one file and collects what is wrong with it.
pub(super) struct TableReader<'a> {
    pub(super) path: &'a Path,
    pub(super) env: &'a dyn Fn(&str) -> Option<String>,
    lines: LineStarts,
    problems: Vec<ConfigProblem>,
}

/// A table of the file, with what problems call it.
pub(super) struct NamedTable<'t> {
    table: &'t DeTable<'t>,
    span: Range<usize>,
    pub(super) called: String,
}

impl<'t> NamedTable<'t> {
    pub(super) fn get(&self, key: &str) -> Option<&'t Spanned<DeValue<'t>>> {
        let mut entries = self.table.iter();
        entries.find_map(|(name, value)| (name.get_ref() == key).then_some(value))
    }
}

impl<'a> TableReader<'a> {
    pub(super) fn new(path: &'a Path, text: &str, env: &'a dyn Fn(&str) -> Option<String>) -> Self {
        Self {
            path,
            env,
            lines: LineStarts::of(text),
            problems: Vec::new(),
        }
    }

    /// From top to bottom, as they will be fixed.
    pub(super) fn into_problems(mut self) -> Vec<ConfigProblem> {
        self.problems.sort_by_key(|problem| match problem.source {
            ValueSource::File { line, .. } => line,
            _ => None,
        });
        self.problems
    }

    /// Returns the table if the value is one; reports keys that it may not or must have.
    pub(super) fn table<'t>(
        &mut self,
        called: String,
        value: &'t Spanned<DeValue<'t>>,
        keys: &[FileKey],
    ) -> Option<NamedTable<'t>> {
        let DeValue::Table(table) = value.get_ref() else {
            let message = format!("is a {}, must be a table", value.get_ref().type_str());
            self.report(&called, Some(value.span()), message, "");
            return None;
        };
        for name in table.keys() {
            let (text, span) = (name.get_ref().as_ref(), name.span());
            let full = format!("{called}.{text}");
            if text == SECRET {
                let message = "is a secret and must not be written in the file";
                let hint = "name a file with `client_secret_file` or a variable with `client_secret_env`, and \
                            replace the secret: it has been on disk";
                self.report(&full, Some(span), message, hint);
            } else if keys.iter().all(|key| key.name != text) {
                let names = || keys.iter().map(|key| key.name);
                let hint = closest(text, names()).map_or_else(
                    || format!("known here: {}", names().collect::<Vec<_>>().join(", ")),
                    |name| format!("did you mean `{name}`?"),
                );
                self.report(&full, Some(span), "is no key of this table", &hint);
            }
        }
        let named = NamedTable {
            table,
            span: value.span(),
            called,
        };
        for key in keys.iter().filter(|key| key.is_required) {
            if named.get(key.name).is_none() {
                self.report_of(&named, key.name, "is missing", key.help);
            }
        }
        Some(named)
    }

    /// A text that is there and within its bound.
    pub(super) fn text(
        &mut self,
        table: &NamedTable<'_>,
        key: &str,
        length_max: usize,
    ) -> Option<String> {
        let text = match table.get(key)?.get_ref() {
            DeValue::String(text) => text.trim(),
            other => {
                let message = format!("is a {}, must be a string", other.type_str());
                self.report_of(table, key, message, "");
                return None;
            }
        };
        if text.is_empty() || text.chars().count() > length_max || text.contains(char::is_control) {
            let message = format!("must have between 1 and {length_max} characters, all visible");
            self.report_of(table, key, message, "");
            return None;
        }
        Some(text.to_owned())
    }

    /// A list of texts, or one text; `None` if it is not there.
    pub(super) fn texts(
        &mut self,
        table: &NamedTable<'_>,
        key: &str,
        max: usize,
    ) -> Option<Vec<String>> {
        let items: Vec<Option<&str>> = match table.get(key)?.get_ref() {
            DeValue::Array(items) => items.iter().map(|item| item.get_ref().as_str()).collect(),
            one => vec![one.as_str()],
        };
        let is_text = |text: &&str| !text.is_empty() && text.len() <= TEXT_LENGTH_MAX;
        let texts = items
            .into_iter()
            .map(|text| text.filter(is_text).map(str::to_owned));
        let texts: Option<Vec<_>> = texts.collect();
        let texts = texts.filter(|texts| !texts.is_empty() && texts.len() <= max);
        if texts.is_none() {
            let message = format!("must be a list of 1 to {max} strings that are not empty");
            self.report_of(table, key, message, "");
        }
        texts
    }

    pub(super) fn flag(&mut self, table: &NamedTable<'_>, key: &str, default: bool) -> bool {
        let Some(value) = table.get(key) else {
            return default;
        };
        let flag = value.get_ref().as_bool();
        if flag.is_none() {
            let message = "is not `true` or `false`";
            self.report_of(table, key, message, "write it without quotes");
        }
        flag.unwrap_or(default)
    }

    /// Reports what is wrong with a key, on its line, or that of its table where it is missing.
    pub(super) fn report_of(
        &mut self,
        table: &NamedTable<'_>,
        key: &str,
        message: impl Into<String>,
        hint: &str,
    ) {
        let value = table.get(key);
        let span = value.map_or_else(|| table.span.clone(), Spanned::span);
        let called = format!("{}.{key}", table.called);
        self.report(&called, Some(span), message, hint);
    }

    pub(super) fn report(
        &mut self,
        called: &str,
        span: Option<Range<usize>>,
        message: impl Into<String>,
        hint: &str,
    ) {
        let source = ValueSource::File {
            path: self.path.to_owned(),
            line: span.map(|span| self.lines.line_at(span.start)),
        };
        let visible = called.chars().filter(|c| !c.is_control());
        let shown: String = visible.take(CALLED_LENGTH_MAX).collect();
        let invalid = InvalidValue::new(message, hint);
        self.problems
            .push(ConfigProblem::new(shown, source, invalid));
    }
}
