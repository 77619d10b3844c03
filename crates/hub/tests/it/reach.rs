//! The way into a real sandbox from outside: git through the stream, a terminal, a preview.

use domain::role::Role;
use futures::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use testkit::{
    app::{Person, Served},
    database::Backend,
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    time::timeout,
};
use tokio_tungstenite::{
    WebSocketStream, client_async,
    tungstenite::{Error, Message, client::IntoClientRequest as _},
};

use crate::{
    agent::PATIENCE,
    repos::Scene,
    stage::{answers, bash, eventually},
};

type Socket = WebSocketStream<TcpStream>;

/// Whose session it is: an administrator, at first.
const MAKER: Person = Person::Admin;

async fn connect(served: &Served, path: &str, token: &str) -> Result<Socket, Error> {
    let url = format!("ws://{}{path}", served.address);
    let mut request = url.into_client_request().unwrap();
    let token = format!("Bearer {token}").parse().unwrap();
    request.headers_mut().insert("authorization", token);
    let stream = TcpStream::connect(served.address).await.unwrap();
    client_async(request, stream)
        .await
        .map(|(socket, _)| socket)
}

/// Says something, and gives the answer of this type.
async fn ask(socket: &mut Socket, frame: Value, kind: &str) -> Value {
    socket.send(Message::text(frame.to_string())).await.unwrap();
    let answer = async {
        loop {
            let Message::Text(text) = socket.next().await.unwrap().unwrap() else {
                continue;
            };
            let frame: Value = serde_json::from_str(&text).unwrap();
            if frame["type"] == kind {
                return frame["payload"].clone();
            }
            assert_ne!(frame["type"], "error", "{frame}");
        }
    };
    timeout(PATIENCE, answer).await.expect(kind)
}

/// A server that says what it was asked, on a port that is free.
async fn server() -> (u16, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let program = r#"$s=IO::Socket::INET->new(LocalAddr=>"127.0.0.1",LocalPort=>PORT,Listen=>5,ReuseAddr=>1); while($c=$s->accept){my $h=""; while(<$c>){last if /^\r?\n$/; $h.=$_} if($h=~/^upgrade:/mi){syswrite($c,"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nhello"); while(sysread($c,my $b,100)){syswrite($c,$b)} close $c; next} print $c "HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\nhello from inside\n$h"; close $c}"#;
    let program = program.replace("PORT", &port.to_string());
    (port, format!("perl -MIO::Socket::INET -e '{program}'"))
}

async fn people_reach_into_a_sandbox(backend: Backend) {
    let scene = Scene::set(backend).await;
    let configuration = scene.configuration("acme/web").await;
    let connection = scene.connection().await;
    let body = json!({"configurationId": configuration, "integrationIds": [connection]});
    let stage = &scene.stage;
    let made = stage.app.person(MAKER).post("/proliferate/sessions", body);
    let made = made.await.expect(201)["sessionId"].clone();
    let session = made.as_str().unwrap().parse().unwrap();
    let owner = stage.app.owner();
    let status = format!("/proliferate/{session}/git/status");
    // A user who only looks wakes no agent.
    owner.get(&status).await.expect_problem(409, "CONFLICT");
    let (port, command) = server().await;
    // In a file: quotes within quotes are hard to read.
    let start = bash(&format!(
        "cat > ../serve.sh <<'END'\n{command}\nEND\necho change >> README.md; echo new > new.txt; \
         proliferate services start --name web --command 'exec sh /home/user/serve.sh' && \
         proliferate services expose --port {port}"
    ));
    let hub = stage.hub.clone();
    let frames = stage
        .say(&hub, session, &format!("{start}\nSAY Done."))
        .await;
    let told = answers(&frames).join("\n");
    assert!(told.contains("exposedPort"), "{told}");

    looks_and_changes(&scene, &session.to_string()).await;
    types_in_a_terminal(&scene, &session.to_string()).await;
    looks_at_the_preview(&scene, &session.to_string(), port).await;
    waits_for_approval_once_no_admin(&scene, &session.to_string()).await;
    hub.fleet.close().await;
}

