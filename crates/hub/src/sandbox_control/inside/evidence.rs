//! The `verify` tool: stores the files of a workspace folder as evidence.
//!
//! INVARIANT: no path leaves the workspace, no link is followed, and files that are left out are named.

use app::{
    organization_limits::reserve_evidence,
    verification::{Manifest, keep_file, next_prefix},
};
use domain::{
    artifact::VERIFICATION,
    limits::{
        VERIFY_BYTES_MAX, VERIFY_DEPTH_MAX, VERIFY_FILE_BYTES_MAX, VERIFY_FILES_MAX,
        VERIFY_FOLDERS_MAX, VERIFY_SKIPPED_SHOWN_MAX,
    },
};
use sandbox::{EntryKind, Error, Handle, HomePath, Provider};
use serde_json::json;
use tools::{Failure, Output, OutputContent, Produced};

use super::access::SandboxAccess;
use crate::registry::SessionKey;

const TOO_LARGE: &str = "it is too large";

/// The files of a folder by their paths below it, and what is left out and why.
#[derive(Debug, Default)]
struct EvidenceFiles {
    files: Vec<(String, HomePath)>,
    bytes: u64,
    /// The first of them.
    skipped: Vec<(String, &'static str)>,
    skipped_count: usize,
}

impl SandboxAccess {
    /// Stores the files of a folder as evidence; boots the sandbox if it is not running.
    pub(crate) async fn store_evidence(
        &self,
        key: &SessionKey,
        folder: &str,
    ) -> Result<Produced, Failure> {
        let (organization_id, session_id) = (&key.organization_id, key.id);
        let refused = |error: Error| Failure::Invalid(format!("folder: {error}"));
        let root = HomePath::workspace().join(folder.trim_end_matches('/'));
        let root = root.map_err(refused)?;
        let ready = self.registry.open_ready(key).await;
        let (_, open) = ready.map_err(|error| Failure::Unavailable {
            hint: error.to_string(),
        })?;
        let machine = open.lazy_machine().opened();
        let (Some(machine), Some(handle)) = (machine, open.handle()) else {
            return Err(Failure::Unavailable {
                hint: "the session has no sandbox now".to_owned(),
            });
        };
        let provider = machine.provider.as_ref();
        let mut gathered = list_files(provider, &handle, root).await?;
        let reserved = reserve_evidence(self.registry.app(), organization_id, gathered.bytes);
        reserved.await.map_err(|error| match error {
            app::Error::LimitReached(message) => Failure::Invalid(message),
            error => unavailable(error),
        })?;
        let mut files = Vec::new();
        for (path, place) in std::mem::take(&mut gathered.files) {
            let bytes = match provider.read(&handle, &place).await {
                Ok(bytes) => bytes,
                // It was listed a moment ago.
                Err(Error::NotFound { .. } | Error::Invalid { .. } | Error::TooLarge { .. }) => {
                    gathered.skip(path, "it changed meanwhile");
                    continue;
                }
                Err(error) => return Err(sandbox_failed(&error)),
            };
            let kept = keep_file(
                self.registry.app(),
                organization_id,
                session_id,
                path.clone(),
                bytes,
            );
            match kept.await.map_err(unavailable)? {
                Some(file) => files.push(file),
                None => gathered.skip(path, TOO_LARGE),
            }
        }
        if files.is_empty() {
            return answer(folder, "", 0, &gathered);
        }
        let prefix = next_prefix(self.registry.app(), organization_id, session_id).await;
        let prefix = prefix.map_err(unavailable)?;
        let mut produced = answer(folder, &prefix, files.len(), &gathered)?;
        produced
            .outputs
            .push(manifest(&Manifest { prefix, files })?);
        Ok(produced)
    }
}

/// Lists the folder breadth first, within its bounds.
async fn list_files(
    provider: &dyn Provider,
    handle: &Handle,
    root: HomePath,
) -> Result<EvidenceFiles, Failure> {
    let mut gathered = EvidenceFiles::default();
    let mut waiting = std::collections::VecDeque::from([(String::new(), root, 0)]);
    let mut folders = 0;
    while let Some((below, folder, depth)) = waiting.pop_front() {
        folders += 1;
        let entries = match provider.list(handle, &folder).await {
            Ok(entries) => entries,
            Err(Error::NotFound { .. }) if depth == 0 => return Ok(gathered),
            // A link in the place of a folder is one of these.
            Err(Error::Invalid { .. }) if depth == 0 => {
                let message = "folder: it is not a folder of the workspace";
                return Err(Failure::Invalid(message.to_owned()));
            }
            Err(Error::Invalid { .. } | Error::NotFound { .. }) => {
                gathered.skip(below, "it changed meanwhile");
                continue;
            }
            Err(error) => return Err(sandbox_failed(&error)),
        };
        for entry in entries {
            let path = if below.is_empty() {
                entry.name.clone()
            } else {
                format!("{below}/{}", entry.name)
            };
            let Ok(place) = folder.join(&entry.name) else {
                gathered.skip(path, "its name cannot be used");
                continue;
            };
            match entry.kind {
                EntryKind::Directory
                    if depth < VERIFY_DEPTH_MAX && folders + waiting.len() < VERIFY_FOLDERS_MAX =>
                {
                    waiting.push_back((path, place, depth + 1));
                }
                EntryKind::Directory => gathered.skip(path, "there are too many folders"),
                EntryKind::File => gathered.file(path, place, entry.size),
                EntryKind::Link => gathered.skip(path, "it is a link"),
                EntryKind::Other => gathered.skip(path, "it is no file"),
            }
        }
    }
    Ok(gathered)
}

impl EvidenceFiles {
    fn skip(&mut self, path: String, why: &'static str) {
        self.skipped_count += 1;
        if self.skipped.len() < VERIFY_SKIPPED_SHOWN_MAX {
            self.skipped.push((path, why));
        }
    }

