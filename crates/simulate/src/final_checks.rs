//! What must be true in the end, when everything has come to rest: what was promised is there, what was done was
//! allowed, and nothing waits.

mod sandboxes;
mod tools;

use std::collections::BTreeMap;

use domain::{action::Effect, id::SessionId};
use hub::opencode::PromptIds;
use serde_json::Value;

use crate::{database_watcher::DatabaseWatcher, world::World};

/// A word on record that says nothing is left to do.
const OPEN: [&str; 3] = ["pending", "approved", "executing"];
/// The start of a message to an agent without a sender: its turn was cut off, and it is to go on.
const UNSENT: &str = "Your sandbox was replaced";

impl World {
    /// How many actions have not ended yet.
    pub(crate) fn open_actions(&self) -> usize {
        self.looks(|database_watcher| {
            let actions = database_watcher.actions()?;
            let is_open = |status: &str| OPEN.contains(&status);
            Ok(actions.iter().filter(|row| is_open(&row.status)).count())
        })
    }

    /// Compares what users were told with what is so.
    pub(crate) fn judge(&self) {
        self.judge_actions();
        self.judge_grants();
        self.judge_counts();
        self.judge_tools();
        for session in self.users.ledger.sessions() {
            self.judge_log(session);
        }
        if let Some(what) = self.unsettled() {
            self.violation(what);
        }
    }

    fn judge_actions(&self) {
        let rows = self.looks(DatabaseWatcher::actions);
        let told = self.users.ledger.told();
        let mut by_line: BTreeMap<&str, usize> = BTreeMap::new();
        for row in &rows {
            *by_line.entry(&row.line).or_default() += 1;
            let times = self.shared_parts.outside.times(&row.line);
            let is_write = self.shared_parts.outside.all().contains_key(&row.line);
            let wrong = match (row.status.as_str(), row.effect.as_deref()) {
                ("completed", _) => row.authority.as_deref() != Some("read") && times != 1,
                ("failed", Some("known")) | ("denied" | "expired", _) => is_write && times != 0,
                ("failed", _) => false,
                _ => {
                    self.violation(format!("{} is still {}", row.line, row.status));
                    false
                }
            };
            if wrong {
                let (line, status) = (&row.line, &row.status);
                self.violation(format!("{line} is {status} and happened {times} times"));
            }
        }
        if let Some((line, count)) = by_line.iter().find(|(_, count)| **count > 1) {
            self.violation(format!("{line} is on record {count} times"));
        }
        for (line, (status, effect)) in told {
            let row = rows.iter().find(|row| row.line == line);
            let Some(row) = row else {
                self.violation(format!(
                    "{line} was told to be {status} and is not on record"
                ));
                continue;
            };
            let on_record = match row.effect.as_deref() {
                Some("known") => Some(Effect::Known),
                Some("unknown") => Some(Effect::Unknown),
                _ => None,
            };
            if row.status != status || on_record != effect {
                let now = (&row.status, on_record);
                self.violation(format!("{line} was told to be {status} and is {now:?}"));
            }
        }
    }

    fn judge_grants(&self) {
        for grant in self.looks(DatabaseWatcher::grants) {
            let is_over = grant.max_calls.is_some_and(|max| grant.ran > max);
            if grant.used_calls != grant.ran || is_over {
                self.violation(format!("a grant does not add up: {grant:?}"));
            }
        }
    }

    fn judge_counts(&self) {
        let keys = "SELECT idempotency_key, COUNT(*) FROM sessions GROUP BY 1 HAVING COUNT(*) > 1";
        for (key, count) in self.looks(|database_watcher| database_watcher.counts(keys)) {
            self.violation(format!("{count} sessions were made under the key {key}"));
        }
        let runs =
            "SELECT status, COUNT(*) FROM runs WHERE status IN ('created', 'running') GROUP BY 1";
        for (state, count) in self.looks(|database_watcher| database_watcher.counts(runs)) {
            self.violation(format!("{count} runs are still {state}"));
        }
    }

