//! The life of a session's sandbox beyond its boot, with the real agent: saved, restored, paused, ended.

use std::path::Path;

use domain::id::SessionId;
use hub::Hub;
use serde_json::{Value, json};
use testkit::database::Backend;

use crate::stage::{Stage, answers, bash, eventually, until_it};

const SECRET: &str = "planted-3f9c1e-value-of-a-person";
const GIVEN: &str = "given-77ab20-for-this-session";

/// Whether a text stands in any file below a directory.
pub(crate) fn is_found(text: &str, below: &Path) -> bool {
    // Disks of sandboxes are large files with little in them. What containers see is there twice.
    let search = "tar --create --file=- --sparse --exclude=merged --directory \"$1\" . 2>/dev/null | \
                  grep --quiet --text --fixed-strings -e \"$0\"";
    let found = std::process::Command::new("sh")
        .args(["-c", search, text])
        .arg(below)
        .status();
    found.unwrap().success()
}

async fn a_setup_session_is_saved_and_a_coding_session_starts_from_it(backend: Backend) {
    let stage = Stage::set(backend).await;
    let hub = stage.hub.clone();
    let owner = stage.app.owner();
    let secret = json!({"key": "API_KEY", "value": SECRET});
    owner.post("/v1/secrets", secret).await.expect(201);
    let made = owner
        .post("/v1/configurations", json!({"name": "Shop"}))
        .await;
    let configuration = made.expect(201)["id"].as_str().unwrap().to_owned();
    let setup = json!({"sessionType": "setup", "configurationId": configuration});
    let setup = stage.session(setup).await;

    let keys = json!([{"key": "API_KEY", "required": true}]);
    let files =
        json!({"files": [{"path": ".env", "format": "dotenv", "mode": "secret", "keys": keys}]});
    let commands = json!({"commands": [{"name": "web", "command": "exec sleep 1000"}]});
    let work = bash("echo made > made.txt; printf 'API_KEY=%s\\n' \"$API_KEY\" > .env");
    let evidence = bash(
        "mkdir -p .proliferate/.verification/shots && cd .proliferate/.verification && \
         echo proof > shots/proof.txt && echo '<script>' > page.html && ln -s /etc/passwd link && \
         ln -s /etc ~/workspace/evil",
    );
    let prompt = [
        format!("CALL save_env_files {files}"),
        format!("CALL save_service_commands {commands}"),
        work,
        evidence,
        "CALL verify {}".to_owned(),
        "CALL verify {\"folder\":\"evil\"}".to_owned(),
        "CALL verify {\"folder\":\"../.config\"}".to_owned(),
        "CALL save_snapshot {\"message\":\"ready\"}".to_owned(),
        bash("cat .env"),
        "SAY Done.".to_owned(),
    ]
    .join("\n");
    let frames = stage.say(&hub, setup, &prompt).await;
    let told = answers(&frames);
    assert!(told.len() == 9, "{told:#?}");
    assert!(
        told[4].contains("Handed in 2 files. Left out 1"),
        "{}",
        told[4]
    );
    assert!(
        told[5].contains("not a folder of the workspace"),
        "{}",
        told[5]
    );
    assert!(told[6].contains("folder"), "{}", told[6]);
    assert!(!told[6].contains("Handed in"), "{}", told[6]);
    assert!(told[7].contains("Saved as snapshot"), "{}", told[7]);
    assert!(told[8].contains(SECRET), "the value is back: {}", told[8]);
    let result = frames
        .iter()
        .find(|frame| frame["type"] == "snapshot_result");
    let result = &result.expect("clients are told")["payload"];
    assert_eq!(
        (&result["success"], &result["target"]),
        (&json!(true), &json!("configuration"))
    );

    let path = format!("/v1/configurations/{configuration}");
    let kept = owner.get(&path).await.expect(200);
    assert_eq!(
        (&kept["status"], &kept["snapshotId"]),
        (&json!("ready"), &result["snapshotId"])
    );
    assert!(
        !is_found(SECRET, &stage.state.join("store/layers")),
        "a secret is in the snapshot"
    );
    assert!(
        is_found("made", &stage.state.join("store/layers")),
        "the snapshot has the files"
    );
    looks_at_evidence(&stage, &setup.to_string()).await;

    let coding = starts_from_it(&stage, &hub, &configuration).await;
    // Stopped, it leaves nothing on the machine.
    for session in [setup, coding] {
        let path = format!("/v1/sessions/{session}");
        owner.delete(&path).await.expect(200);
    }
    eventually("nothing is left", async || stage.found().await.is_empty()).await;
}

