//! `parameters` of a tool: what a call may say besides its inputs.

use std::collections::BTreeSet;

use domain::{
    limits::TOOL_PARAMETERS_MAX,
    policy::{
        ChoiceName, ParameterKind, ParameterName, ParameterPattern, ParameterSpec, ParameterType,
        ParameterValue,
    },
};
use serde_json::Value;

use super::{
    fields::{Fields, Spot},
    problem::Report,
};

/// `None` if one of them could not be read.
pub(super) fn read(fields: &mut Fields<'_>, report: &mut Report) -> Option<Vec<ParameterSpec>> {
    let before = report.found();
    let mut specs = Vec::new();
    let mut names = BTreeSet::new();
    for (index, fields) in fields.inners("parameters", report).into_iter().enumerate() {
        let line = fields.line();
        let place = fields.path_of("");
        let place = place.trim_end_matches('.');
        if index == TOOL_PARAMETERS_MAX {
            let reason = format!("{place}: {TOOL_PARAMETERS_MAX} parameters are the most");
            report.at(line, reason);
            break;
        }
        let Some(spec) = parameter(fields, report) else {
            continue;
        };
        if !names.insert(spec.name.clone()) {
            let reason = format!("{place}: parameter {} is given twice", spec.name);
            report.at(line, reason);
        }
        specs.push(spec);
    }
    (report.found() == before).then_some(specs)
}

fn parameter(mut fields: Fields<'_>, report: &mut Report) -> Option<ParameterSpec> {
    let name = fields.word::<ParameterName>("name", report);
    let word = fields.word::<ParameterType>("type", report);
    let Some(word) = word else {
        // Which of them belong here is unknown without the type.
        _ = ["pattern", "choices", "min", "max", "default"].map(|key| fields.has(key));
        fields.close(report);
        return None;
    };
    let kind = kind(word.value, &mut fields, report);
    let default = default(word.value, &mut fields, report);
    let path = fields.path_of("default");
    fields.close(report);
    let mut spec = ParameterSpec {
        name: name?.value,
        kind: kind?,
        default: None,
    };
    if let Some(Spot { line, value }) = default? {
        match spec.check(&value) {
            Ok(value) => spec.default = Some(value),
            Err(invalid) => {
                report.at(line, format!("{path}: {invalid}"));
                return None;
            }
        }
        // What a call may not say, the policy may not say for it.
        let option =
            matches!(&spec.default, Some(ParameterValue::Text(text)) if text.starts_with('-'));
        if option {
            report.at(line, format!("{path}: must not begin with a dash"));
            return None;
        }
    }
    Some(spec)
}

fn kind(
    word: ParameterType,
    fields: &mut Fields<'_>,
    report: &mut Report,
) -> Option<ParameterKind> {
    match word {
        ParameterType::Boolean => Some(ParameterKind::Boolean),
        ParameterType::Text => {
            let pattern = fields.word::<ParameterPattern>("pattern", report)?;
            Some(ParameterKind::Text(pattern.value))
        }
        ParameterType::Choice => {
            let choices = fields.words::<ChoiceName>("choices", report);
            let choices = choices.into_iter().map(|choice| choice.value);
            Some(ParameterKind::Choice(choices.collect()))
        }
        ParameterType::Integer => {
            let min = fields.integer("min", report);
            let max = fields.integer("max", report);
            let (min, max) = (min?, max?);
            if min.value > max.value {
                let path = fields.path_of("min");
                report.at(min.line, format!("{path}: must not be above max"));
                return None;
            }
            let (min, max) = (min.value, max.value);
            Some(ParameterKind::Integer { min, max })
        }
    }
}

/// `None` if there is one that could not be read; `Some(None)` if there is none.
#[expect(clippy::option_option, reason = "a default is absent, wrong or there")]
fn default(
    word: ParameterType,
    fields: &mut Fields<'_>,
    report: &mut Report,
) -> Option<Option<Spot<Value>>> {
    if !fields.has("default") {
        return Some(None);
    }
    let (line, value) = match word {
        ParameterType::Boolean => {
            let flag = fields.flag("default", report)?;
            (flag.line, Value::from(flag.value))
        }
        ParameterType::Integer => {
            let number = fields.integer("default", report)?;
            (number.line, Value::from(number.value))
        }
        ParameterType::Choice | ParameterType::Text => {
            let text = fields.text("default", report)?;
            (text.line, Value::from(text.value))
        }
    };
    Some(Some(Spot { line, value }))
}
