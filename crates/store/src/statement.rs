//! A query's text, once per database where the two differ and once where they do not.

use std::sync::OnceLock;

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

/// Declares statements and the list of them.
///
/// `pg: " FOR UPDATE"` is appended for PostgreSQL: SQLite has one writer, so its transactions need
/// no row locks.
///
/// `"...", rows(id: UUID, name: TEXT) "..."` stands for a table that is passed as one argument, `$1`, made
/// by [`crate::value::Rows`]. PostgreSQL, to which each statement is a journey, reads it at once; SQLite runs
/// the statement for each row.
///
/// `"INSERT INTO things", into(id: UUID, name: TEXT) "..."` is such a table that becomes rows of another. Where SQLite
/// is asked often, plain values are worth it: for a table that is selected from it makes a temporary one each time, as
/// it does for what is `RETURNING` and for `UPDATE ... FROM`. `sqlite: "..."` is its own text, with `:name` for a
/// column.
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

/// A text of SQLite's own, or the one that is made for it.
macro_rules! own_or {
    ([$own:literal] $($made:tt)*) => { $own };
    ([] $($made:tt)*) => { concat!($($made)*) };
}

pub(crate) use {own_or, statements};
