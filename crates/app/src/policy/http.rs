//! `http` of a tool: the service it asks and what is kept of the answer.

use std::collections::BTreeSet;

use domain::{
    limits::TOOL_FILE_BYTES_MAX,
    policy::{ArtifactKind, HttpSpec, MediaType, Send, ServiceUrl, ToolSpec},
};

use super::{fields::Fields, lanes::values, problem::Report};

/// `None` if it could not be read whole.
pub(super) fn read(fields: &mut Fields<'_>, report: &mut Report) -> Option<HttpSpec> {
    let before = report.found();
    let mut http = fields.inner("http", report)?;
    let url = http.word::<ServiceUrl>("url", report);
    let send = http.word::<Send>("send", report);
    let bytes = http.bounded("output_bytes_max", 1..=TOOL_FILE_BYTES_MAX, report);
    let mut kind = None;
    let mut types = Vec::new();
    if let Some(mut output) = http.inner("output", report) {
        kind = output.word::<ArtifactKind>("kind", report);
        types = output.words::<MediaType>("media_types", report);
        output.close(report);
    }
    http.close(report);
    let spec = HttpSpec {
        url: url?.value,
        send: send?.value,
        output_bytes_max: bytes?,
        output_kind: kind?.value,
        output_types: values(types),
    };
    (report.found() == before).then_some(spec)
}

/// Where the parts do not fit each other.
pub(super) fn problems(spec: &ToolSpec, http: &HttpSpec) -> Vec<String> {
    let mut problems = Vec::new();
    let mut unless = |good: bool, reason: &str| {
        if !good {
            problems.push(reason.to_owned());
        }
    };
    unless(
        spec.produces == BTreeSet::from([http.output_kind.clone()]),
        "http.output.kind: must be the one kind that the tool produces",
    );
    unless(
        !http.output_types.is_empty(),
        "http.output.media_types: must not be empty",
    );
    let alone = spec.parameters.is_empty() && !spec.accepts.is_empty();
    unless(
        http.send == Send::Json || alone,
        "http.send: `input` sends an input and nothing else; accept one, and take no parameters",
    );
    problems
}
