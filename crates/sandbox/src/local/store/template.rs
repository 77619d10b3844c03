//! Templates: trees made once of files of this machine, and shared by all sandboxes that name the same files.

use std::{
    fs::{self, DirBuilder, Metadata},
    io,
    os::unix::fs::{DirBuilderExt as _, MetadataExt as _},
    path::{Path, PathBuf},
};

use aws_lc_rs::digest::{Context, SHA256};
use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, UTIME_NOW, utimensat};

use super::{
    content::DigestScheme,
    directory::{ScratchDirectory, Store, TREE},
    tree,
};
use crate::{Error, Result, TemplateEntry, local::tier::Tier, stop::StopSignal};

/// To the kernel: the time it is.
const NOW: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: UTIME_NOW,
};

/// Every home directory has it.
const WORKSPACE_DIR: &str = "workspace";

impl Store {
    /// Returns the template of these entries, and makes it if it is missing. Sources that look as they did when a
    /// template was made of them (names, sizes, times) are not read again.
    pub(crate) fn ensure_template(&self, entries: &[TemplateEntry]) -> Result<String> {
        const STEP: &str = "preparing the template";
        let failed = |error: io::Error| Error::failed(STEP, error);
        for entry in entries {
            if entry.target.is_home() || !entry.source.is_absolute() {
                return Err(Error::invalid("a template entry needs two whole paths"));
            }
            if !entry.source.exists() {
                let what = entry.source.display().to_string();
                return Err(Error::NotFound { what });
            }
        }
        let fingerprint = fingerprint(entries).map_err(failed)?;
        let known = self.root.join("sources").join(fingerprint);
        if let Ok(digest) = fs::read_to_string(&known)
            && self.template_tree(&digest).is_dir()
        {
            // The time says which templates were used last; `collect` keeps those.
            let times = Timestamps {
                last_access: NOW,
                last_modification: NOW,
            };
            let touched = utimensat(CWD, &known, &times, AtFlags::empty());
            touched.map_err(|error| failed(error.into()))?;
            return Ok(digest);
        }
        let scratch = self.scratch().map_err(failed)?;
        let digest = self.build(&scratch, entries).map_err(failed)?;
        let target = self.root.join("templates").join(&digest);
        self.publish_directory(&scratch, &target).map_err(failed)?;
        let note = self.scratch().map_err(failed)?;
        let new = note.0.join("digest");
        fs::write(&new, &digest).map_err(failed)?;
        fs::rename(&new, &known).map_err(failed)?;
        Ok(digest)
    }

    fn template_tree(&self, digest: &str) -> PathBuf {
        self.root.join("templates").join(digest).join(TREE)
    }

    fn build(&self, scratch: &ScratchDirectory, entries: &[TemplateEntry]) -> io::Result<String> {
        let root = scratch.0.join(TREE);
        let owner = self.owner();
        self.make_directory(&root)?;
        self.make_directory(&root.join(WORKSPACE_DIR))?;
        for entry in entries {
            let target = root.join(entry.target.relative());
            if let Some(parent) = target.parent() {
                let below = parent.strip_prefix(&root).unwrap_or(Path::new(""));
                let mut at = root.clone();
                for part in below {
                    at.push(part);
                    self.make_directory(&at)?;
                }
            }
            let source = fs::canonicalize(&entry.source)?;
            if source.is_dir() {
                tree::copy_tree(&source, &target, Some(owner), &StopSignal::default())?;
            } else {
                tree::copy_file(&source, &target, owner)?;
            }
        }
        Ok(tree::hash_tree(&root, DigestScheme::EveryByte, &StopSignal::default())?.digest)
    }

    fn make_directory(&self, path: &Path) -> io::Result<()> {
        match DirBuilder::new().mode(0o755).create(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(()),
            other => other?,
        }
        if self.tier == Tier::Root {
            let owner = Some(self.owner());
            std::os::unix::fs::chown(path, owner, owner)?;
        }
        Ok(())
    }

    /// The owner of what is in a home directory, seen from outside.
    pub(crate) fn owner(&self) -> u32 {
        match self.tier {
            Tier::Root => crate::local::root_tier::USER,
            Tier::Rootless => rustix::process::geteuid().as_raw(),
        }
    }
}

/// Hashes names, sizes and times of all sources, and their targets.
fn fingerprint(entries: &[TemplateEntry]) -> io::Result<String> {
    let mut hash = Context::new(&SHA256);
    let mut add = |path: &Path, meta: &Metadata| {
        let numbers = [
            meta.len(),
            u64::from(meta.mode()),
            meta.ino(),
            meta.mtime().unsigned_abs(),
            meta.mtime_nsec().unsigned_abs(),
        ];
        hash.update(path.as_os_str().as_encoded_bytes());
        hash.update(&[0]);
        for number in numbers {
            hash.update(&number.to_le_bytes());
        }
    };
    for entry in entries {
        let source = fs::canonicalize(&entry.source)?;
        let meta = source.metadata()?;
        add(entry.target.relative(), &meta);
        add(&source, &meta);
        let mut left = if meta.is_dir() {
            vec![source]
        } else {
            Vec::new()
        };
        while let Some(dir) = left.pop() {
            let mut names: Vec<PathBuf> = fs::read_dir(dir)?
                .map(|entry| entry.map(|entry| entry.path()))
                .collect::<io::Result<_>>()?;
            names.sort();
            for path in names {
                let meta = path.symlink_metadata()?;
                add(&path, &meta);
                if meta.is_dir() {
                    left.push(path);
                }
            }
        }
    }
    Ok(hex::encode(hash.finish()))
}