async fn looks_and_changes(scene: &Scene, session: &str) {
    let stage = &scene.stage;
    let owner = stage.app.owner();
    let served = stage.app.serve_hub(stage.hub.clone()).await;
    let state = owner
        .get(&format!("/proliferate/{session}/git/status"))
        .await
        .expect(200);
    assert_eq!(
        (&state["branch"], &state["unstagedChanges"]),
        (&json!("main"), &json!(["README.md"]))
    );
    assert_eq!(state["untrackedFiles"], json!(["new.txt"]), "{state}");
    let diff = owner
        .get(&format!("/proliferate/{session}/git/diff"))
        .await
        .expect(200);
    assert!(diff["diff"].as_str().unwrap().contains("+change"), "{diff}");
    let out = format!("/proliferate/{session}/git/diff?path=../../etc/passwd");
    owner.get(&out).await.expect_problem(400, "INVALID_REQUEST");
    stage
        .app
        .foreigner()
        .get(&format!("/proliferate/{session}/git/diff"))
        .await
        .expect(404);

    let token = stage.app.user_token(MAKER);
    let mut socket = connect(&served, &format!("/proliferate/{session}"), &token)
        .await
        .unwrap();
    let branch = json!({"type": "git_create_branch", "branchName": "fix"});
    let result = ask(&mut socket, branch, "git_result").await;
    assert_eq!(result["code"], "SUCCESS", "{result}");
    let commit = json!({"type": "git_commit", "message": "Fix it", "includeUntracked": true});
    let result = ask(&mut socket, commit, "git_result").await;
    assert_eq!(result["code"], "SUCCESS", "{result}");
    let state = ask(&mut socket, json!({"type": "get_git_status"}), "git_status").await;
    assert_eq!(
        (&state["branch"], &state["commits"][0]["message"]),
        (&json!("fix"), &json!("Fix it"))
    );
    // An administrator who names another branch than the sandbox reports approves nothing.
    let unseen = json!({"type": "git_create_pr", "title": "Unseen", "branch": "main"});
    let result = ask(&mut socket, unseen, "git_result").await;
    assert_eq!(result["code"], "AWAITING_APPROVAL", "{result}");
    assert_eq!(scene.server.pulls().len(), 0);
    let waiting = owner.get("/v1/actions?status=pending").await.expect(200);
    let id = waiting["invocations"][0]["id"].as_str().unwrap();
    let deny = format!("/proliferate/{session}/actions/invocations/{id}/deny");
    owner.post(&deny, json!({})).await.expect(200);
    let request =
        json!({"type": "git_create_pr", "branch": "fix", "title": "Fix it", "body": "Because."});
    let result = ask(&mut socket, request, "git_result").await;
    assert_eq!(
        result["prUrl"], "https://github.com/acme/web/pull/1",
        "{result}"
    );
    assert_eq!(
        scene
            .server
            .says("acme/web", &["log", "-1", "--format=%s", "fix"]),
        "Fix it\n"
    );
    assert_eq!(scene.server.pulls()[0]["title"], "Fix it");
    let run = json!({"type": "run_auto_start", "runId": "0192f0c1-2345-7abc-8def-0123456789ab",
        "commands": [{"name": "t", "command": "pwd; exit 3"}]});
    let output = ask(&mut socket, run, "auto_start_output").await;
    let entry = &output["entries"][0];
    assert_eq!(
        (&entry["exitCode"], &entry["output"]),
        (&json!(3), &json!("/home/user/workspace\n"))
    );
    stage
        .app
        .person(MAKER)
        .call(
            reqwest::Method::POST,
            &format!("/proliferate/{session}/heartbeat"),
        )
        .await
        .expect(204);
}

