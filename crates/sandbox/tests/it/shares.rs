//! What the kernel counts by user: a sandbox that takes all it can get leaves the others, and this machine, theirs.

use domain::limits::{SANDBOX_INOTIFY_INSTANCES_MAX, SANDBOX_PENDING_SIGNALS_MAX};
use sandbox::{Handle, ProcessSpec, Provider as _, local::Tier};

use crate::{
    conformance::until,
    support::{Machine, bounded},
};

#[cfg(target_arch = "x86_64")]
const INOTIFY_INIT1: u32 = 294;
#[cfg(target_arch = "x86_64")]
const TIMER_CREATE: u32 = 222;
#[cfg(target_arch = "aarch64")]
const INOTIFY_INIT1: u32 = 26;
#[cfg(target_arch = "aarch64")]
const TIMER_CREATE: u32 = 107;

const TIERS: [Tier; 2] = [Tier::Root, Tier::Rootless];

/// Takes what this expression of perl gives as long as it gives it, and keeps it. Says how much that was.
async fn takes_all(machine: &Machine, handle: &Handle, name: &str, takes: &str) -> u64 {
    let script = format!(
        "my $n = 0; $n++ while $n < 200000 && {takes}; open my $f, '>', '/tmp/{name}.new'; print $f $n; close $f; \
         rename '/tmp/{name}.new', '/tmp/{name}'; sleep 1000"
    );
    let program = ProcessSpec::new(name, ["perl", "-e", &script]);
    machine.local.start(handle, program).await.unwrap();
    let line = format!("cat /tmp/{name} 2>/dev/null; true");
    until(|| async { !machine.output(handle, &line).await.is_empty() }).await;
    machine.output(handle, &line).await.parse().unwrap()
}

fn watches() -> String {
    format!("syscall({INOTIFY_INIT1}, 0) >= 0")
}

fn timers() -> String {
    format!("syscall({TIMER_CREATE}, 0, 0, my $id = \"\\0\" x 8) == 0")
}

#[tokio::test]
async fn watches_of_files_that_one_sandbox_takes_are_there_for_the_others() {
    bounded(async {
        for (tier, count) in [(Tier::Root, 5), (Tier::Rootless, 2)] {
            let machine = Machine::new(tier);
            for _ in 0..count {
                let handle = machine.create().await;
                let taken = takes_all(&machine, &handle, "watches", &watches()).await;
                assert_eq!(taken, SANDBOX_INOTIFY_INSTANCES_MAX, "{tier:?}");
                // A second program of the same sandbox gets no more.
                let more = takes_all(&machine, &handle, "more", &watches()).await;
                assert_eq!(more, 0, "{tier:?}");
            }
            let flags = rustix::fs::inotify::CreateFlags::empty();
            assert!(rustix::fs::inotify::init(flags).is_ok(), "{tier:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn signals_that_wait_in_one_sandbox_leave_room_for_those_of_others() {
    bounded(async {
        for tier in TIERS {
            let machine = Machine::new(tier);
            for _ in 0..2 {
                let handle = machine.create().await;
                let taken = takes_all(&machine, &handle, "timers", &timers()).await;
                assert!(taken <= SANDBOX_PENDING_SIGNALS_MAX, "{tier:?}: {taken}");
                assert!(taken > SANDBOX_PENDING_SIGNALS_MAX / 2, "{tier:?}: {taken}");
                let more = takes_all(&machine, &handle, "more", &timers()).await;
                assert!(
                    more + taken <= SANDBOX_PENDING_SIGNALS_MAX,
                    "{tier:?}: {more}"
                );
            }
        }
    })
    .await;
}

#[tokio::test]
async fn nothing_inside_can_lift_a_limit() {
    bounded(async {
        for tier in TIERS {
            let machine = Machine::new(tier);
            let handle = machine.create().await;
            let line = "for f in /proc/sys/user/max_*; do echo 9 2>/dev/null > $f && echo $f; done; ulimit -H -n; \
                        grep -cE '^Cap[PEIA].*:[[:space:]]*0*$' /proc/self/status";
            let text = machine.output(&handle, line).await;
            assert_eq!(text, "16384\n4\n", "{tier:?}");
        }
    })
    .await;
}
