//! Which files of this crate read a session's row without a proof, and why. A use case of a caller begins with a proof of
//! [`super::session`] instead.

use std::{fs, path::Path};

/// Files, and who reads there.
const WITHOUT_A_PROOF: [(&str, &str); 11] = [
    ("access/session.rs", "makes the proofs"),
    (
        "builtin/configuration.rs",
        "the agent of the session, by its permit",
    ),
    (
        "callbacks/mod.rs",
        "the agent of the session, after its proof",
    ),
    (
        "git/place.rs",
        "the gateway, for a repository of the session",
    ),
    (
        "git/pull_request.rs",
        "the gateway, for a call that is permitted",
    ),
    ("jobs/expiry.rs", "a job"),
    ("jobs/go_on.rs", "a job"),
    ("jobs/perform.rs", "a job"),
    ("notices/watch.rs", "the session's hub, and an agent's wait"),
    (
        "sessions/read.rs",
        "the gateway itself, through `fetch_session`",
    ),
    (
        "sharing/shared.rs",
        "a reader with a share link, after its proof",
    ),
];

fn sources(directory: &Path, found: &mut Vec<(String, String)>, root: &Path) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found, root);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap();
            found.push((name.to_owned(), fs::read_to_string(&path).unwrap()));
        }
    }
}

#[test]
fn a_sessions_row_is_read_without_a_proof_only_where_it_is_said_why() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut all = Vec::new();
    sources(&root, &mut all, &root);
    let reads = |text: &String| text.contains(concat!("store::session_", "fetch("));
    let mut readers: Vec<_> = all
        .iter()
        .filter(|(_, text)| reads(text))
        .map(|(name, _)| name.as_str())
        .collect();
    readers.sort_unstable();
    let known: Vec<_> = WITHOUT_A_PROOF.iter().map(|(name, _)| *name).collect();
    assert_eq!(readers, known);
}
