//! Services as real processes: that fork, do not want to stop, crash, and print without end.

use serde_json::{Value, json};

use crate::sandbox::{Sandbox, is_alive, numbers, soon};

#[tokio::test]
async fn a_service_is_started_listed_restarted_and_stopped() {
    let sandbox = Sandbox::start();
    std::fs::create_dir_all(sandbox.workspace().join("apps/web")).unwrap();
    let more = ["--cwd", "apps/web"];
    let service = sandbox
        .start_service("web", "pwd; exec sleep 300", &more)
        .await;
    assert_eq!(
        (service["status"].as_str(), service["restarts"].as_u64()),
        (Some("running"), Some(0))
    );
    let pid = service["pid"].as_i64().unwrap();
    assert!(is_alive(pid));
    assert_eq!(
        sandbox.service("web").await["cwd"],
        json!(sandbox.workspace().join("apps/web"))
    );

    let restarted = sandbox.run(&["services", "restart", "--name", "web"]).await;
    let next = restarted["service"]["pid"].as_i64().unwrap();
    assert!(next != pid && !is_alive(pid) && is_alive(next));

    let stopped = sandbox.run(&["services", "stop", "--name", "web"]).await;
    assert_eq!(
        (
            stopped["success"].as_bool(),
            stopped["service"]["status"].as_str()
        ),
        (Some(true), Some("stopped"))
    );
    assert_eq!(stopped["service"]["signal"], 15);
    assert!(!is_alive(next));
    let logs = sandbox.run(&["services", "logs", "--name", "web"]).await;
    let expected = sandbox.workspace().join("apps/web");
    assert!(
        logs["content"]
            .as_str()
            .unwrap()
            .contains(expected.to_str().unwrap()),
        "{logs}"
    );
}

#[tokio::test]
async fn stopping_ends_whatever_a_service_started_even_what_does_not_want_to() {
    let sandbox = Sandbox::start();
    let pids = sandbox.outside("pids");
    // A child in the group, one in a session of its own that lost its parent, and a leader: none of them
    // listens to TERM.
    let command = format!(
        "trap '' TERM; echo $$ >> {0}; sleep 300 & echo $! >> {0}; \
         (setsid bash -c 'trap \"\" TERM; echo $$ >> {0}; while :; do sleep 1; done' &); \
         while :; do sleep 1; done",
        pids.display()
    );
    sandbox.start_service("stubborn", &command, &[]).await;
    let pids = numbers(&pids, 3).await;
    assert!(pids.iter().all(|pid| is_alive(*pid)), "{pids:?}");
    let stopped = sandbox
        .run(&["services", "stop", "--name", "stubborn"])
        .await;
    assert_eq!(stopped["service"]["signal"], 9, "{stopped}");
    assert!(!pids.iter().any(|pid| is_alive(*pid)), "{pids:?}");
}

#[tokio::test]
async fn what_a_service_leaves_behind_ends_with_it() {
    let sandbox = Sandbox::start();
    let pids = sandbox.outside("pids");
    let command = format!("sleep 300 & echo $! >> {}; exit 0", pids.display());
    sandbox.start_service("leaver", &command, &[]).await;
    let service = sandbox
        .service_that("leaver", |service| service["status"] == "stopped")
        .await;
    assert_eq!(service["exitCode"], 0);
    let child = numbers(&pids, 1).await[0];
    assert!(!is_alive(child));
}

#[tokio::test]
async fn a_daemon_that_a_service_leaves_does_not_hold_its_end_up() {
    let sandbox = Sandbox::start();
    let pids = sandbox.outside("pids");
    // In a session of its own, and with the service's output open: what `pg_ctl start` and the like do.
    let command = format!(
        "setsid bash -c 'echo $$ > {0}; exec sleep 300' & until [ -s {0} ]; do sleep 0.05; done; exit 0",
        pids.display()
    );
    sandbox.start_service("starter", &command, &[]).await;
    let left = numbers(&pids, 1).await[0];
    let service = sandbox
        .service_that("starter", |service| service["status"] == "stopped")
        .await;
    assert_eq!(service["exitCode"], 0);
    assert!(is_alive(left));
}

