//! What came out of the product, searched for secrets in whatever form.

use std::{fmt::Display, time::Duration};

use serde_json::Value;
use testkit::process::Finished;

use crate::api::Api;

/// Everything that came out, with where it did.
#[derive(Default)]
pub(crate) struct Seen(Vec<(String, Vec<u8>)>);

impl Seen {
    pub(crate) fn add(&mut self, place: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.0.push((place.into(), bytes.into()));
    }

    pub(crate) fn command(&mut self, place: &str, finished: &Finished) {
        self.add(format!("{place}, stdout"), finished.stdout.as_str());
        self.add(format!("{place}, stderr"), finished.stderr.as_str());
    }

    /// An answer as it came, headers included; it must be a good one.
    pub(crate) async fn get(&mut self, api: &Api, path: &str) -> Value {
        let (status, answer) = self.look(api, path, Duration::from_mins(1)).await;
        assert_eq!(status, 200, "{path}");
        answer
    }

    /// Whatever the answer is; one without an end for so long.
    pub(crate) async fn look(&mut self, api: &Api, path: &str, most: Duration) -> (u16, Value) {
        let mut response = api.raw(path).await;
        let status = response.status().as_u16();
        self.add(
            format!("{path}, headers"),
            format!("{:?}", response.headers()),
        );
        let mut body = Vec::new();
        let all = async {
            while let Ok(Some(bytes)) = response.chunk().await {
                body.extend_from_slice(&bytes);
            }
        };
        // What came until then is what there is.
        let _ = tokio::time::timeout(most, all).await;
        let answer = serde_json::from_slice(&body).unwrap_or(Value::Null);
        self.add(path, body);
        (status, answer)
    }

    /// Where any of them is, in whatever case.
    pub(crate) fn found(&self, forms: &[(impl Display, String)]) -> Vec<String> {
        let lower = |text: &String| text.to_ascii_lowercase();
        let forms = forms.iter().map(|(form, text)| (form, lower(text)));
        let forms: Vec<_> = forms.collect();
        let mut found = Vec::new();
        for (place, bytes) in &self.0 {
            let all = String::from_utf8_lossy(bytes).to_ascii_lowercase();
            for (form, text) in &forms {
                if let Some(at) = all.find(text) {
                    let end = all.len().min(at + text.len() + 40);
                    let around = &all.as_bytes()[at.saturating_sub(200)..end];
                    let around = String::from_utf8_lossy(around);
                    found.push(format!("{form} in {place}: {around}"));
                }
            }
        }
        found
    }

    pub(crate) fn has_none_of(&self, forms: &[(impl Display, String)]) {
        let found = self.found(forms);
        assert!(found.is_empty(), "{}", found.join("\n"));
    }
}

/// A secret as it is and in the disguises that a careless service prints it in.
pub(crate) fn forms(token: &str) -> Vec<(&'static str, String)> {
    let bytes = |prefix: &str| {
        let digits = token.bytes().map(|byte| format!("{prefix}{byte:02X}"));
        digits.collect::<Vec<_>>().concat()
    };
    // What is the same of it wherever it stands in what is encoded: whole groups of three bytes.
    let whole = |skipped: usize| {
        let rest = &token.as_bytes()[skipped..];
        base64(&rest[..rest.len() / 3 * 3])
    };
    vec![
        ("the token", token.to_owned()),
        ("base64", whole(0)),
        ("base64, shifted by one", whole(2)),
        ("base64, shifted by two", whole(1)),
        ("percent", bytes("%")),
        ("hexadecimal", bytes("")),
    ]
}

/// Without padding; by hand, so that nothing of the product is used to look for its mistakes.
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let mut word = [0; 4];
        word[1..=chunk.len()].copy_from_slice(chunk);
        let word = u32::from_be_bytes(word);
        for place in 0..=chunk.len() {
            let index = (word >> (18 - 6 * place)) & 63;
            text.push(char::from(ALPHABET[usize::try_from(index).unwrap()]));
        }
    }
    text
}

/// All forms in one text, each where it can be found again.
pub(crate) fn given_away(token: &str) -> String {
    let mut all = vec![format!("Bearer {token}; token={token}")];
    for shift in ["", "x", "xx"] {
        all.push(base64(format!("{shift}{token}").as_bytes()));
    }
    all.extend(forms(token).into_iter().skip(4).map(|(_, form)| form));
    all.join(" ")
}
