//! Reading a mapping field by field. Each field is asked for once, by name and kind; what is missing, of
//! another kind or unknown becomes a problem, and reading goes on.

use std::{collections::BTreeSet, fmt::Display, ops::RangeInclusive, str::FromStr};

use domain::{
    audit::CONTRACT_VERSION,
    invalid::bounded_text,
    limits::{POLICY_LIST_MAX, POLICY_TEXT_LENGTH_MAX},
};

use super::{
    problem::Report,
    yaml::{Entry, Node, Value, shown},
};

/// The version of the files' shape.
const SHAPE_VERSION: u64 = 1;

/// A mapping that is being read.
#[derive(Debug)]
pub(super) struct Fields<'a> {
    line: usize,
    /// Where it stands, for messages: `lanes[2].scope`.
    path: String,
    entries: &'a [Entry],
    known: Vec<&'static str>,
}

/// A value and the line it stands on.
#[derive(Debug, Clone)]
pub(super) struct Spot<T> {
    pub(super) line: usize,
    pub(super) value: T,
}

impl<'a> Fields<'a> {
    /// The mapping of a whole file, its version fields read.
    pub(super) fn of_file(root: &'a Node, report: &mut Report) -> Option<Self> {
        let mut fields = Self::open(root, String::new(), report)?;
        if let Some(version) = fields.number("version", report)
            && version.value != SHAPE_VERSION
        {
            let reason = format!("version: must be {SHAPE_VERSION}");
            report.at(version.line, reason);
        }
        if let Some(version) = fields.text("contract_version", report)
            && version.value != CONTRACT_VERSION
        {
            let reason = format!("contract_version: must be {CONTRACT_VERSION}");
            report.at(version.line, reason);
        }
        Some(fields)
    }

    pub(super) fn open(node: &'a Node, path: String, report: &mut Report) -> Option<Self> {
        match &node.value {
            Value::Map(entries) => Some(Self {
                line: node.line,
                path,
                entries,
                known: Vec::new(),
            }),
            Value::Refused => None,
            _ => {
                let place = if path.is_empty() { "the file" } else { &path };
                report.at(node.line, format!("{place}: must be a mapping of keys"));
                None
            }
        }
    }

    /// Reports every key that no reader asked for.
    pub(super) fn close(self, report: &mut Report) {
        for entry in self.entries {
            if !self.known.contains(&entry.key.as_str()) {
                let (key, known) = (shown(&entry.key), self.known.join(", "));
                let place = self.place();
                report.at(
                    entry.line,
                    format!("{place}unknown key `{key}`; there are {known}"),
                );
            }
        }
    }

    /// Whether an optional key is there; reading it is then up to the caller.
    pub(super) fn has(&mut self, key: &'static str) -> bool {
        self.know(key);
        self.entries.iter().any(|entry| entry.key == key)
    }

    /// The line the mapping begins on, for what is wrong with it as a whole.
    pub(super) fn line(&self) -> usize {
        self.line
    }

