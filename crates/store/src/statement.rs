//! A query's text, once per database where the two differ and once where they do not.

/// A named query.
#[derive(Debug)]
pub struct Statement {
    pub name: &'static str,
    pub sqlite: &'static str,
    pub postgres: &'static str,
    /// The columns of its `rows(...)`, in order.
    pub given: &'static [&'static str],
}

/// Declares statements and the list of them.
///
/// `pg: " FOR UPDATE"` is appended for PostgreSQL: SQLite has one writer, so its transactions need
/// no row locks.
///
/// `"...", rows(id: UUID, name: TEXT) "..."` stands for a table that is passed as one argument, `$1`, made
/// by [`crate::value::Rows`]. PostgreSQL, to which each statement is a journey, reads it at once; SQLite runs
/// the statement for each row.
macro_rules! statements {
    ($(
        $(#[$meta:meta])*
        $name:ident = $sql:expr
        $(, rows($($column:ident: $type:ident),+ $(,)?) $($after:literal)?)?
        $(, pg: $suffix:literal)?;
    )+) => {
        $(
            $(#[$meta])*
            static $name: $crate::statement::Statement = $crate::statement::Statement {
                name: stringify!($name),
                sqlite: concat!($sql $(,
                    "(SELECT ",
                    $(":", stringify!($column), " AS ", stringify!($column), ", ",)+
                    ":row_number AS row_number) AS given ",
                    $($after)?
                )?),
                postgres: concat!($sql $(,
                    "jsonb_to_recordset($1::jsonb) AS given (",
                    $(stringify!($column), " ", stringify!($type), ", ",)+
                    "row_number BIGINT) ",
                    $($after)?
                )? $(, $suffix)?),
                given: &[$($(stringify!($column),)+)?],
            };
        )+

        pub(crate) const STATEMENTS: &[&$crate::statement::Statement] = &[$(&$name),+];
    };
}

pub(crate) use statements;
