//! Layers of a container's file system: what an agent did, as an engine packs it.

use std::{
    collections::BTreeSet,
    io::{self, Seek as _, Write as _},
};

use super::merge::{Layer, merge};
use crate::{bytes::choice, stop::StopSignal};

/// Layers of any bytes become one archive that can be read, in which nothing is that was in none of them.
pub(crate) fn layer_merge(bytes: &[u8]) {
    let (cut, bytes) = choice(bytes);
    // Archives are of blocks; the second begins at one of them.
    let cut = (bytes.len() * cut / 256 / 512) * 512;
    let Some((names, merged)) = merged(bytes, cut).unwrap_or_default() else {
        return;
    };
    for name in merged {
        let stands = names.contains(&name) || name.ends_with(b".wh..wh..opq");
        assert!(stands, "{} is of no layer", String::from_utf8_lossy(&name));
    }
}

type Names = BTreeSet<Vec<u8>>;

fn merged(bytes: &[u8], cut: usize) -> io::Result<Option<(Names, Names)>> {
    let (mut from, mut to) = (tempfile::tempfile()?, tempfile::tempfile()?);
    from.write_all(bytes)?;
    let stop = StopSignal::default();
    let layers = [
        Layer::new(&from, 0, cut as u64, &stop),
        Layer::new(&from, cut as u64, (bytes.len() - cut) as u64, &stop),
    ];
    let Ok(length) = merge(&layers, &mut to) else {
        return Ok(None);
    };
    // Marks and second names of a file are written anew, whatever stays is copied.
    assert!(
        length <= 4 * bytes.len() as u64 + 64 * 1024,
        "{length} bytes"
    );
    let mut names = Names::new();
    for part in [&bytes[..cut], &bytes[cut..]] {
        names.extend(read(part)?);
    }
    to.rewind()?;
    let merged = read(to);
    assert!(merged.is_ok(), "the archive cannot be read: {merged:?}");
    Ok(Some((names, merged?)))
}

fn read(from: impl io::Read) -> io::Result<Names> {
    let mut archive = tar::Archive::new(from);
    let plain = |path: &[u8]| {
        let parts = path.split(|byte| *byte == b'/');
        let parts = parts.filter(|part| !part.is_empty() && *part != b".");
        parts.collect::<Vec<_>>().join(&b'/')
    };
    let entries = archive.entries()?;
    entries
        .map(|entry| Ok(plain(&entry?.path_bytes())))
        .collect()
}
