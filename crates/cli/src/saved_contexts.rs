//! Saved contexts: the gateways that a person works with, each with the token that is good there, in one file of the
//! user's configuration directory. One of them is current.
//!
//! INVARIANT: the file is read only if no other user can read it, and a token leaves it together with the address it
//! was saved with, never alone.

use std::{
    collections::BTreeMap,
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, Read as _},
    os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use domain::limits::NAME_LENGTH_MAX;
use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};
use uuid::Uuid;
use wire::secret_text::SecretText;

use crate::{data_dir::write_private, exit::Exit, failure::Failure};

/// The name of the gateway that `proliferate dev` started; it is never saved.
pub(crate) const DEV: &str = "dev";
/// Contexts that one user has: far more gateways than a person works with.
const CONTEXTS_MAX: usize = 100;
/// Bytes of the file: so many contexts with long names and tokens.
const FILE_BYTES_MAX: u64 = 1024 * 1024;
const DIRECTORY: &str = "proliferate";
const FILE: &str = "contexts.json";
const LOCK: &str = "contexts.lock";

/// A gateway, and as whom to talk to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SavedContext {
    /// Without a slash at its end.
    pub(crate) url: String,
    pub(crate) token: SecretText,
    /// The organization to act in, if the token is good for several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) organization: Option<String>,
    /// The API key that `login` was given, for `logout` to revoke.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) api_key_id: Option<Uuid>,
}

/// All of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SavedContexts {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) current: Option<String>,
    #[serde(default)]
    pub(crate) contexts: BTreeMap<String, SavedContext>,
}

impl SavedContexts {
    pub(crate) fn get(&self, name: &str) -> Result<&SavedContext, Failure> {
        self.contexts.get(name).ok_or_else(|| no_context(name))
    }

    /// Adds one under a name that is free.
    pub(crate) fn add(&mut self, name: &str, context: SavedContext) -> Result<(), Failure> {
        check_name(name)?;
        if self.contexts.contains_key(name) {
            let message = format!("there is a context `{name}` already");
            return Err(Failure::new(Exit::Conflict, message)
                .hint("give another name, or remove that one with `proliferate context remove`"));
        }
        if self.contexts.len() >= CONTEXTS_MAX {
            let message = format!("there are {CONTEXTS_MAX} contexts, which is the most");
            return Err(Failure::new(Exit::Conflict, message));
        }
        self.contexts.insert(name.to_owned(), context);
        Ok(())
    }

    pub(crate) fn select(&mut self, name: &str) -> Result<(), Failure> {
        self.current = if name == DEV {
            None
        } else {
            self.get(name)?;
            Some(name.to_owned())
        };
        Ok(())
    }

    pub(crate) fn rename(&mut self, old: &str, new: &str) -> Result<(), Failure> {
        let context = self.get(old)?.clone();
        if old == new {
            return Ok(());
        }
        self.add(new, context)?;
        self.contexts.remove(old);
        if self.current.as_deref() == Some(old) {
            self.current = Some(new.to_owned());
        }
        Ok(())
    }

    /// Without a current one, `dev.json` says where the gateway is.
    pub(crate) fn remove(&mut self, name: &str) -> Result<SavedContext, Failure> {
        let removed = self.contexts.remove(name);
        if self.current.as_deref() == Some(name) {
            self.current = None;
        }
        removed.ok_or_else(|| no_context(name))
    }
}

/// Where the contexts of this user are.
#[derive(Debug)]
pub(crate) struct ContextsFile {
    directory: PathBuf,
}

impl ContextsFile {
    /// That of the process's environment. `None` where neither XDG_CONFIG_HOME nor HOME is set.
    pub(crate) fn of_user() -> Option<Self> {
        Self::of(config::process_env)
    }

    fn of(variable: impl Fn(&str) -> Option<String>) -> Option<Self> {
        // The XDG specification: a relative path is invalid and to be ignored.
        let xdg = variable(config::env::CONFIG_HOME.variable.name).map(PathBuf::from);
        let base = xdg.filter(|path| path.is_absolute());
        let home = || {
            Some(PathBuf::from(
                variable("HOME").filter(|home| !home.is_empty())?,
            ))
        };
        let base = base.or_else(|| Some(home()?.join(".config")))?;
        Some(Self {
            directory: base.join(DIRECTORY),
        })
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.directory.join(FILE)
    }

