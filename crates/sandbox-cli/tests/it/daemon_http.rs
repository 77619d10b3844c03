//! The daemon's HTTP: who may ask, what is bounded, and how it says no.

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
    time::Duration,
};

use insta::assert_json_snapshot;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{program::TOKEN, sandbox::Sandbox};

const ROUTES: &[(&str, &str)] = &[
    ("GET", "/api/auth/check"),
    ("GET", "/api/services"),
    ("POST", "/api/services"),
    ("DELETE", "/api/services/web"),
    ("POST", "/api/services/web/restart"),
    ("GET", "/api/logs/web"),
    ("POST", "/api/expose"),
    ("GET", "/api/git/repos"),
    ("GET", "/api/git/status"),
    ("GET", "/api/git/diff"),
    ("GET", "/api/files"),
    ("GET", "/api/files/content?path=x"),
    ("PUT", "/api/files/content?path=x"),
    ("GET", "/api/terminal"),
    ("GET", "/api/nowhere"),
];

#[tokio::test]
async fn requests_without_the_token_are_refused() {
    let sandbox = Sandbox::start();
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let almost = format!("Bearer {}!", &TOKEN[..TOKEN.len() - 1]);
    for (method, path) in ROUTES {
        for header in [
            None,
            Some("Bearer "),
            Some("Basic abc"),
            Some(TOKEN),
            Some(almost.as_str()),
        ] {
            let url = format!("{}{path}", sandbox.url);
            let mut request = client.request(method.parse().unwrap(), url);
            if let Some(header) = header {
                request = request.header("authorization", header);
            }
            let response = request.send().await.unwrap();
            assert_eq!(response.status(), 401, "{method} {path} {header:?}");
            assert_eq!(response.headers()["www-authenticate"], "Bearer");
        }
    }
    let health = client
        .get(format!("{}/api/health", sandbox.url))
        .send()
        .await
        .unwrap();
    assert_eq!(
        health.json::<Value>().await.unwrap(),
        json!({"status": "ok"})
    );
    let (status, _) = sandbox.get("/api/auth/check").await;
    assert_eq!(status, 200);
}

#[tokio::test]
async fn a_token_in_a_file_is_good_as_long_as_it_is_there() {
    let mut sandbox = Sandbox::bare();
    let file = sandbox.outside("token");
    std::fs::write(&file, TOKEN).unwrap();
    let mut command = sandbox.daemon_command("127.0.0.1:0", &[]);
    command
        .env("SANDBOX_MCP_AUTH_TOKEN_FILE", &file)
        .env_remove("SANDBOX_MCP_AUTH_TOKEN");
    let mut daemon = command.spawn().unwrap();
    let ready = crate::sandbox::ready(&mut daemon);
    sandbox.url = format!("http://{}", ready["listening"].as_str().unwrap());
    let before = sandbox.get("/api/auth/check").await.0;
    std::fs::write(&file, "sbx_of-the-next-boot").unwrap();
    let after = sandbox.get("/api/auth/check").await.0;
    std::fs::remove_file(&file).unwrap();
    let gone = sandbox.get("/api/auth/check").await.0;
    daemon.kill().unwrap();
    daemon.wait().unwrap();
    assert_eq!((before, after, gone), (200, 401, 401));
}

#[tokio::test]
async fn problems_are_those_of_the_project() {
    let sandbox = Sandbox::start();
    let mut seen = Vec::new();
    for (method, path, body) in [
        (Method::GET, "/api/nowhere", None),
        (Method::POST, "/api/health", None),
        (Method::DELETE, "/api/services/none", None),
        (
            Method::POST,
            "/api/services",
            Some("{\"name\": \"a\", \"name\": \"b\"}"),
        ),
        (Method::POST, "/api/services", Some("{\"name\": \"a\"}")),
        (
            Method::POST,
            "/api/services",
            Some("{\"name\": \"\", \"command\": \"true\"}"),
        ),
        (Method::POST, "/api/expose", Some("{\"port\": 70000}")),
        (Method::GET, "/api/files?path=../x", None),
        (Method::GET, "/api/files/content?path=none", None),
        (Method::GET, "/api/git/status?repo=bm9uZQ", None),
        (Method::GET, "/api/logs/none?follow=maybe", None),
        (Method::GET, "/api/terminal", None),
    ] {
        let mut request = sandbox.ask(method.clone(), path);
        if let Some(body) = body {
            request = request.body(body);
        }
        let response = request.send().await.unwrap();
        assert_eq!(
            response.headers()["content-type"],
            "application/problem+json"
        );
        let asked = format!("{method} {path} {}", body.unwrap_or_default());
        let mut problem: Value = response.json().await.unwrap();
        assert!(
            problem["request_id"]
                .as_str()
                .is_some_and(|id| id.len() == 32)
        );
        problem["request_id"] = json!("[id]");
        seen.push(json!({"asked": asked.trim_end(), "problem": problem}));
    }
    assert_json_snapshot!("problems", seen);
}

