//! Migrations are numbered 1, 2, 3 in each directory that holds some. A gap or a double number
//! means that two branches met and that one of them runs in the wrong order on some database.

use std::collections::BTreeMap;

use super::{source_file::SourceFile, violation::Violation};

const DIRECTORY: &str = "crates/store/migrations/";

pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let mut violations = Vec::new();
    let mut numbered: BTreeMap<&str, Vec<(u64, &str)>> = BTreeMap::new();
    for file in files.iter().filter(|file| file.path.starts_with(DIRECTORY)) {
        if file.extension() != "sql" {
            continue;
        }
        let (directory, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
        match name
            .split_once('_')
            .and_then(|(number, _)| number.parse().ok())
        {
            Some(number) => numbered
                .entry(directory)
                .or_default()
                .push((number, &file.path)),
            None => violations.push(Violation::new(
                &file.path,
                1,
                "a migration is called `<number>_<what>.sql`, such as `0002_add_runs.sql`",
            )),
        }
    }
    for migrations in numbered.values_mut() {
        migrations.sort_unstable();
        // After the first wrong number all later ones are off as well: one line is enough.
        let wrong = (1..)
            .zip(migrations.iter())
            .find(|(expected, (number, _))| expected != number);
        if let Some((expected, (number, path))) = wrong {
            let problem =
                format!("migration {number} stands where {expected} is next; renumber it");
            violations.push(Violation::new(*path, 1, problem));
        }
    }
    violations
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{file, places};
    use super::check;

    fn found(names: &[&str]) -> Vec<String> {
        let files: Vec<_> = names
            .iter()
            .map(|name| file(&format!("crates/store/migrations/{name}"), "SELECT 1;\n"))
            .collect();
        places(&check(&files))
    }

    #[test]
    fn numbers_without_gaps_are_fine_in_each_directory() {
        assert!(found(&["0001_a.sql", "0002_b.sql", "README.md"]).is_empty());
        assert!(found(&["sqlite/0001_a.sql", "postgres/0001_a.sql"]).is_empty());
    }

    #[test]
    fn a_gap_a_double_and_a_nameless_one_are_found() {
        let place = |name: &str| format!("crates/store/migrations/{name}:1");
        assert_eq!(
            found(&["0001_a.sql", "0003_c.sql", "0004_d.sql"]),
            [place("0003_c.sql")]
        );
        assert_eq!(found(&["0001_a.sql", "0001_b.sql"]), [place("0001_b.sql")]);
        assert_eq!(found(&["0002_a.sql"]), [place("0002_a.sql")]);
        assert_eq!(found(&["initial.sql"]), [place("initial.sql")]);
    }
}
