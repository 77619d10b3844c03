//! Clients that hold what they were given: bodies that do not come, answers that do not end. Whatever one session, one
//! person or one organization holds, the others are served.

use std::{fmt::Write as _, time::Duration};

use app::models::ModelCapacities;
use axum::body::Body;
use domain::{
    capacity::CapacityLimits,
    id::SessionId,
    limits::{MODEL_CALLS, MODEL_REQUEST_BYTES_MAX},
};
use serde_json::{Value, json};
use testkit::{
    app::{Client, Person, Served, TestApp, TestResponse},
    database::Backend,
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};
use tokio_util::sync::CancellationToken;

use crate::{
    models::{Canned, MESSAGES, Provider, ask, asked, error},
    support::{SESSIONS, id},
};

/// Long enough for anything that should happen.
const SOON: Duration = Duration::from_mins(1);

/// A request whose body is announced and not sent.
struct Idle {
    stream: TcpStream,
    /// 100 once its body is waited for, else how it was refused.
    status: u16,
    text: String,
}

impl Idle {
    async fn open(served: &Served, path: &str, headers: &[(&str, &str)], length: usize) -> Self {
        let mut stream = TcpStream::connect(served.address).await.unwrap();
        let (method, path) = path.split_once(' ').unwrap();
        let mut head = format!(
            "{method} {path} HTTP/1.1\r\nhost: gateway\r\ncontent-length: {length}\r\nexpect: 100-continue\r\n"
        );
        for (name, value) in headers {
            _ = write!(head, "{name}: {value}\r\n");
        }
        head.push_str("\r\n");
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut idle = Self {
            stream,
            status: 0,
            text: String::new(),
        };
        idle.answered().await;
        idle
    }

    /// The next answer: its head, and what comes with it.
    async fn answered(&mut self) {
        let mut bytes = vec![0; 16 * 1024];
        let read = self.stream.read(&mut bytes);
        let count = tokio::time::timeout(SOON, read).await.unwrap().unwrap();
        self.text = String::from_utf8_lossy(&bytes[..count]).into_owned();
        let status = self
            .text
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        self.status = status.unwrap_or(0);
    }
}

/// So many of them at once, with how many are waited for and the first that was refused.
async fn flood(
    served: &Served,
    count: usize,
    path: &str,
    headers: &[(&str, &str)],
    length: usize,
) -> (Vec<Idle>, Option<Idle>) {
    let (mut held, mut refused) = (Vec::new(), None);
    for _ in 0..count {
        let idle = Idle::open(served, path, headers, length).await;
        if idle.status == 100 {
            held.push(idle);
        } else {
            refused = Some(idle);
        }
    }
    (held, refused)
}

fn bearer(token: &str) -> String {
    format!("Bearer {token}")
}

async fn session_of(client: &Client, body: Value) -> SessionId {
    let made = client.post(SESSIONS, body).await.expect(201);
    id(&made).parse().unwrap()
}

