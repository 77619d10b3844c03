//! Several identity providers: whom each lets in, where, and with which role.

use app::identity::OidcSettings;
use domain::{identity_provider::RoleMapping, role::Role};
use serde_json::{Value, json};
use testkit::{app::Person, database::Backend, standin::oidc::domain};

use crate::login_oidc::{Desk, is_out};

testkit::on_both_databases!(
    a_domain_leads_to_its_organization_and_the_provider_decides_about_no_other,
    groups_decide_the_role_at_each_login,
    the_last_owner_keeps_the_role,
    a_member_without_a_required_group_is_out,
);

fn person(sub: &str, email: &str) -> Value {
    json!({"sub": sub, "email": email, "email_verified": true})
}

fn in_groups(groups: &Value) -> Value {
    json!({"sub": "s", "email": "ada@acme.example", "email_verified": true,
        "realm_access": {"roles": groups}})
}

fn mapped(settings: &mut OidcSettings, requires_group: bool) {
    let roles = [
        ("owners", Role::Owner),
        ("admins", Role::Admin),
        ("staff", Role::Member),
    ];
    settings.groups_claim = vec!["realm_access".to_owned(), "roles".to_owned()];
    settings.mapping = Some(RoleMapping {
        roles: roles.map(|(group, role)| (group.to_owned(), role)).into(),
        requires_group,
    });
}

/// Staff of two organizations, and all other accounts for the other one.
async fn two(backend: Backend) -> (Desk, testkit::standin::oidc::OidcStandin) {
    Desk::with_two(backend, |staff, public| {
        (staff.name, staff.label) = ("staff".to_owned(), "Staff".to_owned());
        staff
            .domains
            .push(domain("labs.example", "org_other", Role::Admin));
        (public.name, public.label) = ("public".to_owned(), "Public".to_owned());
        public.domains = vec![domain("*", "org_other", Role::Member)];
    })
    .await
}

async fn a_domain_leads_to_its_organization_and_the_provider_decides_about_no_other(
    backend: Backend,
) {
    let (desk, public) = two(backend).await;
    let options = desk.app.anonymous().get("/v1/login").await.expect(200);
    assert_eq!(
        options["providers"],
        json!([{"name": "staff", "label": "Staff"}, {"name": "public", "label": "Public"}])
    );
    for path in ["/login/oidc", "/login/oidc?provider=nobody"] {
        let answer = desk.app.anonymous().get(path).await;
        is_out(&answer, 404, "choose one of the ways");
    }
    let staff = "/login/oidc?provider=staff&next=/approvals";
    for (email, organization, role) in [
        ("ada@acme.example", "org_acme", "member"),
        ("bob@labs.example", "org_other", "admin"),
    ] {
        desk.service.vouch_for(person(email, email));
        let answer = desk.log_in_at(staff).await;
        assert_eq!(answer.header("location"), Some("/approvals"));
        let me = desk.me(&answer).await;
        assert_eq!(me["organizationId"], organization, "{me}");
        assert_eq!(me["role"], role, "{me}");
    }
    // An address that the staff's provider is authoritative for means nothing elsewhere; others do.
    let at_public = async |claims: Value| {
        public.vouch_for(claims);
        let answer = desk
            .app
            .anonymous()
            .get("/login/oidc?provider=public")
            .await;
        let cookie = answer.header("set-cookie").unwrap();
        let kept = cookie.split(';').next().unwrap().to_owned();
        let back = public.say_yes(answer.header("location").unwrap()).await;
        let path = back.strip_prefix("http://gateway.test").unwrap().to_owned();
        (path, kept)
    };
    let (path, kept) = at_public(person("x", "ada@acme.example")).await;
    is_out(
        &desk.back(&path, &kept).await,
        403,
        "lists the domain of your",
    );
    let (path, kept) = at_public(person("y", "eve@mail.example")).await;
    let me = desk.me(&desk.back(&path, &kept).await).await;
    assert_eq!(me["organizationId"], "org_other");
    // A code of one provider, brought back to an attempt at the other; and a token that the other's key signed.
    let (path, _) = at_public(person("ada@acme.example", "ada@acme.example")).await;
    let (own, kept) = desk.away(staff).await;
    let code = |path: &str| {
        let behind = path.split("code=").nth(1).unwrap();
        behind.split('&').next().unwrap().to_owned()
    };
    let mixed = own.replace(&code(&own), &code(&path));
    assert_ne!(mixed, own);
    is_out(&desk.back(&mixed, &kept).await, 400, "cannot be believed");
    desk.service.sign_with_keys_of(&public);
    is_out(&desk.log_in_at(staff).await, 400, "cannot be believed");
    assert!(desk.refusals("id_token_signature").await > 0);
}

#[tokio::test]
async fn without_sign_up_only_members_log_in() {
    let desk = Desk::with(
        Backend::Sqlite,
        testkit::standin::oidc::Signing::Es256,
        |settings| {
            settings.allows_sign_up = false;
            let all = [domain("*", "org_acme", Role::Member)];
            settings.domains.extend(all);
        },
    )
    .await;
    let answer = desk.log_in_as(person("new", "new@acme.example")).await;
    is_out(&answer, 403, "new users cannot join");
    assert_eq!(desk.refusals("sign_up_closed").await, 1);
    let owner = desk.app.owner().get("/v1/me").await.expect(200);
    let email = owner["email"].as_str().unwrap();
    let me = desk.me(&desk.log_in_as(person("known", email)).await).await;
    assert_eq!(me["userId"], owner["userId"]);
}

