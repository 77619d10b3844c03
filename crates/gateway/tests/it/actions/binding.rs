//! An approval covers the call that was reviewed, under the policy of the request, and nothing else.

use app::policy::PolicySource;
use serde_json::json;
use tempfile::TempDir;
use testkit::{app::TestApp, database::Backend};

use super::desk::{Desk, issue};
use crate::mediation::pins::policy_in;

testkit::on_both_databases!(
    a_policy_that_changed_asks_again,
    what_is_asked_again_is_not_approved_by_what_was_asked_before,
    an_instance_with_another_policy_asks_again,
    a_policy_that_forbids_it_by_now_denies,
    what_was_looked_at_is_what_is_approved,
    a_lane_says_how_long_a_person_has,
    one_of_many_who_decide_at_once_wins,
    an_approval_that_was_not_used_runs_out,
    what_is_no_longer_connected_is_not_approved,
);

async fn desk_with_policy(backend: Backend, change: impl Fn(&str) -> String) -> (Desk, TempDir) {
    let directory = tempfile::tempdir().unwrap();
    policy_in(directory.path(), change);
    let source = PolicySource::Directory(directory.path().to_owned());
    let desk = Desk::open_with(TestApp::builder(backend).policy(source)).await;
    (desk, directory)
}

async fn a_policy_that_changed_asks_again(backend: Backend) {
    let (desk, directory) = desk_with_policy(backend, str::to_owned).await;
    let asked = desk.ask("Blank page").await;
    policy_in(directory.path(), |lanes| format!("{lanes}# another\n"));
    assert!(desk.app.app.reload_policy().await.unwrap());
    let returned = desk.approve(&asked, json!({})).await.expect(202)["invocation"].clone();
    assert_eq!(returned["status"], "pending");
    assert_eq!(returned["returnedBecause"], json!(["policy_changed"]));
    assert_eq!(desk.linear.requests().len(), 0);
    let done = desk.approve(&returned, json!({})).await.expect(200);
    assert_eq!(done["invocation"]["status"], "completed");
    assert_eq!(desk.linear.changes(), 1);
}

/// An older screen, or a second click: the admin was not shown the change.
async fn what_is_asked_again_is_not_approved_by_what_was_asked_before(backend: Backend) {
    let (desk, directory) = desk_with_policy(backend, str::to_owned).await;
    let asked = desk.ask("Blank page").await;
    let before = desk.open_call(&desk.app.owner(), &asked).await.expect(200);
    policy_in(directory.path(), |lanes| format!("{lanes}# another\n"));
    assert!(desk.app.app.reload_policy().await.unwrap());
    let returned = desk.approve(&asked, json!({})).await.expect(202)["invocation"].clone();
    assert_ne!(returned["callSha256"], asked["callSha256"]);
    let older = json!({"callSha256": before["callSha256"]});
    for (verb, mode) in [
        ("approve", Some("once")),
        ("approve", Some("grant")),
        ("deny", None),
    ] {
        let mut body = older.clone();
        if let Some(mode) = mode {
            body["mode"] = mode.into();
        }
        let refused = desk.decide(&desk.app.owner(), &asked, verb, body).await;
        let problem = refused.expect_problem(409, "CONFLICT");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains("policy_changed"), "{detail}");
    }
    assert_eq!(desk.show(&asked).await, returned);
    let grants = desk.app.owner().get("/v1/grants").await.expect(200);
    assert_eq!(grants["items"], json!([]));
    assert_eq!(desk.linear.requests().len(), 0);
    let opened = desk.open_call(&desk.app.owner(), &asked).await.expect(200);
    assert_eq!(opened["callSha256"], returned["callSha256"]);
    let seen = json!({"callSha256": opened["callSha256"]});
    desk.approve(&asked, seen).await.expect(200);
    assert_eq!(desk.linear.changes(), 1);
}

async fn an_instance_with_another_policy_asks_again(backend: Backend) {
    let (desk, _directory) = desk_with_policy(backend, |lanes| format!("{lanes}# ours\n")).await;
    let asked = desk.ask("Blank page").await;
    // It has the built-in policy, and never saw the files of the other.
    let second = desk.beside(TestApp::builder(backend)).await;
    let owner = second.owner();
    let approve = |seen| desk.decide(&owner, seen, "approve", json!({}));
    let returned = approve(&asked).await.expect(202)["invocation"].clone();
    assert_eq!(returned["returnedBecause"], json!(["policy_changed"]));
    let done = approve(&returned).await.expect(200);
    assert_eq!(done["invocation"]["status"], "completed");
    assert_eq!(desk.linear.changes(), 1);
    // The verification of decisions, as here, finds the files of both.
    desk.told().await;
    let versions = owner.get("/v1/policy/versions").await.expect(200);
    let versions = versions["items"].as_array().unwrap();
    let current: Vec<_> = versions.iter().map(|it| &it["current"]).collect();
    assert_eq!(current, [true, false]);
}

