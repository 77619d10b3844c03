//! A tool's module in the agent's own runtime, without the agent around it: its program is Bun when asked to be.

use std::{os::unix::process::CommandExt as _, process::Stdio, time::Duration};

use agent::{Context, Mode};
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::{Value, json};
use tokio::io::AsyncReadExt as _;

use crate::{
    gateway::Gateway,
    lab::{Lab, fill, installation, variables, write},
};

/// A filled sandbox and the gateway it knows.
pub(crate) struct Bench {
    pub(crate) lab: Lab,
    pub(crate) context: Context,
    pub(crate) gateway: Gateway,
    extra: Vec<(&'static str, String)>,
    without: Option<&'static str>,
}

/// What came of a run of the driver.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) outcomes: Vec<Result<Value, String>>,
    pub(crate) took: Duration,
    pub(crate) titles: Vec<String>,
}

/// The driver while it runs; killed when dropped.
pub(crate) struct Driver {
    child: tokio::process::Child,
    group: Pid,
}

impl Bench {
    pub(crate) async fn new() -> Self {
        Self::paced(|_| {}).await
    }

    pub(crate) async fn paced(change: impl FnOnce(&mut Context)) -> Self {
        let gateway = Gateway::start().await;
        let lab = Lab::new(&gateway.url(), "http://127.0.0.1:1/v1");
        let mut context = lab.context(Mode::Automation, "repo");
        change(&mut context);
        fill(&context);
        write(&lab.path("driver.ts"), include_bytes!("driver.ts"));
        Self {
            lab,
            context,
            gateway,
            extra: Vec::new(),
            without: None,
        }
    }

    pub(crate) fn variable(mut self, name: &'static str, value: String) -> Self {
        self.extra.push((name, value));
        self
    }

    pub(crate) fn without(mut self, name: &'static str) -> Self {
        self.without = Some(name);
        self
    }

    /// One call of `save_snapshot` with the id `call-1`.
    pub(crate) async fn call(&self) -> Ran {
        self.run(
            "save_snapshot",
            json!({"callID": "call-1", "calls": [{"message": "hi"}]}),
        )
        .await
    }

    pub(crate) async fn run(&self, tool: &str, order: Value) -> Ran {
        self.spawn(tool, order).finish().await
    }

    pub(crate) fn spawn(&self, tool: &str, mut order: Value) -> Driver {
        let module = format!("{}/.opencode/tool/{tool}.ts", self.context.layout.repo);
        order["module"] = json!(module);
        let mut command = std::process::Command::new(installation().program);
        command
            .arg("run")
            .arg(self.lab.path("driver.ts"))
            .arg(order.to_string())
            .current_dir(&self.context.layout.repo)
            .env_clear()
            .envs(variables(&self.context))
            .envs(self.extra.iter().map(|(name, value)| (*name, value)))
            .env("BUN_BE_BUN", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        if let Some(name) = self.without {
            command.env_remove(name);
        }
        let child = tokio::process::Command::from(command).spawn().unwrap();
        let group = Pid::from_raw(child.id().unwrap().try_into().unwrap()).unwrap();
        Driver { child, group }
    }
}

impl Driver {
    pub(crate) fn signal(&self, signal: Signal) {
        kill_process_group(self.group, signal).unwrap();
    }

    pub(crate) async fn finish(mut self) -> Ran {
        let mut stdout = String::new();
        let mut stderr = String::new();
        let mut out = self.child.stdout.take().unwrap();
        let mut err = self.child.stderr.take().unwrap();
        let read = async {
            let (out, err) = tokio::join!(
                out.read_to_string(&mut stdout),
                err.read_to_string(&mut stderr)
            );
            out.and(err).unwrap();
        };
        let in_time = tokio::time::timeout(Duration::from_mins(1), read).await;
        in_time.expect("the driver ends");
        let ran: Value =
            serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("{stdout}\n{stderr}"));
        let outcome = |outcome: &Value| match outcome["error"].as_str() {
            Some(error) => Err(error.to_owned()),
            None => Ok(outcome["value"].clone()),
        };
        Ran {
            outcomes: ran["outcomes"]
                .as_array()
                .unwrap()
                .iter()
                .map(outcome)
                .collect(),
            took: Duration::from_millis(ran["ms"].as_u64().unwrap()),
            titles: ran["titles"]
                .as_array()
                .unwrap()
                .iter()
                .map(ToString::to_string)
                .collect(),
        }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = kill_process_group(self.group, Signal::KILL);
        let _ = self.child.try_wait();
    }
}

impl Ran {
    /// What the model reads of the only call.
    pub(crate) fn output(&self) -> &str {
        let outcome = self.outcomes[0]
            .as_ref()
            .unwrap_or_else(|error| panic!("{error}"));
        outcome["output"].as_str().unwrap()
    }

    pub(crate) fn error(&self) -> &str {
        self.outcomes[0].as_ref().unwrap_err()
    }
}
