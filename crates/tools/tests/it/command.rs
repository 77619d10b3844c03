//! Programs: their inputs, their outputs, and how they end.

use std::{fs, time::Duration};

use testkit::process::{is_running, until};
use tools::{Availability, CommandExecutor, Executor as _, Failure};

use crate::support::{Call, MEGABYTE, command_of, executors, parameter, script, steps};

fn reason(result: Result<String, Failure>) -> &'static str {
    match result {
        Err(Failure::Tool { reason, .. }) => reason,
        other => panic!("{other:?}"),
    }
}

const WROTE_TOO_MUCH: &str = "the tool wrote more than it may";
const SOMETHING_ELSE: &str = "the tool left something that is not one of its outputs";

#[tokio::test]
async fn what_it_leaves_is_the_output() {
    for executor in executors() {
        let call = Call::of(script("echo -n hello > {output}/text.txt"));
        assert_eq!(call.text(&executor).await.unwrap(), "hello");
    }
}

#[tokio::test]
async fn what_it_prints_is_an_output_if_the_policy_says_so() {
    let mut tool = script("echo -n printed; echo aside >&2");
    command_of(&mut tool).steps[0].stdout = Some("text.txt".parse().unwrap());
    for executor in executors() {
        let text = Call::of(tool.clone()).text(&executor).await.unwrap();
        assert_eq!(text, "printed");
    }
}

#[tokio::test]
async fn steps_share_a_directory_and_run_in_order() {
    let tool = steps(&[
        &["bash", "-c", "echo -n one > {work}/a"],
        &[
            "bash",
            "-c",
            "cat {work}/a > {output}/text.txt; echo -n two >> {output}/text.txt",
        ],
    ]);
    for executor in executors() {
        let text = Call::of(tool.clone()).text(&executor).await.unwrap();
        assert_eq!(text, "onetwo");
    }
}

#[tokio::test]
async fn a_step_that_fails_is_the_last_one() {
    let tool = steps(&[
        &["bash", "-c", "echo secret >&2; exit 3"],
        &["bash", "-c", "echo x > {output}/text.txt"],
    ]);
    let call = Call::of(tool);
    let result = call.text(&CommandExecutor::new()).await;
    assert_eq!(reason(result), "the tool ended with an error");
    assert!(!call.scratch.path().join("out/text.txt").exists());
}

#[tokio::test]
async fn the_input_can_be_read_and_not_changed() {
    let mut tool = script("cat {input} > {output}/text.txt; echo more >> {input}");
    tool.accepts = ["text/plain".parse().unwrap()].into();
    for executor in executors() {
        let call = Call::of(tool.clone()).with_input("text/plain", b"content");
        let result = call.text(&executor).await;
        assert_eq!(reason(result), "the tool ended with an error");
        let copied = fs::read(call.scratch.path().join("out/text.txt")).unwrap();
        assert_eq!(copied, b"content");
    }
}

#[tokio::test]
async fn an_input_that_the_tool_does_not_take_is_refused() {
    let mut tool = script("cat {input} > {output}/text.txt");
    tool.accepts = ["text/plain".parse().unwrap()].into();
    let executor = CommandExecutor::new();
    let other = Call::of(tool.clone()).with_input("image/png", b"x");
    let two = Call::of(tool.clone())
        .with_input("text/plain", b"x")
        .with_input("text/plain", b"y");
    let none = Call::of(tool);
    let unwanted = Call::of(script("true")).with_input("text/plain", b"x");
    for call in [other, two, none, unwanted] {
        let result = call.run(&executor).await;
        assert!(matches!(result, Err(Failure::Invalid(_))), "{result:?}");
    }
}

/// A value is one argument whatever it holds, and never an option.
#[tokio::test]
async fn a_parameter_stays_one_argument() {
    let mut tool = steps(&[&[
        "bash",
        "-c",
        "echo -n \"$#:$1\" > {output}/text.txt",
        "x",
        "{param:words}",
    ]]);
    tool.parameters = vec![parameter("words", ".*")];
    let executor = CommandExecutor::new();
    for value in ["two words", "; touch /out/x", "$(id)", "{input}", "'\"`"] {
        let call = Call::of(tool.clone()).with_parameter("words", value);
        assert_eq!(call.text(&executor).await.unwrap(), format!("1:{value}"));
    }
    for value in ["-rf", "--help", "a\0b"] {
        let call = Call::of(tool.clone()).with_parameter("words", value);
        let result = call.run(&executor).await;
        assert!(
            matches!(result, Err(Failure::Invalid(_))),
            "{value:?}: {result:?}"
        );
    }
    let unknown = Call::of(tool)
        .with_parameter("words", "x")
        .with_parameter("shell", true);
    let expected = Failure::Invalid("the tool takes no parameter shell".into());
    assert_eq!(unknown.run(&executor).await.unwrap_err(), expected);
}

#[tokio::test]
async fn case_56_an_output_of_a_gigabyte_is_stopped_and_not_published() {
    for executor in executors() {
        let call = Call::of(script("head -c 1073741824 /dev/zero > {output}/text.txt"));
        assert_eq!(reason(call.text(&executor).await), WROTE_TOO_MUCH);
        let left = fs::metadata(call.scratch.path().join("out/text.txt")).unwrap();
        assert!(left.len() <= MEGABYTE + 1, "{}", left.len());
    }
}

/// A program that ignores the signal, and reports success.
#[tokio::test]
async fn case_56_an_output_that_was_cut_is_not_published() {
    let text = "trap '' XFSZ; head -c 2000000 /dev/zero > {output}/text.txt; exit 0";
    for executor in executors() {
        let call = Call::of(script(text));
        assert_eq!(reason(call.text(&executor).await), WROTE_TOO_MUCH);
    }
}

