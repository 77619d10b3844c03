//! The whole product in one process, without a port: real database, real routes, real tokens, a
//! clock and randomness the test controls, and fakes only for external systems (the sandbox
//! provider, billing). Two organizations exist: `acme` with a user of each role, and `other`, whose
//! owner must not see anything of acme's.

mod call;
mod fakes;
mod people;
mod served;

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use ::app::{
    App, Parts,
    admission::{Admission, AdmitAll},
    crypto::Keyring,
    identity::{OidcProviders, OidcSettings, TokenSecrets, Tokens},
    integrations::{GithubApp, Services},
    mail::{MailSender, MailSettings},
    models::{KeyHeader, ModelCapacities, Models, ModelsSettings, Upstream},
    policy::{ActivePolicy, PolicySource},
    sessions::Provisioner,
};
use axum::Router;
use blobs::{Blobs, Location};
use coord::{Coordination, MemoryCoordination};
use domain::{
    clock::Clock,
    id::{InstanceId, OrganizationId},
    instance::{Instance, InstanceRole, Load},
    model_usage::Budget,
    policy::Operation,
    role::Role,
};
use gateway::{Gateway, Options};
use hub::Hub;
use integrations::{
    BaseUrls, CallLimits, Sources,
    oauth::{OAuth, OAuthSettings},
};
use secrecy::SecretBox;
use tempfile::TempDir;
use tools::{
    CommandExecutor, Executor, Executors, HttpExecutor,
    egress::{AllowedHost, EgressGuard, SystemResolver},
};

pub use call::{Call, Client, TestResponse};
pub use fakes::{FakeAdmission, FakeProvisioner, Provision};
pub use people::Person;
pub use served::Served;

use crate::{
    clock::{FakeClock, SeededEntropy},
    database::{Backend, TestDatabase},
    fixture::Fixture,
    redis,
};

/// The URL that clients of a test's gateway connect to.
pub const ADVERTISED_URL: &str = "http://gateway.test";
pub const ISSUER: &str = "proliferate";
pub const AUDIENCE: &str = "proliferate-gateway";
/// Public, so that tests can forge tokens that are almost right.
pub const USER_SECRET: &str = "user-secret-of-the-tests-0123456789abcdef";
pub const SERVICE_SECRET: &str = "service-secret-of-the-tests-0123456789abc";
/// The operator's key at the model's provider; to be seen nowhere.
pub const MODEL_KEY: &str = "sk-ant-operator-key-of-the-tests-0123456789";
const SANDBOX_SECRET: &str = "sandbox-secret-of-the-tests-0123456789abc";

/// A running product of one test.
#[derive(Debug)]
pub struct TestApp {
    pub app: App,
    pub gateway: Gateway,
    pub clock: Arc<FakeClock>,
    pub provisioner: Arc<FakeProvisioner>,
    /// Makes rows, and the randomness of tokens: apart from the product's own, so that minting a
    /// token does not change the ids that follow.
    pub fixture: Fixture,
    pub database: TestDatabase,
    /// Where artifacts are stored; shared by instances beside each other.
    pub storage: Arc<TempDir>,
    pub acme: OrganizationId,
    pub other: OrganizationId,
    router: Router,
}

/// What a test wants to be different.
#[derive(Debug)]
pub struct Builder {
    backend: Backend,
    coordination: CoordinationBackend,
    shared: Option<Arc<dyn Coordination>>,
    provision: Provision,
    sandboxes: Option<Arc<dyn Provisioner>>,
    admission: Arc<dyn Admission>,
    options: Options,
    policy: PolicySource,
    builtins: Vec<(Operation, Arc<dyn Executor>)>,
    safety_lock: bool,
    operators: Vec<OrganizationId>,
    urls: BaseUrls,
    clients: Vec<(&'static str, OAuthSettings)>,
    github_app: Option<GithubApp>,
    reachable: Vec<AllowedHost>,
    models: ModelsSettings,
    model_capacities: ModelCapacities,
    oidc: Vec<OidcSettings>,
    mail: Option<MailSettings>,
    organizations: bool,
}

/// What the instance coordinates through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CoordinationBackend {
    Memory,
    Redis,
}

impl CoordinationBackend {
    fn open(self, clock: &Arc<FakeClock>) -> Arc<dyn Coordination> {
        match self {
            Self::Memory => Arc::new(MemoryCoordination::new(clock.clone())),
            Self::Redis => redis::coordination(&redis::shared_url()),
        }
    }
}

impl TestApp {
    pub async fn start(backend: Backend) -> Self {
        Self::builder(backend).start().await
    }

