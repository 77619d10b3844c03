//! Forwards a request to the server that a session has exposed, for a user who previews what the agent built.
//!
//! INVARIANT: no credential or address of the user goes in, and no response speaks for the gateway's own address.

use app::{Error, access::SessionAccess};
use bytes::Bytes;
use domain::limits::{
    DAEMON_CONNECT_TIMEOUT, DAEMON_SERVICES_BYTES_MAX, PREVIEW_HEAD_TIMEOUT, PREVIEW_PORT,
};
use reqwest::{
    Method, Response,
    header::{HeaderMap, HeaderName, HeaderValue, SEC_WEBSOCKET_PROTOCOL},
};
use serde::Deserialize;
use tokio::time::timeout;

use super::{access::SandboxAccess, daemon::DaemonRequest};
use crate::sandbox_http;

/// Headers of the connection, of the user, and of proxies before the gateway.
const DROPPED_HEADERS: [&str; 15] = [
    "authorization",
    "cookie",
    "host",
    "content-length",
    "transfer-encoding",
    "te",
    "trailer",
    "keep-alive",
    "proxy-authorization",
    "proxy-connection",
    "forwarded",
    "x-org-id",
    "x-api-key",
    "referer",
    "origin",
];

/// The request to forward.
#[derive(Debug)]
pub struct PreviewRequest {
    pub method: Method,
    /// With the query, as the server receives it.
    pub path: String,
    pub headers: HeaderMap,
    pub body: Bytes,
}

/// The part of the list of services that is read.
#[derive(Deserialize)]
struct ExposedPort {
    #[serde(rename = "exposedPort", default)]
    port: Option<u64>,
}

impl SandboxAccess {
    /// Forwards a request to the port that the session has exposed. A sandbox that is not running is not booted.
    pub async fn forward_preview(
        &self,
        access: &SessionAccess,
        port: u16,
        request: PreviewRequest,
    ) -> Result<Response, Error> {
        let reached = self.reach_running(&access.into()).await?;
        let daemon = self.daemon(&reached).await?;
        let services = DaemonRequest {
            path: "/api/services",
            query: &[],
            response_bytes_max: DAEMON_SERVICES_BYTES_MAX,
        };
        let exposed: ExposedPort = daemon.get(services).await?;
        if exposed.port != Some(u64::from(port)) {
            return Err(Error::NotFound("exposed port of this session"));
        }
        let address = self.port_address(&reached, PREVIEW_PORT).await?;
        let silent = || Error::Outside("the server in the sandbox does not answer".to_owned());
        let client = sandbox_http::client(DAEMON_CONNECT_TIMEOUT).pool_max_idle_per_host(0);
        let client = client.build();
        let client = client.map_err(|_| silent())?;
        let url = format!("http://{address}{}", request.path);
        let forwarded = client.request(request.method, url);
        // What a server that checks it expects from a browser on its own machine.
        let host = HeaderValue::from_str(&format!("localhost:{port}")).map_err(|_| silent())?;
        let mut headers = forwarded_headers(&request.headers);
        headers.insert(reqwest::header::HOST, host);
        let forwarded = forwarded.headers(headers).body(request.body);
        match timeout(PREVIEW_HEAD_TIMEOUT, forwarded.send()).await {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(_)) | Err(_) => Err(silent()),
        }
    }
}

fn forwarded_headers(headers: &HeaderMap) -> HeaderMap {
    let is_kept = |name: &HeaderName| {
        !DROPPED_HEADERS.contains(&name.as_str())
            && !name.as_str().starts_with("x-forwarded")
            && name != SEC_WEBSOCKET_PROTOCOL
    };
    let mut kept: HeaderMap = headers
        .iter()
        .filter(|(name, _)| is_kept(name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    // The protocols of the server, without those that were offered to the gateway.
    let offered = headers.get_all(SEC_WEBSOCKET_PROTOCOL).iter();
    let offered: Vec<&str> = offered
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(','))
        .map(str::trim)
        .filter(|one| !one.starts_with("bearer.") && *one != "proliferate.v1")
        .collect();
    if let Ok(offered) = HeaderValue::from_str(&offered.join(", "))
        && !offered.is_empty()
    {
        kept.insert(SEC_WEBSOCKET_PROTOCOL, offered);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_server_does_not_learn_who_the_user_is() {
        let mut headers = HeaderMap::new();
        for (name, value) in [
            ("authorization", "Bearer t"),
            ("cookie", "session=t"),
            ("x-forwarded-for", "10.0.0.1"),
            ("x-org-id", "acme"),
            ("accept", "text/html"),
            (
                "sec-websocket-protocol",
                "proliferate.v1, bearer.t, vite-hmr",
            ),
        ] {
            headers.insert(
                HeaderName::from_static(name),
                HeaderValue::from_static(value),
            );
        }
        let kept = forwarded_headers(&headers);
        assert_eq!(kept.len(), 2, "{kept:?}");
        assert_eq!(kept["accept"], "text/html");
        assert_eq!(kept["sec-websocket-protocol"], "vite-hmr");
    }
}
