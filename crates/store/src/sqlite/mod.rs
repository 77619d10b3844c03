//! SQLite, called where it is needed.
//!
//! A statement on a local file takes microseconds: less than handing it to another thread and hearing back
//! (docs/adr/0011). So statements run on the thread of the task that asks. What may wait for the disk, a
//! list, or a commit where commits are slow, tells the runtime first; waiting for another process's lock is a
//! sleep of the task.

mod constraints;
mod disk;
mod pool;
mod row;

use rusqlite::{CachedStatement, ErrorCode};

pub(crate) use self::{
    constraints::spell_out,
    disk::waiting,
    pool::{Handle, Sqlite},
    row::SqliteRow,
};
use crate::{
    statement::Statement,
    value::{Rows, Value},
};

type Result<T> = std::result::Result<T, rusqlite::Error>;

impl Handle {
    /// The rows of a statement; one with `rows(...)` runs once for each given row.
    pub(crate) fn fetch_all(
        &mut self,
        statement: &'static Statement,
        values: &[Value],
    ) -> Result<Vec<SqliteRow>> {
        let mut prepared = self.connection().prepare_cached(statement.sqlite)?;
        let shape = row::Shape::of(&prepared);
        let mut found = Vec::new();
        run(&mut prepared, statement, values, |prepared| {
            let mut rows = prepared.raw_query();
            while let Some(row) = rows.next()? {
                found.push(shape.read(row)?);
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// How many rows a statement changed.
    pub(crate) fn execute(
        &mut self,
        statement: &'static Statement,
        values: &[Value],
    ) -> Result<u64> {
        let changed: usize = self.execute_each(statement, values)?.into_iter().sum();
        Ok(u64::try_from(changed).unwrap_or(u64::MAX))
    }

    /// How many rows a statement changed for each of the given ones.
    pub(crate) fn execute_each(
        &mut self,
        statement: &'static Statement,
        values: &[Value],
    ) -> Result<Vec<usize>> {
        let mut prepared = self.connection().prepare_cached(statement.sqlite)?;
        let mut changed = Vec::new();
        run(&mut prepared, statement, values, |prepared| {
            changed.push(prepared.raw_execute()?);
            Ok(())
        })?;
        Ok(changed)
    }
}

/// Whether it may succeed later: another process has the lock.
pub(crate) fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
    )
}

/// What a parameter of a statement stands for.
enum Meaning {
    /// `$1` and so on: an argument.
    Argument(usize),
    /// `:name`: a column of the given row.
    Column(usize),
    /// `:row_number`: which of the given rows it is.
    RowNumber,
}

fn run(
    prepared: &mut CachedStatement<'_>,
    statement: &Statement,
    values: &[Value],
    mut step: impl FnMut(&mut CachedStatement<'_>) -> Result<()>,
) -> Result<()> {
    let given = values.iter().find_map(|value| match value {
        Value::Rows(rows) => Some(rows),
        _ => None,
    });
    let meanings = (1..=prepared.parameter_count())
        .map(|index| meaning(prepared.parameter_name(index), values, statement.given))
        .collect::<Result<Vec<_>>>()?;
    let none = [Vec::new()];
    let rows = given.map_or(&none[..], |Rows(rows)| rows);
    for (number, row) in (0_i64..).zip(rows) {
        for (index, meaning) in meanings.iter().enumerate() {
            match meaning {
                Meaning::Argument(n) => prepared.raw_bind_parameter(index + 1, &values[*n])?,
                Meaning::Column(n) => prepared.raw_bind_parameter(index + 1, &row[*n])?,
                Meaning::RowNumber => prepared.raw_bind_parameter(index + 1, number)?,
            }
        }
        step(prepared)?;
    }
    Ok(())
}

fn meaning(name: Option<&str>, values: &[Value], given: &[&str]) -> Result<Meaning> {
    let found = name.and_then(|name| match name.split_at_checked(1)? {
        ("$", number) => {
            let number = number.parse::<usize>().ok()?.checked_sub(1)?;
            (number < values.len()).then_some(Meaning::Argument(number))
        }
        (":", "row_number") => Some(Meaning::RowNumber),
        (":", column) => given
            .iter()
            .position(|name| *name == column)
            .map(Meaning::Column),
        _ => None,
    });
    found.ok_or_else(|| {
        rusqlite::Error::InvalidParameterName(name.unwrap_or("(no name)").to_owned())
    })
}
