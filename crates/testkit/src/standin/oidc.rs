//! An identity provider: discovery, an authorization page (always confirmed), a token endpoint that takes each
//! code once with its proof key, and keys that really sign. It lies on demand.
//!
//! Every secret it issues or is set up with has `5ecre7` in it, for tests that look for leaks.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard},
};

use ::app::identity::{
    OidcSettings,
    oidc::{EmailDomain, OidcDomain},
};
use aws_lc_rs::{
    digest, hmac,
    rand::SystemRandom,
    rsa::{KeyPair as RsaPair, KeySize},
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _, RSA_PKCS1_SHA256},
};
use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use domain::{clock::Clock as _, id::OrganizationId, role::Role};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::service::{Answer, Recorded, Standin, Wire};
use crate::clock::FakeClock;

pub const CLIENT_ID: &str = "gateway-1";
pub const CLIENT_SECRET: &str = "oidc-5ecre7-of-the-operator";

/// How its word is signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signing {
    Rs256,
    Es256,
}

/// What is wrong with its word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OidcLie {
    WrongNonce,
    WrongAudience,
    WrongIssuer,
    Expired,
    /// Signed by a key that it does not publish.
    UnknownKey,
    /// Signed by another key than the one it names.
    WrongSignature,
    /// Not signed at all.
    Unsigned,
    /// Signed with the secret that the client has too.
    SignedWithSecret,
    /// Made for another access token.
    OtherToken,
    /// There is none.
    NoToken,
    /// Its claims were changed after it was signed.
    Altered,
    /// The response says that it comes from another provider (RFC 9207).
    WrongResponseIssuer,
    /// The response does not say whom it comes from.
    NoResponseIssuer,
    /// A code is taken again and again.
    CodesForEver,
}

/// The server and what it is told in advance.
#[derive(Debug)]
pub struct OidcStandin {
    pub server: Standin,
    state: Arc<Mutex<State>>,
}

#[derive(Debug)]
struct State {
    issuer: String,
    signing: Signing,
    lie: Option<OidcLie>,
    /// Whom it vouches for; claims as they are sent.
    person: Value,
    keys: Arc<Keys>,
    /// Another provider's, in place of its own.
    foreign_keys: Option<Arc<Keys>>,
    /// What it says of itself besides what every provider does.
    described: Value,
    /// What its published keys are called.
    generation: usize,
    /// By code: challenge, redirect address and nonce.
    codes: BTreeMap<String, [String; 3]>,
    logout_tokens: usize,
    now: i64,
}

struct Keys {
    rsa: RsaPair,
    rsa_numbers: [String; 2],
    ec: EcdsaKeyPair,
}

impl std::fmt::Debug for Keys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Keys")
    }
}

pub async fn start(signing: Signing) -> OidcStandin {
    let state = Arc::new(Mutex::new(State {
        issuer: String::new(),
        signing,
        lie: None,
        person: json!({"sub": "subject-1", "email": "ada@acme.example", "email_verified": true,
            "name": "Ada Lovelace"}),
        keys: Arc::new(Keys::generate()),
        foreign_keys: None,
        described: json!({}),
        generation: 1,
        codes: BTreeMap::new(),
        logout_tokens: 0,
        now: FakeClock::new().now().unix_seconds(),
    }));
    let server = Standin::start(Oidc(Arc::clone(&state)), "", "").await;
    held(&state).issuer.clone_from(&server.base_url);
    OidcStandin { server, state }
}

impl OidcStandin {
    /// The operator's client here: new users with addresses of acme become members of acme.
    pub fn settings(&self) -> OidcSettings {
        OidcSettings {
            name: "default".to_owned(),
            label: "Acme".to_owned(),
            issuer: self.server.base_url.clone(),
            client_id: CLIENT_ID.to_owned(),
            client_secret: Some(CLIENT_SECRET.into()),
            scopes: vec!["email".to_owned(), "profile".to_owned()],
            domains: vec![domain("acme.example", "org_acme", Role::Member)],
            allows_sign_up: true,
            groups_claim: vec!["groups".to_owned()],
            mapping: None,
        }
    }

