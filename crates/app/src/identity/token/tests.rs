//! Tokens that must be refused: expired, forged, unsigned, of another kind, issuer or audience.

use super::*;
use domain::clock::Clock;
use jsonwebtoken::encode;
use serde_json::json;
use testkit::clock::{FakeClock, SeededEntropy};

const USER_SECRET: &str = "user-secret-user-secret-user-secret!";
const SERVICE_SECRET: &str = "service-secret-service-secret-servic";

fn tokens() -> Tokens {
    Tokens::new(TokenSecrets {
        user: USER_SECRET.into(),
        service: SERVICE_SECRET.into(),
        sandbox: "sandbox-secret-sandbox-secret-sandbo".into(),
        issuer: "proliferate".into(),
        audience: "proliferate-gateway".into(),
    })
}

fn user() -> UserToken {
    UserToken {
        user_id: UserId::new("ada").unwrap(),
        organization_id: Some(OrganizationId::new("acme").unwrap()),
    }
}

fn claims(now: Timestamp) -> serde_json::Value {
    json!({
        "sub": "ada", "iss": "proliferate", "aud": "proliferate-gateway", "jti": "x",
        "iat": now.unix_seconds(), "exp": now.unix_seconds() + 60, "orgId": "acme",
    })
}

fn signed(algorithm: Algorithm, claims: &serde_json::Value, secret: &str) -> String {
    encode(
        &Header::new(algorithm),
        claims,
        &EncodingKey::from_secret(secret.as_bytes()),
    )
    .unwrap()
}

#[test]
fn a_minted_token_is_believed_until_it_expires() {
    let (clock, entropy) = (FakeClock::new(), SeededEntropy::new(1));
    let token = tokens()
        .mint_user(&user(), clock.now(), Duration::from_mins(1), &entropy)
        .unwrap();
    let (text, tokens) = (token.expose_secret(), tokens());
    assert_eq!(tokens.verify_user(text, clock.now()).unwrap(), user());
    clock.advance(Duration::from_secs(59) + CLOCK_SKEW_LEEWAY);
    assert!(
        tokens.verify_user(text, clock.now()).is_ok(),
        "within the leeway"
    );
    clock.advance(Duration::from_secs(1));
    // Also one that was believed before.
    assert!(matches!(
        tokens.verify_user(text, clock.now()),
        Err(Error::TokenExpired)
    ));
}

#[test]
fn user_and_service_tokens_are_not_interchangeable() {
    // The same for all: what one kind is believed for is not the other's.
    let tokens = tokens();
    let (clock, entropy) = (FakeClock::new(), SeededEntropy::new(1));
    let (now, ttl) = (clock.now(), Duration::from_mins(1));
    let organization_id = OrganizationId::new("acme").unwrap();
    let service = ServiceToken {
        name: "worker".into(),
        organization_id,
    };
    let service_text = tokens.mint_service(&service, now, ttl, &entropy).unwrap();
    let user_text = tokens.mint_user(&user(), now, ttl, &entropy).unwrap();
    assert_eq!(
        tokens
            .verify_service(service_text.expose_secret(), now)
            .unwrap(),
        service
    );
    assert!(
        tokens
            .verify_user(service_text.expose_secret(), now)
            .is_err()
    );
    assert!(tokens.verify_user(user_text.expose_secret(), now).is_ok());
    assert!(
        tokens
            .verify_service(user_text.expose_secret(), now)
            .is_err()
    );
    // Even a holder of the user secret cannot make a service's token.
    let mut forged = claims(now);
    forged["service"] = json!(true);
    let text = signed(Algorithm::HS256, &forged, USER_SECRET);
    assert!(tokens.verify_user(&text, now).is_err());
    assert!(tokens.verify_service(&text, now).is_err());
}

#[test]
fn what_must_be_refused() {
    let (tokens, now) = (tokens(), FakeClock::new().now());
    let good = claims(now);
    assert!(
        tokens
            .verify_user(&signed(Algorithm::HS256, &good, USER_SECRET), now)
            .is_ok()
    );
    let without = |name: &str| {
        let mut claims = good.clone();
        claims.as_object_mut().unwrap().remove(name);
        signed(Algorithm::HS256, &claims, USER_SECRET)
    };
    let with = |name: &str, value: serde_json::Value| {
        let mut claims = good.clone();
        claims[name] = value;
        signed(Algorithm::HS256, &claims, USER_SECRET)
    };
    let parts: Vec<_> = with("sub", json!("ada"))
        .split('.')
        .map(str::to_owned)
        .collect();
    // {"alg":"none","typ":"JWT"}
    let none = "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0";
    let bad = [
        ("another secret", signed(Algorithm::HS256, &good, "guessed")),
        (
            "another algorithm",
            signed(Algorithm::HS384, &good, USER_SECRET),
        ),
        ("alg none, no signature", format!("{none}.{}.", parts[1])),
        (
            "alg none, old signature",
            format!("{none}.{}.{}", parts[1], parts[2]),
        ),
        ("no signature", format!("{}.{}.", parts[0], parts[1])),
        ("no expiry", without("exp")),
        ("no issuer", without("iss")),
        ("no audience", without("aud")),
        ("no subject", without("sub")),
        ("another issuer", with("iss", json!("another"))),
        ("another audience", with("aud", json!("another"))),
        ("a subject that is no id", with("sub", json!("a b"))),
        (
            "an organization that is no id",
            with("orgId", json!("../x")),
        ),
        ("an expiry that is no number", with("exp", json!("soon"))),
        ("nothing", String::new()),
        ("noise", "a.b.c".to_owned()),
    ];
    for (what, text) in bad {
        assert!(tokens.verify_user(&text, now).is_err(), "{what}");
    }
}
