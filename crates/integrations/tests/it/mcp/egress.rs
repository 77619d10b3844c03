//! The egress guard in front of every connector.

use std::{
    io,
    net::IpAddr,
    process::Stdio,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use async_trait::async_trait;
use domain::{action::Risk, limits::SOURCE_RETRY_PAUSE};
use integrations::{FailureKind, Retry, mcp::Connectors};
use testkit::{
    clock::FakeClock,
    standin::mcp::{McpFault as Fault, McpServer},
};
use tools::egress::{EgressGuard, Resolve};

use crate::mcp::common::{Secrets, World, connector, guard, organization};

#[tokio::test]
async fn case_40_an_address_that_leads_inside_is_not_asked() {
    let server = McpServer::start().await;
    let connectors = Connectors::new(
        guard(&[]),
        Arc::<Secrets>::default(),
        Arc::new(FakeClock::new()),
    );
    let port = server.host().rsplit_once(':').unwrap().1.to_owned();
    for (id, url) in [
        server.url(),
        format!("http://localhost:{port}/mcp"),
        format!("https://localhost.:{port}/mcp"),
        format!("https://0x7f.1:{port}/mcp"),
        format!("https://2130706433:{port}/mcp"),
        format!("https://[::ffff:127.0.0.1]:{port}/mcp"),
        "https://169.254.169.254/latest/meta-data".to_owned(),
        "https://[fd00:ec2::254]/".to_owned(),
        "https://user:pass@mcp.example.com/".to_owned(),
        "file:///etc/passwd".to_owned(),
    ]
    .into_iter()
    .enumerate()
    {
        let failure = connectors
            .list_tools(&organization(), &connector(id as u128, &url))
            .await
            .unwrap_err();
        assert_eq!(
            (failure.kind, failure.retry),
            (FailureKind::Refused, Retry::Never),
            "{url}"
        );
    }
    assert!(server.requests().is_empty());
}

/// Names lead where an attacker says.
#[derive(Debug)]
struct Leads(&'static [&'static str]);

#[async_trait]
impl Resolve for Leads {
    async fn resolve(&self, _host: &str) -> io::Result<Vec<IpAddr>> {
        let addresses = self.0.iter().map(|text| text.parse());
        Ok(addresses.collect::<Result<_, _>>().expect("addresses"))
    }
}

#[tokio::test]
async fn case_41_a_name_that_leads_inside_is_not_asked() {
    let server = McpServer::start().await;
    let port = server.host().rsplit_once(':').unwrap().1.to_owned();
    for leads in [
        &["127.0.0.1"][..],
        &["93.184.215.14", "127.0.0.1"],
        &["::ffff:127.0.0.1"],
    ] {
        let guard = EgressGuard::new(Arc::new(Leads(leads)), []);
        let connectors =
            Connectors::new(guard, Arc::<Secrets>::default(), Arc::new(FakeClock::new()));
        let connector = connector(1, &format!("https://mcp.example.com:{port}/mcp"));
        let failure = connectors
            .list_tools(&organization(), &connector)
            .await
            .unwrap_err();
        assert_eq!(failure.kind, FailureKind::Refused, "{leads:?}");
    }
    assert!(server.requests().is_empty());
}

/// Leads to the server first and elsewhere ever after.
#[derive(Debug, Default)]
struct Rebinding {
    asked: AtomicUsize,
}

#[async_trait]
impl Resolve for Rebinding {
    async fn resolve(&self, _host: &str) -> io::Result<Vec<IpAddr>> {
        let is_first = self.asked.fetch_add(1, Ordering::SeqCst) == 0;
        let last = if is_first { 1 } else { 2 };
        Ok(vec![IpAddr::from([127, 0, 0, last])])
    }
}

