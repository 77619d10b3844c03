//! Files of a sandbox, read and written from outside while it plays tricks.

use std::time::Duration;

use sandbox::{EntryKind, Error, File, Handle, HomePath, Provider as _, local::Tier};

use crate::support::{Machine, bounded};

const TIERS: [Tier; 2] = [Tier::Root, Tier::Rootless];

fn path(text: &str) -> HomePath {
    HomePath::new(text).unwrap()
}

async fn read(machine: &Machine, handle: &Handle, at: &str) -> Result<String, Error> {
    let at = path(at);
    let read = machine.local.read(handle, &at);
    let bytes = tokio::time::timeout(Duration::from_mins(1), read).await;
    let bytes = bytes.expect("reading never waits for the sandbox")?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[tokio::test]
async fn links_pipes_and_devices_are_not_read() {
    bounded(async {
        for tier in TIERS {
            let machine = Machine::new(tier);
            let handle = machine.create().await;
            machine
                .output(
                    &handle,
                    "ln -s /etc/passwd file; ln -s / root; ln -s .. up; ln -s /proc/self/root magic; \
                     ln -s workspace near; mkfifo pipe; mkdir dir; echo inside > workspace/a; \
                     ln workspace/a hard; \
                     perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local=>\"socket\",Listen=>1)'",
                )
                .await;
            for bad in ["file", "root/etc/passwd", "up/user/workspace/a", "magic/etc/passwd",
                        "near/a", "pipe", "dir", "socket"] {
                let refused = read(&machine, &handle, bad).await;
                assert!(matches!(refused, Err(Error::Invalid { .. })), "{bad}: {refused:?}");
            }
            // Another name of a file inside is a file inside.
            assert_eq!(read(&machine, &handle, "hard").await.unwrap(), "inside\n");
            let listed = machine.local.list(&handle, &HomePath::home()).await.unwrap();
            let kind = |name: &str| listed.iter().find(|one| one.name == name).unwrap().kind;
            assert_eq!(kind("file"), EntryKind::Link);
            assert_eq!(kind("pipe"), EntryKind::Other);
            assert_eq!(kind("dir"), EntryKind::Directory);
            let refused = machine.local.list(&handle, &path("root")).await;
            assert!(matches!(refused, Err(Error::Invalid { .. })), "{refused:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn nothing_is_written_through_a_link() {
    bounded(async {
        for tier in TIERS {
            let machine = Machine::new(tier);
            let handle = machine.create().await;
            machine
                .output(
                    &handle,
                    "ln -s /tmp out; echo kept > /tmp/target; ln -s /tmp/target link; mkdir d",
                )
                .await;
            let file = |at: &str| vec![File::new(path(at), "new".as_bytes().to_vec())];
            let refused = machine.local.write(&handle, file("out/new")).await;
            assert!(matches!(refused, Err(Error::Invalid { .. })), "{refused:?}");
            let refused = machine
                .local
                .remove(&handle, vec![path("out/target")])
                .await;
            assert!(matches!(refused, Err(Error::Invalid { .. })), "{refused:?}");
            let refused = machine.local.write(&handle, file("d")).await;
            assert!(matches!(refused, Err(Error::Invalid { .. })), "{refused:?}");
            // A link in the file's own place is replaced.
            machine.local.write(&handle, file("link")).await.unwrap();
            machine
                .local
                .remove(&handle, vec![path("out")])
                .await
                .unwrap();
            let text = machine
                .output(
                    &handle,
                    "cat link; echo; cat /tmp/target; ls /tmp; stat -c '%U %a' link",
                )
                .await;
            assert_eq!(text, "new\nkept\ntarget\nuser 644\n");
        }
    })
    .await;
}

/// A directory that becomes a link while its path is resolved.
#[tokio::test]
async fn a_race_leads_nowhere() {
    bounded(async {
        let machine = Machine::new(Tier::Root);
        let handle = machine.create().await;
        let swap = "mkdir real; echo inside > real/passwd; ln -s /etc link; \
                    while :; do mv -T real place; mv -T place real; mv -T link place; mv -T place link; done";
        let swap = sandbox::ProcessSpec::new("swap", ["/bin/sh", "-c", swap]);
        machine.local.start(&handle, swap).await.unwrap();
        let (mut inside, mut refused) = (0, 0);
        while inside < 100 || refused < 100 {
            match read(&machine, &handle, "place/passwd").await {
                Ok(text) => {
                    assert_eq!(text, "inside\n");
                    inside += 1;
                }
                Err(Error::Invalid { .. } | Error::NotFound { .. }) => refused += 1,
                Err(error) => panic!("{error}"),
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_file_that_is_too_large_is_refused() {
    bounded(async {
        let machine = Machine::new(Tier::Root);
        let handle = machine.create().await;
        machine
            .output(&handle, "truncate -s 40M big; ln -s /dev/zero endless")
            .await;
        let refused = read(&machine, &handle, "big").await;
        assert!(
            matches!(refused, Err(Error::TooLarge { .. })),
            "{refused:?}"
        );
        let refused = read(&machine, &handle, "endless").await;
        assert!(matches!(refused, Err(Error::Invalid { .. })), "{refused:?}");
    })
    .await;
}

#[tokio::test]
async fn writing_at_once_loses_nothing() {
    bounded(async {
        for tier in TIERS {
            let machine = Machine::new(tier);
            let handle = machine.create().await;
            let write = |number: usize| {
                let (local, handle) = (machine.local.clone(), handle.clone());
                let bytes = number.to_string().repeat(1000).into_bytes();
                let file = File::new(path(&format!("new/dir/{}", number % 10)), bytes);
                tokio::spawn(async move { local.write(&handle, vec![file]).await })
            };
            for writing in (0..40).map(write).collect::<Vec<_>>() {
                writing.await.unwrap().unwrap();
            }
            // Each is one of those that were written, whole; nothing else is there.
            let line = "cd new/dir; ls -A | wc -l; for f in *; do head -c 2 $f; tail -c 2 $f; wc -c < $f; done";
            let text = machine.output(&handle, line).await;
            assert_eq!(text.lines().next(), Some("10"), "{text}");
            assert!(text.lines().skip(1).all(|line| line.ends_with("2000") || line.ends_with("1000")), "{text}");
        }
    })
    .await;
}