    fn file(&mut self, path: String, place: HomePath, size: u64) {
        let why = if path.chars().any(char::is_control) {
            "its name cannot be used"
        } else if size > VERIFY_FILE_BYTES_MAX {
            TOO_LARGE
        } else if self.files.len() >= VERIFY_FILES_MAX {
            "there are too many files"
        } else if self.bytes + size > VERIFY_BYTES_MAX {
            "all files together are too large"
        } else {
            self.bytes += size;
            return self.files.push((path, place));
        };
        self.skip(path, why);
    }
}

fn answer(
    folder: &str,
    prefix: &str,
    count: usize,
    gathered: &EvidenceFiles,
) -> Result<Produced, Failure> {
    let skipped = gathered.skipped_count;
    let mut text = match count {
        0 => format!("There is nothing to hand in: {folder} has no files that can be taken."),
        1 => "Handed in 1 file.".to_owned(),
        count => format!("Handed in {count} files."),
    };
    let shown = gathered.skipped.iter();
    let shown: Vec<_> = shown
        .map(|(path, reason)| json!({"path": plain(path), "reason": reason}))
        .collect();
    if let [(path, reason), ..] = &gathered.skipped[..] {
        let path = plain(path);
        text = format!("{text} Left out {skipped}, the first of them {path}: {reason}.");
    }
    let data = json!({"uploadedCount": count, "prefix": prefix, "skippedCount": skipped,
        "skipped": shown});
    Produced::answer(&text, Some(&data))
}

/// Returns a name without control characters, and cut.
fn plain(path: &str) -> String {
    path.chars()
        .map(|c| if c.is_control() { '?' } else { c })
        .take(200)
        .collect()
}

fn manifest(manifest: &Manifest) -> Result<Output, Failure> {
    let wrong = || Failure::Tool {
        reason: "the list of evidence cannot be written",
        retryable: false,
    };
    Ok(Output {
        kind: VERIFICATION.parse().map_err(|_| wrong())?,
        media_type: "application/json".parse().map_err(|_| wrong())?,
        content: OutputContent::Bytes(serde_json::to_vec(manifest).map_err(|_| wrong())?.into()),
    })
}

fn sandbox_failed(error: &Error) -> Failure {
    Failure::Unavailable {
        hint: format!("the sandbox cannot be read: {error}"),
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is given to `map_err`")]
fn unavailable(error: app::Error) -> Failure {
    tracing::warn!(%error, "cannot store evidence");
    Failure::Unavailable {
        hint: "the database or the object store does not answer; try again later".to_owned(),
    }
}