async fn starts_from_it(stage: &Stage, hub: &Hub, configuration: &str) -> SessionId {
    let coding = stage
        .session(json!({"configurationId": configuration}))
        .await;
    let look = bash("cat made.txt .env; ls -a .opencode/tool; proliferate services list");
    let frames = stage.say(hub, coding, &format!("{look}\nSAY Seen.")).await;
    let told = answers(&frames).join("\n");
    assert!(told.contains("made\n") && told.contains(SECRET), "{told}");
    assert!(
        told.contains("\"web\"") && told.contains("running"),
        "services run: {told}"
    );
    assert!(
        !told.contains("save_env_files"),
        "a tool of another mode is left: {told}"
    );
    let asked = stage.model.requests().last().unwrap()["messages"].to_string();
    assert!(
        !asked.contains("save_service_commands"),
        "the other conversation is left"
    );
    coding
}

async fn looks_at_evidence(stage: &Stage, session: &str) {
    let owner = stage.app.owner();
    let path = format!("/proliferate/{session}/verification-media");
    let listed = owner.get(&path).await.expect(200);
    let files = listed["files"].as_array().unwrap();
    let names: Vec<&Value> = files.iter().map(|file| &file["path"]).collect();
    assert_eq!(names, ["page.html", "shots/proof.txt"]);
    let key = files[1]["key"].as_str().unwrap();
    assert!(
        key.starts_with(&format!("sessions/{session}/verification/")),
        "{key}"
    );
    let one = owner.get(&format!("{path}?key={key}")).await.expect(200);
    assert!(
        one["url"].as_str().unwrap().ends_with("&stream=true"),
        "{one}"
    );
    let bytes = owner.get(&format!("{path}?key={key}&stream=true")).await;
    assert_eq!(bytes.text(), "proof\n");
    let disposition = "inline; filename*=UTF-8''proof%2Etxt";
    assert_eq!(bytes.header("content-disposition"), Some(disposition));
    let page = files[0]["key"].as_str().unwrap();
    let page = owner.get(&format!("{path}?key={page}&stream=true")).await;
    let disposition = "attachment; filename*=UTF-8''page%2Ehtml";
    assert_eq!(page.header("content-disposition"), Some(disposition));
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    let another = key.replace(session, "0192f0c1-2345-7abc-8def-0123456789ab");
    owner
        .get(&format!("{path}?key={another}"))
        .await
        .expect(404);
    owner.get(&format!("{path}?key={key}x")).await.expect(404);
    owner.get(&format!("{path}?stream=true")).await.expect(400);
    let stranger = stage.app.foreigner();
    stranger.get(&format!("{path}?key={key}")).await.expect(404);
}

