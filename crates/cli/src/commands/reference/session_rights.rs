//! Who may see, steer, order, decide and share a session, as data: the dashboard shows the table from this file.

use domain::sharing::rights_table;
use serde_json::{Map, Value, json};

pub(super) fn render() -> String {
    let rows = rights_table().into_iter().map(|row| {
        let cells = row.cells.iter();
        let cells: Map<String, Value> = cells
            .map(|(right, cell)| (right.as_str().to_owned(), Value::from(*cell)))
            .collect();
        json!({ "relation": row.relation.as_str(), "title": row.title, "rights": cells })
    });
    format!("{:#}\n", Value::from(rows.collect::<Vec<_>>()))
}
