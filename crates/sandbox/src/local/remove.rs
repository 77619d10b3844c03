//! Removing directories that a sandbox has written: without root's rights, closed ones are opened first.

use std::{fs, io, os::unix::fs::PermissionsExt as _, path::Path};

/// With everything below. What is not there is no error.
pub(super) fn remove_all(path: &Path) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            open_all(path)?;
            fs::remove_dir_all(path)
        }
        other => other,
    }
}

/// Every directory becomes readable for its owner, which is us.
fn open_all(path: &Path) -> io::Result<()> {
    let mut waiting = vec![path.to_owned()];
    while let Some(dir) = waiting.pop() {
        fs::set_permissions(&dir, fs::Permissions::from_mode(0o700))?;
        for entry in fs::read_dir(&dir)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                waiting.push(entry.path());
            }
        }
    }
    Ok(())
}
