//! Checks a call's inputs against what the tool accepts.

use domain::policy::{MediaType, ToolSpec};

use crate::{Failure, Input};

/// The one input of a tool that takes one, and none of a tool that takes none. Its type is one the tool
/// accepts.
pub(crate) fn one_input<'a>(
    spec: &ToolSpec,
    inputs: &'a [Input],
    wanted: bool,
) -> Result<Option<&'a Input>, Failure> {
    match (inputs, wanted) {
        ([], false) => Ok(None),
        ([input], true) => {
            check_type(spec, input)?;
            Ok(Some(input))
        }
        (_, true) => Err(Failure::Invalid("the tool takes exactly one input".into())),
        (_, false) => Err(Failure::Invalid("the tool takes no input".into())),
    }
}

pub(crate) fn check_type(spec: &ToolSpec, input: &Input) -> Result<(), Failure> {
    if spec.accepts.contains(&input.media_type) {
        return Ok(());
    }
    let accepted: Vec<&str> = spec.accepts.iter().map(MediaType::as_str).collect();
    let accepted = accepted.join(", ");
    Err(Failure::Invalid(format!(
        "the tool does not take inputs of this type; it takes {accepted}"
    )))
}