    /// Where it is, as the egress guard is told.
    pub fn host(&self) -> String {
        self.server.address.to_string()
    }

    /// Whom it vouches for from now on.
    pub fn vouch_for(&self, person: Value) {
        held(&self.state).person = person;
    }

    pub fn lie(&self, lie: Option<OidcLie>) {
        held(&self.state).lie = lie;
    }

    /// Takes new keys, as services do now and then.
    pub fn rotate(&self) {
        let mut state = held(&self.state);
        state.keys = Arc::new(Keys::generate());
        state.generation += 1;
    }

    /// Adds to its metadata, such as `end_session_endpoint`.
    pub fn describe(&self, metadata: Value) {
        held(&self.state).described = metadata;
    }

    /// Signs with the keys of another provider from now on, and publishes its own.
    pub fn sign_with_keys_of(&self, other: &Self) {
        let keys = Arc::clone(&held(&other.state).keys);
        held(&self.state).foreign_keys = Some(keys);
    }

    /// A logout token as the specification has it, with these claims in place of the usual ones; `null` leaves one out.
    pub fn logout_token(&self, claims: &Value) -> String {
        let mut state = held(&self.state);
        state.logout_tokens += 1;
        let mut whole = json!({
            "iss": state.issuer,
            "aud": CLIENT_ID,
            "iat": state.now,
            "exp": state.now + 120,
            "jti": format!("jti-{}", state.logout_tokens),
            "events": {"http://schemas.openid.net/event/backchannel-logout": {}},
        });
        for (name, value) in claims.as_object().into_iter().flatten() {
            whole[name] = value.clone();
        }
        if let Some(whole) = whole.as_object_mut() {
            whole.retain(|_, value| !value.is_null());
        }
        state.signed("logout+jwt", &whole)
    }

    /// Says yes there, as a browser: where it is sent back to.
    pub async fn say_yes(&self, authorize_url: &str) -> String {
        let client = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .expect("a client");
        let answer = client.get(authorize_url).send().await.expect("an answer");
        let location = answer.headers().get("location");
        let location = location.unwrap_or_else(|| panic!("no way back: {}", answer.status()));
        location.to_str().expect("an address").to_owned()
    }
}

/// An entry of the operator's settings; `*` for every domain.
pub fn domain(domain: &str, organization: &str, role: Role) -> OidcDomain {
    OidcDomain {
        domain: match domain {
            "*" => EmailDomain::Any,
            only => EmailDomain::Only(only.to_owned()),
        },
        organization_id: OrganizationId::new(organization).expect("a good id"),
        role,
    }
}

fn held(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().expect("no test panics holding it")
}

#[derive(Debug)]
struct Oidc(Arc<Mutex<State>>);

impl Wire for Oidc {
    fn answer(&mut self, request: &Recorded) -> Answer {
        let mut state = held(&self.0);
        match (request.method.as_str(), request.path.as_str()) {
            ("GET", "/.well-known/openid-configuration") => state.configuration(),
            ("GET", "/authorize") => state.authorize(&request.query),
            ("POST", "/token") => state.token(request),
            ("GET", "/keys") => state.published(),
            _ => Answer::json(404, json!({"error": "not_found"})),
        }
    }

    fn refusal(&self, status: u16) -> Answer {
        let word = if status == 400 {
            "invalid_grant"
        } else {
            "server_error"
        };
        Answer::json(status, json!({ "error": word }))
    }

    fn rate_limited(&self, retry_after: &str) -> Answer {
        Answer::json(429, json!({"error": "slow_down"})).with_header("retry-after", retry_after)
    }
}

impl State {
    fn configuration(&self) -> Answer {
        let at = |path: &str| format!("{}{path}", self.issuer);
        let mut metadata = json!({
            "issuer": self.issuer,
            "authorization_endpoint": at("/authorize"),
            "token_endpoint": at("/token"),
            "jwks_uri": at("/keys"),
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256", "ES256"],
            "scopes_supported": ["openid", "email", "profile"],
            "code_challenge_methods_supported": ["S256"],
        });
        for (name, value) in self.described.as_object().into_iter().flatten() {
            metadata[name] = value.clone();
        }
        Answer::json(200, metadata)
    }

