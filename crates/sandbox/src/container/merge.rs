//! Merges layers of an image: archives of what changed, in which a name of its own kind says that something was removed.
//! What is removed stays so named: there may be more below.
//!
//! An entry that stays is copied as it is, with whatever an engine has written before it.

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
    os::unix::{ffi::OsStrExt as _, fs::FileExt as _},
    path::Path,
};

use aws_lc_rs::digest::{Context, SHA256};
use tar::EntryType;

use crate::stop::StopSignal;

/// Before the name of something that was removed.
const REMOVED: &[u8] = b".wh.";
/// In a directory that hides what is below it.
const OPAQUE: &[u8] = b".wh..wh..opq";
const BLOCK: u64 = 512;
/// Two empty blocks.
const END: [u8; 1024] = [0; 1024];

/// An archive that is a part of a file. Reading it fails when the work is stopped.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layer<'a> {
    file: &'a File,
    begin: u64,
    length: u64,
    stop: &'a StopSignal,
}

impl<'a> Layer<'a> {
    pub(super) fn new(file: &'a File, begin: u64, length: u64, stop: &'a StopSignal) -> Self {
        Self {
            file,
            begin,
            length,
            stop,
        }
    }

    pub(super) fn whole(file: &'a File, length: u64, stop: &'a StopSignal) -> Self {
        Self::new(file, 0, length, stop)
    }

    pub(super) fn length(&self) -> u64 {
        self.length
    }

    pub(super) fn reader(self) -> LayerReader<'a> {
        LayerReader { of: self, at: 0 }
    }

    pub(super) fn bytes(self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.reader().read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    pub(super) fn digest(self) -> io::Result<String> {
        let (mut hash, mut reader) = (Context::new(&SHA256), self.reader());
        let mut buffer = vec![0; 256 * 1024];
        loop {
            match reader.read(&mut buffer)? {
                0 => return Ok(hex::encode(hash.finish())),
                got => hash.update(&buffer[..got]),
            }
        }
    }

    fn part(self, begin: u64, end: u64) -> Self {
        Self::new(self.file, self.begin + begin, end - begin, self.stop)
    }
}

pub(super) struct LayerReader<'a> {
    of: Layer<'a>,
    at: u64,
}

impl Read for LayerReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.of.stop.check()?;
        let left = self.of.length.saturating_sub(self.at);
        let room = usize::try_from(left).map_or(buffer.len(), |left| left.min(buffer.len()));
        let got = self
            .of
            .file
            .read_at(&mut buffer[..room], self.of.begin + self.at)?;
        self.at += got as u64;
        Ok(got)
    }
}

impl Seek for LayerReader<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
            SeekFrom::End(by) => self.of.length.checked_add_signed(by),
        };
        self.at = at.ok_or_else(|| io::Error::other("a position before the beginning"))?;
        Ok(self.at)
    }
}

/// An entry of a layer.
#[derive(Debug, Clone)]
struct LayerEntry {
    layer: usize,
    /// All of it, with what stands before it.
    begin: u64,
    end: u64,
    kind: EntryType,
    /// What it is another name of.
    link: Option<Vec<u8>>,
}

/// What the merged layer has, by path. Without an entry: a mark that a directory hides what is below.
type MergedTree = BTreeMap<Vec<u8>, Option<LayerEntry>>;

