//! What a sandboxed program can see, reach and use.

use std::net::TcpListener;

use tools::{CommandExecutor, Failure};

use crate::support::{Call, MEGABYTE, command_of, executors, script, steps};

async fn seen(text: &str) -> Vec<String> {
    let mut texts = Vec::new();
    for executor in executors() {
        let text = format!("exec > {{output}}/text.txt; {text}; true");
        texts.push(Call::of(script(&text)).text(&executor).await.unwrap());
    }
    texts
}

/// The environment of this very process has what cargo and the shell put there; none of it is inside.
#[tokio::test]
async fn nothing_of_our_environment_is_inside() {
    let ours = std::env::var("CARGO_MANIFEST_DIR").unwrap();
    let look = "env; cat /proc/*/environ /proc/*/cmdline 2>&1; ls -la /proc /proc/1 2>&1";
    for text in seen(look).await {
        assert!(!text.contains(&ours), "{text}");
        let known = [
            "PATH",
            "HOME",
            "TMPDIR",
            "LANG",
            "OMP_THREAD_LIMIT",
            "PWD",
            "SHLVL",
            "_",
        ];
        for line in text.lines().take_while(|line| line.contains('=')) {
            let name = line.split('=').next().unwrap();
            assert!(known.contains(&name), "{line}");
        }
        assert!(text.contains("No such file or directory"), "{text}");
    }
}

#[tokio::test]
async fn nothing_of_our_files_is_inside() {
    let marker = tempfile::NamedTempFile::new().unwrap();
    let path = marker.path().display();
    let look = format!(
        "for f in {path} {} /root /home /etc/passwd /etc/shadow /etc/resolv.conf /sys /run /var; do \
         test -e $f && echo sees $f; done; for f in / /usr /etc /in /dev; do \
         (echo x > $f/x) 2>/dev/null && echo writes $f; done; ls /dev | tr '\\n' ' '",
        env!("CARGO_MANIFEST_DIR"),
    );
    for text in seen(&look).await {
        assert_eq!(text.trim(), "full null random urandom zero");
    }
}

#[tokio::test]
async fn there_is_no_network() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    let look = format!(
        "(echo hello > /dev/tcp/127.0.0.1/{port}) 2>/dev/null && echo connected; \
         (echo hello > /dev/udp/8.8.8.8/53) 2>/dev/null && echo sent"
    );
    for text in seen(&look).await {
        assert_eq!(text, "");
    }
    assert!(listener.accept().is_err());
}

#[tokio::test]
async fn other_processes_are_out_of_reach() {
    let own = std::process::id();
    for text in seen(&format!(
        "kill -0 {own} 2>/dev/null && echo reaches; echo $$"
    ))
    .await
    {
        let inside: u32 = text.trim().parse().unwrap();
        assert!(inside < 10, "{inside}");
    }
}

/// Under root the program has another user id; everywhere it has no privileges.
#[tokio::test]
async fn it_runs_without_rights() {
    let look = "id -u; mount -t tmpfs x /tmp 2>/dev/null && echo mounts; \
                umount /usr 2>/dev/null && echo unmounts; \
                /usr/sbin/chroot / true 2>/dev/null && echo changes the root";
    for text in seen(look).await {
        let user: u32 = text.trim().parse().unwrap();
        assert!(user >= 65_000, "{text}");
    }
}

#[tokio::test]
async fn every_bound_is_set() {
    let look = "ulimit -t -v -f -u -n -c | tr -s ' ' | rev | cut -d' ' -f1 | rev | tr '\\n' ' '";
    for text in seen(look).await {
        // Seconds of the deadline and one; kilobytes; one byte more than a file may have, in blocks.
        assert_eq!(text.trim(), "61 524288 1024 16 256 0");
    }
}

#[tokio::test]
async fn memory_is_bounded() {
    for executor in executors() {
        let mut tool = steps(&[&["tail", "/dev/zero"]]);
        command_of(&mut tool).memory_bytes = 64 * MEGABYTE;
        let result = Call::of(tool).text(&executor).await;
        let reason = "the tool ended with an error";
        let retryable = false;
        assert_eq!(result, Err(Failure::Tool { reason, retryable }));
    }
}

#[tokio::test]
async fn the_number_of_processes_is_bounded() {
    // In a user namespace under root the kernel counts no processes; root has the other way.
    let executor = CommandExecutor::new();
    let text =
        "i=0; while [ $i -lt 40 ]; do sleep 99 & i=$((i+1)); done; echo x > {output}/text.txt";
    for (processes, works) in [(64, true), (16, false)] {
        let mut tool = steps(&[&["dash", "-c", text]]);
        command_of(&mut tool).processes_max = processes;
        let result = Call::of(tool).text(&executor).await;
        assert_eq!(result.is_ok(), works, "{processes}: {result:?}");
    }
}

/// Two calls at once, each with files of its own, and under root with a user of its own.
#[tokio::test]
async fn calls_do_not_see_each_other() {
    let executor = CommandExecutor::new();
    let text = "id -u > {work}/a; ls {work} | cat - {work}/a > {output}/text.txt";
    let calls = [Call::of(script(text)), Call::of(script(text))];
    let (first, second) = tokio::join!(calls[0].text(&executor), calls[1].text(&executor));
    let (first, second) = (first.unwrap(), second.unwrap());
    assert!(first.starts_with("a\n") && second.starts_with("a\n"));
    let root = rustix::process::geteuid().is_root();
    assert_eq!(root, first != second, "{first}{second}");
}
