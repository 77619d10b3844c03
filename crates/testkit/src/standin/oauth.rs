//! An OAuth2 server that does what the four services do: an authorization page (always confirmed), a token
//! endpoint that rotates refresh tokens and takes each once, and GitHub's installations of an app.
//!
//! Every secret it issues or is set up with has `5ecre7` in it, for tests that look for leaks.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, LazyLock},
};

use ::app::integrations::GithubApp;
use aws_lc_rs::{
    encoding::AsDer as _,
    rsa::{KeyPair as RsaPair, KeySize},
    signature::{KeyPair as _, RSA_PKCS1_2048_8192_SHA256, UnparsedPublicKey},
};
use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use integrations::oauth::OAuthSettings;
use secrecy::SecretString;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::service::{Answer, Recorded, Standin, Wire};

pub const CLIENT_ID: &str = "client-1";
pub const CLIENT_SECRET: &str = "client-5ecre7-of-the-operator";
/// What everything secret holds.
pub const MARK: &str = "5ecre7";
/// The one installation that the person can see.
pub const INSTALLATION: i64 = 4711;
/// The id of the app that is installed.
pub const APP_ID: &str = "1234";

/// How its answers look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// As the standard has them: Linear, Sentry.
    Standard,
    /// `ok`, and a bot's token.
    Slack,
    /// The same with the token of a person, one level down.
    SlackPerson,
    /// Errors with status 200, and form encoding for clients that do not accept JSON.
    GitHub,
}

/// What it is like.
#[derive(Debug, Clone, Copy)]
pub struct Setup {
    pub shape: Shape,
    /// Whether it wants proof keys.
    pub pkce: bool,
    /// Seconds; without them a token does not end.
    pub expires_in: Option<u64>,
    /// Whether refresh tokens are given out.
    pub refreshes: bool,
}

/// The server and what it is told in advance.
#[derive(Debug)]
pub struct OAuthStandin {
    pub server: Standin,
    setup: Setup,
    app: AppKey,
}

/// The key of the app that is installed. Making one takes longer than most tests, and most have no app.
type AppKey = Arc<LazyLock<RsaPair>>;

#[derive(Debug)]
struct OAuth {
    setup: Setup,
    app: AppKey,
    /// By code: challenge and redirect address.
    codes: BTreeMap<String, (String, String)>,
    access: BTreeSet<String>,
    refresh: Option<String>,
    issued: usize,
}

pub async fn start(shape: Shape) -> OAuthStandin {
    start_as(Setup {
        shape,
        pkce: !matches!(shape, Shape::Slack | Shape::SlackPerson),
        expires_in: Some(3600),
        refreshes: true,
    })
    .await
}

pub async fn start_as(setup: Setup) -> OAuthStandin {
    let made = || RsaPair::generate(KeySize::Rsa2048).expect("a key");
    let app: AppKey = Arc::new(LazyLock::new(made));
    let oauth = OAuth {
        setup,
        app: Arc::clone(&app),
        codes: BTreeMap::new(),
        access: BTreeSet::new(),
        refresh: None,
        issued: 0,
    };
    OAuthStandin {
        server: Standin::start(oauth, "", "").await,
        setup,
        app,
    }
}

impl OAuthStandin {
    /// The operator's client here.
    pub fn settings(&self) -> OAuthSettings {
        OAuthSettings {
            client_id: CLIENT_ID.to_owned(),
            client_secret: CLIENT_SECRET.into(),
            authorize_url: format!("{}/oauth/authorize", self.server.base_url),
            token_url: format!("{}/oauth/token", self.server.base_url),
            scopes: vec!["read".to_owned(), "write".to_owned()],
            pkce: self.setup.pkce,
        }
    }

    /// Where it is, as the egress guard is told.
    pub fn host(&self) -> String {
        self.server.address.to_string()
    }

    /// The private key of the app it knows, as GitHub hands it out: PEM of PKCS #1.
    pub fn private_key(&self) -> SecretString {
        // What comes before the key itself has this length for keys of 2048 bits.
        pem("RSA PRIVATE KEY", &self.pkcs8()[26..])
    }

    /// The same in PKCS #8.
    pub fn private_key_pkcs8(&self) -> SecretString {
        pem("PRIVATE KEY", &self.pkcs8())
    }

    fn pkcs8(&self) -> Vec<u8> {
        let encoded = self.app.as_der().expect("an encoded key");
        encoded.as_ref().to_vec()
    }

