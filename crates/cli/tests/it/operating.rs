//! What operators and admins see and do from a terminal: `drain`, `job list`, `session migrate`.

use std::time::Duration;

use domain::{
    clock::Clock as _,
    id::{JobId, OrganizationId, SessionId},
    job::Task,
    role::Role,
};
use serde_json::Value;
use store::NewJob;
use testkit::{
    clock::FakeClock,
    database::{Backend, TestDatabase},
    fixture::Fixture,
    process::{Running, Workspace},
};

use crate::{transcript::Transcript, with_secrets, workspace};

/// An installation with two organizations, and an admin of each.
struct Installation {
    database: TestDatabase,
    fixture: Fixture,
    acme: OrganizationId,
    server: Workspace,
}

impl Installation {
    async fn new() -> Self {
        let database = TestDatabase::create(Backend::Sqlite).await;
        let fixture = Fixture::default();
        let (acme, _) = fixture
            .organization(&database.db, "acme", Role::Admin)
            .await;
        fixture
            .organization(&database.db, "other", Role::Admin)
            .await;
        let server = with_secrets(workspace())
            .env("PROLIFERATE_DATABASE_URL", &database.url)
            .env("PROLIFERATE_SANDBOX_PROVIDER", "off");
        Self {
            database,
            fixture,
            acme,
            server,
        }
    }

    async fn serve(&self, arguments: &[&str]) -> (Running, String) {
        self.server.serve(arguments).await
    }

    /// The terminal of an organization's admin.
    async fn terminal(&self, url: &str, organization: &str) -> Workspace {
        let user = format!("user_{organization}_admin");
        let mint = ["token", "mint", "user", &user];
        let token = self.server.output(&mint).await;
        let terminal = workspace().env("PROLIFERATE_TOKEN", token);
        terminal.env("PROLIFERATE_URL", url)
    }

    /// A session of acme's that has no sandbox, and a job about it that no instance does for a while.
    async fn session_with_a_job(&self) -> SessionId {
        let session = self.fixture.session(&self.acme);
        let now = FakeClock::new().now();
        let job = NewJob {
            id: JobId::generate(now, &self.fixture.entropy),
            organization_id: self.acme.clone(),
            task: Task::SessionExpiry {
                session_id: session.id,
            },
            run_at: now.plus(Duration::from_hours(24 * 365 * 100)),
        };
        let mut tx = self.database.db.write().await.unwrap();
        store::session_insert(&mut tx, &session).await.unwrap();
        store::job_enqueue(&mut tx, &job, now).await.unwrap();
        tx.commit().await.unwrap();
        session.id
    }
}

#[tokio::test]
async fn an_instance_is_drained_by_an_operator_alone() {
    let installation = Installation::new().await;
    let (_serve, url) = installation.serve(&["--fleet-operators", "org_acme"]).await;
    let other = installation.terminal(&url, "other").await;
    let mut transcript = Transcript::new(&other);
    transcript.run(&["drain"]).await;
    let acme = installation.terminal(&url, "acme").await;
    for arguments in [&["drain", "--wait"][..], &["drain", "--undo"]] {
        transcript.add(arguments, &acme.run(arguments).await);
    }
    transcript.check("drain");
}

#[tokio::test]
async fn without_operators_a_drain_names_the_setting() {
    let installation = Installation::new().await;
    let (_serve, url) = installation.serve(&[]).await;
    let acme = installation.terminal(&url, "acme").await;
    let mut transcript = Transcript::new(&acme);
    transcript.run(&["drain"]).await;
    transcript.check("drain_without_operators");
}

#[tokio::test]
async fn jobs_are_listed_and_a_session_without_a_sandbox_does_not_move() {
    let installation = Installation::new().await;
    let session = installation.session_with_a_job().await.to_string();
    let (_serve, url) = installation.serve(&[]).await;
    let acme = installation.terminal(&url, "acme").await;
    let mut transcript = Transcript::new(&acme);
    transcript.run(&["job", "list"]).await;
    transcript.run(&["job", "list", "--status", "failed"]).await;
    transcript.run(&["job", "list", "--status", "asleep"]).await;
    transcript.run(&["session", "migrate", &session]).await;
    let other = installation.terminal(&url, "other").await;
    for arguments in [&["job", "list"][..], &["session", "migrate", &session]] {
        transcript.add(arguments, &other.run(arguments).await);
    }
    transcript.check("job_list");

    let listed = acme.output(&["jobs", "list", "-o", "json"]).await;
    let listed: Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(listed["items"][0]["sessionId"], session, "{listed}");
    assert_eq!(listed["items"][0]["state"], "waiting", "{listed}");
}
