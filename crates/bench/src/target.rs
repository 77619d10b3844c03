//! A gateway in this process, as an operator would run it, and a bare handler beside it.

use std::{collections::BTreeMap, net::SocketAddr, sync::Arc, time::Duration};

use anyhow::Context;
use app::{
    App, Parts,
    access::{Insider, Steering},
    admission::AdmitAll,
    crypto::Keyring,
    identity::{OidcProviders, TokenSecrets, Tokens, UserToken},
    integrations::Services,
    models::{KeyHeader, Models, ModelsSettings, Upstream},
    organizations,
    policy::{ActivePolicy, PolicySource},
    sessions::{self, NoProvisioner},
    system::{SystemClock, SystemEntropy},
};
use blobs::{Blobs, Location};
use coord::MemoryCoordination;
use domain::{
    caller::Caller,
    clock::{Clock, Timestamp},
    id::{InstanceId, OrganizationId, SessionId},
    instance::{Instance, InstanceRole, Load},
    model_usage::Budget,
};
use gateway::{Gateway, Listeners, Options};
use hub::{Hub, Runtimes, runtime::LazyMachine};
use integrations::{BaseUrls, Sources, oauth::OAuth};
use secrecy::{ExposeSecret, SecretBox};
use tempfile::TempDir;
use testkit::database::{Backend, TestDatabase};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tools::{
    CommandExecutor, Executors, HttpExecutor,
    egress::{AllowedHost, EgressGuard, SystemResolver},
};

pub(crate) struct Target {
    pub(crate) app: App,
    pub(crate) organization_id: OrganizationId,
    pub(crate) address: SocketAddr,
    /// Where sandboxes come in.
    pub(crate) sandboxes: SocketAddr,
    pub(crate) token: String,
    /// Sessions are live here, without an agent.
    pub(crate) hub: Hub,
    stop: CancellationToken,
    database: TestDatabase,
    _storage: TempDir,
}

impl Target {
    /// The right to steer a session, as a service of the platform has it.
    pub(crate) async fn steering(&self, id: SessionId) -> anyhow::Result<Steering> {
        let caller = Caller::Service {
            organization_id: self.organization_id.clone(),
            name: "bench".to_owned(),
        };
        Ok(sessions::steer(&self.app, &Insider::of(&caller)?, id).await?)
    }

    pub(crate) async fn start(backend: Backend) -> anyhow::Result<Self> {
        Self::start_with(backend, PolicySource::BuiltIn, |executors| executors).await
    }

    /// One that may reach a host on this machine.
    pub(crate) async fn start_reaching(backend: Backend, host: &str) -> anyhow::Result<Self> {
        let host = host.parse().map_err(|wrong| anyhow::anyhow!("{wrong}"))?;
        let database = TestDatabase::create(backend).await;
        let policy = PolicySource::BuiltIn;
        Self::assemble(database, policy, vec![host], None, None, |executors| {
            executors
        })
        .await
    }

    /// One whose agents have this model.
    pub(crate) async fn start_asking(backend: Backend, model: String) -> anyhow::Result<Self> {
        let (database, model) = (TestDatabase::create(backend).await, Some(model));
        let policy = PolicySource::BuiltIn;
        Self::assemble(database, policy, Vec::new(), model, None, |executors| {
            executors
        })
        .await
    }

    /// With a policy and tools of its own.
    pub(crate) async fn start_with(
        backend: Backend,
        policy: PolicySource,
        tools: impl FnOnce(Executors) -> Executors,
    ) -> anyhow::Result<Self> {
        let database = TestDatabase::create(backend).await;
        Self::assemble(database, policy, Vec::new(), None, None, tools).await
    }

    /// The same, whose sessions have these agents.
    pub(crate) async fn start_with_runtimes(
        backend: Backend,
        policy: PolicySource,
        runtimes: Arc<dyn Runtimes>,
        tools: impl FnOnce(Executors) -> Executors,
    ) -> anyhow::Result<Self> {
        let database = TestDatabase::create(backend).await;
        Self::assemble(database, policy, Vec::new(), None, Some(runtimes), tools).await
    }

    /// Another instance on the same database.
    pub(crate) async fn start_beside(
        &self,
        policy: PolicySource,
        tools: impl FnOnce(Executors) -> Executors,
    ) -> anyhow::Result<Self> {
        let database = self.database.open_again().await;
        Self::assemble(database, policy, Vec::new(), None, None, tools).await
    }

