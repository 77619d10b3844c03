//! The agent's view of a sandbox: one agent, several repositories, a check for each observed behaviour.

use std::{collections::BTreeSet, path::PathBuf, time::Duration};

use agent::{Mode, tool::Tool};
use serde_json::{Value, json};

use super::client::{Row, Stage, rows};
use crate::lab::{Lab, fill, write};

const ROWS: &[Row] = rows![
    each_mode_has_its_tools_and_no_others,
    folders_of_both_names_are_scanned_and_no_deeper,
    names_come_from_files_and_exports,
    a_dot_in_a_name_stays_there,
    a_builtin_can_be_replaced,
    a_broken_file_fails_every_message,
    a_new_file_is_found_after_a_restart_of_the_instance,
    a_changed_file_is_not,
    a_tool_may_answer_with_plain_text,
    a_denied_tool_is_not_offered,
    the_context_of_a_call_has_what_we_use,
    the_signal_fires_after_the_end_too,
    instructions_are_not_read_unless_the_configuration_says_so,
    packages_in_place_are_not_asked_for,
    without_the_packages_every_message_fails,
];

#[tokio::test]
async fn discovery_holds_on_the_real_agent() {
    let stage = Stage::new(|lab| {
        // Each in a repository that was one of every other mode before.
        for mode in Mode::ALL {
            for before in Mode::ALL {
                fill(&lab.context(*before, mode.as_str()));
            }
            fill(&lab.context(*mode, mode.as_str()));
        }
        fill(&lab.context(Mode::Coding, "bare"));
        for (path, code) in BARE {
            write(&bare(lab, path), code.as_bytes());
        }
        fill(&lab.context(Mode::Coding, "broken"));
        let broken = lab.repo("broken") + "/.opencode/tool/broken.ts";
        write(
            broken.as_ref(),
            b"import { x } from \"no-such-package\"\nexport default x\n",
        );
        fill(&lab.context(Mode::Coding, "unseeded"));
        let modules = lab.repo("unseeded") + "/.opencode/node_modules";
        std::fs::remove_dir_all(modules).unwrap();
        let mut plain = lab.context(Mode::Coding, "plain");
        plain.tool_names = Some(Vec::new());
        fill(&plain);
        // Without the platform's configuration, as any repository is.
        let plain = PathBuf::from(lab.repo("plain"));
        write(
            &plain.join("opencode.json"),
            b"{\"$schema\": \"https://opencode.ai/config.json\"}",
        );
        write(
            &plain.join(".opencode/instructions.md"),
            b"PLAIN-INSTRUCTIONS-MARK",
        );
    })
    .await;
    stage.check(ROWS).await;
}

/// Third-party tools, for comparison.
const BARE: &[(&str, &str)] = &[
    (
        "tool/lib/deep.ts",
        "export default { description: 'x', args: {}, async execute() { return 'x' } }",
    ),
    (
        "tools/plural.js",
        "export default { description: 'plural', args: {}, async execute() { return 'plain text' } }",
    ),
    (
        "tool/several.ts",
        "import { tool } from '@opencode-ai/plugin'\n\
         const make = (description) => tool({ description, args: {}, async execute() { return description } })\n\
         export const one = make('one')\nexport const two = make('two')\nexport const three = 3\n",
    ),
    (
        "tool/with.dot.ts",
        "export default { description: 'dot', args: {}, async execute() { return 'x' } }",
    ),
    (
        "tool/todowrite.ts",
        "export default { description: 'OURS', args: {}, async execute() { return 'ours' } }",
    ),
    (
        "tool/denied.ts",
        "export default { description: 'denied', args: {}, async execute() { return 'x' } }",
    ),
    (
        "tool/look.ts",
        "export default { description: 'look', args: {}, async execute(args, ctx) {\n\
         return JSON.stringify({ keys: Object.keys(ctx), callID: ctx.callID, aborted: ctx.abort.aborted }) } }",
    ),
    (
        "tool/signal.ts",
        "import { writeFileSync } from 'node:fs'\n\
         export default { description: 'signal', args: {}, async execute(args, ctx) {\n\
         ctx.abort.addEventListener('abort', () => writeFileSync(ctx.directory + '/.opencode/fired', 'x'))\n\
         return 'ended' } }",
    ),
];

fn bare(lab: &Lab, path: &str) -> PathBuf {
    PathBuf::from(lab.repo("bare")).join(".opencode").join(path)
}

async fn each_mode_has_its_tools_and_no_others(stage: &Stage) {
    for mode in Mode::ALL {
        let ids: BTreeSet<_> = stage.tool_ids(mode.as_str()).await.into_iter().collect();
        let text = format!("tools of {mode}");
        stage.say(mode.as_str(), &text).await;
        let asked = &stage.model.asked_about(&text)[0];
        for tool in Tool::ALL {
            let name = tool.spec().agent_name;
            let has = tool.spec().modes.contains(mode);
            assert_eq!(ids.contains(name), has, "{name} in {mode}: {ids:?}");
            assert_eq!(asked.tool(name).is_some(), has, "{name} in {mode}");
            assert!(!ids.contains("automation.complete"), "{ids:?}");
        }
        assert!(
            !ids.iter()
                .any(|id| id.contains("gateway") || id.contains("env_request")),
            "{ids:?}"
        );
        assert!(
            asked.tool("question").is_none(),
            "dialogs of its own are denied"
        );
    }
}

