//! Services: real connections to loopback, which the guard allows by name alone.

use std::{
    io,
    net::{IpAddr, SocketAddr},
    process::Stdio,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use domain::policy::{Engine, HttpSpec, Send, ToolSpec};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};
use tools::{
    Failure, HttpExecutor,
    egress::{EgressGuard, Resolve, SystemResolver},
};

use crate::support::{Call, parameter, tool};

/// A service that answers every request in the same way, and counts them.
struct Service {
    address: SocketAddr,
    asked: Arc<AtomicUsize>,
    requests: tokio::sync::mpsc::UnboundedReceiver<String>,
}

impl Service {
    async fn answering(answer: impl Into<Vec<u8>>) -> Self {
        let answer = Arc::new(answer.into());
        Self::with(move |mut stream| {
            let answer = answer.clone();
            async move {
                let _ = stream.write_all(&answer).await;
            }
        })
        .await
    }

    async fn with<F>(answer: impl Fn(TcpStream) -> F + std::marker::Send + 'static) -> Self
    where
        F: Future<Output = ()> + std::marker::Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(AtomicUsize::new(0));
        let (sender, requests) = tokio::sync::mpsc::unbounded_channel();
        let count = asked.clone();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::SeqCst);
                let request = read_request(&mut stream).await;
                let _ = sender.send(request);
                tokio::spawn(answer(stream));
            }
        });
        Self {
            address,
            asked,
            requests,
        }
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

/// Up to the end of the body, whose length is given or which is chunked.
async fn read_request(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let head = head.to_lowercase();
            let length = head.split("content-length: ").nth(1);
            let length = length.and_then(|rest| rest.lines().next()?.parse::<usize>().ok());
            if length.is_some_and(|length| body.len() >= length) || body.ends_with("0\r\n\r\n") {
                return text;
            }
        }
        match stream.read(&mut buffer).await {
            Ok(count @ 1..) => bytes.extend(&buffer[..count]),
            _ => return text,
        }
    }
}

fn service_tool(url: &str) -> ToolSpec {
    let engine = Engine::Http(HttpSpec {
        url: url.parse().unwrap(),
        send: Send::Json,
        output_bytes_max: 1000,
        output_kind: "text".parse().unwrap(),
        output_types: ["text/plain".parse().unwrap()].into(),
    });
    tool(engine, "text")
}

fn at(service: &Service) -> ToolSpec {
    service_tool(&format!("http://{}/run", service.address))
}

fn allowing(addresses: &[SocketAddr]) -> Arc<HttpExecutor> {
    let allowed = addresses
        .iter()
        .map(|address| address.to_string().parse().unwrap());
    HttpExecutor::new(EgressGuard::new(Arc::new(SystemResolver), allowed))
}

fn answer(head: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {head}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}")
}

const GOOD: &str = "200 OK\r\nContent-Type: text/plain; charset=utf-8";

fn failed(reason: &'static str, retryable: bool) -> Failure {
    Failure::Tool { reason, retryable }
}

#[tokio::test]
async fn a_service_gets_the_checked_parameters_and_its_answer_is_kept() {
    let mut service = Service::answering(answer(GOOD, "hello")).await;
    let mut tool = at(&service);
    tool.accepts = ["text/plain".parse().unwrap()].into();
    tool.parameters = vec![parameter("language", "[a-z]+")];
    let call = Call::of(tool)
        .with_parameter("language", "eng")
        .with_input("text/plain", b"content");
    let text = call.text(&*allowing(&[service.address])).await.unwrap();
    assert_eq!(text, "hello");
    let request = service.requests.recv().await.unwrap();
    assert!(request.starts_with("POST /run HTTP/1.1\r\n"), "{request}");
    let body: Value = serde_json::from_str(request.split("\r\n\r\n").nth(1).unwrap()).unwrap();
    let artifact_id = body["inputs"][0]["artifactId"].clone();
    assert!(artifact_id.is_string());
    assert_eq!(
        body,
        json!({
            "operation": "test.tool",
            "parameters": {"language": "eng"},
            "inputs": [{"artifactId": artifact_id, "kind": "document", "mediaType": "text/plain"}],
        })
    );
}

