//! Secrets of the environment: in the programs that were given them, and nowhere else.

use std::{fs, os::unix::fs::MetadataExt as _, path::Path};

use sandbox::{Env, ExecRequest, ProcessSpec, SnapshotRequest};

use crate::{
    conformance::until,
    support::{bounded, spec},
    yard::{Kind, Yard},
};

const SECRET: &[u8] = b"planted-secret-7351";

fn holds(bytes: &[u8], text: &[u8]) -> bool {
    bytes.windows(text.len()).any(|window| window == text)
}

/// Files below a directory that have it, also in the space of a disk that is not a file's. What is mounted there is
/// memory of a container, or its files, which are below the directory under another name.
fn files_with(dir: &Path, text: &[u8]) -> Vec<String> {
    let device = fs::metadata(dir).unwrap().dev();
    let mut found = Vec::new();
    let mut waiting = vec![dir.to_owned()];
    while let Some(dir) = waiting.pop() {
        for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
            let Ok(meta) = entry.metadata() else { continue };
            if meta.is_dir() && meta.dev() == device {
                waiting.push(entry.path());
            } else if meta.is_file() && holds(&fs::read(entry.path()).unwrap_or_default(), text) {
                found.push(entry.path().display().to_string());
            }
        }
    }
    found
}

/// Command lines of this machine that have it. They can be read by every user.
fn command_lines_with_it() -> Vec<String> {
    let all = fs::read_dir("/proc").unwrap().flatten();
    let lines = all.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    let with = lines.filter(|line| holds(line, SECRET));
    with.map(|line| String::from_utf8_lossy(&line).into_owned())
        .collect()
}

/// Names of the programs of this machine whose environment has it.
fn environments_with_it() -> Vec<String> {
    let all = fs::read_dir("/proc").unwrap().flatten();
    let with = all.filter(|entry| {
        fs::read(entry.path().join("environ")).is_ok_and(|bytes| holds(&bytes, SECRET))
    });
    let names = with.filter_map(|entry| fs::read_to_string(entry.path().join("comm")).ok());
    names.map(|name| name.trim().to_owned()).collect()
}

/// In files of the sandbox and its snapshot, and in what can be read of any process.
async fn a_secret_is_in_no_file_and_no_command_line(kind: Kind) {
    let yard = Yard::open(kind).await;
    let maker = yard.again().await;
    let provider = maker.provider();
    let mut spec = spec();
    spec.limits.disk_bytes = 64 * 1024 * 1024;
    let text = String::from_utf8_lossy(SECRET).into_owned();
    spec.env = Env::of([("TOKEN", text.as_str())]).unwrap();
    let handle = provider.create(spec).await.unwrap();
    let line = "printenv OTHER | wc -c; exec sleep 1000";
    let mut service = ProcessSpec::new("service", ["/bin/sh", "-c", line]);
    service.env = Env::of([("OTHER", text.as_str())]).unwrap();
    provider.start(&handle, service).await.unwrap();
    until(|| async {
        let log = provider.log(&handle, "service", 0).await.unwrap();
        &log.bytes[..] == b"20\n"
    })
    .await;
    let line =
        "test \"$TOKEN\" = \"$AGAIN\" && test \"$TOKEN\" = \"$(cat)\" && echo plain-text > kept";
    let mut request = ExecRequest::shell(line);
    request.env = Env::of([("AGAIN", text.as_str())]).unwrap();
    request.stdin = Some(text.clone().into());
    let given = provider.exec(&handle, request).await.unwrap();
    assert!(given.is_success(), "{given:?}");
    assert_eq!(command_lines_with_it(), Vec::<String>::new());
    // Programs inside have it, which were given it: not what made the sandbox and keeps it running.
    let with = environments_with_it();
    assert!(with.iter().any(|name| name == "sleep"), "{with:?}");
    for keeper in [
        "podman", "conmon", "runc", "tini", "socat", "bwrap", "nsenter",
    ] {
        assert!(!with.iter().any(|name| name == keeper), "{with:?}");
    }
    let taken = provider.snapshot(&handle, SnapshotRequest::default());
    taken.await.unwrap();
    // What was to be kept is found, so the search works.
    assert!(!files_with(&yard.directory(), b"plain-text").is_empty());
    assert_eq!(files_with(&yard.directory(), SECRET), Vec::<String>::new());
    if kind == Kind::Root {
        let place = Path::new("/run/proliferate-sandbox").join(handle.id.as_str());
        assert_eq!(files_with(&place, SECRET), Vec::<String>::new());
    }
    provider.destroy(&handle).await.unwrap();
}

mod root {
    #[tokio::test]
    async fn a_secret_is_in_no_file_and_no_command_line() {
        let case = super::a_secret_is_in_no_file_and_no_command_line(super::Kind::Root);
        super::bounded(case).await;
    }
}

mod rootless {
    #[tokio::test]
    async fn a_secret_is_in_no_file_and_no_command_line() {
        let case = super::a_secret_is_in_no_file_and_no_command_line(super::Kind::Rootless);
        super::bounded(case).await;
    }
}

mod podman {
    #[tokio::test]
    async fn a_secret_is_in_no_file_and_no_command_line() {
        let case = super::a_secret_is_in_no_file_and_no_command_line(super::Kind::Podman);
        super::bounded(case).await;
    }
}