#[tokio::test]
async fn bodies_and_heads_are_bounded() {
    let sandbox = Sandbox::start();
    let large = sandbox
        .ask(Method::POST, "/api/expose")
        .body(vec![b' '; 1024 * 1024 + 1]);
    assert_eq!(large.send().await.unwrap().status(), 413);
    let file = sandbox
        .ask(Method::PUT, "/api/files/content?path=f")
        .body(vec![0; 8 * 1024 * 1024 + 1]);
    // Refused while it is sent, so the answer may not come through.
    assert!(
        file.send()
            .await
            .map_or(true, |response| response.status() == 413)
    );
    assert!(!sandbox.workspace().join("f").exists());

    let address = sandbox.url.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_mins(1)))
        .unwrap();
    let _ = stream.write_all(
        format!(
            "GET /api/health HTTP/1.1\r\nx: {}\r\n\r\n",
            "y".repeat(200_000)
        )
        .as_bytes(),
    );
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    assert!(
        !answer.starts_with(b"HTTP/1.1 200"),
        "{}",
        String::from_utf8_lossy(&answer)
    );
    assert_eq!(sandbox.get("/api/auth/check").await.0, 200);
}

#[tokio::test]
async fn files_are_listed_read_and_written_below_the_workspace_alone() {
    use std::os::unix::fs::symlink;
    let sandbox = Sandbox::start();
    let workspace = sandbox.workspace();
    std::fs::write(sandbox.outside("secret"), "secret").unwrap();
    symlink("../secret", workspace.join("link")).unwrap();
    symlink("/", workspace.join("root")).unwrap();
    std::fs::hard_link(sandbox.outside("secret"), workspace.join("hard")).unwrap();

    let bytes: Vec<u8> = (0..=255).collect();
    let put = sandbox
        .ask(Method::PUT, "/api/files/content?path=a/b%20c.bin")
        .body(bytes.clone());
    assert_eq!(
        put.send().await.unwrap().json::<Value>().await.unwrap(),
        json!({"path": "a/b c.bin", "size": 256})
    );
    let got = sandbox
        .ask(Method::GET, "/api/files/content?path=a/b+c.bin")
        .send()
        .await
        .unwrap();
    assert_eq!(got.bytes().await.unwrap(), bytes);
    let (_, list) = sandbox.get("/api/files").await;
    let shown: Vec<_> = list["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            (
                entry["name"].as_str().unwrap(),
                entry["type"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            ("a", "directory"),
            ("hard", "file"),
            ("link", "link"),
            ("root", "link")
        ]
    );

    for path in [
        "../secret",
        "%2e%2e/secret",
        "link",
        "hard",
        "root/etc/passwd",
        "/etc/passwd",
        "a/../../secret",
    ] {
        let got = sandbox
            .ask(Method::GET, &format!("/api/files/content?path={path}"))
            .send()
            .await
            .unwrap();
        assert!(
            [400, 403].contains(&got.status().as_u16()),
            "{path}: {}",
            got.status()
        );
        assert!(!got.text().await.unwrap().contains("root:x"), "{path}");
        let put = sandbox
            .ask(Method::PUT, &format!("/api/files/content?path={path}"))
            .body("x");
        let status = put.send().await.unwrap().status();
        assert!(!status.is_success() || path == "hard", "{path}: {status}");
        let (status, _) = sandbox.get(&format!("/api/files?path={path}")).await;
        assert_ne!(status, 200, "{path}");
    }
    assert_eq!(std::fs::read(sandbox.outside("secret")).unwrap(), b"secret");
}

#[tokio::test]
async fn the_preview_carries_to_the_exposed_port() {
    let sandbox = Sandbox::start();
    let client = reqwest::Client::builder()
        .no_proxy()
        .timeout(Duration::from_mins(1))
        .build()
        .unwrap();
    let app = axum::Router::new().route("/hello", axum::routing::get(|| async { "from inside" }));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = tokio::spawn(async move { axum::serve(listener, app).await });

    let exposed = sandbox
        .run(&["services", "expose", "--port", &port.to_string()])
        .await;
    assert_eq!(exposed, json!({"success": true, "exposedPort": port}));
    let hello = format!("{}/hello", sandbox.preview);
    assert_eq!(
        client
            .get(&hello)
            .send()
            .await
            .unwrap()
            .text()
            .await
            .unwrap(),
        "from inside"
    );

    server.abort();
    let _ = server.await;
    let client = reqwest::Client::builder()
        .no_proxy()
        .timeout(Duration::from_mins(1))
        .build()
        .unwrap();
    let gone = client.get(&hello).send().await.unwrap();
    assert_eq!(gone.status(), 502);

    for own in [&sandbox.url, &sandbox.preview] {
        let port = own.rsplit_once(':').unwrap().1;
        let refused = sandbox
            .program(&["services", "expose", "--port", port])
            .finish()
            .await;
        refused
            .ended(2)
            .said("The daemon itself listens on that port.");
    }
}
