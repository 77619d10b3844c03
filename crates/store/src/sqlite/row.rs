//! A row that has left its statement.

use std::sync::Arc;

use rusqlite::{Row, Statement, types::Value};

/// The names of a statement's columns, shared by its rows.
pub(super) struct Shape(Arc<[String]>);

#[derive(Debug)]
pub(crate) struct SqliteRow {
    columns: Arc<[String]>,
    values: Vec<Value>,
}

impl Shape {
    pub(super) fn of(statement: &Statement<'_>) -> Self {
        let names = statement.column_names();
        Self(names.into_iter().map(str::to_owned).collect())
    }

    pub(super) fn read(&self, row: &Row<'_>) -> rusqlite::Result<SqliteRow> {
        let values = (0..self.0.len()).map(|index| row.get(index));
        Ok(SqliteRow {
            columns: Arc::clone(&self.0),
            values: values.collect::<rusqlite::Result<_>>()?,
        })
    }
}

impl SqliteRow {
    pub(crate) fn text(&self, column: &str) -> Result<Option<String>, String> {
        match self.value(column)? {
            Value::Null => Ok(None),
            Value::Text(text) => Ok(Some(text.clone())),
            other => Err(format!("{} instead of a text", other.data_type())),
        }
    }

    pub(crate) fn int(&self, column: &str) -> Result<Option<i64>, String> {
        match self.value(column)? {
            Value::Null => Ok(None),
            Value::Integer(int) => Ok(Some(*int)),
            other => Err(format!("{} instead of a number", other.data_type())),
        }
    }

    fn value(&self, column: &str) -> Result<&Value, String> {
        let index = self.columns.iter().position(|name| name == column);
        let index = index.ok_or_else(|| "there is no such column".to_owned())?;
        Ok(&self.values[index])
    }
}
