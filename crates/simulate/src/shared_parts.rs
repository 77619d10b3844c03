//! What all gateways of a world are made of, and what lies outside of them. Parts that cost time to make and know
//! nothing of a world are made once for the whole process.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{Arc, Mutex, OnceLock, atomic::AtomicBool},
    time::Duration,
};

use app::{
    App, Parts,
    admission::AdmitAll,
    crypto::Keyring,
    identity::{OidcProviders, TokenSecrets, Tokens},
    integrations::Services,
    models::{Models, ModelsSettings},
    policy::{ActivePolicy, PolicySource},
};
use blobs::Blobs;
use domain::{
    clock::{Clock as _, Timestamp},
    id::InstanceId,
    instance::{Instance, InstanceRole, Load},
    model_usage::Budget,
};
use hub::HubSlot;
use integrations::{BaseUrls, Sources, oauth::OAuth};
use secrecy::SecretBox;
use store::Db;
use tools::{
    CommandExecutor, Executors, HttpExecutor,
    egress::{EgressGuard, SystemResolver},
};

use crate::{
    coordination::{Reached, Service},
    counted::Counted,
    database_watcher::DatabaseWatcher,
    effects::Outside,
    link::{Link, StoreLine},
    rng::Rng,
    sandbox_host::SandboxHost,
    time::{SkewedClock, Time},
    trace::Trace,
};

/// What a world has, apart from its gateways.
#[derive(Debug, Clone)]
pub(crate) struct SharedParts {
    pub(crate) seed: u64,
    pub(crate) db: Db,
    pub(crate) blobs: Blobs,
    pub(crate) coordination: Arc<Service>,
    pub(crate) outside: Outside,
    pub(crate) counted: Counted,
    pub(crate) sandbox_host: SandboxHost,
    pub(crate) database_watcher: Arc<Mutex<DatabaseWatcher>>,
    pub(crate) time: Arc<Time>,
    pub(crate) trace: Trace,
    /// Whether things go wrong by chance.
    pub(crate) storm: Arc<AtomicBool>,
    /// Where calls may leave files while they are made.
    pub(crate) scratch: PathBuf,
    /// How long sandboxes live, if not for ever.
    pub(crate) lifetime: Option<Duration>,
}

/// Made once.
#[derive(Debug, Clone)]
struct Tools {
    keyring: Keyring,
    tokens: Tokens,
    models: Models,
    guard: EgressGuard,
    executors: Executors,
    services: Services,
}

impl SharedParts {
    /// One life of a gateway. `number` is its name, `life` how often it was started before.
    pub(crate) fn parts(
        &self,
        link: &Arc<Link>,
        clock: &SkewedClock,
        rng: Rng,
        slot: Arc<HubSlot>,
        policy: Arc<ActivePolicy>,
    ) -> Parts {
        let tools = Tools::get();
        let now = clock.now();
        let instance = Instance {
            id: InstanceId::generate(now, &rng),
            role: InstanceRole::All,
            advertised_url: format!("http://{}", link.who),
            version: "0.0.0-simulated".to_owned(),
            started_at: now,
            heartbeat_at: now,
            load: Load::default(),
        };
        Parts {
            db: self.db.over(Arc::new(StoreLine(Arc::clone(link)))),
            blobs: self.blobs.clone(),
            coordination: Arc::new(Reached {
                service: Arc::clone(&self.coordination),
                link: Arc::clone(link),
            }),
            clock: Arc::new(clock.clone()),
            entropy: Arc::new(rng),
            keyring: tools.keyring,
            tokens: tools.tokens,
            admission: Arc::new(AdmitAll),
            executors: self.counted.add_to(tools.executors, &slot),
            provisioner: slot,
            policy,
            sources: Sources::of(vec![Arc::new(self.outside.clone())]),
            services: tools.services,
            guard: tools.guard,
            models: tools.models,
            mail: None,
            oidc: OidcProviders::default(),
            scratch: self.scratch.clone(),
            safety_lock: false,
            fleet_operators: Vec::new(),
            instance,
        }
    }

    /// An observer of everything, over connections that never fail.
    pub(crate) async fn observer(&self) -> App {
        let clock = SkewedClock {
            time: Arc::clone(&self.time),
            skew_ms: 0,
        };
        let rng = Rng::new(self.seed, 99);
        let storm = Arc::default();
        let database_watcher = Arc::clone(&self.database_watcher);
        let link = Link::new(
            "observer".into(),
            storm,
            rng.clone(),
            self.trace.clone(),
            database_watcher,
        );
        let policy = self.policy(clock.now()).await;
        App::new(self.parts(&Arc::new(link), &clock, rng, Arc::default(), policy))
    }

    /// Of one process. A gateway does not start before its policy is kept, so the line to the store does not fail.
    pub(crate) async fn policy(&self, now: Timestamp) -> Arc<ActivePolicy> {
        let policy = ActivePolicy::start(PolicySource::BuiltIn, &self.db, now).await;
        Arc::new(policy.expect("the built-in policy"))
    }
}

impl Tools {
    fn get() -> Self {
        static TOOLS: OnceLock<Tools> = OnceLock::new();
        TOOLS.get_or_init(Self::make).clone()
    }

    fn make() -> Self {
        let guard = EgressGuard::new(Arc::new(SystemResolver), Vec::new());
        let urls = BaseUrls::default();
        let key = SecretBox::new(Box::new([7; 32]));
        let executors = Executors::new(
            Arc::new(CommandExecutor::new()),
            HttpExecutor::new(guard.clone()),
        );
        Self {
            keyring: Keyring::new(BTreeMap::from([(1, key)])).expect("it has a key"),
            tokens: Tokens::new(TokenSecrets {
                user: "user-secret-of-the-simulation-0123456789".into(),
                service: "service-secret-of-the-simulation-01234567".into(),
                sandbox: "sandbox-secret-of-the-simulation-01234567".into(),
                issuer: "simulation".to_owned(),
                audience: "simulation".to_owned(),
            }),
            models: Models::new(ModelsSettings {
                upstream: None,
                session_budget: Budget::Unlimited,
            })
            .expect("a client"),
            services: Services {
                github_origin: integrations::github_origin(urls.of("github")),
                oauth: OAuth::new(&guard, urls.of("github"), Vec::new()).expect("addresses"),
                github_app: None,
            },
            executors,
            guard,
        }
    }
}
