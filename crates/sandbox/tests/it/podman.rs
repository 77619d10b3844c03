//! What the container provider promises beyond the contract.

use std::{
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    path::Path,
    process::Command,
    time::Duration,
};

use sandbox::{
    Destination, Env, Error, ExecRequest, ExecResult, Exit, Handle, HomePath, Liveness, Origin,
    ProcessSpec, ProcessState, Provider as _, SnapshotRequest, TemplateEntry,
    container::ContainerProvider,
};

use crate::{
    conformance::until,
    engine::Engine,
    support::{bounded, entropy, spec},
    yard::{Kind, Yard},
};

async fn shell(container: &ContainerProvider, handle: &Handle, line: &str) -> ExecResult {
    let request = ExecRequest::shell(line);
    container.exec(handle, request).await.unwrap()
}

/// What a line prints.
async fn output(container: &ContainerProvider, handle: &Handle, line: &str) -> String {
    let result = shell(container, handle, line).await;
    let (stdout, stderr) = (result.stdout.text(), result.stderr.text());
    assert!(result.is_success(), "{line}: {:?} {stderr}", result.exit);
    stdout
}

/// A server of this machine that greets.
fn greeter(on: &str) -> SocketAddr {
    let listener = TcpListener::bind(on).unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = stream.write_all(b"welcome\n");
        }
    });
    address
}

/// Tries to read a line from there.
async fn reach(container: &ContainerProvider, handle: &Handle, host: &str, port: u16) -> String {
    let line = format!(
        "timeout 2 bash -c 'exec 3<>/dev/tcp/{host}/{port} && head -n 1 <&3' 2>/dev/null || echo no"
    );
    output(container, handle, &line).await.trim().to_owned()
}

fn to(name: &str, address: SocketAddr) -> Destination {
    Destination {
        name: name.to_owned(),
        address,
    }
}

#[tokio::test]
async fn only_destinations_are_reached_by_name() {
    bounded(async {
        let engine = Engine::open(entropy()).await;
        let container = &engine.container;
        let (gateway, model) = (greeter("127.0.0.1:0"), greeter("0.0.0.0:0"));
        let stranger = greeter("0.0.0.0:0");
        let mut spec = spec();
        spec.destinations = vec![to("gateway", gateway), to("model", model)];
        let inside = container.address_inside(&spec.destinations[0]);
        assert_eq!(inside, "gateway:80");
        let handle = container.create(spec).await.unwrap();
        assert_eq!(reach(container, &handle, "gateway", 80).await, "welcome");
        assert_eq!(reach(container, &handle, "model", 80).await, "welcome");
        for (host, port) in [
            ("127.0.0.1", stranger.port()),
            ("127.0.0.1", gateway.port()),
            ("gateway", stranger.port()),
            ("host.containers.internal", stranger.port()),
            ("1.1.1.1", 80),
            ("169.254.169.254", 80),
        ] {
            let got = reach(container, &handle, host, port).await;
            assert_eq!(got, "no", "{host}:{port}");
        }
        let look = "tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '; cat /proc/net/route | wc -l; \
                    getent hosts example.com || echo unknown";
        assert_eq!(output(container, &handle, look).await, "lo\n1\nunknown\n");
        // What it could try with the sockets: nothing but connecting.
        let tried = shell(container, &handle, "rm /run/proliferate-net/1.sock").await;
        assert!(!tried.is_success());
    })
    .await;
}

/// What a server says to a greeting.
async fn ask(address: SocketAddr) -> std::io::Result<String> {
    let asked = tokio::task::spawn_blocking(move || {
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        stream.write_all(b"hello")?;
        let mut text = String::new();
        stream.read_to_string(&mut text)?;
        Ok(text)
    });
    asked.await.unwrap()
}

