//! The real agent, brought up in a container: podman answers the Docker API.

use std::sync::Arc;

use agent::{Mode, install};
use app::system::{SystemClock, SystemEntropy};
use hub::runtime::Machine;
use sandbox::{Destination, Origin, Provider as _};

use crate::{
    boot::{Outside, boot, plan, say},
    engine::Engine,
};

/// From its template to a tool call, and on from a snapshot: one test, because a container takes seconds.
#[tokio::test(flavor = "multi_thread")]
async fn real_agent_in_podman() {
    let outside = Outside::open().await;
    let engine = Engine::open(Arc::new(SystemEntropy)).await;
    let modules = std::path::Path::new(install::DEFAULT_DIRECTORY);
    let machine = Machine {
        provider: Arc::new(engine.container.clone()),
        installation: install::Installation::find(modules).unwrap(),
        helper: None,
        gateway: Destination {
            name: "gateway".to_owned(),
            address: outside.address,
        },
        clock: Arc::new(SystemClock::new()),
        transport: None,
    };
    let running = boot(&machine, plan(&machine, Mode::Coding, Origin::Template, 1)).await;
    let session = running.client.ensure_session(None, "A test").await.unwrap();
    let script = "CALL save_snapshot {\"message\":\"hi\"}\nCALL bash {\"command\":\"echo made > \
                  made.txt; env\",\"description\":\"x\"}\nSAY Done.";
    say(&running, &session.id, script).await;
    let asked = outside.asked.lock().unwrap().clone();
    let [(tool, body)] = &asked[..] else {
        panic!("not one call: {asked:?}");
    };
    assert_eq!(tool, "save_snapshot");
    assert_eq!(body["args"]["message"], "hi");
    let told = outside.model.requests().last().unwrap()["messages"].to_string();
    assert!(told.contains("Saved as snapshot s-77."), "{told}");
    assert!(told.contains("GREETING=it's here"), "{told}");
    let request = sandbox::SnapshotRequest::default();
    let snapshot = engine.container.snapshot(&running.handle, request);
    let snapshot = snapshot.await.unwrap();
    // It has the work, and not what the agent was told in secret.
    let described = engine.podman(&["image", "inspect", snapshot.id.as_str()]);
    for secret in ["sbx_token", "model-key", "it's here"] {
        assert!(!described.contains(secret), "{secret}");
    }
    engine.container.destroy(&running.handle).await.unwrap();
    let origin = Origin::Snapshot(snapshot);
    let restored = boot(&machine, plan(&machine, Mode::Coding, origin, 2)).await;
    let known = Some(session.id.as_str());
    let again = restored.client.ensure_session(known, "A test").await;
    let again = again.unwrap();
    assert_eq!(again.id, session.id, "the conversation is the same");
    let script = "CALL bash {\"command\":\"cat made.txt; tail -n +3 /proc/net/dev | wc -l\",\
                  \"description\":\"x\"}\nSAY Done.";
    say(&restored, &again.id, script).await;
    let told = outside.model.requests().last().unwrap()["messages"].to_string();
    assert!(told.contains("made\\n1\\n"), "one network device: {told}");
    engine.container.destroy(&restored.handle).await.unwrap();
}
