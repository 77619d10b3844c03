//! The root tier's own: the user of sandboxes, the directory they are put together in, and their disks.

use std::{
    fs, io,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use super::program;
use crate::{Error, Result, SandboxId};

/// The user of programs in a sandbox, seen from outside. Debian's policy reserves the number and assigns it to no package;
/// the tools' own users end below it.
pub(super) const USER: u32 = 65_500;

/// A directory that the user above can pass through. Gone after a boot, as is everything it belongs to.
pub(super) fn run_dir() -> PathBuf {
    PathBuf::from("/run/proliferate-sandbox")
}

fn owners() -> PathBuf {
    run_dir().join("owners")
}

/// Publishes on this machine in which directory a sandbox's record is, before there is anything else of it. A link, because
/// it is created together with its content.
pub(super) fn write_owner_link(id: &SandboxId, directory: &Path) -> io::Result<()> {
    fs::create_dir_all(owners())?;
    std::os::unix::fs::symlink(directory, owners().join(id.as_str()))
}

/// Removes the link, after everything else of the sandbox but its record.
pub(super) fn remove_owner_link(id: &SandboxId) -> io::Result<()> {
    match fs::remove_file(owners().join(id.as_str())) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Whether a process on this machine has a record of it.
pub(super) fn has_record(id: &SandboxId) -> bool {
    let owner = fs::read_link(owners().join(id.as_str()));
    owner.is_ok_and(|owner| owner.join("sandboxes").join(id.as_str()).is_dir())
}

/// Lists the sandboxes that have something in the directory above.
pub(super) fn list_sandboxes() -> Vec<SandboxId> {
    let dirs = [run_dir(), owners()];
    let entries = dirs
        .iter()
        .flat_map(|dir| fs::read_dir(dir).into_iter().flatten().flatten());
    entries
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect()
}

const DISK: &str = "making the disk";

/// Directories of a sandbox's disk: what the overlay writes, its scratch space, `/tmp` and logs.
pub(super) const DISK_DIRS: [&str; 4] = ["upper", "work", "tmp", "log"];

/// Makes them, owned by the sandbox's user.
pub(super) fn make_disk_dirs(disk: &Path, owner: Option<u32>) -> io::Result<()> {
    for name in DISK_DIRS {
        let dir = disk.join(name);
        fs::create_dir(&dir)?;
        let mode = if name == "tmp" { 0o1777 } else { 0o755 };
        fs::set_permissions(&dir, fs::Permissions::from_mode(mode))?;
        if name != "work" {
            std::os::unix::fs::chown(&dir, owner, owner)?;
        }
    }
    Ok(())
}

/// Makes an empty disk of this size: a file system in a sparse file, so that a sandbox fills its own disk and nothing else.
pub(super) async fn make_image(scratch: &Path, bytes: u64, image: &Path) -> Result<()> {
    let failed = |error: io::Error| Error::failed(DISK, error);
    let content = scratch.join("content");
    fs::create_dir(&content).map_err(failed)?;
    make_disk_dirs(&content, Some(USER)).map_err(failed)?;
    let new = scratch.join("image");
    let mut mkfs = program::command("mkfs.ext4");
    // No journal: what matters is copied out of it, and after a crash it is repaired before it is read.
    mkfs.args(["-q", "-F", "-O", "^has_journal", "-m", "0"])
        .args(["-E", "nodiscard,lazy_itable_init=1,root_owner=0:0", "-d"])
        .arg(&content)
        .arg(&new)
        .arg(format!("{}k", bytes / 1024));
    program::run(DISK, &mut mkfs).await?;
    if let Some(images) = image.parent() {
        fs::create_dir_all(images).map_err(failed)?;
    }
    fs::rename(&new, image).map_err(failed)
}

pub(super) async fn copy_image(image: &Path, to: &Path) -> Result<()> {
    let mut cp = program::command("cp");
    cp.args(["--sparse=always", "--reflink=auto"])
        .arg(image)
        .arg(to);
    program::run(DISK, &mut cp).await
}
