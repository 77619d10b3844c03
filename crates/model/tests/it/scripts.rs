//! The next response: from scripts, from prompts, by results of tools.

use model::scripted::{Script, ScriptError, Scripted};
use serde_json::Value;

use crate::support::{SEED, brief, called, user, whole};

const SCRIPT: &str = r#"
scenes:
  - prompt: "(?i)set up"
    steps:
      - think: First the files.
      - call: {tool: bash, input: {command: ls}}
      - if:
          when: {error: true}
          then: [{say: "That failed: {{result}}"}]
          else:
            - calls:
                - {tool: save_snapshot, input: {message: "for {{find run_id=(\\S+)}}"}}
                - {tool: verify}
            - repeat:
                times: 5
                until: {at: /status, equals: done}
                steps: [{call: {tool: poll, input: {id: "{{result/id}}"}}}]
            - say: "Done, {{result/status}}."
  - steps: [{say: "I was not told."}]
"#;

#[tokio::test]
async fn a_script_goes_on_by_what_the_tools_said() {
    let model = Scripted::new(Script::parse(SCRIPT).unwrap(), SEED);
    let mut talk = vec![user("Please set up run_id=r-9 now")];
    let mut seen = Vec::new();
    let results = [
        "a.rs",
        "ok",
        "{\"id\":17}",
        "{\"id\":17,\"status\":\"waiting\"}",
    ];
    for (index, result) in results.into_iter().enumerate() {
        let answer = whole(&model, &talk).await;
        let (calls, text) = brief(&answer);
        seen.push(format!("{text} -> {}", calls.join("; ")));
        // The second answer calls two at once.
        if index == 1 {
            let mut both = called("t1", "save_snapshot", result, false);
            let more = called("t1b", "verify", "{\"id\":17}", false);
            for (message, other) in both.iter_mut().zip(more) {
                let block = other["content"][0].clone();
                message["content"].as_array_mut().unwrap().push(block);
            }
            talk.extend(both);
        } else {
            talk.extend(called(&format!("t{index}"), "x", result, false));
        }
    }
    talk.extend(called("t9", "poll", "{\"status\":\"done\"}", false));
    seen.push(brief(&whole(&model, &talk).await).1);
    insta::assert_snapshot!(seen.join("\n"));
}

#[tokio::test]
async fn a_failed_call_takes_the_other_way() {
    let model = Scripted::new(Script::parse(SCRIPT).unwrap(), SEED);
    let mut talk = vec![user("set up")];
    talk.extend(called("t", "bash", "no such thing", true));
    let (calls, text) = brief(&whole(&model, &talk).await);
    assert_eq!(calls, [""; 0]);
    assert_eq!(text, "[scripted] That failed: no such thing");
}

#[tokio::test]
async fn a_prompt_is_followed_unless_a_scene_names_it() {
    let model = Scripted::new(Script::parse(SCRIPT).unwrap(), SEED);
    let text = async |prompt: &str| brief(&whole(&model, &[user(prompt)]).await).1;
    assert_eq!(text("SAY hello").await, "[scripted] hello");
    assert_eq!(text("hello").await, "[scripted] I was not told.");
    assert_eq!(text("SAY set up").await, "[scripted] Calling bash.");
    let model = Scripted::new(Script::default(), SEED);
    let text = brief(&whole(&model, &[user("hello")]).await).1;
    assert!(
        text.starts_with("[scripted] I am a scripted model"),
        "{text}"
    );
}

#[tokio::test]
async fn calls_in_a_prompt_are_made_one_after_the_other_and_again_when_it_is_repeated() {
    let model = Scripted::new(Script::default(), SEED);
    let prompt = user("CALL a\nCALL b\nIF CONTAINS yes\nSAY good\nELSE\nSAY bad\nEND");
    let mut talk = vec![prompt.clone()];
    let next = async |talk: &[Value]| {
        let (calls, text) = brief(&whole(&model, talk).await);
        calls.first().cloned().unwrap_or(text)
    };
    assert_eq!(next(&talk).await, "a {}");
    talk.extend(called("1", "a", "", false));
    assert_eq!(next(&talk).await, "b {}");
    talk.extend(called("2", "b", "oh yes", false));
    assert_eq!(next(&talk).await, "[scripted] good");
    talk.push(serde_json::json!({"role": "assistant", "content": "good"}));
    talk.push(prompt);
    assert_eq!(next(&talk).await, "a {}");
}

#[test]
fn a_script_that_cannot_be_played_is_refused() {
    let refused = |text: &str| Script::parse(text).unwrap_err().to_string();
    assert!(refused("scenes: [{steps: [{sing: la}]}]").contains("sing"));
    assert!(refused("scenes: [{steps: [], when: x}]").contains("when"));
    assert!(refused("scenes: [{prompt: '(', steps: []}]").contains("regex"));
    let deep = (0..20).fold("[]".to_owned(), |inner, _| {
        format!("[{{\"repeat\":{{\"times\":1,\"steps\":{inner}}}}}]")
    });
    let deep = Script::parse(&format!("{{\"scenes\":[{{\"steps\":{deep}}}]}}"));
    assert_eq!(deep.unwrap_err(), ScriptError::TooDeep);
    let large = format!("# {}", "x".repeat(domain::limits::SCRIPT_BYTES_MAX));
    assert_eq!(Script::parse(&large).unwrap_err(), ScriptError::TooLarge);
}
