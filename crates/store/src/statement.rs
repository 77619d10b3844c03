//! A query's text, once per database where the two differ and once where they do not.

use std::sync::OnceLock;

use rusqlite::CachedStatement;

use crate::sqlite::plan::BindPlan;

/// A named query.
#[derive(Debug)]
pub struct Statement {
    pub name: &'static str,
    pub sqlite: &'static str,
    pub postgres: &'static str,
    /// The columns of its `rows(...)` or `into(...)`, in order.
    pub given: &'static [&'static str],
    pub(crate) plan: OnceLock<BindPlan>,
}

impl Statement {
    /// Returns how SQLite binds this statement, which is the same in every database and is read once.
    pub(crate) fn plan(&self, prepared: &CachedStatement<'_>) -> rusqlite::Result<&BindPlan> {
        if let Some(known) = self.plan.get() {
            return Ok(known);
        }
        let plan = BindPlan::read(prepared, self.given)?;
        Ok(self.plan.get_or_init(|| plan))
    }
}

/// Declares statements and the list of them.
///
/// `pg: " FOR UPDATE"` is appended for PostgreSQL: SQLite has one writer, so its transactions need
/// no row locks.
///
/// `"...", rows(id: UUID, name: TEXT) "..."` stands for a table that is passed as one argument, `$1`, made
/// by [`crate::value::Rows`]. PostgreSQL, where each statement is a network round trip, reads the whole table; SQLite runs
/// the statement once for each row.
///
/// `"INSERT INTO things", into(id: UUID, name: TEXT) "..."` inserts the rows of such a table. SQLite gets `VALUES`:
/// selecting from a table of arguments, `RETURNING` and `UPDATE ... FROM` each fill a temporary table per statement.
/// For the same reason `sqlite: "..."` gives a statement a text of its own for SQLite, with `:name` for a column.
macro_rules! statements {
    ($(
        $(#[$meta:meta])*
        $name:ident = $sql:expr
        $(, rows($($column:ident: $type:ident),+ $(,)?) $($after:literal)?)?
        $(, into($first:ident: $first_type:ident $(, $into:ident: $into_type:ident)* $(,)?) $($then:literal)?)?
        $(, pg: $suffix:literal)?
        $(, sqlite: $own:literal)?;
    )+) => {
        $(
            $(#[$meta])*
            static $name: $crate::statement::Statement = $crate::statement::Statement {
                name: stringify!($name),
                sqlite: $crate::statement::own_or!([$($own)?] $sql $(,
                    "(SELECT ",
                    $(":", stringify!($column), " AS ", stringify!($column), ", ",)+
                    ":row_number AS row_number) AS given ",
                    $($after)?
                )? $(,
                    " (", stringify!($first), $(", ", stringify!($into),)*
                    ") VALUES (:", stringify!($first), $(", :", stringify!($into),)* ") ",
                    $($then)?
                )?),
                postgres: concat!($sql $(,
                    "jsonb_to_recordset($1::jsonb) AS given (",
                    $(stringify!($column), " ", stringify!($type), ", ",)+
                    "row_number BIGINT) ",
                    $($after)?
                )? $(,
                    " (", stringify!($first), $(", ", stringify!($into),)*
                    ") SELECT ", stringify!($first), $(", ", stringify!($into),)*
                    " FROM jsonb_to_recordset($1::jsonb) AS given (",
                    stringify!($first), " ", stringify!($first_type),
                    $(", ", stringify!($into), " ", stringify!($into_type),)* ") ",
                    $($then)?
                )? $(, $suffix)?),
                given: &[
                    $($(stringify!($column),)+)?
                    $(stringify!($first), $(stringify!($into),)*)?
                ],
                plan: std::sync::OnceLock::new(),
            };
        )+

        pub(crate) const STATEMENTS: &[&$crate::statement::Statement] = &[$(&$name),+];
    };
}

/// SQLite's own text if the statement has one, or else the derived text.
macro_rules! own_or {
    ([$own:literal] $($made:tt)*) => { $own };
    ([] $($made:tt)*) => { concat!($($made)*) };
}

pub(crate) use {own_or, statements};
