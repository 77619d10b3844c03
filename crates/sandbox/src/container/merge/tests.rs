//! Layers put over each other mean what they mean one after the other.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

/// One thing in a layer.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Item {
    Directory(String),
    File(String, String),
    /// Another name of a file of the same layer.
    Link(String, String),
}

fn layer(items: &[Item]) -> (File, u64) {
    let mut to = tar::Builder::new(tempfile::tempfile().unwrap());
    for item in items {
        let mut header = tar::Header::new_gnu();
        header.set_mode(0o640);
        header.set_size(0);
        match item {
            Item::Directory(path) => {
                header.set_entry_type(EntryType::Directory);
                to.append_data(&mut header, format!("{path}/"), io::empty())
            }
            Item::File(path, text) => {
                header.set_size(text.len() as u64);
                to.append_pax_extensions([("SCHILY.xattr.user.of", path.as_bytes())])
                    .unwrap();
                to.append_data(&mut header, path, text.as_bytes())
            }
            Item::Link(path, of) => {
                header.set_entry_type(EntryType::Link);
                to.append_link(&mut header, path, of)
            }
        }
        .unwrap();
    }
    let mut file = to.into_inner().unwrap();
    let length = file.stream_position().unwrap();
    (file, length)
}

fn items(file: &File, length: u64) -> Vec<Item> {
    let stop = StopSignal::default();
    let mut archive = tar::Archive::new(Layer::whole(file, length, &stop).reader());
    let read = archive.entries().unwrap().map(|entry| {
        let mut entry = entry.unwrap();
        let path = String::from_utf8(normalize(&entry.path_bytes())).unwrap();
        let kind = entry.header().entry_type();
        if kind.is_dir() {
            return Item::Directory(path);
        }
        if let Some(of) = entry.link_name_bytes().filter(|_| kind.is_hard_link()) {
            return Item::Link(path, String::from_utf8(normalize(&of)).unwrap());
        }
        let mut text = String::new();
        entry.read_to_string(&mut text).unwrap();
        Item::File(path, text)
    });
    read.collect()
}

fn merged(layers: &[Vec<Item>]) -> Vec<Item> {
    let files: Vec<(File, u64)> = layers.iter().map(|items| layer(items)).collect();
    let stop = StopSignal::default();
    let parts: Vec<Layer<'_>> = files
        .iter()
        .map(|(file, length)| Layer::whole(file, *length, &stop))
        .collect();
    let mut to = tempfile::tempfile().unwrap();
    let length = merge(&parts, &mut to).unwrap();
    assert_eq!(length % BLOCK, 0);
    items(&to, length)
}

/// Files with their content, directories without.
type Disk = BTreeMap<String, Option<String>>;

/// As an engine unpacks a layer over what is there.
fn unpack(disk: &mut Disk, layer: &[Item]) {
    let gone = |disk: &mut Disk, below: &str| disk.retain(|path, _| !path.starts_with(below));
    for item in layer {
        let Item::File(path, _) = item else { continue };
        let (dir, name) = path.rsplit_once('/').unwrap_or(("", path));
        let dir = if dir.is_empty() {
            String::new()
        } else {
            format!("{dir}/")
        };
        if name == ".wh..wh..opq" {
            gone(disk, &dir);
        } else if let Some(name) = name.strip_prefix(".wh.") {
            disk.remove(&format!("{dir}{name}"));
            gone(disk, &format!("{dir}{name}/"));
        }
    }
    for item in layer {
        match item {
            Item::Directory(path) => {
                disk.insert(path.clone(), None);
            }
            Item::File(path, _) if path.contains(".wh.") => {}
            Item::File(path, text) => {
                gone(disk, &format!("{path}/"));
                disk.insert(path.clone(), Some(text.clone()));
            }
            Item::Link(path, of) => {
                let text = disk.get(of).cloned().flatten();
                gone(disk, &format!("{path}/"));
                disk.insert(path.clone(), Some(text.expect("links lead to files")));
            }
        }
    }
}

/// What was done to a disk between two snapshots.
#[derive(Debug, Clone)]
enum Act {
    Write(String, String),
    Make(String),
    Remove(String),
}

fn act(disk: &mut Disk, act: &Act) {
    let (Act::Write(path, _) | Act::Make(path) | Act::Remove(path)) = act;
    disk.retain(|own, _| !own.starts_with(&format!("{path}/")));
    let parents: Vec<String> = path
        .match_indices('/')
        .map(|(at, _)| path[..at].to_owned())
        .collect();
    match act {
        Act::Remove(path) => {
            disk.remove(path);
            return;
        }
        Act::Write(_, text) => disk.insert(path.clone(), Some(text.clone())),
        Act::Make(_) => disk.insert(path.clone(), None),
    };
    for parent in parents {
        disk.insert(parent, None);
    }
}