/// Every request of a connection goes to the addresses that were checked when it was made.
#[tokio::test]
async fn case_41_a_name_is_looked_up_once_for_a_connection() {
    let server = McpServer::start().await;
    let port = server.host().rsplit_once(':').unwrap().1.to_owned();
    let resolver = Arc::new(Rebinding::default());
    let host = format!("mcp.example:{port}").parse().unwrap();
    let guard = EgressGuard::new(resolver.clone(), [host]);
    let clock = Arc::new(FakeClock::new());
    let connectors = Connectors::new(guard, Arc::<Secrets>::default(), clock);
    let connector = connector(1, &format!("http://mcp.example:{port}/mcp"));
    let list = connectors.list_tools(&organization(), &connector).await;
    assert_eq!(list.unwrap().tools.len(), 3);
    assert_eq!(resolver.asked.load(Ordering::SeqCst), 1);
}

/// The test runs itself again with the variables set: a process may not change its own safely.
#[tokio::test]
async fn case_41_a_proxy_of_the_environment_is_ignored() {
    const TARGET: &str = "PROLIFERATE_TEST_CONNECTOR_TARGET";
    if let Ok(host) = std::env::var(TARGET) {
        let clock = Arc::new(FakeClock::new());
        let connectors = Connectors::new(guard(&[&host]), Arc::<Secrets>::default(), clock);
        let connector = connector(1, &format!("http://{host}/mcp"));
        let list = connectors.list_tools(&organization(), &connector).await;
        assert_eq!(list.unwrap().tools.len(), 3);
        return;
    }
    let server = McpServer::start().await;
    let proxy = McpServer::start().await;
    let mut again = tokio::process::Command::new(std::env::current_exe().unwrap());
    let name = "mcp::egress::case_41_a_proxy_of_the_environment_is_ignored";
    again.args(["--exact", name]).env(TARGET, server.host());
    again.stdout(Stdio::null()).kill_on_drop(true);
    for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
        again.env(name, proxy.url());
        again.env(name.to_lowercase(), proxy.url());
    }
    again.env_remove("NO_PROXY").env_remove("no_proxy");
    assert!(again.status().await.unwrap().success());
    assert!(proxy.requests().is_empty());
    assert_eq!(server.count("tools/list"), 1);
}

/// Case 42: a challenge that names a metadata URL is a refusal and nothing else; the URL is not fetched.
#[tokio::test]
async fn case_42_a_challenge_is_not_followed() {
    let inside = McpServer::start().await;
    for method in ["*", "tools/list", "tools/call"] {
        let world = World::new().await;
        let fault = Fault::Challenge(inside.url());
        world.server.fail(method, fault, usize::MAX);
        let failure = world.call("send", Risk::Write).await.unwrap_err();
        let found = (failure.kind, failure.retry);
        assert_eq!(found, (FailureKind::Unauthorized, Retry::Never), "{method}");
        assert!(!failure.message().contains("127.0.0.1"), "{failure}");
    }
    assert!(inside.requests().is_empty());
}

/// A redirect is not followed, at any step, to any address.
#[tokio::test]
async fn case_41_a_redirect_is_not_followed() {
    let inside = McpServer::start().await;
    for method in ["*", "initialize", "tools/list", "tools/call"] {
        for to in [inside.url(), "https://169.254.169.254/".to_owned()] {
            let world = World::new().await;
            world.server.fail(method, Fault::Redirect(to), usize::MAX);
            let failure = world.call("send", Risk::Write).await.unwrap_err();
            assert_eq!(
                (failure.kind, failure.retry),
                (FailureKind::Refused, Retry::Never),
                "{method}"
            );
            assert!(world.server.effects().is_empty());
        }
    }
    assert!(inside.requests().is_empty());
}

#[tokio::test]
async fn a_server_that_is_not_there_is_unreachable() {
    let gone = McpServer::start().await;
    let (url, host) = (gone.url(), gone.host());
    drop(gone);
    let connectors = Connectors::new(
        guard(&[&host]),
        Arc::<Secrets>::default(),
        Arc::new(FakeClock::new()),
    );
    // The port is free once the task that held it has been dropped.
    tokio::task::yield_now().await;
    let failure = connectors
        .list_tools(&organization(), &connector(1, &url))
        .await
        .unwrap_err();
    assert_eq!(
        (failure.kind, failure.retry),
        (FailureKind::Unreachable, Retry::Later(SOURCE_RETRY_PAUSE))
    );
}
