//! Until an agent answers: it takes connections for a while before it answers any, and those never.

use std::io::{ErrorKind, Read as _};

use domain::limits::AGENT_PROBE_TIMEOUT;
use hub::opencode::AgentClient;
use sandbox::fake::Operation;
use testkit::database::Backend;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

use crate::{agent::PATIENCE, migration_scene::Scene, stage::eventually};

const HEALTHY: &str = r#"{"healthy":true,"version":"1.18.33"}"#;

#[tokio::test]
async fn a_try_that_is_never_answered_holds_up_no_other() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let agent = tokio::spawn(async move {
        let (first, _) = listener.accept().await.unwrap();
        let (mut second, _) = listener.accept().await.unwrap();
        let still_waits = is_open(first);
        let length = HEALTHY.len();
        let answer = format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n{HEALTHY}");
        // Closed with something unread, it would take the answer with it.
        let mut request = Vec::new();
        while !request.ends_with(b"\r\n\r\n") {
            request.push(second.read_u8().await.unwrap());
        }
        second.write_all(answer.as_bytes()).await.unwrap();
        still_waits
    });
    let client = AgentClient::new(base.parse().unwrap(), None).unwrap();
    let version = client.wait_ready(PATIENCE).await.unwrap();
    assert_eq!(version, "1.18.33");
    let first_still_waits = agent.await.unwrap();
    assert!(
        first_still_waits,
        "the second came after the first was over"
    );
}

/// An engine on a busy machine needs seconds for it, and a try of the agent is over after half of one.
#[tokio::test]
async fn an_agent_is_seen_to_answer_however_slowly_its_sandbox_says_how_it_does() {
    let scene = Scene::set(Backend::Sqlite).await;
    let slow = (Operation::Process, 2 * AGENT_PROBE_TIMEOUT);
    scene.fake.turn(|knobs| knobs.slow.extend([slow]));
    let agent = scene.agent().await;
    let id = scene.up().await;
    scene.say(id, "hello").await.unwrap();
    eventually("it is told", async || agent.texts() == ["hello"]).await;
}

/// Whether the caller that asked still waits; one that gave up has closed it.
fn is_open(asked: TcpStream) -> bool {
    let mut asked = asked.into_std().unwrap();
    let mut bytes = [0; 1024];
    loop {
        match asked.read(&mut bytes) {
            Ok(0) => return false,
            Ok(_) => {}
            Err(error) => return error.kind() == ErrorKind::WouldBlock,
        }
    }
}