#[tokio::test]
async fn a_service_gets_the_bytes_of_an_input_if_the_policy_says_so() {
    let mut service = Service::answering(answer(GOOD, "hello")).await;
    let mut tool = at(&service);
    tool.accepts = ["image/png".parse().unwrap()].into();
    if let Engine::Http(http) = &mut tool.engine {
        http.send = Send::Input;
    }
    let call = Call::of(tool.clone()).with_input("image/png", b"picture");
    call.text(&*allowing(&[service.address])).await.unwrap();
    let request = service.requests.recv().await.unwrap();
    assert!(
        request
            .to_lowercase()
            .contains("content-type: image/png\r\n")
    );
    assert!(request.contains("picture"), "{request}");
    let without = Call::of(tool).run(&*allowing(&[service.address])).await;
    assert!(matches!(without, Err(Failure::Invalid(_))));
    assert_eq!(service.asked(), 1);
}

#[tokio::test]
async fn what_does_not_fit_is_not_sent() {
    let service = Service::answering(answer(GOOD, "hello")).await;
    let executor = allowing(&[service.address]);
    let unknown = Call::of(at(&service)).with_parameter("url", "http://elsewhere/");
    let unwanted = Call::of(at(&service)).with_input("text/plain", b"x");
    for call in [unknown, unwanted] {
        let result = call.run(&*executor).await;
        assert!(matches!(result, Err(Failure::Invalid(_))), "{result:?}");
    }
    assert_eq!(service.asked(), 0);
}

#[tokio::test]
async fn answers_that_are_not_kept() {
    const ERROR: &str = "the service answered with an error";
    const LARGE: &str = "the service answered with more than it may";
    const OTHER: &str = "the service answered with another type of content";
    let large = "x".repeat(1001);
    let chunked =
        format!("HTTP/1.1 {GOOD}\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n{large}\r\n0\r\n\r\n");
    let table = [
        (
            answer("500 Oops\r\nContent-Type: text/plain", "x"),
            ERROR,
            false,
        ),
        (answer("404 Not Found", ""), ERROR, false),
        (answer("503 Busy", ""), ERROR, true),
        (answer("429 Slow down", ""), ERROR, true),
        (answer("200 OK", "x"), OTHER, false),
        (
            answer("200 OK\r\nContent-Type: text/html", "x"),
            OTHER,
            false,
        ),
        (
            answer("200 OK\r\nContent-Type: text/plainer", "x"),
            OTHER,
            false,
        ),
        (answer(GOOD, &large), LARGE, false),
        (chunked, LARGE, false),
    ];
    for (answer, reason, retryable) in table {
        let service = Service::answering(answer.clone()).await;
        let call = Call::of(at(&service));
        let result = call.run(&*allowing(&[service.address])).await;
        assert_eq!(result.unwrap_err(), failed(reason, retryable), "{answer}");
    }
}

#[tokio::test]
async fn case_56_an_answer_without_end_is_cut_at_its_bound() {
    let service = Service::with(|mut stream| async move {
        let head = format!("HTTP/1.1 {GOOD}\r\n\r\n");
        let mut sent = stream.write_all(head.as_bytes()).await;
        while sent.is_ok() {
            sent = stream.write_all(&[b'x'; 4096]).await;
        }
    })
    .await;
    let call = Call::of(at(&service));
    let result = call.run(&*allowing(&[service.address])).await;
    let reason = "the service answered with more than it may";
    assert_eq!(result.unwrap_err(), failed(reason, false));
}

#[tokio::test]
async fn case_56_a_service_that_trickles_is_cut_by_the_deadline() {
    for head in ["", "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"] {
        let service = Service::with(move |mut stream| async move {
            let mut sent = stream.write_all(head.as_bytes()).await;
            while sent.is_ok() {
                tokio::time::sleep(Duration::from_millis(20)).await;
                sent = stream.write_all(b"x").await;
            }
        })
        .await;
        let mut tool = at(&service);
        tool.timeout = Duration::from_millis(300);
        let result = Call::of(tool).run(&*allowing(&[service.address])).await;
        // Without a head the slow bytes are soon invalid HTTP; either way it ends.
        let expected = [
            Failure::Timeout,
            failed("the connection to the service broke", true),
        ];
        assert!(expected.contains(&result.unwrap_err()), "{head:?}");
    }
}

#[tokio::test]
async fn a_cancelled_call_does_not_wait_for_the_service() {
    let mut service = Service::with(|stream| async move {
        let _held = stream;
        std::future::pending::<()>().await;
    })
    .await;
    let call = Call::of(at(&service));
    let cancel = call.cancel.clone();
    let executor = allowing(&[service.address]);
    let (result, ()) = tokio::join!(call.run(&*executor), async {
        service.requests.recv().await.unwrap();
        cancel.cancel();
    });
    assert_eq!(result.unwrap_err(), Failure::Cancelled);
}

