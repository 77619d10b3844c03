//! The data of a session from which its sandbox is filled. Contains no secret: those go into the environment.

use std::time::Duration;

use domain::{id::SessionId, limits, model::Model};

use crate::{mode::Mode, tool::Tool};

/// One session, as its agent sees it.
#[derive(Debug, Clone)]
pub struct Context {
    pub session_id: SessionId,
    pub mode: Mode,
    pub model: Model,
    /// The gateway's URL inside the sandbox.
    pub gateway_url: String,
    /// The model proxy's URL inside the sandbox, with or without `/v1` at its end.
    pub model_url: String,
    /// `owner/name` or a folder's name.
    pub repo_name: Option<String>,
    /// Replaces the prompt's body; the mode's tail stays.
    pub system_prompt: Option<String>,
    /// Narrows the tools of the mode; indispensable tools stay.
    pub tool_names: Option<Vec<String>>,
    /// The run of an automation session.
    pub run: Option<AutomationRunIds>,
    /// Whether the agent has a browser.
    pub playwright: bool,
    pub listen: ListenAddress,
    pub layout: Layout,
    pub retry_times: RetryTimes,
}

/// The run that an automation session is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AutomationRunIds {
    pub run_id: String,
    pub completion_id: String,
}

/// The address of the agent's own server in the sandbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListenAddress {
    pub hostname: String,
    pub port: u16,
}

impl Default for ListenAddress {
    fn default() -> Self {
        Self {
            hostname: "0.0.0.0".to_owned(),
            port: 4096,
        }
    }
}

/// Paths in the sandbox; absolute and without a trailing slash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    pub home: String,
    pub workspace: String,
    /// The agent's working directory: the repository, or the workspace when there are several.
    pub repo: String,
}

impl Layout {
    /// The default paths, with the repository in a folder of the workspace; `.` is the workspace
    /// itself.
    pub fn with_repo(folder: &str) -> Self {
        let workspace = "/home/user/workspace".to_owned();
        let repo = match folder {
            "" | "." => workspace.clone(),
            folder => format!("{workspace}/{folder}"),
        };
        Self {
            home: "/home/user".to_owned(),
            workspace,
            repo,
        }
    }
}

/// How a tool call is retried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetryTimes {
    pub attempt: Duration,
    pub deadline: Duration,
    pub pause_first: Duration,
    pub pause_max: Duration,
}

impl Default for RetryTimes {
    fn default() -> Self {
        Self {
            attempt: limits::TOOL_CALL_ATTEMPT,
            deadline: limits::TOOL_CALL_DEADLINE,
            pause_first: limits::TOOL_CALL_PAUSE_FIRST,
            pause_max: limits::TOOL_CALL_PAUSE_MAX,
        }
    }
}

impl Context {
    /// A session with default settings.
    pub fn new(session_id: SessionId, mode: Mode, gateway_url: &str, model_url: &str) -> Self {
        Self {
            session_id,
            mode,
            model: Model::DEFAULT,
            gateway_url: gateway_url.to_owned(),
            model_url: model_url.to_owned(),
            repo_name: None,
            system_prompt: None,
            tool_names: None,
            run: None,
            playwright: false,
            listen: ListenAddress::default(),
            layout: Layout::with_repo("."),
            retry_times: RetryTimes::default(),
        }
    }

    /// The tools the session has: those of its mode, narrowed.
    pub fn tools(&self) -> Vec<Tool> {
        let mut tools = Tool::of_mode(self.mode);
        if let Some(names) = &self.tool_names {
            let named: Vec<_> = names.iter().filter_map(|name| Tool::find(name)).collect();
            tools.retain(|tool| named.contains(tool) || self.mode.needs(*tool));
        }
        tools
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A session with everything that a prompt or a file may mention.
    pub(crate) fn context(mode: Mode) -> Context {
        let session = "0192f0c1-2345-7abc-8def-0123456789ab".parse().unwrap();
        let run = AutomationRunIds {
            run_id: "run-1".to_owned(),
            completion_id: "completion-1".to_owned(),
        };
        Context {
            repo_name: Some("acme/shop".to_owned()),
            run: (mode == Mode::Automation).then_some(run),
            playwright: mode == Mode::Coding,
            layout: Layout::with_repo("shop"),
            ..Context::new(
                session,
                mode,
                "http://gateway:8080/",
                "http://gateway:8080/llm/anthropic/v1",
            )
        }
    }

    #[test]
    fn a_filter_narrows_the_mode_and_keeps_what_it_needs() {
        let tools = |mode, names: &[&str]| {
            let mut context = context(mode);
            context.tool_names = Some(names.iter().map(|name| (*name).to_owned()).collect());
            context.tools()
        };
        assert_eq!(tools(Mode::Coding, &[]), []);
        assert_eq!(
            tools(Mode::Coding, &["verify", "save_env_files"]),
            [Tool::Verify]
        );
        assert_eq!(tools(Mode::Setup, &[]), [Tool::SaveSnapshot]);
        assert_eq!(tools(Mode::Automation, &[]), [Tool::AutomationComplete]);
    }
}
