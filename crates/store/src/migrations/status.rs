//! Whether this binary works with the schema of a database.

use crate::error::{Error, Result};

/// The schema of a database beside the one that this binary was built for. Versions are numbers of migrations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SchemaStatus {
    /// The newest migration in the database; 0 before the first.
    pub found: i64,
    /// The newest migration of this binary.
    pub known: i64,
    /// The newest migration of the oldest binary that works with the schema.
    pub oldest_binary: i64,
}

/// What a schema means for this binary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemaFit {
    /// The schema that this binary was built for.
    Current,
    /// Migrations of this binary are pending.
    Outdated,
    /// A newer binary has migrated the database, and this one works with the result.
    Newer,
    /// A newer binary has removed what this one needs.
    Incompatible,
}

impl SchemaStatus {
    pub fn fit(self) -> SchemaFit {
        match self.found.cmp(&self.known) {
            std::cmp::Ordering::Less => SchemaFit::Outdated,
            std::cmp::Ordering::Equal => SchemaFit::Current,
            std::cmp::Ordering::Greater if self.oldest_binary <= self.known => SchemaFit::Newer,
            std::cmp::Ordering::Greater => SchemaFit::Incompatible,
        }
    }

    /// Refuses a schema that this binary cannot serve from: an outdated or an incompatible one.
    pub fn require_usable(self) -> Result<()> {
        match self.fit() {
            SchemaFit::Current | SchemaFit::Newer => Ok(()),
            SchemaFit::Outdated => Err(Error::SchemaOutdated {
                found: self.found,
                needed: self.known,
            }),
            SchemaFit::Incompatible => Err(Error::SchemaTooNew {
                found: self.found,
                oldest_binary: self.oldest_binary,
                known: self.known,
            }),
        }
    }

    /// Refuses a schema that this binary cannot migrate: an incompatible one.
    pub(super) fn require_compatible(self) -> Result<()> {
        match self.fit() {
            SchemaFit::Outdated => Ok(()),
            _ => self.require_usable(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newer_schema_is_used_down_to_its_oldest_binary() {
        for (found, oldest_binary, fit, is_usable) in [
            (0, 0, SchemaFit::Outdated, false),
            (24, 24, SchemaFit::Outdated, false),
            (25, 25, SchemaFit::Current, true),
            (26, 22, SchemaFit::Newer, true),
            (30, 25, SchemaFit::Newer, true),
            (30, 26, SchemaFit::Incompatible, false),
        ] {
            let status = SchemaStatus {
                found,
                known: 25,
                oldest_binary,
            };
            assert_eq!(status.fit(), fit, "{status:?}");
            assert_eq!(status.require_usable().is_ok(), is_usable, "{status:?}");
        }
    }
}
