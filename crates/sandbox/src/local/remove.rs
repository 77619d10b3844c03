//! Removing directories that a sandbox has written: without root's rights, closed ones are opened first.

use std::{fs, io, os::unix::fs::PermissionsExt as _, path::Path};

/// Attempts while its creator has not noticed yet and writes into it, or another process removes it too.
const TRIES: usize = 16;

/// With everything below. What is not there is no error.
pub(super) fn remove_all(path: &Path) -> io::Result<()> {
    let mut tries = 1..TRIES;
    loop {
        let Err(error) = remove_once(path) else {
            return Ok(());
        };
        let is_there = path.symlink_metadata().is_ok();
        match error.kind() {
            io::ErrorKind::NotFound if !is_there => return Ok(()),
            io::ErrorKind::NotFound | io::ErrorKind::DirectoryNotEmpty
                if tries.next().is_some() => {}
            _ => return Err(error),
        }
    }
}

fn remove_once(path: &Path) -> io::Result<()> {
    match fs::remove_dir_all(path) {
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
