//! What users see of parameters and results: everything but secrets. A secret is recognised by its name,
//! by its shape, or because the gateway resolved it for this call ([`Fingerprints`]).
//!
//! Time is linear in the size of the value, and size and depth are bounded. Redacting a redacted value
//! changes nothing. The redacted value is never executed or hashed.

mod fingerprint;
mod key;
mod preview;
mod shape;
mod view;
mod whole;

use std::ops::Range;

use serde_json::{Map, Value};

pub use fingerprint::Fingerprints;
pub use preview::Preview;
pub use whole::{WholeValue, hide_known};

use crate::limits::{
    JSON_DEPTH_MAX, REDACTION_BYTES_MAX, REDACTION_NESTING_MAX, REDACTION_PASSES_MAX,
    REDACTION_SEARCH_BYTES_MAX,
};

/// Replaces a secret.
pub const MARK: &str = "[redacted]";
/// Replaces what was too long or too deep to be searched.
pub const LEFT_OUT: &str = "[left out]";

/// A value without secrets.
#[derive(Debug, Clone, PartialEq)]
pub struct Redacted {
    pub value: Value,
    /// Places where something was taken out.
    pub count: usize,
    /// Places that were left out unsearched.
    pub left_out: usize,
}

/// Removes secrets.
pub fn redact(value: &Value, fingerprints: &Fingerprints) -> Redacted {
    Redactor::new(fingerprints).finish(value)
}

/// Removes only the secrets that were resolved for the call. For the caller itself, who is entitled to the
/// rest of the response, also to what looks like a secret.
pub fn scrub(value: &Value, fingerprints: &Fingerprints) -> Redacted {
    let mut redactor = Redactor::new(fingerprints);
    redactor.known_only = true;
    redactor.finish(value)
}

/// The same as [`redact`] for a line of text, such as an error of an outside service.
pub fn redact_text(text: &str, fingerprints: &Fingerprints) -> String {
    Redactor::new(fingerprints).text(text, Context::default())
}

/// The current position in the value.
#[derive(Debug, Clone, Copy, Default)]
struct Context {
    depth: usize,
    /// Levels of JSON written as text around this.
    nesting: usize,
    /// It belongs to a name that marks it as an id or a digest: long and mixed, and no secret.
    identifier: bool,
}

impl Context {
    fn deeper(self) -> Option<Self> {
        (self.depth < JSON_DEPTH_MAX).then_some(Self {
            depth: self.depth + 1,
            ..self
        })
    }
}

struct Redactor<'a> {
    fingerprints: &'a Fingerprints,
    /// Names and shapes do not count.
    known_only: bool,
    /// Bytes of the value that may still be searched, and bytes of all searches together: nested
    /// encodings are searched once for each layer.
    bytes_left: usize,
    search_left: usize,
    count: usize,
    left_out: usize,
}

impl<'a> Redactor<'a> {
    fn new(fingerprints: &'a Fingerprints) -> Self {
        Self {
            fingerprints,
            known_only: false,
            bytes_left: REDACTION_BYTES_MAX,
            search_left: REDACTION_SEARCH_BYTES_MAX,
            count: 0,
            left_out: 0,
        }
    }

    fn finish(mut self, value: &Value) -> Redacted {
        let value = self.value(value, Context::default());
        Redacted {
            value,
            count: self.count,
            left_out: self.left_out,
        }
    }

    fn value(&mut self, value: &Value, context: Context) -> Value {
        match (value, context.deeper()) {
            (Value::Number(number), _) if self.is_known(&number.to_string()) => self.mark(),
            (Value::Null | Value::Bool(_) | Value::Number(_), _) => value.clone(),
            (Value::String(text), _) => self.text(text, context).into(),
            (Value::Array(_) | Value::Object(_), None) => self.leave_out().into(),
            (Value::Array(items), Some(inside)) => self.array(items, inside),
            (Value::Object(members), Some(inside)) => self.object(members, inside),
        }
    }

    fn array(&mut self, items: &[Value], context: Context) -> Value {
        // A header as a pair of name and value.
        if let [Value::String(name), value @ Value::String(_)] = items
            && !self.known_only
            && key::names_secret(name, value)
        {
            return vec![self.text(name, context).into(), self.hide(value)].into();
        }
        let items = items.iter().map(|item| self.value(item, context));
        Value::Array(items.collect())
    }

