//! Every service that the gateway talks to, each of which gives away what it was told.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, Ordering},
};

use axum::{
    body::Bytes,
    extract::Request,
    http::StatusCode,
    middleware::{Next, from_fn},
    response::IntoResponse as _,
};
use model::scripted::{Script, Scripted};
use serde_json::json;
use testkit::{
    process::Workspace,
    standin::{Standin, git::GitServer, hook, linear, mcp::McpServer, oidc},
};

use super::{PROVIDER_KEY, SANDBOX_TOKEN_SECRET, USER_TOKEN_SECRET};
use crate::{live, seen::given_away};

/// A provider of models that gives the key away once it is told to.
pub(super) struct Provider {
    url: String,
    pub(super) is_careless: Arc<AtomicBool>,
}

async fn serve(router: axum::Router) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}

impl Provider {
    async fn start() -> Self {
        let is_careless = Arc::new(AtomicBool::new(false));
        let careless = Arc::clone(&is_careless);
        let answer = from_fn(move |request: Request, next: Next| {
            let is_careless = careless.load(Ordering::SeqCst);
            async move {
                let key = request.headers().get("x-api-key").cloned();
                assert_eq!(
                    key.unwrap(),
                    PROVIDER_KEY,
                    "the provider is asked with its key"
                );
                if !is_careless {
                    return next.run(request).await;
                }
                let message = given_away(PROVIDER_KEY);
                let error = json!({"type": "invalid_request_error", "message": message});
                let body = json!({"type": "error", "error": error}).to_string();
                let head = [
                    ("content-type", "application/json".to_owned()),
                    ("request-id", message),
                ];
                (StatusCode::BAD_REQUEST, head, body).into_response()
            }
        });
        let model = Scripted::new(Script::default(), 7).router().layer(answer);
        Self {
            url: serve(model).await,
            is_careless,
        }
    }
}

/// A collector of traces that keeps every byte.
async fn collector() -> (String, Arc<Mutex<Vec<Bytes>>>) {
    let kept = Arc::new(Mutex::new(Vec::new()));
    let keeps = Arc::clone(&kept);
    let keep = move |body: Bytes| {
        keeps.lock().unwrap().push(body);
        std::future::ready(())
    };
    (serve(axum::Router::new().fallback(keep)).await, kept)
}

/// Every service that the gateway talks to.
pub(super) struct World {
    pub(super) linear: Standin,
    pub(super) hook: Standin,
    pub(super) tools: McpServer,
    pub(super) git: GitServer,
    pub(super) login: oidc::OidcStandin,
    pub(super) provider: Provider,
    collector: String,
    pub(super) traces: Arc<Mutex<Vec<Bytes>>>,
}

impl World {
    pub(super) async fn start() -> Self {
        let tools = McpServer::start().await;
        tools.set(|knobs| knobs.echoes_headers = true);
        let (collector, traces) = collector().await;
        Self {
            linear: linear::start().await,
            hook: hook::start().await,
            tools,
            git: GitServer::start().await,
            login: oidc::start(oidc::Signing::Es256).await,
            provider: Provider::start().await,
            collector,
            traces,
        }
    }

    pub(super) fn workspace(&self) -> Workspace {
        let allowed = [
            self.linear.address.to_string(),
            self.hook.address.to_string(),
            self.tools.host(),
            self.git.address.to_string(),
            self.login.host(),
        ];
        live::with_sandboxes()
            .env("PROLIFERATE_LOG", "trace")
            .env("PROLIFERATE_EGRESS_ALLOW", allowed.join(","))
            .env("PROLIFERATE_LINEAR_URL", &self.linear.base_url)
            .env("PROLIFERATE_MODEL_UPSTREAM_URL", &self.provider.url)
            .env("ANTHROPIC_API_KEY", PROVIDER_KEY)
            .env("PROLIFERATE_OIDC_ISSUER", &self.login.server.base_url)
            .env("PROLIFERATE_OIDC_CLIENT_ID", oidc::CLIENT_ID)
            .env("PROLIFERATE_OIDC_CLIENT_SECRET", oidc::CLIENT_SECRET)
            .env("PROLIFERATE_OIDC_ORGANIZATION", "org_demo")
            .env("PROLIFERATE_OIDC_ALLOWED_DOMAINS", "*")
            .env("PROLIFERATE_USER_TOKEN_SECRET", USER_TOKEN_SECRET)
            .env("PROLIFERATE_SANDBOX_TOKEN_SECRET", SANDBOX_TOKEN_SECRET)
            .env("PROLIFERATE_OTLP_ENDPOINT", &self.collector)
            .env("PROLIFERATE_TRACE_SAMPLING_RATIO", "1")
    }
}
