//! A client program: a WebSocket, or the stream of events.

use std::{net::SocketAddr, time::Duration};

use futures::{SinkExt as _, StreamExt as _};
use serde_json::Value;
use tokio::{net::TcpSocket, time::timeout};
use tokio_tungstenite::{
    WebSocketStream, client_async,
    tungstenite::{
        Error, Message,
        client::IntoClientRequest as _,
        http::{HeaderName, HeaderValue},
    },
};

/// Far above what anything takes on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

#[derive(Debug)]
pub(crate) struct Socket {
    stream: WebSocketStream<tokio::net::TcpStream>,
    /// The subprotocol that the gateway chose.
    pub(crate) protocol: Option<String>,
}

impl Socket {
    /// The status of the answer if it was none that opens a connection.
    pub(crate) async fn open(
        address: SocketAddr,
        path: &str,
        headers: &[(&str, &str)],
    ) -> Result<Self, u16> {
        Self::open_with(TcpSocket::new_v4().unwrap(), address, path, headers).await
    }

    /// With so little room for what it has not read that the gateway notices soon.
    pub(crate) async fn open_narrow(
        address: SocketAddr,
        path: &str,
        headers: &[(&str, &str)],
    ) -> Result<Self, u16> {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(4096).unwrap();
        Self::open_with(socket, address, path, headers).await
    }

    async fn open_with(
        socket: TcpSocket,
        address: SocketAddr,
        path: &str,
        headers: &[(&str, &str)],
    ) -> Result<Self, u16> {
        let mut request = format!("ws://{address}{path}")
            .into_client_request()
            .unwrap();
        for (name, value) in headers {
            let name = HeaderName::from_bytes(name.as_bytes()).unwrap();
            let value = HeaderValue::from_str(value).unwrap();
            request.headers_mut().insert(name, value);
        }
        let stream = socket.connect(address).await.unwrap();
        match timeout(PATIENCE, client_async(request, stream))
            .await
            .unwrap()
        {
            Ok((stream, response)) => {
                let protocol = response.headers().get("sec-websocket-protocol");
                let protocol = protocol.map(|value| value.to_str().unwrap().to_owned());
                Ok(Self { stream, protocol })
            }
            Err(Error::Http(response)) => Err(response.status().as_u16()),
            Err(other) => panic!("{other}"),
        }
    }

    /// The next frame, as text.
    pub(crate) async fn text(&mut self) -> String {
        let next = async {
            loop {
                match self.stream.next().await {
                    Some(Ok(Message::Text(text))) => return text.to_string(),
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    other => panic!("{other:?}"),
                }
            }
        };
        timeout(PATIENCE, next).await.expect("a frame")
    }

    pub(crate) async fn next(&mut self) -> Value {
        serde_json::from_str(&self.text().await).unwrap()
    }

    /// Frames up to one of this type.
    pub(crate) async fn until(&mut self, kind: &str) -> Vec<Value> {
        let mut seen = Vec::new();
        loop {
            let frame = self.next().await;
            let is_it = frame["type"] == kind;
            seen.push(frame);
            if is_it {
                return seen;
            }
        }
    }

    /// The next frame of this type.
    pub(crate) async fn next_of(&mut self, kind: &str) -> Value {
        self.until(kind).await.pop().unwrap()
    }

    pub(crate) async fn send(&mut self, frame: Value) {
        self.send_text(&frame.to_string()).await;
    }

    pub(crate) async fn send_text(&mut self, text: &str) {
        let message = Message::Text(text.into());
        self.stream.send(message).await.unwrap();
    }

    /// Frames until the end, and how that was: code and reason.
    pub(crate) async fn closed(&mut self) -> (Vec<String>, u16, String) {
        let mut seen = Vec::new();
        loop {
            match timeout(PATIENCE, self.stream.next()).await.expect("an end") {
                Some(Ok(Message::Text(text))) => seen.push(text.to_string()),
                Some(Ok(Message::Close(Some(frame)))) => {
                    return (seen, frame.code.into(), frame.reason.to_string());
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                other => panic!("{other:?}"),
            }
        }
    }

    /// Reads to the end, however that is, and says how many frames came.
    pub(crate) async fn ended(&mut self) -> usize {
        let mut count = 0;
        while let Some(Ok(message)) = timeout(PATIENCE, self.stream.next()).await.expect("an end") {
            count += usize::from(message.is_text());
        }
        count
    }
}

/// The stream of events over HTTP.
pub(crate) struct Events {
    response: reqwest::Response,
    buffer: String,
}

impl Events {
    pub(crate) async fn open(url: &str, token: &str, last: Option<u64>) -> Self {
        let mut request = reqwest::Client::new().get(url).bearer_auth(token);
        if let Some(last) = last {
            request = request.header("last-event-id", last.to_string());
        }
        Self::of(request).await
    }

    /// With this credential header.
    pub(crate) async fn open_with(url: &str, (name, value): (&str, &str)) -> Self {
        Self::of(reqwest::Client::new().get(url).header(name, value)).await
    }

    async fn of(request: reqwest::RequestBuilder) -> Self {
        let response = timeout(PATIENCE, request.send()).await.unwrap().unwrap();
        assert_eq!(response.status(), 200);
        Self {
            response,
            buffer: String::new(),
        }
    }

    /// The next event's id and data.
    pub(crate) async fn next(&mut self) -> (Option<u64>, String) {
        loop {
            while let Some(end) = self.buffer.find("\n\n") {
                let event: String = self.buffer.drain(..end + 2).collect();
                let field = |name: &str| {
                    let mut lines = event.lines();
                    lines
                        .find_map(|line| line.strip_prefix(name).map(|rest| rest.trim().to_owned()))
                };
                if let Some(data) = field("data:") {
                    return (field("id:").map(|id| id.parse().unwrap()), data);
                }
            }
            let chunk = timeout(PATIENCE, self.response.chunk())
                .await
                .expect("more");
            let chunk = chunk.unwrap().expect("the stream goes on");
            self.buffer.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }

    /// Reads to the end.
    pub(crate) async fn ended(mut self) {
        let rest = async { while let Ok(Some(_)) = self.response.chunk().await {} };
        timeout(PATIENCE, rest).await.expect("an end");
    }
}
