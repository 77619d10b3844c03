//! Detects silence of the agent and its tools. Pure: time is an argument, and the hub acts on the alarms. A dead stream is
//! detected where it is read, in `feed`.

use std::{collections::BTreeMap, time::Duration};

use domain::limits::{
    AGENT_MESSAGE_SILENCE_MAX, AGENT_TOOL_PROGRESS_EVERY, AGENT_TOOL_SILENCE_MAX,
    AGENT_TOOLS_WATCHED_MAX,
};

/// What the hub is to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Alarm {
    /// The agent works and is silent: stop its turn.
    Message { silent: Duration },
    /// A tool is silent: stop it.
    Tool {
        call_id: String,
        tool: String,
        silent: Duration,
    },
    /// A tool still runs: tell the clients.
    Progress {
        call_id: String,
        tool: String,
        running: Duration,
    },
}

#[derive(Debug, Clone)]
struct RunningTool {
    tool: String,
    started_at: Duration,
    heard_at: Duration,
    reported_at: Duration,
}

/// When the agent and its tools were last heard. Times are those of `Clock::monotonic`.
#[derive(Debug, Clone, Default)]
pub struct Watchdog {
    /// Nothing to watch while the agent is idle.
    message: Option<Duration>,
    tools: BTreeMap<String, RunningTool>,
}

impl Watchdog {
    /// A prompt was sent, or the agent sent something.
    pub fn agent_heard(&mut self, now: Duration) {
        self.message = Some(now);
    }

    /// The agent is idle, and so are its tools.
    pub fn agent_idle(&mut self) {
        self.message = None;
        self.tools.clear();
    }

    /// Watches a tool. The number of tools is bounded: further ones are not watched.
    pub fn tool_started(&mut self, call_id: &str, tool: &str, now: Duration) {
        let is_full = self.tools.len() >= AGENT_TOOLS_WATCHED_MAX;
        if is_full && !self.tools.contains_key(call_id) {
            return;
        }
        let running = self.tools.entry(call_id.to_owned()).or_insert(RunningTool {
            tool: tool.to_owned(),
            started_at: now,
            heard_at: now,
            reported_at: now,
        });
        running.heard_at = now;
    }

    pub fn tool_ended(&mut self, call_id: &str, now: Duration) {
        self.tools.remove(call_id);
        if self.message.is_some() {
            self.message = Some(now);
        }
    }

    /// Returns the alarms that are due. Each is raised once for one silence; progress of a tool is reported repeatedly.
    pub fn check(&mut self, now: Duration) -> Vec<Alarm> {
        let mut alarms = Vec::new();
        let silent = |since: Duration| now.saturating_sub(since);
        // A running tool is silent, and has a limit of its own.
        if let Some(silent) = self.message.map(silent)
            && silent >= AGENT_MESSAGE_SILENCE_MAX
            && self.tools.is_empty()
        {
            self.message = None;
            alarms.push(Alarm::Message { silent });
        }
        self.tools.retain(|call_id, running| {
            let (call_id, tool) = (call_id.clone(), running.tool.clone());
            let silent = silent(running.heard_at);
            if silent >= AGENT_TOOL_SILENCE_MAX {
                alarms.push(Alarm::Tool {
                    call_id,
                    tool,
                    silent,
                });
                return false;
            }
            if now.saturating_sub(running.reported_at) >= AGENT_TOOL_PROGRESS_EVERY {
                running.reported_at = now;
                alarms.push(Alarm::Progress {
                    call_id,
                    tool,
                    running: now.saturating_sub(running.started_at),
                });
            }
            true
        });
        alarms
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn a_busy_agent_may_be_silent_for_so_long_but_not_an_idle_one() {
        let mut watchdog = Watchdog::default();
        watchdog.agent_heard(at(0));
        assert_eq!(watchdog.check(at(299)), []);
        watchdog.agent_heard(at(299));
        assert_eq!(watchdog.check(at(300)), []);
        assert_eq!(
            watchdog.check(at(599)),
            [Alarm::Message { silent: at(300) }]
        );
        assert_eq!(watchdog.check(at(5000)), []);
        watchdog.agent_heard(at(5000));
        watchdog.agent_idle();
        assert_eq!(watchdog.check(at(9000)), []);
    }

    #[test]
    fn a_tool_is_told_of_while_it_runs_and_ended_when_it_is_silent() {
        let mut watchdog = Watchdog::default();
        watchdog.agent_heard(at(0));
        watchdog.tool_started("c1", "bash", at(0));
        let progress = |seconds| Alarm::Progress {
            call_id: "c1".into(),
            tool: "bash".into(),
            running: at(seconds),
        };
        assert_eq!(watchdog.check(at(15)), [progress(15)]);
        assert_eq!(watchdog.check(at(16)), []);
        // The agent is silent because its tool works.
        assert_eq!(watchdog.check(at(600)), [progress(600)]);
        watchdog.tool_started("c1", "bash", at(600));
        assert_eq!(watchdog.check(at(2399)), [progress(2399)]);
        let silent = Alarm::Tool {
            call_id: "c1".into(),
            tool: "bash".into(),
            silent: at(1800),
        };
        assert_eq!(watchdog.check(at(2400)).last(), Some(&silent));
        watchdog.tool_ended("c1", at(2400));
        assert_eq!(watchdog.check(at(2500)), []);
        assert_eq!(
            watchdog.check(at(2700)),
            [Alarm::Message { silent: at(300) }]
        );
    }
}