/// Writes one layer that means what these mean together, the lowest first. Gives its length.
pub(super) fn merge(layers: &[Layer<'_>], to: &mut File) -> io::Result<u64> {
    let mut tree = MergedTree::new();
    let mut all = Vec::new();
    for (number, layer) in layers.iter().enumerate() {
        let entries = read_entries(number, *layer)?;
        apply_layer(&mut tree, &entries);
        all.push(entries.into_iter().collect::<BTreeMap<_, _>>());
    }
    let mut out = LayerWriter { layers, to };
    let mut links = Vec::new();
    for (path, entry) in &tree {
        match entry {
            None => out.write_opaque_mark(path)?,
            Some(entry) if entry.link.is_some() => links.push((path, entry)),
            Some(entry) => out.copy(entry)?,
        }
    }
    // After everything that they may be names of.
    let mut stand_ins: BTreeMap<(usize, Vec<u8>), Vec<u8>> = BTreeMap::new();
    for (path, entry) in links {
        let target = entry.link.clone().unwrap_or_default();
        let there = tree.get(&target).and_then(Option::as_ref);
        if there.is_some_and(|there| there.layer == entry.layer) {
            out.copy(entry)?;
            continue;
        }
        // The name it was stored under is gone, or another file's by now.
        let key = (entry.layer, target);
        if let Some(first) = stand_ins.get(&key) {
            out.write_link(entry, path, first)?;
        } else {
            let stored = all[entry.layer].get(&key.1);
            let stored = stored.filter(|stored| stored.link.is_none());
            let stored = stored.ok_or_else(|| io::Error::other("a link leads nowhere"))?;
            out.write_renamed(stored, path)?;
            stand_ins.insert(key, path.clone());
        }
    }
    out.finish()
}

/// Reads the entries of an archive, in its order.
fn read_entries(number: usize, layer: Layer<'_>) -> io::Result<Vec<(Vec<u8>, LayerEntry)>> {
    let mut archive = tar::Archive::new(layer.reader());
    let (mut found, mut begin) = (Vec::new(), 0);
    for entry in archive.entries_with_seek()? {
        let entry = entry?;
        let kind = entry.header().entry_type();
        if kind == EntryType::GNUSparse {
            return Err(io::Error::other("a file with holes"));
        }
        let end = (entry.raw_file_position() + entry.size()).next_multiple_of(BLOCK);
        let link = entry.link_name_bytes().filter(|_| kind.is_hard_link());
        let one = LayerEntry {
            layer: number,
            begin,
            end,
            kind,
            link: link.map(|name| normalize(&name)),
        };
        if kind != EntryType::XGlobalHeader {
            found.push((normalize(&entry.path_bytes()), one));
        }
        begin = end;
    }
    Ok(found)
}

/// Returns the same path for every archive.
fn normalize(path: &[u8]) -> Vec<u8> {
    let parts = path.split(|b| *b == b'/');
    let parts = parts.filter(|part| !part.is_empty() && *part != b".");
    parts.collect::<Vec<_>>().join(&b'/')
}

/// The directory, with a slash unless it is the topmost, and the name in it.
fn split(path: &[u8]) -> (&[u8], &[u8]) {
    let end = path.iter().rposition(|b| *b == b'/').map_or(0, |at| at + 1);
    path.split_at(end)
}

/// Puts a layer over what is merged so far.
fn apply_layer(tree: &mut MergedTree, layer: &[(Vec<u8>, LayerEntry)]) {
    // First what it removes, which is never anything of its own.
    for (path, entry) in layer {
        let (dir, name) = split(path);
        if name == OPAQUE {
            remove_below(tree, dir);
        } else if let Some(name) = name.strip_prefix(REMOVED) {
            let gone = [dir, name].concat();
            remove_below(tree, &[&gone[..], b"/"].concat());
            tree.remove(&gone);
        } else {
            continue;
        }
        tree.insert(path.clone(), Some(entry.clone()));
    }
    for (path, entry) in layer {
        let (dir, name) = split(path);
        if name.starts_with(REMOVED) {
            continue;
        }
        let was_removed = tree.remove(&[dir, REMOVED, name].concat()).is_some();
        let before = tree.insert(path.clone(), Some(entry.clone()));
        let was_directory = before.flatten().map(|before| before.kind.is_dir());
        if !entry.kind.is_dir() {
            remove_below(tree, &[&path[..], b"/"].concat());
        } else if was_removed || was_directory == Some(false) {
            // In place of what was removed it hides what is further below, too.
            let mark = [&path[..], b"/", OPAQUE].concat();
            tree.entry(mark).or_insert(None);
        }
    }
}

/// Removes everything whose path begins so.
fn remove_below(tree: &mut MergedTree, prefix: &[u8]) {
    let below: Vec<Vec<u8>> = tree
        .range(prefix.to_vec()..)
        .map(|(path, _)| path)
        .take_while(|path| path.starts_with(prefix))
        .cloned()
        .collect();
    for path in below {
        tree.remove(&path);
    }
}

/// An entry without its names.
struct StoredEntry<'a> {
    header: tar::Header,
    /// But for its names and its size.
    extensions: Vec<(String, Vec<u8>)>,
    content: Layer<'a>,
}