    fn authorize(&mut self, query: &BTreeMap<String, String>) -> Answer {
        let given = |name: &str| query.get(name).cloned().unwrap_or_default();
        let wrong =
            |what: &str| Answer::json(400, json!({"error": "invalid_request", "what": what}));
        let redirect_uri = given("redirect_uri");
        if given("response_type") != "code" || given("client_id") != CLIENT_ID {
            return wrong("client");
        }
        // As it is registered.
        if !redirect_uri.ends_with("/login/oidc/callback") {
            return wrong("redirect_uri");
        }
        if given("state").len() < 43 || given("nonce").len() < 43 {
            return wrong("state or nonce");
        }
        if given("scope") != "openid email profile" {
            return wrong("scope");
        }
        let challenge = given("code_challenge");
        if challenge.len() != 43 || given("code_challenge_method") != "S256" {
            return wrong("code_challenge");
        }
        // No other provider gives out the same.
        let port = self.issuer.rsplit(':').next().unwrap_or_default();
        let code = format!("code-{port}-{}-5ecre7", self.codes.len() + 1);
        let kept = [challenge, redirect_uri.clone(), given("nonce")];
        self.codes.insert(code.clone(), kept);
        let mut location = format!("{redirect_uri}?code={code}&state={}", given("state"));
        let names_itself = self.described["authorization_response_iss_parameter_supported"] == true;
        let issuer = match self.lie {
            Some(OidcLie::WrongResponseIssuer) => Some("https://evil.example"),
            Some(OidcLie::NoResponseIssuer) => None,
            _ => names_itself.then_some(self.issuer.as_str()),
        };
        if let Some(issuer) = issuer {
            location = format!("{location}&iss={issuer}");
        }
        Answer::nothing(302).with_header("location", location)
    }

    fn token(&mut self, request: &Recorded) -> Answer {
        let wrong = |word: &str| Answer::json(400, json!({ "error": word }));
        let basic = STANDARD.encode(format!("{CLIENT_ID}:{CLIENT_SECRET}"));
        if request.header("authorization") != format!("Basic {basic}") {
            return wrong("invalid_client");
        }
        let given = |name: &str| request.form.get(name).map_or("", String::as_str);
        let proof = URL_SAFE_NO_PAD.encode(Sha256::digest(given("code_verifier")));
        let for_ever = self.lie == Some(OidcLie::CodesForEver);
        let kept = self.codes.get_mut(given("code"));
        let take = |kept: &mut [String; 3]| {
            if for_ever {
                kept.clone()
            } else {
                std::mem::take(kept)
            }
        };
        let kept = kept.map(take);
        let Some([challenge, redirect_uri, nonce]) = kept else {
            return wrong("invalid_grant");
        };
        let is_code = given("grant_type") == "authorization_code";
        if !is_code || challenge != proof || redirect_uri != given("redirect_uri") {
            return wrong("invalid_grant");
        }
        let access = format!("access-{}-5ecre7", self.codes.len());
        let mut body = json!({"access_token": access, "token_type": "Bearer", "expires_in": 3600});
        if self.lie != Some(OidcLie::NoToken) {
            body["id_token"] = json!(self.word(&access, &nonce));
        }
        Answer::json(200, body).changed()
    }

    /// The signed identity token.
    fn word(&self, access: &str, nonce: &str) -> String {
        let lies = |lie: OidcLie| self.lie == Some(lie);
        let or = |lie: OidcLie, wrong: &str, right: &str| {
            if lies(lie) { wrong } else { right }.to_owned()
        };
        let mut claims = self.person.clone();
        let access = or(OidcLie::OtherToken, "another", access);
        let hash = digest::digest(&digest::SHA256, access.as_bytes());
        claims["iss"] = json!(or(
            OidcLie::WrongIssuer,
            "https://evil.example",
            &self.issuer
        ));
        claims["aud"] = json!(or(OidcLie::WrongAudience, "another-client", CLIENT_ID));
        claims["nonce"] = json!(or(OidcLie::WrongNonce, "another-nonce", nonce));
        claims["iat"] = json!(self.now - 60);
        claims["exp"] = json!(
            self.now
                + if lies(OidcLie::Expired) {
                    -3600
                } else {
                    36_000
                }
        );
        claims["at_hash"] = json!(URL_SAFE_NO_PAD.encode(&hash.as_ref()[..16]));
        self.signed("JWT", &claims)
    }

