//! Looks at the database beside the product, with statements of its own: after every commit at who writes, and at the
//! end at what there is.

use std::{collections::BTreeMap, path::Path};

use rusqlite::Connection;

use serde_json::Value;

use crate::{
    sandbox_host::{Left, SandboxHost},
    trace::Trace,
};

/// What is known of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Seen {
    epoch: i64,
    /// Who took it with this epoch.
    owner: String,
    last: i64,
    sandbox: Option<String>,
}

/// One action as it is on record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ActionRow {
    pub(crate) line: String,
    pub(crate) status: String,
    pub(crate) authority: Option<String>,
    pub(crate) grant: Option<String>,
    pub(crate) effect: Option<String>,
}

/// A grant as it is on record, with the calls that ran under it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GrantRow {
    pub(crate) id: String,
    pub(crate) max_calls: Option<i64>,
    pub(crate) used_calls: i64,
    pub(crate) ran: i64,
}

/// A session with its sandboxes as they are on record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SandboxRow {
    pub(crate) session: String,
    pub(crate) status: String,
    pub(crate) sandbox: Option<String>,
    /// The one that it moves to.
    pub(crate) successor: Option<String>,
}

#[derive(Debug)]
pub(crate) struct DatabaseWatcher {
    connection: Connection,
    sessions: BTreeMap<String, Seen>,
    trace: Trace,
    sandbox_host: SandboxHost,
    /// What was left in the sandbox that a session was in last.
    left: BTreeMap<String, Left>,
    /// The same, where users were told that nothing was.
    denied: Vec<Left>,
}

/// Characters of an event that are noted.
const NOTED: usize = 160;

const SESSIONS: &str = "SELECT s.id, s.owner_epoch, s.sandbox_id, s.status,
    (SELECT COALESCE(MAX(e.seq), 0) FROM session_events e WHERE e.session_id = s.id),
    (SELECT e.epoch FROM session_events e WHERE e.session_id = s.id ORDER BY e.seq DESC LIMIT 1)
    FROM sessions s ORDER BY s.id";

impl DatabaseWatcher {
    pub(crate) fn open(
        path: &Path,
        trace: Trace,
        sandbox_host: SandboxHost,
    ) -> rusqlite::Result<Self> {
        let connection = Connection::open(path)?;
        connection.pragma_update(None, "query_only", "ON")?;
        Ok(Self {
            connection,
            sessions: BTreeMap::new(),
            trace,
            sandbox_host,
            left: BTreeMap::new(),
            denied: Vec::new(),
        })
    }

    /// A transaction was just committed.
    ///
    /// INVARIANT: the log of a session and the record of its sandbox are written by the last owner of the session, and
    /// by no other instance.
    pub(crate) fn committed(&mut self, who: &str) {
        if let Err(error) = self.look(who) {
            self.trace.violation(format!("the database: {error}"));
        }
    }

