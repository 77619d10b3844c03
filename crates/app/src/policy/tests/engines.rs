//! Engines and parameters of tools: what is refused, one mistake per row, and what the rest says.

use domain::policy::{Engine, Send};

use super::{built_in, edited, problems, with};
use crate::policy::{ChangeKind, Policy, PolicyFile, PolicyFiles, diff, load};

use PolicyFile::Tools;

/// Text to replace, replacement, the one complaint.
const REFUSED: &[(&str, &str, &str)] = &[
    // Shape.
    (
        "probe: [tesseract, --version]\n",
        "probe: [tesseract, --version]\n      shell: true\n",
        "tools[14].command: unknown key `shell`; there are packages, probe, memory_mb",
    ),
    (
        "memory_mb: 1024",
        "memory_mb: 0",
        "memory_mb: must be between 1 and 8192",
    ),
    (
        "memory_mb: 1024",
        "memory_mb: lots",
        "memory_mb: must be a whole number",
    ),
    (
        "output_bytes_max: 67108864",
        "output_bytes_max: 99999999999",
        "output_bytes_max: must be between 1 and ",
    ),
    (
        "packages: [poppler-utils]",
        "packages: [\"a b\"]",
        "is not a valid package name",
    ),
    (
        "    parameters: []\n    command:\n      packages: [poppler-utils]",
        "    command:\n      packages: [poppler-utils]",
        "`parameters` is missing",
    ),
    (
        "    accepts: []\n    produces: [audio]\n",
        "    accepts: []\n    produces: [audio]\n    parameters: []\n",
        "tools[11]: unknown key `parameters`",
    ),
    (
        "    executor: builtin\n    timeout_ms: 60000",
        "    executor: command\n    timeout_ms: 60000",
        "`command` is missing",
    ),
    // Programs and their arguments.
    (
        "[pdftotext, -layout",
        "[\"{input}\", -layout",
        "must be the name of a program",
    ),
    (
        "[pdftotext, -layout",
        "[../pdftotext, -layout",
        "must be the name of a program",
    ),
    (
        "[pdftotext, -layout",
        "[/tmp/pdftotext, -layout",
        "must be the name of a program",
    ),
    (
        "[pdftotext, -layout",
        "[/usr/../x, -layout",
        "must be the name of a program",
    ),
    (
        "-enc, UTF-8, \"{input}\"",
        "-enc, UTF-8, \"{inputs}\"",
        "braces hold input, output",
    ),
    (
        "-enc, UTF-8, \"{input}\"",
        "-enc, UTF-8",
        "must hold {input} if the tool accepts",
    ),
    (
        "accepts: [application/pdf]",
        "accepts: []",
        "must hold {input} if the tool accepts",
    ),
    (
        "-l, \"{param:language}\"",
        "-l, eng",
        "no step asks for language",
    ),
    (
        "\"{param:language}\"",
        "\"{param:tongue}\"",
        "there is no parameter tongue",
    ),
    (
        "probe: [pdftotext, -v]",
        "probe: [\"{input}\"]",
        "probe: must hold no braces",
    ),
    (
        "stdout: transcript.txt",
        "stdout: other.txt",
        "stdout must be one of the output files",
    ),
    (
        "stdout: transcript.txt",
        "stdout: ../x",
        "is not a valid file name",
    ),
    // Outputs.
    (
        "{file: transcript.txt, kind: transcript",
        "{file: transcript.txt, kind: text",
        "must be of the kinds that the tool produces",
    ),
    (
        "produces: [transcript]",
        "produces: []",
        "must be of the kinds that the tool produces",
    ),
    // Parameters.
    (
        "type: text, pattern",
        "type: string, pattern",
        "`string` is not one of boolean, choice",
    ),
    (
        "[a-z_]{3,20}([+]",
        "[a-z_{3,20}([+]",
        "is not a valid pattern",
    ),
    (
        "default: eng}",
        "default: ENG}",
        "default: parameter language must be text that",
    ),
    (
        "default: eng}",
        "default: true}",
        "must be text; write \"true\"",
    ),
    (
        "default: eng}",
        "default: eng, required: true}",
        "unknown key `required`",
    ),
    (
        "{name: language, type: text, pattern: \"",
        "{name: language, type: integer, min: 3, max: 1, pattern: \"",
        "min: must not be above max",
    ),
    (
        "{name: language,",
        "{name: Language,",
        "is not a valid parameter name",
    ),
    (
        "      - {name: language,",
        "      - {name: language, type: boolean}\n      - {name: language,",
        "parameter language is given twice",
    ),
];