    /// Without a file there are none.
    pub(crate) fn read(&self) -> Result<SavedContexts, Failure> {
        let path = self.path();
        let shown = path.display();
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(SavedContexts::default());
            }
            Err(error) => {
                let message = format!("cannot read {shown}");
                return Err(Failure::caused(Exit::Usage, message, &error));
            }
        };
        let opened = file
            .metadata()
            .with_context(|| format!("cannot read {shown}"))?;
        refuse_if_open(&path, opened.mode(), 0o077, "600")?;
        let directory =
            fs::metadata(&self.directory).with_context(|| format!("cannot read {shown}"))?;
        refuse_if_open(&self.directory, directory.mode(), 0o022, "700")?;
        let mut text = String::new();
        file.take(FILE_BYTES_MAX)
            .read_to_string(&mut text)
            .with_context(|| format!("cannot read {shown}"))?;
        // The error of the parser could quote a token: its place is enough.
        serde_json::from_str(&text).map_err(|error| {
            let (line, column) = (error.line(), error.column());
            let message =
                format!("{shown} is not what this command wrote (line {line}, column {column})");
            Failure::new(Exit::Usage, message)
                .hint("mend it, or remove it and sign in again with `proliferate login`")
        })
    }

    /// Changes the contexts; two commands at once change them one after the other.
    pub(crate) fn change<T>(
        &self,
        change: impl FnOnce(&mut SavedContexts) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let _lock = self.lock()?;
        let mut contexts = self.read()?;
        let changed = change(&mut contexts)?;
        let mut text = serde_json::to_vec_pretty(&contexts).context("cannot write JSON")?;
        text.push(b'\n');
        write_private(&self.path(), &text)?;
        Ok(changed)
    }

    fn lock(&self) -> anyhow::Result<File> {
        let path = self.directory.join(LOCK);
        let open = || -> io::Result<File> {
            DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(&self.directory)?;
            let file = OpenOptions::new()
                .write(true)
                .create(true)
                .truncate(false)
                .mode(0o600)
                .open(&path)?;
            flock(&file, FlockOperation::LockExclusive)?;
            Ok(file)
        };
        open().with_context(|| format!("cannot lock {}", path.display()))
    }
}

/// The file of this user, which a command needs that changes it.
pub(crate) fn contexts_file() -> Result<ContextsFile, Failure> {
    ContextsFile::of_user().ok_or_else(|| {
        Failure::new(Exit::Usage, "there is no directory for contexts")
            .hint("set HOME, or XDG_CONFIG_HOME to an absolute path")
    })
}

/// Letters, digits and a few marks, so that a name needs no quotes in a shell.
pub(crate) fn check_name(name: &str) -> Result<(), Failure> {
    let refuse = |why: &str| {
        let message = format!(
            "`{}` is not a name for a context: {why}",
            name.escape_debug()
        );
        Err(Failure::new(Exit::Usage, message))
    };
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    if name == DEV {
        return refuse("it always means the gateway that `proliferate dev` started");
    }
    if name.is_empty()
        || name.len() > NAME_LENGTH_MAX
        || !name.bytes().all(is_plain)
        || name.starts_with('-')
    {
        return refuse("write 1 to 100 letters, digits, `.`, `_` and `-`");
    }
    Ok(())
}

fn no_context(name: &str) -> Failure {
    let message = format!("there is no context `{}`", name.escape_debug());
    Failure::new(Exit::NotFound, message).hint(
        "`proliferate context list` shows those that are there, `proliferate login URL` adds one",
    )
}