    fn look(&mut self, who: &str) -> rusqlite::Result<()> {
        let mut grown = Vec::new();
        let mut statement = self.connection.prepare_cached(SESSIONS)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let id: String = row.get(0)?;
            let status: String = row.get(3)?;
            let written: Option<i64> = row.get(5)?;
            let before = self.sessions.entry(id.clone()).or_default();
            let now = Seen {
                epoch: row.get(1)?,
                owner: before.owner.clone(),
                last: row.get(4)?,
                sandbox: row.get(2)?,
            };
            let found = judge(who, before, &now, &status, written);
            let owner = if now.epoch == before.epoch {
                before.owner.clone()
            } else {
                self.trace
                    .note(format!("{who} takes {id} with epoch {}", now.epoch));
                who.to_owned()
            };
            if let (Some(from), Some(to)) = (&before.sandbox, &now.sandbox)
                && from != to
            {
                self.left.remove(&id);
                if let Some(left) = self.sandbox_host.left_behind(from, to) {
                    self.left.insert(id.clone(), left);
                }
            }
            if now.last > before.last {
                grown.push((id.clone(), before.last));
            }
            *before = Seen { owner, ..now };
            if let Some(problem) = found {
                self.trace.violation(format!("{id}: {problem}"));
            }
        }
        drop(rows);
        drop(statement);
        for (id, after) in grown {
            if self.note(&id, after)? {
                self.denied.extend(self.left.remove(&id));
            }
        }
        Ok(())
    }

    /// What moves left behind of which they said that they left nothing.
    pub(crate) fn denied(&self) -> Vec<Left> {
        self.denied.clone()
    }

    /// What was written into a log, but for the pieces of texts. Says whether a move ended and, as it says, lost nothing.
    fn note(&self, session: &str, after: i64) -> rusqlite::Result<bool> {
        let sql = "SELECT seq, kind, payload FROM session_events
            WHERE session_id = ?1 AND seq > ?2 AND kind <> 'token' ORDER BY seq";
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query((session, after))?;
        let mut is_whole = false;
        while let Some(row) = rows.next()? {
            let (seq, kind): (i64, String) = (row.get(0)?, row.get(1)?);
            let payload: String = row.get(2)?;
            is_whole |= kind == "migration" && lost_nothing(&payload);
            let payload: String = payload.chars().take(NOTED).collect();
            let session = &session[session.len().saturating_sub(12)..];
            self.trace
                .note(format!("log ..{session} {seq} {kind} {payload}"));
        }
        Ok(is_whole)
    }

    /// The places and kinds of a session's log with what was said, oldest first.
    pub(crate) fn log(&self, session: &str) -> rusqlite::Result<Vec<(u64, i64, String, String)>> {
        let sql = "SELECT seq, epoch, kind, payload FROM session_events WHERE session_id = ?1 ORDER BY seq";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map([session], |row| {
            let seq: i64 = row.get(0)?;
            let seq = u64::try_from(seq).unwrap_or_default();
            Ok((seq, row.get(1)?, row.get(2)?, row.get(3)?))
        })?;
        rows.collect()
    }

    /// The last place of a session's log.
    pub(crate) fn last(&self, session: &str) -> rusqlite::Result<u64> {
        let sql = "SELECT COALESCE(MAX(seq), 0) FROM session_events WHERE session_id = ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        let last: i64 = statement.query_row([session], |row| row.get(0))?;
        Ok(u64::try_from(last).unwrap_or_default())
    }

    pub(crate) fn sandboxes(&self) -> rusqlite::Result<Vec<SandboxRow>> {
        let sql = "SELECT id, status, sandbox_id, successor_sandbox FROM sessions ORDER BY id";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map([], |row| {
            Ok(SandboxRow {
                session: row.get(0)?,
                status: row.get(1)?,
                sandbox: row.get(2)?,
                successor: row.get(3)?,
            })
        })?;
        rows.collect()
    }

    pub(crate) fn actions(&self) -> rusqlite::Result<Vec<ActionRow>> {
        let sql = "SELECT params, status, authority, grant_id, effect FROM action_invocations ORDER BY id";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map([], |row| {
            let params: String = row.get(0)?;
            let params: Value = serde_json::from_str(&params).unwrap_or_default();
            Ok(ActionRow {
                line: params["line"].as_str().unwrap_or_default().to_owned(),
                status: row.get(1)?,
                authority: row.get(2)?,
                grant: row.get(3)?,
                effect: row.get(4)?,
            })
        })?;
        rows.collect()
    }

    pub(crate) fn grants(&self) -> rusqlite::Result<Vec<GrantRow>> {
        let sql =
            "SELECT g.id, g.max_calls, g.used_calls, (SELECT COUNT(*) FROM action_invocations i
            WHERE i.grant_id = g.id AND i.authority = 'grant') FROM action_grants g ORDER BY g.id";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map([], |row| {
            Ok(GrantRow {
                id: row.get(0)?,
                max_calls: row.get(1)?,
                used_calls: row.get(2)?,
                ran: row.get(3)?,
            })
        })?;
        rows.collect()
    }

    /// How many sessions were made under each key, and how runs stand.
    pub(crate) fn counts(&self, sql: &str) -> rusqlite::Result<Vec<(String, i64)>> {
        let mut statement = self.connection.prepare(sql)?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        rows.collect()
    }
}

