//! SQLite, called where it is needed.
//!
//! A statement on a local file takes microseconds, less than a round trip to another thread (docs/adr/0011). So
//! statements run on the thread of the task that calls. A commit waits for the disk and tells the runtime so; waiting
//! for another process's lock is a sleep of the task.

mod checkpoint;
pub(crate) mod plan;
mod pool;
mod row;

use rusqlite::{CachedStatement, Connection, Result};

use self::plan::BindPlan;
pub(crate) use self::{
    pool::{Sqlite, SqliteConnection},
    row::SqliteRow,
};
use crate::{
    statement::Statement,
    value::{Rows, Value},
};

impl SqliteConnection {
    /// Returns the rows of a statement.
    pub(crate) fn fetch_all(
        &mut self,
        statement: &'static Statement,
        values: &[Value],
    ) -> Result<Vec<SqliteRow>> {
        fetch(self.connection(), statement, values)
    }

    /// Runs a statement and returns how many rows it changed.
    pub(crate) fn execute(
        &mut self,
        statement: &'static Statement,
        values: &[Value],
    ) -> Result<u64> {
        let changed: usize = self.execute_each(statement, values)?.into_iter().sum();
        Ok(u64::try_from(changed).unwrap_or(u64::MAX))
    }

    /// Runs a statement and returns how many rows it changed for each of the given rows.
    pub(crate) fn execute_each(
        &mut self,
        statement: &'static Statement,
        values: &[Value],
    ) -> Result<Vec<usize>> {
        let mut prepared = self.connection().prepare_cached(statement.sqlite)?;
        let plan = statement.plan(&prepared)?;
        let mut changed = Vec::new();
        run(&mut prepared, plan, values, |prepared| {
            changed.push(prepared.raw_execute()?);
            Ok(())
        })?;
        Ok(changed)
    }
}

/// Returns the rows of a statement. A statement with `rows(...)` runs once for each given row.
fn fetch(
    connection: &Connection,
    statement: &'static Statement,
    values: &[Value],
) -> Result<Vec<SqliteRow>> {
    let mut prepared = connection.prepare_cached(statement.sqlite)?;
    let plan = statement.plan(&prepared)?;
    let mut found = Vec::new();
    run(&mut prepared, plan, values, |prepared| {
        let mut rows = prepared.raw_query();
        while let Some(row) = rows.next()? {
            found.push(SqliteRow::read(&plan.columns, row)?);
        }
        Ok(())
    })?;
    Ok(found)
}

/// Runs `step` for each of the given rows, or once if the values hold no rows.
fn run(
    prepared: &mut CachedStatement<'_>,
    plan: &BindPlan,
    values: &[Value],
    mut step: impl FnMut(&mut CachedStatement<'_>) -> Result<()>,
) -> Result<()> {
    let given = values.iter().find_map(|value| match value {
        Value::Rows(rows) => Some(rows),
        _ => None,
    });
    let none = [Vec::new()];
    let rows = given.map_or(&none[..], |Rows(rows)| rows);
    for (number, row) in (0..).zip(rows) {
        plan.bind(prepared, values, (number, row))?;
        step(prepared)?;
    }
    Ok(())
}
