//! The migrations of this binary, and which binaries each of them leaves working.

/// The last migration from before compatibility was recorded. It and those before it declare no kind.
const BASELINE: i64 = 22;

/// A step in the schema's history: one file.
#[derive(Debug, Clone, Copy)]
pub(super) struct SchemaMigration {
    /// The number that the file's name begins with.
    pub(super) version: i64,
    /// The rest of the file's name.
    pub(super) name: &'static str,
    /// In PostgreSQL's dialect.
    pub(super) text: &'static str,
}

/// What a migration means for binaries that do not have it. The first line of its file declares it:
/// `-- expand` or `-- contract: oldest binary 23`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MigrationKind {
    /// Adds what older binaries do not need: those that worked before still work.
    Expand,
    /// Removes or restricts what older binaries use. The oldest that still works has this migration as its newest.
    Contract { oldest_binary: i64 },
}

impl MigrationKind {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Expand => "expand",
            Self::Contract { .. } => "contract",
        }
    }
}

impl SchemaMigration {
    /// The kind that the file declares, unless it is from before kinds were recorded. A later file that declares none
    /// excludes every older binary, which is safe; the tests refuse such a file.
    pub(super) fn kind(&self) -> Option<MigrationKind> {
        let excludes_older = MigrationKind::Contract {
            oldest_binary: self.version,
        };
        (self.version > BASELINE).then(|| self.declared_kind().unwrap_or(excludes_older))
    }

    fn declared_kind(&self) -> Option<MigrationKind> {
        let declaration = self.text.lines().next()?.strip_prefix("-- ")?;
        if declaration == "expand" {
            return Some(MigrationKind::Expand);
        }
        let oldest_binary = declaration.strip_prefix("contract: oldest binary ")?;
        let oldest_binary = oldest_binary.parse().ok()?;
        Some(MigrationKind::Contract { oldest_binary })
    }
}

/// Every migration, oldest first.
pub(super) fn history() -> Vec<SchemaMigration> {
    let migration = |(file, text): &(&'static str, &'static str)| {
        let (number, name) = file.split_once('_').unwrap_or_default();
        SchemaMigration {
            version: number.parse().unwrap_or_default(),
            name: name.trim_end_matches(".sql"),
            text,
        }
    };
    FILES.iter().map(migration).collect()
}

/// The newest migration of this binary.
pub(super) fn latest_version() -> i64 {
    history().last().map_or(0, |migration| migration.version)
}

/// The oldest binary that works with the schema as the last of these migrations leaves it, by the newest migration
/// which that binary has.
pub(super) fn oldest_binary(applied: &[SchemaMigration]) -> i64 {
    applied
        .iter()
        .fold(BASELINE, |oldest, migration| match migration.kind() {
            None | Some(MigrationKind::Expand) => oldest,
            Some(MigrationKind::Contract { oldest_binary }) => oldest.max(oldest_binary),
        })
}

macro_rules! files {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("../../migrations/", $name)))),+]
    };
}

/// Each file's name and text, in the order in which they are applied.
const FILES: &[(&str, &str)] = files![
    "0001_foundation.sql",
    "0002_audit.sql",
    "0003_mediation.sql",
    "0004_actions.sql",
    "0005_connectors.sql",
    "0006_oauth.sql",
    "0007_webhooks.sql",
    "0008_callbacks.sql",
    "0009_live_events.sql",
    "0010_model_usage.sql",
    "0011_automations.sql",
    "0012_snapshots.sql",
    "0013_repo_push.sql",
    "0014_logins.sql",
    "0015_jobs.sql",
    "0016_configuration_budget.sql",
    "0017_organization_budget.sql",
    "0018_locks.sql",
    "0019_accepted_definitions.sql",
    "0020_asked_of_places.sql",
    "0021_events_at_their_places.sql",
    "0022_grant_basis.sql",
    "0023_schema_compatibility.sql",
    "0024_oidc.sql",
    "0025_sharing.sql",
    "0026_members.sql",
    "0027_organization_limits.sql",
    "0028_spend_notices.sql",
    "0029_device_logins.sql",
    "0030_organization_state.sql",
    "0031_organization_purge.sql",
];

#[cfg(test)]
mod tests {
    use super::*;

    /// What takes away something that an older binary may use.
    const CONTRACTING: &[&str] = &[
        "DROP TABLE",
        "DROP COLUMN",
        "DROP VIEW",
        " RENAME ",
        "SET NOT NULL",
        " TYPE ",
    ];

    #[test]
    fn each_file_is_listed_under_its_number() {
        let mut found = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/migrations"))
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect::<Vec<_>>();
        found.sort();
        assert_eq!(
            found,
            FILES.iter().map(|(name, _)| *name).collect::<Vec<_>>()
        );
        let versions: Vec<_> = history().iter().map(|step| step.version).collect();
        assert_eq!(versions, (1..=latest_version()).collect::<Vec<_>>());
    }

    #[test]
    fn each_file_declares_its_kind() {
        let all = history();
        for (index, migration) in all.iter().enumerate() {
            let (version, kind) = (migration.version, migration.declared_kind());
            assert_eq!(kind.is_some(), version > BASELINE, "migration {version}");
            match kind {
                None => {}
                // In PostgreSQL's text, which is all but the comments: SQLite's may have to create a table anew.
                Some(MigrationKind::Expand) => {
                    for line in migration
                        .text
                        .lines()
                        .filter(|line| !line.starts_with("--"))
                    {
                        let contracting = CONTRACTING.iter().find(|words| line.contains(**words));
                        assert_eq!(contracting, None, "migration {version}: {line}");
                    }
                }
                Some(MigrationKind::Contract {
                    oldest_binary: raised,
                }) => {
                    let before = oldest_binary(&all[..index]);
                    let raises = before < raised && raised <= version;
                    assert!(raises, "migration {version} raises {before} to {raised}");
                }
            }
        }
    }

    #[test]
    fn a_contract_raises_the_oldest_binary_for_all_that_follow() {
        let texts = [
            (22, "CREATE TABLE t (n BIGINT);", 22),
            (23, "-- expand\n", 22),
            (24, "-- contract: oldest binary 23\n", 23),
            (25, "-- expand\n", 23),
            (26, "-- no declaration\n", 26),
        ];
        let migration = |(version, text, _): &(i64, &'static str, i64)| SchemaMigration {
            version: *version,
            name: "test",
            text,
        };
        let migrations: Vec<_> = texts.iter().map(migration).collect();
        for (count, (_, text, oldest)) in (1..).zip(texts) {
            assert_eq!(oldest_binary(&migrations[..count]), oldest, "{text}");
        }
    }
}