async fn a_policy_that_forbids_it_by_now_denies(backend: Backend) {
    let (desk, directory) = desk_with_policy(backend, str::to_owned).await;
    let asked = desk.ask("Blank page").await;
    let without = |lanes: &str| lanes.replace("tools: [action.write]", "tools: [action.read]");
    policy_in(directory.path(), without);
    assert!(desk.app.app.reload_policy().await.unwrap());
    let answer = desk.approve(&asked, json!({})).await.expect(403);
    assert_eq!(answer["invocation"]["status"], "denied");
    assert_eq!(
        answer["invocation"]["error"],
        "the policy does not allow it"
    );
    let fresh = desk
        .invoke("create_issue", issue("Another"))
        .await
        .expect(403);
    assert_eq!(fresh["invocation"]["status"], "denied");
    assert_eq!(desk.linear.requests().len(), 0);
    let told = desk.told().await;
    assert_eq!(
        told[1],
        "authz_decision/deny/operation_not_allowed linear/create_issue"
    );
}

async fn what_was_looked_at_is_what_is_approved(backend: Backend) {
    let desk = Desk::open(backend).await;
    let asked = desk.ask("Blank page").await;
    let other = json!({"callSha256": "0".repeat(64)});
    desk.approve(&asked, other)
        .await
        .expect_problem(409, "CONFLICT");
    let same = json!({"callSha256": asked["callSha256"]});
    desk.approve(&asked, same).await.expect(200);
    assert_eq!(desk.linear.changes(), 1);
}

async fn a_lane_says_how_long_a_person_has(backend: Backend) {
    let longer = |lanes: &str| {
        let lane = "  - lane_id: ACTION_WRITE\n";
        lanes.replace(lane, &format!("{lane}    approval_seconds: 3600\n"))
    };
    let (desk, _directory) = desk_with_policy(backend, longer).await;
    let asked = desk.ask("Blank page").await;
    desk.later(3599);
    assert_eq!(desk.show(&asked).await["status"], "pending");
    desk.later(1);
    assert_eq!(desk.show(&asked).await["status"], "expired");
}

async fn one_of_many_who_decide_at_once_wins(backend: Backend) {
    let desk = Desk::open(backend).await;
    let second = desk.beside(TestApp::builder(backend)).await;
    for round in 0..5 {
        let asked = desk.ask(&format!("no. {round}")).await;
        let owners = [desk.app.owner(), second.owner()];
        let decisions = (0..16).map(|number| {
            let verb = if number % 4 == 3 { "deny" } else { "approve" };
            desk.decide(&owners[number % 2], &asked, verb, json!({}))
        });
        let answers = futures::future::join_all(decisions).await;
        let done = answers.iter().filter(|answer| answer.status == 200).count();
        let late = answers.iter().filter(|answer| answer.status == 409).count();
        let statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
        assert_eq!((done, late), (1, 15), "{statuses:?}");
    }
    assert!(desk.linear.changes() <= 5);
    let listed = desk
        .agent
        .get(&desk.path("invocations?status=completed"))
        .await
        .expect(200);
    let completed = listed["invocations"].as_array().unwrap().len();
    assert_eq!(
        completed,
        desk.linear.changes(),
        "each effect has its invocation"
    );
}

async fn an_approval_that_was_not_used_runs_out(backend: Backend) {
    let desk = Desk::open(backend).await;
    let asked = desk.ask("Blank page").await;
    // As if the process had died between the approval and the call.
    let id = asked["id"].as_str().unwrap();
    let sql = format!(
        "UPDATE action_invocations SET status = 'approved', approved_by = 'user_acme_owner',
            approved_at = created_at WHERE id = '{id}'"
    );
    desk.app.database.execute(&sql).await;
    assert_eq!(desk.show(&asked).await["status"], "approved");
    desk.approve(&asked, json!({}))
        .await
        .expect_problem(409, "CONFLICT");
    desk.later(300);
    assert_eq!(desk.show(&asked).await["status"], "expired");
    assert_eq!(app::actions::expire(&desk.app.app).await.unwrap(), 1);
    assert_eq!(desk.linear.requests().len(), 0);
}

async fn what_is_no_longer_connected_is_not_approved(backend: Backend) {
    let desk = Desk::open(backend).await;
    let asked = desk.ask("Blank page").await;
    let path = format!(
        "/v1/integrations/{}",
        asked["integrationId"].as_str().unwrap()
    );
    desk.app
        .owner()
        .patch(&path, json!({"status": "suspended"}))
        .await
        .expect(200);
    let refused = desk.approve(&asked, json!({})).await;
    let problem = refused.expect_problem(409, "CONFLICT");
    assert!(
        problem["detail"].as_str().unwrap().contains("no longer"),
        "{problem}"
    );
    // It still waits: it can be denied, or approved once it is connected again.
    desk.app
        .owner()
        .patch(&path, json!({"status": "active"}))
        .await
        .expect(200);
    desk.approve(&asked, json!({})).await.expect(200);
    assert_eq!(desk.linear.changes(), 1);
}