    fn signed(&self, typ: &str, claims: &Value) -> String {
        let lies = |lie: OidcLie| self.lie == Some(lie);
        let algorithm = match self.signing {
            _ if lies(OidcLie::Unsigned) => "none",
            _ if lies(OidcLie::SignedWithSecret) => "HS256",
            Signing::Rs256 => "RS256",
            Signing::Es256 => "ES256",
        };
        let kid = match self.lie {
            Some(OidcLie::UnknownKey) => "unknown-key".to_owned(),
            _ => self.key_id(self.signing),
        };
        let header = json!({"alg": algorithm, "kid": kid, "typ": typ});
        let encoded = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let signed = format!("{}.{}", encoded(&header), encoded(claims));
        let signature = URL_SAFE_NO_PAD.encode(self.signature(&signed));
        if lies(OidcLie::Altered) {
            let mut altered = claims.clone();
            altered["sub"] = json!("another-subject");
            return format!("{}.{}.{signature}", encoded(&header), encoded(&altered));
        }
        format!("{signed}.{signature}")
    }

    fn signature(&self, signed: &str) -> Vec<u8> {
        let fresh;
        let keys = match self.lie {
            Some(OidcLie::Unsigned) => return Vec::new(),
            Some(OidcLie::SignedWithSecret) => {
                let key = hmac::Key::new(hmac::HMAC_SHA256, CLIENT_SECRET.as_bytes());
                return hmac::sign(&key, signed.as_bytes()).as_ref().to_vec();
            }
            Some(OidcLie::UnknownKey | OidcLie::WrongSignature) => {
                fresh = Keys::generate();
                &fresh
            }
            _ => self.foreign_keys.as_ref().unwrap_or(&self.keys),
        };
        let random = SystemRandom::new();
        match self.signing {
            Signing::Rs256 => {
                let mut signature = vec![0; keys.rsa.public_modulus_len()];
                let done = keys.rsa.sign(
                    &RSA_PKCS1_SHA256,
                    &random,
                    signed.as_bytes(),
                    &mut signature,
                );
                done.expect("a signature");
                signature
            }
            Signing::Es256 => {
                let signature = keys.ec.sign(&random, signed.as_bytes());
                signature.expect("a signature").as_ref().to_vec()
            }
        }
    }

    fn key_id(&self, signing: Signing) -> String {
        format!("{signing:?}-{}", self.generation)
    }

    fn published(&self) -> Answer {
        let [n, e] = &self.keys.rsa_numbers;
        // An uncompressed point: a byte that says so, and two coordinates.
        let point = self.keys.ec.public_key().as_ref();
        let coordinate = |at: usize| URL_SAFE_NO_PAD.encode(&point[at..at + 32]);
        Answer::json(
            200,
            json!({"keys": [
                {"kty": "RSA", "use": "sig", "alg": "RS256", "kid": self.key_id(Signing::Rs256), "n": n, "e": e},
                {"kty": "EC", "use": "sig", "alg": "ES256", "kid": self.key_id(Signing::Es256), "crv": "P-256",
                    "x": coordinate(1), "y": coordinate(33)},
            ]}),
        )
    }
}

impl Keys {
    fn generate() -> Self {
        let rsa = RsaPair::generate(KeySize::Rsa2048).expect("a key");
        // DER of a sequence of two numbers; for keys of 2048 bits they are at these offsets.
        let public = rsa.public_key().as_ref();
        let numbers = [&public[9..265], &public[public.len() - 3..]];
        let rsa_numbers = numbers.map(|number| URL_SAFE_NO_PAD.encode(number));
        let ec = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING);
        Self {
            rsa_numbers,
            rsa,
            ec: ec.expect("a key"),
        }
    }
}
