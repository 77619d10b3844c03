//! The running product has a listener each for people, sandboxes and readers of measurements.

use std::{io::ErrorKind, time::Duration};

use domain::limits::SANDBOX_HANDSHAKES_PER_PEER_MAX;
use serde_json::Value;
use testkit::{port::free_address, process::Workspace};
use tokio::net::TcpStream;

use crate::{api::Api, live::with_sandboxes, workspace};

/// More than a sandbox may have that said nothing.
const SILENT: usize = 600;

/// Long enough for anything that should happen.
const SOON: Duration = Duration::from_mins(1);

async fn status(url: String) -> u16 {
    reqwest::get(url).await.unwrap().status().as_u16()
}

/// Where sandboxes come in, and where people do.
fn addresses(dev_file: &Value) -> (String, String) {
    let text = |key: &str| dev_file[key].as_str().expect(key).to_owned();
    (text("sandboxUrl"), text("url"))
}

#[tokio::test]
async fn silent_connections_of_a_sandbox_keep_no_user_out_and_measurements_are_apart() {
    let metrics = free_address().to_string();
    let workspace = with_sandboxes().env("PROLIFERATE_METRICS_LISTEN", &metrics);
    let (_dev, dev_file) = workspace.dev().await;
    let (sandboxes, people) = addresses(&dev_file);
    let mut silent = Vec::new();
    for _ in 0..SILENT {
        let address = sandboxes.trim_start_matches("http://");
        silent.push(TcpStream::connect(address).await.unwrap());
    }
    // At once, and not when their time to send a first byte is over: see the number of those that ended for others.
    let too_many = SILENT - SANDBOX_HANDSHAKES_PER_PEER_MAX;
    until_closed(&silent, too_many).await;
    let (answered, me) = Api::of(&dev_file, "owner").get("/v1/me").await;
    assert_eq!(answered, 200, "{me}");
    assert_eq!(status(format!("{sandboxes}/health")).await, 200);
    assert_eq!(status(format!("{sandboxes}/v1/sessions")).await, 404);
    for other in [&sandboxes, &people] {
        assert_eq!(status(format!("{other}/metrics")).await, 404, "{other}");
    }
    let measured = reqwest::get(format!("http://{metrics}/metrics"))
        .await
        .unwrap();
    let text = measured.text().await.unwrap();
    assert!(
        text.contains("proliferate_connections{listener=\"sandboxes\"}"),
        "{text}"
    );
    let mut lines = text.lines();
    let ended = lines.find_map(|line| {
        let number = line.strip_prefix("proliferate_connections_ended_for_others_total ")?;
        number.parse::<usize>().ok()
    });
    assert!(ended.is_some_and(|ended| ended >= too_many), "{text}");
    drop(silent);
}