struct LayerWriter<'a> {
    layers: &'a [Layer<'a>],
    to: &'a mut File,
}

impl<'a> LayerWriter<'a> {
    fn copy(&mut self, entry: &LayerEntry) -> io::Result<()> {
        let part = self.layers[entry.layer].part(entry.begin, entry.end);
        io::copy(&mut part.reader(), self.to).map(drop)
    }

    /// Writes an empty file that marks a directory as opaque.
    fn write_opaque_mark(&mut self, path: &[u8]) -> io::Result<()> {
        let mut header = tar::Header::new_gnu();
        header.set_size(0);
        header.set_mode(0o600);
        self.append(|to| to.append_data(&mut header, as_path(path), io::empty()))
    }

    /// Writes another name of a file that was written before.
    fn write_link(&mut self, entry: &LayerEntry, path: &[u8], of: &[u8]) -> io::Result<()> {
        let mut header = self.read_stored(entry)?.header;
        header.set_size(0);
        self.append(|to| to.append_link(&mut header, as_path(path), as_path(of)))
    }

    /// Writes a file under another name than it was stored with.
    fn write_renamed(&mut self, entry: &LayerEntry, path: &[u8]) -> io::Result<()> {
        let StoredEntry {
            mut header,
            extensions,
            content,
        } = self.read_stored(entry)?;
        let extensions = extensions
            .iter()
            .map(|(name, value)| (name.as_str(), &value[..]));
        self.append(|to| {
            to.append_pax_extensions(extensions)?;
            to.append_data(&mut header, as_path(path), content.reader())
        })
    }

    /// Reads what an archive says of an entry but its names and size, and where its content is.
    fn read_stored(&self, entry: &LayerEntry) -> io::Result<StoredEntry<'a>> {
        let layer = self.layers[entry.layer].part(entry.begin, entry.end);
        let mut archive = tar::Archive::new(layer.reader());
        let mut first = archive
            .entries_with_seek()?
            .next()
            .ok_or_else(|| io::Error::other("an entry is gone"))??;
        let mut extensions = Vec::new();
        for extension in first.pax_extensions()?.into_iter().flatten() {
            let extension = extension?;
            let name = String::from_utf8_lossy(extension.key_bytes()).into_owned();
            if !matches!(name.as_str(), "path" | "linkpath" | "size") {
                extensions.push((name, extension.value_bytes().to_vec()));
            }
        }
        let begin = first.raw_file_position();
        let content = layer.part(begin, begin + first.size());
        let mut header = first.header().clone();
        header.set_size(first.size());
        Ok(StoredEntry {
            header,
            extensions,
            content,
        })
    }

    /// Writes without the end of an archive.
    fn append(
        &mut self,
        what: impl FnOnce(&mut tar::Builder<&mut EndlessWriter<'_>>) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut to = EndlessWriter(&mut *self.to, false);
        let mut builder = tar::Builder::new(&mut to);
        what(&mut builder)?;
        builder.get_mut().1 = true;
        builder.into_inner().map(drop)
    }

    fn finish(self) -> io::Result<u64> {
        self.to.write_all(&END)?;
        self.to.stream_position()
    }
}

/// Writes until its flag says that only the end of the archive is left.
struct EndlessWriter<'a>(&'a mut File, bool);

impl Write for EndlessWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.1 {
            return Ok(bytes.len());
        }
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

fn as_path(path: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(path))
}

#[cfg(test)]
mod tests;
