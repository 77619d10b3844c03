//! A gateway that answers tool calls, once for each id, and fails on demand in the ways that networks do.

use std::{
    collections::{HashMap, VecDeque},
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

/// What happens to one request. The work is done first wherever a response could have been lost.
#[derive(Debug, Clone)]
pub(crate) enum Fault {
    /// The work is done and the connection is reset.
    Reset,
    /// The work is done and the connection is closed.
    Close,
    /// The work is done and half the answer is sent.
    Truncate,
    /// The work is done and no response is sent.
    Hang,
    /// The work takes a while.
    Slow(Duration),
    /// Nothing is done; this response is sent.
    Say(u16, &'static str, String),
}

/// A request as it came.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) path: String,
    pub(crate) headers: HashMap<String, String>,
    pub(crate) body: Value,
}

#[derive(Debug, Default)]
struct State {
    faults: VecDeque<Fault>,
    /// The response to every request when no fault is left; else the work is done.
    always: Option<Fault>,
    seen: Vec<Seen>,
    /// Results by call id: the second request for one is given the first's.
    done: HashMap<String, u32>,
    executions: u32,
    /// Requests that wait for each other before any is answered.
    barrier: Option<Arc<tokio::sync::Barrier>>,
}

#[derive(Debug)]
pub(crate) struct Gateway {
    pub(crate) address: SocketAddr,
    state: Arc<Mutex<State>>,
    server: Mutex<Option<JoinHandle<()>>>,
}

impl Gateway {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let gateway = Self {
            address,
            state: Arc::default(),
            server: Mutex::default(),
        };
        gateway.listen(listener);
        gateway
    }

    fn listen(&self, listener: TcpListener) {
        let state = Arc::clone(&self.state);
        let server = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&state)));
            }
        });
        *self.server.lock().unwrap() = Some(server);
    }

    /// Connections are refused from now on.
    pub(crate) async fn stop(&self) {
        let server = self.server.lock().unwrap().take().unwrap();
        server.abort();
        let _ = server.await;
    }

    /// Connections are taken again, at the same address.
    pub(crate) async fn start_again(&self) {
        let listener = TcpListener::bind(self.address).await.unwrap();
        self.listen(listener);
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn fault(&self, fault: Fault) -> &Self {
        self.state.lock().unwrap().faults.push_back(fault);
        self
    }

    pub(crate) fn always(&self, fault: Fault) -> &Self {
        self.state.lock().unwrap().always = Some(fault);
        self
    }

    /// Removes the permanent fault.
    pub(crate) fn well_again(&self) {
        self.state.lock().unwrap().always = None;
    }

    /// From now on requests are answered only when this many wait, those that wait for the returned barrier
    /// included.
    pub(crate) fn meet(&self, waiting: usize) -> Arc<tokio::sync::Barrier> {
        let barrier = Arc::new(tokio::sync::Barrier::new(waiting));
        self.state.lock().unwrap().barrier = Some(Arc::clone(&barrier));
        barrier
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.state.lock().unwrap().seen.clone()
    }

    /// Requests for one call.
    pub(crate) fn seen_of(&self, id: &str) -> Vec<Seen> {
        let of_call = |seen: &Seen| seen.body["tool_call_id"] == id;
        self.seen().into_iter().filter(of_call).collect()
    }

    pub(crate) fn executions(&self) -> u32 {
        self.state.lock().unwrap().executions
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        if let Ok(Some(server)) = self.server.get_mut() {
            server.abort();
        }
    }
}

async fn serve(mut stream: TcpStream, state: Arc<Mutex<State>>) {
    let Some(seen) = read(&mut stream).await else {
        return;
    };
    let id = seen.body["tool_call_id"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    let (fault, barrier) = {
        let mut state = state.lock().unwrap();
        state.seen.push(seen.clone());
        let fault = state.faults.pop_front().or_else(|| state.always.clone());
        (fault, state.barrier.clone())
    };
    if let Some(barrier) = barrier {
        barrier.wait().await;
    }
    if let Some(Fault::Say(status, headers, body)) = &fault {
        answer(&mut stream, *status, headers, body, body.len()).await;
        return;
    }
    let result = {
        let mut state = state.lock().unwrap();
        let next = state.executions + 1;
        let first = *state.done.entry(id).or_insert(next);
        state.executions = state.executions.max(first);
        first
    };
    let body = json!({
        "success": true,
        "result": format!("result {result}"),
        "data": {"execution": result, "args": seen.body["args"]},
    });
    let body = body.to_string();
    match fault {
        Some(Fault::Reset) => {
            // Without lingering a close is a reset.
            stream.set_zero_linger().unwrap();
        }
        Some(Fault::Close) => {}
        Some(Fault::Truncate) => {
            answer(&mut stream, 200, "", &body[..body.len() / 2], body.len()).await;
        }
        Some(Fault::Hang) => {
            // Until the client gives up.
            let _ = stream.read(&mut [0]).await;
        }
        Some(Fault::Slow(time)) => {
            tokio::time::sleep(time).await;
            answer(&mut stream, 200, "", &body, body.len()).await;
        }
        Some(Fault::Say(..)) | None => answer(&mut stream, 200, "", &body, body.len()).await,
    }
}

async fn answer(stream: &mut TcpStream, status: u16, headers: &str, body: &str, length: usize) {
    let head = format!(
        "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\nconnection: close\r\n\
         content-length: {length}\r\n{headers}\r\n"
    );
    // A disconnected client misses it.
    let _ = stream.write_all(format!("{head}{body}").as_bytes()).await;
    let _ = stream.shutdown().await;
}

async fn read(stream: &mut TcpStream) -> Option<Seen> {
    let mut bytes = Vec::new();
    let head_end = loop {
        if let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break at;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8_lossy(&bytes[..head_end]).into_owned();
    let mut lines = head.lines();
    let path = lines.next()?.split(' ').nth(1)?.to_owned();
    let headers: HashMap<_, _> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()))
        .collect();
    let length: usize = headers.get("content-length")?.parse().ok()?;
    while bytes.len() < head_end + 4 + length {
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
    let body = serde_json::from_slice(&bytes[head_end + 4..]).unwrap_or(Value::Null);
    Some(Seen {
        path,
        headers,
        body,
    })
}