/// Waits until the gateway has closed so many of these.
async fn until_closed(streams: &[TcpStream], count: usize) {
    let is_closed = |stream: &&TcpStream| match stream.try_read(&mut [0]) {
        Ok(read) => read == 0,
        Err(error) => error.kind() != ErrorKind::WouldBlock,
    };
    let closed = || streams.iter().filter(is_closed).count();
    let all = async {
        while closed() < count {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let in_time = tokio::time::timeout(SOON, all).await;
    assert!(in_time.is_ok(), "{} of {count} are closed", closed());
}

#[tokio::test]
async fn where_no_sandboxes_are_nothing_listens_for_them() {
    let workspace = workspace().env("PROLIFERATE_SANDBOX_PROVIDER", "off");
    let (_dev, dev_file) = workspace.dev().await;
    assert_eq!(dev_file.get("sandboxUrl"), None);
}

#[tokio::test]
async fn a_gateway_that_trusts_the_addresses_of_its_sandboxes_says_so() {
    let workspace = workspace()
        .env("PROLIFERATE_SANDBOX_PROVIDER", "rootless")
        .env("PROLIFERATE_TRUSTED_PROXIES", "127.0.0.0/8");
    let warning = "`server.trusted_proxies` has loopback addresses";
    let (dev, _) = workspace.dev().await;
    assert!(dev.stderr().contains(warning), "{}", dev.stderr());
    let doctor = workspace.run(&["doctor"]).await;
    assert!(doctor.stdout.contains(warning), "{}", doctor.stdout);
}

#[tokio::test]
async fn a_proxy_that_is_trusted_is_set_by_networks() {
    let workspace = workspace();
    let refused = workspace
        .run(&["dev", "--trusted-proxies", "proxy.example"])
        .await;
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(
        refused.stderr.contains("not a network"),
        "{}",
        refused.stderr
    );
}

mod real_agent {
    use super::*;

    /// Removes what the sandboxes of the root tier left, also when the test fails.
    struct Cleaned<'a>(&'a Workspace);

    impl Drop for Cleaned<'_> {
        fn drop(&mut self) {
            let _ = std::process::Command::new(env!("CARGO_BIN_EXE_proliferate"))
                .args(["doctor", "--clean"])
                .env("PROLIFERATE_DATA_DIR", self.0.data_dir())
                .env("PROLIFERATE_SANDBOX_PROVIDER", "root")
                .output();
        }
    }

    /// Prints what is answered at each address; `R` is the machine as the sandbox's network has it.
    const SCRIPT: &str = r#"
        hex=$(while read -r _ to via _; do [ "$to" = 00000000 ] && echo "$via"; done < /proc/net/route)
        R=$((16#${hex:6:2})).$((16#${hex:4:2})).$((16#${hex:2:2})).$((16#${hex:0:2}))
        ask() {
            timeout 2 bash -c "exec 3<>/dev/tcp/$1/$2 && printf 'GET $3 HTTP/1.0\r\n\r\n' >&3 && head -n 1 <&3" \
                2>/dev/null | tr -d '\r' || true
        }
        echo "health=$(ask gateway 80 /health)"
        echo "metrics=$(ask gateway 80 /metrics)"
        echo "sessions=$(ask gateway 80 /v1/sessions)"
        echo "people=$(ask gateway PEOPLE /health)$(ask 127.0.0.1 PEOPLE /health)$(ask "$R" PEOPLE /health)."
        echo "sandboxes=$(ask "$R" SANDBOXES /health)."
        echo "via=$R"
    "#;

    #[tokio::test]
    async fn a_sandbox_with_a_network_of_its_own_reaches_the_listener_for_sandboxes_alone() {
        let workspace = workspace().env("PROLIFERATE_SANDBOX_PROVIDER", "root");
        let _cleaned = Cleaned(&workspace);
        // People are served at every address of the machine, that of the sandbox's network among them.
        let (mut dev, dev_file) = workspace.dev_at("0.0.0.0:0").await;
        let (sandboxes, people) = addresses(&dev_file);
        let port = |url: &str| url.rsplit(':').next().unwrap().to_owned();
        let script = SCRIPT
            .replace("PEOPLE", &port(&people))
            .replace("SANDBOXES", &port(&sandboxes));
        let call = format!("CALL bash {}", serde_json::json!({"command": script}));
        let id = workspace.output(&["session", "create"]).await;
        let sent = workspace
            .run(&["session", "send", &id, "--wait", &call])
            .await;
        assert_eq!(sent.code, Some(0), "{}\n{}", sent.stdout, sent.stderr);
        for line in [
            "health=HTTP/1.0 200 OK",
            "metrics=HTTP/1.0 404 Not Found",
            "sessions=HTTP/1.0 404 Not Found",
            "people=.",
            "sandboxes=.",
            "via=198.18.",
        ] {
            assert!(
                sent.stdout.contains(line),
                "no {line:?} in\n{}",
                sent.stdout
            );
        }
        workspace.output(&["session", "stop", &id]).await;
        dev.interrupt();
        assert_eq!(dev.wait().await.code(), Some(0));
    }
}