/// The layer an engine makes of a change. `hiding`: directories that lost something hide all, and name what they have.
fn change(before: &Disk, after: &Disk, hiding: bool) -> Vec<Item> {
    let mut items = Vec::new();
    let mut hidden: Vec<String> = Vec::new();
    let is_lost = |path: &String| !after.contains_key(path);
    for (path, _) in before.iter().filter(|(_, kind)| kind.is_none()) {
        let below = format!("{path}/");
        let loses = before
            .keys()
            .any(|own| own.starts_with(&below) && is_lost(own));
        if hiding && loses && after.get(path) == Some(&None) {
            hidden.push(below.clone());
            items.push(Item::File(format!("{below}.wh..wh..opq"), String::new()));
        }
    }
    let is_hidden = |path: &str| hidden.iter().any(|dir| path.starts_with(dir.as_str()));
    for path in before.keys().filter(|path| is_lost(path)) {
        let (dir, name) = path.rsplit_once('/').unwrap_or(("", path));
        let topmost = dir.is_empty() || after.get(dir) == Some(&None);
        if topmost && !is_hidden(path) {
            let mark = format!("{dir}/.wh.{name}");
            let mark = mark.trim_start_matches('/').to_owned();
            items.push(Item::File(mark, String::new()));
        }
    }
    let mut first: BTreeMap<String, String> = BTreeMap::new();
    for (path, text) in after {
        let same = before.get(path) == Some(text) && !is_hidden(path);
        match text {
            None => items.push(Item::Directory(path.clone())),
            Some(_) if same => {}
            Some(text) => {
                if let Some(of) = first.get(text) {
                    items.push(Item::Link(path.clone(), of.clone()));
                } else {
                    first.insert(text.clone(), path.clone());
                    items.push(Item::File(path.clone(), text.clone()));
                }
            }
        }
    }
    items
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let path = "[ab](/[abc]){0,2}";
    let act = prop_oneof![
        (path, "[xyz]").prop_map(|(path, text)| Act::Write(path, text)),
        path.prop_map(Act::Make),
        path.prop_map(Act::Remove),
    ];
    prop::collection::vec(act, 0..6)
}

proptest! {
    #[test]
    fn one_layer_means_what_several_mean(
        history in prop::collection::vec((acts(), any::<bool>()), 2..6),
    ) {
        let (mut disk, mut layers) = (Disk::new(), Vec::new());
        for (acts, hiding) in history {
            let before = disk.clone();
            for one in &acts {
                act(&mut disk, one);
            }
            layers.push(change(&before, &disk, hiding));
        }
        // What is below does not change.
        let mut one = Disk::new();
        unpack(&mut one, &layers[0]);
        let mut several = one.clone();
        for layer in &layers[1..] {
            unpack(&mut several, layer);
        }
        prop_assert_eq!(&several, &disk, "the layers are right");
        unpack(&mut one, &merged(&layers[1..]));
        prop_assert_eq!(one, disk);
    }
}

#[test]
fn a_link_outlives_the_name_it_was_stored_under() {
    let file = |path: &str, text: &str| Item::File(path.to_owned(), text.to_owned());
    let link = |path: &str, of: &str| Item::Link(path.to_owned(), of.to_owned());
    let lower = vec![
        file("ten", "10"),
        link("eleven", "ten"),
        link("twelve", "ten"),
    ];
    let upper = vec![file(".wh.ten", "")];
    let found = merged(&[lower.clone(), upper]);
    let expected = vec![
        file(".wh.ten", ""),
        file("eleven", "10"),
        link("twelve", "eleven"),
    ];
    assert_eq!(found, expected);
    // Nor does it become what the name means by now.
    let found = merged(&[lower, vec![file("ten", "other")]]);
    let expected = vec![
        file("ten", "other"),
        file("eleven", "10"),
        link("twelve", "eleven"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn long_names_and_attributes_are_kept() {
    let long = format!("{}/{}", "d".repeat(150), "f".repeat(150));
    let first = vec![
        Item::File("a".to_owned(), "x".to_owned()),
        Item::Link(long.clone(), "a".to_owned()),
    ];
    let files = [
        layer(&first),
        layer(&[Item::File(".wh.a".to_owned(), String::new())]),
    ];
    let stop = StopSignal::default();
    let parts = files
        .each_ref()
        .map(|(file, length)| Layer::whole(file, *length, &stop));
    let mut to = tempfile::tempfile().unwrap();
    let length = merge(&parts, &mut to).unwrap();
    let mut archive = tar::Archive::new(Layer::whole(&to, length, &stop).reader());
    let mut last = archive.entries().unwrap().last().unwrap().unwrap();
    assert_eq!(last.path_bytes(), long.as_bytes());
    let attribute = last
        .pax_extensions()
        .unwrap()
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    assert_eq!(attribute.key(), Ok("SCHILY.xattr.user.of"));
    assert_eq!(attribute.value_bytes(), b"a");
    assert_eq!(last.header().mode().unwrap(), 0o640);
}

#[test]
fn what_cannot_be_read_is_refused() {
    let stop = StopSignal::default();
    let broken = Item::Link("a".to_owned(), "nothing".to_owned());
    let (file, length) = layer(&[broken]);
    let mut to = tempfile::tempfile().unwrap();
    assert!(merge(&[Layer::whole(&file, length, &stop)], &mut to).is_err());
    let compressed = b"\x1f\x8b\x08 and so on, for longer than a block of an archive is".repeat(20);
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&compressed).unwrap();
    let length = compressed.len() as u64;
    assert!(merge(&[Layer::whole(&file, length, &stop)], &mut to).is_err());
}

#[test]
fn merging_ends_when_it_is_stopped() {
    let (file, length) = layer(&[Item::File("a".to_owned(), "x".to_owned())]);
    let stop = StopSignal::default();
    let part = Layer::whole(&file, length, &stop);
    part.digest().unwrap();
    stop.stop();
    let mut to = tempfile::tempfile().unwrap();
    for stopped in [
        part.digest().map(drop),
        part.bytes().map(drop),
        merge(&[part], &mut to).map(drop),
    ] {
        assert_eq!(stopped.unwrap_err().to_string(), "it was stopped");
    }
}
