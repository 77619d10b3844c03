//! Storage in a directory. The directory must belong to the gateway alone: `object_store` follows
//! links, so a planted link would redirect reads and writes out of it.

use std::{
    fs::{DirBuilder, Metadata},
    io,
    os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt},
    path::{Path as FilePath, PathBuf},
    sync::Arc,
};

use object_store::{ObjectStore, local::LocalFileSystem, path::Path};

use crate::error::{Error, Result};

/// Creates the directory if it is missing and checks that it belongs to the gateway alone.
pub(crate) fn open(path: &FilePath) -> Result<(Arc<dyn ObjectStore>, PathBuf)> {
    match path.symlink_metadata() {
        Ok(found) => check_root(path, &found)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let made = DirBuilder::new().recursive(true).mode(0o700).create(path);
            made.map_err(|error| Error::unavailable(format!("{}: {error}", path.display())))?;
            let found = path.symlink_metadata().map_err(Error::unavailable)?;
            check_root(path, &found)?;
        }
        Err(error) => return Err(Error::unavailable(format!("{}: {error}", path.display()))),
    }
    let root = path.canonicalize().map_err(Error::unavailable)?;
    // Power may fail at any time: stored bytes must be on the disk before they are reported as
    // stored.
    let store = LocalFileSystem::new_with_prefix(&root)?.with_fsync(true);
    Ok((Arc::new(store), root))
}

fn check_root(path: &FilePath, found: &Metadata) -> Result<()> {
    let refuse = |reason| {
        Err(Error::Unsafe {
            path: path.display().to_string(),
            reason,
        })
    };
    if found.is_symlink() {
        return refuse("the storage directory is a symbolic link; name the directory itself");
    }
    if !found.is_dir() {
        return refuse("the storage directory is not a directory");
    }
    if found.uid() != rustix::process::geteuid().as_raw() {
        return refuse("the storage directory belongs to another user");
    }
    if found.permissions().mode() & 0o077 != 0 {
        return refuse("the storage directory is open to other users; chmod 700 it");
    }
    Ok(())
}

/// Checks that the path from `root` to `key` consists of plain directories and ends at a plain file or
/// at nothing.
pub(crate) fn check_path(root: &FilePath, key: &Path) -> Result<()> {
    let mut path = root.to_owned();
    let mut parts = key.parts().peekable();
    while let Some(part) = parts.next() {
        path.push(part.as_ref());
        let found = match path.symlink_metadata() {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(Error::unavailable(error)),
        };
        let reason = if found.is_symlink() {
            Some("there is a symbolic link in the storage directory")
        } else if parts.peek().is_some() && !found.is_dir() {
            Some("there should be a directory")
        } else if parts.peek().is_none() && !found.is_file() {
            Some("there should be a plain file")
        } else {
            None
        };
        if let Some(reason) = reason {
            let path = path.display().to_string();
            return Err(Error::Unsafe { path, reason });
        }
    }
    Ok(())
}
