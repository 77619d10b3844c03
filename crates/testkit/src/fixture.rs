//! Initial rows of tests, filled with arbitrary values.

use domain::{
    caller::Incarnation,
    clock::{Clock, Timestamp},
    configuration::{Configuration, ConfigurationStatus, ConfigurationType},
    id::{ConfigurationId, IntegrationId, OrganizationId, RepoId, SecretId, SessionId, UserId},
    integration::{Integration, IntegrationProvider, IntegrationStatus},
    model::AgentConfig,
    organization::{Organization, User},
    repo::{Repo, RepoPush, RepoSource},
    role::Role,
    secret::{Secret, SecretScope},
    session::{ClientType, Session, SessionState, SessionType},
    sharing::Visibility,
};
use store::{Db, SealedIntegration, SealedSecret};

use crate::clock::{FakeClock, SeededEntropy};

/// Makes rows with fresh ids at a fixed time.
#[derive(Debug)]
pub struct Fixture {
    pub clock: FakeClock,
    pub entropy: SeededEntropy,
}

impl Default for Fixture {
    fn default() -> Self {
        Self::new(1)
    }
}

impl Fixture {
    pub fn new(seed: u64) -> Self {
        Self {
            clock: FakeClock::new(),
            entropy: SeededEntropy::new(seed),
        }
    }

    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// An organization with one user of the given role; both are named after `name`.
    pub async fn organization(&self, db: &Db, name: &str, role: Role) -> (OrganizationId, UserId) {
        let organization_id = OrganizationId::new(format!("org_{name}")).expect("a valid id");
        let user_id = UserId::new(format!("user_{name}_{role}")).expect("a valid id");
        let now = self.now();
        let mut tx = db.write().await.expect("a transaction");
        let organization = Organization::new(
            organization_id.clone(),
            name.to_owned(),
            name.to_owned(),
            now,
        );
        store::organization_insert(&mut tx, &organization)
            .await
            .expect("the organization is inserted");
        let user = User {
            id: user_id.clone(),
            name: format!("{name} {role}"),
            email: format!("{role}@{name}.example"),
            created_at: now,
        };
        store::user_insert(&mut tx, &user)
            .await
            .expect("the user is inserted");
        store::member_upsert(&mut tx, &organization_id, &user_id, role, now)
            .await
            .expect("the member is inserted");
        tx.commit().await.expect("it commits");
        (organization_id, user_id)
    }

    pub fn session(&self, organization_id: &OrganizationId) -> Session {
        let now = self.now();
        Session {
            id: SessionId::generate(now, &self.entropy),
            organization_id: organization_id.clone(),
            created_by: None,
            configuration_id: None,
            visibility: Visibility::Organization,
            session_type: SessionType::Coding,
            client_type: ClientType::Web,
            client_metadata: None,
            agent_config: AgentConfig::default(),
            system_prompt: None,
            initial_prompt: None,
            title: None,
            snapshot_id: None,
            ssh_public_keys: vec![],
            integration_warnings: vec![],
            state: SessionState::Pending,
            owner_epoch: 0,
            incarnation: Incarnation(0),
            idempotency_key: None,
            request_digest: None,
            created_at: now,
            updated_at: now,
            last_activity_at: now,
        }
    }

    pub fn repo(&self, organization_id: &OrganizationId, name: &str) -> Repo {
        let now = self.now();
        Repo {
            id: RepoId::generate(now, &self.entropy),
            organization_id: organization_id.clone(),
            name: name.to_owned(),
            url: Some(format!("https://git.example/{name}.git")),
            default_branch: "main".to_owned(),
            source: RepoSource::Git,
            push: RepoPush::Never,
            service_commands: vec![],
            is_orphaned: false,
            created_by: None,
            created_at: now,
            updated_at: now,
        }
    }

    pub fn configuration(&self, organization_id: &OrganizationId) -> Configuration {
        let now = self.now();
        Configuration {
            id: ConfigurationId::generate(now, &self.entropy),
            organization_id: organization_id.clone(),
            name: "web".to_owned(),
            notes: None,
            configuration_type: ConfigurationType::Manual,
            status: ConfigurationStatus::Ready,
            error: None,
            snapshot_id: None,
            service_commands: vec![],
            env_files: vec![],
            budget_micro_usd: None,
            connectors: Vec::new(),
            user_id: None,
            local_path_hash: None,
            managed_key: None,
            repos: vec![],
            created_by: None,
            created_at: now,
            updated_at: now,
        }
    }

    pub fn integration(&self, organization_id: &OrganizationId) -> SealedIntegration {
        let now = self.now();
        let integration = Integration {
            id: IntegrationId::generate(now, &self.entropy),
            organization_id: organization_id.clone(),
            provider: IntegrationProvider::Static,
            service: "linear".to_owned(),
            display_name: "Linear".to_owned(),
            scopes: vec!["read".to_owned()],
            status: IntegrationStatus::Active,
            created_by: None,
            created_at: now,
            updated_at: now,
        };
        SealedIntegration {
            integration,
            sealed_credentials: "sealed".to_owned(),
        }
    }

    pub fn secret(
        &self,
        organization_id: &OrganizationId,
        scope: SecretScope,
        key: &str,
    ) -> SealedSecret {
        let now = self.now();
        let secret = Secret {
            id: SecretId::generate(now, &self.entropy),
            organization_id: organization_id.clone(),
            scope,
            key: key.to_owned(),
            description: None,
            created_by: None,
            created_at: now,
            updated_at: now,
        };
        SealedSecret {
            secret,
            sealed_value: format!("sealed {key}"),
        }
    }
}
