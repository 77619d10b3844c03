//! The names of the operations, by method and route.

use std::{collections::HashMap, sync::LazyLock};

use axum::http::Method;
use utoipa::openapi::{PathItem, path::Operation};

use crate::router::documented;

/// Those of every route, read from the OpenAPI document by the first request that is refused.
static NAMES: LazyLock<HashMap<(Method, String), String>> = LazyLock::new(|| {
    let items = documented().paths.paths;
    let named = items.iter().flat_map(|(path, item)| {
        operations_of(item).filter_map(|(method, operation)| {
            let id = operation.operation_id.clone()?;
            Some(((method, path.clone()), id))
        })
    });
    named.collect()
});

/// Returns the name of the operation.
pub(super) fn operation_name(method: &Method, route: &str) -> Option<&'static str> {
    let name = NAMES.get(&(method.clone(), route.to_owned()))?;
    Some(name.as_str())
}

/// The operations of one path, with their methods.
pub(crate) fn operations_of(item: &PathItem) -> impl Iterator<Item = (Method, &Operation)> {
    let operations = [
        (Method::GET, &item.get),
        (Method::HEAD, &item.head),
        (Method::POST, &item.post),
        (Method::PUT, &item.put),
        (Method::PATCH, &item.patch),
        (Method::DELETE, &item.delete),
        (Method::OPTIONS, &item.options),
    ];
    let operations = operations.into_iter();
    operations.filter_map(|(method, operation)| Some((method, operation.as_ref()?)))
}
