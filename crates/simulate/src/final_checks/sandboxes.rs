//! The sandboxes that there are in the end: each session has the one that is on record for it, if it runs, and no other.

use std::collections::BTreeSet;

use domain::id::SessionId;
use hub::opencode::PromptIds;
use sandbox::{Handle, SandboxId};

use crate::{
    database_watcher::{DatabaseWatcher, SandboxRow},
    world::World,
};

impl World {
    /// What is not as it should be and may still become so, or nothing.
    pub(crate) fn unsettled(&self) -> Option<String> {
        let rows = self.looks(DatabaseWatcher::sandboxes);
        let moving = rows.iter().find(|row| row.successor.is_some());
        if let Some(row) = moving {
            return Some(format!("{} is on its way to another sandbox", row.session));
        }
        let mut gone = rows.iter().filter(|row| {
            let has = row.sandbox.as_deref().and_then(named);
            row.status == "running"
                && !has.is_some_and(|id| self.shared_parts.sandbox_host.has(&id))
        });
        if let Some(row) = gone.next() {
            let session = &row.session;
            return Some(format!("{session} runs, and its sandbox is not there"));
        }
        self.lagging()
    }

    /// What a move says that it lost nothing of is begun again in the new sandbox, or was in it.
    pub(super) fn judge_moves(&self, session: SessionId, is_said: impl Fn(&str) -> bool) {
        let begun = self.agent_context.begun.lock();
        let begun = begun.map(|begun| begun.clone()).unwrap_or_default();
        let denied = self.looks(|database_watcher| Ok(database_watcher.denied()));
        for left in denied.iter().filter(|left| left.session == session) {
            let later = &begun[left.begun.min(begun.len())..];
            let is_later = |tail: &str| {
                let mut own = later.iter().filter(|(of, _)| *of == session);
                own.any(|(_, prompt)| PromptIds::tail(prompt) == Some(tail))
            };
            let mut lost = left.prompts.iter().filter(|tail| is_said(tail));
            if let Some(lost) = lost.find(|tail| !is_later(tail)) {
                self.violation(format!("{session} moved and lost {lost} without a word"));
            }
        }
    }

    /// Sandboxes that are there and that no session is in.
    pub(crate) fn strays(&self) -> Vec<String> {
        let rows = self.looks(DatabaseWatcher::sandboxes);
        let in_use = |row: &SandboxRow| row.sandbox.as_deref().and_then(named);
        let in_use: BTreeSet<SandboxId> = rows.iter().filter_map(in_use).collect();
        let living = self.shared_parts.sandbox_host.living().into_iter();
        let strays = living.filter(|(id, _)| !in_use.contains(id));
        strays.map(|(_, what)| what).collect()
    }
}

/// The sandbox of a record.
fn named(handle: &str) -> Option<SandboxId> {
    let handle: Handle = serde_json::from_str(handle).ok()?;
    Some(handle.id)
}