    pub fn builder(backend: Backend) -> Builder {
        Builder {
            backend,
            coordination: CoordinationBackend::Memory,
            shared: None,
            provision: Provision::Succeeds,
            sandboxes: None,
            admission: Arc::new(AdmitAll),
            options: Options::default(),
            policy: PolicySource::BuiltIn,
            builtins: Vec::new(),
            safety_lock: false,
            operators: vec![organization("org_acme")],
            urls: BaseUrls::default(),
            clients: Vec::new(),
            github_app: None,
            reachable: Vec::new(),
            models: ModelsSettings {
                upstream: None,
                session_budget: Budget::Unlimited,
            },
            model_capacities: ModelCapacities::default(),
            oidc: Vec::new(),
            mail: None,
            organizations: true,
        }
    }

    /// Serves the live sessions of this hub from now on.
    pub fn live_in(&mut self, hub: Hub) {
        self.gateway = self.gateway.clone().with_hub(hub);
        self.router = gateway::router(&self.gateway).with_state(self.gateway.clone());
    }

    /// Another instance on the same database, with pools and memory of its own: what a second
    /// process would be. Its ids differ, since its randomness does.
    pub async fn beside(&self) -> Self {
        let database = self.database.open_again().await;
        let storage = self.storage.clone();
        Self::builder(Backend::Sqlite)
            .assemble(database, storage, Fixture::new(2), next_seed())
            .await
    }
}

impl Builder {
    #[must_use]
    pub fn coordination(mut self, coordination: CoordinationBackend) -> Self {
        self.coordination = coordination;
        self
    }

    /// Coordinates through this, which other instances may do too.
    #[must_use]
    pub fn coordinating_by(mut self, shared: &Arc<dyn Coordination>) -> Self {
        self.shared = Some(Arc::clone(shared));
        self
    }

    #[must_use]
    pub fn provision(mut self, provision: Provision) -> Self {
        self.provision = provision;
        self
    }

    /// Begins with an empty database, and with no setting that says who operates.
    #[must_use]
    pub fn without_organizations(mut self) -> Self {
        self.organizations = false;
        self.operators = Vec::new();
        self
    }

    /// Real sandboxes in the place of the stand-in.
    #[must_use]
    pub fn sandboxes(mut self, provisioner: Arc<dyn Provisioner>) -> Self {
        self.sandboxes = Some(provisioner);
        self
    }

    #[must_use]
    pub fn admission(mut self, admission: impl Admission + 'static) -> Self {
        self.admission = Arc::new(admission);
        self
    }

    #[must_use]
    pub fn options(mut self, change: impl FnOnce(&mut Options)) -> Self {
        change(&mut self.options);
        self
    }

    /// The policy calls are decided by.
    #[must_use]
    pub fn policy(mut self, source: PolicySource) -> Self {
        self.policy = source;
        self
    }

    /// Code that runs the operation instead of the product's own.
    #[must_use]
    pub fn builtin(mut self, operation: &str, executor: Arc<dyn Executor>) -> Self {
        let operation = Operation::new(operation).expect("a good name");
        self.builtins.push((operation, executor));
        self
    }

    #[must_use]
    pub fn safety_lock(mut self) -> Self {
        self.safety_lock = true;
        self
    }

    /// No organization operates the installation; otherwise acme does.
    #[must_use]
    pub fn without_operators(mut self) -> Self {
        self.operators.clear();
        self
    }

    /// Where the services of built-in actions are.
    #[must_use]
    pub fn sources(mut self, urls: BaseUrls) -> Self {
        self.urls = urls;
        self
    }

    /// The operator's client at a service.
    #[must_use]
    pub fn client(mut self, service: &'static str, settings: OAuthSettings) -> Self {
        self.clients.push((service, settings));
        self
    }

    /// The operator's GitHub App.
    #[must_use]
    pub fn github_app(mut self, app: GithubApp) -> Self {
        self.github_app = Some(app);
        self
    }

    /// A host that may be reached though it is on this machine, as the setting takes it.
    #[must_use]
    pub fn reach(mut self, host: &str) -> Self {
        self.reachable.push(host.parse().expect("a host"));
        self
    }

    /// An identity provider for logins; further ones are added.
    #[must_use]
    pub fn oidc(mut self, settings: OidcSettings) -> Self {
        self.oidc.push(settings);
        self
    }

    /// The mail server.
    #[must_use]
    pub fn mail(mut self, settings: MailSettings) -> Self {
        self.mail = Some(settings);
        self
    }

    /// Who answers for the model; asked with [`MODEL_KEY`].
    #[must_use]
    pub fn model(self, url: &str) -> Self {
        self.model_by(url, KeyHeader::XApiKey)
    }

    #[must_use]
    pub fn model_by(mut self, url: &str, key_header: KeyHeader) -> Self {
        self.models.upstream = Some(Upstream {
            url: url.to_owned(),
            key: Some(MODEL_KEY.into()),
            key_header,
        });
        self
    }

    /// Other bounds on requests to the model at once.
    #[must_use]
    pub fn model_capacities(mut self, capacities: ModelCapacities) -> Self {
        self.model_capacities = capacities;
        self
    }

    /// What every session may spend on its model, in micro-dollars.
    #[must_use]
    pub fn session_budget(mut self, micro_usd: i64) -> Self {
        self.models.session_budget = Budget::MicroUsd(micro_usd);
        self
    }

