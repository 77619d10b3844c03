//! The names of the operations, by method and route.

use std::collections::HashMap;

use axum::http::Method;
use utoipa::openapi::{OpenApi, PathItem, path::Operation};

/// The operations of the routes.
#[derive(Debug)]
pub(crate) struct Operations(HashMap<(Method, String), String>);

impl Operations {
    /// Returns those of a document.
    pub(crate) fn of(document: &OpenApi) -> Self {
        let items = document.paths.paths.iter();
        let named = items.flat_map(|(path, item)| {
            operations_of(item).filter_map(|(method, operation)| {
                let id = operation.operation_id.clone()?;
                Some(((method, path.clone()), id))
            })
        });
        Self(named.collect())
    }

    /// Returns the name of the operation.
    pub(super) fn find(&self, method: &Method, route: &str) -> Option<&str> {
        let name = self.0.get(&(method.clone(), route.to_owned()))?;
        Some(name.as_str())
    }
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
