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
mod device_login;
mod durability;
mod error;
mod fact;
mod faults;
mod grants;
mod integration;
mod integration_renewal;
mod invitation;
mod job;
mod json;
mod login;
mod mail;
mod migrations;
mod model_usage;
mod oidc;
mod organization;
mod organization_limits;
mod organization_purge;
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
mod session_people;
mod session_runtime;
mod session_successor;
mod setup_link;
mod share_link;
mod snapshot;
mod sqlite;
mod statement;
mod succession;
mod tool_invocation;
mod user_address;
mod user_identity;
mod value;
mod webhook;

pub use action::{
    GrantPatterns, GrantUse, GrantedTool, GrantedTools, HoldStanding, InboxItem, InvocationMove,
    InvocationRecord, NewInvocation, grant_bind, grant_candidate_list, grant_delete_over,
    grant_fetch, grant_give_back, grant_insert, grant_page, grant_page_usable,
    grant_request_decide, grant_request_fetch, grant_request_insert, grant_request_page,
    grant_request_pending_count, grant_revoke, grant_spend, grant_tool_list, grant_unbound_list,
    invocation_count, invocation_fetch, invocation_fetch_by_run, invocation_hold_standing,
    invocation_inbox, invocation_insert_all, invocation_list, invocation_list_since,
    invocation_move_all, invocation_overdue_list, invocation_page_of_grant,
    invocation_pending_list, invocation_sealed_params,
};
pub use api_key::{
    api_key_count_live, api_key_fetch, api_key_fetch_by_hash, api_key_insert, api_key_list,
    api_key_revoke, api_key_revoke_of_user,
};
pub use artifact::{
    artifact_count, artifact_fetch, artifact_fetch_many, artifact_fetch_uploaded,
    artifact_insert_all, artifact_insert_upload, artifact_list, artifact_list_made_in_session,
    artifact_lock_scope,
};
pub use audit::{
    ArtifactEvidence, AuditCheckpoint, AuditCopy, AuditEnd, AuditFilter, AuditPosition,
    AuditRecord, NewAuditEvent, PendingAuditEvent, TrailPosition, audit_artifact_list,
    audit_checkpoint_insert, audit_checkpoint_last, audit_checkpoint_list, audit_copy_delete,
    audit_copy_list, audit_end, audit_end_of_trail, audit_event_insert, audit_event_insert_all,
    audit_leaf_list, audit_node_insert_all, audit_node_list, audit_organization_next,
    audit_pending_list, audit_policy_file_list, audit_position_insert_all, audit_record_fetch,
    audit_record_list, audit_record_list_of_trail, audit_record_page,
};
pub use automation::{
    OpenRun, automation_count, automation_delete_idle, automation_fetch, automation_fetch_locked,
    automation_insert, automation_list, automation_run_close, automation_run_count_running,
    automation_run_end, automation_run_fetch, automation_run_fetch_of_session,
    automation_run_insert, automation_run_list, automation_run_list_open, automation_update,
};
pub use case::{
    case_client_session_count, case_client_session_insert, case_client_session_list, case_fetch,
    case_fetch_for, case_insert, case_list_for, case_lock, case_member_count, case_member_delete,
    case_member_insert, case_member_list,
};
pub use configuration::{
    ConfigurationPatch, configuration_delete_unused, configuration_fetch,
    configuration_fetch_local, configuration_fetch_managed, configuration_insert,
    configuration_list, configuration_update,
};
pub use conn::{Conn, Tx};
pub use connect_attempt::{
    SealedAttempt, connect_attempt_count, connect_attempt_delete_expired, connect_attempt_exists,
    connect_attempt_insert, connect_attempt_take,
};
pub use connector::{
    ConnectorInUse, PinnedTool, StoredConnector, ToolPin, ToolStanding, connector_count_for_update,
    connector_delete, connector_fetch, connector_fetch_for_session, connector_insert,
    connector_list, connector_list_for_session, connector_list_of_configuration,
    connector_tool_accept, connector_tool_changed_all, connector_tool_list, connector_tool_pin_all,
    connector_tool_standing, connector_tools_known, connector_update,
};
pub use db::{Db, Options};
pub use delivery::{delivery_exists, delivery_insert};
pub use device_login::{
    device_login_count, device_login_decide, device_login_fetch, device_login_fetch_by_user_code,
    device_login_insert, device_login_poll, device_login_sweep, device_login_take,
};
pub use durability::Durability;
pub use error::{Error, Result};
pub use fact::{InputFact, fact_artifacts, fact_case_members, fact_client_sessions, fact_sessions};
pub use faults::Faults;
pub use grants::RoleName;
pub use integration::{
    SealedIntegration, integration_delete, integration_fetch, integration_fetch_of_session,
    integration_fetch_sealed, integration_insert, integration_list, integration_list_of_session,
    integration_reconnect, integration_update,
};
pub use integration_renewal::{
    RenewingIntegration, integration_claim, integration_expire, integration_fetch_renewing,
    integration_release, integration_renew,
};
pub use invitation::{
    FoundInvitation, invitation_accept, invitation_count_pending, invitation_fetch,
    invitation_fetch_by_digest, invitation_forget_addresses, invitation_insert, invitation_list,
    invitation_revoke, invitation_revoke_of_creator, invitation_sweep,
};
pub use job::{
    JobCounts, NewJob, job_claim, job_count, job_enqueue, job_is_due, job_list, job_renew,
    job_settle, job_sweep,
};
pub use login::{
    login_code_exists, login_code_insert, login_code_sweep, login_code_take, login_delete,
    login_delete_of_user, login_delete_oldest, login_fetch, login_insert, login_sweep, login_touch,
};
pub use mail::{
    ClaimedMail, mail_claim, mail_count_waiting, mail_delete_of_invitation,
    mail_delete_of_recipient, mail_insert, mail_is_due, mail_settle, mail_sweep,
};
pub use migrations::{SchemaFit, SchemaStatus};
pub use model_usage::{
    ModelSpending, ModelUsage, model_budget_set, model_spending_fetch, model_spent_list,
    model_usage_add, model_usage_list,
};
pub use oidc::{
    login_end_member, member_role_provider_fetch, member_role_provider_list,
    member_role_provider_set, oidc_login_end, oidc_login_fetch, oidc_login_insert,
    oidc_used_insert, oidc_used_sweep,
};
pub use organization::{
    member_count, member_delete, member_fetch, member_fetch_first, member_list, member_standing,
    member_standing_first, member_upsert, member_was_removed, organization_budget_fetch,
    organization_budget_set, organization_create, organization_exists, organization_fetch,
    organization_hold, organization_insert, organization_list, organization_list_inactive,
    organization_lock, organization_operates, organization_rename, organization_share_links_fetch,
    organization_share_links_set, organization_state_set, user_fetch, user_fetch_by_email,
    user_insert,
};
pub use organization_limits::{
    SessionsInUse, StorageInUse, organization_limits_fetch, organization_limits_set,
    organization_spend_fetch, session_go_on_hasten, sessions_in_use, spend_notice_insert,
    spend_notice_percent, storage_add, storage_count, storage_fetch, storage_list_to_count,
};
pub use organization_purge::{
    organization_exported, organization_exported_set, organization_live_sessions,
    organization_log_is_whole, organization_purge_end, organization_purge_log,
    organization_purge_rows, organization_unexported,
};
pub use override_ticket::{
    override_ticket_fetch, override_ticket_insert, override_ticket_list_due,
    override_ticket_list_open, override_ticket_move, override_ticket_page,
};
pub use policy::{
    ListedPolicy, StoredPolicy, StoredPolicyFile, policy_fetch, policy_insert, policy_list,
};
pub use record::{record_count, record_list, record_write};
pub use recording::{
    recording_byte_size, recording_chunk_fetch, recording_chunk_insert, recording_chunk_list,
    recording_close, recording_count, recording_fetch, recording_insert, recording_lock,
};
pub use repo::{repo_delete, repo_fetch, repo_insert, repo_list, repo_update};
pub use run::{
    NewRun, RunEnd, RunStanding, RunTaken, run_child_page, run_end_all, run_fetch,
    run_fetch_by_key, run_insert_all, run_overdue_list, run_standing_list, run_take,
};
pub use safety_lock::{
    fact_locks, safety_lock_fetch, safety_lock_hold, safety_lock_insert, safety_lock_release,
};
pub use secret::{
    SealedSecret, secret_count, secret_delete, secret_fetch, secret_fetch_key, secret_fetch_sealed,
    secret_insert, secret_list, secret_list_keys, secret_list_sealed_for_session, secret_update,
};
pub use session::{
    SessionFilter, SessionInsert, SessionStanding, session_claim, session_fetch, session_fetch_any,
    session_fetch_key, session_insert, session_list, session_list_stuck, session_list_to_release,
    session_set_state, session_set_title, session_standing,
};
pub use session_connection::{session_connection_insert, session_connection_list};
pub use session_event::{
    EventAppend, session_event_append, session_event_last, session_event_list, session_event_trim,
};
pub use session_glance::{SessionGlance, session_glances};
pub use session_people::{
    session_person_fetch, session_person_insert, session_person_list, session_person_remove_all,
    session_set_visibility, session_visibility_fetch,
};
pub use session_runtime::{
    FirstPrompt, SessionRuntime, session_clear_sandbox, session_first_prompt,
    session_first_prompt_mark_delivered, session_incarnate, session_runtime_fetch,
    session_runtime_set,
};
pub use session_successor::{
    session_cut_over, session_successor_begin, session_successor_end, session_successor_fetch,
    session_successor_sandbox, session_successor_set_sandbox,
};
pub use setup_link::{setup_link_fetch, setup_link_insert, setup_link_keep_newest, setup_link_use};
pub use share_link::{
    share_link_count, share_link_fetch_by_hash, share_link_insert, share_link_list,
    share_link_record_opening, share_link_revoke, share_link_sweep,
};
pub use snapshot::{
    Snapshot, configuration_snapshot_set, session_snapshot_set, snapshot_delete_unused,
    snapshot_fetch, snapshot_insert, snapshot_list, snapshot_list_ids, snapshot_list_session,
};
pub use statement::Statement;
pub use succession::{Succession, member_succeed};
pub use tool_invocation::{
    NewToolInvocation, ToolInvocation, ToolInvocationEnd, ToolInvocationState,
    tool_invocation_count, tool_invocation_end, tool_invocation_insert, tool_invocation_page,
};
pub use user_address::{
    user_erase, user_insert_claiming, user_list_claiming, user_owns_address, user_prove_address,
};
pub use user_identity::{user_identity_delete_of_user, user_identity_fetch, user_identity_insert};
pub use webhook::{
    NewNotice, SealedWebhook, WaitingWebhook, webhook_count, webhook_delete,
    webhook_delivery_claim, webhook_delivery_enqueue_all, webhook_delivery_fetch,
    webhook_delivery_give_up, webhook_delivery_next, webhook_delivery_page,
    webhook_delivery_repeat, webhook_delivery_settle, webhook_delivery_sweep, webhook_fetch,
    webhook_fetch_sealed, webhook_insert, webhook_list, webhook_record_failure,
    webhook_record_success, webhook_rotate, webhook_update,
};

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
        invitation::STATEMENTS,
        job::STATEMENTS,
        device_login::STATEMENTS,
        login::STATEMENTS,
        mail::STATEMENTS,
        migrations::STATEMENTS,
        model_usage::STATEMENTS,
        oidc::STATEMENTS,
        organization::STATEMENTS,
        organization_limits::STATEMENTS,
        organization_purge::STATEMENTS,
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
        succession::STATEMENTS,
        tool_invocation::STATEMENTS,
        session_event::STATEMENTS,
        session_glance::STATEMENTS,
        session_people::STATEMENTS,
        session_runtime::STATEMENTS,
        session_successor::STATEMENTS,
        share_link::STATEMENTS,
        setup_link::STATEMENTS,
        snapshot::STATEMENTS,
        user_address::STATEMENTS,
        user_identity::STATEMENTS,
        &webhook::statements(),
    ]
    .concat()
}
