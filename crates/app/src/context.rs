//! The parts that every use case works with, assembled once per process.

use std::{path::PathBuf, sync::Arc};

use ::integrations::{Sources, mcp::Connectors};
use blobs::Blobs;
use coord::{Coordination, RateLimiter};
use domain::{
    action::BuiltInActions,
    clock::{Clock, Entropy, Timestamp},
    id::OrganizationId,
    instance::Instance,
    policy::PolicyVersions,
};
use store::Db;
use tools::{Executors, egress::EgressGuard};
use uuid::Uuid;

use crate::{
    actions::schemas::Schemas,
    admission::Admission,
    audit::{EventIds, due::DueLogs, noted::RefusalCounts},
    crypto::Keyring,
    grants::built_in::built_in_actions,
    identity::{AccessChanges, OidcProviders, Tokens},
    integrations::{renewals::Renewals, services::Services},
    mail::MailSender,
    mediation::{queue::CommitQueue, running::RunningCalls},
    models::Models,
    policy::{ActivePolicy, NotInForce},
    secrets::stored::StoredSecrets,
    sessions::Provisioner,
};

/// The parts an [`App`] is made of.
#[derive(Debug, Clone)]
pub struct Parts {
    pub db: Db,
    /// Where artifacts are.
    pub blobs: Blobs,
    pub coordination: Arc<dyn Coordination>,
    pub clock: Arc<dyn Clock>,
    pub entropy: Arc<dyn Entropy>,
    pub keyring: Keyring,
    pub tokens: Tokens,
    pub admission: Arc<dyn Admission>,
    pub provisioner: Arc<dyn Provisioner>,
    /// The policy that decides every call.
    pub policy: Arc<ActivePolicy>,
    /// The executors that are registered for tools.
    pub executors: Executors,
    /// The services whose actions are built in.
    pub sources: Sources,
    /// The OAuth clients and the GitHub App with which organizations connect to them.
    pub services: Services,
    /// Checks the address of every outgoing request.
    pub guard: EgressGuard,
    /// Forwards the requests of agents to their models.
    pub models: Models,
    /// Sends mails, if a mail server is configured.
    pub mail: Option<MailSender>,
    /// The identity providers of members who log in.
    pub oidc: OidcProviders,
    /// The directory for the files of running calls.
    pub scratch: PathBuf,
    /// Whether the operator has engaged the safety lock for all organizations.
    pub safety_lock: bool,
    /// Organizations whose admins operate this installation.
    pub fleet_operators: Vec<OrganizationId>,
    /// This instance, as the others see it.
    pub instance: Instance,
}

/// The running product: cheap to clone, shared by every request.
#[derive(Debug, Clone)]
pub struct App(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    parts: Parts,
    event_ids: EventIds,
    due: DueLogs,
    refusals: RefusalCounts,
    commit_queue: CommitQueue,
    running_calls: RunningCalls,
    connectors: Arc<Connectors>,
    rate_limiter: RateLimiter,
    schemas: Schemas,
    built_in: BuiltInActions,
    renewals: Renewals,
    access_changes: AccessChanges,
}

impl App {
    pub fn new(parts: Parts) -> Self {
        let secrets = Arc::new(StoredSecrets::new(parts.db.clone(), parts.keyring.clone()));
        let clock = Arc::clone(&parts.clock);
        Self(Arc::new(Inner {
            schemas: Schemas::default(),
            built_in: built_in_actions(&parts.sources),
            rate_limiter: RateLimiter::new(Arc::clone(&parts.coordination)),
            connectors: Connectors::new(parts.guard.clone(), secrets, clock),
            event_ids: EventIds::new(parts.instance.id),
            due: DueLogs::default(),
            refusals: RefusalCounts::default(),
            commit_queue: CommitQueue::new(parts.db.writers_max()),
            running_calls: RunningCalls::default(),
            renewals: Renewals::default(),
            access_changes: AccessChanges::default(),
            parts,
        }))
    }

    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// The id of an audit event that is recorded now.
    pub(crate) fn event_id(&self) -> Uuid {
        self.0.event_ids.next(self.now())
    }

    /// Logs that are to be signed.
    pub(crate) fn due(&self) -> &DueLogs {
        &self.0.due
    }

    /// Requests of this process that were refused.
    pub(crate) fn refusals(&self) -> &RefusalCounts {
        &self.0.refusals
    }

    /// Reads the policy again, and takes it into force if it changed.
    pub async fn reload_policy(&self) -> Result<bool, NotInForce> {
        self.policy.reload(&self.db, self.now()).await
    }

    /// The policy in force, as audit events name it.
    pub(crate) fn policy_versions(&self) -> PolicyVersions {
        self.policy.current().versions().clone()
    }

    /// Calls that wait to be committed.
    pub(crate) fn commit_queue(&self) -> &CommitQueue {
        &self.0.commit_queue
    }

    /// MCP servers of organizations, and what this process knows of them.
    pub fn connectors(&self) -> &Arc<Connectors> {
        &self.0.connectors
    }

    /// Schemas of tools that were read.
    pub(crate) fn schemas(&self) -> &Schemas {
        &self.0.schemas
    }

    /// Built-in actions, as grants are bound to them.
    pub(crate) fn built_in(&self) -> &BuiltInActions {
        &self.0.built_in
    }

    /// Counts what sessions do, across all instances.
    pub(crate) fn rate_limiter(&self) -> &RateLimiter {
        &self.0.rate_limiter
    }

    /// Changes of permissions, for the streams of this process.
    pub fn access_changes(&self) -> &AccessChanges {
        &self.0.access_changes
    }

    /// Tokens this process is renewing.
    pub(crate) fn renewals(&self) -> &Renewals {
        &self.0.renewals
    }

    /// Calls that this process executes.
    pub(crate) fn running_calls(&self) -> &RunningCalls {
        &self.0.running_calls
    }
}

impl std::ops::Deref for App {
    type Target = Parts;
    fn deref(&self) -> &Parts {
        &self.0.parts
    }
}
