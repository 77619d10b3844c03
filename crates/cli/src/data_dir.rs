//! The data directory as the commands use it: which file is what, and who may read it. The one place
//! that knows these names, so that what `dev` makes is what the other commands find.

use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, Read as _, Seek as _, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use config::{SecretSetting, Settings};
use domain::clock::{Entropy, random_bytes};
use rustix::fs::{FlockOperation, flock};

use crate::{exit::Exit, failure::Failure};

/// Only the owner may look inside.
const DIRECTORY_MODE: u32 = 0o700;
const FILE_MODE: u32 = 0o600;
/// Folder of the keys that `dev` made.
const KEYS: &str = "keys";
/// Where `dev` says how to reach it.
const DEV_FILE: &str = "dev.json";
/// Held by the one `dev` that runs on this directory.
const LOCK_FILE: &str = ".lock";

/// A data directory, which may not exist yet.
#[derive(Debug, Clone)]
pub(crate) struct DataDir {
    path: PathBuf,
}

/// Keeps other processes out of a data directory until it is dropped or the process dies.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl DataDir {
    pub(crate) fn of(settings: &Settings) -> Self {
        Self {
            path: settings.data_dir.clone(),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn dev_file(&self) -> PathBuf {
        self.path.join(DEV_FILE)
    }

    /// Where a secret is looked for that no variable or file setting names. Called like its flag:
    /// `--user-token-secret-file` makes `keys/user-token-secret`.
    pub(crate) fn key_file(&self, secret: &SecretSetting) -> PathBuf {
        let flag = secret.file.flag.trim_start_matches('-');
        let name = flag.strip_suffix("-file").unwrap_or(flag);
        self.path.join(KEYS).join(name)
    }

    /// Makes the directory for its owner alone. One that exists is left as it is: it may be shared
    /// with others on purpose, and each file of ours is closed to them anyway.
    pub(crate) fn create(&self) -> anyhow::Result<()> {
        create_directory(&self.path)
    }

    /// Whether others than the owner may look inside.
    pub(crate) fn is_open_to_others(&self) -> io::Result<bool> {
        Ok(fs::metadata(&self.path)?.permissions().mode() & 0o077 != 0)
    }

    /// Takes the directory for this process.
    pub(crate) fn lock(&self) -> Result<Lock, Failure> {
        let path = self.path.join(LOCK_FILE);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(FILE_MODE)
            .open(&path)
            .with_context(|| format!("cannot open {}", path.display()))?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(rustix::io::Errno::WOULDBLOCK) => return Err(self.taken(&mut file)),
            Err(error) => {
                let context = format!("cannot lock {}", path.display());
                return Err(anyhow::Error::new(io::Error::from(error))
                    .context(context)
                    .into());
            }
        }
        // Only for the message of a second process.
        let written = file
            .set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| writeln!(file, "{}", std::process::id()));
        written.with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Lock { _file: file })
    }

    fn taken(&self, file: &mut File) -> Failure {
        let mut holder = String::new();
        // Without the number the message is still right.
        let _ = file.take(20).read_to_string(&mut holder);
        let holder = match holder.trim() {
            "" => String::new(),
            pid => format!(" (process {pid})"),
        };
        Failure::new(
            Exit::Conflict,
            format!(
                "another `proliferate dev`{holder} is using {}",
                self.path.display()
            ),
        )
        .hint("stop that one, or give this one a directory of its own with `--data-dir`")
    }

    /// Makes the key file of a secret with 256 fresh random bits, unless it is there.
    pub(crate) fn ensure_key(
        &self,
        secret: &SecretSetting,
        entropy: &dyn Entropy,
    ) -> anyhow::Result<()> {
        let path = self.key_file(secret);
        if path.exists() {
            return Ok(());
        }
        create_directory(&self.path.join(KEYS))?;
        let key = hex::encode(random_bytes::<32>(entropy));
        write_private(&path, format!("{key}\n").as_bytes())
    }
}