#[tokio::test]
async fn a_service_that_crashes_again_and_again_is_given_up() {
    let sandbox = Sandbox::start();
    let starts = sandbox.outside("starts");
    let command = format!("echo 1 >> {}; exit 3", starts.display());
    sandbox.start_service("crasher", &command, &[]).await;
    let service = sandbox
        .service_that("crasher", |service| service["status"] == "error")
        .await;
    assert_eq!(
        (service["exitCode"].as_i64(), service["restarts"].as_i64()),
        (Some(3), Some(6))
    );
    assert_eq!(service["reason"], "it failed 7 times in a row");
    assert_eq!(numbers(&starts, 7).await.len(), 7);

    let never = sandbox
        .start_service("once", "exit 4", &["--restart", "never"])
        .await;
    assert_ne!(never["status"], "stopped");
    let once = sandbox
        .service_that("once", |service| service["status"] == "error")
        .await;
    assert_eq!(
        (once["exitCode"].as_i64(), once["restarts"].as_i64()),
        (Some(4), Some(0))
    );
}

#[tokio::test]
async fn a_service_that_waits_to_be_started_again_can_be_stopped() {
    let sandbox = Sandbox::start();
    let command = "sleep 0.05; exit 1";
    sandbox
        .start_service("flapping", command, &["--restart", "always"])
        .await;
    sandbox
        .run(&["services", "stop", "--name", "flapping"])
        .await;
    let stopped = sandbox.service("flapping").await;
    assert_eq!(stopped["status"], "stopped");
}

#[tokio::test]
async fn endless_output_fills_neither_the_disk_nor_the_cpu() {
    let sandbox = Sandbox::start();
    let service = sandbox
        .start_service("loud", "exec yes 0123456789", &[])
        .await;
    let log = service["logFile"].as_str().unwrap().to_owned();
    let size = |path: &str| std::fs::metadata(path).map_or(0, |file| file.len());
    // It has gone around at least twice when the older half was replaced.
    let older = format!("{log}.1");
    let first = soon("a first half", || inode(&older)).await;
    soon("a second half", || (inode(&older)? != first).then_some(())).await;
    for _ in 0..50 {
        assert!(size(&log) + size(&older) <= 2 * 5 * 1024 * 1024);
    }
    let logs = sandbox
        .run(&["services", "logs", "--name", "loud", "--bytes", "100"])
        .await;
    assert!(
        logs["truncated"] == true && logs["content"].as_str().unwrap().len() == 100,
        "{logs}"
    );
    sandbox.run(&["services", "stop", "--name", "loud"]).await;
    assert!(!is_alive(service["pid"].as_i64().unwrap()));
}

fn inode(path: &str) -> Option<u64> {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata(path).ok().map(|file| file.ino())
}

#[tokio::test]
async fn several_are_started_in_order_until_one_cannot_be() {
    let sandbox = Sandbox::start();
    let order = sandbox.outside("order");
    let command = |number: usize| format!("echo {number} >> {}; exec sleep 300", order.display());
    let spec = json!([
        {"name": "first", "command": command(1)},
        {"name": "second one", "command": command(2), "workspacePath": "."},
        {"name": "third", "command": "true", "cwd": "../.."},
        {"name": "fourth", "command": command(4)},
    ]);
    let program = sandbox
        .program(&["services", "start", "--spec", "-"])
        .stdin(spec.to_string());
    let finished = program.finish().await.ended(2);
    let names: Vec<Value> = finished.json()["services"]
        .as_array()
        .unwrap()
        .iter()
        .map(|service| service["name"].clone())
        .collect();
    assert_eq!(names, ["first", "second one"]);
    finished.said("error: cwd: cannot be used: it is not below the workspace");
    let list = sandbox.run(&["services", "list"]).await;
    assert_eq!(list["services"].as_array().unwrap().len(), 2, "{list}");
    // Each runs by itself from then on, so only who began is sure.
    let mut began = numbers(&order, 2).await;
    began.sort_unstable();
    assert_eq!(began, [1, 2]);
}

