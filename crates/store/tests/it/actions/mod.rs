//! Actions in the store: states as they were written, moves from exactly what was read, budgets that hold
//! however many spend at once.

mod grants;
mod invocations;

use domain::{
    action::{
        Binding, Grant, GrantBasis, GrantBudget, GrantScope, Invocation, InvocationState, Risk,
    },
    audit::Sha256Hex,
    id::{GrantId, InvocationId, OrganizationId, RunId, SessionId, UserId},
    policy::PolicyId,
    role::Role,
};
use std::num::NonZeroU32;
use testkit::{
    database::{Backend, TestDatabase},
    fixture::Fixture,
};

/// An organization with a session and a person who may decide.
struct Desk {
    test: TestDatabase,
    fixture: Fixture,
    acme: OrganizationId,
    admin: UserId,
    session: SessionId,
}

impl Desk {
    async fn open(backend: Backend) -> Self {
        let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
        let (acme, admin) = fixture.organization(&test.db, "acme", Role::Admin).await;
        let mut session = fixture.session(&acme);
        session.title = Some("Mend the build".to_owned());
        let mut tx = test.db.write().await.unwrap();
        store::session_insert(&mut tx, &session).await.unwrap();
        tx.commit().await.unwrap();
        Self {
            test,
            fixture,
            acme,
            admin,
            session: session.id,
        }
    }

    fn invocation(&self, state: InvocationState) -> Invocation {
        let (now, entropy) = (self.fixture.now(), &self.fixture.entropy);
        Invocation {
            id: InvocationId::generate(now, entropy),
            organization_id: self.acme.clone(),
            session_id: self.session,
            run_id: RunId::generate(now, entropy),
            integration_id: None,
            integration: "linear".parse().unwrap(),
            action: "create_issue".parse().unwrap(),
            risk: Risk::Write,
            binding: binding("call"),
            suspended: None,
            created_at: now,
            state,
        }
    }

    fn grant(&self, max_calls: Option<u32>) -> Grant {
        let (now, entropy) = (self.fixture.now(), &self.fixture.entropy);
        Grant {
            id: GrantId::generate(now, entropy),
            organization_id: self.acme.clone(),
            scope: GrantScope::Organization,
            integration: "linear".parse().unwrap(),
            action: "*".parse().unwrap(),
            predicates: Vec::new(),
            basis: GrantBasis::default(),
            budget: GrantBudget::new(max_calls.and_then(NonZeroU32::new)),
            expires_at: None,
            revoked_at: None,
            created_by: self.admin.clone(),
            created_at: now,
        }
    }
}

fn sha256(text: &str) -> Sha256Hex {
    Sha256Hex::of(text.as_bytes())
}

fn binding(call: &str) -> Binding {
    Binding {
        call: sha256(call),
        tool: sha256("tool"),
        policy: PolicyId::parse(sha256("policy").as_str()).unwrap(),
    }
}
