//! Invitations and mails: read back as written, used once, of one organization.

use std::time::Duration;

use domain::{
    clock::Timestamp,
    email::EmailAddress,
    id::{InvitationId, MailId, OrganizationId, UserId},
    invitation::{Invitation, InvitationState},
    mail::{Mail, MailAttempt, MailSubject},
    page::PageRequest,
    role::Role,
};
use testkit::{database::TestDatabase, fixture::Fixture};

testkit::on_both_databases!(
    an_invitation_reads_back_and_belongs_to_its_organization,
    of_many_acceptances_at_once_one_counts,
    a_mail_is_claimed_by_one_sender_and_settled_by_the_last,
);

struct Scene {
    database: TestDatabase,
    fixture: Fixture,
    acme: OrganizationId,
    owner: UserId,
    now: Timestamp,
}

impl Scene {
    async fn set(backend: testkit::database::Backend) -> Self {
        let database = TestDatabase::create(backend).await;
        let fixture = Fixture::new(1);
        let (acme, owner) = fixture
            .organization(&database.db, "acme", Role::Owner)
            .await;
        let now = fixture.now();
        Self {
            database,
            fixture,
            acme,
            owner,
            now,
        }
    }

    async fn invitation(&self) -> Invitation {
        let invitation = Invitation {
            id: InvitationId::generate(self.now, &self.fixture.entropy),
            organization_id: self.acme.clone(),
            role: Role::Member,
            email: Some(EmailAddress::parse("ada@acme.example").unwrap()),
            created_by: self.owner.clone(),
            created_at: self.now,
            expires_at: self.now.plus(Duration::from_hours(1)),
            state: InvitationState::Pending,
        };
        let mut tx = self.database.db.write().await.unwrap();
        let mail_digest = format!("mailed-{}", invitation.id);
        let digest = format!("shown-{}", invitation.id);
        store::invitation_insert(&mut tx, &invitation, &digest, Some(&mail_digest))
            .await
            .unwrap();
        tx.commit().await.unwrap();
        invitation
    }
}

async fn an_invitation_reads_back_and_belongs_to_its_organization(
    backend: testkit::database::Backend,
) {
    let scene = Scene::set(backend).await;
    let invitation = scene.invitation().await;
    let mut conn = scene.database.db.read().await.unwrap();
    for (digest, is_mailed) in [("shown", false), ("mailed", true)] {
        let digest = format!("{digest}-{}", invitation.id);
        let found = store::invitation_fetch_by_digest(&mut conn, &digest).await;
        let found = found.unwrap().unwrap();
        assert_eq!(found.invitation, invitation);
        assert_eq!(found.is_mailed_code, is_mailed, "{digest}");
    }
    let other = OrganizationId::new("org_other").unwrap();
    let foreign = store::invitation_fetch(&mut conn, &other, invitation.id).await;
    assert_eq!(foreign.unwrap(), None);
    drop(conn);
    let mut tx = scene.database.db.write().await.unwrap();
    let revoked =
        store::invitation_revoke(&mut tx, &other, invitation.id, &scene.owner, scene.now).await;
    assert!(!revoked.unwrap(), "another organization revokes nothing");
    let by = &scene.owner;
    let revoke = store::invitation_revoke(&mut tx, &scene.acme, invitation.id, by, scene.now);
    assert!(revoke.await.unwrap());
    let accept = store::invitation_accept(&mut tx, &invitation, by, scene.now).await;
    assert!(!accept.unwrap(), "it was revoked");
    let page = PageRequest::new(None, None).unwrap();
    let open = store::invitation_list(&mut tx, &scene.acme, page)
        .await
        .unwrap();
    assert!(open.items.is_empty());
}

async fn of_many_acceptances_at_once_one_counts(backend: testkit::database::Backend) {
    let scene = Scene::set(backend).await;
    let invitation = scene.invitation().await;
    let accept = || async {
        let mut tx = scene.database.db.write().await.unwrap();
        let accepted =
            store::invitation_accept(&mut tx, &invitation, &scene.owner, scene.now).await;
        tx.commit().await.unwrap();
        accepted.unwrap()
    };
    let accepted = futures::future::join_all((0..8).map(|_| accept())).await;
    assert_eq!(accepted.iter().filter(|accepted| **accepted).count(), 1);
    let late = scene.invitation().await;
    let mut tx = scene.database.db.write().await.unwrap();
    let accepted = store::invitation_accept(&mut tx, &late, &scene.owner, late.expires_at).await;
    assert!(!accepted.unwrap(), "it has expired");
}

async fn a_mail_is_claimed_by_one_sender_and_settled_by_the_last(
    backend: testkit::database::Backend,
) {
    let scene = Scene::set(backend).await;
    let now = scene.now;
    let mail = Mail {
        id: MailId::generate(now, &scene.fixture.entropy),
        organization_id: scene.acme.clone(),
        recipient: EmailAddress::parse("ada@acme.example").unwrap(),
        subject: MailSubject::LoginLink,
        attempts: 0,
        expires_at: now.plus(Duration::from_mins(15)),
    };
    let mut tx = scene.database.db.write().await.unwrap();
    store::mail_insert(&mut tx, &mail, "sealed", now)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let claim = || async {
        let mut tx = scene.database.db.write().await.unwrap();
        let claimed = store::mail_claim(&mut tx, now, now.plus(Duration::from_mins(1)), 8).await;
        tx.commit().await.unwrap();
        claimed.unwrap()
    };
    let (one, two) = tokio::join!(claim(), claim());
    let mut claimed: Vec<_> = one.into_iter().chain(two).collect();
    assert_eq!(claimed.len(), 1, "two senders at once");
    let first = claimed.pop().unwrap();
    assert_eq!(
        (first.mail.attempts, first.sealed_link.as_str()),
        (1, "sealed")
    );
    // Its claim ended; another sender took the mail.
    let later = now.plus(Duration::from_mins(2));
    let mut tx = scene.database.db.write().await.unwrap();
    let again = store::mail_claim(&mut tx, later, later.plus(Duration::from_mins(1)), 8).await;
    let again = again.unwrap().pop().unwrap();
    assert_eq!(again.mail.attempts, 2);
    let sent = MailAttempt::Sent.settle(&first.mail, later);
    assert!(
        !store::mail_settle(&mut tx, &first.mail, &sent, later)
            .await
            .unwrap()
    );
    assert!(
        store::mail_settle(&mut tx, &again.mail, &sent, later)
            .await
            .unwrap()
    );
    assert!(
        !store::mail_is_due(&mut tx, later.plus(Duration::from_hours(9)))
            .await
            .unwrap()
    );
}
