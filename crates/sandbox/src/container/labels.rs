//! The labels of this installation's containers and images. They are all that is kept about them: another process
//! reads them back. Every client of the engine can read them, so no secret is in them.

use std::{collections::HashMap, net::SocketAddr};

use domain::caller::Incarnation;

use super::settings::Settings;
use crate::{Destination, Error, Result, SandboxId, SnapshotId, Spec};

/// The installation it belongs to: several may share an engine.
pub(super) const OWNER: &str = "proliferate.owner";
/// What it is: `sandbox`, `builder`, `template` or `snapshot`.
const KIND: &str = "proliferate.kind";
pub(super) const TEMPLATE: &str = "proliferate.template";
const ID: &str = "proliferate.sandbox";
const LABEL: &str = "proliferate.label";
const INCARNATION: &str = "proliferate.incarnation";
const DESTINATIONS: &str = "proliferate.destinations";
/// Of a sandbox: the snapshot it was made from. Of a snapshot: the one below it.
const PARENT: &str = "proliferate.parent";
/// Snapshots that it stands on, itself included.
const DEPTH: &str = "proliferate.depth";

pub(super) type Labels = HashMap<String, String>;

/// The labels of a container that is a sandbox.
#[derive(Debug, Clone)]
pub(super) struct SandboxLabels {
    pub(super) id: SandboxId,
    pub(super) label: String,
    pub(super) incarnation: Incarnation,
    pub(super) destinations: Vec<Destination>,
    pub(super) parent: Option<SnapshotId>,
    pub(super) depth: u32,
}

impl SandboxLabels {
    pub(super) fn of(spec: &Spec, id: SandboxId, parent: Option<SnapshotId>, depth: u32) -> Self {
        Self {
            id,
            label: spec.label.clone(),
            incarnation: spec.incarnation,
            destinations: spec.destinations.clone(),
            parent,
            depth,
        }
    }

    pub(super) fn write(&self, settings: &Settings) -> Labels {
        let to = |one: &Destination| (one.name.clone(), one.address);
        let destinations: Vec<_> = self.destinations.iter().map(to).collect();
        let parent = self.parent.as_ref().map_or("", SnapshotId::as_str);
        let mut labels = of_kind(settings, "sandbox");
        for (name, value) in [
            (ID, self.id.to_string()),
            (LABEL, self.label.clone()),
            (INCARNATION, self.incarnation.0.to_string()),
            (
                DESTINATIONS,
                serde_json::to_string(&destinations).unwrap_or_default(),
            ),
            (PARENT, parent.to_owned()),
            (DEPTH, self.depth.to_string()),
        ] {
            labels.insert(name.to_owned(), value);
        }
        labels
    }

    /// Returns none if the container is not a sandbox of this installation.
    pub(super) fn read(labels: &Labels, settings: &Settings) -> Option<Self> {
        if !is_of_kind(labels, settings, "sandbox") {
            return None;
        }
        let destinations = labels.get(DESTINATIONS)?;
        let destinations: Vec<(String, SocketAddr)> = serde_json::from_str(destinations).ok()?;
        let destination = |(name, address)| Destination { name, address };
        Some(Self {
            id: labels.get(ID)?.parse().ok()?,
            label: labels.get(LABEL)?.clone(),
            incarnation: Incarnation(labels.get(INCARNATION)?.parse().ok()?),
            destinations: destinations.into_iter().map(destination).collect(),
            parent: parent(labels),
            depth: depth(labels),
        })
    }
}

/// The labels of everything of a kind.
pub(super) fn of_kind(settings: &Settings, kind: &str) -> Labels {
    let pairs = [(OWNER, settings.owner.as_str()), (KIND, kind)];
    pairs.map(|(a, b)| (a.to_owned(), b.to_owned())).into()
}

pub(super) fn is_of_kind(labels: &Labels, settings: &Settings, kind: &str) -> bool {
    let has = |name: &str, value: &str| labels.get(name).is_some_and(|have| have == value);
    has(OWNER, &settings.owner) && has(KIND, kind)
}

pub(super) fn parent(labels: &Labels) -> Option<SnapshotId> {
    labels.get(PARENT)?.parse().ok()
}

pub(super) fn depth(labels: &Labels) -> u32 {
    let depth = labels.get(DEPTH).and_then(|text| text.parse().ok());
    depth.unwrap_or(0)
}

/// The instructions that label an image while it is made of a container. Engines take the labels of the container over;
/// those that would mean something else on an image are written over.
pub(super) fn instructions(settings: &Settings, as_kind: &str, more: &[(&str, &str)]) -> String {
    let mut lines = Vec::new();
    let cleared = [ID, LABEL, INCARNATION, DESTINATIONS].map(|name| (name, "-"));
    let own = [(OWNER, settings.owner.as_str()), (KIND, as_kind)];
    for (name, value) in own.iter().chain(more).chain(&cleared) {
        lines.push(format!("LABEL {name}={value}"));
    }
    lines.join("\n")
}

pub(super) fn lineage<'a>(parent: &'a str, depth: &'a str) -> [(&'static str, &'a str); 2] {
    // An empty value is none to some engines.
    let parent = if parent.is_empty() { "/" } else { parent };
    [(PARENT, parent), (DEPTH, depth)]
}

/// An owner is part of instructions and filters, so it is a plain word.
pub(super) fn check_owner(owner: &str) -> Result<()> {
    let safe = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    if (1..=64).contains(&owner.len()) && owner.bytes().all(safe) {
        Ok(())
    } else {
        Err(Error::invalid("not a name for an owner of containers"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(owner: &str) -> Settings {
        Settings {
            socket: "/run/x.sock".into(),
            image: "image".to_owned(),
            directory: "/var/lib/x".into(),
            owner: owner.to_owned(),
            layers_max: 1,
        }
    }

    #[test]
    fn labels_are_read_back_by_their_owner_alone() {
        let mut spec = Spec::new("a session", Incarnation(3));
        spec.destinations = vec![Destination {
            name: "gateway".to_owned(),
            address: "127.0.0.1:8000".parse().unwrap(),
        }];
        let id: SandboxId = "0123456789ab".parse().unwrap();
        let parent: SnapshotId = "abc".parse().unwrap();
        let labels = SandboxLabels::of(&spec, id.clone(), Some(parent.clone()), 4);
        let labels = labels.write(&settings("one"));
        let read = SandboxLabels::read(&labels, &settings("one")).unwrap();
        assert_eq!((read.id, read.incarnation), (id, Incarnation(3)));
        assert_eq!((read.parent, read.depth), (Some(parent), 4));
        assert_eq!(read.destinations, spec.destinations);
        assert!(SandboxLabels::read(&labels, &settings("two")).is_none());
    }

    #[test]
    fn an_image_does_not_pass_for_a_sandbox() {
        let text = instructions(&settings("one"), "snapshot", &lineage("", "1"));
        insta::assert_snapshot!(text, @r"
        LABEL proliferate.owner=one
        LABEL proliferate.kind=snapshot
        LABEL proliferate.parent=/
        LABEL proliferate.depth=1
        LABEL proliferate.sandbox=-
        LABEL proliferate.label=-
        LABEL proliferate.incarnation=-
        LABEL proliferate.destinations=-
        ");
    }

    #[test]
    fn an_owner_is_a_plain_word() {
        check_owner("host-1.example_a").unwrap();
        for bad in ["", "a b", "a\nRUN x", "a=b", "\"", &"x".repeat(65)] {
            assert!(check_owner(bad).is_err(), "{bad}");
        }
    }
}