/// Development servers commonly listen on the loopback address alone.
#[tokio::test]
async fn an_endpoint_leads_to_a_server_inside_and_leaves_no_process_there() {
    bounded(async {
        let engine = Engine::open(entropy()).await;
        let container = &engine.container;
        let handle = container.create(spec()).await.unwrap();
        let endpoint = container.endpoint(&handle, 5173).await.unwrap();
        assert_eq!(container.endpoint(&handle, 5173).await.unwrap(), endpoint);
        // Without a listener the connection is closed.
        assert!(ask(endpoint.address).await.unwrap_or_default().is_empty());
        let serve = "$s=IO::Socket::INET->new(Listen=>5,LocalAddr=>\"127.0.0.1\",LocalPort=>5173,\
                     ReuseAddr=>1) or die; while ($c=$s->accept) { sysread $c,$x,5; print $c \
                     \"$x inside\"; close $c }";
        let serve = ProcessSpec::new("serve", ["perl", "-MIO::Socket::INET", "-e", serve]);
        container.start(&handle, serve).await.unwrap();
        let answers =
            |answer: std::io::Result<String>| answer.is_ok_and(|text| text == "hello inside");
        until(|| async { answers(ask(endpoint.address).await) }).await;
        for _ in 0..3 {
            assert!(answers(ask(endpoint.address).await));
        }
        // A client that goes without having been answered. The engine starts nothing for it.
        let asking = TcpStream::connect(endpoint.address).unwrap();
        let count = async |what: &str| {
            let line = format!("pgrep --full --count '{what}' || true");
            output(container, &handle, &line).await.trim().to_owned()
        };
        until(|| async { count("[s]ocat -t 60 FD").await == "1" }).await;
        assert_eq!(count("[c]onnect 0 0 5173").await, "0");
        drop(asking);
        until(|| async { count("[s]ocat -t 60 FD").await == "0" }).await;
        // Whom the helper has not offered itself to yet, the engine helps.
        let other = engine.again().await;
        other.reattach(&handle).await.unwrap();
        let endpoint = other.endpoint(&handle, 5173).await.unwrap();
        assert!(answers(ask(endpoint.address).await));
    })
    .await;
}

#[tokio::test]
async fn another_process_goes_on_with_it() {
    bounded(async {
        let engine = Engine::open(entropy()).await;
        let gateway = greeter("127.0.0.1:0");
        let first = engine.again().await;
        let mut spec = spec();
        spec.env = Env::of([("COLOUR", "green")]).unwrap();
        spec.destinations = vec![to("gateway", gateway)];
        let handle = first.create(spec).await.unwrap();
        let line = "echo $COLOUR; for i in 1 2 3; do echo $i; done; exec sleep 1000";
        let wait = ProcessSpec::new("wait", ["sh", "-c", line]);
        first.start(&handle, wait).await.unwrap();
        drop(first);
        let second = &engine.container;
        second.reattach(&handle).await.unwrap();
        assert_eq!(second.liveness(&handle).await, Liveness::Alive);
        let running = second.process(&handle, "wait").await;
        assert_eq!(running, Ok(ProcessState::Running));
        until(|| async {
            let log = second.log(&handle, "wait", 0).await.unwrap();
            &log.bytes[..] == b"green\n1\n2\n3\n"
        })
        .await;
        let colour = output(second, &handle, "echo $COLOUR").await;
        assert_eq!(colour, "green\n");
        assert_eq!(reach(second, &handle, "gateway", 80).await, "welcome");
        second.stop(&handle, "wait").await.unwrap();
        // Ended from outside: dead, and nothing of it is mistaken for alive.
        engine.podman(&["kill", &format!("proliferate-{}", handle.id)]);
        until(|| async { second.liveness(&handle).await == Liveness::Dead }).await;
        assert_eq!(second.reattach(&handle).await, Err(Error::Gone));
        // Of a process that was killed before it had made the container.
        let stray = engine.directory().join("sandboxes/0123456789ab");
        std::fs::create_dir(&stray).unwrap();
        assert_eq!(second.clean(|_| false).await.unwrap(), [handle.id]);
        assert!(!stray.exists());
        assert!(second.list_sandboxes().await.unwrap().is_empty());
    })
    .await;
}