#[tokio::test]
async fn case_56_many_files_are_stopped_as_one_large_one_is() {
    for place in ["{output}", "{work}"] {
        let text = format!(
            "i=0; while true; do head -c 500000 /dev/zero > {place}/$i; i=$((i+1)); sleep 0.05; done"
        );
        let call = Call::of(script(&text));
        let result = call.text(&CommandExecutor::new()).await;
        assert_eq!(reason(result), WROTE_TOO_MUCH, "{place}");
    }
}

#[tokio::test]
async fn only_the_files_of_the_policy_are_outputs() {
    let executor = CommandExecutor::new();
    for text in [
        "ln -s /etc/ld.so.cache {output}/text.txt",
        "ln -s nowhere {output}/text.txt",
        "mkdir {output}/text.txt",
        "mkfifo {output}/text.txt",
        "echo x > {output}/text.txt; echo y > {output}/other.txt",
        "echo x > {output}/text.txt; ln {output}/text.txt {output}/other.txt",
        "echo x > {output}/text.txt; echo y > {output}/.hidden",
    ] {
        let result = Call::of(script(text)).text(&executor).await;
        assert_eq!(reason(result), SOMETHING_ELSE, "{text}");
    }
    let result = Call::of(script("true")).text(&executor).await;
    assert_eq!(reason(result), "the tool left no output");
}

/// A link where a later step's output goes is not followed.
#[tokio::test]
async fn a_step_cannot_lay_a_link_for_the_next_one() {
    let target = tempfile::NamedTempFile::new().unwrap();
    let text = format!("ln -s {} {{output}}/text.txt", target.path().display());
    let mut tool = steps(&[&["bash", "-c", &text], &["echo", "overwritten"]]);
    command_of(&mut tool).steps[1].stdout = Some("text.txt".parse().unwrap());
    let result = Call::of(tool).text(&CommandExecutor::new()).await;
    assert_eq!(reason(result), "the tool could not be started");
    assert_eq!(fs::read(target.path()).unwrap(), b"");
}

/// How long a hanging program sleeps; the number identifies it, also beside another run.
fn nap(number: u32) -> String {
    format!("8640{number}.{}", std::process::id())
}

#[tokio::test]
async fn case_56_a_tool_that_does_not_end_is_ended() {
    for (executor, word) in executors().into_iter().zip([nap(1), nap(2)]) {
        let mut tool = script(&format!("echo x > {{output}}/text.txt; sleep {word}"));
        tool.timeout = Duration::from_millis(500);
        let result = Call::of(tool).text(&executor).await;
        assert_eq!(result, Err(Failure::Timeout));
        assert!(!is_running(&word));
    }
}

#[tokio::test]
async fn a_cancelled_call_leaves_no_process() {
    for (executor, words) in executors()
        .into_iter()
        .zip([[nap(3), nap(4)], [nap(5), nap(6)]])
    {
        let [first, second] = &words;
        // One that left its parent, one that leads a session of its own.
        let text = format!(
            "(sleep {first} &) ; setsid sleep {second} & touch {{work}}/started; wait; sleep 999"
        );
        let call = Call::of(script(&text));
        let cancel = call.cancel.clone();
        let started = call.scratch.path().join("work/started");
        let (result, ()) = tokio::join!(call.text(&executor), async {
            until("the program", || {
                started.exists() && words.iter().all(|word| is_running(word))
            })
            .await;
            cancel.cancel();
        });
        assert_eq!(result, Err(Failure::Cancelled));
        assert!(!is_running(first) && !is_running(second));
    }
}

#[tokio::test]
async fn a_call_that_is_dropped_leaves_no_process() {
    let word = &nap(7);
    let call = Call::of(script(&format!("sleep {word}")));
    let executor = CommandExecutor::new();
    tokio::select! {
        result = call.text(&executor) => panic!("{result:?}"),
        () = until("the program", || is_running(word)) => {}
    }
    until("its end", || !is_running(word)).await;
}

/// At any point of its start: bubblewrap's child waits for a signal before it is tied to its
/// parent's life.
#[tokio::test]
async fn a_call_that_is_dropped_while_it_starts_leaves_no_process() {
    for (executor, number) in executors().into_iter().zip([8, 9]) {
        let word = &nap(number);
        for moment in 0..120 {
            let call = Call::of(steps(&[&["sleep", word]]));
            let moment = Duration::from_micros(moment * 100);
            let result = tokio::time::timeout(moment, call.text(&executor)).await;
            assert!(result.is_err(), "{result:?}");
        }
        until("their end", || !is_running(word)).await;
    }
}

#[tokio::test]
async fn a_missing_program_is_named_with_its_package() {
    let tool = steps(&[&["no-such-program", "{output}/text.txt"]]);
    let executor = CommandExecutor::new();
    let hint =
        "no-such-program was not found; install it, for example with `apt-get install a-package`";
    let missing = Availability::Missing { hint: hint.into() };
    assert_eq!(executor.availability(&tool), missing);
    let result = Call::of(tool).text(&executor).await;
    assert_eq!(result, Err(Failure::Unavailable { hint: hint.into() }));
}

#[tokio::test]
async fn an_engine_is_asked_for_its_version() {
    let mut tool = script("true");
    command_of(&mut tool).probe = ["bash", "--version"]
        .map(|word| word.parse().unwrap())
        .into();
    let Availability::Ready(version) = CommandExecutor::new().availability(&tool) else {
        panic!("not ready");
    };
    assert!(version.contains("GNU bash"), "{version}");
    command_of(&mut tool).probe = ["bash", "-c", "exit 1"]
        .map(|word| word.parse().unwrap())
        .into();
    let broken = CommandExecutor::new().availability(&tool);
    assert!(matches!(broken, Availability::Missing { .. }), "{broken:?}");
}
