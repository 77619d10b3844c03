//! Every setting there is: those of the product, and those that follow from the declarations of built-in sources, which the
//! binary hands in.

use domain::source::SourceDeclaration;

use crate::{
    ENV_VARS, SECRETS, SETTINGS, encryption,
    env::{self, EnvVar},
    fleet,
    integrations::SourceKeys,
    setting::{SecretSetting, Setting},
    storage,
};

/// The settings of one binary. Made once per process.
#[derive(Debug)]
pub struct Catalog {
    sources: Vec<SourceKeys>,
    settings: Vec<Setting>,
    secrets: Vec<SecretSetting>,
    env_vars: Vec<EnvVar>,
}

impl Catalog {
    pub fn new(sources: impl IntoIterator<Item = &'static SourceDeclaration>) -> Self {
        let sources: Vec<SourceKeys> = sources.into_iter().map(SourceKeys::of).collect();
        let mut catalog = Self {
            settings: SETTINGS.to_vec(),
            secrets: SECRETS.to_vec(),
            env_vars: ENV_VARS.to_vec(),
            sources,
        };
        catalog.insert_sources();
        catalog
    }

    /// Every setting that is not a secret, in the order of `config check`.
    pub fn settings(&self) -> &[Setting] {
        &self.settings
    }

    /// Every secret.
    pub fn secrets(&self) -> &[SecretSetting] {
        &self.secrets
    }

    /// Every environment variable, in the order of the reference page.
    pub fn env_vars(&self) -> &[EnvVar] {
        &self.env_vars
    }

    /// The settings of each source.
    pub fn sources(&self) -> &[SourceKeys] {
        &self.sources
    }

    /// The settings of all sources that have flags, in the order of the help.
    pub fn source_flags(&self) -> impl Iterator<Item = &Setting> {
        let common = self.sources.iter().flat_map(SourceKeys::common);
        common.chain(self.sources.iter().flat_map(SourceKeys::special))
    }

    /// The secret that someone who wrote `key` in `section` of the file probably means.
    pub(crate) fn secret_named(&self, section: &str, key: &str) -> Option<SecretSetting> {
        let key = key.to_ascii_lowercase();
        if key == "encryption_keys" || key == "encryption_key" {
            return Some(encryption::KEYS);
        }
        let is_named = |secret: &&SecretSetting| {
            let (own_section, own_key) = secret.value.path.split_once('.').unwrap_or_default();
            // `keys` alone says too little outside of its section.
            own_key == key && (own_section == section || own_key.ends_with("_secret"))
        };
        self.secrets.iter().find(is_named).copied()
    }

    /// Each list has the sources at one place, together: what all of them have first, then what only some have.
    fn insert_sources(&mut self) {
        let is_file = |setting: &&Setting| setting.path.ends_with("_file");
        let flags: Vec<Setting> = self.source_flags().copied().collect();
        let settings = flags.iter().filter(|it| !is_file(it)).copied();
        let at = place_after(&self.settings, |it| it.path == fleet::OPERATORS.path);
        self.settings.splice(at..at, settings);

        let of_sources: Vec<_> = self.sources.iter().map(SourceKeys::secrets).collect();
        let common = of_sources.iter().map(|(common, _)| **common);
        let special = of_sources
            .iter()
            .filter_map(|(_, special)| special.copied());
        let secrets: Vec<SecretSetting> = common.chain(special).collect();
        let at = place_after(&self.secrets, |it| {
            it.value.path == storage::S3_SECRET_ACCESS_KEY.value.path
        });
        self.secrets.splice(at..at, secrets.clone());

        // A secret's own variable stands before the one for its file.
        let with_secret = |setting: Setting| {
            let secret = secrets.iter().find(|secret| secret.file == setting);
            let value = secret.map(|secret| secret.value);
            value.into_iter().chain([setting])
        };
        let variables = flags.into_iter().flat_map(with_secret);
        let variables: Vec<EnvVar> = variables.flat_map(|it| it.env.iter().copied()).collect();
        let at = place_after(&self.env_vars, |it| it.name == env::FLEET_OPERATORS.name);
        self.env_vars.splice(at..at, variables);
    }
}

/// The index behind the item that is meant.
fn place_after<T>(list: &[T], is_meant: impl FnMut(&T) -> bool) -> usize {
    list.iter()
        .position(is_meant)
        .map_or(list.len(), |at| at + 1)
}
