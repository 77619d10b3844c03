//! The tools of the built-in policy with the engines they name: real pictures, documents and speech.

use testkit::{
    permit::built_in_tool,
    sample::{pdf, picture, speech},
};
use tools::{Availability, CommandExecutor, Executor as _, Failure};

use crate::support::{Call, executors};

#[test]
fn every_engine_of_the_built_in_policy_is_there() {
    let executor = CommandExecutor::new();
    for (operation, name) in [
        ("ocr.extract", "tesseract"),
        ("document.text", "pdftotext"),
        ("transcription.run", "sox"),
    ] {
        let Availability::Ready(version) = executor.availability(&built_in_tool(operation)) else {
            panic!("{operation} is missing; ./test installs it");
        };
        assert!(version.to_lowercase().contains(name), "{version}");
    }
}

#[tokio::test]
async fn ocr_extract_reads_a_picture() {
    let picture = picture("THE WHALE FAMILY WILL HEAL");
    for executor in executors() {
        let call = Call::of(built_in_tool("ocr.extract")).with_input("image/png", &picture);
        let text = call.text(&executor).await.unwrap();
        assert_eq!(text.trim(), "THE WHALE FAMILY WILL HEAL");
    }
}

#[tokio::test]
async fn ocr_extract_takes_a_language_and_nothing_like_an_option() {
    let picture = picture("THE WHALE");
    let executor = CommandExecutor::new();
    let ask = |language: &str| {
        Call::of(built_in_tool("ocr.extract"))
            .with_input("image/png", &picture)
            .with_parameter("language", language)
    };
    assert_eq!(
        ask("eng").text(&executor).await.unwrap().trim(),
        "THE WHALE"
    );
    for bad in ["-c", "eng;id", "../eng", "ENG", ""] {
        let result = ask(bad).run(&executor).await;
        assert!(
            matches!(result, Err(Failure::Invalid(_))),
            "{bad}: {result:?}"
        );
    }
    // A language that is not installed is the tool's failure, and says nothing of the engine's text.
    let result = ask("zzz").run(&executor).await;
    let reason = "the tool ended with an error";
    let retryable = false;
    assert_eq!(result.unwrap_err(), Failure::Tool { reason, retryable });
}

#[tokio::test]
async fn document_text_reads_a_pdf() {
    for executor in executors() {
        let document = pdf("The witness signed on Monday");
        let call =
            Call::of(built_in_tool("document.text")).with_input("application/pdf", &document);
        let text = call.text(&executor).await.unwrap();
        assert_eq!(text.trim(), "The witness signed on Monday");
    }
}

#[tokio::test]
async fn document_text_refuses_what_is_no_pdf() {
    let call = Call::of(built_in_tool("document.text")).with_input("application/pdf", b"hello");
    let result = call.run(&CommandExecutor::new()).await;
    assert!(matches!(result, Err(Failure::Tool { .. })), "{result:?}");
}

#[tokio::test]
async fn transcription_run_hears_words() {
    let said = "the president of the united states said yesterday";
    let sound = speech(said);
    for executor in executors() {
        let call = Call::of(built_in_tool("transcription.run")).with_input("audio/wav", &sound);
        let text = call.text(&executor).await.unwrap();
        assert_eq!(text.trim(), said);
    }
}

#[tokio::test]
async fn transcription_run_refuses_what_is_no_sound() {
    let call = Call::of(built_in_tool("transcription.run")).with_input("audio/wav", b"RIFF");
    let result = call.run(&CommandExecutor::new()).await;
    assert!(matches!(result, Err(Failure::Tool { .. })), "{result:?}");
}
