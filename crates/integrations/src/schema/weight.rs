//! Bounds the work of checking one value against a schema. A reference costs what it refers to: two references in each of
//! twenty definitions cost a million, and a definition that refers to itself twice never ends.

use std::collections::{BTreeMap, BTreeSet};

use domain::limits::{PARAMS_DEPTH_MAX, SCHEMA_REFERENCES_MAX, SCHEMA_WEIGHT_MAX};
use serde_json::Value;

use super::error::SchemaError;

/// Keywords whose schemas are applied to parts of a value; all others apply to the value itself.
const DESCENDING: &[&str] = &[
    "properties",
    "patternProperties",
    "additionalProperties",
    "unevaluatedProperties",
    "propertyNames",
    "items",
    "prefixItems",
    "additionalItems",
    "unevaluatedItems",
    "contains",
];

/// Holds data, not schemas.
const DATA: &[&str] = &["const", "enum", "default", "examples", "example"];

/// Holds schemas that count where they are referred to.
const DEFINITIONS: &[&str] = &["$defs", "definitions"];

/// Rejects references to other documents, circles that never descend, and schemas that cost too much.
pub(super) fn weigh(document: &Value) -> Result<u64, SchemaError> {
    let mut weigher = Weigher {
        document,
        known: BTreeMap::new(),
        under_way: BTreeSet::new(),
    };
    weigher.weigh(document, PARAMS_DEPTH_MAX)
}

struct Weigher<'a> {
    document: &'a Value,
    /// By target of a reference and levels left.
    known: BTreeMap<(&'a str, usize), u64>,
    under_way: BTreeSet<(&'a str, usize)>,
}

impl<'a> Weigher<'a> {
    /// What it costs to check a value with this many levels, along its heaviest path.
    fn weigh(&mut self, schema: &'a Value, levels: usize) -> Result<u64, SchemaError> {
        let mut weight = 1;
        let parts: Vec<(&str, &'a Value)> = match schema {
            Value::Object(members) => members.iter().map(|(key, v)| (key.as_str(), v)).collect(),
            Value::Array(items) => items.iter().map(|item| ("", item)).collect(),
            _ => return Ok(weight),
        };
        for (keyword, part) in parts {
            let added = match (keyword, part) {
                ("$ref", Value::String(target)) => self.follow(target, levels)?,
                ("$dynamicRef" | "$recursiveRef", _) => {
                    return Err(SchemaError::Reference(keyword.to_owned()));
                }
                // Within the document it would change what references are relative to.
                ("$id" | "id" | "$anchor" | "$dynamicAnchor", Value::String(text))
                    if !std::ptr::eq(schema, self.document) =>
                {
                    return Err(SchemaError::Reference(text.clone()));
                }
                (keyword, _) if DATA.contains(&keyword) || DEFINITIONS.contains(&keyword) => 0,
                (keyword, part) if DESCENDING.contains(&keyword) => {
                    self.descend(keyword, part, levels)?
                }
                (_, part) => self.weigh(part, levels)?,
            };
            weight += added;
            if weight > SCHEMA_WEIGHT_MAX {
                return Err(SchemaError::TooHeavy);
            }
        }
        Ok(weight)
    }

    /// Below the last level there is nothing to check.
    fn descend(
        &mut self,
        keyword: &str,
        part: &'a Value,
        levels: usize,
    ) -> Result<u64, SchemaError> {
        let Some(levels) = levels.checked_sub(1) else {
            return Ok(0);
        };
        match (keyword, part) {
            // Names of members, not keywords; a member has one name, and may match every pattern.
            ("properties", Value::Object(members)) => {
                members.values().try_fold(0, |heaviest: u64, member| {
                    Ok(heaviest.max(self.weigh(member, levels)?))
                })
            }
            ("patternProperties", Value::Object(members)) => {
                members.values().try_fold(0_u64, |sum, member| {
                    Ok(sum.saturating_add(self.weigh(member, levels)?))
                })
            }
            (_, part) => self.weigh(part, levels),
        }
    }

    fn follow(&mut self, target: &'a str, levels: usize) -> Result<u64, SchemaError> {
        let key = (target, levels);
        if let Some(weight) = self.known.get(&key) {
            return Ok(*weight);
        }
        let elsewhere = || SchemaError::Reference(target.chars().take(100).collect());
        let pointer = target.strip_prefix('#').ok_or_else(elsewhere)?;
        let found = self.document.pointer(pointer).ok_or_else(elsewhere)?;
        if self.under_way.len() == SCHEMA_REFERENCES_MAX || !self.under_way.insert(key) {
            return Err(SchemaError::TooHeavy);
        }
        let weight = self.weigh(found, levels)?;
        self.under_way.remove(&key);
        self.known.insert(key, weight);
        Ok(weight)
    }
}