    /// A mapping within this one.
    pub(super) fn inner(&mut self, key: &'static str, report: &mut Report) -> Option<Fields<'a>> {
        let path = self.path_of(key);
        let node = self.node(key, report)?;
        Fields::open(node, path, report)
    }

    pub(super) fn text(&mut self, key: &'static str, report: &mut Report) -> Option<Spot<&'a str>> {
        let path = self.path_of(key);
        let node = self.node(key, report)?;
        text_of(node, &path, report)
    }

    /// A sentence for people.
    pub(super) fn prose(&mut self, key: &'static str, report: &mut Report) -> Option<String> {
        let text = self.text(key, report)?;
        match bounded_text(key, text.value, 1, POLICY_TEXT_LENGTH_MAX) {
            Ok(()) => Some(text.value.to_owned()),
            Err(invalid) => {
                let path = self.path_of(key);
                report.at(text.line, format!("{path}: {}", invalid.message));
                None
            }
        }
    }

    /// A name or a word of a closed set.
    pub(super) fn word<T>(&mut self, key: &'static str, report: &mut Report) -> Option<Spot<T>>
    where
        T: FromStr,
        T::Err: Display,
    {
        let text = self.text(key, report)?;
        let path = self.path_of(key);
        word_of(&text, &path, report)
    }

    pub(super) fn flag(&mut self, key: &'static str, report: &mut Report) -> Option<Spot<bool>> {
        let path = self.path_of(key);
        let node = self.node(key, report)?;
        let value = match &node.value {
            Value::Scalar { text, quoted } if !quoted && text == "true" => true,
            Value::Scalar { text, quoted } if !quoted && text == "false" => false,
            Value::Refused => return None,
            _ => {
                report.at(node.line, format!("{path}: must be true or false"));
                return None;
            }
        };
        let line = node.line;
        Some(Spot { line, value })
    }

    pub(super) fn number(&mut self, key: &'static str, report: &mut Report) -> Option<Spot<u64>> {
        let path = self.path_of(key);
        let node = self.node(key, report)?;
        number_of(node, &path, report)
    }

    /// A whole number that may be below zero.
    pub(super) fn integer(&mut self, key: &'static str, report: &mut Report) -> Option<Spot<i64>> {
        let path = self.path_of(key);
        let node = self.node(key, report)?;
        number_of(node, &path, report)
    }

    /// A whole number within bounds.
    pub(super) fn bounded(
        &mut self,
        key: &'static str,
        bounds: RangeInclusive<u64>,
        report: &mut Report,
    ) -> Option<u64> {
        let number = self.number(key, report)?;
        if bounds.contains(&number.value) {
            return Some(number.value);
        }
        let (path, min, max) = (self.path_of(key), bounds.start(), bounds.end());
        let reason = format!("{path}: must be between {min} and {max}");
        report.at(number.line, reason);
        None
    }

    pub(super) fn list(
        &mut self,
        key: &'static str,
        count_max: usize,
        report: &mut Report,
    ) -> &'a [Node] {
        let path = self.path_of(key);
        let Some(node) = self.node(key, report) else {
            return &[];
        };
        match &node.value {
            Value::List(nodes) if nodes.len() <= count_max => nodes,
            Value::List(nodes) => {
                let count = nodes.len();
                let reason = format!("{path}: {count} entries, {count_max} is the most");
                report.at(node.line, reason);
                &[]
            }
            Value::Refused => &[],
            _ => {
                report.at(node.line, format!("{path}: must be a list"));
                &[]
            }
        }
    }

    /// A list of mappings.
    pub(super) fn inners(&mut self, key: &'static str, report: &mut Report) -> Vec<Fields<'a>> {
        let path = self.path_of(key);
        let nodes = self.list(key, POLICY_LIST_MAX, report).iter().enumerate();
        nodes
            .filter_map(|(index, node)| Fields::open(node, format!("{path}[{index}]"), report))
            .collect()
    }

    /// A list of names or words, each once.
    pub(super) fn words<T>(&mut self, key: &'static str, report: &mut Report) -> Vec<Spot<T>>
    where
        T: FromStr + Ord + Clone,
        T::Err: Display,
    {
        let path = self.path_of(key);
        let mut seen = BTreeSet::new();
        let mut words = Vec::new();
        for node in self.list(key, POLICY_LIST_MAX, report) {
            let Some(text) = text_of(node, &path, report) else {
                continue;
            };
            let Some(word) = word_of::<T>(&text, &path, report) else {
                continue;
            };
            if seen.insert(word.value.clone()) {
                words.push(word);
            } else {
                let reason = format!("{path}: `{}` is listed twice", shown(text.value));
                report.at(node.line, reason);
            }
        }
        words
    }

    /// A list of words in their order, which may repeat.
    pub(super) fn sequence<T>(
        &mut self,
        key: &'static str,
        count_max: usize,
        report: &mut Report,
    ) -> Vec<Spot<T>>
    where
        T: FromStr,
        T::Err: Display,
    {
        let path = self.path_of(key);
        let nodes = self.list(key, count_max, report).iter();
        nodes
            .filter_map(|node| word_of(&text_of(node, &path, report)?, &path, report))
            .collect()
    }

    fn know(&mut self, key: &'static str) {
        if !self.known.contains(&key) {
            self.known.push(key);
        }
    }

    fn node(&mut self, key: &'static str, report: &mut Report) -> Option<&'a Node> {
        self.know(key);
        let found = self.entries.iter().find(|entry| entry.key == key);
        if found.is_none() {
            report.at(self.line, format!("{}`{key}` is missing", self.place()));
        }
        found.map(|entry| &entry.node)
    }

    pub(super) fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.path)
        }
    }

    fn place(&self) -> String {
        if self.path.is_empty() {
            String::new()
        } else {
            format!("{}: ", self.path)
        }
    }
}

/// Digits, and before them at most a sign: not one of YAML's other ways to write a number.
fn number_of<T: FromStr>(node: &Node, path: &str, report: &mut Report) -> Option<Spot<T>> {
    let number = match &node.value {
        Value::Scalar { text, quoted } if !quoted => {
            let digits = text.strip_prefix('-').unwrap_or(text).bytes();
            text.parse()
                .ok()
                .filter(|_| digits.into_iter().all(|b| b.is_ascii_digit()))
        }
        Value::Refused => return None,
        _ => None,
    };
    if number.is_none() {
        report.at(node.line, format!("{path}: must be a whole number"));
    }
    let line = node.line;
    Some(Spot {
        line,
        value: number?,
    })
}

/// Text, and nothing that another reader of YAML would take for something else.
fn text_of<'a>(node: &'a Node, path: &str, report: &mut Report) -> Option<Spot<&'a str>> {
    let reason = match &node.value {
        Value::Scalar { text, quoted } if *quoted || !looks_typed(text) => {
            let (line, value) = (node.line, text.as_str());
            return Some(Spot { line, value });
        }
        Value::Refused => return None,
        Value::Scalar { text, .. } if text.is_empty() => format!("{path}: must not be empty"),
        Value::Scalar { text, .. } => {
            let text = shown(text);
            format!("{path}: must be text; write \"{text}\" if it is meant so")
        }
        Value::List(_) | Value::Map(_) => format!("{path}: must be text"),
    };
    report.at(node.line, reason);
    None
}

/// Whether YAML reads this unquoted text as nothing, a truth value or a number.
fn looks_typed(text: &str) -> bool {
    let word = ["", "~", "null", "true", "false", "yes", "no", "on", "off"];
    let numeric = text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
    word.contains(&text.to_ascii_lowercase().as_str())
        || (numeric && text.replace('_', "").parse::<f64>().is_ok())
}

fn word_of<T>(text: &Spot<&str>, path: &str, report: &mut Report) -> Option<Spot<T>>
where
    T: FromStr,
    T::Err: Display,
{
    match text.value.parse() {
        Ok(value) => Some(Spot {
            line: text.line,
            value,
        }),
        Err(error) => {
            let given = shown(text.value);
            let why = error.to_string();
            // A closed set's complaint repeats what was given; a grammar's does not.
            let reason = if why.contains(&given) {
                format!("{path}: {why}")
            } else {
                format!("{path}: `{given}` is {why}")
            };
            report.at(text.line, reason);
            None
        }
    }
}