#[tokio::test]
async fn one_of_the_same_name_is_replaced_and_odd_names_stay_in_their_directory() {
    let sandbox = Sandbox::start();
    for name in ["web", "../../odd"] {
        let first = sandbox.start_service(name, "exec sleep 300", &[]).await;
        let second = sandbox.start_service(name, "exec sleep 301", &[]).await;
        assert!(!is_alive(first["pid"].as_i64().unwrap()));
        assert!(is_alive(second["pid"].as_i64().unwrap()));
        let log = second["logFile"].as_str().unwrap();
        assert!(
            log.starts_with(sandbox.state().join("logs").to_str().unwrap()),
            "{log}"
        );
        sandbox.run(&["services", "logs", "--name", name]).await;
        sandbox.run(&["services", "stop", "--name", name]).await;
    }
    assert_eq!(
        sandbox.run(&["services", "list"]).await["services"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
}

#[tokio::test]
async fn a_log_is_followed_from_its_end() {
    let sandbox = Sandbox::start();
    let go = sandbox.outside("go");
    let command = format!(
        "echo before; until [ -e {0} ]; do sleep 0.05; done; printf 'caf\\303'; sleep 0.3; printf '\\251\\n'; \
         exec sleep 300",
        go.display()
    );
    sandbox.start_service("talker", &command, &[]).await;
    let mut response = sandbox
        .ask(reqwest::Method::GET, "/api/logs/talker")
        .send()
        .await
        .unwrap();
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    std::fs::write(&go, "").unwrap();
    let mut text = String::new();
    while !text.contains("caf") || !text.contains('é') {
        text += std::str::from_utf8(&response.chunk().await.unwrap().unwrap()).unwrap();
    }
    assert!(text.starts_with(r#"data: {"content":"--- "#), "{text}");
    assert!(
        text.contains(r#""type":"initial""#) && text.contains(r#""type":"append""#),
        "{text}"
    );
}

#[tokio::test]
async fn the_command_follows_line_by_line_until_its_reader_ends() {
    use tokio::io::{AsyncBufReadExt as _, BufReader};
    let sandbox = Sandbox::start();
    sandbox
        .start_service("ticker", "while :; do echo tick; sleep 0.05; done", &[])
        .await;
    let mut program = sandbox
        .program(&["services", "logs", "--name", "ticker", "--follow"])
        .spawn();
    let mut lines = BufReader::new(program.stdout.take().unwrap()).lines();
    let mut kinds = Vec::new();
    for _ in 0..3 {
        let line = lines.next_line().await.unwrap().unwrap();
        let event: Value = serde_json::from_str(&line).unwrap();
        assert!(
            event["content"].as_str().unwrap().contains("tick"),
            "{event}"
        );
        kinds.push(event["type"].as_str().unwrap().to_owned());
    }
    assert_eq!(kinds, ["initial", "append", "append"]);
    drop(lines);
    assert_eq!(program.wait().await.unwrap().code(), Some(0));
}

#[tokio::test]
async fn the_token_is_not_in_the_environment_of_a_service() {
    let sandbox = Sandbox::start();
    let service = sandbox.start_service("web", "exec sleep 300", &[]).await;
    let pid = service["pid"].as_i64().unwrap();
    // There is none for a moment while a program takes the place of the shell.
    let mut environment = Vec::new();
    while environment.is_empty() {
        environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap();
        tokio::task::yield_now().await;
    }
    let text = String::from_utf8_lossy(&environment);
    assert!(
        text.contains("PATH=") && !text.contains(crate::program::TOKEN),
        "{text}"
    );
}

#[tokio::test]
async fn what_cannot_be_done_has_its_exit_code() {
    let sandbox = Sandbox::start();
    for (arguments, code, said) in [
        (
            &["services", "stop", "--name", "none"][..],
            2,
            "There is no such service.",
        ),
        (
            &["services", "restart", "--name", "none"],
            2,
            "There is no such service.",
        ),
        (
            &["services", "logs", "--name", "none"],
            2,
            "There is no such service.",
        ),
        (
            &["services", "start", "--name", "x", "--command", " "],
            2,
            "command: is empty",
        ),
        (
            &[
                "services",
                "start",
                "--name",
                "x",
                "--command",
                "true",
                "--cwd",
                "/etc",
            ],
            2,
            "cwd: cannot be used",
        ),
        (
            &["services", "start", "--spec", "{}"],
            2,
            "--spec is not a JSON array",
        ),
        (&["services", "expose", "--port", "0"], 2, "--port"),
    ] {
        sandbox
            .program(arguments)
            .finish()
            .await
            .ended(code)
            .said(said);
    }
    let wrong = sandbox
        .program(&["services", "list"])
        .env("SANDBOX_MCP_AUTH_TOKEN", "another");
    wrong.finish().await.ended(7).said("is not valid");
    let nowhere = sandbox
        .program(&["services", "list"])
        .env("PROLIFERATE_SANDBOX_MCP_URL", "http://127.0.0.1:1");
    nowhere
        .finish()
        .await
        .ended(7)
        .said("no answer from the daemon");
}
