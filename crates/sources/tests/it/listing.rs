//! What clients are shown of each source: a change of it is a change of the interface.

use serde_json::{Value, json};
use sources::Action;

use crate::stage::{NAMES, Stage};

fn shown(action: &Action) -> Value {
    let params: Vec<Value> = action
        .params
        .iter()
        .map(|param| {
            json!({
                "name": param.name,
                "type": param.kind.as_str(),
                "required": param.required,
                "description": param.description,
            })
        })
        .collect();
    json!({
        "name": action.name,
        "description": action.description,
        "riskLevel": action.risk.as_str(),
        "params": params,
    })
}

#[tokio::test]
async fn the_actions_of_each_source_are_these() {
    for name in NAMES {
        let stage = Stage::of(name).await;
        let actions: Vec<Value> = stage.source.actions().iter().map(shown).collect();
        let listed = json!({
            "integration": stage.source.integration(),
            "displayName": stage.source.display_name(),
            "actions": actions,
        });
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_json_snapshot!(name, listed);
        });
    }
}
