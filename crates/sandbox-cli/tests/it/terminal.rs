//! A terminal as a browser has it: keys in, screen out, its size, its end.

use std::time::Duration;

use futures::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::{
    WebSocketStream, client_async,
    tungstenite::{self, Message, client::IntoClientRequest as _},
};

use crate::{
    program::TOKEN,
    sandbox::{Sandbox, is_alive, numbers, soon},
};

const PATIENCE: Duration = Duration::from_mins(1);

struct Terminal {
    socket: WebSocketStream<TcpStream>,
    seen: String,
}

impl Terminal {
    async fn connect(sandbox: &Sandbox, token: &str) -> Result<Self, tungstenite::Error> {
        let address = sandbox.url.strip_prefix("http://").unwrap();
        let stream = TcpStream::connect(address).await.unwrap();
        let mut request = format!("ws://{address}/api/terminal")
            .into_client_request()
            .unwrap();
        let header = format!("Bearer {token}").parse().unwrap();
        request.headers_mut().insert("authorization", header);
        let (socket, _) = client_async(request, stream).await?;
        Ok(Self {
            socket,
            seen: String::new(),
        })
    }

    async fn open(sandbox: &Sandbox) -> Self {
        Self::connect(sandbox, TOKEN).await.unwrap()
    }

    async fn send(&mut self, text: &str) {
        self.socket.send(Message::text(text)).await.unwrap();
    }

    async fn next(&mut self) -> Option<Message> {
        let next = tokio::time::timeout(PATIENCE, self.socket.next()).await;
        next.unwrap_or_else(|_| panic!("nothing after {:?}", self.seen))?
            .ok()
    }

    /// Reads until the screen shows something that was not there before.
    async fn shows(&mut self, text: &str) {
        loop {
            if let Some(at) = self.seen.find(text) {
                self.seen.drain(..at + text.len());
                return;
            }
            match self.next().await {
                Some(Message::Binary(bytes)) => self.seen += &String::from_utf8_lossy(&bytes),
                Some(Message::Ping(_)) => {}
                other => panic!("{other:?} after {:?}", self.seen),
            }
        }
    }

    /// Reads until it ends, and gives its last word.
    async fn exit(&mut self) -> Value {
        loop {
            match self.next().await {
                Some(Message::Text(text)) => return serde_json::from_str(&text).unwrap(),
                Some(Message::Binary(bytes)) => self.seen += &String::from_utf8_lossy(&bytes),
                Some(Message::Ping(_)) => {}
                other => panic!("{other:?} after {:?}", self.seen),
            }
        }
    }
}

#[tokio::test]
async fn keys_go_in_the_screen_comes_out_and_the_code_at_the_end() {
    let sandbox = Sandbox::start();
    let mut terminal = Terminal::open(&sandbox).await;
    terminal.send("echo $((6*7)):$TERM:$(pwd)\r").await;
    let expected = format!("42:xterm-256color:{}", sandbox.workspace().display());
    terminal.shows(&expected).await;
    // It is a terminal, with a size that can be changed.
    terminal.send("tty -s && stty size\r").await;
    terminal.shows("24 80").await;
    terminal
        .send(r#"{"type":"resize","cols":123,"rows":45}"#)
        .await;
    terminal.send("stty size\r").await;
    terminal.shows("45 123").await;
    // And keys that a terminal understands: this one interrupts.
    terminal.send("PS1='pro''mpt> '\r").await;
    terminal.shows("prompt> ").await;
    // Whatever prints is in the foreground by then.
    let line = "bash -c \"echo be''gun; exec sleep 300\"\r";
    terminal.send(line).await;
    terminal.shows("begun").await;
    let interrupt = Message::binary(vec![3]);
    terminal.socket.send(interrupt).await.unwrap();
    terminal.shows("prompt> ").await;
    terminal.send("exit 7\r").await;
    assert_eq!(terminal.exit().await, json!({"type": "exit", "code": 7}));
    assert!(matches!(
        terminal.next().await,
        Some(Message::Close(_)) | None
    ));
}

#[tokio::test]
async fn closing_the_connection_ends_everything_in_the_terminal() {
    let sandbox = Sandbox::start();
    let pids = sandbox.outside("pids");
    let mut terminal = Terminal::open(&sandbox).await;
    let line = format!(
        "trap '' HUP; echo $$ > {0}; (trap '' HUP TERM; exec sleep 300) & echo $! >> {0}; sleep 300\r",
        pids.display()
    );
    terminal.send(&line).await;
    let pids = numbers(&pids, 2).await;
    assert!(pids.iter().all(|pid| is_alive(*pid)));
    drop(terminal);
    soon("everything has ended", || {
        (!pids.iter().any(|pid| is_alive(*pid))).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_reader_that_does_not_read_stops_the_program_and_not_the_daemon() {
    let sandbox = Sandbox::start();
    let mut terminal = Terminal::open(&sandbox).await;
    let count = sandbox.outside("count");
    let line = format!(
        "i=0; while :; do i=$((i+1)); printf '%010000d' 0; echo $i > {}; done\r",
        count.display()
    );
    terminal.send(&line).await;
    numbers(&count, 1).await;
    // It stands still once everything between is full, long before it printed much.
    let read = || {
        std::fs::read_to_string(&count)
            .ok()?
            .trim()
            .parse::<u64>()
            .ok()
    };
    let mut last = 0;
    let mut still = 0;
    for _ in 0..200 {
        tokio::time::sleep(Duration::from_millis(50)).await;
        let now = read().unwrap_or(last);
        still = if now == last { still + 1 } else { 0 };
        last = now;
        if still == 20 {
            break;
        }
    }
    assert_eq!(still, 20, "it never stood still");
    let memory = std::fs::read_to_string(format!("/proc/{}/status", sandbox.daemon_pid())).unwrap();
    let peak = memory
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap();
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(peak < 100 * 1024, "{peak} kB");
    // Others are served meanwhile.
    assert_eq!(sandbox.get("/api/auth/check").await.0, 200);
}

#[tokio::test]
async fn there_are_at_most_so_many_and_none_without_the_token() {
    let sandbox = Sandbox::start();
    for token in ["", "another"] {
        match Terminal::connect(&sandbox, token).await {
            Err(tungstenite::Error::Http(response)) => assert_eq!(response.status(), 401),
            other => panic!("{:?}", other.err()),
        }
    }
    let mut open = Vec::new();
    for _ in 0..16 {
        open.push(Terminal::open(&sandbox).await);
    }
    match Terminal::connect(&sandbox, TOKEN).await {
        Err(tungstenite::Error::Http(response)) => assert_eq!(response.status(), 409),
        other => panic!("{:?}", other.err()),
    }
    open.pop();
    // A place is free once the shell has ended.
    for _ in 0..1200 {
        if Terminal::connect(&sandbox, TOKEN).await.is_ok() {
            return;
        }
        tokio::time::sleep(PATIENCE / 1200).await;
    }
    panic!("no place became free");
}