/// Files below a directory that have these bytes in them.
fn holding(dir: &Path, text: &str) -> String {
    let found = Command::new("grep")
        .args(["--recursive", "--files-with-matches", "--text", text])
        // Memory of a container, which is mounted there.
        .arg("--exclude-dir=shm")
        .arg(dir)
        .output()
        .unwrap();
    String::from_utf8(found.stdout).unwrap()
}

#[tokio::test]
async fn the_engine_keeps_no_variable_and_no_content() {
    bounded(async {
        let engine = Engine::open(entropy()).await;
        let container = &engine.container;
        let mut spec = spec();
        spec.env = Env::of([("TOKEN", "s3cret-of-sandbox")]).unwrap();
        let handle = container.create(spec).await.unwrap();
        let mut request = ExecRequest::new(["sh", "-c", "printenv TOKEN OTHER; cat"]);
        request.env = Env::of([("OTHER", "s3cret-of-command")]).unwrap();
        request.stdin = Some("s3cret-of-input".into());
        let result = container.exec(&handle, request).await.unwrap();
        let told = "s3cret-of-sandbox\ns3cret-of-command\ns3cret-of-input";
        assert_eq!(result.stdout.text(), told);
        let mut process = ProcessSpec::new("wait", ["sleep", "1000"]);
        process.env = Env::of([("OTHER", "s3cret-of-process")]).unwrap();
        container.start(&handle, process).await.unwrap();
        let before = Some(ExecRequest::shell("echo plain-text > kept"));
        let request = SnapshotRequest {
            before,
            after: None,
        };
        let snapshot = container.snapshot(&handle, request).await.unwrap();
        assert_eq!(
            container.process(&handle, "wait").await,
            Ok(ProcessState::Running)
        );
        let name = format!("proliferate-{}", handle.id);
        for words in [
            vec!["inspect", name.as_str()],
            vec!["image", "inspect", snapshot.id.as_str()],
            vec!["image", "history", "--no-trunc", snapshot.id.as_str()],
        ] {
            let text = engine.podman(&words);
            assert!(!text.contains("s3cret"), "{text}");
        }
        // Nor anywhere on its disk; what was to be kept is found, so the search works.
        assert!(!holding(engine.directory(), "plain-text").is_empty());
        assert_eq!(holding(engine.directory(), "s3cret-of"), "");
    })
    .await;
}

#[tokio::test]
async fn links_are_not_followed() {
    bounded(async {
        let engine = Engine::open(entropy()).await;
        let container = &engine.container;
        let handle = container.create(spec()).await.unwrap();
        let make = "ln -s /etc/passwd file; ln -s /etc dir; ln -s ../.. up; mkdir real; echo x > \
                    real/a; ln -s real other; mkfifo pipe; mkdir gone; ln -s /home/user/real gone/l";
        output(container, &handle, make).await;
        let path = |text: &str| HomePath::new(text).unwrap();
        for (at, expected) in [
            ("file", "invalid"),
            ("dir/passwd", "invalid"),
            ("up/etc/passwd", "invalid"),
            ("other/a", "invalid"),
            ("pipe", "invalid"),
            ("real", "invalid"),
            ("real/a/b", "invalid"),
            ("none", "missing"),
        ] {
            let got = container.read(&handle, &path(at)).await;
            let verdict = match &got {
                Err(Error::Invalid { .. }) => "invalid",
                Err(Error::NotFound { .. }) => "missing",
                _ => "read",
            };
            assert_eq!(verdict, expected, "{at}: {got:?}");
        }
        let through = sandbox::File::new(path("other/b"), "x");
        let refused = container.write(&handle, vec![through]).await;
        assert!(matches!(refused, Err(Error::Invalid { .. })), "{refused:?}");
        let listed = container.list(&handle, &path("other")).await;
        assert!(matches!(listed, Err(Error::Invalid { .. })), "{listed:?}");
        // A link is replaced, and what it leads to stays.
        let over = sandbox::File::new(path("file"), "mine");
        container.write(&handle, vec![over]).await.unwrap();
        assert_eq!(output(container, &handle, "cat file").await, "mine");
        container.remove(&handle, vec![path("gone"), path("other")]).await.unwrap();
        assert_eq!(output(container, &handle, "ls real").await, "a\n");
        let refused = container.remove(&handle, vec![HomePath::home()]).await;
        assert!(matches!(refused, Err(Error::Invalid { .. })), "{refused:?}");
    })
    .await;
}

