//! Limits and the admission service in a real gateway: set from the terminal, kept by what begins.

use serde_json::json;
use testkit::standin::{Fault, admission, hook};

use crate::{api::Api, workspace};

#[tokio::test]
async fn limits_are_set_from_the_terminal_and_kept_below_the_ceiling() {
    let workspace = workspace();
    let (_dev, dev_file) = workspace.dev().await;
    let set = [
        "org-limits",
        "set",
        "--live-sessions",
        "4",
        "--spend-day",
        "2.50",
    ];
    let table = workspace.output(&set).await;
    assert!(table.contains("live sessions"), "{table}");
    let above = workspace
        .run(&["limits", "set", "--live-sessions", "5"])
        .await;
    assert_eq!(above.code, Some(2), "{above:?}");
    assert!(
        above
            .stderr
            .contains("must be at most 4 (4 live sessions), the ceiling"),
        "{above:?}"
    );
    workspace
        .output(&["limits", "set", "--live-sessions", "3", "--approval", "1h"])
        .await;
    // What is not named stays.
    workspace
        .output(&["limits", "set", "--storage", "20GB"])
        .await;
    let shown = workspace.output(&["limits", "show", "-o", "json"]).await;
    let shown: serde_json::Value = serde_json::from_str(&shown).unwrap();
    let expected = json!({"liveSessions": 3, "sandboxes": null, "storageBytes": 20_000_000_000_i64,
        "spendDayMicroUsd": 2_500_000, "spendMonthMicroUsd": null, "approvalSeconds": 3600});
    assert_eq!(shown["inForce"], expected);
    let (status, over_http) = Api::of(&dev_file, "member")
        .get("/v1/organization/limits")
        .await;
    assert_eq!((status, &over_http["inForce"]), (200, &expected));
    let nothing = workspace.run(&["limits", "set"]).await;
    assert_eq!(nothing.code, Some(2), "{nothing:?}");
}

#[tokio::test]
async fn the_admission_service_of_the_settings_is_asked() {
    let service = admission::start().await;
    let workspace = workspace()
        .env("PROLIFERATE_ADMISSION_URL", &service.base_url)
        .env("PROLIFERATE_ADMISSION_SECRET", admission::SECRET);
    let (_dev, _) = workspace.dev().await;
    let session = workspace.output(&["session", "create"]).await;
    let requests = service.requests();
    let asked = requests
        .iter()
        .find(|asked| asked.body["data"]["sessionId"] == session.as_str());
    let asked = asked.unwrap();
    assert!(hook::is_signed(asked, admission::SECRET));
    assert_eq!(asked.body["type"], "session_create");
    assert_eq!(asked.body["data"]["organizationId"], "org_demo");
    service.fail_next([Fault::Answer(admission::denial("No seats are left."))]);
    let denied = workspace.run(&["session", "create"]).await;
    assert_ne!(denied.code, Some(0));
    assert!(denied.stderr.contains("No seats are left."), "{denied:?}");
    service.fail_next([Fault::Status(500)]);
    let undecided = workspace.run(&["session", "create"]).await;
    assert!(
        undecided.stderr.contains("does not answer as it should"),
        "{undecided:?}"
    );
}
