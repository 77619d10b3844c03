//! The binary from outside: real processes, transcripts of what a person sees, and what is left
//! after a crash. One test binary, because linking one is quicker than linking many.

#![allow(clippy::unwrap_used, reason = "this is a test, helpers included")]

mod actions;
mod api;
mod audit;
mod automations;
mod balancers;
mod calls;
mod cases;
mod chaos;
mod checks;
mod connectors;
mod contexts;
mod crash;
mod cut_off;
mod dev;
mod kills;
mod limits;
mod listeners;
mod live;
mod locks;
mod members;
mod models;
mod new_user;
mod nouns;
mod operating;
mod organizations;
mod planted;
mod policy;
mod retries;
mod seen;
mod serve;
mod sessions;
mod shutdown;
mod takeover;
mod tokens;
mod transcript;
mod two_gateways;

use testkit::process::Workspace;

/// A directory of its own to run the binary in.
fn workspace() -> Workspace {
    Workspace::new(env!("CARGO_BIN_EXE_proliferate"))
}

/// The secrets that a server needs, each different.
fn with_secrets(workspace: Workspace) -> Workspace {
    let secret = |digit: &str| digit.repeat(64);
    workspace
        .env("PROLIFERATE_USER_TOKEN_SECRET", secret("a"))
        .env("PROLIFERATE_SERVICE_TOKEN_SECRET", secret("b"))
        .env("PROLIFERATE_SANDBOX_TOKEN_SECRET", secret("c"))
        .env("PROLIFERATE_ENCRYPTION_KEYS", secret("d"))
}
