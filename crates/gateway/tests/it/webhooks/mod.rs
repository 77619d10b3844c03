//! Notifications: webhooks as admins and receivers see them, and notices as clients get them.

mod admin;
mod delivering;
mod watching;

use std::time::Duration;

use app::notices::{self, Notice};
use domain::{
    action::{Authority, Binding, DeniedBy, Effect, Invocation, InvocationState, ResultRef, Risk},
    audit::Sha256Hex,
    id::{InvocationId, OrganizationId, RunId, SessionId, UserId},
    policy::PolicyId,
    run::{RunError, RunErrorCode},
};
use serde_json::{Value, json};
use store::{InvocationMove, InvocationRecord, NewInvocation};
use testkit::{
    app::{Person, TestApp},
    database::Backend,
    standin::{Standin, hook},
};

use crate::support::id;

/// An organization with a session, and a receiver of webhooks.
struct Desk {
    app: TestApp,
    hook: Standin,
    session: SessionId,
}

impl Desk {
    async fn open(backend: Backend) -> Self {
        let hook = hook::start().await;
        let app = TestApp::builder(backend)
            .reach(&hook.address.to_string())
            .start()
            .await;
        let session = app.fixture.session(&app.acme);
        app.insert_session(&session).await;
        Self {
            app,
            hook,
            session: session.id,
        }
    }

    /// A new webhook that leads to the receiver: its path and its secret.
    async fn webhook(&self) -> (String, String) {
        let body = json!({"url": self.hook.base_url});
        let made = self.app.owner().post("/v1/webhooks", body).await;
        let made = made.expect(201);
        let secret = made["secret"].as_str().unwrap().to_owned();
        (format!("/v1/webhooks/{}", id(&made["webhook"])), secret)
    }

    async fn shown(&self, path: &str) -> Value {
        self.app.owner().get(path).await.expect(200)
    }

    /// The log of a webhook, newest first.
    async fn log(&self, path: &str) -> Vec<Value> {
        let page = self.shown(&format!("{path}/deliveries")).await;
        page["items"].as_array().unwrap().clone()
    }

    fn pending(&self) -> InvocationState {
        InvocationState::Pending {
            expires_at: self.app.app.now().plus(Duration::from_mins(5)),
            returned: None,
        }
    }

    fn record(&self, state: InvocationState) -> InvocationRecord {
        record(&self.app, &self.app.acme, self.session, state)
    }

    /// Stores an invocation and creates its webhook deliveries.
    async fn happens(&self, state: InvocationState) -> Notice {
        let record = self.record(state);
        happens(&self.app, record).await
    }

    async fn deliver(&self) -> usize {
        app::webhooks::deliver_due(&self.app.app).await.unwrap()
    }
}

fn record(
    app: &TestApp,
    organization_id: &OrganizationId,
    session_id: SessionId,
    state: InvocationState,
) -> InvocationRecord {
    let (now, entropy) = (app.app.now(), &app.fixture.entropy);
    let sha256 = Sha256Hex::of(b"call");
    let invocation = Invocation {
        id: InvocationId::generate(now, entropy),
        organization_id: organization_id.clone(),
        session_id,
        run_id: RunId::generate(now, entropy),
        integration_id: None,
        integration: "linear".parse().unwrap(),
        action: "create_issue".parse().unwrap(),
        risk: Risk::Write,
        binding: Binding {
            call: sha256.clone(),
            tool: sha256.clone(),
            policy: PolicyId::parse(sha256.as_str()).unwrap(),
        },
        suspended: None,
        created_at: now,
        state,
    };
    InvocationRecord {
        invocation,
        params: json!({"title": "It is broken", "token": "[redacted]"}),
        result: None,
    }
}

async fn happens(app: &TestApp, record: InvocationRecord) -> Notice {
    let new = NewInvocation {
        invocation: record.invocation.clone(),
        params: record.params.clone(),
        sealed_params: Some("sealed".to_owned()),
    };
    let notice = Notice::of(&app.app, record).unwrap();
    let mut tx = app.app.db.write().await.unwrap();
    store::invocation_insert_all(&mut tx, &[new]).await.unwrap();
    notices::enqueue(&mut tx, std::slice::from_ref(&notice))
        .await
        .unwrap();
    tx.commit().await.unwrap();
    notice
}

/// The next state of an invocation, with its webhook deliveries.
async fn moves(
    app: &TestApp,
    before: &InvocationRecord,
    state: InvocationState,
    result: Option<Value>,
) -> Notice {
    let after = Invocation {
        state,
        ..before.invocation.clone()
    };
    let step = InvocationMove {
        before: before.invocation.clone(),
        after: after.clone(),
        result: result.clone(),
    };
    let record = InvocationRecord {
        invocation: after,
        params: before.params.clone(),
        result,
    };
    let notice = Notice::of(&app.app, record).unwrap();
    let mut tx = app.app.db.write().await.unwrap();
    assert_eq!(
        store::invocation_move_all(&mut tx, &[step])
            .await
            .unwrap()
            .len(),
        1
    );
    notices::enqueue(&mut tx, std::slice::from_ref(&notice))
        .await
        .unwrap();
    tx.commit().await.unwrap();
    notice
}

fn ada() -> UserId {
    Person::Admin.user_id()
}

/// Every state with a notification.
fn states(desk: &Desk) -> Vec<InvocationState> {
    let now = desk.app.app.now();
    let approval = Authority::Approval { by: ada(), at: now };
    let pending = desk.pending();
    let approved = pending
        .clone()
        .approve(ada(), domain::action::ApprovalMode::Once, now);
    let executing = InvocationState::Executing {
        claimed_at: now,
        authority: approval,
    };
    let read = InvocationState::Executing {
        claimed_at: now,
        authority: Authority::Read,
    };
    let result = ResultRef {
        sha256: Sha256Hex::of(b"result"),
        artifact: None,
    };
    let error = RunError::new(RunErrorCode::ToolError, "it answered 500", true);
    vec![
        pending.clone(),
        approved.unwrap(),
        executing.clone(),
        pending.clone().deny(ada(), Some("not now"), now).unwrap(),
        InvocationState::Denied {
            at: now,
            by: DeniedBy::Platform(domain::action::Refusal::Danger),
            reason: None,
        },
        InvocationState::Expired { at: now },
        read.complete(result, now).unwrap(),
        executing.fail(error, Effect::Unknown, None, now).unwrap(),
    ]
}