async fn a_closed_house_leaves_nothing_and_the_session_goes_on(backend: Backend) {
    let stage = Stage::set(backend).await;
    let hub = stage.hub.clone();
    let session = stage.session(json!({})).await;
    // Put together inside, so that it does not stand in the conversation.
    let (one, two) = GIVEN.split_once('-').unwrap();
    let work = bash(&format!(
        "echo noted > note.txt; printf '{{\"GIVEN\":\"%s-%s\"}}' {one} {two} | proliferate env apply --values -"
    ));
    stage
        .say(&hub, session, &format!("{work}\nSAY Remember the pelican."))
        .await;
    assert_eq!(stage.found().await.len(), 1);
    hub.fleet.close().await;
    assert!(
        stage.found().await.is_empty(),
        "nothing is left on the machine"
    );
    let paused = stage.shown(session).await;
    assert_eq!(paused["status"], "paused", "{paused}");
    assert!(paused["snapshotId"].is_string(), "{paused}");
    assert!(
        paused["reason"]
            .as_str()
            .unwrap()
            .contains("the gateway stopped"),
        "{paused}"
    );
    assert!(
        hub.registry
            .open(&stage.app.steering(session).await.unwrap())
            .await
            .is_err(),
        "nothing is opened any more"
    );
    assert!(
        !is_found(GIVEN, &stage.state.join("store/layers")),
        "a value is in the snapshot"
    );

    let next = Hub::new(stage.app.app.clone(), stage.machine.clone().into());
    let look = bash("cat note.txt; printenv GIVEN");
    let frames = stage
        .say(&next, session, &format!("{look}\nSAY Seen."))
        .await;
    let told = answers(&frames).join("\n");
    assert!(told.contains("noted") && told.contains(GIVEN), "{told}");
    let asked = stage.model.requests().last().unwrap()["messages"].to_string();
    assert!(
        asked.contains("Remember the pelican."),
        "the conversation is gone: {asked}"
    );
    assert_eq!(stage.shown(session).await["status"], "running");
    next.fleet.close().await;
    assert!(stage.found().await.is_empty());
}

/// From one sandbox to the next, with a client there: files, values and the conversation come along.
async fn a_session_moves_and_its_agent_remembers(backend: Backend) {
    let stage = Stage::set(backend).await;
    let hub = stage.hub.clone();
    let session = stage.session(json!({})).await;
    let work = bash("echo noted > note.txt");
    let prompt = format!("{work}\nSAY Remember the pelican.");
    stage.say(&hub, session, &prompt).await;
    let before = stage.sandbox(session).await.unwrap();
    let mut frames = stage.watch(session).await;
    let path = format!("/v1/sessions/{session}/migrate");
    let moved = stage.app.owner().post(&path, json!({})).await.expect(202);
    assert_eq!(moved["how"], "move");
    let ended = |frame: &Value| {
        let state = frame["payload"]["state"].as_str();
        frame["type"] == "migration" && state != Some("started")
    };
    let seen = until_it(&mut frames, "the end of the move", ended).await;
    let end = &seen.last().unwrap()["payload"];
    assert_eq!(
        (&end["state"], &end["lost"]),
        (&json!("completed"), &json!([]))
    );
    let after = stage.sandbox(session).await.unwrap();
    assert_ne!(before.id, after.id);
    let look = format!("{}\nSAY Seen.", bash("cat note.txt"));
    let told = answers(&stage.say(&hub, session, &look).await).join("\n");
    assert!(told.contains("noted"), "{told}");
    let asked = stage.model.requests().last().unwrap()["messages"].to_string();
    assert!(asked.contains("Remember the pelican."), "{asked}");
    eventually("the old one is gone", async || {
        stage.found().await.len() == 1
    })
    .await;
    hub.fleet.close().await;
}

mod real_agent_sqlite {
    use testkit::database::Backend::Sqlite;

    #[tokio::test(flavor = "multi_thread")]
    async fn a_session_moves_and_its_agent_remembers() {
        super::a_session_moves_and_its_agent_remembers(Sqlite).await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_setup_session_is_saved_and_a_coding_session_starts_from_it() {
        super::a_setup_session_is_saved_and_a_coding_session_starts_from_it(Sqlite).await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_closed_house_leaves_nothing_and_the_session_goes_on() {
        super::a_closed_house_leaves_nothing_and_the_session_goes_on(Sqlite).await;
    }
}

mod real_agent_postgres {
    use testkit::database::Backend::Postgres;

    #[tokio::test(flavor = "multi_thread")]
    async fn a_setup_session_is_saved_and_a_coding_session_starts_from_it() {
        super::a_setup_session_is_saved_and_a_coding_session_starts_from_it(Postgres).await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_closed_house_leaves_nothing_and_the_session_goes_on() {
        super::a_closed_house_leaves_nothing_and_the_session_goes_on(Postgres).await;
    }
}