    pub fn github_app(&self) -> GithubApp {
        GithubApp::new(APP_ID, &self.private_key()).expect("a good key")
    }

    /// The requests for tokens so far, by the kind of grant.
    pub fn grants(&self, kind: &str) -> Vec<Recorded> {
        let requests = self.server.requests().into_iter();
        let of_kind =
            |request: &Recorded| request.form.get("grant_type").is_some_and(|k| k == kind);
        requests.filter(of_kind).collect()
    }

    /// The requests for tokens of an installation so far.
    pub fn installations(&self) -> Vec<Recorded> {
        let requests = self.server.requests().into_iter();
        let asks = |request: &Recorded| request.path.ends_with("/access_tokens");
        requests.filter(asks).collect()
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

impl Wire for OAuth {
    fn answer(&mut self, request: &Recorded) -> Answer {
        let segments = request.segments("");
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        match (request.method.as_str(), segments.as_slice()) {
            ("GET", ["oauth", "authorize"]) => self.authorize(&request.query),
            ("POST", ["oauth", "token"]) => self.token(request),
            ("POST", ["app", "installations", id, "access_tokens"]) => {
                self.installation(request, id)
            }
            ("GET", ["user", "installations", id, "repositories"]) => {
                self.repositories(request, id)
            }
            _ => Answer::json(404, json!({"message": "Not Found"})),
        }
    }

    fn refusal(&self, status: u16) -> Answer {
        let word = match (status, self.setup.shape) {
            (400, _) => return self.mistake(400, "invalid_grant"),
            (401, _) => "invalid_client",
            _ => "server_error",
        };
        Answer::json(status, json!({"error": word}))
    }

    fn rate_limited(&self, retry_after: &str) -> Answer {
        Answer::json(429, json!({"error": "ratelimited"})).with_header("retry-after", retry_after)
    }
}

impl OAuth {
    fn authorize(&mut self, query: &BTreeMap<String, String>) -> Answer {
        let given = |name: &str| query.get(name).map_or("", String::as_str);
        let wrong =
            |what: &str| Answer::json(400, json!({"error": "invalid_request", "what": what}));
        let redirect_uri = given("redirect_uri");
        if given("response_type") != "code" || given("client_id") != CLIENT_ID {
            return wrong("client");
        }
        // As it is registered.
        if !redirect_uri.ends_with("/v1/integrations/callback") {
            return wrong("redirect_uri");
        }
        if given("state").len() < 43 || given("scope").is_empty() {
            return wrong("state or scope");
        }
        let challenge = given("code_challenge");
        let has_proof = challenge.len() == 43 && given("code_challenge_method") == "S256";
        if has_proof != self.setup.pkce {
            return wrong("code_challenge");
        }
        let code = format!("code-{}-{MARK}", self.codes.len() + 1);
        let kept = (challenge.to_owned(), redirect_uri.to_owned());
        self.codes.insert(code.clone(), kept);
        let location = format!("{redirect_uri}?code={code}&state={}", given("state"));
        Answer::nothing(302).with_header("location", location)
    }

    fn token(&mut self, request: &Recorded) -> Answer {
        let given = |name: &str| request.form.get(name).map_or("", String::as_str);
        if given("client_id") != CLIENT_ID || given("client_secret") != CLIENT_SECRET {
            return self.mistake(401, "invalid_client");
        }
        let good = match given("grant_type") {
            "authorization_code" => {
                let proof = URL_SAFE_NO_PAD.encode(Sha256::digest(given("code_verifier")));
                let proof = if self.setup.pkce {
                    proof
                } else {
                    String::new()
                };
                let kept = self.codes.remove(given("code"));
                kept == Some((proof, given("redirect_uri").to_owned()))
            }
            // Accepted once; a second use means that it was stolen.
            "refresh_token" => self.refresh.take().as_deref() == Some(given("refresh_token")),
            _ => return self.mistake(400, "unsupported_grant_type"),
        };
        if !good {
            self.refresh = None;
            return self.mistake(400, "invalid_grant");
        }
        self.issue(request)
    }

    fn issue(&mut self, request: &Recorded) -> Answer {
        self.issued += 1;
        let access = format!("access-{}-{MARK}", self.issued);
        self.access.insert(access.clone());
        let mut body =
            json!({"access_token": access, "token_type": "Bearer", "scope": "read write"});
        if let Some(seconds) = self.setup.expires_in {
            body["expires_in"] = json!(seconds);
        }
        if self.setup.refreshes {
            let refresh = format!("refresh-{}-{MARK}", self.issued);
            body["refresh_token"] = json!(refresh);
            self.refresh = Some(refresh);
        }
        let is_refresh = request.form["grant_type"] == "refresh_token";
        let answer = match self.setup.shape {
            Shape::Standard => Answer::json(200, body),
            Shape::SlackPerson if !is_refresh => {
                Answer::json(200, json!({"ok": true, "authed_user": body}))
            }
            Shape::Slack | Shape::SlackPerson => {
                body["ok"] = json!(true);
                Answer::json(200, body)
            }
            Shape::GitHub if request.header("accept").contains("json") => Answer::json(200, body),
            Shape::GitHub => Answer::form(200, form(&body)),
        };
        answer.changed()
    }

    fn mistake(&self, status: u16, word: &str) -> Answer {
        match (self.setup.shape, word) {
            (Shape::Standard, word) => Answer::json(status, json!({"error": word})),
            (Shape::GitHub, "invalid_grant") => {
                Answer::json(200, json!({"error": "bad_refresh_token"}))
            }
            (Shape::GitHub, word) => Answer::json(200, json!({"error": word})),
            (_, "invalid_grant") => {
                Answer::json(200, json!({"ok": false, "error": "invalid_refresh_token"}))
            }
            (_, word) => Answer::json(200, json!({"ok": false, "error": word})),
        }
    }

    /// For the app's proof, which is checked as GitHub does.
    fn installation(&mut self, request: &Recorded, id: &str) -> Answer {
        let proof = request
            .header("authorization")
            .trim_start_matches("Bearer ");
        if !self.is_proof(proof) {
            return Answer::json(
                401,
                json!({"message": "A JSON web token could not be decoded"}),
            );
        }
        if id != INSTALLATION.to_string() {
            return Answer::json(404, json!({"message": "Not Found"}));
        }
        self.issued += 1;
        let token = format!("ghs-{}-{MARK}", self.issued);
        // Each an hour later than the one before; tests begin with 2026.
        let end = format!("2026-01-01T{:02}:00:00Z", self.issued);
        Answer::json(201, json!({"token": token, "expires_at": end})).changed()
    }

    fn is_proof(&self, proof: &str) -> bool {
        let Some((signed, signature)) = proof.rsplit_once('.') else {
            return false;
        };
        let decoded = |text: &str| URL_SAFE_NO_PAD.decode(text).unwrap_or_default();
        let key = UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, self.app.public_key());
        let verified = key.verify(signed.as_bytes(), &decoded(signature)).is_ok();
        let (header, claims) = signed.split_once('.').unwrap_or_default();
        let read = |text: &str| serde_json::from_slice::<Value>(&decoded(text)).unwrap_or_default();
        let (header, claims) = (read(header), read(claims));
        let life = claims["exp"].as_i64().zip(claims["iat"].as_i64());
        let short = life.is_some_and(|(end, begin)| (1..=600).contains(&(end - begin)));
        verified && short && header["alg"] == "RS256" && claims["iss"] == APP_ID
    }

    fn repositories(&self, request: &Recorded, id: &str) -> Answer {
        let bearer = request
            .header("authorization")
            .trim_start_matches("Bearer ");
        if !self.access.contains(bearer) {
            return Answer::json(401, json!({"message": "Bad credentials"}));
        }
        if id != INSTALLATION.to_string() {
            return Answer::json(404, json!({"message": "Not Found"}));
        }
        Answer::json(200, json!({"total_count": 0, "repositories": []}))
    }
}

fn pem(label: &str, der: &[u8]) -> SecretString {
    let digits = STANDARD.encode(der);
    let lines: Vec<&str> = (0..digits.len())
        .step_by(64)
        .map(|at| &digits[at..digits.len().min(at + 64)])
        .collect();
    let lines = lines.join("\n");
    format!("-----BEGIN {label}-----\n{lines}\n-----END {label}-----\n").into()
}

/// Flat values as a form; the tokens need no encoding.
fn form(body: &Value) -> String {
    let text = |value: &Value| {
        value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned)
    };
    let pairs = body.as_object().into_iter().flatten();
    let pairs: Vec<String> = pairs
        .map(|(name, value)| format!("{name}={}", text(value).replace(' ', "+")))
        .collect();
    pairs.join("&")
}
