//! What is there before anything happens: a database, an organization with its owner, a connection, a grant.

use std::{num::NonZeroU32, path::Path, sync::OnceLock};

use app::{
    App,
    access::Admin,
    grants,
    integrations::{self, NewCredentials, NewIntegration},
};
use domain::{
    action::{ActionName, GrantDraft, GrantScope, IntegrationName, Pattern},
    id::{IntegrationId, OrganizationId, UserId},
    organization::{Organization, User},
    role::Role,
};
use store::{Db, Options};
use tempfile::TempDir;

use crate::{
    effects::{NAME, WRITE},
    users::Users,
};

/// Where files of this machine are kept in memory.
const IN_MEMORY: &str = "/dev/shm";

/// In memory where that can be: a commit that waits for a disk makes a simulation slow and not better.
pub(super) fn directory() -> TempDir {
    let made = tempfile::tempdir_in(IN_MEMORY).or_else(|_| tempfile::tempdir());
    made.expect("a temporary directory")
}

/// A database with an up-to-date schema and nothing else.
pub(super) async fn database(path: &Path, empty: &[u8]) -> Db {
    std::fs::write(path, empty).expect("the database is written");
    open(path).await
}

/// The same for every world, created by none of them: its creator would differ from the others.
pub(super) fn empty_database() -> &'static [u8] {
    static EMPTY: OnceLock<Vec<u8>> = OnceLock::new();
    EMPTY.get_or_init(|| {
        let directory = directory();
        let path = directory.path().join("empty.db");
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build();
        runtime.expect("a runtime").block_on(async {
            let db = open(&path).await;
            db.migrate().await.expect("the schema is made");
            db.close().await;
        });
        std::fs::read(&path).expect("the database is there")
    })
}

async fn open(path: &Path) -> Db {
    let options = Options::new(format!("sqlite:{}", path.display()));
    Db::open(&options).await.expect("the database opens")
}

pub(super) fn names() -> (OrganizationId, UserId) {
    let organization = OrganizationId::new("org_world").expect("an id");
    (organization, UserId::new("user_owner").expect("an id"))
}

/// Puts it there. Gives the connection that sessions use.
pub(super) async fn found(app: &App, users: &Users, granted: u32) -> IntegrationId {
    let now = app.clock.now();
    let (organization, user) = (&users.organization, &users.admin);
    let mut tx = app.db.write().await.expect("a transaction");
    let world = Organization::new(
        organization.clone(),
        "World".to_owned(),
        "world".to_owned(),
        now,
    );
    let made = store::organization_insert(&mut tx, &world).await;
    made.expect("the organization");
    let owner = User {
        id: user.clone(),
        name: "Owner".to_owned(),
        email: "owner@world.example".to_owned(),
        created_at: now,
    };
    store::user_insert(&mut tx, &owner)
        .await
        .expect("the owner");
    let joined = store::member_upsert(&mut tx, organization, user, Role::Owner, now);
    joined.await.expect("a member");
    tx.commit().await.expect("a commit");
    let admin = Admin::of(&users.admin()).expect("an owner is one");
    let connected = integrations::create(
        app,
        &admin,
        NewIntegration {
            service: NAME.to_owned(),
            display_name: None,
            credentials: NewCredentials::Token("token-of-the-simulation".into()),
            scopes: Vec::new(),
        },
    );
    let integration = connected.await.expect("a connection");
    let draft = GrantDraft {
        scope: GrantScope::Organization,
        integration: Pattern::Exactly(IntegrationName::new(NAME).expect("a name")),
        action: Pattern::Exactly(ActionName::new(WRITE).expect("a name")),
        predicates: Vec::new(),
        max_calls: NonZeroU32::new(granted),
        expires_at: None,
    };
    let granted = grants::create(app, &admin, draft).await;
    granted.expect("a grant");
    integration.id
}