#[tokio::test]
async fn case_40_an_internal_service_without_permission_is_not_called() {
    let service = Service::answering(answer(GOOD, "hello")).await;
    let port = service.address.port();
    for url in [
        format!("http://127.0.0.1:{port}/"),
        format!("https://127.0.0.1:{port}/"),
        format!("https://localhost:{port}/"),
        format!("https://[::ffff:127.0.0.1]:{port}/"),
        format!("https://2130706433:{port}/"),
    ] {
        let result = Call::of(service_tool(&url)).run(&*allowing(&[])).await;
        assert!(
            matches!(result, Err(Failure::Unavailable { .. })),
            "{url}: {result:?}"
        );
    }
    assert_eq!(service.asked(), 0);
}

#[tokio::test]
async fn case_41_a_redirect_is_not_followed() {
    let inside = Service::answering(answer(GOOD, "secret")).await;
    for status in [
        "301 Moved",
        "302 Found",
        "303 See Other",
        "307 Again",
        "308 Moved",
    ] {
        let location = format!("{status}\r\nLocation: http://{}/", inside.address);
        let service = Service::answering(answer(&location, "")).await;
        // Even where the other end would be allowed.
        let executor = allowing(&[service.address, inside.address]);
        let result = Call::of(at(&service)).run(&*executor).await;
        let reason = "the service pointed elsewhere, which is not followed";
        assert_eq!(result.unwrap_err(), failed(reason, false));
    }
    assert_eq!(inside.asked(), 0);
}

/// Returns another address each time.
#[derive(Debug)]
struct Rebinding {
    asked: AtomicUsize,
}

#[async_trait]
impl Resolve for Rebinding {
    async fn resolve(&self, _host: &str) -> io::Result<Vec<IpAddr>> {
        let count = self.asked.fetch_add(1, Ordering::SeqCst);
        let last = if count == 0 { 1 } else { 2 };
        Ok(vec![IpAddr::from([127, 0, 0, last])])
    }
}

#[tokio::test]
async fn case_41_the_connection_goes_where_the_check_looked() {
    let good = Service::answering(answer(GOOD, "hello")).await;
    let port = good.address.port();
    let other = TcpListener::bind(("127.0.0.2", port)).await.unwrap();
    let resolver = Arc::new(Rebinding {
        asked: AtomicUsize::new(0),
    });
    let host = format!("ocr.example:{port}").parse().unwrap();
    let executor = HttpExecutor::new(EgressGuard::new(resolver.clone(), [host]));
    let call = Call::of(service_tool(&format!("http://ocr.example:{port}/")));
    assert_eq!(call.text(&*executor).await.unwrap(), "hello");
    assert_eq!(resolver.asked.load(Ordering::SeqCst), 1);
    assert_eq!(good.asked(), 1);
    drop(other);
}

/// The test runs itself again with the variables set: a process may not change its own safely.
#[tokio::test]
async fn case_41_a_proxy_of_the_environment_is_ignored() {
    const TARGET: &str = "PROLIFERATE_TEST_PROXY_TARGET";
    if let Ok(target) = std::env::var(TARGET) {
        let address: SocketAddr = target.parse().unwrap();
        let call = Call::of(service_tool(&format!("http://{address}/")));
        assert_eq!(call.text(&*allowing(&[address])).await.unwrap(), "direct");
        return;
    }
    let service = Service::answering(answer(GOOD, "direct")).await;
    let proxy = Service::answering(answer(GOOD, "through the proxy")).await;
    let url = format!("http://{}", proxy.address);
    let mut again = tokio::process::Command::new(std::env::current_exe().unwrap());
    again
        .args([
            "--exact",
            "http::case_41_a_proxy_of_the_environment_is_ignored",
        ])
        .env(TARGET, service.address.to_string())
        .stdout(Stdio::null())
        .kill_on_drop(true);
    for name in [
        "HTTP_PROXY",
        "http_proxy",
        "HTTPS_PROXY",
        "https_proxy",
        "ALL_PROXY",
        "all_proxy",
    ] {
        again.env(name, &url);
    }
    for name in ["NO_PROXY", "no_proxy"] {
        again.env_remove(name);
    }
    assert!(again.status().await.unwrap().success());
    assert_eq!((service.asked(), proxy.asked()), (1, 0));
}
