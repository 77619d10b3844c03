//! The content of a sandbox, file by file.

use std::collections::BTreeSet;

use domain::secret::is_reserved;

use super::*;
use crate::{context::tests::context, mode::Mode, tool::ToolHost};

fn shown(file: &File) -> String {
    format!(
        "mode {:o}\n\n{}",
        file.mode,
        String::from_utf8_lossy(&file.bytes)
    )
}

/// Each file of each mode. A file that is the same in all modes is kept once, as `all`.
#[test]
fn every_file_of_every_mode() {
    let of_mode = Mode::ALL
        .iter()
        .map(|mode| (mode.as_str(), files(&context(*mode))));
    let of_mode: Vec<_> = of_mode.collect();
    for (mode, files) in &of_mode {
        for file in files {
            let in_others = of_mode
                .iter()
                .filter(|(_, files)| files.contains(file))
                .count();
            let group = if in_others == of_mode.len() {
                "all"
            } else {
                mode
            };
            let name = file.path.trim_start_matches('/').replace('/', "__");
            insta::assert_snapshot!(format!("{group}@{name}"), shown(file));
        }
    }
}

#[test]
fn the_paths_of_each_mode() {
    for mode in Mode::ALL {
        let context = context(*mode);
        let mut lines: Vec<_> = files(&context).into_iter().map(|file| file.path).collect();
        lines.extend(
            packages(&context)
                .into_iter()
                .map(|at| format!("{} (package)", at.path)),
        );
        lines.extend(
            stale_paths(&context)
                .into_iter()
                .map(|path| format!("{path} (removed)")),
        );
        insta::assert_snapshot!(format!("paths_{mode}"), lines.join("\n"));
    }
}

#[test]
fn no_path_is_written_twice_nor_written_and_removed() {
    for mode in Mode::ALL {
        let context = context(*mode);
        let written: Vec<_> = files(&context).into_iter().map(|file| file.path).collect();
        let distinct: BTreeSet<_> = written.iter().cloned().collect();
        assert_eq!(distinct.len(), written.len(), "{mode}");
        let removed: BTreeSet<_> = stale_paths(&context).into_iter().collect();
        assert!(distinct.is_disjoint(&removed), "{mode}");
        let roots = [&context.layout.home, &context.layout.repo];
        for path in written.iter().chain(&removed) {
            assert!(
                roots
                    .iter()
                    .any(|root| path.starts_with(&format!("{root}/"))),
                "{path}"
            );
            assert!(!path.contains(".."), "{path}");
        }
    }
}

/// A snapshot of any mode that is opened in any other has exactly the tools of that one.
#[test]
fn whatever_was_there_before_a_session_has_its_own_tools() {
    for before in Mode::ALL {
        for after in Mode::ALL {
            let modules = |mode: Mode| -> BTreeSet<_> {
                let files = files(&context(mode)).into_iter().map(|file| file.path);
                let is_tool = |path: &String| {
                    let (_, name) = path.split_once("/.opencode/tool/").unwrap_or_default();
                    !name.is_empty() && !name.contains('/')
                };
                files.filter(is_tool).collect()
            };
            let removed: BTreeSet<_> = stale_paths(&context(*after)).into_iter().collect();
            let left: BTreeSet<_> = modules(*before).difference(&removed).cloned().collect();
            let there: BTreeSet<_> = left.union(&modules(*after)).cloned().collect();
            assert_eq!(there, modules(*after), "{before} then {after}");
        }
    }
}

#[test]
fn no_place_of_a_template_is_left_open() {
    for file in files(&context(Mode::Setup)) {
        let text = String::from_utf8(file.bytes).unwrap();
        let open = text.split("__").skip(1).step_by(2);
        let open: Vec<_> = open
            .filter(|name| name.chars().all(|c| c.is_ascii_uppercase() || c == '_'))
            .collect();
        assert!(open.is_empty(), "{}: {open:?}", file.path);
    }
}

