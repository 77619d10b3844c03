//! Stopping: requests under way are answered, and a user who asks twice does not wait.

use serde_json::Value;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::workspace;

const BODY: &str = r#"{"title":"late"}"#;

/// A request whose body has not been sent yet. The answer to `Expect` shows that a handler waits.
async fn half_a_request(dev_file: &Value) -> TcpStream {
    let address = dev_file["url"].as_str().unwrap().replace("http://", "");
    let mut stream = TcpStream::connect(&address).await.unwrap();
    let head = format!(
        "POST /proliferate/sessions HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {}\r\n\
         content-type: application/json\r\nexpect: 100-continue\r\ncontent-length: {}\r\n\r\n",
        dev_file["owner"].as_str().unwrap(),
        BODY.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = [0; 25];
    stream.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream
}

#[tokio::test]
async fn a_request_under_way_is_answered_before_the_end() {
    let workspace = workspace();
    let (mut dev, dev_file) = workspace.dev().await;
    let mut stream = half_a_request(&dev_file).await;
    dev.terminate();
    // New connections are refused once it is stopping; the one under way goes on.
    dev.refuses_connections(dev_file["url"].as_str().unwrap())
        .await;
    stream.write_all(BODY.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 201 "), "{answer}");
    assert_eq!(dev.wait().await.code(), Some(0));
    assert!(dev.stderr().contains("\"stopped\""), "{}", dev.stderr());
}

#[tokio::test]
async fn what_does_not_end_is_abandoned_within_the_bound() {
    let workspace = workspace().env("PROLIFERATE_SHUTDOWN_DRAIN", "100ms");
    let (mut dev, dev_file) = workspace.dev().await;
    let _stream = half_a_request(&dev_file).await;
    dev.interrupt();
    assert_eq!(dev.wait().await.code(), Some(0));
    assert!(dev.stderr().contains("abandoned"), "{}", dev.stderr());
}

#[tokio::test]
async fn the_second_interrupt_ends_it_at_once() {
    let workspace = workspace().env("PROLIFERATE_SHUTDOWN_DRAIN", "10m");
    let (mut dev, dev_file) = workspace.dev().await;
    let _stream = half_a_request(&dev_file).await;
    dev.interrupt();
    dev.refuses_connections(dev_file["url"].as_str().unwrap())
        .await;
    dev.interrupt();
    assert_eq!(dev.wait().await.code(), Some(130));
}
