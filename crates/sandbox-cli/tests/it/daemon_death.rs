//! The daemon dies without warning, and the next one goes on: services live on, ends are noticed, and no process
//! is taken for another.

use std::{
    os::unix::process::CommandExt as _,
    process::{Child, Command, Stdio},
};

use serde_json::{Value, json};

use crate::sandbox::{Sandbox, is_alive, numbers, ready, soon};

fn kill(pid: i64) {
    let status = Command::new("kill")
        .args(["-9", &pid.to_string()])
        .status()
        .unwrap();
    assert!(status.success());
}

/// A process that has nothing to do with anything, until it is dropped.
struct Stranger(Child);

impl Stranger {
    fn new() -> Self {
        let mut command = Command::new("sleep");
        command.arg("300").process_group(0);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        Self(command.spawn().unwrap())
    }

    /// One who was started later than both, by the machine's clock: its ticks have ten milliseconds, and
    /// within one a number is not given twice.
    fn later_than(record: &Value) -> Self {
        loop {
            let stranger = Self::new();
            let stat = std::fs::read_to_string(format!("/proc/{}/stat", stranger.0.id())).unwrap();
            let after_name = stat.rsplit_once(')').unwrap().1;
            let start: u64 = after_name
                .split_whitespace()
                .nth(19)
                .unwrap()
                .parse()
                .unwrap();
            let same = |who: &str| record[who]["startTicks"].as_u64() == Some(start);
            if !same("keeper") && !same("service") {
                return stranger;
            }
        }
    }
}

