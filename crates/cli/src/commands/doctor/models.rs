//! The model that answers agents.

use config::{ModelKeyHeader, Settings};

use super::check::Check;
use crate::models::{Choice, ServedBy, choice};

pub(super) fn check(settings: &Settings) -> Check {
    const NAME: &str = "model";
    let settings = &settings.model;
    let fix =
        "set ANTHROPIC_API_KEY, or ANTHROPIC_API_KEY_FILE with the path of a file that holds it";
    match (
        choice(settings, ServedBy::Dev),
        choice(settings, ServedBy::Serve),
    ) {
        (_, Choice::Provider) => {
            let how = match (&settings.api_key, settings.key_header) {
                (None, _) => "without a key",
                (Some(_), ModelKeyHeader::XApiKey) => "with a key, as x-api-key",
                (Some(_), ModelKeyHeader::Bearer) => "with a key, as a bearer token",
            };
            Check::ok(NAME, format!("{} {how}", settings.upstream_url.as_str()))
        }
        (_, Choice::Scripted) => Check::ok(NAME, "scripted, as `model.scripted` says"),
        (Choice::Scripted, Choice::NoModel) => Check::warn(
            NAME,
            "scripted in `proliferate dev`; `proliferate serve` has none",
            fix,
        ),
        (_, Choice::NoModel) => Check::warn(NAME, "none: agents have no model to ask", fix),
    }
}
