//! Constraints in the form that SQLite checks fastest.
//!
//! To check `status IN ('a', 'b', 'c')` SQLite fills a temporary index, anew for each statement that writes a row: half
//! of what it takes to write a run. The same as comparisons takes next to nothing. The migrations say it the short
//! way, for both databases; what they made here is then told the long way, by the procedure that SQLite's manual has
//! for constraints (<https://www.sqlite.org/lang_altertable.html#otheralter>).

use std::sync::LazyLock;

use regex::{Captures, Regex};
use rusqlite::Connection;

/// A column and a list of words that is worth an index to SQLite: those of two are compared anyway.
#[expect(clippy::expect_used, reason = "a text of ours, which the tests read")]
static LISTED: LazyLock<Regex> = LazyLock::new(|| {
    let listed =
        r"(?<column>\w+)(?<not> NOT)? IN \(\s*(?<words>'[^']*'(?:\s*,\s*'[^']*'){2,})\s*\)";
    Regex::new(listed).expect("a good expression")
});

/// Brings the constraints of every table into that form, in the transaction that is open.
pub(crate) fn spell_out(connection: &Connection) -> rusqlite::Result<()> {
    let changed = changed(connection)?;
    if changed.is_empty() {
        return Ok(());
    }
    connection.pragma_update(None, "writable_schema", "ON")?;
    let written = write(connection, &changed);
    // Also reads the schema again.
    connection.pragma_update(None, "writable_schema", "RESET")?;
    written?;
    for (table, _) in &changed {
        // What cannot be read back is not committed.
        connection.prepare(&format!("SELECT * FROM {table}"))?;
    }
    Ok(())
}

/// The tables that have something to change, with their new text.
fn changed(connection: &Connection) -> rusqlite::Result<Vec<(String, String)>> {
    let tables = "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql LIKE '% IN (%'";
    let mut tables = connection.prepare(tables)?;
    let tables = tables.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mut changed = Vec::new();
    for table in tables {
        let (name, text): (String, String) = table?;
        let spelled = spelled_out(&text);
        if spelled != text {
            changed.push((name, spelled));
        }
    }
    Ok(changed)
}

fn write(connection: &Connection, changed: &[(String, String)]) -> rusqlite::Result<()> {
    let update = "UPDATE sqlite_schema SET sql = ?2 WHERE type = 'table' AND name = ?1";
    for table in changed {
        connection.execute(update, (&table.0, &table.1))?;
    }
    // Other connections and processes read the schema again too.
    let version: i64 = connection.pragma_query_value(None, "schema_version", |row| row.get(0))?;
    connection.pragma_update(None, "schema_version", version + 1)
}

fn spelled_out(text: &str) -> String {
    let spelled = LISTED.replace_all(text, |found: &Captures<'_>| {
        let (equals, joined) = match found.name("not") {
            None => ("=", " OR "),
            Some(_) => ("<>", " AND "),
        };
        let words = found["words"].split(',');
        let column = &found["column"];
        let compared = words.map(|word| format!("{column} {equals} {}", word.trim()));
        format!("({})", compared.collect::<Vec<_>>().join(joined))
    });
    spelled.into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_three_words_are_comparisons() {
        for (text, spelled) in [
            ("CHECK (a IN ('x', 'y'))", "CHECK (a IN ('x', 'y'))"),
            (
                "CHECK (a IN ('x', 'y',\n  'z'))",
                "CHECK ((a = 'x' OR a = 'y' OR a = 'z'))",
            ),
            (
                "CHECK (a NOT IN ('x','y','z') OR b IS NULL)",
                "CHECK ((a <> 'x' AND a <> 'y' AND a <> 'z') OR b IS NULL)",
            ),
            ("CHECK (a IN (1, 2, 3))", "CHECK (a IN (1, 2, 3))"),
        ] {
            assert_eq!(spelled_out(text), spelled);
        }
    }

    /// Values that a list lets through and refuses, and nothing at all.
    #[test]
    fn a_table_that_was_made_before_holds_to_the_same() {
        let connection = Connection::open_in_memory().unwrap();
        let made = "CREATE TABLE t (a TEXT CHECK (a IN ('x', 'y', 'z')),
            b TEXT CHECK (b NOT IN ('x', 'y', 'z'))) STRICT;
            CREATE INDEX of_t ON t (a);
            INSERT INTO t VALUES ('y', 'other')";
        connection.execute_batch(made).unwrap();
        connection.execute_batch("BEGIN").unwrap();
        spell_out(&connection).unwrap();
        connection.execute_batch("COMMIT").unwrap();
        assert!(changed(&connection).unwrap().is_empty());
        for (a, b, is_taken) in [
            (Some("x"), Some("other"), true),
            (Some("z"), None, true),
            (None, None, true),
            (Some("other"), None, false),
            (None, Some("y"), false),
        ] {
            let inserted = connection.execute("INSERT INTO t VALUES (?1, ?2)", (a, b));
            assert_eq!(inserted.is_ok(), is_taken, "{a:?} {b:?}");
        }
        let count: u32 = connection
            .query_row("SELECT count(*) FROM t WHERE a = 'y'", [], |row| row.get(0))
            .unwrap();
        assert_eq!(count, 1);
        let check: String = connection
            .query_row("PRAGMA integrity_check", [], |row| row.get(0))
            .unwrap();
        assert_eq!(check, "ok");
    }
}
