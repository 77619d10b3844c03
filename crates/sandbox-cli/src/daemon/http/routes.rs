//! Every route of the daemon.

use std::sync::Arc;

use hyper::Method;
use serde::Deserialize;
use serde_json::json;
use wire::problem::Code;

use super::{
    auth, body, log_stream,
    message::{DaemonRequest, DaemonResult, document, with_body},
};
use crate::{
    daemon::{
        context::DaemonContext, files, git, refusal::Refusal, services::ServiceRequest, terminal,
    },
    limits::{FILE_BYTES_MAX, LOG_TAIL_BYTES_DEFAULT, LOG_TAIL_BYTES_MAX},
};

pub(super) async fn route(daemon: Arc<DaemonContext>, request: DaemonRequest) -> DaemonResult {
    let path = request.uri().path().to_owned();
    let Some(segments) = decode_segments(&path) else {
        return Err(Refusal::invalid("The path cannot be read."));
    };
    let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
    if segments == ["api", "health"] {
        require_method(&request, &Method::GET)?;
        return Ok(document(&json!({"status": "ok"})));
    }
    auth::check(&daemon.token, &request)?;
    match segments.as_slice() {
        ["api", "auth", "check"] => {
            require_method(&request, &Method::GET)?;
            Ok(document(&json!({"status": "ok"})))
        }
        ["api", "services", rest @ ..] => services_route(&daemon, request, rest).await,
        ["api", "logs", name] => {
            require_method(&request, &Method::GET)?;
            logs(&daemon, &request, name)
        }
        ["api", "expose"] => {
            require_method(&request, &Method::POST)?;
            let ExposeRequest { port } = body::read_json(request.into_body()).await?;
            if port == 0 {
                return Err(Refusal::invalid("The member port must be 1 to 65535."));
            }
            if daemon.own_ports.contains(&port) {
                return Err(Refusal::invalid("The daemon itself listens on that port."));
            }
            Ok(document(&daemon.services.expose(port)))
        }
        ["api", "git", what] if request.method() == Method::POST => {
            git_change(daemon.clone(), request, what).await
        }
        ["api", "git", what] => git_route(&daemon, &request, what).await,
        ["api", "files"] => {
            require_method(&request, &Method::GET)?;
            let path = query(&request, "path").unwrap_or_default();
            let jail = Arc::clone(&daemon.jail);
            blocking(move || files::list(&jail, &path))
                .await
                .map(|list| document(&list))
        }
        ["api", "files", "content"] => file_content(&daemon, request).await,
        ["api", "terminal"] => {
            require_method(&request, &Method::GET)?;
            terminal::open(&daemon, request)
        }
        _ => Err(Refusal::new(Code::NotFound, "There is no such route.")),
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExposeRequest {
    port: u16,
}

async fn services_route(
    daemon: &Arc<DaemonContext>,
    request: DaemonRequest,
    rest: &[&str],
) -> DaemonResult {
    match (request.method(), rest) {
        (&Method::GET, []) => Ok(document(&daemon.services.list())),
        (&Method::POST, []) => {
            let wanted: ServiceRequest = body::read_json(request.into_body()).await?;
            let services = Arc::clone(&daemon.services);
            run_to_end(async move { services.start(wanted).await }).await
        }
        (&Method::DELETE, [name]) => {
            let (services, name) = (Arc::clone(&daemon.services), (*name).to_owned());
            run_to_end(async move { services.stop(&name).await }).await
        }
        (&Method::POST, [name, "restart"]) => {
            let (services, name) = (Arc::clone(&daemon.services), (*name).to_owned());
            run_to_end(async move { services.restart(&name).await }).await
        }
        (_, [] | [_] | [_, "restart"]) => Err(wrong_method()),
        _ => Err(Refusal::new(Code::NotFound, "There is no such route.")),
    }
}

/// Runs a task to its end, also when its client disconnects.
async fn run_to_end(
    task: impl Future<Output = Result<serde_json::Value, Refusal>> + Send + 'static,
) -> DaemonResult {
    let done = tokio::spawn(task).await;
    let done = done.map_err(|_| Refusal::new(Code::Internal, "The task ended early."))?;
    done.map(|value| document(&value))
}

fn logs(daemon: &DaemonContext, request: &DaemonRequest, name: &str) -> DaemonResult {
    let path = daemon.services.log_path(name)?;
    let bytes = match query(request, "bytes").map(|text| text.parse()) {
        None => LOG_TAIL_BYTES_DEFAULT,
        Some(Ok(bytes @ 1..=LOG_TAIL_BYTES_MAX)) => bytes,
        Some(_) => return Err(Refusal::invalid("The parameter bytes is out of range.")),
    };
    match query(request, "follow").as_deref() {
        None | Some("true") => log_stream::follow(&path, bytes),
        Some("false") => log_stream::tail(&path, name, bytes).map(|tail| document(&tail)),
        Some(_) => Err(Refusal::invalid(
            "The parameter follow must be true or false.",
        )),
    }
}

async fn git_route(daemon: &DaemonContext, request: &DaemonRequest, what: &str) -> DaemonResult {
    require_method(request, &Method::GET)?;
    let repo = query(request, "repo").unwrap_or_default();
    let path = query(request, "path");
    let answer = match what {
        "repos" => {
            let jail = Arc::clone(&daemon.jail);
            blocking(move || Ok(git::list_repositories(&jail))).await?
        }
        "state" => git::state(&daemon.jail, &repo).await?,
        "status" => git::status(&daemon.jail, &repo).await?,
        "diff" => git::diff(&daemon.jail, &repo, path.as_deref()).await?,
        _ => return Err(Refusal::new(Code::NotFound, "There is no such route.")),
    };
    Ok(document(&answer))
}

/// Runs to its end, also when its client disconnects: a commit must not be left half done.
async fn git_change(
    daemon: Arc<DaemonContext>,
    request: DaemonRequest,
    what: &str,
) -> DaemonResult {
    let repo = query(&request, "repo").unwrap_or_default();
    let body = request.into_body();
    match what {
        "branch" => {
            let new = body::read_json(body).await?;
            run_to_end(async move { as_value(git::branch(&daemon.jail, &repo, new).await) }).await
        }
        "commit" => {
            let new = body::read_json(body).await?;
            run_to_end(async move { as_value(git::commit(&daemon.jail, &repo, new).await) }).await
        }
        "push" => run_to_end(async move { as_value(git::push(&daemon.jail, &repo).await) }).await,
        _ => Err(Refusal::new(Code::NotFound, "There is no such route.")),
    }
}

fn as_value(result: Result<wire::live::GitResult, Refusal>) -> Result<serde_json::Value, Refusal> {
    result.map(|result| json!(result))
}

async fn file_content(daemon: &DaemonContext, request: DaemonRequest) -> DaemonResult {
    let path = query(&request, "path")
        .ok_or_else(|| Refusal::invalid("The parameter path is missing."))?;
    let jail = Arc::clone(&daemon.jail);
    match *request.method() {
        Method::GET => {
            let bytes = blocking(move || files::read(&jail, &path)).await?;
            Ok(with_body(bytes, "application/octet-stream"))
        }
        Method::PUT => {
            let bytes_max = usize::try_from(FILE_BYTES_MAX).unwrap_or(usize::MAX);
            let bytes = body::read_bytes(request.into_body(), bytes_max).await?;
            let written = blocking(move || files::write(&jail, &path, &bytes)).await?;
            Ok(document(&written))
        }
        _ => Err(wrong_method()),
    }
}

/// Work that waits for the disk, away from the one thread that serves.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err(Refusal::new(Code::Internal, "The task ended early.")))
}

fn require_method(request: &DaemonRequest, method: &Method) -> Result<(), Refusal> {
    if request.method() == method {
        Ok(())
    } else {
        Err(wrong_method())
    }
}

fn wrong_method() -> Refusal {
    Refusal::new(Code::MethodNotAllowed, "The route has no such method.")
}

/// Decodes the path's parts; an encoded slash stays within its part.
fn decode_segments(path: &str) -> Option<Vec<String>> {
    path.trim_start_matches('/')
        .split('/')
        .map(|part| decode(part, false))
        .collect()
}

fn query(request: &DaemonRequest, name: &str) -> Option<String> {
    let pairs = request.uri().query()?.split('&');
    let mut values = pairs.filter_map(|pair| {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        (decode(key, true)? == name)
            .then(|| decode(value, true))
            .flatten()
    });
    values.next()
}

/// Undoes percent-encoding; `+` is a space in queries.
fn decode(text: &str, is_query: bool) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let mut digit = || char::from(rest.next()?).to_digit(16);
                u8::try_from(digit()? * 16 + digit()?).ok()?
            }
            b'+' if is_query => b' ',
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_queries_are_decoded_once() {
        for (text, is_query, expected) in [
            ("a", false, Some("a")),
            ("a%20b", false, Some("a b")),
            ("a+b", false, Some("a+b")),
            ("a+b", true, Some("a b")),
            ("%252e", true, Some("%2e")),
            ("%c3%a9", true, Some("é")),
            ("%ff", true, None),
            ("%4", true, None),
            ("%zz", true, None),
        ] {
            assert_eq!(decode(text, is_query).as_deref(), expected, "{text}");
        }
        assert_eq!(
            decode_segments("/api/logs/a%2fb").unwrap(),
            ["api", "logs", "a/b"]
        );
    }
}
