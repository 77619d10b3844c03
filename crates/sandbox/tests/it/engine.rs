//! A container engine for a test: podman, answering the Docker API on a socket of its own, with a store of
//! its own in which nothing is left. The image is in a store that tests share and only read.
//!
//! Another engine that has the image is used where `PROLIFERATE_TEST_ENGINE_SOCKET` says so: Docker.

use std::{
    fs,
    io::Write as _,
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::Arc,
    time::Duration,
};

use domain::{clock::Entropy, limits::SANDBOX_CONTAINER_LAYERS_MERGED};
use sandbox::container::{ContainerProvider, DEFAULT_IMAGE, Settings};
use tempfile::TempDir;

pub(crate) struct Engine {
    pub(crate) container: ContainerProvider,
    settings: Settings,
    entropy: Arc<dyn Entropy>,
    service: Service,
}

/// Ends with everything that it has started.
struct Service {
    /// Absent for an engine that was there before.
    child: Option<Child>,
    dir: TempDir,
}

impl Engine {
    pub(crate) async fn open(entropy: Arc<dyn Entropy>) -> Self {
        Self::open_merging(entropy, SANDBOX_CONTAINER_LAYERS_MERGED).await
    }

    /// Merges layers when there are more than this.
    pub(crate) async fn open_merging(entropy: Arc<dyn Entropy>, layers_max: u32) -> Self {
        let service = Service::start();
        let settings = Settings {
            layers_max,
            ..Self::settings(service.dir.path())
        };
        // It is large, and would be part of every test.
        let opening = ContainerProvider::open(settings.clone(), Arc::clone(&entropy));
        let container = Box::pin(opening).await;
        Self {
            container: container.unwrap(),
            settings,
            entropy,
            service,
        }
    }

    /// Those of the engine that has this directory. An engine may serve many tests: each is an owner of its own.
    pub(crate) fn settings(directory: &Path) -> Settings {
        let name = directory.file_name().unwrap_or_default();
        let name = name
            .to_string_lossy()
            .replace(|c: char| !c.is_ascii_alphanumeric(), "");
        Settings {
            socket: directory.join("engine.sock"),
            image: DEFAULT_IMAGE.to_owned(),
            directory: directory.join("sandboxes"),
            owner: format!("tests-{}", name.to_lowercase()),
            layers_max: SANDBOX_CONTAINER_LAYERS_MERGED,
        }
    }

    /// Another provider on the same engine, as another process would have.
    pub(crate) async fn again(&self) -> ContainerProvider {
        let opening = ContainerProvider::open(self.settings.clone(), Arc::clone(&self.entropy));
        Box::pin(opening).await.unwrap()
    }

    /// What the engine's own program says.
    pub(crate) fn podman(&self, words: &[&str]) -> String {
        let out = self.service.podman().args(words).output().unwrap();
        let complaint = String::from_utf8_lossy(&out.stderr);
        assert!(out.status.success(), "{words:?}: {complaint}");
        String::from_utf8(out.stdout).unwrap()
    }

    pub(crate) fn directory(&self) -> &Path {
        self.service.dir.path()
    }
}

impl Service {
    fn start() -> Self {
        let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/container-image");
        assert!(
            shared.join("made").exists(),
            "scripts/container-store.sh makes the image of containers"
        );
        let dir = TempDir::new().unwrap();
        let at = dir.path();
        if let Some(socket) = std::env::var_os("PROLIFERATE_TEST_ENGINE_SOCKET") {
            std::os::unix::fs::symlink(socket, at.join("engine.sock")).unwrap();
            return Self { child: None, dir };
        }
        let root = shared.join("root").canonicalize().unwrap();
        write(
            &at.join("storage.conf"),
            &format!(
                "[storage]\ndriver = \"overlay\"\ngraphroot = \"{0}/root\"\nrunroot = \"{0}/run\"\n\
                 [storage.options]\nadditionalimagestores = [\"{1}\"]\n",
                at.display(),
                root.display()
            ),
        );
        // What works on every machine with root: see scripts/container-store.sh.
        write(
            &at.join("containers.conf"),
            &format!(
                "[containers]\nbase_hosts_file = \"none\"\n[engine]\nruntime = \"runc\"\n\
                 cgroup_manager = \"cgroupfs\"\nevents_logger = \"none\"\ntmp_dir = \"{0}/tmp\"\n\
                 [network]\nnetwork_config_dir = \"{0}/net\"\n",
                at.display()
            ),
        );
        let mut command = podman(at);
        let socket = format!("unix://{}", at.join("engine.sock").display());
        command.args(["system", "service", "--time=0", &socket]);
        let log = fs::File::create(at.join("service.log")).unwrap();
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log);
        let service = Self {
            child: Some(command.spawn().expect("podman is installed")),
            dir,
        };
        for _ in 0..3000 {
            if UnixStream::connect(service.socket()).is_ok() {
                return service;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let log = fs::read_to_string(service.dir.path().join("service.log"));
        panic!("the engine does not answer: {log:?}");
    }

    /// Podman's monitors stay for minutes after their program, and then start podman once more, which makes the store's
    /// directory again and mounts it.
    fn end_monitors(&self) {
        let here = self.dir.path().to_string_lossy().into_owned();
        let is_left = |entry: &fs::DirEntry| {
            let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            let line = String::from_utf8_lossy(&line);
            (line.contains("conmon") || line.contains("podman")) && line.contains(&here)
        };
        // What a monitor has started by then is seen the next time.
        for _ in 0..100 {
            let all = fs::read_dir("/proc").into_iter().flatten().flatten();
            let left: Vec<_> = all.filter(is_left).collect();
            if left.is_empty() {
                return;
            }
            for entry in left {
                let _ = Command::new("kill")
                    .arg("-9")
                    .arg(entry.file_name())
                    .status();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn socket(&self) -> PathBuf {
        self.dir.path().join("engine.sock")
    }

    fn podman(&self) -> Command {
        podman(self.dir.path())
    }
}

fn podman(at: &Path) -> Command {
    let mut command = Command::new("podman");
    command
        .env("CONTAINERS_STORAGE_CONF", at.join("storage.conf"))
        .env("CONTAINERS_CONF", at.join("containers.conf"))
        .stdin(Stdio::null());
    command
}

fn write(path: &Path, text: &str) {
    let mut file = fs::File::create(path).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

impl Drop for Service {
    fn drop(&mut self) {
        let quiet = |command: &mut Command| {
            let run = command.stdout(Stdio::null()).stderr(Stdio::null());
            run.status().is_ok_and(|status| status.success())
        };
        let Some(mut child) = self.child.take() else {
            return;
        };
        let at = self.dir.path().to_owned();
        let remove = || quiet(podman(&at).args(["rm", "--all", "--force", "--time", "0"]));
        remove();
        let _ = child.kill();
        let _ = child.wait();
        // Who was still asked for one made it meanwhile.
        let removed = remove();
        self.end_monitors();
        // The store's own mount, which would keep the directory busy.
        quiet(Command::new("umount").arg(self.dir.path().join("root/overlay")));
        if !std::thread::panicking() {
            assert!(
                removed,
                "containers are left in {}",
                self.dir.path().display()
            );
        }
    }
}
