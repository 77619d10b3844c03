//! Ways out that are closed: files, processes, rights, and parts of the kernel.

use sandbox::{Provider as _, local::Tier};

use crate::support::{Machine, bounded};

/// What `started_with_a_file` is told.
const FILE: &str = "SANDBOX_TEST_FILE";

const TIERS: [Tier; 2] = [Tier::Root, Tier::Rootless];

async fn seen(line: &str) -> Vec<String> {
    let mut texts = Vec::new();
    for tier in TIERS {
        let machine = Machine::new(tier);
        let handle = machine.create().await;
        texts.push(machine.output(&handle, line).await);
    }
    texts
}

#[tokio::test]
async fn nothing_of_this_machines_files_is_inside() {
    bounded(async {
        let marker = tempfile::NamedTempFile::new().unwrap();
        let look = format!(
            "for f in {} {} /root /etc/shadow /etc/ssh /sys /var/lib /var/log /opt /mnt /boot \
             /run/netns /run/proliferate-sandbox /proc/1/root/root; do test -e $f && echo sees $f; done; \
             for f in / /usr /usr/bin /etc /run /var /proc /dev/shm/../..; do \
             (echo x > $f/x) 2>/dev/null && echo writes $f; done; echo end",
            marker.path().display(),
            env!("CARGO_MANIFEST_DIR"),
        );
        for text in seen(&look).await {
            assert_eq!(text, "end\n");
        }
    })
    .await;
}

#[tokio::test]
async fn other_processes_are_out_of_sight() {
    bounded(async {
        let line = format!(
            "kill -0 {} 2>/dev/null && echo reaches; ls -d /proc/[0-9]* | wc -l; hostname; \
             kill -9 1; kill -TERM 1; pkill sleep; echo survived",
            std::process::id()
        );
        for text in seen(&line).await {
            let lines: Vec<&str> = text.lines().collect();
            let count: usize = lines[0].parse().unwrap();
            assert!(count < 10, "{text}");
            assert_eq!(&lines[1..], ["sandbox", "survived"]);
        }
    })
    .await;
}

/// Killing every process inside does not end the sandbox.
#[tokio::test]
async fn killing_everything_inside_leaves_a_sandbox() {
    bounded(async {
        for tier in TIERS {
            let machine = Machine::new(tier);
            let handle = machine.create().await;
            let killed = machine.shell(&handle, "kill -9 -1; sleep 5").await;
            assert!(!killed.is_success(), "{killed:?}");
            assert_eq!(machine.output(&handle, "echo again").await, "again\n");
            // Orphans are taken care of: none stays behind as a zombie.
            machine
                .output(&handle, "for i in 1 2 3; do (sleep 0.01 &) ; done")
                .await;
            machine.output(&handle, "sleep 0.2").await;
            let zombies =
                machine.output(&handle, "grep -l '^State:.Z' /proc/[0-9]*/status | wc -l");
            assert_eq!(zombies.await, "0\n");
        }
    })
    .await;
}

#[tokio::test]
async fn there_are_no_rights_and_no_way_to_get_some() {
    bounded(async {
        let line = "id -u; grep -E '^(CapPrm|CapEff|CapBnd|CapAmb|NoNewPrivs|Seccomp):' /proc/self/status; \
                    su -c true </dev/null >/dev/null 2>&1 && echo su; \
                    mount -t tmpfs x /tmp 2>/dev/null && echo mounts; \
                    umount /home/user 2>/dev/null && echo unmounts; \
                    unshare -Ur true 2>/dev/null && echo unshares; \
                    chown 0 workspace 2>/dev/null && echo chowns; \
                    mknod n b 8 0 2>/dev/null && echo makes devices; \
                    cp /usr/bin/id ./id && chmod u+s ./id && ./id -u; \
                    findmnt -no OPTIONS /home/user | grep -o nosuid";
        for text in seen(line).await {
            let zero = "0000000000000000";
            let expected = format!(
                "1000\nCapPrm:\t{zero}\nCapEff:\t{zero}\nCapBnd:\t{zero}\nCapAmb:\t{zero}\n\
                 NoNewPrivs:\t1\nSeccomp:\t2\n1000\nnosuid\n"
            );
            assert_eq!(text, expected);
        }
    })
    .await;
}

/// Each with arguments that would at worst be invalid: EPERM then comes from the filter.
#[tokio::test]
async fn system_calls_that_lead_out_are_refused() {
    bounded(async {
        let refused = [
            libc::SYS_ptrace,
            libc::SYS_process_vm_readv,
            libc::SYS_keyctl,
            libc::SYS_add_key,
            libc::SYS_request_key,
            libc::SYS_io_uring_setup,
            libc::SYS_io_uring_enter,
            libc::SYS_mount,
            libc::SYS_fsopen,
            libc::SYS_open_tree,
            libc::SYS_move_mount,
            libc::SYS_unshare,
            libc::SYS_setns,
            libc::SYS_bpf,
            libc::SYS_perf_event_open,
            libc::SYS_userfaultfd,
            libc::SYS_kexec_load,
            libc::SYS_init_module,
            libc::SYS_finit_module,
            libc::SYS_open_by_handle_at,
            libc::SYS_pidfd_getfd,
        ];
        let numbers = refused.map(|number| number.to_string()).join(",");
        let script = format!(
            "for my $n ({numbers}) {{ $!=0; syscall($n, -1, 0, 0, 0, 0); print \"$n:\", $!+0, \"\\n\" }} \
             $!=0; syscall({clone3}, 0, 0); print \"clone3:\", $!+0, \"\\n\"; \
             for my $flag (0x10000000, 0x20000000, 0x40000000, 0x00020000) \
             {{ $!=0; syscall({clone}, $flag, 0, 0, 0, 0); print \"clone:\", $!+0, \"\\n\" }}",
            clone3 = libc::SYS_clone3,
            clone = libc::SYS_clone,
        );
        let mut lines: Vec<String> = Vec::new();
        lines.extend(refused.iter().map(|n| format!("{n}:{}", libc::EPERM)));
        lines.push(format!("clone3:{}", libc::ENOSYS));
        lines.extend(vec![format!("clone:{}", libc::EPERM); 4]);
        let expected = lines.join("\n") + "\n";
        for tier in TIERS {
            let machine = Machine::new(tier);
            let handle = machine.create().await;
            let request = sandbox::ExecRequest::new(["perl", "-e", &script]);
            let result = machine.local.exec(&handle, request).await.unwrap();
            assert_eq!(result.stdout.text(), expected);
        }
    })
    .await;
}