fn refuse_if_open(path: &Path, mode: u32, forbidden: u32, remedy: &str) -> Result<(), Failure> {
    if mode & forbidden == 0 {
        return Ok(());
    }
    let shown = path.display();
    let message = format!(
        "others can read or change {shown} (mode {:03o}), and tokens are in it",
        mode & 0o777
    );
    Err(Failure::new(Exit::Usage, message).hint(format!(
        "`chmod {remedy} '{shown}'`, and make new tokens if others use this machine"
    )))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn context(url: &str) -> SavedContext {
        SavedContext {
            url: url.to_owned(),
            token: SecretText::new("pk_hush"),
            organization: None,
            api_key_id: None,
        }
    }

    fn file(root: &Path) -> ContextsFile {
        ContextsFile {
            directory: root.join("config/proliferate"),
        }
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn it_is_kept_for_its_owner_alone_and_read_back() {
        let root = tempfile::tempdir().unwrap();
        let file = file(root.path());
        assert_eq!(file.read().unwrap(), SavedContexts::default());
        file.change(|contexts| {
            contexts.add("prod", context("https://a.example"))?;
            contexts.select("prod")
        })
        .unwrap();
        assert_eq!(mode(&file.path()), 0o600);
        assert_eq!(mode(&file.directory), 0o700);
        let read = file.read().unwrap();
        assert_eq!(read.current.as_deref(), Some("prod"));
        assert_eq!(read.get("prod").unwrap().token.expose(), "pk_hush");
        assert!(!format!("{read:?}").contains("hush"));
    }

    #[test]
    fn one_that_others_can_read_or_replace_is_refused() {
        let root = tempfile::tempdir().unwrap();
        let file = file(root.path());
        file.change(|contexts| contexts.add("prod", context("https://a.example")))
            .unwrap();
        let set = |path: &Path, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        };
        for open in [0o640, 0o604, 0o620] {
            set(&file.path(), open);
            let failure = file.read().unwrap_err();
            assert_eq!(failure.exit, Exit::Usage, "{open:o}");
            assert!(failure.hint.unwrap().starts_with("`chmod 600 "));
        }
        set(&file.path(), 0o600);
        set(&file.directory, 0o770);
        assert!(
            file.read()
                .unwrap_err()
                .hint
                .unwrap()
                .starts_with("`chmod 700 ")
        );
        set(&file.directory, 0o755);
        assert!(file.read().is_ok());
    }

    #[test]
    fn a_spoilt_file_is_refused_without_its_words() {
        let root = tempfile::tempdir().unwrap();
        let file = file(root.path());
        file.change(|_| Ok(())).unwrap();
        write_private(&file.path(), br#"{"contexts": {"a": "pk_hush"}}"#).unwrap();
        let failure = file.read().unwrap_err();
        assert_eq!(failure.exit, Exit::Usage);
        assert!(!format!("{failure:?}").contains("hush"));
        // And stays as it was.
        assert!(file.change(|_| Ok(())).is_err());
    }

    #[test]
    fn names_are_added_selected_renamed_and_removed() {
        let mut contexts = SavedContexts::default();
        let exit = |result: Result<(), Failure>| result.map_err(|failure| failure.exit);
        assert_eq!(
            exit(contexts.add("a", context("https://a.example"))),
            Ok(())
        );
        assert_eq!(
            exit(contexts.add("a", context("https://b.example"))),
            Err(Exit::Conflict)
        );
        for bad in ["", "dev", "a b", "ä", "-x", "a/b", &"x".repeat(101)] {
            let added = contexts.add(bad, context("https://b.example"));
            assert_eq!(exit(added), Err(Exit::Usage), "{bad}");
        }
        assert_eq!(exit(contexts.select("b")), Err(Exit::NotFound));
        contexts.select("a").unwrap();
        contexts.rename("a", "b").unwrap();
        contexts.rename("b", "b").unwrap();
        assert_eq!(contexts.current.as_deref(), Some("b"));
        assert_eq!(exit(contexts.rename("a", "c")), Err(Exit::NotFound));
        contexts.select(DEV).unwrap();
        assert_eq!(contexts.current, None);
        contexts.select("b").unwrap();
        contexts.remove("b").unwrap();
        assert_eq!(contexts, SavedContexts::default());
    }

    #[test]
    fn it_is_where_xdg_says() {
        let place = |xdg: Option<&str>, home: Option<&str>| {
            let file = ContextsFile::of(|name| {
                let value = if name == "HOME" { home } else { xdg };
                value.map(str::to_owned)
            });
            file.map(|file| file.path().display().to_string())
        };
        let at_home = Some("/home/ada/.config/proliferate/contexts.json".to_owned());
        assert_eq!(place(None, Some("/home/ada")), at_home);
        assert_eq!(place(Some("relative"), Some("/home/ada")), at_home);
        let xdg = Some("/x/proliferate/contexts.json".to_owned());
        assert_eq!(place(Some("/x"), None), xdg);
        assert_eq!(place(None, None), None);
    }
}
