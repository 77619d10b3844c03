//! Fuzz targets: one function of bytes for each parser of what others send, with what must hold of it. A target panics
//! when a property does not hold. `tests/it` replays the committed corpus with a bounded number of mutants of it;
//! `runner` hands the same functions to libFuzzer (`cargo xtask fuzz`).
//!
//! INVARIANT: a target depends on its bytes alone (no clock, no network, no randomness), so that a file of `corpus`
//! reproduces a finding for ever.
//!
//! Parsers that their crates keep to themselves are compiled in here a second time, from the same files, rather than
//! made public for the sake of tests.

#![allow(
    clippy::panic,
    reason = "a property that does not hold ends the target"
)]

mod agent;
mod app_files;
mod bytes;
mod domain_texts;
mod json;
mod mcp;
mod mutate;
mod output;
mod replay;
mod streams;

#[path = "../../integrations/src/mcp/content.rs"]
#[allow(dead_code, unreachable_pub, reason = "of another crate")]
mod content;
#[path = "../../sandbox-cli/src/dotenv/mod.rs"]
#[allow(dead_code, unused_imports, reason = "of another crate")]
mod dotenv;
#[path = "../../gateway/src/routes/mcp/message.rs"]
#[allow(dead_code, reason = "of another crate")]
mod message;
#[path = "../../integrations/src/mcp/secret_scrubber.rs"]
#[allow(dead_code, reason = "of another crate")]
mod secret_scrubber;
#[path = "../../sandbox/src/stop.rs"]
#[allow(dead_code, reason = "of another crate")]
mod stop;

// A file whose tests are in a file of their own has them where its own crate has them. What it lets its parent see is seen
// by the target, which is beside it here.
#[path = "../../sandbox/src/container"]
mod container {
    #[path = "../../../fuzz/src/layers.rs"]
    pub(crate) mod layers;
    #[allow(dead_code, reason = "of another crate")]
    mod merge;
}
#[path = "../../app/src/models"]
mod models {
    #[path = "../../../fuzz/src/answers.rs"]
    pub(crate) mod answers;
    mod scan;
}

pub use replay::replay;

/// A property of any bytes.
pub type Target = fn(&[u8]);

/// Every target by its name, which is also its folder below `corpus`.
pub const TARGETS: &[(&str, Target)] = &[
    ("action_schema", json::action_schema),
    ("agent_events", agent::agent_events),
    ("agent_record", agent::agent_record),
    ("audit_bundle", app_files::audit_bundle),
    ("canonical_json", json::canonical_json),
    ("connector_config", json::connector_config),
    ("dotenv_import", domain_texts::dotenv_import),
    ("env_file", domain_texts::env_file),
    ("git_answer", domain_texts::git_answer),
    ("git_push", domain_texts::git_push),
    ("layer_merge", container::layers::layer_merge),
    ("live_frame", json::live_frame),
    ("mcp_message", mcp::mcp_message),
    ("mcp_result", mcp::mcp_result),
    ("mcp_tools", mcp::mcp_tools),
    ("model_answer", models::answers::model_answer),
    ("policy_files", app_files::policy_files),
    ("sandbox_token", domain_texts::sandbox_token),
    ("sse_frames", streams::sse_frames),
];

/// The target of this name.
pub fn find(name: &str) -> Option<Target> {
    let found = TARGETS.iter().find(|(known, _)| *known == name);
    found.map(|(_, target)| *target)
}
