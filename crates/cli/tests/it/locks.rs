//! `lock` and `override`: what the people who stop everything, and lift one thing, read.

use domain::role::Role;
use testkit::{
    database::{Backend, TestDatabase},
    fixture::Fixture,
    process::Workspace,
};

use crate::{transcript::Transcript, with_secrets, workspace};

const CALL: &[&str] = &[
    "call",
    "dictation.start",
    "--lane",
    "TOOL_INTERVIEW_CAPTURE",
    "--case",
    "CASE-1",
    "--scope",
    "client_session_id=MEETING-1",
];

/// The terminal of one of acme's people.
async fn terminal(server: &Workspace, url: &str, role: &str) -> Workspace {
    let user = format!("user_acme_{role}");
    let token = server.output(&["token", "mint", "user", &user]).await;
    let terminal = workspace().env("PROLIFERATE_TOKEN", token);
    terminal.env("PROLIFERATE_URL", url)
}

#[tokio::test]
async fn two_people_lift_a_lane_out_of_the_lock() {
    let database = TestDatabase::create(Backend::Sqlite).await;
    let fixture = Fixture::default();
    for role in [Role::Owner, Role::Admin] {
        fixture.organization(&database.db, "acme", role).await;
    }
    let server = with_secrets(workspace())
        .env("PROLIFERATE_DATABASE_URL", &database.url)
        .env("PROLIFERATE_SANDBOX_PROVIDER", "off");
    let (_serve, url) = server.serve(&[]).await;
    let owner = terminal(&server, &url, "owner").await;
    let admin = terminal(&server, &url, "admin").await;
    owner.output(&["case", "create", "CASE-1"]).await;
    let meeting = ["case", "add-meeting", "CASE-1", "MEETING-1"];
    owner.output(&meeting).await;

    let mut transcript = Transcript::new(&owner);
    transcript.run(&["lock", "show"]).await;
    let lane = ["--lane", "TOOL_INTERVIEW_CAPTURE", "--minutes", "30"];
    let why = ["--reason", "the hearing is at noon"];
    let open = [&["override", "open"], &lane[..], &why[..]].concat();
    transcript.run(&open).await;
    let engage = ["lock", "engage", "--reason", "agents write too much"];
    transcript.run(&engage).await;
    transcript.run(&engage).await;
    transcript.run(CALL).await;
    let ticket = transcript.run(&open).await.stdout;
    let ticket = ticket.trim();
    transcript.run(&["override", "approve", ticket]).await;
    let approve = ["override", "approve", ticket];
    transcript.add(&approve, &admin.run(&approve).await);
    let enable = ["override", "enable", ticket, "--reason", "now"];
    transcript.run(&enable).await;
    transcript.run(&enable).await;
    transcript.run(&["lock", "show"]).await;
    transcript.run(CALL).await;
    transcript.run(&["override", "list"]).await;
    let disable = ["override", "disable", ticket, "--reason", "done"];
    transcript.run(&disable).await;
    transcript.run(CALL).await;
    transcript.run(&["override", "show", ticket]).await;
    transcript.run(&["override", "close", ticket]).await;
    let release = ["lock", "release", "--reason", "it is over"];
    transcript.run(&release).await;
    transcript.run(CALL).await;
    transcript.check("lock_life");
}