async fn groups_decide_the_role_at_each_login(backend: Backend) {
    let desk = Desk::with_two(backend, |staff, other| {
        (staff.name, staff.label) = ("default".to_owned(), "Acme staff".to_owned());
        mapped(staff, false);
        "other".clone_into(&mut other.name);
    })
    .await
    .0;
    let mut user_id = String::new();
    for (groups, role) in [
        (json!(["staff", "elsewhere"]), "member"),
        (json!(["staff", "admins"]), "admin"),
        (json!("owners"), "owner"),
        // No mapped group: the role of the domain.
        (json!(["elsewhere"]), "member"),
        (json!(["admins"]), "admin"),
        (Value::Null, "member"),
    ] {
        let me = desk.me(&desk.log_in_as(in_groups(&groups)).await).await;
        assert_eq!(me["role"], role, "{groups}");
        me["userId"].as_str().unwrap().clone_into(&mut user_id);
    }
    let changes = desk.events().await;
    let changes: Vec<_> = { changes.iter() }
        .filter(|line| line.contains(" member_"))
        .map(|line| line.replace(&user_id, "ID"))
        .collect();
    assert_eq!(
        changes,
        [
            "oidc:default member_create member/ID success - - member",
            "oidc:default member_update member/ID success - member admin",
            "oidc:default member_update member/ID success - admin owner",
            "oidc:default member_update member/ID success - owner member",
            "oidc:default member_update member/ID success - member admin",
            "oidc:default member_update member/ID success - admin member",
        ]
    );
    // Shown, and not changed by hand.
    let members = desk.app.owner().get("/v1/members").await.expect(200);
    for item in members["items"].as_array().unwrap() {
        let expected = if item["userId"] == user_id.as_str() {
            json!("Acme staff")
        } else {
            Value::Null
        };
        assert_eq!(item["roleManagedBy"], expected, "{item}");
    }
    let path = format!("/v1/members/{user_id}");
    let answer = desk
        .app
        .owner()
        .patch(&path, json!({"role": "admin"}))
        .await;
    let problem = answer.expect_problem(409, "CONFLICT");
    assert!(
        problem["detail"].as_str().unwrap().contains("`Acme staff`"),
        "{problem}"
    );
    let path = format!("/v1/members/{}", Person::Member.user_id());
    let answer = desk
        .app
        .owner()
        .patch(&path, json!({"role": "admin"}))
        .await;
    answer.expect(200);
}

async fn the_last_owner_keeps_the_role(backend: Backend) {
    let desk = Desk::with(
        backend,
        testkit::standin::oidc::Signing::Es256,
        |settings| {
            mapped(settings, false);
            settings.domains = vec![domain("*", "org_acme", Role::Member)];
        },
    )
    .await;
    let owner = desk.app.owner().get("/v1/me").await.expect(200);
    let claims = json!({"sub": "o", "email": owner["email"], "email_verified": true,
        "realm_access": {"roles": ["staff"]}});
    let me = desk.me(&desk.log_in_as(claims).await).await;
    assert_eq!(me["userId"], owner["userId"]);
    assert_eq!(me["role"], "owner");
    let kept = "member_update member/user_acme_owner deny last_owner_kept owner member";
    let events = desk.events().await;
    assert!(events.iter().any(|line| line.contains(kept)), "{events:#?}");
}

async fn a_member_without_a_required_group_is_out(backend: Backend) {
    let desk = Desk::with(
        backend,
        testkit::standin::oidc::Signing::Es256,
        |settings| {
            mapped(settings, true);
        },
    )
    .await;
    let words = "in none of the groups";
    // No user joins without one.
    is_out(&desk.log_in_as(in_groups(&json!([]))).await, 403, words);
    let issuer = desk.service.server.base_url.clone();
    let mut conn = desk.app.database.db.read().await.unwrap();
    let found = store::user_identity_fetch(&mut conn, &issuer, "s").await;
    assert_eq!(found.unwrap(), None);
    drop(conn);
    let first = desk.log_in_as(in_groups(&json!(["admins"]))).await;
    let second = desk.log_in().await;
    let user_id = desk.me(&second).await["userId"].clone();
    // The groups are gone, and so are the member's logins.
    is_out(
        &desk.log_in_as(in_groups(&json!(["others"]))).await,
        403,
        words,
    );
    for answer in [first, second] {
        let cookie = crate::login_oidc::login_cookie(&answer).unwrap();
        let me = desk.app.anonymous().get("/v1/me").header("cookie", &cookie);
        me.await.expect_problem(401, "UNAUTHENTICATED");
    }
    let events = desk.events().await;
    let ends = events
        .iter()
        .filter(|line| line.contains("oidc:default login_end login/"));
    assert_eq!(ends.count(), 2, "{events:#?}");
    let refused = format!("member/{} deny no_mapped_group", user_id.as_str().unwrap());
    assert!(
        events.iter().any(|line| line.contains(&refused)),
        "{events:#?}"
    );
    let me = desk
        .me(&desk.log_in_as(in_groups(&json!(["staff"]))).await)
        .await;
    assert_eq!((&me["userId"], &me["role"]), (&user_id, &json!("member")));
}