/// A member who may not approve a pull request is told that it waits, and it is opened when an admin approves it.
async fn waits_for_approval_once_no_admin(scene: &Scene, session: &str) {
    let stage = &scene.stage;
    let mut tx = stage.app.database.db.write().await.unwrap();
    let (organization, now) = (&stage.app.acme, stage.app.app.now());
    store::member_upsert(&mut tx, organization, &MAKER.user_id(), Role::Member, now)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let served = stage.app.serve_hub(stage.hub.clone()).await;
    let (path, token) = (
        format!("/proliferate/{session}"),
        stage.app.user_token(MAKER),
    );
    let mut socket = connect(&served, &path, &token).await.unwrap();
    let branch = json!({"type": "git_create_branch", "branchName": "again"});
    ask(&mut socket, branch, "git_result").await;
    let request = json!({"type": "git_create_pr", "branch": "again", "title": "Once more"});
    let result = ask(&mut socket, request, "git_result").await;
    assert_eq!(
        (&result["success"], &result["code"]),
        (&json!(false), &json!("AWAITING_APPROVAL")),
        "{result}"
    );
    assert_eq!(scene.server.pulls().len(), 1, "no admin has approved it");
    let owner = stage.app.owner();
    let waiting = owner.get("/v1/actions?status=pending").await.expect(200);
    let id = waiting["invocations"][0]["id"].as_str().unwrap();
    let message = result["message"].as_str().unwrap();
    assert!(message.contains(id), "{message} does not name {id}");
    let approve = format!("/proliferate/{session}/actions/invocations/{id}/approve");
    let seen = json!({"callSha256": waiting["invocations"][0]["callSha256"]});
    owner.post(&approve, seen).await.expect(200);
    assert_eq!(scene.server.pulls()[1]["title"], "Once more");
}

async fn types_in_a_terminal(scene: &Scene, session: &str) {
    let stage = &scene.stage;
    let served = stage.app.serve_hub(stage.hub.clone()).await;
    let path = format!("/proliferate/{session}/terminal");
    // Others of the organization may watch, and not type.
    for (person, status) in [(Person::Member, 403), (Person::Foreigner, 404)] {
        let token = stage.app.user_token(person);
        let Err(Error::Http(answer)) = connect(&served, &path, &token).await else {
            panic!("it is open");
        };
        assert_eq!(answer.status().as_u16(), status);
    }
    let token = stage.app.user_token(MAKER);
    let mut socket = connect(&served, &path, &token).await.unwrap();
    let size = json!({"type": "resize", "cols": 100, "rows": 30}).to_string();
    socket.send(Message::text(size)).await.unwrap();
    socket
        .send(Message::text("echo $((40 + 2)); pwd; exit 5\r"))
        .await
        .unwrap();
    let (mut printed, mut last) = (String::new(), Value::Null);
    let heard = async {
        while let Some(Ok(frame)) = socket.next().await {
            match frame {
                Message::Binary(bytes) => printed += &String::from_utf8_lossy(&bytes),
                Message::Text(text) => last = serde_json::from_str(&text).unwrap(),
                Message::Close(_) => return,
                _ => {}
            }
        }
    };
    timeout(PATIENCE, heard).await.expect("the shell ends");
    assert!(
        printed.contains("42") && printed.contains("/home/user/workspace"),
        "{printed}"
    );
    assert_eq!(last, json!({"type": "exit", "code": 5}));
}

async fn looks_at_the_preview(scene: &Scene, session: &str, port: u16) {
    let owner = scene.stage.app.owner();
    let path = format!("/proliferate/{session}/preview/{port}/a%20b/c?d=1");
    eventually("the server answers", async || {
        owner.get(&path).await.status == 200
    })
    .await;
    let seen = owner
        .get(&path)
        .header("cookie", "session=of-the-gateway")
        .await;
    let text = seen.text();
    assert!(
        text.starts_with("hello from inside\nGET /a%20b/c?d=1 HTTP/1.1"),
        "{text}"
    );
    let lower = text.to_lowercase();
    for told in ["authorization", "cookie", "bearer"] {
        assert!(!lower.contains(told), "{told}: {text}");
    }
    assert_eq!(seen.header("set-cookie"), None);
    assert!(
        seen.header("content-security-policy")
            .unwrap()
            .starts_with("sandbox ")
    );
    let other = format!(
        "/proliferate/{session}/preview/{}/",
        port.wrapping_add(1).max(1)
    );
    owner.get(&other).await.expect_problem(404, "NOT_FOUND");
    scene
        .stage
        .app
        .foreigner()
        .get(&path)
        .await
        .expect_problem(404, "NOT_FOUND");
    let member = scene.stage.app.member();
    assert_eq!(member.get(&path).await.status, 200);
    member
        .post(&path, json!({}))
        .await
        .expect_problem(403, "FORBIDDEN");
    looks_by_ticket(scene, session, port).await;
}

