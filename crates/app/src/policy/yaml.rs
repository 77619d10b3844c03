//! The part of YAML that policy files are written in: mappings, lists and text, each with its line.
//! What makes a file mean something else than it seems to say is refused: anchors, aliases, merge keys,
//! tags, directives, several documents, keys given twice, tabs. Types are not guessed here; the reader of a
//! field says what its value must be.
//!
//! Reads the events of the parser below `serde-saphyr` and not its `Spanned` values: through serde a file ends at its first
//! mistake, and it is not known whether a text was quoted, while an operator is shown every mistake of a file at once.

use granit_parser::{Event, Parser, ScalarStyle};

use super::problem::Report;
use domain::limits::{POLICY_DEPTH_MAX, POLICY_FILE_BYTES_MAX};

/// A value and where it begins.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) line: usize,
    pub(super) value: Value,
}

#[derive(Debug)]
pub(super) enum Value {
    Scalar {
        text: String,
        quoted: bool,
    },
    List(Vec<Node>),
    Map(Vec<Entry>),
    /// Reported already; a reader says nothing more about it.
    Refused,
}

#[derive(Debug)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) line: usize,
    pub(super) node: Node,
}

/// Reads the one document of a file. `None` if there is none to speak of; the report says why.
pub(super) fn parse(bytes: &[u8], report: &mut Report) -> Option<Node> {
    let text = text(bytes, report)?;
    let before = report.found();
    for (index, line) in text.lines().enumerate() {
        if line.contains('\t') {
            report.at(index + 1, "tabs are not allowed; indent with spaces");
        }
    }
    if report.found() > before {
        return None;
    }
    let options = granit_parser::options! {
        disallow_directives: true,
        emit_anchor_events: true,
        emit_unresolved_aliases: true,
        flow_nesting_limit: POLICY_DEPTH_MAX,
        block_nesting_limit: POLICY_DEPTH_MAX,
    };
    let mut tree = Tree::default();
    for next in Parser::new_from_str_with_options(text, options) {
        match next {
            Ok((event, span)) => {
                if let Some(tag) = span.tag_start() {
                    report.at(tag.line(), "tags (`!name`) are not allowed");
                }
                if tree.take(event, span.start.line(), report).is_break() {
                    break;
                }
            }
            Err(error) => {
                let reason = format!("not YAML: {}", error.info());
                report.at(error.marker().line(), reason);
                return None;
            }
        }
    }
    if tree.root.is_none() {
        report.whole("the file is empty");
    }
    tree.root
}

/// The text without the byte order mark that some editors put in front. Pins are over the bytes as they
/// are.
fn text<'a>(bytes: &'a [u8], report: &mut Report) -> Option<&'a str> {
    if bytes.len() > POLICY_FILE_BYTES_MAX {
        report.whole(format!("larger than {POLICY_FILE_BYTES_MAX} bytes"));
        return None;
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(text.strip_prefix('\u{feff}').unwrap_or(text)),
        Err(error) => {
            let good = &bytes[..error.valid_up_to()];
            let line = good.split(|byte| *byte == b'\n').count();
            report.at(line, "not UTF-8");
            None
        }
    }
}

/// A collection whose end has not come.
#[derive(Debug)]
enum Open {
    List(usize, Vec<Node>),
    Map(usize, Vec<Entry>, Key),
}

#[derive(Debug)]
enum Key {
    Awaited,
    Is(String, usize),
    /// No key a reader could ask for; its value goes nowhere.
    Refused,
}

#[derive(Debug, Default)]
struct Tree {
    open: Vec<Open>,
    root: Option<Node>,
    documents: usize,
}

impl Tree {
    fn take(
        &mut self,
        event: Event<'_>,
        line: usize,
        report: &mut Report,
    ) -> std::ops::ControlFlow<()> {
        match event {
            Event::DocumentStart(..) => {
                self.documents += 1;
                if self.documents > 1 {
                    report.at(line, "a second document is not allowed");
                    return std::ops::ControlFlow::Break(());
                }
            }
            Event::Anchor(..) => report.at(line, "anchors (`&name`) are not allowed"),
            Event::Alias(_) | Event::UnresolvedAlias(_) => {
                report.at(line, "aliases (`*name`) are not allowed");
                self.add(line, Value::Refused, report);
            }
            Event::Scalar(text, style, ..) => {
                let quoted = style != ScalarStyle::Plain;
                let text = text.into_owned();
                self.add(line, Value::Scalar { text, quoted }, report);
            }
            Event::SequenceStart(..) => self.open.push(Open::List(line, Vec::new())),
            Event::MappingStart(..) => {
                self.open.push(Open::Map(line, Vec::new(), Key::Awaited));
            }
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some(Open::List(line, nodes)) => self.add(line, Value::List(nodes), report),
                Some(Open::Map(line, entries, _)) => self.add(line, Value::Map(entries), report),
                None => {}
            },
            _ => {}
        }
        std::ops::ControlFlow::Continue(())
    }

    fn add(&mut self, line: usize, value: Value, report: &mut Report) {
        match self.open.last_mut() {
            None => self.root = Some(Node { line, value }),
            Some(Open::List(_, nodes)) => nodes.push(Node { line, value }),
            Some(Open::Map(_, entries, key)) => match std::mem::replace(key, Key::Awaited) {
                Key::Awaited => *key = key_of(line, value, entries, report),
                Key::Refused => {}
                Key::Is(name, key_line) => entries.push(Entry {
                    key: name,
                    line: key_line,
                    node: Node { line, value },
                }),
            },
        }
    }
}

fn key_of(line: usize, value: Value, entries: &[Entry], report: &mut Report) -> Key {
    let Value::Scalar { text, .. } = value else {
        if !matches!(value, Value::Refused) {
            report.at(line, "a key must be a word");
        }
        return Key::Refused;
    };
    if text == "<<" {
        report.at(line, "merge keys (`<<`) are not allowed");
        return Key::Refused;
    }
    if let Some(first) = entries.iter().find(|entry| entry.key == text) {
        let (name, first) = (shown(&text), first.line);
        report.at(
            line,
            format!("key `{name}` is given twice, first on line {first}"),
        );
        return Key::Refused;
    }
    Key::Is(text, line)
}

/// A text of the file, short enough to be repeated in a message and harmless to a terminal.
pub(super) fn shown(text: &str) -> String {
    let visible = text.chars().filter(|c| !c.is_control());
    visible.take(80).collect()
}