#[test]
fn modules_ask_the_gateway_for_what_runs_there() {
    for tool in Tool::ALL {
        let module = module_file(*tool);
        let asks = module.contains("callGateway(");
        assert_eq!(asks, tool.spec().host == ToolHost::Gateway, "{tool}");
        assert!(module.contains(&format!("// {tool}, version {}.", tool.spec().version)));
    }
}

/// The browser is a setting, and the key is in no file.
#[test]
fn the_configuration_follows_the_session() {
    let read = |context: &Context| -> serde_json::Value {
        let files = files(context);
        let configs: Vec<_> = files
            .iter()
            .filter(|file| file.path.ends_with("/opencode.json"))
            .collect();
        assert_eq!(configs.len(), 2);
        assert_eq!(configs[0].bytes, configs[1].bytes);
        serde_json::from_slice(&configs[0].bytes).unwrap()
    };
    let mut context = context(Mode::Setup);
    assert_eq!(read(&context)["mcp"], json!({}));
    context.playwright = true;
    assert_eq!(read(&context)["mcp"]["playwright"]["enabled"], true);
    for spec in domain::model::MODELS {
        context.model = spec.model;
        let config = read(&context);
        assert_eq!(config["model"], spec.agent);
        assert_eq!(config["small_model"], spec.agent);
    }
    for url in ["https://m.example.com/x", "https://m.example.com/x/v1/"] {
        context.model_url = url.to_owned();
        let options = &read(&context)["provider"]["anthropic"]["options"];
        assert_eq!(options["baseURL"], "https://m.example.com/x/v1");
    }
    context.layout = crate::Layout::with_repo("we\"ird\\ name");
    context.listen.port = 5000;
    let config = read(&context);
    let options = &config["provider"]["anthropic"]["options"];
    assert_eq!(options["apiKey"], "{env:LLM_PROXY_API_KEY}");
    assert_eq!(config["server"]["port"], 5000);
    let instructions = format!("{}/.opencode/instructions.md", context.layout.repo);
    assert_eq!(config["instructions"], json!([instructions]));
    assert_eq!(command(&context)[2..4], ["--port", "5000"]);
}

#[test]
fn the_environment_has_the_secrets_and_prints_none() {
    let secrets = env::Secrets {
        token: "sbx_token".into(),
        model_key: "model-key".into(),
        server_password: Some("password".into()),
    };
    let printed = format!("{secrets:?}");
    for secret in ["sbx_token", "model-key", "password\""] {
        assert!(!printed.contains(secret), "{printed}");
    }
    let context = context(Mode::Coding);
    let variables = env::variables(&context, &secrets);
    insta::assert_debug_snapshot!(variables);
    for file in files(&context) {
        let text = String::from_utf8(file.bytes).unwrap();
        assert!(
            !text.contains("sbx_token") && !text.contains("model-key"),
            "{}",
            file.path
        );
    }
    // Only the platform may set them.
    for (name, _) in &variables {
        assert!(is_reserved(name), "{name}");
    }
    for name in [
        "OPENCODE_CONFIG_CONTENT",
        env::TOKEN_FILE,
        "NPM_CONFIG_REGISTRY",
    ] {
        assert!(is_reserved(name), "{name}");
    }
    for name in ["DATABASE_URL", "BUNNY", "OPENCODER"] {
        assert!(!is_reserved(name), "{name}");
    }
    for name in [
        env::GATEWAY_URL,
        env::SESSION_ID,
        env::TOKEN,
        env::MODEL_KEY,
    ] {
        assert!(RESERVED_KEYS.contains(&name), "{name}");
    }
}

#[test]
fn what_agents_are_told_names_the_file_of_values() {
    assert!(INSTRUCTIONS.contains(env::ENV_FILE));
    assert!(
        Tool::RequestEnvVariables
            .spec()
            .description
            .contains(env::ENV_FILE)
    );
}
