//! `call` and `run`: what a person sees, and an exit code for each way a call can end.

use testkit::sample::pdf;

use crate::{transcript::Transcript, workspace};

const CASE: &str = "CASE-2026-014";

#[tokio::test]
async fn a_call_and_its_runs() {
    let workspace = workspace();
    let (_dev, _) = workspace.dev().await;
    workspace.output(&["case", "create", CASE]).await;
    let file = workspace.root().join("statement.pdf");
    std::fs::write(file, pdf("The witness signed on Monday")).unwrap();
    let mut transcript = Transcript::new(&workspace);
    let run = transcript.run(&["run", "open", "--case", CASE]).await;
    let run = run.stdout.trim().to_owned();
    let call = [
        "call",
        "document.text",
        "--lane",
        "TOOL_DOCUMENT_INTAKE",
        "--case",
        CASE,
        "--input",
        "statement.pdf",
        "--run",
        &run,
        "--key",
        "k1",
        "--out",
        "out",
    ];
    let called = transcript.run(&call).await;
    // The key makes it the same call; what is there is not written over.
    transcript.run(&call).await;
    let made = called.stdout.lines().find_map(|line| {
        let id = line.strip_prefix("run")?;
        Some(id.trim().to_owned())
    });
    let made = made.unwrap();
    transcript.run(&["run", "show", &made, "--wait"]).await;
    transcript.run(&["run", "show", &run]).await;
    transcript.run(&["policy", "why", &made]).await;
    transcript.run(&["run", "cancel", &made]).await;
    transcript.run(&["run", "end", &run]).await;
    transcript.run(&["run", "end", &run, "--failed"]).await;
    let late = transcript.run(&call[..10]).await;
    assert_eq!(late.code, Some(7));
    let other = transcript.run(&["run", "open"]).await;
    transcript
        .run(&["run", "cancel", other.stdout.trim()])
        .await;
    transcript.check("call_life");
}

#[tokio::test]
async fn each_way_a_call_can_end() {
    let workspace = workspace();
    let (_dev, dev_file) = workspace.dev().await;
    workspace.output(&["case", "create", CASE]).await;
    std::fs::write(workspace.root().join("broken.pdf"), "hello").unwrap();
    let mut transcript = Transcript::new(&workspace);
    let intake = |operation: &'static str| {
        let lane = ["--lane", "TOOL_DOCUMENT_INTAKE", "--case", CASE];
        [&["call", operation], &lane[..]].concat()
    };
    // The lane does not have the tool.
    transcript.run(&intake("transcription.run")).await;
    // The tool does not take these parameters.
    let mut odd = intake("ocr.extract");
    odd.extend(["--param", "language=../eng"]);
    transcript.run(&odd).await;
    // The tool cannot read the file.
    let mut broken = intake("document.text");
    broken.extend(["--input", "broken.pdf"]);
    transcript.run(&broken).await;
    // An action is asked for elsewhere.
    let mut session = vec!["call", "action.read", "--lane", "ACTION_READ"];
    let id = workspace.output(&["session", "create"]).await;
    let scope = format!("session_id={id}");
    session.extend(["--scope", &scope]);
    transcript.run(&session).await;
    // The gateway cannot say that there is such a ticket.
    let mut lift = vec!["call", "override.enable", "--lane", "SYSTEM_OVERRIDE"];
    lift.extend(["--scope", "override_ticket_id=T-1"]);
    lift.extend(["--scope", "override_reason=maintenance"]);
    transcript.run(&lift).await;
    // What is wrong before anything is sent.
    let mut nothing = intake("ocr.extract");
    nothing.extend(["--input", "nothing-there.png"]);
    transcript.run(&nothing).await;
    transcript
        .run(&["call", "ocr.extract", "--lane", "X", "--input", "a.png"])
        .await;
    transcript.run(&["call", "ocr.extract"]).await;
    let unknown = "0192f0c1-2345-7abc-8def-0123456789ab";
    transcript.run(&["run", "show", unknown]).await;
    transcript.run(&["policy", "why", unknown]).await;
    transcript.run(&["policy", "why"]).await;
    let url = dev_file["url"].as_str().unwrap();
    let mut forged = intake("ocr.extract");
    forged.extend(["--url", url, "--token", "forged"]);
    transcript.run(&forged).await;
    transcript.check("call_refusals");
}
