//! What a sandbox may use, and that no more is to be had.

use std::time::Duration;

use sandbox::{ExecRequest, Exit, Handle, ProcessSpec, Provider as _, local::Tier};

use crate::{
    conformance::until,
    support::{Machine, bounded, spec},
};

const MEGABYTE: u64 = 1024 * 1024;

async fn small(machine: &Machine) -> Handle {
    let mut spec = spec();
    spec.limits.memory_bytes = 128 * MEGABYTE;
    spec.limits.processes = 64;
    spec.limits.cpu_millis = 500;
    spec.limits.disk_bytes = 64 * MEGABYTE;
    machine.local.create(spec).await.unwrap()
}

#[tokio::test]
async fn a_fork_bomb_ends_with_its_command() {
    bounded(async {
        let machine = Machine::new(Tier::Root);
        let handle = small(&machine).await;
        let mut bomb = ExecRequest::new(["bash", "-c", "f() { f | f & }; f; sleep 100"]);
        bomb.timeout = Duration::from_secs(2);
        bomb.output_bytes_max = 1000;
        let result = machine.local.exec(&handle, bomb).await.unwrap();
        assert_eq!(result.exit, Exit::TimedOut);
        let refused = String::from_utf8_lossy(&result.stderr.bytes).into_owned();
        assert!(
            refused.contains("Resource temporarily unavailable"),
            "{refused}"
        );
        // Everything it started is gone, and the sandbox is as good as before.
        assert_eq!(
            machine
                .output(&handle, "echo fine; ps ax | wc -l")
                .await
                .lines()
                .next(),
            Some("fine")
        );
        let count = machine.output(&handle, "ls -d /proc/[0-9]* | wc -l").await;
        assert!(count.trim().parse::<usize>().unwrap() < 10, "{count}");
    })
    .await;
}

#[tokio::test]
async fn a_memory_hog_is_killed_alone() {
    bounded(async {
        let machine = Machine::new(Tier::Root);
        let handle = small(&machine).await;
        let hog = ExecRequest::new([
            "perl",
            "-e",
            "my @a; push @a, 'x' x 1000000 for 1..1000; print 'all'",
        ]);
        let result = machine.local.exec(&handle, hog).await.unwrap();
        assert_eq!(result.exit, Exit::Code(137), "{result:?}");
        // Memory that looks like files is memory too.
        let hog = ExecRequest::shell("head -c 300M /dev/zero > /dev/shm/x; echo $?");
        let result = machine.local.exec(&handle, hog).await.unwrap();
        assert_ne!(result.stdout.text(), "0\n", "{result:?}");
        machine.shell(&handle, "rm -f /dev/shm/x").await;
        assert_eq!(machine.output(&handle, "echo fine").await, "fine\n");
    })
    .await;
}

#[tokio::test]
async fn a_disk_filler_fills_its_own_disk() {
    bounded(async {
        let machine = Machine::new(Tier::Root);
        let handle = small(&machine).await;
        for place in ["workspace", "/tmp", "/run/proliferate"] {
            let line = format!("dd if=/dev/zero of={place}/fill bs=1M count=500 2>&1 | tail -n 4; du -m {place}/fill | cut -f1; rm {place}/fill");
            let text = machine.output(&handle, &line).await;
            assert!(text.contains("No space left on device"), "{text}");
            let size: u64 = text.lines().last().unwrap().parse().unwrap();
            assert!(size < 64, "{text}");
        }
        let line = "cd workspace; i=0; while : > f$i; do i=$((i+1)); test $i -gt 200000 && break; done 2>/dev/null; echo $i";
        let mut request = ExecRequest::new(["bash", "-c", line]);
        request.timeout = Duration::from_mins(1);
        let result = machine.local.exec(&handle, request).await.unwrap();
        let files: u64 = result.stdout.text().trim().parse().unwrap();
        assert!(files < 200_000, "{files}");
    })
    .await;
}

#[tokio::test]
async fn endless_output_is_cut() {
    bounded(async {
        for tier in [Tier::Root, Tier::Rootless] {
            let machine = Machine::new(tier);
            let handle = machine.create().await;
            let mut request = ExecRequest::new(["yes"]);
            // Time for a busy machine to start it.
            request.timeout = Duration::from_secs(2);
            request.output_bytes_max = 4096;
            let result = machine.local.exec(&handle, request).await.unwrap();
            assert_eq!(result.exit, Exit::TimedOut);
            assert_eq!(result.stdout.bytes.len(), 4096);
            assert!(result.stdout.dropped > 0);
            // A log keeps the last of it, and says how much is gone.
            machine
                .local
                .start(&handle, ProcessSpec::new("noise", ["yes"]))
                .await
                .unwrap();
            let lost = || async { machine.local.log(&handle, "noise", 0).await.unwrap().lost };
            until(|| async { lost().await > 20 * MEGABYTE }).await;
            let size = machine
                .output(&handle, "du -sm /run/proliferate | cut -f1")
                .await;
            assert!(size.trim().parse::<u64>().unwrap() <= 17, "{size}");
            machine.local.stop(&handle, "noise").await.unwrap();
            let chunk = machine.local.log(&handle, "noise", 0).await.unwrap();
            assert!(chunk.bytes.starts_with(b"y\n") || chunk.bytes.starts_with(b"\ny"));
        }
    })
    .await;
}

#[tokio::test]
async fn a_processor_is_shared() {
    bounded(async {
        let machine = Machine::new(Tier::Root);
        let handle = small(&machine).await;
        // Half a processor, by the clock of the program itself.
        let line = "bash -c 'end=$((SECONDS+2)); while ((SECONDS < end)); do :; done; times' | tail -n 2 | head -n 1";
        let text = machine.output(&handle, line).await;
        let used = text.split(['m', 's', ' ']).nth(1).unwrap();
        let used: f64 = used.parse().unwrap();
        assert!(used < 1.7, "{text}");
    })
    .await;
}

#[tokio::test]
async fn a_command_ends_with_who_waits_for_it() {
    bounded(async {
        for tier in [Tier::Root, Tier::Rootless] {
            let machine = Machine::new(tier);
            let handle = machine.create().await;
            let (local, of) = (machine.local.clone(), handle.clone());
            let waiting = tokio::spawn(async move {
                local
                    .exec(&of, ExecRequest::shell("sleep 4321; true"))
                    .await
            });
            let line = "ps -eo args= | grep -c '^sleep 4321$'; true";
            until(|| async { machine.output(&handle, line).await == "1\n" }).await;
            waiting.abort();
            until(|| async { machine.output(&handle, line).await == "0\n" }).await;
        }
    })
    .await;
}
