//! The files of a tool in the sandbox: its module in TypeScript and its description. Rendered from the table.

use std::fmt::Write as _;

use super::{
    name::Tool,
    shape::{ENV_NAME_PATTERN, Field, Presence, Rule, Shape},
    spec::ToolHost,
};
use crate::text::quoted;

/// The module that the agent loads.
pub fn module_file(tool: Tool) -> String {
    let spec = tool.spec();
    let (import, execute) = match spec.host {
        ToolHost::Gateway => (
            "import { callGateway } from \"./lib/gateway\"",
            format!(
                "  async execute(given, context) {{\n    \
                     return callGateway({{ name: {}, version: {} }}, given, context)\n  }},",
                quoted(tool.as_str()),
                spec.version
            ),
        ),
        ToolHost::Sandbox => (
            "import { announce } from \"./lib/env_request\"",
            "  async execute(given) {\n    \
                 return announce(z.strictObject(args), given)\n  },"
                .to_owned(),
        ),
    };
    format!(
        "// Written by Proliferate when the sandbox starts; whatever is changed here is lost.\n\
         // {name}, version {version}.\n\
         import {{ tool }} from \"@opencode-ai/plugin\"\n\
         {import}\n\n\
         const z = tool.schema\n\n\
         const args = {members}\n\n\
         export default tool({{\n  description: {description},\n  args,\n{execute}\n}})\n",
        name = tool.as_str(),
        version = spec.version,
        members = members(spec.parameters, 0),
        description = quoted(spec.description),
    )
}

/// The text beside the module. The agent does not read it; users who inspect a sandbox do.
pub fn description_file(tool: Tool) -> String {
    format!("{}\n", tool.spec().description)
}

fn members(fields: &[Field], depth: usize) -> String {
    let mut text = "{\n".to_owned();
    let indent = "  ".repeat(depth + 1);
    for field in fields {
        let optional = if field.presence == Presence::Required {
            ""
        } else {
            ".optional()"
        };
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{indent}{}: {}{optional}.describe({}),",
            field.name,
            zod(&field.shape, depth + 1),
            quoted(&field.full_description())
        );
    }
    text.push_str(&"  ".repeat(depth));
    text.push('}');
    text
}

fn zod(shape: &Shape, depth: usize) -> String {
    match shape {
        Shape::Text { min, max, rule } => {
            let least = if *min > 0 {
                format!(".min({min})")
            } else {
                String::new()
            };
            let pattern = if *rule == Rule::EnvName {
                format!(".regex(/{ENV_NAME_PATTERN}/)")
            } else {
                String::new()
            };
            format!("z.string(){least}.max({max}){pattern}")
        }
        Shape::Flag => "z.boolean()".to_owned(),
        Shape::OneOf(words) => {
            let words: Vec<_> = words.iter().map(|word| quoted(word)).collect();
            format!("z.enum([{}])", words.join(", "))
        }
        Shape::List { of, min, max } => {
            let least = if *min > 0 {
                format!(".min({min})")
            } else {
                String::new()
            };
            format!("z.array({}){least}.max({max})", zod(of, depth))
        }
        Shape::Record(fields) => format!("z.strictObject({})", members(fields, depth)),
    }
}
