//! How a statement's parameters are bound and what its columns are called, read from SQLite. `Statement` keeps it.

use std::sync::Arc;

use rusqlite::{CachedStatement, Result, types::ToSql};

use crate::value::Value;

/// What is read from a statement when it is first prepared.
#[derive(Debug)]
pub(crate) struct BindPlan {
    parameters: Vec<Parameter>,
    pub(super) columns: Arc<[String]>,
}

/// What is bound to a parameter of a statement.
#[derive(Debug, Clone, Copy)]
enum Parameter {
    /// `$1` and so on: an argument.
    Argument(usize),
    /// `:name`: a column of the given row.
    Column(usize),
    /// `:row_number`: the number of the given row.
    RowNumber,
}

impl BindPlan {
    /// Reads the plan of a prepared statement; `given` names the columns of its given rows.
    pub(crate) fn read(prepared: &CachedStatement<'_>, given: &[&str]) -> Result<Self> {
        let parameters = (1..=prepared.parameter_count())
            .map(|index| parse_parameter(prepared.parameter_name(index), given))
            .collect::<Result<_>>()?;
        let names = prepared.column_names();
        let columns = names.into_iter().map(str::to_owned).collect();
        Ok(Self {
            parameters,
            columns,
        })
    }

    /// Binds the parameters for one of the given rows.
    pub(super) fn bind(
        &self,
        prepared: &mut CachedStatement<'_>,
        values: &[Value],
        (number, row): (i64, &[Value]),
    ) -> Result<()> {
        for (index, parameter) in (1..).zip(&self.parameters) {
            let value = match parameter {
                Parameter::Argument(n) => values.get(*n),
                Parameter::Column(n) => row.get(*n),
                Parameter::RowNumber => {
                    prepared.raw_bind_parameter(index, number)?;
                    continue;
                }
            };
            let Some(value) = value else {
                let name = prepared.parameter_name(index).unwrap_or_default();
                return Err(rusqlite::Error::InvalidParameterName(name.to_owned()));
            };
            prepared.raw_bind_parameter(index, value as &dyn ToSql)?;
        }
        Ok(())
    }
}

fn parse_parameter(name: Option<&str>, given: &[&str]) -> Result<Parameter> {
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
