//! `services`: requests to the daemon of this sandbox.

use reqwest::{Method, Response};
use serde_json::{Value, json};

use crate::{
    cli::{LogsArgs, ServicesCommand, StartArgs},
    client::DaemonClient,
    exit::Exit,
    failure::Failure,
    params,
    printer::Printer,
};

/// The document for stdout; `None` if everything was printed as it came.
pub(crate) async fn run(
    daemon: &DaemonClient,
    printer: &Printer,
    command: ServicesCommand,
) -> Result<Option<Value>, Failure> {
    let document = match command {
        ServicesCommand::List => daemon.request(Method::GET, &["services"], None).await,
        ServicesCommand::Start(args) => start(daemon, args).await,
        ServicesCommand::Stop(args) => {
            daemon
                .request(Method::DELETE, &["services", &args.name], None)
                .await
        }
        ServicesCommand::Restart(args) => {
            let path = ["services", &args.name, "restart"];
            daemon.request(Method::POST, &path, Some(&json!({}))).await
        }
        ServicesCommand::Logs(args) => return logs(daemon, printer, &args).await,
        ServicesCommand::Expose(args) => {
            let body = json!({"port": args.port});
            daemon.request(Method::POST, &["expose"], Some(&body)).await
        }
    };
    document.map(Some)
}

async fn start(daemon: &DaemonClient, args: StartArgs) -> Result<Value, Failure> {
    let Some(spec) = args.spec else {
        let mut body = json!({"name": args.name, "command": args.command, "restart": args.restart});
        if let Some(cwd) = args.cwd {
            body["cwd"] = cwd.into();
        }
        return daemon
            .request(Method::POST, &["services"], Some(&body))
            .await;
    };
    // One after another: a later one may need what an earlier one offers.
    let mut started = Vec::new();
    for mut service in params::list("--spec", &spec)? {
        if let Some(service) = service.as_object_mut() {
            service
                .entry("restart")
                .or_insert_with(|| json!(args.restart));
        }
        match daemon
            .request(Method::POST, &["services"], Some(&service))
            .await
        {
            Ok(mut answer) => started.push(answer["service"].take()),
            Err(failure) => return Err(failure.document(json!({"services": started}))),
        }
    }
    Ok(json!({"services": started}))
}

async fn logs(
    daemon: &DaemonClient,
    printer: &Printer,
    args: &LogsArgs,
) -> Result<Option<Value>, Failure> {
    let path = ["logs", args.name.as_str()];
    let query = [
        ("bytes", args.bytes.to_string()),
        ("follow", args.follow.to_string()),
    ];
    if args.follow {
        let stream = daemon.follow(&path, &query).await?;
        follow(printer, stream).await?;
        return Ok(None);
    }
    daemon.fetch(&path, &query).await.map(Some)
}

/// Prints each event as one line, until the daemon ends or the reader goes away.
async fn follow(printer: &Printer, mut stream: Response) -> Result<(), Failure> {
    let mut text = Vec::new();
    loop {
        let chunk = stream.chunk().await.map_err(|_| {
            Failure::new(Exit::Daemon, "the daemon ended").hint("run the same command again")
        })?;
        let Some(chunk) = chunk else {
            return Ok(());
        };
        text.extend_from_slice(&chunk);
        while let Some(end) = text.windows(2).position(|two| two == b"\n\n") {
            let event: Vec<u8> = text.drain(..end + 2).collect();
            let data = event.strip_prefix(b"data: ").map(<[u8]>::trim_ascii_end);
            let data = data.and_then(|data| serde_json::from_slice::<Value>(data).ok());
            if let Some(data) = data
                && !printer.document(&data)
            {
                return Ok(());
            }
        }
    }
}
