//! A section of the file: the settings that belong together.

use super::{EnvVar, SecretSetting, Setting};

/// The settings of one table of the file, in the order of the help and of the reference pages.
#[derive(Debug, Clone, Copy)]
pub struct Section {
    /// The name of the table, without brackets; empty for the keys above all tables.
    pub name: &'static str,
    /// Above its flags in the help.
    pub heading: &'static str,
    pub entries: &'static [SectionEntry],
    /// Variables that the section reads besides those that set a setting.
    pub other_variables: &'static [OtherVariable],
}

#[derive(Debug, Clone, Copy)]
pub enum SectionEntry {
    Open(Setting),
    Secret(SecretSetting),
}

/// A variable that the product reads and that sets no setting of the file by itself.
#[derive(Debug, Clone, Copy)]
pub struct OtherVariable {
    pub variable: EnvVar,
    /// The setting that it bears on, or in parentheses the part of the product that reads it.
    pub used_by: &'static str,
    pub is_secret: bool,
    pub help: &'static str,
}

impl Section {
    /// What may be written in the file and given by flag: secrets only as the path of a file.
    pub fn settings(&self) -> impl Iterator<Item = &'static Setting> + use<> {
        self.entries.iter().map(|entry| match entry {
            SectionEntry::Open(setting) => setting,
            SectionEntry::Secret(secret) => &secret.file,
        })
    }

    pub(crate) fn secrets(&self) -> impl Iterator<Item = &'static SecretSetting> + use<> {
        self.entries.iter().filter_map(|entry| match entry {
            SectionEntry::Open(_) => None,
            SectionEntry::Secret(secret) => Some(secret),
        })
    }

    pub(crate) fn setting(&self, key: &str) -> Option<&'static Setting> {
        self.settings().find(|setting| setting.key() == key)
    }
}
