//! A query's text, once per database where the two differ and once where they do not.

/// A named query.
#[derive(Debug)]
pub struct Statement {
    pub name: &'static str,
    pub sqlite: &'static str,
    pub postgres: &'static str,
}

/// Declares statements and the list of them.
///
/// `pg: " FOR UPDATE"` is appended for PostgreSQL: SQLite has one writer, so its transactions need
/// no row locks.
macro_rules! statements {
    ($($(#[$meta:meta])* $name:ident = $sql:expr $(, pg: $suffix:literal)?;)+) => {
        $(
            $(#[$meta])*
            static $name: $crate::statement::Statement = $crate::statement::Statement {
                name: stringify!($name),
                sqlite: $sql,
                postgres: concat!($sql $(, $suffix)?),
            };
        )+

        pub(crate) const STATEMENTS: &[&$crate::statement::Statement] = &[$(&$name),+];
    };
}

pub(crate) use statements;
