//! The files of a template as an archive for a container, and the fingerprint by which a template is found again.

use std::{
    fs::{self, Metadata},
    io::{self, Seek as _},
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
};

use aws_lc_rs::digest::{Context, SHA256};

use crate::{HOME, TemplateEntry};

/// Of everything in a home directory.
const OWNER: u64 = 1000;

/// Writes the entries at their targets, owned by the user of a container. Links stay links.
pub(super) fn pack(entries: &[TemplateEntry]) -> io::Result<fs::File> {
    let mut to = tar::Builder::new(tempfile::tempfile()?);
    to.follow_symlinks(false);
    let home = Path::new(HOME.trim_start_matches('/'));
    let mut made = std::collections::BTreeSet::new();
    for entry in entries {
        let target = home.join(entry.target.relative());
        let above: Vec<&Path> = target.ancestors().skip(1).collect();
        for dir in above.into_iter().rev() {
            if dir.starts_with(home) && dir != home && made.insert(dir.to_owned()) {
                let mut header = tar::Header::new_gnu();
                header.set_entry_type(tar::EntryType::Directory);
                header.set_mode(0o755);
                set_owner(&mut header);
                header.set_size(0);
                to.append_data(&mut header, dir, io::empty())?;
            }
        }
        let source = fs::canonicalize(&entry.source)?;
        for path in walk(&source)? {
            let below = path.strip_prefix(&source).unwrap_or(Path::new(""));
            let name = if below.as_os_str().is_empty() {
                target.clone()
            } else {
                target.join(below)
            };
            append(&mut to, &path, &name)?;
        }
    }
    let mut file = to.into_inner()?;
    file.rewind()?;
    Ok(file)
}

fn append(to: &mut tar::Builder<fs::File>, path: &Path, name: &Path) -> io::Result<()> {
    let meta = path.symlink_metadata()?;
    let mut header = tar::Header::new_gnu();
    header.set_metadata(&meta);
    set_owner(&mut header);
    if meta.is_symlink() {
        header.set_size(0);
        to.append_link(&mut header, name, fs::read_link(path)?)
    } else if meta.is_dir() {
        header.set_size(0);
        to.append_data(&mut header, name, io::empty())
    } else if meta.is_file() {
        to.append_data(&mut header, name, fs::File::open(path)?)
    } else {
        // A copy has no sockets and no pipes.
        Ok(())
    }
}

fn set_owner(header: &mut tar::Header) {
    header.set_uid(OWNER);
    header.set_gid(OWNER);
}

/// Lists the path itself and everything below, directories before what they hold.
fn walk(source: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = vec![source.to_owned()];
    let mut at = 0;
    while let Some(path) = found.get(at) {
        if path.symlink_metadata()?.is_dir() {
            let names = fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.path()));
            let mut names = names.collect::<io::Result<Vec<_>>>()?;
            names.sort();
            found.extend(names);
        }
        at += 1;
    }
    Ok(found)
}

/// Hashes the image below, names, sizes and times of all sources, and their targets.
pub(super) fn fingerprint(base: &str, entries: &[TemplateEntry]) -> io::Result<String> {
    let mut hash = Context::new(&SHA256);
    hash.update(base.as_bytes());
    let mut add = |path: &Path, meta: &Metadata| {
        hash.update(&[0]);
        hash.update(path.as_os_str().as_encoded_bytes());
        hash.update(&[0]);
        for number in [
            meta.len(),
            u64::from(meta.mode()),
            meta.ino(),
            meta.mtime().unsigned_abs(),
            meta.mtime_nsec().unsigned_abs(),
        ] {
            hash.update(&number.to_le_bytes());
        }
    };
    for entry in entries {
        let source = fs::canonicalize(&entry.source)?;
        add(entry.target.relative(), &source.metadata()?);
        for path in walk(&source)? {
            add(&path, &path.symlink_metadata()?);
        }
    }
    Ok(hex::encode(hash.finish()))
}
