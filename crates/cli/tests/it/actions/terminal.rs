//! `action approve` at a terminal: all of the call is shown, and only what is typed after that decides.

use std::{
    process::ExitStatus,
    sync::{Arc, Mutex},
    time::Duration,
};

use pty_process::{OwnedWritePty, Size};
use serde_json::{Value, json};
use testkit::{database::Backend, process::Workspace};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    process::Child,
    time::{sleep, timeout},
};

use super::desk::{Desk, invocation, issue};
use crate::api::Api;

const PATIENCE: Duration = Duration::from_mins(1);

/// A terminal of 80 columns with the command in it.
struct Terminal {
    child: Child,
    input: OwnedWritePty,
    screen: Arc<Mutex<Vec<u8>>>,
    // Its data directory.
    _office: Workspace,
}

impl Terminal {
    fn approve(desk: &Desk, api: &Api, id: &str) -> Self {
        let office = crate::workspace();
        let (pty, pts) = pty_process::open().unwrap();
        pty.resize(Size::new(24, 80)).unwrap();
        let child = pty_process::Command::new(env!("CARGO_BIN_EXE_proliferate"))
            .args(["action", "approve", id])
            .env("PROLIFERATE_URL", api.url())
            .env("PROLIFERATE_TOKEN", &desk.token)
            .env("PROLIFERATE_DATA_DIR", office.data_dir())
            .env("NO_COLOR", "1")
            .kill_on_drop(true)
            .spawn(pts)
            .unwrap();
        let (mut output, input) = pty.into_split();
        let screen = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&screen);
        tokio::spawn(async move {
            let mut buffer = [0; 4096];
            // It ends with an error when the command does.
            while let Ok(count @ 1..) = output.read(&mut buffer).await {
                seen.lock().unwrap().extend_from_slice(&buffer[..count]);
            }
        });
        Self {
            child,
            input,
            screen,
            _office: office,
        }
    }

    fn screen(&self) -> String {
        String::from_utf8_lossy(&self.screen.lock().unwrap()).into_owned()
    }

    /// Waits until it was said so often.
    async fn says(&self, words: &str, times: usize) {
        let said = async {
            while self.screen().matches(words).count() < times {
                sleep(Duration::from_millis(10)).await;
            }
        };
        let said = timeout(PATIENCE, said).await;
        assert!(said.is_ok(), "no {words:?}: {}", self.screen());
    }

    async fn types(&mut self, line: &str) {
        let line = format!("{line}\n");
        self.input.write_all(line.as_bytes()).await.unwrap();
    }

    async fn succeeds(&mut self) {
        let code = self.ends().await.code();
        assert_eq!(code, Some(0), "{}", self.screen());
    }

    async fn ends(&mut self) -> ExitStatus {
        timeout(PATIENCE, self.child.wait()).await.unwrap().unwrap()
    }
}

async fn ask(desk: &Desk, api: &Api, params: &Value) -> String {
    let connection = desk.connect(api).await;
    let agent = desk.agent(api, &connection, "Mend it").await;
    let body = invocation("create_issue", params);
    let at = agent.at(api.url());
    let (status, answer) = at.post(&agent.path("invoke"), "1", &body).await;
    assert_eq!(status, 202, "{answer}");
    answer["invocation"]["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn what_was_typed_before_the_question_decides_nothing() {
    let desk = Desk::open(Backend::Sqlite).await;
    let (_serve, api) = desk.serve().await;
    let id = ask(&desk, &api, &issue("Blank page")).await;
    let mut terminal = Terminal::approve(&desk, &api, &id);
    terminal.types("y").await;
    terminal.says("approve this call? [y/N]", 1).await;
    terminal.types("n").await;
    terminal.ends().await;
    assert_eq!(desk.linear.changes(), 0, "{}", terminal.screen());
    let mut terminal = Terminal::approve(&desk, &api, &id);
    terminal.says("approve this call? [y/N]", 1).await;
    terminal.types("y").await;
    terminal.succeeds().await;
    assert_eq!(desk.linear.changes(), 1);

    // It is over: there is nothing to show and nothing to decide.
    let mut terminal = Terminal::approve(&desk, &api, &id);
    terminal
        .says("the call waits for no decision: it is completed", 1)
        .await;
    assert_eq!(terminal.ends().await.code(), Some(5));
}

#[tokio::test]
async fn a_long_call_is_approved_once_all_of_it_was_shown() {
    let desk = Desk::open(Backend::Sqlite).await;
    let (_serve, api) = desk.serve().await;
    let mut params = issue("Harmless");
    params["description"] = json!(format!(
        "{}rm -rf /{}",
        "x ".repeat(3000),
        " y".repeat(3000)
    ));
    let id = ask(&desk, &api, &params).await;
    let mut terminal = Terminal::approve(&desk, &api, &id);
    let question = "were not shown: show the next? [v/N]";
    terminal.says(question, 1).await;
    assert!(
        !terminal.screen().contains("rm -rf /"),
        "{}",
        terminal.screen()
    );
    terminal.types("y").await;
    terminal.says(question, 2).await;
    assert_eq!(desk.linear.changes(), 0);
    terminal.types("v").await;
    terminal.says(question, 3).await;
    terminal.types("v").await;
    terminal.says("approve this call? [y/N]", 1).await;
    let screen = terminal.screen();
    assert!(screen.contains("rm -rf /"), "{screen}");
    for row in screen
        .lines()
        .filter(|row| row.contains("x x") || row.contains("y y"))
    {
        assert!(row.starts_with("  | ") || row.starts_with("  : "), "{row}");
        assert!(row.trim_end().len() <= 80, "{row}");
    }
    terminal.types("y").await;
    terminal.succeeds().await;
    assert_eq!(desk.linear.changes(), 1);
}
