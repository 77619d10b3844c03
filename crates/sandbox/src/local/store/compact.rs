//! Merges several layers into one, so that chains stay short. Files are linked, not copied: layers do not change.

use std::{
    fs, io,
    os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _},
    path::Path,
};

use rustix::fs::{self as sys, XattrFlags};

use super::{
    content::DigestScheme,
    directory::{Store, TREE},
    layer::{StagedLayer, step_error},
    tree,
};
use crate::{
    Result,
    local::{remove::remove_all, tier::Tier},
    stop::StopSignal,
};

const OPAQUE: [&str; 2] = ["trusted.overlay.opaque", "user.overlay.opaque"];

impl Store {
    /// Makes one layer that means what these mean together; topmost first. What they remove stays removed: the
    /// template below may have it.
    pub(super) fn compact(&self, layers: &[String], stop: &StopSignal) -> Result<String> {
        let failed = step_error("merging layers");
        let dir = self.scratch().map_err(failed)?;
        let into = dir.0.join(TREE);
        fs::create_dir(&into).map_err(failed)?;
        let mark = match self.tier {
            Tier::Root => OPAQUE[0],
            Tier::Rootless => OPAQUE[1],
        };
        for layer in layers.iter().rev() {
            merge(&self.layer(layer).join(TREE), &into, mark, stop).map_err(failed)?;
        }
        let summary = tree::hash_tree(&into, DigestScheme::DataOnly, stop).map_err(failed)?;
        self.add_layer(StagedLayer { dir, summary }, stop)
    }
}

/// Puts a directory over another one.
fn merge(upper: &Path, into: &Path, mark: &str, stop: &StopSignal) -> io::Result<()> {
    for entry in fs::read_dir(upper)? {
        stop.check()?;
        let entry = entry?;
        let meta = entry.metadata()?;
        let (from, to) = (entry.path(), into.join(entry.file_name()));
        let there = to.symlink_metadata().ok();
        if meta.is_dir() {
            let replaced = there
                .as_ref()
                .is_some_and(|there| !there.is_dir() || opaque_attribute(&from).is_some());
            // A directory in place of something that was removed hides what is further below, too.
            let hides = there.as_ref().is_some_and(|there| !there.is_dir());
            if replaced {
                remove(&to)?;
            }
            if replaced || there.is_none() {
                fs::create_dir(&to)?;
            }
            merge(&from, &to, mark, stop)?;
            if hides && opaque_attribute(&from).is_none() {
                sys::lsetxattr(&to, mark, b"y", XattrFlags::empty())?;
            }
        } else {
            if there.is_some() {
                remove(&to)?;
            }
            link(&from, &to, &meta)?;
        }
    }
    copy_metadata(upper, into)
}

fn remove(path: &Path) -> io::Result<()> {
    if path.symlink_metadata()?.is_dir() {
        remove_all(path)
    } else {
        fs::remove_file(path)
    }
}

/// Links the same file under another name. Where that is not possible (a link count that is full), a mark of
/// removal can be made anew.
fn link(from: &Path, to: &Path, meta: &fs::Metadata) -> io::Result<()> {
    match fs::hard_link(from, to) {
        Err(error) if error.raw_os_error() == Some(libc::EMLINK) => {
            if meta.file_type().is_char_device() {
                let mode = sys::Mode::empty();
                sys::mknodat(sys::CWD, to, sys::FileType::CharacterDevice, mode, 0)?;
                return Ok(());
            }
            Err(error)
        }
        other => other,
    }
}

/// Copies owner, permissions, attributes and time of a directory.
fn copy_metadata(from: &Path, to: &Path) -> io::Result<()> {
    let meta = from.metadata()?;
    if rustix::process::geteuid().is_root() {
        std::os::unix::fs::lchown(to, Some(meta.uid()), Some(meta.gid()))?;
    }
    fs::set_permissions(to, fs::Permissions::from_mode(meta.mode() & 0o7777))?;
    if let Some(name) = opaque_attribute(from) {
        sys::lsetxattr(to, name, b"y", XattrFlags::empty())?;
    }
    let mut names = vec![0; 64 * 1024];
    let length = sys::llistxattr(from, names.as_mut_slice())?;
    for name in names[..length].split(|b| *b == 0) {
        if name.starts_with(b"user.") && !name.starts_with(b"user.overlay.") {
            let mut value = vec![0; 64 * 1024];
            let length = sys::lgetxattr(from, name, value.as_mut_slice())?;
            sys::lsetxattr(to, name, &value[..length], XattrFlags::empty())?;
        }
    }
    let file = fs::File::open(to)?;
    file.set_modified(meta.modified()?)
}

/// The attribute by which a directory hides what is below it.
fn opaque_attribute(path: &Path) -> Option<&'static str> {
    let has = |name: &&&str| {
        let mut value = [0; 1];
        sys::lgetxattr(path, **name, value.as_mut_slice()).is_ok_and(|length| length == 1)
    };
    OPAQUE.iter().find(has).copied()
}
