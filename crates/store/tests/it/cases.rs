//! Cases, their members and meetings.

use domain::{
    case::{Case, CaseMember, ClientSession},
    id::OrganizationId,
    page::PageRequest,
    policy::CaseId,
    role::Role,
};
use store::Error;
use testkit::{
    database::{Backend, TestDatabase},
    fixture::Fixture,
};

testkit::on_both_databases!(
    a_case_is_found_by_its_members_alone,
    cases_are_listed_newest_first_and_page_by_page,
    an_id_is_taken_once_in_an_organization,
    members_come_and_go_once,
    a_meeting_is_of_one_case,
);

fn case(fixture: &Fixture, organization_id: &OrganizationId, id: &str) -> Case {
    Case {
        id: id.parse().unwrap(),
        organization_id: organization_id.clone(),
        title: Some(format!("about {id}")),
        created_at: fixture.now(),
    }
}

fn member(text: &str) -> CaseMember {
    text.parse().unwrap()
}

async fn insert(test: &TestDatabase, case: &Case, members: &[&CaseMember]) {
    let mut tx = test.db.write().await.unwrap();
    store::case_insert(&mut tx, case).await.unwrap();
    for member in members {
        let added = store::case_member_insert(
            &mut tx,
            &case.organization_id,
            &case.id,
            member,
            case.created_at,
        );
        assert!(added.await.unwrap());
    }
    tx.commit().await.unwrap();
}

async fn a_case_is_found_by_its_members_alone(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (acme, _) = fixture.organization(&test.db, "acme", Role::Owner).await;
    let (other, _) = fixture.organization(&test.db, "other", Role::Owner).await;
    let (ada, bob) = (member("user:ada"), member("user:bob"));
    let ours = case(&fixture, &acme, "CASE-1");
    insert(&test, &ours, &[&ada]).await;
    // The same id is free in another organization, and says nothing about this one.
    insert(&test, &case(&fixture, &other, "CASE-1"), &[&bob]).await;

    let mut conn = test.db.read().await.unwrap();
    let found = store::case_fetch_for(&mut conn, &acme, &ours.id, &ada)
        .await
        .unwrap();
    assert_eq!(found.as_ref(), Some(&ours));
    assert_eq!(
        store::case_fetch(&mut conn, &acme, &ours.id).await.unwrap(),
        found
    );
    for (organization, who) in [(&acme, &bob), (&other, &ada)] {
        let found = store::case_fetch_for(&mut conn, organization, &ours.id, who).await;
        assert_eq!(found.unwrap(), None);
    }
}

async fn cases_are_listed_newest_first_and_page_by_page(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (acme, _) = fixture.organization(&test.db, "acme", Role::Owner).await;
    let ada = member("user:ada");
    // The ids do not sort by age, and two cases are of the same moment.
    for id in ["CASE-z", "CASE-a", "CASE-m"] {
        insert(&test, &case(&fixture, &acme, id), &[&ada]).await;
        if id != "CASE-a" {
            fixture.clock.advance(std::time::Duration::from_secs(1));
        }
    }
    insert(&test, &case(&fixture, &acme, "CASE-not-hers"), &[]).await;
    let mut conn = test.db.read().await.unwrap();
    let (mut listed, mut before) = (Vec::new(), None);
    loop {
        let page = PageRequest::new(before, Some(1)).unwrap();
        let page = store::case_list_for(&mut conn, &acme, &ada, page)
            .await
            .unwrap();
        listed.extend(page.items.iter().map(|case| case.id.to_string()));
        before = page.next;
        if before.is_none() {
            break;
        }
    }
    assert_eq!(listed, ["CASE-m", "CASE-a", "CASE-z"]);
}

async fn an_id_is_taken_once_in_an_organization(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (acme, _) = fixture.organization(&test.db, "acme", Role::Owner).await;
    let ours = case(&fixture, &acme, "CASE-1");
    insert(&test, &ours, &[]).await;
    let mut tx = test.db.write().await.unwrap();
    let again = store::case_insert(&mut tx, &ours).await;
    assert!(matches!(again, Err(Error::Conflict { .. })), "{again:?}");
}

async fn members_come_and_go_once(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (acme, _) = fixture.organization(&test.db, "acme", Role::Owner).await;
    let session = fixture.session(&acme);
    let (ada, agent) = (member("user:ada"), CaseMember::Session(session.id));
    let ours = case(&fixture, &acme, "CASE-1");
    insert(&test, &ours, &[&ada, &agent]).await;

    let mut tx = test.db.write().await.unwrap();
    let now = fixture.now();
    assert!(
        !store::case_member_insert(&mut tx, &acme, &ours.id, &ada, now)
            .await
            .unwrap()
    );
    assert_eq!(
        store::case_member_count(&mut tx, &acme, &ours.id)
            .await
            .unwrap(),
        2
    );
    let mut listed = store::case_member_list(&mut tx, &acme, &ours.id)
        .await
        .unwrap();
    listed.sort();
    assert_eq!(listed, [ada.clone(), agent]);
    assert!(
        store::case_member_delete(&mut tx, &acme, &ours.id, &ada)
            .await
            .unwrap()
    );
    assert!(
        !store::case_member_delete(&mut tx, &acme, &ours.id, &ada)
            .await
            .unwrap()
    );
    assert_eq!(
        store::case_fetch_for(&mut tx, &acme, &ours.id, &ada)
            .await
            .unwrap(),
        None
    );
    let unknown: CaseId = "CASE-2".parse().unwrap();
    let outcome = store::case_member_insert(&mut tx, &acme, &unknown, &ada, now).await;
    assert!(
        matches!(outcome, Err(Error::MissingReference)),
        "{outcome:?}"
    );
}

async fn a_meeting_is_of_one_case(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (acme, _) = fixture.organization(&test.db, "acme", Role::Owner).await;
    let (first, second) = (
        case(&fixture, &acme, "CASE-1"),
        case(&fixture, &acme, "CASE-2"),
    );
    insert(&test, &first, &[]).await;
    insert(&test, &second, &[]).await;
    let meeting = |case: &Case| ClientSession {
        id: "MEET-1".parse().unwrap(),
        case_id: case.id.clone(),
        organization_id: acme.clone(),
        created_at: fixture.now(),
    };
    let mut tx = test.db.write().await.unwrap();
    assert!(
        store::case_client_session_insert(&mut tx, &meeting(&first))
            .await
            .unwrap()
    );
    assert!(
        !store::case_client_session_insert(&mut tx, &meeting(&first))
            .await
            .unwrap()
    );
    let asked = [
        (&acme, &first.id, "MEET-1"),
        (&acme, &second.id, "MEET-1"),
        (&acme, &first.id, "MEET-2"),
    ];
    assert_eq!(
        store::fact_client_sessions(&mut tx, &asked).await.unwrap(),
        [true, false, false]
    );
    // Another case has meetings of its own, of whatever name.
    assert!(
        store::case_client_session_insert(&mut tx, &meeting(&second))
            .await
            .unwrap()
    );
    assert_eq!(
        store::case_client_session_count(&mut tx, &acme, &first.id)
            .await
            .unwrap(),
        1
    );
    let listed = store::case_client_session_list(&mut tx, &acme, &first.id)
        .await
        .unwrap();
    assert_eq!(listed, ["MEET-1".parse().unwrap()]);
}
