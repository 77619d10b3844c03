//! Everything a client receives in the scenario of `scenario.table`, to the letter. Clock and
//! randomness are the test's, so nothing is left out, and both databases must give the same.

use std::collections::BTreeMap;

use serde_json::Value;
use testkit::{
    app::{Client, Person, TestApp, TestResponse},
    database::Backend,
};

testkit::on_both_databases!(a_working_day_reads_the_same_every_time);

/// Headers that are part of an answer's meaning.
const SHOWN: [&str; 4] = ["content-type", "allow", "www-authenticate", "retry-after"];

async fn a_working_day_reads_the_same_every_time(backend: Backend) {
    let app = TestApp::start(backend).await;
    let mut names = BTreeMap::new();
    let mut transcript = vec![];
    let lines = include_str!("scenario.table").lines();
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        app.clock.advance(std::time::Duration::from_secs(1));
        let mut words = line.splitn(2, '{');
        let cells: Vec<_> = words.next().unwrap().split_whitespace().collect();
        let [who, method, path, name] = cells[..] else {
            panic!("{line}");
        };
        let body = words
            .next()
            .map(|rest| filled(&format!("{{{rest}"), &names));
        let path = filled(path, &names);
        let mut call = client(&app, who).call(method.parse().unwrap(), &path);
        if path == crate::support::SESSIONS {
            call = call.header("idempotency-key", "monday");
        }
        transcript.push(format!("{who}: {method} {path}"));
        if let Some(body) = body {
            call = call.body("application/json", body.clone());
            transcript.push(body);
        }
        let answer = call.await;
        transcript.push(written(&answer));
        if name != "-" {
            let answer = answer.json();
            let shown = answer.get("apiKey").unwrap_or(&answer);
            names.insert(format!("${name}"), crate::support::id(shown));
        }
    }
    insta::with_settings!({ prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("transcript", transcript.join("\n"));
    });
}

fn filled(text: &str, names: &BTreeMap<String, String>) -> String {
    let fill = |text: String, (name, id): (&String, &String)| text.replace(name, id);
    names.iter().rev().fold(text.to_owned(), fill)
}

fn client(app: &TestApp, who: &str) -> Client {
    match who {
        "anonymous" => app.anonymous(),
        "garbage" => app.with_token("garbage"),
        "service" => app.with_token(app.service_token(&app.acme)),
        "owner" => app.owner(),
        "member" => app.person(Person::Member),
        "foreign" => app.foreigner(),
        other => panic!("{other} is not a known caller"),
    }
}

fn written(answer: &TestResponse) -> String {
    let mut lines = vec![answer.status.to_string()];
    for name in SHOWN {
        let value = answer.header(name);
        lines.extend(value.map(|value| format!("{name}: {value}")));
    }
    if !answer.body.is_empty() {
        let body: Value = answer.json();
        let pretty = serde_json::to_string_pretty(&body).unwrap();
        lines.extend(pretty.lines().map(str::to_owned));
    }
    format!("\n    {}\n", lines.join("\n    "))
}
