//! A row that has left its statement.

use std::sync::Arc;

use rusqlite::{Row, types::Value};

#[derive(Debug)]
pub(crate) struct SqliteRow {
    /// The names of its statement's columns.
    columns: Arc<[String]>,
    values: Vec<Value>,
}

impl SqliteRow {
    pub(super) fn read(columns: &Arc<[String]>, row: &Row<'_>) -> rusqlite::Result<Self> {
        let values = (0..columns.len()).map(|index| row.get(index));
        Ok(Self {
            columns: Arc::clone(columns),
            values: values.collect::<rusqlite::Result<_>>()?,
        })
    }

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
