//! The text of a migration for each database. A file is written in PostgreSQL's dialect and SQLite's text is derived
//! from it, so that the two cannot drift apart.
//!
//! What has no common spelling stands between `-- @postgres`, `-- @sqlite` and `-- @end`, with the lines for SQLite as
//! comments, so that PostgreSQL takes the file as it is.

/// SQLite's types for PostgreSQL's, and `STRICT` so that SQLite enforces them.
pub(super) fn sqlite_text(file: &str) -> String {
    const TYPES: &[(&str, &str)] = &[
        (" UUID", " TEXT"),
        (" JSONB", " TEXT"),
        (" TIMESTAMPTZ", " INTEGER"),
        (" BIGINT", " INTEGER"),
        (" BOOLEAN", " INTEGER"),
    ];
    let mut text = own_lines(file).replace("\n);", "\n) STRICT;");
    for (from, to) in TYPES {
        text = text.replace(from, to);
    }
    text
}

/// The text without PostgreSQL's own blocks and with SQLite's uncommented.
fn own_lines(file: &str) -> String {
    let (mut text, mut block) = (String::with_capacity(file.len()), "");
    for line in file.lines() {
        match (line.strip_prefix("-- @"), block) {
            (Some("end"), _) => block = "",
            (Some(name), _) => block = name,
            (None, "postgres") => {}
            (None, "sqlite") => {
                text.push_str(line.strip_prefix("-- ").unwrap_or(line));
                text.push('\n');
            }
            (None, _) => {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{super::history::history, *};

    #[test]
    fn the_sqlite_text_keeps_nothing_of_the_other_dialect() {
        for migration in history() {
            let derived = sqlite_text(migration.text);
            for word in [
                " UUID",
                " JSONB",
                " TIMESTAMPTZ",
                " BIGINT",
                " BOOLEAN",
                "plpgsql",
            ] {
                let version = migration.version;
                assert!(!derived.contains(word), "migration {version} has{word}");
            }
            assert_eq!(
                derived.matches("CREATE TABLE").count(),
                derived.matches(" STRICT;").count()
            );
        }
    }
}