fn lost_nothing(payload: &str) -> bool {
    let told: Value = serde_json::from_str(payload).unwrap_or_default();
    let lost = told["lost"].as_array();
    told["state"] == "completed" && lost.is_none_or(Vec::is_empty)
}

fn judge(
    who: &str,
    before: &Seen,
    now: &Seen,
    status: &str,
    written: Option<i64>,
) -> Option<String> {
    if now.epoch < before.epoch {
        return Some(format!(
            "its epoch went from {} to {}",
            before.epoch, now.epoch
        ));
    }
    let is_owner = before.owner == who && before.epoch == now.epoch;
    if now.last < before.last {
        return Some(format!("its log went from {} to {}", before.last, now.last));
    }
    if now.last > before.last && !is_owner {
        let (from, to) = (before.last, now.last);
        let owner = &before.owner;
        return Some(format!(
            "{who} wrote {from}..{to} of its log, which is {owner}'s"
        ));
    }
    if now.last > before.last && written != Some(now.epoch) {
        let epoch = now.epoch;
        return Some(format!("its log has {written:?} at its end under {epoch}"));
    }
    let is_released = now.sandbox.is_none() && status == "stopped";
    if now.sandbox != before.sandbox && !is_owner && !is_released {
        let owner = &before.owner;
        return Some(format!("{who} wrote down its sandbox, which is {owner}'s"));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Seen, judge};

    fn seen(epoch: i64, last: i64, sandbox: Option<&str>) -> Seen {
        Seen {
            epoch,
            owner: "one".to_owned(),
            last,
            sandbox: sandbox.map(str::to_owned),
        }
    }

    /// What instance `who` is told after its commit, of a session that `one` took with epoch 4.
    #[test]
    fn only_the_last_owner_writes() {
        let before = seen(4, 7, Some("box"));
        let (running, stopped) = ("running", "stopped");
        let cases = [
            // The owner writes, moves, puts away.
            ("one", seen(4, 9, Some("box")), running, Some(4), None),
            ("one", seen(4, 7, Some("next")), running, Some(4), None),
            ("one", seen(4, 7, None), "paused", Some(4), None),
            // Another instance takes it, or does something that is no business of a session.
            ("two", seen(5, 7, Some("box")), running, Some(4), None),
            ("two", before.clone(), running, Some(4), None),
            // Ending a session may clear its sandbox.
            ("two", seen(4, 7, None), stopped, Some(4), None),
            // No other instance may write, also not while taking it.
            (
                "two",
                seen(4, 8, Some("box")),
                running,
                Some(4),
                Some("wrote 7..8"),
            ),
            (
                "two",
                seen(5, 8, Some("box")),
                running,
                Some(5),
                Some("wrote 7..8"),
            ),
            (
                "two",
                seen(4, 7, Some("next")),
                running,
                Some(4),
                Some("wrote down"),
            ),
            (
                "two",
                seen(4, 7, None),
                running,
                Some(4),
                Some("wrote down"),
            ),
            // The owner writes under its own epoch, and takes nothing back.
            (
                "one",
                seen(4, 8, Some("box")),
                running,
                Some(3),
                Some("under 4"),
            ),
            (
                "one",
                seen(4, 6, Some("box")),
                running,
                Some(4),
                Some("from 7 to 6"),
            ),
            (
                "one",
                seen(3, 7, Some("box")),
                running,
                Some(4),
                Some("from 4 to 3"),
            ),
        ];
        for (who, now, status, written, expected) in cases {
            let found = judge(who, &before, &now, status, written);
            match expected {
                None => assert_eq!(found, None, "{who} {now:?}"),
                Some(part) => {
                    let found = found.unwrap_or_default();
                    assert!(found.contains(part), "{who} {now:?}: {found:?}");
                }
            }
        }
    }
}