impl Drop for Stranger {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Whether a service runs as another process.
fn runs_otherwise(pid: i64) -> impl Fn(&Value) -> bool {
    move |now| now["status"] == "running" && now["pid"].as_i64() != Some(pid)
}

fn record(sandbox: &Sandbox, name: &str) -> Value {
    let path = sandbox.state().join("run").join(format!("{name}.json"));
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[tokio::test]
async fn services_live_on_and_are_found_again() {
    let mut sandbox = Sandbox::start();
    let lines = sandbox.outside("lines");
    let command = format!(
        "while :; do echo 1 | tee -a {}; sleep 0.05; done",
        lines.display()
    );
    let service = sandbox.start_service("web", &command, &[]).await;
    sandbox.run(&["services", "expose", "--port", "3210"]).await;
    for _ in 0..3 {
        sandbox.kill_daemon();
        let before = numbers(&lines, 1).await.len();
        // It prints into its log while no daemon listens, and is not stopped by that.
        numbers(&lines, before + 3).await;
        sandbox.start_daemon();
        let found = sandbox.service("web").await;
        assert_eq!(
            (&found["pid"], &found["status"]),
            (&service["pid"], &json!("running"))
        );
        assert_eq!(found["restarts"], 0);
    }
    assert_eq!(
        sandbox.run(&["services", "list"]).await["exposedPort"],
        3210
    );
    sandbox.run(&["services", "stop", "--name", "web"]).await;
    assert!(!is_alive(service["pid"].as_i64().unwrap()));
}

#[tokio::test]
async fn what_ended_meanwhile_is_known_with_its_code() {
    let mut sandbox = Sandbox::start();
    let go = sandbox.outside("go");
    let wait = |code: u8| {
        format!(
            "until [ -e {} ]; do sleep 0.05; done; exit {code}",
            go.display()
        )
    };
    sandbox.start_service("good", &wait(0), &[]).await;
    sandbox
        .start_service("bad", &wait(5), &["--restart", "never"])
        .await;
    sandbox
        .start_service("again", &format!("{}; true", wait(6)), &[])
        .await;
    let again = sandbox.service("again").await["pid"].as_i64().unwrap();
    sandbox.kill_daemon();
    std::fs::write(&go, "").unwrap();
    soon("all have ended", || {
        let ended = ["good", "bad", "again"].map(|name| !record(&sandbox, name)["ended"].is_null());
        ended.iter().all(|ended| *ended).then_some(())
    })
    .await;
    sandbox.start_daemon();
    let good = sandbox.service("good").await;
    assert_eq!(
        (good["status"].as_str(), good["exitCode"].as_i64()),
        (Some("stopped"), Some(0))
    );
    let bad = sandbox.service("bad").await;
    assert_eq!(
        (bad["status"].as_str(), bad["exitCode"].as_i64()),
        (Some("error"), Some(5))
    );
    let restarted = sandbox
        .service_that("again", |service| service["restarts"] != 0)
        .await;
    assert_ne!(restarted["pid"].as_i64(), Some(again));
}

#[tokio::test]
async fn a_service_whose_keeper_died_too_is_ended_and_started_again() {
    let mut sandbox = Sandbox::start();
    let service = sandbox.start_service("web", "exec sleep 300", &[]).await;
    let pid = service["pid"].as_i64().unwrap();
    let keeper = record(&sandbox, "web")["keeper"]["pid"].as_i64().unwrap();
    sandbox.kill_daemon();
    kill(keeper);
    assert!(is_alive(pid));
    sandbox.start_daemon();
    let next = sandbox.service_that("web", runs_otherwise(pid)).await;
    assert!(!is_alive(pid), "{next}");
    // The same while the daemon lives.
    let pid = next["pid"].as_i64().unwrap();
    kill(record(&sandbox, "web")["keeper"]["pid"].as_i64().unwrap());
    let last = sandbox.service_that("web", runs_otherwise(pid)).await;
    assert!(!is_alive(pid) && is_alive(last["pid"].as_i64().unwrap()));
}

#[tokio::test]
async fn a_reused_number_is_left_alone() {
    let mut sandbox = Sandbox::start();
    sandbox.start_service("web", "exec sleep 300", &[]).await;
    let before = record(&sandbox, "web");
    sandbox.kill_daemon();
    kill(before["keeper"]["pid"].as_i64().unwrap());
    kill(before["service"]["pid"].as_i64().unwrap());
    // An unrelated process that leads a group, and has its number.
    let stranger = Stranger::later_than(&before);
    let mut forged = before.clone();
    for who in ["keeper", "service"] {
        forged[who]["pid"] = json!(stranger.0.id());
    }
    let path = sandbox.state().join("run/web.json");
    std::fs::write(path, forged.to_string()).unwrap();
    sandbox.start_daemon();
    let service = sandbox
        .service_that("web", |service| service["status"] == "running")
        .await;
    assert_ne!(service["pid"].as_i64(), Some(i64::from(stranger.0.id())));
    sandbox.run(&["services", "stop", "--name", "web"]).await;
    assert!(is_alive(i64::from(stranger.0.id())));
}

#[tokio::test]
async fn a_state_that_cannot_be_read_is_put_aside() {
    let mut sandbox = Sandbox::start();
    sandbox.kill_daemon();
    std::fs::write(sandbox.state().join("state.json"), "{\"services\": [").unwrap();
    sandbox.start_daemon();
    assert_eq!(
        sandbox.run(&["services", "list"]).await["services"],
        json!([])
    );
    assert!(sandbox.state().join("state.unreadable").exists());
}

#[tokio::test]
async fn there_is_one_daemon_for_one_state() {
    let sandbox = Sandbox::start();
    let second = sandbox
        .daemon_command("127.0.0.1:0", &[])
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(second.status.code(), Some(1));
    let said = String::from_utf8(second.stderr).unwrap();
    assert!(
        said.contains("another daemon has this state directory"),
        "{said}"
    );
    assert!(is_alive(i64::from(sandbox.daemon_pid())));
}

#[tokio::test]
async fn a_daemon_that_is_told_to_end_leaves_services_running() {
    let mut sandbox = Sandbox::start();
    let service = sandbox.start_service("web", "exec sleep 300", &[]).await;
    let pid = sandbox.daemon_pid().to_string();
    assert!(
        Command::new("kill")
            .args(["-TERM", &pid])
            .status()
            .unwrap()
            .success()
    );
    soon("the daemon ends", || {
        (!is_alive(i64::from(sandbox.daemon_pid()))).then_some(())
    })
    .await;
    assert!(is_alive(service["pid"].as_i64().unwrap()));
    sandbox.kill_daemon();
    sandbox.start_daemon();
    assert_eq!(sandbox.service("web").await["pid"], service["pid"]);
}

#[tokio::test]
async fn a_supervised_daemon_comes_back() {
    let mut sandbox = Sandbox::bare();
    // A port that is the same after a restart.
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let listen = format!("127.0.0.1:{port}");
    let mut command = sandbox.daemon_command(&listen, &["--supervise"]);
    let mut supervisor = command.spawn().unwrap();
    ready(&mut supervisor);
    sandbox.url = format!("http://{listen}");
    let service = sandbox.start_service("web", "exec sleep 300", &[]).await;
    let children = format!("/proc/{0}/task/{0}/children", supervisor.id());
    for _ in 0..2 {
        let child = soon("a daemon", || {
            let children = std::fs::read_to_string(&children).ok()?;
            // Besides the keepers of those that died.
            let is_daemon = |pid: &&str| {
                let command = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
                command.starts_with(b"proliferate\0daemon\0")
            };
            children.split(' ').find(is_daemon)?.parse().ok()
        })
        .await;
        kill(child);
        // Until then the kernel takes connections for it, and resets them.
        let place = format!("/proc/{child}");
        let gone = || (!std::path::Path::new(&place).exists()).then_some(());
        soon("its end", gone).await;
        let found = sandbox
            .program(&["services", "list"])
            .env("PROLIFERATE_CLI_TIMEOUT_MS", "10000")
            .finish()
            .await
            .ended(0)
            .json();
        assert_eq!(found["services"][0]["pid"], service["pid"]);
    }
    // The keeper of the daemon that died is the supervisor's now, which waits for it when it ends.
    let other = sandbox.start_service("other", "exec sleep 300", &[]).await;
    let keeper = record(&sandbox, "web")["keeper"]["pid"].clone();
    let stat = std::fs::read_to_string(format!("/proc/{keeper}/stat")).unwrap();
    let parent = stat
        .rsplit_once(") S ")
        .unwrap()
        .1
        .split(' ')
        .next()
        .unwrap();
    assert_eq!(parent, supervisor.id().to_string());
    sandbox.run(&["services", "stop", "--name", "web"]).await;
    let gone = || (!std::path::Path::new(&format!("/proc/{keeper}")).exists()).then_some(());
    soon("the keeper was waited for", gone).await;
    let pid = supervisor.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-TERM", &pid])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(supervisor.wait().unwrap().code(), Some(0));
    assert!(is_alive(other["pid"].as_i64().unwrap()));
}