#[tokio::test]
async fn limits_bite_and_privileges_are_gone() {
    bounded(async {
        let engine = Engine::open(entropy()).await;
        let container = &engine.container;
        assert!(container.engine_support().resource_limits);
        let mut spec = spec();
        spec.limits.memory_bytes = 128 * 1024 * 1024;
        spec.limits.processes = 64;
        let handle = container.create(spec).await.unwrap();
        let hog = "perl -e '$x = \"x\" x (400 * 1024 * 1024); print length $x'";
        let result = shell(container, &handle, hog).await;
        assert_ne!(result.exit, Exit::Code(0), "{}", result.stdout.text());
        let powers = "grep -E 'Cap(Eff|Bnd)|NoNewPrivs' /proc/self/status | tr '\\t' ' '; id -u";
        insta::assert_snapshot!(output(container, &handle, powers).await, @r"
        CapEff: 0000000000000000
        CapBnd: 0000000000000000
        NoNewPrivs: 1
        1000
        ");
        for forbidden in [
            "mount -t tmpfs none /mnt",
            "touch /etc/x",
            "echo x > /proc/sys/kernel/core_pattern",
            "kill -9 1",
            "unshare --mount true",
            "cat /etc/shadow",
        ] {
            let result = shell(container, &handle, forbidden).await;
            assert!(!result.is_success(), "{forbidden}");
        }
        let bomb = "for i in $(seq 200); do sleep 60 & done";
        let result = shell(container, &handle, bomb).await;
        let text = result.stderr.text();
        assert!(text.contains("fork"), "{:?} {text}", result.exit);
        // Full as it is it may not be joined any more. It can be seen and ended.
        assert_eq!(container.liveness(&handle).await, Liveness::Alive);
        container.destroy(&handle).await.unwrap();
        assert_eq!(container.liveness(&handle).await, Liveness::Dead);
    })
    .await;
}

#[tokio::test]
async fn a_template_is_made_once_and_is_below_snapshots() {
    bounded(async {
        let engine = Engine::open(entropy()).await;
        let container = &engine.container;
        let source = tempfile::TempDir::new().unwrap();
        std::fs::create_dir(source.path().join("deep")).unwrap();
        std::fs::write(source.path().join("deep/a"), "from here").unwrap();
        std::os::unix::fs::symlink("deep/a", source.path().join("link")).unwrap();
        let mut spec = spec();
        spec.template = vec![TemplateEntry {
            source: source.path().to_owned(),
            target: HomePath::new(".local/share/tool").unwrap(),
        }];
        let one = container.create(spec.clone()).await.unwrap();
        let two = container.create(spec.clone()).await.unwrap();
        let images = || engine.podman(&["images", "--quiet", "localhost/proliferate-template"]);
        assert_eq!(images().lines().count(), 1);
        let look =
            "cd .local/share/tool && cat link && stat -c '%U %F' . deep deep/a && echo x > new";
        insta::assert_snapshot!(output(container, &one, look).await, @r"
        from hereuser directory
        user directory
        user regular file
        ");
        let snapshot = container.snapshot(&one, SnapshotRequest::default());
        spec.origin = Origin::Snapshot(snapshot.await.unwrap());
        let three = container.create(spec.clone()).await.unwrap();
        let both = output(container, &three, "cd .local/share/tool && cat link new").await;
        assert!(both.contains("from here") && both.contains('x'), "{both}");
        assert_eq!(
            output(container, &two, "ls .local/share/tool").await,
            "deep\nlink\n"
        );
        // Another look makes another one.
        std::fs::write(source.path().join("deep/a"), "changed").unwrap();
        spec.origin = Origin::Template;
        let four = container.create(spec).await.unwrap();
        let text = output(container, &four, "cat .local/share/tool/link").await;
        assert_eq!(text, "changed");
        assert_eq!(images().lines().count(), 2);
    })
    .await;
}

#[tokio::test]
async fn a_damaged_snapshot_is_noticed() {
    bounded(async {
        let engine = Engine::open(entropy()).await;
        let container = &engine.container;
        let handle = container.create(spec()).await.unwrap();
        output(container, &handle, "echo right-content > kept").await;
        let snapshot = container.snapshot(&handle, SnapshotRequest::default());
        let snapshot = snapshot.await.unwrap();
        container.destroy(&handle).await.unwrap();
        container.verify(&snapshot.id).await.unwrap();
        let files = holding(engine.directory(), "right-content");
        let layer = files.lines().find(|file| file.ends_with("/home/user/kept"));
        std::fs::write(layer.expect("a layer has it"), "wrong-content\n").unwrap();
        let found = container.verify(&snapshot.id).await;
        assert!(
            matches!(found, Err(Error::Damaged { .. } | Error::Failed { .. })),
            "{found:?}"
        );
    })
    .await;
}

/// A quarter of what the local provider is asked for: a container takes a second.
const CYCLES: usize = 24;

#[tokio::test]
async fn sandboxes_come_and_go_without_a_trace() {
    bounded(async {
        let yard = Yard::open(Kind::Podman).await;
        let Yard::Podman(engine) = &yard else {
            panic!("it is one");
        };
        let container = &engine.container;
        // Named by the engine and not by us.
        let machine = || {
            let shown = |words: &[&str]| engine.podman(words);
            let storage = engine.directory().join("root");
            let names = |part: &str| {
                let entries = std::fs::read_dir(storage.join(part)).into_iter().flatten();
                let names = entries.flatten().map(|entry| entry.file_name());
                let mut names: Vec<_> = names.collect();
                names.sort();
                names
            };
            (
                shown(&["images", "--all", "--quiet"]),
                shown(&["network", "ls", "--quiet"]),
                (names("overlay"), names("overlay-containers")),
                std::fs::read_dir("/run/netns").map_or(0, |entries| {
                    let names = entries.flatten().map(|entry| entry.file_name());
                    let theirs = |name: &std::ffi::OsString| {
                        !name.to_string_lossy().starts_with("proliferate-")
                    };
                    names.filter(theirs).count()
                }),
            )
        };
        let handle = container.create(spec()).await.unwrap();
        container.destroy(&handle).await.unwrap();
        let before = machine();
        let mut ids = Vec::new();
        for _ in 0..CYCLES / 2 {
            let makes = (0..2).map(|_| {
                let container = container.clone();
                tokio::spawn(async move {
                    let handle = container.create(spec()).await.unwrap();
                    assert_eq!(output(&container, &handle, "echo on").await, "on\n");
                    container.destroy(&handle).await.unwrap();
                    handle.id
                })
            });
            for made in makes.collect::<Vec<_>>() {
                ids.push(made.await.unwrap());
            }
        }
        assert_eq!(ids.len(), CYCLES);
        // What cannot be made leaves nothing either.
        let mut wrong = spec();
        wrong.files = vec![sandbox::File::new(HomePath::new("workspace").unwrap(), "x")];
        let refused = container.create(wrong).await;
        assert!(matches!(refused, Err(Error::Invalid { .. })), "{refused:?}");
        assert_eq!(machine(), before);
        assert_eq!(yard.traces(&ids), Vec::<String>::new());
    })
    .await;
}