async fn folders_of_both_names_are_scanned_and_no_deeper(stage: &Stage) {
    let ids = stage.tool_ids("bare").await;
    assert!(ids.contains(&"plural".to_owned()), "{ids:?}");
    assert!(!ids.iter().any(|id| id.contains("deep")), "{ids:?}");
}

async fn names_come_from_files_and_exports(stage: &Stage) {
    let ids: BTreeSet<_> = stage.tool_ids("bare").await.into_iter().collect();
    for name in ["several_one", "several_two", "save_snapshot"] {
        assert!(ids.contains(name), "{ids:?}");
    }
    assert!(
        !ids.contains("several") && !ids.contains("several_three"),
        "{ids:?}"
    );
}

/// Real models refuse such a name, and the whole request with it: why the platform's file has none.
async fn a_dot_in_a_name_stays_there(stage: &Stage) {
    assert!(
        stage
            .tool_ids("bare")
            .await
            .contains(&"with.dot".to_owned())
    );
    stage.say("bare", "dots please").await;
    let asked = &stage.model.asked_about("dots please")[0];
    assert!(asked.tool("with.dot").is_some());
}

async fn a_builtin_can_be_replaced(stage: &Stage) {
    let calls = stage.say("bare", "CALL todowrite {}").await;
    assert_eq!(calls[0]["state"]["output"], "ours", "{calls:?}");
}

async fn a_broken_file_fails_every_message(stage: &Stage) {
    let session = stage.conversation("broken").await;
    let (status, answer) = stage.prompt("broken", &session, json!({}), "hello").await;
    assert_eq!(status, 500, "{answer}");
}

async fn a_new_file_is_found_after_a_restart_of_the_instance(stage: &Stage) {
    let code = "export default { description: 'fresh', args: {}, async execute() { return 'x' } }";
    write(&bare(&stage.lab, "tool/fresh.ts"), code.as_bytes());
    let fresh = "fresh".to_owned();
    assert!(!stage.tool_ids("bare").await.contains(&fresh));
    let (status, _) = stage.post("bare", "/instance/dispose", json!({})).await;
    assert_eq!(status, 200);
    assert!(stage.tool_ids("bare").await.contains(&fresh));
}

/// Why tools are written before the agent is started, and the agent is restarted for others.
async fn a_changed_file_is_not(stage: &Stage) {
    stage.say("bare", "before the change").await;
    let code =
        "export default { description: 'CHANGED', args: {}, async execute() { return 'x' } }";
    write(&bare(&stage.lab, "tools/plural.js"), code.as_bytes());
    stage.post("bare", "/instance/dispose", json!({})).await;
    stage.say("bare", "after the change").await;
    let asked = &stage.model.asked_about("after the change")[0];
    assert_eq!(asked.tool("plural").unwrap()["description"], "plural");
}

async fn a_tool_may_answer_with_plain_text(stage: &Stage) {
    let calls = stage.say("bare", "CALL plural {}").await;
    assert_eq!(calls[0]["state"]["output"], "plain text", "{calls:?}");
}

async fn a_denied_tool_is_not_offered(stage: &Stage) {
    let rule = json!([{"permission": "denied", "pattern": "*", "action": "deny"}]);
    let body = json!({"title": "t", "permission": rule});
    let (_, session) = stage.post("bare", "/session", body).await;
    let session = session["id"].as_str().unwrap();
    stage
        .prompt("bare", session, json!({}), "denied please")
        .await;
    let asked = &stage.model.asked_about("denied please")[0];
    assert!(asked.tool("denied").is_none() && asked.tool("plural").is_some());
}

async fn the_context_of_a_call_has_what_we_use(stage: &Stage) {
    let calls = stage.say("bare", "CALL look {}").await;
    let output = calls[0]["state"]["output"].as_str().unwrap();
    let seen: Value = serde_json::from_str(output).unwrap();
    let keys = seen["keys"].to_string();
    for key in [
        "sessionID",
        "messageID",
        "callID",
        "agent",
        "abort",
        "metadata",
        "directory",
        "worktree",
    ] {
        assert!(keys.contains(&format!("\"{key}\"")), "{keys}");
    }
    assert_eq!(seen["callID"], calls[0]["callID"]);
    assert_eq!(seen["aborted"], false);
}

async fn the_signal_fires_after_the_end_too(stage: &Stage) {
    let calls = stage.say("bare", "CALL signal {}").await;
    assert_eq!(calls[0]["state"]["output"], "ended", "{calls:?}");
    let fired = bare(&stage.lab, "fired");
    while !fired.exists() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn instructions_are_not_read_unless_the_configuration_says_so(stage: &Stage) {
    stage.say("plain", "plain instructions").await;
    let system = stage.model.asked_about("plain instructions")[0].system();
    assert!(!system.contains("PLAIN-INSTRUCTIONS-MARK"), "{system}");
}

/// A missing package would be requested from the registry; the folders are unchanged.
async fn packages_in_place_are_not_asked_for(stage: &Stage) {
    for folder in [
        stage.lab.path("home/.config/opencode"),
        bare(&stage.lab, ""),
    ] {
        let lock = std::fs::read_to_string(folder.join("package-lock.json")).unwrap();
        let lock: Value = serde_json::from_str(&lock).unwrap();
        let packages = lock["packages"].as_object().unwrap();
        assert_eq!(packages.len(), 1, "{}", folder.display());
    }
}

/// Why they are part of what a sandbox is given.
async fn without_the_packages_every_message_fails(stage: &Stage) {
    let session = stage.conversation("unseeded").await;
    let (status, answer) = stage.prompt("unseeded", &session, json!({}), "hello").await;
    assert_eq!(status, 500, "{answer}");
}
