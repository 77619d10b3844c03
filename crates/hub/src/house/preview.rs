//! A server in a session's sandbox, asked on behalf of somebody who looks at what the agent built.
//!
//! INVARIANT: nothing that says who looks goes in, and nothing that speaks for the gateway's own address comes out.

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

use super::{House, daemon::DaemonRequest};
use crate::inside;

/// Headers of a connection, of whoever asks, and of how they came here.
const LEFT_OUT: [&str; 15] = [
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

/// What is asked.
#[derive(Debug)]
pub struct PreviewRequest {
    pub method: Method,
    /// With the query, as it is to arrive.
    pub path: String,
    pub headers: HeaderMap,
    pub body: Bytes,
}

/// What is looked at of the list of services.
#[derive(Deserialize)]
struct ExposedPort {
    #[serde(rename = "exposedPort", default)]
    port: Option<u64>,
}

impl House {
    /// Asks the server on the port that the session has exposed. Nobody is woken for it.
    pub async fn preview(
        &self,
        access: &SessionAccess,
        port: u16,
        request: PreviewRequest,
    ) -> Result<Response, Error> {
        let reached = self.reached(&access.into()).await?;
        let daemon = self.daemon(&reached).await?;
        let services = DaemonRequest {
            path: "/api/services",
            query: &[],
            answer_bytes_max: DAEMON_SERVICES_BYTES_MAX,
        };
        let exposed: ExposedPort = daemon.get(services).await?;
        if exposed.port != Some(u64::from(port)) {
            return Err(Error::NotFound("exposed port of this session"));
        }
        let address = self.address(&reached, PREVIEW_PORT).await?;
        let silent = || Error::Outside("the server in the sandbox does not answer".to_owned());
        let client = inside::client(DAEMON_CONNECT_TIMEOUT).pool_max_idle_per_host(0);
        let client = client.build();
        let client = client.map_err(|_| silent())?;
        let url = format!("http://{address}{}", request.path);
        let asked = client.request(request.method, url);
        // As a server that looks at it expects it from a browser beside it.
        let host = HeaderValue::from_str(&format!("localhost:{port}")).map_err(|_| silent())?;
        let mut headers = forwarded(&request.headers);
        headers.insert(reqwest::header::HOST, host);
        let asked = asked.headers(headers).body(request.body);
        match timeout(PREVIEW_HEAD_TIMEOUT, asked.send()).await {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(_)) | Err(_) => Err(silent()),
        }
    }
}

fn forwarded(headers: &HeaderMap) -> HeaderMap {
    let is_kept = |name: &HeaderName| {
        !LEFT_OUT.contains(&name.as_str())
            && !name.as_str().starts_with("x-forwarded")
            && name != SEC_WEBSOCKET_PROTOCOL
    };
    let mut kept: HeaderMap = headers
        .iter()
        .filter(|(name, _)| is_kept(name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    // Those of the server, without what was offered to the gateway.
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
    fn who_looks_is_not_told() {
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
        let kept = forwarded(&headers);
        assert_eq!(kept.len(), 2, "{kept:?}");
        assert_eq!(kept["accept"], "text/html");
        assert_eq!(kept["sec-websocket-protocol"], "vite-hmr");
    }
}