    fn object(&mut self, members: &Map<String, Value>, context: Context) -> Value {
        let named = key::named_member(members);
        let (mut shown, mut taken) = (Map::new(), 0);
        for (name, value) in members {
            let secret = key::names_secret(name, value) || named == Some(name.as_str());
            let inside = Context {
                identifier: key::names_identifier(name),
                ..context
            };
            let value = if secret && !self.known_only {
                self.hide(value)
            } else {
                self.value(value, inside)
            };
            // The name is searched like any text: a map by token has tokens for names.
            let name = self.text(name, inside);
            insert(&mut shown, name, value, &mut taken);
        }
        Value::Object(shown)
    }

    /// Hides a value under a secret's name.
    fn hide(&mut self, value: &Value) -> Value {
        if value == MARK {
            return value.clone();
        }
        self.mark()
    }

    fn mark(&mut self) -> Value {
        self.count += 1;
        MARK.into()
    }

    fn is_known(&self, text: &str) -> bool {
        !self.fingerprints.find(text).is_empty()
    }

    /// Searches until nothing more is found: the rest of a text may look like a secret only after a
    /// neighbouring part is removed.
    fn text(&mut self, text: &str, context: Context) -> String {
        if context.nesting == 0 && !take(&mut self.bytes_left, text.len()) {
            return self.leave_out();
        }
        let mut text = text.to_owned();
        for _ in 0..=REDACTION_PASSES_MAX {
            if !take(&mut self.search_left, text.len()) {
                return self.leave_out();
            }
            let opened = self.nested(&text, context);
            let searched = opened.as_ref().unwrap_or(&text);
            let mut found = self.fingerprints.find(searched);
            if !self.known_only {
                found.extend(shape::find(searched, context.identifier));
            }
            let (count, replaced) = replace(searched, found);
            self.count += count;
            match (count, opened) {
                (0, None) => return text,
                (0, Some(opened)) => text = opened,
                _ => text = replaced,
            }
        }
        self.count += 1;
        MARK.to_owned()
    }

    fn leave_out(&mut self) -> String {
        self.left_out += 1;
        LEFT_OUT.to_owned()
    }

    /// The text without secrets if it is JSON and has some; tools often return JSON as text.
    fn nested(&mut self, text: &str, context: Context) -> Option<String> {
        let trimmed = text.trim();
        let wrapped = |open, close| trimmed.starts_with(open) && trimmed.ends_with(close);
        if context.nesting >= REDACTION_NESTING_MAX || !(wrapped('{', '}') || wrapped('[', ']')) {
            return None;
        }
        let value: Value = serde_json::from_str(trimmed).ok()?;
        let inside = Context {
            depth: 0,
            nesting: context.nesting + 1,
            identifier: false,
        };
        let before = (self.count, self.left_out);
        let value = self.value(&value, inside);
        ((self.count, self.left_out) != before).then(|| value.to_string())
    }
}

/// Takes this amount of the budget, if there is enough left.
fn take(left: &mut usize, amount: usize) -> bool {
    let rest = left.checked_sub(amount);
    *left = rest.unwrap_or(*left);
    rest.is_some()
}

/// Inserts under the name, or with a number after it where it is taken: two secrets as names are still two
/// members. `taken` continues the count across names, so that each number is tried once.
fn insert(members: &mut Map<String, Value>, mut name: String, value: Value, taken: &mut usize) {
    if members.contains_key(&name) {
        let bare = name.clone();
        while members.contains_key(&name) {
            *taken += 1;
            name = format!("{bare} {}", *taken + 1);
        }
    }
    members.insert(name, value);
}

/// Replaces each range by the mark; ranges that overlap or touch become one.
fn replace(text: &str, mut found: Vec<Range<usize>>) -> (usize, String) {
    found.sort_by_key(|range| range.start);
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in found {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    let mut shown = String::with_capacity(text.len());
    let mut from = 0;
    for range in &merged {
        let start = text.floor_char_boundary(range.start);
        shown.push_str(&text[from..start]);
        shown.push_str(MARK);
        from = text.ceil_char_boundary(range.end);
    }
    shown.push_str(&text[from..]);
    (merged.len(), shown)
}

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
