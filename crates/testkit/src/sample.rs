//! Things that tools read, made without them: a picture of words, a document, speech.

mod picture;

use std::process::Command;

pub use picture::png as picture;

/// A PDF as short as they come.
pub fn pdf(text: &str) -> Vec<u8> {
    let content = format!("BT /F1 24 Tf 72 700 Td ({text}) Tj ET");
    let objects = [
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R\
         /Resources<</Font<</F1 5 0 R>>>>>>"
            .to_owned(),
        format!("<</Length {}>>stream\n{content}\nendstream", content.len()),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_owned(),
    ];
    let mut file = "%PDF-1.4\n".to_owned();
    let mut table = Vec::new();
    for (index, object) in objects.iter().enumerate() {
        table.push(format!("{:010} 00000 n \n", file.len()));
        file = format!("{file}{} 0 obj{object}endobj\n", index + 1);
    }
    let (start, table) = (file.len(), table.concat());
    let file = format!(
        "{file}xref\n0 6\n0000000000 65535 f \n{table}trailer<</Size 6/Root 1 0 R>>\n\
         startxref\n{start}\n%%EOF\n"
    );
    file.into_bytes()
}

/// Speech as a machine makes it, at a rate that the engine does not hear.
pub fn speech(text: &str) -> Vec<u8> {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    let made = Command::new("espeak-ng")
        .args(["-v", "en-us+klatt", "-s", "120", "-w"])
        .arg(file.path())
        .arg(text)
        .status();
    assert!(
        made.expect("espeak-ng is there; ./test installs it")
            .success()
    );
    std::fs::read(file.path()).expect("espeak-ng wrote it")
}
