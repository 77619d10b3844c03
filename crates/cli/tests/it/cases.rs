//! `case` and `artifact`: from a file on disk into a case and back.

use crate::{transcript::Transcript, workspace};

#[tokio::test]
async fn a_file_goes_into_a_case_and_comes_back() {
    let workspace = workspace();
    let (_dev, _) = workspace.dev().await;
    let (file, copy) = (
        workspace.root().join("notes.txt"),
        workspace.root().join("copy.txt"),
    );
    std::fs::write(&file, "what the client said\n").unwrap();
    let (file, copy) = (file.to_str().unwrap(), copy.to_str().unwrap());
    let mut transcript = Transcript::new(&workspace);
    transcript.run(&["case", "list"]).await;
    let create = [
        "case",
        "create",
        "CASE-2026-014",
        "--title",
        "Smith v. Jones",
    ];
    transcript.run(&create).await;
    transcript.run(&create).await;
    let member = "user:user_demo_member";
    transcript
        .run(&["case", "add-member", "CASE-2026-014", member])
        .await;
    transcript.run(&["case", "show", "CASE-2026-014"]).await;
    transcript.run(&["case", "list"]).await;
    let upload = [
        "artifact",
        "upload",
        file,
        "--case",
        "CASE-2026-014",
        "--kind",
        "interview_notes",
    ];
    let id = transcript.run(&upload).await.stdout;
    let id = id.trim();
    transcript.run(&upload).await;
    transcript
        .run(&["artifact", "list", "--case", "CASE-2026-014"])
        .await;
    transcript.run(&["artifact", "get", id]).await;
    transcript
        .run(&["artifact", "get", id, "--output", copy])
        .await;
    assert_eq!(std::fs::read(copy).unwrap(), std::fs::read(file).unwrap());
    // What is there is not written over.
    transcript
        .run(&["artifact", "get", id, "--output", copy])
        .await;
    transcript
        .run(&["case", "remove-member", "CASE-2026-014", member])
        .await;
    transcript.run(&["case", "show", "CASE-2026-015"]).await;
    transcript.run(&["case", "show", "../x"]).await;
    transcript
        .run(&[
            "artifact",
            "upload",
            "nothing-there.txt",
            "--case",
            "CASE-2026-014",
        ])
        .await;
    transcript.run(&["artifact", "list"]).await;
    transcript.check("case_life");
}
