//! What SQLite says of a statement, asked once: what its parameters stand for, and what its columns are called.

use std::sync::Arc;

use rusqlite::{CachedStatement, types::ToSql};

use super::Result;
use crate::{statement::Statement, value::Value};

/// Known of a statement after it was first prepared.
#[derive(Debug)]
pub(crate) struct Plan {
    parameters: Vec<Parameter>,
    pub(super) columns: Arc<[String]>,
}

/// What a parameter of a statement stands for.
#[derive(Debug, Clone, Copy)]
enum Parameter {
    /// `$1` and so on: an argument.
    Argument(usize),
    /// `:name`: a column of the given row.
    Column(usize),
    /// `:row_number`: which of the given rows it is.
    RowNumber,
}

impl Plan {
    /// The one of this statement, which is the same in every database.
    pub(super) fn of<'a>(
        statement: &'a Statement,
        prepared: &CachedStatement<'_>,
    ) -> Result<&'a Self> {
        if let Some(known) = statement.plan.get() {
            return Ok(known);
        }
        let parameters = (1..=prepared.parameter_count())
            .map(|index| parameter(prepared.parameter_name(index), statement.given))
            .collect::<Result<_>>()?;
        let names = prepared.column_names();
        let columns = names.into_iter().map(str::to_owned).collect();
        Ok(statement.plan.get_or_init(|| Self {
            parameters,
            columns,
        }))
    }

    /// Gives a statement its parameters for one of the given rows.
    pub(super) fn bind(
        &self,
        prepared: &mut CachedStatement<'_>,
        values: &[Value],
        (number, row): (i64, &[Value]),
    ) -> Result<()> {
        for (place, parameter) in (1..).zip(&self.parameters) {
            let value = match parameter {
                Parameter::Argument(n) => values.get(*n),
                Parameter::Column(n) => row.get(*n),
                Parameter::RowNumber => {
                    prepared.raw_bind_parameter(place, number)?;
                    continue;
                }
            };
            let Some(value) = value else {
                let name = prepared.parameter_name(place).unwrap_or_default();
                return Err(rusqlite::Error::InvalidParameterName(name.to_owned()));
            };
            prepared.raw_bind_parameter(place, value as &dyn ToSql)?;
        }
        Ok(())
    }
}

fn parameter(name: Option<&str>, given: &[&str]) -> Result<Parameter> {
    let found = name.and_then(|name| match name.split_at_checked(1)? {
        ("$", number) => {
            let number = number.parse::<usize>().ok()?.checked_sub(1)?;
            Some(Parameter::Argument(number))
        }
        (":", "row_number") => Some(Parameter::RowNumber),
        (":", column) => given
            .iter()
            .position(|name| *name == column)
            .map(Parameter::Column),
        _ => None,
    });
    found.ok_or_else(|| {
        rusqlite::Error::InvalidParameterName(name.unwrap_or("(no name)").to_owned())
    })
}