fn create_directory(path: &Path) -> anyhow::Result<()> {
    DirBuilder::new()
        .recursive(true)
        .mode(DIRECTORY_MODE)
        .create(path)
        .with_context(|| format!("cannot create {}", path.display()))
}

/// Makes an empty file for its owner alone, unless it is there.
pub(crate) fn touch_private(path: &Path) -> anyhow::Result<()> {
    OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .mode(FILE_MODE)
        .open(path)
        .map(|_| ())
        .with_context(|| format!("cannot create {}", path.display()))
}

/// Writes a file that only its owner can read, also while it is written; readers see the
/// old content or the new one, never half of it.
pub(crate) fn write_private(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let fresh = path.with_file_name(name);
    let write = || -> io::Result<()> {
        // A process of the same number may have died here; its file may be open to others.
        match fs::remove_file(&fresh) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(FILE_MODE)
            .open(&fresh)?;
        file.write_all(content)?;
        file.sync_all()?;
        fs::rename(&fresh, path)?;
        // The name is durable only with its directory.
        match path.parent() {
            Some(parent) => File::open(parent)?.sync_all(),
            None => Ok(()),
        }
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use app::system::SystemEntropy;

    use crate::load::CATALOG;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    fn data_dir(root: &Path) -> DataDir {
        DataDir {
            path: root.join("a/data"),
        }
    }

    #[test]
    fn the_files_have_these_names() {
        let data_dir = data_dir(Path::new("/"));
        let names: Vec<_> = CATALOG
            .secrets()
            .map(|secret| data_dir.key_file(secret).display().to_string())
            .collect();
        let before = ["s3-secret-access-key", "admission-secret"];
        let of_sources = integrations::declarations();
        let of_sources = of_sources.map(|source| format!("{}-client-secret", source.name));
        let after = [
            "github-app-private-key",
            "model-api-key",
            "oidc-client-secret",
            "smtp-password",
            "user-token-secret",
            "service-token-secret",
            "sandbox-token-secret",
            "encryption-keys",
        ];
        let expected = before.map(str::to_owned).into_iter();
        let expected = expected.chain(of_sources).chain(after.map(str::to_owned));
        let expected: Vec<_> = expected.map(|it| format!("/a/data/keys/{it}")).collect();
        assert_eq!(names, expected);
    }

    #[test]
    fn what_is_made_is_for_the_owner_alone_and_made_once() {
        let root = tempfile::tempdir().unwrap();
        let data_dir = data_dir(root.path());
        data_dir.create().unwrap();
        data_dir.create().unwrap();
        assert_eq!(mode(data_dir.path()), 0o700);
        assert!(!data_dir.is_open_to_others().unwrap());
        let secret = CATALOG.secrets().next().unwrap();
        data_dir.ensure_key(secret, &SystemEntropy).unwrap();
        let path = data_dir.key_file(secret);
        let key = fs::read_to_string(&path).unwrap();
        data_dir.ensure_key(secret, &SystemEntropy).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), key);
        assert_eq!(key.trim().len(), 64);
        assert_eq!(mode(&path), 0o600);
        assert_eq!(mode(path.parent().unwrap()), 0o700);
    }

    #[test]
    fn a_file_is_replaced_whole() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("x");
        fs::write(&path, "old").unwrap();
        write_private(&path, b"new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(mode(&path), 0o600);
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1);
    }

    #[test]
    fn one_at_a_time() {
        let root = tempfile::tempdir().unwrap();
        let data_dir = data_dir(root.path());
        data_dir.create().unwrap();
        let lock = data_dir.lock().unwrap();
        let failure = data_dir.lock().unwrap_err();
        assert_eq!(failure.exit, Exit::Conflict);
        let pid = format!("(process {})", std::process::id());
        assert!(failure.message.contains(&pid), "{}", failure.message);
        drop(lock);
        assert!(data_dir.lock().is_ok());
    }
}