    /// The log of a session: without gaps, by owners in their order, with every prompt that was taken, once and in its
    /// order; and the agent began them in that order.
    fn judge_log(&self, session: SessionId) {
        let log = self.looks(|database_watcher| database_watcher.log(&session.to_string()));
        let mut epoch = 0;
        for (index, (seq, by, ..)) in log.iter().enumerate() {
            if *seq != index as u64 + 1 {
                return self.violation(format!("{session} has {seq} in place {}", index + 1));
            }
            if *by < epoch {
                return self.violation(format!("{session} has an older owner at {seq}"));
            }
            epoch = *by;
        }
        let messages = log.iter().filter(|(_, _, kind, _)| kind == "message");
        let said = messages.filter_map(|(_, _, _, payload)| user_prompts(payload));
        let (unsent, said): (Vec<_>, Vec<_>) = said.partition(|(_, text)| text.starts_with(UNSENT));
        let taken = self.users.ledger.prompts(session);
        let name = |id: &String| {
            let same = |known: &str| PromptIds::tail(known) == PromptIds::tail(id);
            let found = taken.iter().find(|(_, known)| same(known));
            found.map_or_else(|| id.clone(), |(text, _)| short(text))
        };
        let said: Vec<String> = said.iter().map(|(id, _)| name(id)).collect();
        let promised: Vec<String> = taken.iter().map(|(text, _)| short(text)).collect();
        // Those of one person are in their order; the last word is said beside them.
        let of_person = |all: &[String]| -> Vec<String> {
            let own = all.iter().filter(|name| !name.ends_with("last"));
            own.cloned().collect()
        };
        let has_last = said.iter().filter(|name| name.ends_with("last")).count() == 1;
        if of_person(&said) != of_person(&promised) || !has_last {
            return self.violation(format!(
                "{session} was promised {promised:?} and has {said:?}"
            ));
        }
        let unsent: Vec<_> = unsent.iter().map(|(id, _)| PromptIds::tail(id)).collect();
        let is_said = |tail: Option<&str>| !unsent.contains(&tail);
        self.judge_agent(session, &said, name, |id| is_said(PromptIds::tail(id)));
        self.judge_moves(session, |tail| is_said(Some(tail)));
    }

    fn judge_agent(
        &self,
        session: SessionId,
        said: &[String],
        name: impl Fn(&String) -> String,
        is_said: impl Fn(&String) -> bool,
    ) {
        let begun = self.agent_context.begun.lock();
        let begun = begun.map(|begun| begun.clone()).unwrap_or_default();
        let mut first: Vec<String> = Vec::new();
        let own = begun.iter().filter(|(of, _)| *of == session);
        for (_, prompt) in own.filter(|(_, prompt)| is_said(prompt)) {
            let prompt = name(prompt);
            if !first.contains(&prompt) {
                first.push(prompt);
            }
        }
        if first != said {
            self.violation(format!(
                "{session} has {said:?}, and its agent began {first:?}"
            ));
        }
    }

    /// A client that has not seen every event, if there is one.
    fn lagging(&self) -> Option<String> {
        let mut watchers = self.users.ledger.watchers().into_iter();
        watchers.find_map(|(watcher, (session, seen))| {
            let last = self.looks(|database_watcher| database_watcher.last(&session.to_string()));
            (seen != last).then(|| format!("{watcher} has seen {seen} of {last} events"))
        })
    }

    fn looks<T: Default>(&self, look: impl FnOnce(&DatabaseWatcher) -> rusqlite::Result<T>) -> T {
        let database_watcher = self.shared_parts.database_watcher.lock();
        let database_watcher = database_watcher.unwrap_or_else(std::sync::PoisonError::into_inner);
        look(&database_watcher).unwrap_or_else(|error| {
            self.violation(format!("the database: {error}"));
            T::default()
        })
    }

    fn violation(&self, what: String) {
        self.shared_parts.trace.violation(what);
    }
}

/// The id of a message and its text, if it was said to the agent.
fn user_prompts(payload: &str) -> Option<(String, String)> {
    let said: Value = serde_json::from_str(payload).ok()?;
    let is_users = said["role"] == "user";
    let text = |field: &str| said[field].as_str().unwrap_or_default().to_owned();
    is_users.then(|| (text("id"), text("content")))
}

/// The first word of a prompt, which is its name.
fn short(text: &str) -> String {
    text.split(' ').next().unwrap_or_default().to_owned()
}
