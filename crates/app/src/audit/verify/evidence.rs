//! What records refer to, against what they say of it: policy files by their blob ids, artifacts by their
//! digests.

use std::collections::{BTreeMap, BTreeSet};

use domain::policy::FilePin;
use sha2::{Digest, Sha256};

use super::{
    line::{BundleArtifact, BundleLine, BundlePolicyFile, BundleRecord},
    report::VerificationReport,
};

#[derive(Default)]
pub(super) struct Evidence {
    /// Blob ids that records name, and whether the file is there.
    policies: BTreeMap<String, bool>,
    /// Digests of artifacts that records name.
    named: BTreeMap<String, String>,
    artifacts: BTreeSet<String>,
    contents: u64,
    policy_files: u64,
    /// Over all lines of it.
    lines: Sha256,
    /// The artifact whose bytes may follow.
    open: Option<Open>,
}

struct Open {
    artifact: BundleArtifact,
    hash: Sha256,
    size: u64,
}

impl Evidence {
    pub(super) fn named_by(&mut self, record: &BundleRecord) {
        for blob in record.policies() {
            self.policies.entry(blob).or_insert(false);
        }
        self.named.extend(record.artifacts());
    }

    /// A line that is no record, proof or checkpoint.
    pub(super) fn take(&mut self, item: BundleLine, line: &[u8]) -> Result<(), String> {
        self.lines.update(line);
        self.lines.update(b"\n");
        match item {
            BundleLine::PolicyFile(file) => self.policy_file(&file),
            BundleLine::Artifact(artifact) => self.artifact(artifact),
            BundleLine::Content(bytes) => self.content(&bytes),
            _ => Err("it does not belong here".to_owned()),
        }
    }

    /// SHA-256 of all its lines.
    pub(super) fn digest(&self) -> String {
        hex::encode(self.lines.clone().finalize())
    }

    /// Whether anything but records was there.
    pub(super) fn began(&self) -> bool {
        self.policy_files > 0 || !self.artifacts.is_empty()
    }

    fn policy_file(&mut self, file: &BundlePolicyFile) -> Result<(), String> {
        if !self.artifacts.is_empty() {
            return Err("a policy file stands after artifacts".to_owned());
        }
        let pin = FilePin::of(file.content.as_bytes(), None);
        if (&pin.blob, &pin.sha256) != (&file.blob, &file.sha256) {
            return Err("the policy file is not what its digests say: it was changed".to_owned());
        }
        match self.policies.get_mut(&file.blob) {
            Some(there) if !*there => *there = true,
            Some(_) => return Err("the policy file is there twice".to_owned()),
            None => return Err("no record names this policy file".to_owned()),
        }
        self.policy_files += 1;
        Ok(())
    }

    fn artifact(&mut self, artifact: BundleArtifact) -> Result<(), String> {
        self.close()?;
        let named = self.named.get(&artifact.id);
        if named.is_some_and(|sha256| *sha256 != artifact.sha256) {
            return Err("the artifact has another digest than the records say".to_owned());
        }
        if !self.artifacts.insert(artifact.id.clone()) {
            return Err("the artifact is there twice".to_owned());
        }
        let (hash, size) = (Sha256::new(), 0);
        self.open = Some(Open {
            artifact,
            hash,
            size,
        });
        Ok(())
    }

    fn content(&mut self, bytes: &[u8]) -> Result<(), String> {
        let open = self.open.as_mut();
        let open = open.ok_or_else(|| "content stands here without its artifact".to_owned())?;
        open.hash.update(bytes);
        open.size += bytes.len() as u64;
        Ok(())
    }

    /// The bytes of the artifact before, if they were there, are complete: they must be what it says.
    pub(super) fn close(&mut self) -> Result<(), String> {
        let Some(open) = self.open.take() else {
            return Ok(());
        };
        if open.size == 0 {
            return Ok(());
        }
        let sha256 = hex::encode(open.hash.finalize());
        if open.size != open.artifact.byte_size || sha256 != open.artifact.sha256 {
            return Err("the bytes before are not what their artifact's digest says".to_owned());
        }
        self.contents += 1;
        Ok(())
    }

    /// Policy files and artifacts.
    pub(super) fn counts(&self) -> (u64, u64) {
        (self.policy_files, self.artifacts.len() as u64)
    }

    pub(super) fn report(&self, report: &mut VerificationReport) {
        (report.policy_files, report.artifacts) = self.counts();
        report.artifact_contents = self.contents;
        let missing = |there: bool| u64::from(!there);
        report.policy_files_missing = self.policies.values().map(|there| missing(*there)).sum();
        let named = self.named.keys();
        report.artifacts_missing = { named }
            .map(|id| missing(self.artifacts.contains(id)))
            .sum();
    }
}
