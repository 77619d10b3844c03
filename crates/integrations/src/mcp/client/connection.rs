//! A connection to an MCP server: its address is checked, the handshake is done, and it is ready for requests. It uses the
//! stateless protocol (2026-07-28) where the server does, and otherwise any version with a handshake; the library tries the
//! first and falls back.

use std::{sync::Arc, time::Duration};

use domain::{
    action::Risk,
    limits::{
        CONNECTOR_ANSWER_BYTES_MAX, CONNECTOR_CALL_TIMEOUT, CONNECTOR_REQUESTS_MAX,
        CONNECTOR_RESUMES_MAX,
    },
};
use rmcp::{
    ClientCacheConfig, ClientHandler, RoleClient,
    model::{ClientCapabilities, ClientConfig, Implementation, ProtocolVersion},
    service::{ClientLifecycleMode, ClientServiceExt as _, Peer, RunningService},
    transport::{
        common::client_side_sse::SseRetryPolicy,
        streamable_http_client::{
            StreamableHttpClientTransport, StreamableHttpClientTransportConfig,
        },
    },
};
use tokio::sync::OnceCell;
use tools::egress::{EgressGuard, Refused};

use super::{
    error::{RequestError, TransportError},
    http::Http,
};
use crate::{
    failure::{Failure, FailureKind},
    mcp::{config::Connector, secret::Credential},
};

/// A live connection; the server's session is ended when it is dropped.
#[derive(Debug)]
pub(crate) struct McpConnection {
    service: RunningService<RoleClient, GatewayClient>,
    http: Http,
    pub(crate) credential: Credential,
    pub(super) listed: OnceCell<()>,
}

/// The gateway as a client of the server: it calls tools and offers nothing.
#[derive(Debug, Clone, Copy)]
struct GatewayClient;

impl ClientHandler for GatewayClient {
    fn get_info(&self) -> ClientConfig {
        let name = Implementation::new("proliferate-gateway", env!("CARGO_PKG_VERSION"));
        ClientConfig::new(ClientCapabilities::default(), name)
            .with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE)
    }
}

/// Has the library request the rest of an answer without a pause of its own: [`Http`] decides how often and how fast.
#[derive(Debug)]
struct ImmediateResume;

impl SseRetryPolicy for ImmediateResume {
    fn retry(&self, times: usize) -> Option<Duration> {
        (times < CONNECTOR_RESUMES_MAX).then_some(Duration::ZERO)
    }
}

impl McpConnection {
    /// Checks the address, connects and initializes the session. The caller has a deadline around it.
    pub(crate) async fn open(
        guard: &EgressGuard,
        connector: &Connector,
        credential: Credential,
    ) -> Result<Self, Failure> {
        let route = guard.check(&connector.url).await.map_err(refused)?;
        let client = route.client(CONNECTOR_CALL_TIMEOUT).map_err(refused)?;
        let http = Http::new(client, route.url().clone(), credential.clone());
        // The address is the client's own; what stands here is for the library's log.
        let mut config = StreamableHttpClientTransportConfig::with_uri("connector");
        config.retry_config = Arc::new(ImmediateResume);
        config.max_concurrent_requests = CONNECTOR_REQUESTS_MAX;
        config.max_sse_event_size = CONNECTOR_ANSWER_BYTES_MAX;
        // Some servers keep no sessions.
        config.allow_stateless = true;
        // Done in `call`, which knows what the request was.
        config.reinit_on_expired_session = false;
        let transport = StreamableHttpClientTransport::with_client(http.clone(), config);
        let lifecycle = ClientLifecycleMode::Auto {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
            legacy_version: None,
        };
        match GatewayClient
            .serve_with_lifecycle(transport, lifecycle)
            .await
        {
            Ok(service) => {
                // Lists are cached in one place, with one expiry.
                let no_cache = ClientCacheConfig::disabled();
                service.peer().set_response_cache_config(no_cache).await;
                Ok(Self {
                    service,
                    http,
                    credential,
                    listed: OnceCell::new(),
                })
            }
            Err(error) => Err(match RequestError::of_handshake(error) {
                RequestError::Transport(error) => error.failure(Risk::Read),
                RequestError::Refused { code, .. } => {
                    let message = format!("the server rejects the handshake (error {code})");
                    Failure::never(FailureKind::MalformedReply, message)
                }
                RequestError::NoAnswer => http
                    .last_stream_error()
                    .or_else(|| http.last_request_error())
                    .unwrap_or(TransportError::NotTheProtocol(
                        "the server does not begin as the protocol says",
                    ))
                    .failure(Risk::Read),
            }),
        }
    }

    pub(super) fn peer(&self) -> &Peer<RoleClient> {
        self.service.peer()
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.service.is_closed() || self.service.is_transport_closed()
    }

    pub(super) fn protocol_version(&self) -> String {
        let info = self.service.peer_info();
        info.map(|info| info.protocol_version.to_string())
            .unwrap_or_default()
    }

    /// Why an answer was lost, where the library does not say.
    pub(super) fn last_error(&self) -> TransportError {
        self.http
            .last_stream_error()
            .unwrap_or(TransportError::Broken)
    }
}

fn refused(refused: Refused) -> Failure {
    Failure::refused(refused, "the connector's server", "")
}