    pub async fn start(self) -> TestApp {
        let database = TestDatabase::create(self.backend).await;
        let fixture = Fixture::new(1);
        if self.organizations {
            for role in [Role::Owner, Role::Admin, Role::Member] {
                fixture.organization(&database.db, "acme", role).await;
            }
            fixture
                .organization(&database.db, "other", Role::Owner)
                .await;
        }
        let storage = Arc::new(tempfile::tempdir().expect("a temporary directory"));
        self.assemble(database, storage, fixture, 1).await
    }

    /// Another instance on the same database, with what this builder says to be different.
    pub async fn beside(self, other: &TestApp) -> TestApp {
        let database = other.database.open_again().await;
        let storage = other.storage.clone();
        let seed = next_seed();
        self.assemble(database, storage, Fixture::new(seed), seed)
            .await
    }

    async fn assemble(
        self,
        database: TestDatabase,
        storage: Arc<TempDir>,
        fixture: Fixture,
        seed: u64,
    ) -> TestApp {
        let clock = Arc::new(FakeClock::new());
        let provisioner = Arc::new(FakeProvisioner::new(self.provision));
        let own = || self.coordination.open(&clock);
        let coordination = self.shared.clone().unwrap_or_else(own);
        // Far from the seeds of fixtures, so that their ids do not meet.
        let entropy = Arc::new(SeededEntropy::new(1_000_000 + seed));
        // Random of its own, so that what is stored does not change the ids that follow.
        let storing = Arc::new(SeededEntropy::new(2_000_000 + seed));
        let location = Location::Directory(storage.path().join("blobs"));
        let policy = ActivePolicy::start(self.policy, &database.db, clock.now()).await;
        let guard = EgressGuard::new(Arc::new(SystemResolver), self.reachable);
        let command = Arc::new(CommandExecutor::new());
        let mut executors = Executors::new(command, HttpExecutor::new(guard.clone()));
        let ticking: Arc<dyn Clock> = clock.clone();
        let sources = Sources::new(&guard, &ticking, &self.urls, CallLimits::default());
        let oauth = OAuth::new(&guard, self.urls.of("github"), self.clients);
        for (operation, executor) in self.builtins {
            executors = executors.with_builtin(operation, executor);
        }
        let app = App::new(Parts {
            db: database.db.clone(),
            blobs: Blobs::open(&location, storing).expect("storage opens"),
            coordination,
            clock: clock.clone(),
            entropy,
            keyring: keyring(),
            tokens: tokens(),
            admission: self.admission,
            provisioner: self.sandboxes.unwrap_or_else(|| provisioner.clone()),
            policy: Arc::new(policy.expect("a policy")),
            executors,
            sources: sources.expect("addresses"),
            services: Services {
                github_origin: integrations::github_origin(self.urls.of("github")),
                oauth: oauth.expect("addresses"),
                github_app: self.github_app,
            },
            oidc: OidcProviders::new(&guard, self.oidc).expect("addresses"),
            guard,
            models: Models::with_capacities(self.models, self.model_capacities).expect("a client"),
            mail: self
                .mail
                .map(|it| MailSender::new(it).expect("a mail server")),
            scratch: storage.path().join("runs"),
            safety_lock: self.safety_lock,
            fleet_operators: self.operators,
            instance: instance(&clock, &fixture),
        });
        let gateway = Gateway::new(app.clone(), self.options);
        let router = gateway::router(&gateway).with_state(gateway.clone());
        TestApp {
            app,
            gateway,
            clock,
            provisioner,
            fixture,
            database,
            storage,
            acme: organization("org_acme"),
            other: organization("org_other"),
            router,
        }
    }
}

fn organization(text: &str) -> OrganizationId {
    OrganizationId::new(text).expect("a valid id")
}

/// Each further instance has randomness of its own.
fn next_seed() -> u64 {
    static SEED: AtomicU64 = AtomicU64::new(2);
    SEED.fetch_add(1, Ordering::Relaxed)
}

fn keyring() -> Keyring {
    let key = SecretBox::new(Box::new([7; 32]));
    Keyring::new(BTreeMap::from([(1, key)])).expect("it has a key")
}

fn tokens() -> Tokens {
    Tokens::new(TokenSecrets {
        user: USER_SECRET.into(),
        service: SERVICE_SECRET.into(),
        sandbox: SANDBOX_SECRET.into(),
        issuer: ISSUER.to_owned(),
        audience: AUDIENCE.to_owned(),
    })
}

fn instance(clock: &FakeClock, fixture: &Fixture) -> Instance {
    let now = clock.now();
    Instance {
        id: InstanceId::generate(now, &fixture.entropy),
        role: InstanceRole::All,
        advertised_url: ADVERTISED_URL.to_owned(),
        version: "0.0.0-test".to_owned(),
        started_at: now,
        heartbeat_at: now,
        load: Load::default(),
    }
}
