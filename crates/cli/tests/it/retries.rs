//! What the client sends again, and that it is the same request each time.

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

use crate::{transcript::Transcript, workspace};

const BUSY: &str = "HTTP/1.1 503 Service Unavailable\r\nretry-after: 0\r\ncontent-length: 0\r\n\
                    connection: close\r\n\r\n";
/// Answered by closing the connection.
const NOTHING: &str = "";

fn created() -> String {
    let body = r#"{"sessionId": "0192f0c1-2345-7abc-8def-0123456789ab", "status": "pending",
        "gatewayUrl": "http://127.0.0.1:1", "hasSnapshot": false, "isNewConfiguration": false,
        "alreadyExisted": true}"#;
    let length = body.len();
    format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}")
}

/// Gives each connection the next answer and returns what was sent on it.
async fn answer(listener: &TcpListener, answers: &[&str]) -> Vec<String> {
    let mut requests = Vec::new();
    for answer in answers {
        let (mut stream, _) = listener.accept().await.unwrap();
        requests.push(request(&mut stream).await);
        stream.write_all(answer.as_bytes()).await.unwrap();
    }
    requests
}

async fn request(stream: &mut TcpStream) -> String {
    let mut text = String::new();
    let mut buffer = [0; 4096];
    // The body of every request here is an object, or nothing, that ends with the request.
    while !text.ends_with('}') && !text.ends_with("\r\n\r\nnull") {
        let count = stream.read(&mut buffer).await.unwrap();
        assert_ne!(count, 0, "{text}");
        text.push_str(std::str::from_utf8(&buffer[..count]).unwrap());
    }
    text
}

fn header<'a>(request: &'a str, name: &str) -> &'a str {
    request
        .lines()
        .find_map(|line| line.strip_prefix(&format!("{name}: ")))
        .unwrap_or_else(|| panic!("no {name} in {request}"))
}

#[tokio::test]
async fn a_create_is_repeated_under_the_same_key() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let workspace = workspace().env("PROLIFERATE_TOKEN", "t");
    let mut transcript = Transcript::new(&workspace);
    let created = created();
    let answers = [BUSY, NOTHING, &created];
    let arguments = ["session", "create", "--url", &url];
    let (requests, _) = tokio::join!(answer(&listener, &answers), transcript.run(&arguments));
    let keys: Vec<&str> = requests
        .iter()
        .map(|request| header(request, "idempotency-key"))
        .collect();
    assert!(keys[0].starts_with("cli-"), "{keys:?}");
    assert_eq!(keys, [keys[0]; 3]);
    assert_eq!(header(&requests[0], "authorization"), "Bearer t");

    // Another run is another request.
    let answers = [created.as_str()];
    let (again, _) = tokio::join!(answer(&listener, &answers), workspace.output(&arguments));
    assert_ne!(header(&again[0], "idempotency-key"), keys[0]);
    transcript.check("session_create_retried");
}

#[tokio::test]
async fn it_gives_up_after_a_few_tries() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let workspace = workspace().env("PROLIFERATE_TOKEN", "t");
    let mut transcript = Transcript::new(&workspace);
    let arguments = ["session", "create", "--url", &url];
    let (requests, _) = tokio::join!(answer(&listener, &[BUSY; 4]), transcript.run(&arguments));
    assert_eq!(requests.len(), 4);
    transcript.check("session_create_given_up");
}

#[tokio::test]
async fn a_move_is_asked_for_once() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let workspace = workspace().env("PROLIFERATE_TOKEN", "t");
    let mut transcript = Transcript::new(&workspace);
    let id = "0192f0c1-2345-7abc-8def-0123456789ab";
    let arguments = ["session", "migrate", id, "--url", &url];
    // A command without an answer does not know whether the session moves: it does not ask for a second move.
    for answers in [&[NOTHING][..], &[&accepted("move")], &[&accepted("pause")]] {
        let (requests, _) = tokio::join!(answer(&listener, answers), transcript.run(&arguments));
        let line = format!("POST /v1/sessions/{id}/migrate HTTP/1.1\r\n");
        assert!(requests[0].starts_with(&line), "{requests:?}");
    }
    transcript.check("session_migrate");
}

fn accepted(how: &str) -> String {
    let body = format!(r#"{{"how": "{how}"}}"#);
    let length = body.len();
    format!("HTTP/1.1 202 Accepted\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}")
}
