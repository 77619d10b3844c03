//! Settings as the commands load them: flags, variables, file and defaults, and for a secret that
//! none of them names the key file of the data directory.

use std::sync::LazyLock;

use config::{Catalog, Overrides, SecretSetting, SettingSources, Settings, data_dir::DATA_DIR};

use crate::{context::Context, data_dir::DataDir, failure::Failure};

/// Every setting of this binary: those of the built-in sources follow from their declarations.
pub(crate) static CATALOG: LazyLock<Catalog> =
    LazyLock::new(|| Catalog::new(integrations::declarations()));

/// Settings, and how they were come by.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) settings: Settings,
    pub(crate) data_dir: DataDir,
    /// Secrets that were read from the data directory's key files.
    pub(crate) from_key_files: Vec<&'static SecretSetting>,
    overrides: Overrides,
}

/// Loads everything; a failure names every problem.
pub(crate) fn load(context: &Context, flags: &Overrides) -> Result<Loaded, config::ConfigError> {
    let mut overrides = flags.clone();
    overrides.set_if(&DATA_DIR, context.data_dir.clone());
    let settings = read(context, &overrides)?;
    let mut loaded = Loaded {
        data_dir: DataDir::of(&settings),
        settings,
        from_key_files: Vec::new(),
        overrides,
    };
    loaded.read_key_files(context)?;
    Ok(loaded)
}

impl Loaded {
    /// Makes a key file for every secret that is not set, then reads them.
    pub(crate) fn ensure_secrets(&mut self, context: &Context) -> Result<(), Failure> {
        for secret in self.settings.missing_secrets() {
            self.data_dir.ensure_key(secret, &*context.entropy)?;
        }
        self.read_key_files(context)?;
        Ok(())
    }

    fn read_key_files(&mut self, context: &Context) -> Result<(), config::ConfigError> {
        let missing = self.settings.missing_secrets().into_iter();
        let found: Vec<_> = missing
            .map(|secret| (secret, self.data_dir.key_file(secret)))
            .filter(|(_, path)| path.exists())
            .collect();
        if found.is_empty() {
            return Ok(());
        }
        for (secret, path) in found {
            self.overrides.set(&secret.file, path.display().to_string());
            self.from_key_files.push(secret);
        }
        self.settings = read(context, &self.overrides)?;
        Ok(())
    }
}

fn read(context: &Context, overrides: &Overrides) -> Result<Settings, config::ConfigError> {
    let sources = SettingSources {
        flags: overrides.clone(),
        env: &config::process_env,
        file: context.config_file.clone(),
    };
    Settings::load(&CATALOG, sources)
}
