//! Secrets of the environment: in the programs that were given them, and nowhere else.

use std::{fs, path::Path};

use sandbox::{Env, ExecRequest, ProcessSpec, Provider as _, SnapshotRequest, local::Tier};

use crate::{
    conformance::until,
    support::{Machine, bounded, spec},
};

const SECRET: &[u8] = b"planted-secret-7351";

fn holds(bytes: &[u8]) -> bool {
    bytes.windows(SECRET.len()).any(|window| window == SECRET)
}

/// Files below a directory that have it, also in the space of a disk that is not a file's.
fn files_with_it(dir: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut waiting = vec![dir.to_owned()];
    while let Some(dir) = waiting.pop() {
        for entry in fs::read_dir(dir).unwrap().flatten() {
            let kind = entry.file_type().unwrap();
            if kind.is_dir() {
                waiting.push(entry.path());
            } else if kind.is_file() && holds(&fs::read(entry.path()).unwrap_or_default()) {
                found.push(entry.path().display().to_string());
            }
        }
    }
    found
}

/// Command lines of this machine that have it. They can be read by anybody.
fn command_lines_with_it() -> Vec<String> {
    let all = fs::read_dir("/proc").unwrap().flatten();
    let lines = all.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    let with = lines.filter(|line| holds(line));
    with.map(|line| String::from_utf8_lossy(&line).into_owned())
        .collect()
}

#[tokio::test]
async fn a_secret_is_in_no_file_and_no_command_line() {
    bounded(async {
        for tier in [Tier::Root, Tier::Rootless] {
            let machine = Machine::new(tier);
            let mut spec = spec();
            spec.limits.disk_bytes = 64 * 1024 * 1024;
            let text = String::from_utf8_lossy(SECRET).into_owned();
            spec.env = Env::of([("TOKEN", text.as_str())]).unwrap();
            let handle = machine.local.create(spec).await.unwrap();
            let line = "printenv OTHER | wc -c; exec sleep 1000";
            let mut service = ProcessSpec::new("service", ["/bin/sh", "-c", line]);
            service.env = Env::of([("OTHER", text.as_str())]).unwrap();
            machine.local.start(&handle, service).await.unwrap();
            until(|| async {
                let log = machine.local.log(&handle, "service", 0).await.unwrap();
                &log.bytes[..] == b"20\n"
            })
            .await;
            let mut request = ExecRequest::shell("test \"$TOKEN\" = \"$AGAIN\"");
            request.env = Env::of([("AGAIN", text.as_str())]).unwrap();
            let given = machine.local.exec(&handle, request).await.unwrap();
            assert!(given.is_success(), "{given:?}");
            assert_eq!(command_lines_with_it(), Vec::<String>::new());
            let taken = machine.local.snapshot(&handle, SnapshotRequest::default());
            taken.await.unwrap();
            assert_eq!(files_with_it(machine.dir.path()), Vec::<String>::new());
            if tier == Tier::Root {
                let place = Path::new("/run/proliferate-sandbox").join(handle.id.as_str());
                assert_eq!(files_with_it(&place), Vec::<String>::new());
            }
        }
    })
    .await;
}
