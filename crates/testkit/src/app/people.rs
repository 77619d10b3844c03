//! Who calls: the members of the two organizations, and the tokens each kind of caller holds.

use std::time::Duration;

use ::app::{
    access,
    identity::{ServiceToken, UserToken},
    organizations,
};
use domain::{
    api_key::ApiKey,
    caller::Caller,
    case::CaseMember,
    clock::Clock,
    id::{OrganizationId, SessionId, UserId},
    session::Session,
};
use secrecy::{ExposeSecret, SecretString};

use super::{Client, TestApp};

/// A member of one of the two organizations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Person {
    Owner,
    Admin,
    Member,
    /// Owner of the other organization.
    Foreigner,
}

/// Life of the tokens made here, unless a test says otherwise.
const TTL: Duration = Duration::from_hours(1);

impl Person {
    pub fn user_id(self) -> UserId {
        let text = match self {
            Self::Owner => "user_acme_owner",
            Self::Admin => "user_acme_admin",
            Self::Member => "user_acme_member",
            Self::Foreigner => "user_other_owner",
        };
        UserId::new(text).expect("a valid id")
    }
}

impl TestApp {
    pub fn organization_of(&self, person: Person) -> &OrganizationId {
        match person {
            Person::Foreigner => &self.other,
            Person::Owner | Person::Admin | Person::Member => &self.acme,
        }
    }

    pub fn person(&self, person: Person) -> Client {
        self.with_token(self.user_token(person))
    }

    pub fn owner(&self) -> Client {
        self.person(Person::Owner)
    }

    pub fn member(&self) -> Client {
        self.person(Person::Member)
    }

    pub fn foreigner(&self) -> Client {
        self.person(Person::Foreigner)
    }

    /// The right to watch a session of acme's, as its owner has it.
    pub async fn access(&self, id: SessionId) -> access::SessionAccess {
        self.access_to(&self.acme, id).await.expect("it is there")
    }

    /// The right to watch a session, for a service of this organization.
    pub async fn access_to(
        &self,
        organization_id: &OrganizationId,
        id: SessionId,
    ) -> ::app::Result<access::SessionAccess> {
        access::SessionAccess::of(&self.app, &Self::service(organization_id), id).await
    }

    /// The right to steer a session of acme's, as a service of the platform has it.
    pub async fn steering(&self, id: SessionId) -> ::app::Result<access::Steering> {
        self.steering_in(&self.acme, id).await
    }

    pub async fn steering_in(
        &self,
        organization_id: &OrganizationId,
        id: SessionId,
    ) -> ::app::Result<access::Steering> {
        ::app::sessions::steer(&self.app, &Self::service(organization_id), id).await
    }

    fn service(organization_id: &OrganizationId) -> access::Insider {
        let caller = Caller::Service {
            organization_id: organization_id.clone(),
            name: "test".to_owned(),
        };
        access::Insider::of(&caller).expect("a service is inside")
    }

    /// A token for the person's own organization.
    pub fn user_token(&self, person: Person) -> String {
        let organization_id = self.organization_of(person).clone();
        self.user_token_of(&person.user_id(), Some(organization_id), TTL)
    }

    pub fn user_token_of(
        &self,
        user_id: &UserId,
        organization_id: Option<OrganizationId>,
        ttl: Duration,
    ) -> String {
        let token = UserToken {
            user_id: user_id.clone(),
            organization_id,
        };
        let (now, entropy) = (self.clock.now(), &self.fixture.entropy);
        exposed(&self.app.tokens.mint_user(&token, now, ttl, entropy))
    }

    pub fn service_token(&self, organization_id: &OrganizationId) -> String {
        let token = ServiceToken {
            name: "worker".to_owned(),
            organization_id: organization_id.clone(),
        };
        let (now, entropy) = (self.clock.now(), &self.fixture.entropy);
        exposed(&self.app.tokens.mint_service(&token, now, TTL, entropy))
    }

    /// A key of the person's, its record and its text.
    pub async fn api_key(&self, person: Person, ttl: Option<Duration>) -> (ApiKey, String) {
        let organization_id = self.organization_of(person);
        let caller =
            organizations::member_caller(&self.app, Some(organization_id), &person.user_id())
                .await
                .expect("a member");
        let proof = access::Person::of(&caller).expect("a person");
        let (key, text) = ::app::api_keys::create(&self.app, &proof, "a key", ttl)
            .await
            .expect("a key");
        (key, text.expose().to_owned())
    }

    /// The service of [`Self::service_token`] as a member of cases.
    pub fn service_member(&self) -> CaseMember {
        "service:worker".parse().expect("a member")
    }

    /// The agent in the session's sandbox.
    pub async fn sandbox(&self, id: SessionId) -> Client {
        self.with_token(self.sandbox_token(id).await)
    }

    /// The token of the session's current boot.
    pub async fn sandbox_token(&self, id: SessionId) -> String {
        let session = self.session(id).await;
        let token = self.app.tokens.mint_sandbox(&session);
        token.expose_secret().to_owned()
    }

    /// The key to the model of the session's current boot.
    pub async fn model_key(&self, id: SessionId) -> String {
        let session = self.session(id).await;
        let key = self.app.tokens.mint_model(&session);
        key.expose_secret().to_owned()
    }

    /// The session as it is stored.
    pub async fn session(&self, id: SessionId) -> Session {
        let mut conn = self.database.db.read().await.expect("a connection");
        let found = store::session_fetch_any(&mut conn, id)
            .await
            .expect("it reads");
        found.expect("the session exists")
    }

    /// Stores a session as it is, in whatever state.
    pub async fn insert_session(&self, session: &Session) {
        let mut tx = self.database.db.write().await.expect("a transaction");
        store::session_insert(&mut tx, session)
            .await
            .expect("it inserts");
        tx.commit().await.expect("it commits");
    }
}

fn exposed(token: &::app::Result<SecretString>) -> String {
    let token = token.as_ref().expect("it signs");
    token.expose_secret().to_owned()
}
