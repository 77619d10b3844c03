//! Every setting there is, by section: those of the product, and those that follow from the declarations of built-in
//! sources, which the binary hands in.

use domain::source::SourceDeclaration;

use crate::{
    sections::{
        admission, coordination, data_dir, database, encryption, fleet, identity,
        integrations::{self, SourceSettingTable},
        live, login, mail, model, policy, sandbox, server, storage, telemetry,
    },
    setting::{SecretSetting, Section, SectionEntry, Setting},
};

/// The settings of one binary. Made once per process.
#[derive(Debug)]
pub struct Catalog {
    sections: Vec<Section>,
    sources: Vec<SourceSettingTable>,
}

impl Catalog {
    pub fn new(sources: impl IntoIterator<Item = &'static SourceDeclaration>) -> Self {
        let sources: Vec<_> = sources.into_iter().map(SourceSettingTable::of).collect();
        Self {
            sections: vec![
                data_dir::SECTION,
                server::SECTION,
                database::SECTION,
                coordination::SECTION,
                storage::SECTION,
                policy::SECTION,
                sandbox::SECTION,
                live::SECTION,
                fleet::SECTION,
                admission::SECTION,
                integrations::section(&sources),
                model::SECTION,
                login::SECTION,
                mail::SECTION,
                identity::SECTION,
                encryption::SECTION,
                telemetry::SECTION,
            ],
            sources,
        }
    }

    /// Every section, in the order of the help and of the reference pages.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// Every setting that is not a secret.
    pub fn settings(&self) -> impl Iterator<Item = &'static Setting> {
        let entries = self.sections.iter().flat_map(|section| section.entries);
        entries.filter_map(|entry| match entry {
            SectionEntry::Open(setting) => Some(setting),
            SectionEntry::Secret(_) => None,
        })
    }

    /// Every secret.
    pub fn secrets(&self) -> impl Iterator<Item = &'static SecretSetting> {
        self.sections.iter().flat_map(Section::secrets)
    }

    /// The settings of each source.
    pub(crate) fn sources(&self) -> &[SourceSettingTable] {
        &self.sources
    }

    pub(crate) fn section(&self, name: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.name == name)
    }

    /// Returns the secret that an operator probably means who wrote `key` in `section` of the file.
    pub(crate) fn secret_named(&self, section: &str, key: &str) -> Option<&'static SecretSetting> {
        let key = key.to_ascii_lowercase();
        if key == "encryption_keys" || key == "encryption_key" {
            return Some(&encryption::KEYS);
        }
        self.secrets().find(|secret| {
            let (own_section, own_key) = secret.value.path.split_once('.').unwrap_or_default();
            // `keys` alone says too little outside of its section.
            own_key == key && (own_section == section || own_key.ends_with("_secret"))
        })
    }
}
