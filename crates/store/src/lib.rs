//! Durable state on SQLite and PostgreSQL: one set of queries, one file per noun.
//!
//! A [`Db`] hands out a [`Conn`] to read with and a [`Tx`] to write with. A query is a function named noun first
//! (`session_fetch`, `secret_insert`) in the file of its noun. A function that reads takes a `&mut Conn`, and a `&mut Tx`
//! coerces to one; a function that writes takes a `&mut Tx`, so writing outside a transaction does not compile. Ids,
//! times and randomness come from the caller. A row that maps to no legal domain value is an [`Error::Inconsistent`] that
//! names it.
//!
//! To add a query: write it in its noun's `statements!` block (that registers it for the test that prepares every
//! statement on both databases), bind with [`value::Value`], read with [`row::Row`], and export its function below.

mod action;
mod api_key;
mod artifact;
mod audit;
mod automation;
mod case;
mod configuration;
mod conn;
mod connect_attempt;
mod connector;
mod db;
mod delivery;
mod durability;
mod error;
mod fact;
mod faults;
mod grants;
mod integration;
mod integration_renewal;
mod job;
mod json;
mod login;
mod migrations;
mod model_usage;
mod organization;
mod override_ticket;
mod policy;
mod record;
mod recording;
mod repo;
mod row;
mod run;
mod safety_lock;
mod secret;
mod session;
mod session_connection;
mod session_event;
mod session_glance;
mod session_runtime;
mod session_successor;
mod snapshot;
mod sqlite;
mod statement;
mod tool_invocation;
mod user_identity;
mod value;
mod webhook;

pub use action::{
    GrantPatterns, GrantUse, GrantedTool, GrantedTools, InboxItem, InvocationMove,
    InvocationRecord, NewInvocation,
};
pub use audit::{
    ArtifactEvidence, AuditCheckpoint, AuditCopy, AuditEnd, AuditFilter, AuditPosition,
    AuditRecord, NewAuditEvent, PendingAuditEvent, TrailPosition,
};
pub use automation::OpenRun;
pub use configuration::ConfigurationPatch;
pub use conn::{Conn, Tx};
pub use connect_attempt::SealedAttempt;
pub use connector::{ConnectorInUse, PinnedTool, StoredConnector, ToolPin, ToolStanding};
pub use db::{Db, Options};
pub use durability::Durability;
pub use error::{Error, Result};
pub use fact::InputFact;
pub use faults::Faults;
pub use grants::RoleName;
pub use integration::SealedIntegration;
pub use integration_renewal::RenewingIntegration;
pub use job::{JobCounts, NewJob};
pub use migrations::{SchemaFit, SchemaStatus};
pub use model_usage::{ModelSpending, ModelUsage};
pub use policy::{ListedPolicy, StoredPolicy, StoredPolicyFile};
pub use run::{NewRun, RunEnd, RunStanding, RunTaken};
pub use secret::SealedSecret;
pub use session::{SessionFilter, SessionInsert, SessionStanding};
pub use session_event::EventAppend;
pub use session_glance::SessionGlance;
pub use session_runtime::{FirstPrompt, SessionRuntime};
pub use snapshot::Snapshot;
pub use statement::Statement;
pub use tool_invocation::{
    NewToolInvocation, ToolInvocation, ToolInvocationEnd, ToolInvocationState,
};
pub use webhook::{NewNotice, SealedWebhook, WaitingWebhook};

/// Every statement of the crate, for the test that prepares them on both databases.
pub fn statements() -> Vec<&'static Statement> {
    [
        &action::statements(),
        api_key::STATEMENTS,
        artifact::STATEMENTS,
        &audit::statements(),
        &automation::statements(),
        case::STATEMENTS,
        configuration::STATEMENTS,
        &connector::statements(),
        connect_attempt::STATEMENTS,
        delivery::STATEMENTS,
        fact::STATEMENTS,
        integration::STATEMENTS,
        integration_renewal::STATEMENTS,
        job::STATEMENTS,
        login::STATEMENTS,
        migrations::STATEMENTS,
        model_usage::STATEMENTS,
        organization::STATEMENTS,
        override_ticket::STATEMENTS,
        policy::STATEMENTS,
        record::STATEMENTS,
        recording::STATEMENTS,
        repo::STATEMENTS,
        run::STATEMENTS,
        safety_lock::STATEMENTS,
        secret::STATEMENTS,
        session::STATEMENTS,
        session_connection::STATEMENTS,
        tool_invocation::STATEMENTS,
        session_event::STATEMENTS,
        session_glance::STATEMENTS,
        session_runtime::STATEMENTS,
        session_successor::STATEMENTS,
        snapshot::STATEMENTS,
        user_identity::STATEMENTS,
        &webhook::statements(),
    ]
    .concat()
}