#[tokio::test]
async fn only_ordinary_sockets_can_be_made() {
    bounded(async {
        // Family, type, protocol.
        let refused = [
            (libc::AF_INET, libc::SOCK_RAW, 1),
            (libc::AF_INET, libc::SOCK_RAW | libc::SOCK_CLOEXEC, 255),
            (libc::AF_INET6, libc::SOCK_RAW, 58),
            (libc::AF_PACKET, libc::SOCK_RAW, 0),
            (libc::AF_PACKET, libc::SOCK_DGRAM, 0),
            (libc::AF_VSOCK, libc::SOCK_STREAM, 0),
            (libc::AF_ALG, libc::SOCK_SEQPACKET, 0),
            (libc::AF_KEY, libc::SOCK_RAW, 2),
            (libc::AF_NETLINK, libc::SOCK_RAW, 12),
        ];
        let allowed = [
            (libc::AF_INET, libc::SOCK_STREAM, 0),
            (libc::AF_INET6, libc::SOCK_STREAM, 0),
            (libc::AF_UNIX, libc::SOCK_STREAM, 0),
            (libc::AF_INET, libc::SOCK_DGRAM, 0),
            (libc::AF_NETLINK, libc::SOCK_RAW, 0),
        ];
        let all = refused
            .iter()
            .chain(&allowed)
            .map(|(family, kind, protocol)| {
                format!("print socket(my $s, {family}, {kind}, {protocol}) ? 0 : $!+0, \"\\n\";")
            });
        let script = all.collect::<Vec<_>>().join(" ");
        let expected =
            format!("{}\n", libc::EPERM).repeat(refused.len()) + &"0\n".repeat(allowed.len());
        for tier in TIERS {
            let machine = Machine::new(tier);
            let handle = machine.create().await;
            let request = sandbox::ExecRequest::new(["perl", "-e", &script]);
            let result = machine.local.exec(&handle, request).await.unwrap();
            assert_eq!(result.stdout.text(), expected);
        }
    })
    .await;
}

#[tokio::test]
async fn one_sandbox_does_not_see_another() {
    bounded(async {
        for tier in TIERS {
            let machine = Machine::new(tier);
            let (one, two) = (machine.create().await, machine.create().await);
            machine
                .output(
                    &one,
                    "echo mine > workspace/a; echo mine > /tmp/a; sleep 1000 >/dev/null 2>&1 &",
                )
                .await;
            let look = "ls workspace /tmp; ps ax | grep -c '[s]leep 1000'; true";
            let text = machine.output(&two, look).await;
            assert_eq!(text, "/tmp:\n\nworkspace:\n0\n");
        }
    })
    .await;
}

#[tokio::test]
async fn a_terminal_can_be_had_and_is_the_sandboxs_own() {
    bounded(async {
        let line = "script -qc 'tty; ls /dev/pts' /dev/null | tr -d '\\r'";
        for text in seen(line).await {
            assert_eq!(text, "/dev/pts/0\n0  ptmx\n");
        }
    })
    .await;
}

/// Not a test of its own: what a process sees in its sandboxes that was started with a file of another process.
#[tokio::test]
async fn started_with_a_file() {
    if std::env::var_os(FILE).is_none() {
        return;
    }
    let look = "for p in 1 self; do readlink /proc/$p/fd/6; done; cat <&6; echo end";
    for text in seen(look).await {
        println!("SEEN {}", text.replace('\n', " "));
    }
}

#[tokio::test]
async fn files_that_the_gateway_was_started_with_stay_outside() {
    bounded(async {
        let secret = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(secret.path(), "not for agents").unwrap();
        let output = tokio::process::Command::new("/bin/sh")
            .args(["-c", "exec 6<\"$SANDBOX_TEST_FILE\"; exec \"$@\"", "sh"])
            .arg(std::env::current_exe().unwrap())
            .args(["--exact", "walls::started_with_a_file", "--nocapture"])
            .env(FILE, secret.path())
            .output();
        let output = output.await.unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let seen: Vec<_> = text.lines().filter(|line| line.contains("SEEN ")).collect();
        assert_eq!(seen.len(), TIERS.len(), "{text}");
        let name = secret.path().file_name().unwrap().to_str().unwrap();
        for line in seen {
            assert!(line.ends_with("end "), "{line}");
            assert!(!line.contains("agents") && !line.contains(name), "{line}");
        }
    })
    .await;
}
