//! HTTP/2 connections that do as little as they can to stay: they answer pings, or take nothing of an answer. Written
//! frame by frame, because a client library would behave better.

use std::time::Duration;

use testkit::{
    app::{Served, TestApp},
    database::Backend,
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

/// Long enough for anything that should happen.
const SOON: Duration = Duration::from_mins(1);
/// Of a connection that never asks. One that asks does so in this time, on a busy machine too.
const FIRST_REQUEST_TIMEOUT: Duration = Duration::from_secs(2);
const IDLE: Duration = Duration::from_millis(400);

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const GOAWAY: u8 = 7;

/// `GET /` with the host `x`, as HPACK has it.
const GET: [u8; 6] = [0x82, 0x86, 0x84, 0x41, 0x01, b'x'];

struct Frames(TcpStream);

impl Frames {
    /// Says hello, with room for so many bytes of each answer.
    async fn connect(served: &Served, window: u32) -> Self {
        let mut frames = Self(TcpStream::connect(served.address).await.unwrap());
        frames
            .0
            .write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
            .await
            .unwrap();
        let mut settings = vec![0, 4];
        settings.extend(window.to_be_bytes());
        frames.send(SETTINGS, 0, 0, &settings).await;
        frames
    }

    async fn send(&mut self, kind: u8, flags: u8, stream: u32, payload: &[u8]) {
        // One that is closed is seen by reading.
        let _ = self.0.write_all(&frame(kind, flags, stream, payload)).await;
    }

    /// The next frame's kind, with what a client must answer answered; `None` at the end.
    async fn next(&mut self) -> Option<u8> {
        let mut head = [0; 9];
        self.0.read_exact(&mut head).await.ok()?;
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
        let mut payload = vec![0; length as usize];
        self.0.read_exact(&mut payload).await.ok()?;
        let is_answer = head[4] & 1 == 1;
        match head[3] {
            PING if !is_answer => self.send(PING, 1, 0, &payload).await,
            SETTINGS if !is_answer => self.send(SETTINGS, 1, 0, &[]).await,
            _ => {}
        }
        Some(head[3])
    }

    async fn until(&mut self, kind: u8) {
        let found = async { while self.next().await.expect("it is open") != kind {} };
        tokio::time::timeout(SOON, found).await.unwrap();
    }

    /// What comes until the end.
    async fn rest(&mut self) -> Vec<u8> {
        let mut kinds = Vec::new();
        let all = async {
            while let Some(kind) = self.next().await {
                kinds.push(kind);
            }
        };
        let ended = tokio::time::timeout(SOON, all).await;
        assert!(ended.is_ok(), "it keeps its place: {kinds:?}");
        kinds
    }
}

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    let mut frame = length[1..].to_vec();
    frame.extend([kind, flags]);
    frame.extend(stream.to_be_bytes());
    frame.extend(payload);
    frame
}

async fn app() -> TestApp {
    TestApp::builder(Backend::Sqlite)
        .options(|options| {
            options.people.first_request_timeout = FIRST_REQUEST_TIMEOUT;
            options.people.idle_timeout = IDLE;
            options.people.unread_timeout = IDLE;
        })
        .start()
        .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_that_only_answers_pings_ends() {
    let app = app().await;
    let served = app.serve().await;
    let mut never_asks = Frames::connect(&served, 65_535).await;
    never_asks.rest().await;

    let mut asked = Frames::connect(&served, 65_535).await;
    asked.send(HEADERS, 5, 1, &GET).await;
    asked.until(DATA).await;
    // Pings are answered, and it is not yet idle for long by the clock.
    asked.until(PING).await;
    asked.until(PING).await;
    app.clock.advance(IDLE);
    assert!(asked.rest().await.contains(&GOAWAY));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_that_takes_nothing_of_its_answer_ends() {
    let app = app().await;
    let served = app.serve().await;
    let mut frames = Frames::connect(&served, 0).await;
    frames.send(HEADERS, 5, 1, &GET).await;
    frames.until(HEADERS).await;
    frames.until(PING).await;
    app.clock.advance(IDLE);
    assert!(!frames.rest().await.contains(&DATA));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn streams_that_are_opened_and_reset_at_once_end_their_connection() {
    let app = app().await;
    let served = app.serve().await;
    let mut frames = Frames::connect(&served, 65_535).await;
    let mut all = Vec::new();
    for at in 0..400 {
        let stream = 2 * at + 1;
        all.extend(frame(HEADERS, 5, stream, &GET));
        // It is not wanted any more.
        all.extend(frame(RST_STREAM, 0, stream, &8_u32.to_be_bytes()));
    }
    // At once, so that none is looked at before it is reset.
    let _ = frames.0.write_all(&all).await;
    assert!(frames.rest().await.contains(&GOAWAY));
}
