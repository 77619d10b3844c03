//! A connection to read with and a transaction to write with. The low-level calls here are the only
//! ones that touch the drivers; the nouns' files build on them.

use sqlx::{Postgres, Transaction, pool::PoolConnection, query::Query};

use crate::{
    error::Result,
    faults::FaultInjection,
    row::{DriverRow, Row, RowId},
    sqlite,
    statement::Statement,
    value::{Rows, Value},
};

#[derive(Debug)]
pub(crate) enum DriverConnection {
    Postgres(PoolConnection<Postgres>),
    PostgresTx(Transaction<'static, Postgres>),
    Sqlite(sqlite::SqliteConnection),
    SqliteTx(sqlite::SqliteConnection),
}

/// Reads. Every query sees the latest committed state.
#[derive(Debug)]
pub struct Conn(pub(crate) DriverConnection);

/// Reads and writes, all or nothing: dropped without [`Tx::commit`], nothing happened.
#[derive(Debug)]
pub struct Tx(pub(crate) Conn, pub(crate) FaultInjection);

impl Tx {
    /// Whether no other transaction, of any process, can write until this one ends.
    pub fn is_only_writer(&self) -> bool {
        matches!(self.0.0, DriverConnection::SqliteTx(_))
    }

    pub async fn commit(self) -> Result<()> {
        match self.0.0 {
            DriverConnection::PostgresTx(tx) => Box::pin(tx.commit()).await?,
            DriverConnection::SqliteTx(tx) => tx.commit()?,
            DriverConnection::Postgres(_) | DriverConnection::Sqlite(_) => {}
        }
        self.1.after_commit().await
    }

    /// Runs a statement and returns how many rows it changed.
    pub(crate) async fn execute(
        &mut self,
        statement: &'static Statement,
        values: Vec<Value>,
    ) -> Result<u64> {
        let changed = match &mut self.0.0 {
            DriverConnection::Postgres(c) => {
                let done = postgres(statement, values).execute(&mut **c);
                Box::pin(done).await?.rows_affected()
            }
            DriverConnection::PostgresTx(c) => {
                let done = postgres(statement, values).execute(&mut **c);
                Box::pin(done).await?.rows_affected()
            }
            DriverConnection::Sqlite(c) | DriverConnection::SqliteTx(c) => {
                c.execute(statement, &values)?
            }
        };
        Ok(changed)
    }
}

impl Tx {
    /// Runs a statement for given rows with these ids and returns the ids for which it changed a row. PostgreSQL returns
    /// their `id`; SQLite runs the statement once for each and counts.
    pub(crate) async fn execute_each<T: From<RowId>>(
        &mut self,
        table: &'static str,
        statement: &'static Statement,
        given: Rows,
        ids: impl Iterator<Item = T> + Send,
    ) -> Result<Vec<T>> {
        let values = vec![Value::Rows(given)];
        if let DriverConnection::SqliteTx(handle) = &mut self.0.0 {
            let changed = handle.execute_each(statement, &values)?;
            let changed = ids.zip(changed).filter(|(_, changed)| *changed > 0);
            return Ok(changed.map(|(id, _)| id).collect());
        }
        let rows = self.fetch_all(table, statement, values).await?;
        rows.iter().map(|row| row.id("id")).collect()
    }
}

impl std::ops::Deref for Tx {
    type Target = Conn;
    fn deref(&self) -> &Conn {
        &self.0
    }
}

impl std::ops::DerefMut for Tx {
    fn deref_mut(&mut self) -> &mut Conn {
        &mut self.0
    }
}

impl Conn {
    /// What a statement that counts returns as `n`.
    pub(crate) async fn count(
        &mut self,
        table: &'static str,
        statement: &'static Statement,
        values: Vec<Value>,
    ) -> Result<i64> {
        let row = self.fetch_optional(table, statement, values).await?;
        row.map_or(Ok(0), |row| row.int("n"))
    }

    /// The row a statement returns, if any. For statements that return one row at most: all of it
    /// is read, so that `RETURNING` takes effect.
    pub(crate) async fn fetch_optional(
        &mut self,
        table: &'static str,
        statement: &'static Statement,
        values: Vec<Value>,
    ) -> Result<Option<Row>> {
        Ok(self.fetch_all(table, statement, values).await?.pop())
    }

    /// Returns the rows of a statement; `table` names them in errors.
    pub(crate) async fn fetch_all(
        &mut self,
        table: &'static str,
        statement: &'static Statement,
        values: Vec<Value>,
    ) -> Result<Vec<Row>> {
        Ok(match &mut self.0 {
            DriverConnection::Postgres(c) => {
                let rows = postgres(statement, values).fetch_all(&mut **c);
                named(table, Box::pin(rows).await?, DriverRow::Postgres)
            }
            DriverConnection::PostgresTx(c) => {
                let rows = postgres(statement, values).fetch_all(&mut **c);
                named(table, Box::pin(rows).await?, DriverRow::Postgres)
            }
            DriverConnection::Sqlite(c) | DriverConnection::SqliteTx(c) => {
                named(table, c.fetch_all(statement, &values)?, DriverRow::Sqlite)
            }
        })
    }
}

fn named<R>(table: &'static str, rows: Vec<R>, raw: fn(R) -> DriverRow) -> Vec<Row> {
    let of_table = |row| Row {
        table,
        raw: raw(row),
    };
    rows.into_iter().map(of_table).collect()
}

fn postgres(
    statement: &'static Statement,
    values: Vec<Value>,
) -> Query<'static, Postgres, sqlx::postgres::PgArguments> {
    values
        .into_iter()
        .fold(sqlx::query(statement.postgres), |query, v| {
            v.bind_postgres(statement.given, query)
        })
}