/// As a page does that has no origin: with nothing but its address.
async fn looks_by_ticket(scene: &Scene, session: &str, port: u16) {
    let app = &scene.stage.app;
    let open = format!("/v1/sessions/{session}/preview");
    let wanted = json!({ "port": port });
    let of_maker = app
        .person(MAKER)
        .post(&open, wanted.clone())
        .await
        .expect(200);
    let of_member = app.member().post(&open, wanted).await.expect(200);
    let below = |ticket: &Value| format!("{}a/b?c=1", ticket["url"].as_str().unwrap());
    let anonymous = app.anonymous();
    let seen = anonymous
        .get(&below(&of_maker))
        .header("origin", "null")
        .await;
    let text = seen.text();
    assert!(text.contains("GET /a/b?c=1 HTTP/1.1"), "{text}");
    assert!(!text.contains("look/"), "{text}");
    let policy = seen.header("content-security-policy").unwrap();
    assert!(policy.starts_with("sandbox ") && !policy.contains("same-origin"));
    assert_eq!(seen.header("access-control-allow-origin"), Some("null"));
    // Its holder may do no more than the user it was made for.
    let sent = anonymous.post(&below(&of_member), json!({})).await;
    sent.expect_problem(403, "FORBIDDEN");
    let sent = anonymous.post(&below(&of_maker), json!({})).await;
    assert_ne!(sent.status, 403, "{}", sent.text());
    // A WebSocket carries input to the server, so it needs the right to steer as well.
    let socket = anonymous.get(&below(&of_member));
    let socket = socket
        .header("connection", "upgrade")
        .header("upgrade", "websocket");
    socket.await.expect_problem(403, "FORBIDDEN");
    a_socket_ends_with_its_member(scene, &below(&of_maker)).await;
}

async fn a_socket_ends_with_its_member(scene: &Scene, path: &str) {
    let app = &scene.stage.app;
    let served = app.serve_hub(scene.stage.hub.clone()).await;
    let mut socket = TcpStream::connect(served.address).await.unwrap();
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
        served.address
    );
    socket.write_all(request.as_bytes()).await.unwrap();
    let mut seen = Vec::new();
    while !seen.ends_with(b"hello") {
        let read = timeout(PATIENCE, socket.read_buf(&mut seen)).await.unwrap();
        assert_ne!(read.unwrap(), 0, "{}", String::from_utf8_lossy(&seen));
    }
    assert!(seen.starts_with(b"HTTP/1.1 101 "));
    // It goes both ways for as long as its member may steer the session.
    socket.write_all(b"more").await.unwrap();
    while !seen.ends_with(b"more") {
        let read = timeout(PATIENCE, socket.read_buf(&mut seen)).await.unwrap();
        assert_ne!(read.unwrap(), 0, "{}", String::from_utf8_lossy(&seen));
    }
    let mut tx = app.database.db.write().await.unwrap();
    let maker = MAKER.user_id();
    store::member_delete(&mut tx, &app.acme, &maker)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let rest = timeout(PATIENCE, socket.read_to_end(&mut seen)).await;
    // However it ends, it does.
    let _ = rest.expect("it ends");
    let mut tx = app.database.db.write().await.unwrap();
    store::member_upsert(&mut tx, &app.acme, &maker, Role::Admin, app.app.now())
        .await
        .unwrap();
    tx.commit().await.unwrap();
}

mod real_agent_reach {
    use testkit::database::Backend::Sqlite;

    #[tokio::test(flavor = "multi_thread")]
    async fn people_reach_into_a_sandbox() {
        super::people_reach_into_a_sandbox(Sqlite).await;
    }
}
