//! As much of GraphQL as a client's constant documents use: one operation, fields with arguments, nested
//! selections. It exists so that the stand-in answers with the fields that were asked for and no others.

use serde_json::{Map, Value};

/// A field with what is wanted below it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) below: Vec<Field>,
}

/// The kind of an operation and its fields, or where reading stopped.
pub(super) fn read(document: &str) -> Result<(String, Vec<Field>), String> {
    let mut words = words(document);
    words.reverse();
    let kind = words.pop().unwrap_or_default();
    if !matches!(kind.as_str(), "query" | "mutation") {
        return Err(format!("Syntax Error: Unexpected {kind:?}."));
    }
    // A name and the variables' types.
    while words.last().is_some_and(|word| word != "{") {
        let word = words.pop();
        if word.as_deref() == Some("(") {
            skip_arguments(&mut words)?;
        }
    }
    let fields = selection(&mut words)?;
    match words.pop() {
        None => Ok((kind, fields)),
        Some(word) => Err(format!("Syntax Error: Unexpected {word:?}.")),
    }
}

fn selection(words: &mut Vec<String>) -> Result<Vec<Field>, String> {
    let end = || "Syntax Error: Unexpected <EOF>.".to_owned();
    if words.pop().as_deref() != Some("{") {
        return Err(end());
    }
    let mut fields = Vec::new();
    loop {
        let name = words.pop().ok_or_else(end)?;
        if name == "}" {
            return Ok(fields);
        }
        if !name.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
            return Err(format!("Syntax Error: Expected Name, found {name:?}."));
        }
        if words.last().is_some_and(|word| word == "(") {
            words.pop();
            skip_arguments(words)?;
        }
        let below = match words.last() {
            Some(word) if word == "{" => selection(words)?,
            _ => Vec::new(),
        };
        fields.push(Field { name, below });
    }
}

/// Up to the closing one of a parenthesis that was opened.
fn skip_arguments(words: &mut Vec<String>) -> Result<(), String> {
    loop {
        match words.pop().as_deref() {
            Some(")") => return Ok(()),
            Some("{" | "}") | None => return Err("Syntax Error: Unexpected token.".to_owned()),
            Some(_) => {}
        }
    }
}

fn words(document: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    for letter in document.chars() {
        let belongs = letter.is_ascii_alphanumeric() || letter == '_';
        match words.last_mut() {
            Some(word) if belongs && open => word.push(letter),
            _ if letter.is_whitespace() || letter == ',' => {}
            _ => words.push(letter.to_string()),
        }
        open = belongs;
    }
    words
}

/// Of a value what was selected; an error names a field that it does not have.
pub(super) fn select(value: &Value, fields: &[Field]) -> Result<Value, String> {
    match value {
        Value::Array(items) => items.iter().map(|item| select(item, fields)).collect(),
        Value::Object(members) => {
            let mut selected = Map::new();
            for Field { name, below } in fields {
                let Some(member) = members.get(name) else {
                    return Err(format!("Cannot query field {name:?}."));
                };
                selected.insert(name.clone(), select(member, below)?);
            }
            if fields.is_empty() {
                return Err("A field of an object type must have a selection.".to_owned());
            }
            Ok(Value::Object(selected))
        }
        other => Ok(other.clone()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{read, select};

    #[test]
    fn a_document_is_read_and_selects() {
        let document = "query Get($id: String!, $n: Int) { issue(id: $id) { id state { name } } }";
        let (kind, fields) = read(document).unwrap();
        assert_eq!((kind.as_str(), fields[0].name.as_str()), ("query", "issue"));
        let issue = json!({"id": "1", "title": "x", "state": {"id": "2", "name": "open"}});
        let selected = select(&issue, &fields[0].below);
        assert_eq!(selected, Ok(json!({"id": "1", "state": {"name": "open"}})));
    }

    #[test]
    fn mistakes_are_found() {
        for bad in [
            "",
            "query",
            "{ a }",
            "query { a",
            "query { a } }",
            "query { a(b: 1 }",
            "query { 1 }",
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
        let (_, fields) = read("query { issue { gone } }").unwrap();
        assert!(select(&json!({"id": 1}), &fields[0].below).is_err());
        assert!(select(&json!({"id": 1}), &[]).is_err());
    }
}
