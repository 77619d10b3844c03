//! Pages of a list and the query for one.

use std::{fmt::Display, str::FromStr};

use domain::{
    Invalid,
    page::{Page as DomainPage, PageRequest},
};
use serde::{Deserialize, Serialize};
use utoipa::{
    IntoParams, ToSchema,
    openapi::{Ref, schema::Array},
};

/// One page of a list, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Page<T> {
    #[schema(schema_with = list_of::<T>)]
    pub items: Vec<T>,
    /// Pass it as `cursor` to get the next page; absent on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "0192f0c1-2345-7abc-8def-0123456789ab")]
    pub next_cursor: Option<String>,
}

/// Refers to the entry's schema by name; derived, it would be repeated inside every page. The schema
/// itself is in the document through a route that returns a single entry.
fn list_of<T: ToSchema>() -> Array {
    Array::new(Ref::from_schema_name(T::name()))
}

impl<T> Page<T> {
    pub fn from_domain<D: Into<T>, Id: Display>(page: DomainPage<D, Id>) -> Self {
        Self {
            items: page.items.into_iter().map(Into::into).collect(),
            next_cursor: page.next.map(|id| id.to_string()),
        }
    }
}

/// Which page of a list that has no filters.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// `nextCursor` of the page before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// How many entries at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(minimum = 1, maximum = 100, default = 50)]
    pub limit: Option<u32>,
}

impl ListQuery {
    pub fn page_request<Id: FromStr>(&self) -> Result<PageRequest<Id>, Invalid> {
        page_request(self.cursor.as_deref(), self.limit)
    }
}

/// Checks the two members every list query has.
pub fn page_request<Id: FromStr>(
    cursor: Option<&str>,
    limit: Option<u32>,
) -> Result<PageRequest<Id>, Invalid> {
    let refuse = |_| {
        Invalid::new(
            "cursor",
            "is not a cursor of this list; omit it to start with the first page",
        )
    };
    let before = cursor.map(str::parse).transpose().map_err(refuse)?;
    PageRequest::new(before, limit)
}

#[cfg(test)]
mod tests {
    use domain::id::SessionId;

    use super::*;

    #[test]
    fn a_page_carries_its_cursor_only_when_more_follow() {
        let page = Page::<u64>::from_domain(DomainPage {
            items: vec![9_u32, 8],
            next: Some(8_u32),
        });
        assert_eq!(
            serde_json::to_string(&page).unwrap(),
            r#"{"items":[9,8],"nextCursor":"8"}"#
        );
        let last = Page::<u64>::from_domain(DomainPage::<u32, u32> {
            items: vec![],
            next: None,
        });
        assert_eq!(serde_json::to_string(&last).unwrap(), r#"{"items":[]}"#);
    }

    #[test]
    fn cursors_and_limits_are_checked() {
        let query = |cursor: Option<&str>, limit| {
            let cursor = cursor.map(Into::into);
            ListQuery { cursor, limit }
                .page_request::<SessionId>()
                .map_err(|e| e.field)
        };
        assert_eq!(
            query(None, None).unwrap().limit,
            domain::limits::PAGE_SIZE_DEFAULT
        );
        assert!(query(Some("0192f0c1-2345-7abc-8def-0123456789ab"), Some(100)).is_ok());
        assert_eq!(query(Some("2"), None), Err("cursor".to_owned()));
        assert_eq!(query(None, Some(101)), Err("limit".to_owned()));
        assert!(serde_json::from_str::<ListQuery>(r#"{"offset":3}"#).is_err());
    }
}