async fn key_of(app: &TestApp, client: &Client) -> String {
    let id = session_of(client, json!({})).await;
    app.model_key(id).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bodies_that_do_not_come_stop_no_other_session_s_model() {
    let provider = Provider::start().await;
    let app = TestApp::builder(Backend::Sqlite)
        .model(&provider.url)
        .start()
        .await;
    let served = app.serve().await;
    let attacker = key_of(&app, &app.owner()).await;
    let neighbour = key_of(&app, &app.owner()).await;
    let foreigner = key_of(&app, &app.foreigner()).await;
    let path = format!("POST {MESSAGES}");
    let headers = [
        ("x-api-key", attacker.as_str()),
        ("content-type", "application/json"),
    ];
    // As many of the largest as there was memory for.
    let (held, _) = flood(&served, 32, &path, &headers, MODEL_REQUEST_BYTES_MAX).await;
    assert!(held.len() > 1);
    asked(&app, &neighbour, &ask()).await.expect(200);
    asked(&app, &foreigner, &ask()).await.expect(200);
    asked(&app, &attacker, &ask()).await.expect(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bytes_that_came_are_of_the_session_that_sent_them() {
    const MIB: u64 = 1024 * 1024;
    let provider = Provider::start().await;
    let capacities = ModelCapacities {
        request_bytes: CapacityLimits {
            what: "memory for requests to the model",
            total: 16 * MIB,
            per_organization: 8 * MIB,
            per_holder: 4 * MIB,
            floor: MIB,
        },
        ..ModelCapacities::default()
    };
    let app = TestApp::builder(Backend::Sqlite)
        .model(&provider.url)
        .model_capacities(capacities)
        .start()
        .await;
    let (attacker, foreigner) = (
        key_of(&app, &app.owner()).await,
        key_of(&app, &app.foreigner()).await,
    );
    let mut large = ask();
    large["messages"][0]["content"] = json!("x".repeat(5 * 1024 * 1024));
    let refused = asked(&app, &attacker, &large).await;
    assert_eq!(refused.header("retry-after"), Some("1"));
    let told = error(&refused, 429);
    let sentence =
        "this session has its share of this instance's memory for requests to the model already";
    assert!(
        told["message"].as_str().unwrap().starts_with(sentence),
        "{told}"
    );
    large["messages"][0]["content"] = json!("x".repeat(1024 * 1024));
    asked(&app, &attacker, &large).await.expect(200);
    asked(&app, &foreigner, &large).await.expect(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn uploads_that_stall_stop_no_other_s() {
    let app = TestApp::builder(Backend::Sqlite)
        .options(|options| options.uploads_at_once_max = 16)
        .start()
        .await;
    let served = app.serve().await;
    for client in [app.owner(), app.foreigner()] {
        client
            .post("/v1/cases", json!({"id": "CASE-1"}))
            .await
            .expect(201);
    }
    let session = session_of(&app.owner(), json!({})).await;
    let other = session_of(&app.owner(), json!({})).await;
    let token = bearer(&app.sandbox_token(session).await);
    let path = format!("POST /v1/artifacts?sessionId={session}&kind=document");
    let headers = [
        ("authorization", token.as_str()),
        ("content-type", "text/plain"),
    ];
    let (held, refused) = flood(&served, 16, &path, &headers, 1000).await;
    assert_eq!(held.len(), 4);
    let refused = refused.unwrap();
    assert_eq!(refused.status, 429, "{}", refused.text);
    assert!(
        refused.text.contains("this session has its share"),
        "{}",
        refused.text
    );
    assert!(refused.text.contains("retry-after: 1"), "{}", refused.text);
    let uploaded = |client: Client, query: String| async move {
        let call = client.call(
            reqwest::Method::POST,
            &format!("/v1/artifacts?{query}&kind=document"),
        );
        call.body("text/plain", Body::from("small"))
            .await
            .expect(201)
    };
    uploaded(app.foreigner(), "caseId=CASE-1".to_owned()).await;
    uploaded(app.sandbox(other).await, format!("sessionId={other}")).await;
    // The released capacity is available again.
    drop(held);
    let again = async {
        while Idle::open(&served, &path, &headers, 1000).await.status != 100 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(SOON, again).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pushes_that_stall_stop_no_other_organization_s() {
    let app = TestApp::start(Backend::Sqlite).await;
    let served = app.serve().await;
    let place = |client: Client| {
        let app = &app;
        async move {
            let body = json!({"name": "acme/web", "url": "https://github.com/acme/web", "source": "github",
                "push": "branches"});
            let repo = id(&client.post("/v1/repos", body).await.expect(201));
            let body = json!({"name": "web", "repoIds": [repo]});
            let configuration = id(&client.post("/v1/configurations", body).await.expect(201));
            let session = session_of(&client, json!({"configurationId": configuration})).await;
            let token = bearer(&app.sandbox_token(session).await);
            (
                format!("POST /proliferate/{session}/git/{repo}/git-receive-pack"),
                token,
            )
        }
    };
    let (path, token) = place(app.owner()).await;
    let kind = ("content-type", "application/x-git-receive-pack-request");
    let headers = [("authorization", token.as_str()), kind];
    let (held, refused) = flood(&served, 64, &path, &headers, 1000).await;
    assert_eq!(held.len(), 8);
    let refused = refused.unwrap();
    assert_eq!(refused.status, 429, "{}", refused.text);
    let (path, token) = place(app.foreigner()).await;
    let headers = [("authorization", token.as_str()), kind];
    let foreign = Idle::open(&served, &path, &headers, 1000).await;
    assert_eq!(foreign.status, 100, "{}", foreign.text);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_that_do_not_end_stop_no_other_organization_s_model() {
    let provider = Provider::start().await;
    let calls = CapacityLimits {
        total: 4,
        per_organization: 2,
        per_holder: 2,
        floor: 1,
        ..MODEL_CALLS
    };
    let capacities = ModelCapacities {
        calls,
        ..ModelCapacities::default()
    };
    let app = TestApp::builder(Backend::Sqlite)
        .model(&provider.url)
        .model_capacities(capacities)
        .start()
        .await;
    let attacker = key_of(&app, &app.owner()).await;
    let neighbour = key_of(&app, &app.owner()).await;
    let foreigner = key_of(&app, &app.foreigner()).await;
    let mut held = Vec::new();
    for count in 1..=2 {
        let gone = CancellationToken::new();
        provider.next(Canned::Never(gone.clone()));
        let call = app
            .anonymous()
            .post(MESSAGES, ask())
            .header("x-api-key", &attacker);
        held.push((tokio::spawn(async move { call.await }), gone));
        let arrived = async {
            while provider.requests().len() < count {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(SOON, arrived).await.unwrap();
    }
    let told = |answer: &TestResponse| error(answer, 429)["message"].as_str().unwrap().to_owned();
    let refused = asked(&app, &attacker, &ask()).await;
    assert!(told(&refused).starts_with("this session has its share"));
    // The organization has its half; what is left is for others.
    let refused = asked(&app, &neighbour, &ask()).await;
    assert!(
        told(&refused).starts_with("this organization has its share"),
        "{}",
        told(&refused)
    );
    asked(&app, &foreigner, &ask()).await.expect(200);
    for (call, gone) in held {
        call.abort();
        tokio::time::timeout(SOON, gone.cancelled()).await.unwrap();
    }
    let again = async {
        while asked(&app, &neighbour, &ask()).await.status != 200 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(SOON, again).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_that_stall_stop_no_other_organization() {
    let app = TestApp::builder(Backend::Sqlite)
        .options(|options| options.requests_in_flight_max = 16)
        .start()
        .await;
    let served = app.serve().await;
    let token = bearer(&app.user_token(Person::Owner));
    let headers = [
        ("authorization", token.as_str()),
        ("content-type", "application/json"),
    ];
    let (held, refused) = flood(&served, 16, "POST /v1/cases", &headers, 1000).await;
    assert_eq!(held.len(), 4);
    let refused = refused.unwrap();
    assert_eq!(refused.status, 429, "{}", refused.text);
    assert!(
        refused.text.contains("this user has its share"),
        "{}",
        refused.text
    );
    app.foreigner().get("/v1/me").await.expect(200);
    app.member().get("/v1/me").await.expect(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_that_comes_too_slowly_ends_with_408() {
    let provider = Provider::start().await;
    let app = TestApp::builder(Backend::Sqlite)
        .model(&provider.url)
        .options(|options| {
            options.body_grace = Duration::from_millis(300);
            options.upload_pause_max = Duration::from_millis(300);
        })
        .start()
        .await;
    let served = app.serve().await;
    app.owner()
        .post("/v1/cases", json!({"id": "CASE-1"}))
        .await
        .expect(201);
    let key = key_of(&app, &app.owner()).await;
    let owner = bearer(&app.user_token(Person::Owner));
    let json = ("content-type", "application/json");
    let sentence = "the body was sent too slowly: less than 8 KiB a second";
    for (path, who, code) in [
        (
            "POST /v1/cases",
            ("authorization", owner.as_str()),
            "BODY_TOO_SLOW",
        ),
        (
            "POST /v1/tool-calls",
            ("authorization", owner.as_str()),
            "BODY_TOO_SLOW",
        ),
        (
            "POST /v1/artifacts?caseId=CASE-1&kind=document",
            ("authorization", owner.as_str()),
            "BODY_TOO_SLOW",
        ),
        (
            "POST /llm/anthropic/v1/messages",
            ("x-api-key", key.as_str()),
            "timeout_error",
        ),
    ] {
        let mut idle = Idle::open(&served, path, &[who, json], 1000).await;
        assert_eq!(idle.status, 100, "{path}: {}", idle.text);
        // A beginning does not help.
        idle.stream.write_all(b"{").await.unwrap();
        idle.answered().await;
        assert_eq!(idle.status, 408, "{path}: {}", idle.text);
        assert!(idle.text.contains(sentence), "{path}: {}", idle.text);
        assert!(idle.text.contains(code), "{path}: {}", idle.text);
        assert!(
            idle.text.contains("retry-after: 1"),
            "{path}: {}",
            idle.text
        );
    }
    // Too large is said at once, and nothing of it is waited for.
    let headers = [("x-api-key", key.as_str()), json];
    let path = format!("POST {MESSAGES}");
    let large = Idle::open(&served, &path, &headers, MODEL_REQUEST_BYTES_MAX + 1).await;
    assert_eq!(large.status, 413);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_that_trickles_ends_although_it_never_pauses_for_long() {
    let app = TestApp::start(Backend::Sqlite).await;
    let served = app.serve().await;
    let owner = bearer(&app.user_token(Person::Owner));
    let headers = [
        ("authorization", owner.as_str()),
        ("content-type", "application/json"),
    ];
    let mut idle = Idle::open(&served, "POST /v1/cases", &headers, 1000).await;
    assert_eq!(idle.status, 100);
    let trickle = async {
        loop {
            let mut byte = [0];
            tokio::select! {
                _ = idle.stream.peek(&mut byte) => return,
                () = tokio::time::sleep(Duration::from_millis(20)) => {}
            }
            // Each byte four seconds after the one before it.
            app.clock.advance(Duration::from_secs(4));
            if idle.stream.write_all(b" ").await.is_err() {
                return;
            }
        }
    };
    tokio::time::timeout(SOON, trickle).await.unwrap();
    idle.answered().await;
    assert_eq!(idle.status, 408, "{}", idle.text);
}