#[test]
fn each_mistake_is_refused_with_its_place() {
    for (from, to, complaint) in REFUSED {
        let found = problems(edited(Tools, from, to));
        let named = |problem: &&String| problem.contains(complaint);
        let at = found.iter().find(named);
        let at = at.unwrap_or_else(|| panic!("{from:?} -> {to:?}: {complaint:?} in {found:#?}"));
        let line = at.strip_prefix("tools.yaml:").unwrap();
        assert!(line.starts_with(|c: char| c.is_ascii_digit()), "{at}");
    }
}

/// The built-in `document.text`, made a service.
fn with_service(http: &str, parameters: &str) -> PolicyFiles {
    with(Tools, |text| {
        let start = text
            .find("    parameters: []\n    command:\n      packages: [poppler")
            .unwrap();
        let end = start + text[start..].find("  # Handing over").unwrap();
        let head = text[..start].replace(
            "description: Read the text of a document.\n    enabled: true\n    executor: command",
            "description: Read the text of a document.\n    enabled: true\n    executor: http",
        );
        let http = format!("    parameters: [{parameters}]\n    http:\n{http}\n");
        format!("{head}{http}{}", &text[end..])
    })
}

const SERVICE: &str = "      url: https://ocr.example/text
      send: json
      output_bytes_max: 1000
      output: {kind: text, media_types: [text/plain]}
";

fn engine_of(policy: &Policy) -> Engine {
    let tool = policy.tool(&"document.text".parse().unwrap()).unwrap();
    tool.engine.clone()
}

#[test]
fn a_service_is_read() {
    let policy = load(with_service(SERVICE, "")).unwrap();
    let Engine::Http(http) = engine_of(&policy) else {
        panic!("no service");
    };
    assert_eq!(http.url.as_str(), "https://ocr.example/text");
    assert_eq!((http.send, http.output_bytes_max), (Send::Json, 1000));
}

#[test]
fn case_40_an_address_with_a_user_or_another_scheme_does_not_load() {
    for url in [
        "file:///etc/passwd",
        "https://user:pass@host/",
        "ftp://host/",
    ] {
        let service = SERVICE.replace("https://ocr.example/text", url);
        let found = problems(with_service(&service, ""));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("is not a valid address of a service"));
    }
}

#[test]
fn what_does_not_fit_a_service_is_refused() {
    let flag = "{name: fast, type: boolean, default: true}";
    let table = [
        (
            SERVICE.replace("kind: text", "kind: audio"),
            "",
            "must be the one kind",
        ),
        (
            SERVICE.replace("[text/plain]", "[]"),
            "",
            "must not be empty",
        ),
        (
            SERVICE.replace("send: json", "send: input"),
            flag,
            "take no parameters",
        ),
        (
            SERVICE.replace("send: json", "send: all"),
            "",
            "is not one of json, input",
        ),
        (
            format!("{SERVICE}      proxy: x\n"),
            "",
            "unknown key `proxy`",
        ),
    ];
    for (service, parameters, complaint) in table {
        let found = problems(with_service(&service, parameters));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains(complaint), "{found:?}");
    }
    assert!(load(with_service(SERVICE, flag)).is_ok());
}

#[test]
fn a_difference_names_what_runs() {
    let old = built_in();
    let table = [
        (edited(Tools, "-layout, -enc", "-raw, -enc"), "steps"),
        (
            edited(Tools, "memory_mb: 1024", "memory_mb: 512"),
            "memory_mb",
        ),
        (
            edited(Tools, "default: eng}", "default: deu}"),
            "parameters",
        ),
        (edited(Tools, "[pdftotext, -v]", "[]"), "probe"),
    ];
    for (files, field) in table {
        let found = diff(&old, &load(files).unwrap());
        let [change] = &found.changes[..] else {
            panic!("{found:?}");
        };
        let ChangeKind::Changed(fields) = &change.what else {
            panic!("{change:?}");
        };
        let names: Vec<_> = fields.iter().map(|change| change.field).collect();
        assert_eq!(names, [field]);
    }
    let service = diff(&old, &load(with_service(SERVICE, "")).unwrap());
    let text = format!("{service:?}");
    assert!(text.contains("https://ocr.example/text") && text.contains("pdftotext -layout"));
}