    async fn assemble(
        database: TestDatabase,
        policy: PolicySource,
        reachable: Vec<AllowedHost>,
        model: Option<String>,
        runtimes: Option<Arc<dyn Runtimes>>,
        tools: impl FnOnce(Executors) -> Executors,
    ) -> anyhow::Result<Self> {
        let clock = Arc::new(SystemClock::new());
        let now = clock.now();
        let storage = tempfile::tempdir()?;
        let location = Location::Directory(storage.path().join("blobs"));
        let policy = ActivePolicy::start(policy, &database.db, now).await?;
        let guard = EgressGuard::new(Arc::new(SystemResolver), reachable);
        let command = Arc::new(CommandExecutor::new());
        let executors = tools(Executors::new(command, HttpExecutor::new(guard.clone())));
        let ticking: Arc<dyn Clock> = clock.clone();
        let limits = integrations::CallLimits::default();
        let sources = Sources::new(&guard, &ticking, &BaseUrls::default(), limits)?;
        let app = App::new(Parts {
            db: database.db.clone(),
            blobs: Blobs::open(&location, Arc::new(SystemEntropy))?,
            coordination: Arc::new(MemoryCoordination::new(clock.clone())),
            clock,
            entropy: Arc::new(SystemEntropy),
            keyring: keyring()?,
            tokens: tokens(),
            admission: Arc::new(AdmitAll),
            provisioner: Arc::new(NoProvisioner),
            policy: Arc::new(policy),
            executors,
            sources,
            services: services(&guard)?,
            guard,
            mail: None,
            oidc: OidcProviders::default(),
            models: models(model)?,
            scratch: storage.path().join("runs"),
            safety_lock: false,
            fleet_operators: Vec::new(),
            instance: instance(now),
        });
        let demo = organizations::ensure_demo(&app).await?;
        let owner = UserToken {
            user_id: demo.owner,
            organization_id: Some(demo.organization_id.clone()),
        };
        let ttl = Duration::from_hours(1);
        let token = app.tokens.mint_user(&owner, now, ttl, &SystemEntropy)?;
        let (listeners, [address, sandboxes]) = listen().await?;
        let stop = CancellationToken::new();
        let hub = match runtimes {
            Some(runtimes) => Hub::with_runtimes(app.clone(), runtimes),
            None => Hub::new(app.clone(), LazyMachine::closed("sessions are closed here")),
        };
        let gateway = Gateway::new(app.clone(), Options::default()).with_hub(hub.clone());
        tokio::spawn(gateway::serve(listeners, gateway, stop.clone()));
        let token = token.expose_secret().to_owned();
        Ok(Self {
            app,
            organization_id: demo.organization_id,
            address,
            sandboxes,
            token,
            hub,
            stop,
            database,
            _storage: storage,
        })
    }
}

/// The listeners for people and for sandboxes, and their addresses.
async fn listen() -> anyhow::Result<(Listeners, [SocketAddr; 2])> {
    let people = TcpListener::bind("127.0.0.1:0").await?;
    let sandboxes = TcpListener::bind("127.0.0.1:0").await?;
    let addresses = [people.local_addr()?, sandboxes.local_addr()?];
    let mut listeners = Listeners::from(people);
    listeners.sandboxes = Some(sandboxes);
    Ok((listeners, addresses))
}

fn tokens() -> Tokens {
    Tokens::new(TokenSecrets {
        user: "u".repeat(32).into(),
        service: "s".repeat(32).into(),
        sandbox: "b".repeat(32).into(),
        issuer: "proliferate".into(),
        audience: "proliferate-gateway".into(),
    })
}

fn models(url: Option<String>) -> anyhow::Result<Models> {
    let upstream = url.map(|url| Upstream {
        url,
        key: Some("k".repeat(32).into()),
        key_header: KeyHeader::XApiKey,
    });
    Ok(Models::new(ModelsSettings {
        upstream,
        // One that is checked and not reached.
        session_budget: Budget::MicroUsd(i64::MAX / 2),
    })?)
}

/// No clients: nothing here is connected.
fn services(guard: &EgressGuard) -> anyhow::Result<Services> {
    Ok(Services {
        oauth: OAuth::new(guard, BaseUrls::default().of("github"), [])?,
        github_app: None,
        github_origin: integrations::github_origin(BaseUrls::default().of("github")),
    })
}

impl Target {
    /// Gives events their places while the target is measured, as a server does.
    pub(crate) fn sequence(&self) {
        tokio::spawn(app::audit::run(self.app.clone(), self.stop.clone()));
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

pub(crate) fn keyring() -> anyhow::Result<Keyring> {
    let keys = BTreeMap::from([(1, SecretBox::new(Box::new([7; 32])))]);
    Keyring::new(keys).context("a keyring")
}

/// A handler that does nothing but answer `body`: what HTTP itself costs here.
pub(crate) async fn bare_handler(body: Vec<u8>) -> anyhow::Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let body: &'static [u8] = body.leak();
    let answer = move || {
        (
            [(axum::http::header::CONTENT_TYPE, "application/json")],
            body,
        )
    };
    let get = move || async move { answer() };
    // Reads the body, as every handler of a call must.
    let post = move |_: axum::body::Bytes| async move { answer() };
    let router = axum::Router::new()
        .route("/v1/sessions/{id}", axum::routing::get(get))
        .route("/v1/tool-calls", axum::routing::post(post));
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(address)
}

/// Both databases, with the names of their rows.
pub(crate) const BACKENDS: [(Backend, &str); 2] = [
    (Backend::Sqlite, "SQLite"),
    (Backend::Postgres, "PostgreSQL"),
];

fn instance(now: Timestamp) -> Instance {
    Instance {
        id: InstanceId::generate(now, &SystemEntropy),
        role: InstanceRole::All,
        advertised_url: "http://bench".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        started_at: now,
        heartbeat_at: now,
        load: Load::default(),
    }
}
