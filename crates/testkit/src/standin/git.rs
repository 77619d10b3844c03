//! A server of repositories: git's own (`git http-backend`) behind a name and a password. Paths below `/open/` are
//! public. Records the callers of every request, and plays GitHub's interface as far as it is asked for pull requests.

use std::{
    net::SocketAddr,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{io::AsyncWriteExt as _, net::TcpListener, task::JoinHandle};

pub const TOKEN: &str = "ghs_of-the-git-server-5e1f0a7b9c3d";

/// Larger than anything a test pushes.
const BODY_BYTES_MAX: usize = 64 * 1024 * 1024;

/// One request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    pub method: String,
    pub path: String,
    pub authorization: Option<String>,
}

/// A running server; ends with the test.
#[derive(Debug)]
pub struct GitServer {
    pub address: SocketAddr,
    directory: TempDir,
    asked: Arc<Mutex<Vec<Asked>>>,
    pulls: Arc<Mutex<Vec<Value>>>,
    serving: JoinHandle<()>,
}

#[derive(Clone)]
struct Shared {
    root: PathBuf,
    asked: Arc<Mutex<Vec<Asked>>>,
    pulls: Arc<Mutex<Vec<Value>>>,
}

impl Drop for GitServer {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl GitServer {
    pub async fn start() -> Self {
        let directory = TempDir::new().expect("a directory");
        let shared = Shared {
            root: directory.path().to_owned(),
            asked: Arc::default(),
            pulls: Arc::default(),
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("a bound socket");
        let (asked, pulls) = (Arc::clone(&shared.asked), Arc::clone(&shared.pulls));
        let router = Router::new().fallback(answer).with_state(shared);
        let serving = tokio::spawn(async move {
            let _ = axum::serve(listener, router).await;
        });
        Self {
            address,
            directory,
            asked,
            pulls,
            serving,
        }
    }

    /// A repository with one commit on `main`, which has `README.md`.
    pub fn repository(&self, name: &str) -> String {
        let bare = self.directory.path().join(format!("{name}.git"));
        std::fs::create_dir_all(&bare).expect("a directory");
        let work = TempDir::new().expect("a directory");
        git(
            &bare,
            &["init", "--quiet", "--bare", "--initial-branch=main"],
        );
        git(&bare, &["config", "http.receivepack", "true"]);
        git(work.path(), &["init", "--quiet", "--initial-branch=main"]);
        std::fs::write(work.path().join("README.md"), format!("# {name}\n")).expect("a file");
        git(work.path(), &["add", "."]);
        git(work.path(), &["commit", "--quiet", "-m", "Begin"]);
        let to = bare.to_str().expect("a path in UTF-8");
        git(work.path(), &["push", "--quiet", to, "main"]);
        self.url(name)
    }

    pub fn url(&self, name: &str) -> String {
        format!("http://{}/{name}.git", self.address)
    }

    /// The base of GitHub's interface.
    pub fn interface(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What git says of a repository on the server.
    pub fn says(&self, name: &str, words: &[&str]) -> String {
        git(&self.directory.path().join(format!("{name}.git")), words)
    }

    /// From now on a hook of the repository refuses what is pushed, with this sentence.
    pub fn refuse_pushes(&self, name: &str, why: &str) {
        let hook = self.directory.path().join(format!("{name}.git/hooks"));
        std::fs::create_dir_all(&hook).expect("a directory");
        let hook = hook.join("pre-receive");
        std::fs::write(&hook, format!("#!/bin/sh\necho '{why}'\nexit 1\n")).expect("a file");
        let runs = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(&hook, runs).expect("a file of ours");
    }

    pub fn asked(&self) -> Vec<Asked> {
        self.asked
            .lock()
            .expect("no thread panics with this lock")
            .clone()
    }

    /// The pull requests that were made.
    pub fn pulls(&self) -> Vec<Value> {
        self.pulls
            .lock()
            .expect("no thread panics with this lock")
            .clone()
    }
}

/// Runs git as a user, and returns its output.
pub fn git(directory: &Path, words: &[&str]) -> String {
    let ended = Command::new("git")
        .args(["-c", "safe.directory=*", "-c", "user.name=Ada"])
        .args(["-c", "user.email=ada@example.com"])
        .args(words)
        .current_dir(directory)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .stdin(Stdio::null())
        .output()
        .expect("git runs");
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "git {words:?}: {said}");
    String::from_utf8_lossy(&ended.stdout).into_owned()
}

async fn answer(State(shared): State<Shared>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let authorization = parts.headers.get(header::AUTHORIZATION);
    let authorization = authorization.and_then(|value| value.to_str().ok());
    let authorization = authorization.map(str::to_owned);
    let (method, path) = (parts.method.to_string(), parts.uri.path().to_owned());
    shared
        .asked
        .lock()
        .expect("no thread panics with this lock")
        .push(Asked {
            method: method.clone(),
            path: path.clone(),
            authorization: authorization.clone(),
        });
    let body = to_bytes(body, BODY_BYTES_MAX).await.expect("a body");
    if path.starts_with("/repos/") {
        return pull_request(&shared, authorization.as_deref(), &path, &body);
    }
    let basic = format!(
        "Basic {}",
        STANDARD.encode(format!("x-access-token:{TOKEN}"))
    );
    if !path.starts_with("/open/") && authorization.as_deref() != Some(&basic) {
        let challenge = (header::WWW_AUTHENTICATE, "Basic realm=\"git\"");
        return (StatusCode::UNAUTHORIZED, [challenge]).into_response();
    }
    let query = parts.uri.query().unwrap_or_default();
    backend(&shared.root, &method, &path, query, &parts.headers, &body).await
}

/// The program as a web server runs it (RFC 3875).
async fn backend(
    root: &Path,
    method: &str,
    path: &str,
    query: &str,
    headers: &HeaderMap,
    body: &[u8],
) -> Response {
    let text = |name: &str| {
        let value = headers.get(name).and_then(|value| value.to_str().ok());
        value.unwrap_or_default().to_owned()
    };
    let mut child = tokio::process::Command::new("git")
        .args(["-c", "safe.directory=*", "http-backend"])
        .env("GIT_PROJECT_ROOT", root)
        .env("GIT_HTTP_EXPORT_ALL", "1")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_COUNT", "1")
        .env("GIT_CONFIG_KEY_0", "safe.directory")
        .env("GIT_CONFIG_VALUE_0", "*")
        .env("REQUEST_METHOD", method)
        .env("PATH_INFO", path)
        .env("QUERY_STRING", query)
        .env("CONTENT_TYPE", text("content-type"))
        .env("HTTP_CONTENT_ENCODING", text("content-encoding"))
        .env("GIT_PROTOCOL", text("git-protocol"))
        .env("CONTENT_LENGTH", body.len().to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("git runs");
    let mut stdin = child.stdin.take().expect("it reads");
    let body = body.to_vec();
    let feeding = tokio::spawn(async move { stdin.write_all(&body).await });
    let ended = child.wait_with_output().await.expect("it ends");
    let _ = feeding.await;
    let blank = ended.stdout.windows(4).position(|four| four == b"\r\n\r\n");
    let (head, rest) = ended.stdout.split_at(blank.expect("headers"));
    let mut response = Response::new(Body::from(rest[4..].to_vec()));
    for line in String::from_utf8_lossy(head).lines() {
        let Some((name, value)) = line.split_once(": ") else {
            continue;
        };
        if name == "Status" {
            let code = value.split(' ').next().and_then(|code| code.parse().ok());
            *response.status_mut() = code.expect("a status");
            continue;
        }
        let name: HeaderName = name.parse().expect("a name");
        response
            .headers_mut()
            .insert(name, value.parse::<HeaderValue>().expect("a value"));
    }
    response
}

fn pull_request(shared: &Shared, authorization: Option<&str>, path: &str, body: &[u8]) -> Response {
    if authorization != Some(&format!("Bearer {TOKEN}")) {
        return (
            StatusCode::UNAUTHORIZED,
            "{\"message\": \"Bad credentials\"}",
        )
            .into_response();
    }
    if !path.ends_with("/pulls") {
        return (StatusCode::NOT_FOUND, "{\"message\": \"Not Found\"}").into_response();
    }
    let mut made: Value = serde_json::from_slice(body).unwrap_or_default();
    let mut pulls = shared
        .pulls
        .lock()
        .expect("no thread panics with this lock");
    let number = pulls.len() + 1;
    made["number"] = number.into();
    made["id"] = number.into();
    made["state"] = "open".into();
    let place = path
        .trim_start_matches("/repos/")
        .trim_end_matches("/pulls");
    made["html_url"] = format!("https://github.com/{place}/pull/{number}").into();
    for side in ["head", "base"] {
        made[side] = json!({"ref": made[side], "sha": "0".repeat(40)});
    }
    pulls.push(made.clone());
    (StatusCode::CREATED, axum::Json(made)).into_response()
}
