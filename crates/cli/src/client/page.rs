//! Lists in pages: which page a command asks for, and reading one of them or all.

use domain::limits::PAGE_SIZE_MAX;
use serde::{Serialize, de::DeserializeOwned};
use wire::page::{ListQuery, Page};

use super::Client;
use crate::failure::Failure;

/// Pages that are read where all are asked for: a million items. Beyond it, a program should use the API.
const PAGES_MAX: u32 = 10_000;

/// Which page of a list.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct PageArgs {
    /// How many at most, 1 to 100 (default 50)
    #[arg(long, value_name = "NUMBER")]
    pub(crate) limit: Option<u32>,
    /// Continue where an earlier page ended
    #[arg(long)]
    pub(crate) cursor: Option<String>,
}

/// The query of a list that has no filters.
impl From<PageArgs> for ListQuery {
    fn from(page: PageArgs) -> Self {
        Self {
            cursor: page.cursor,
            limit: page.limit,
        }
    }
}

/// What is read of a list.
#[derive(Debug)]
pub(crate) enum Pages {
    One(PageArgs),
    All,
}

impl Client {
    /// Reads one page of a list, or all of it as one page. `query` adds the filters of the list.
    pub(crate) async fn pages<T: DeserializeOwned, Q: Serialize>(
        &self,
        path: &str,
        pages: Pages,
        query: impl Fn(PageArgs) -> Q,
    ) -> Result<Page<T>, Failure> {
        let (mut next, pages_max) = match pages {
            Pages::One(page) => (page, 1),
            Pages::All => {
                let first = PageArgs {
                    limit: Some(PAGE_SIZE_MAX),
                    cursor: None,
                };
                (first, PAGES_MAX)
            }
        };
        let mut items = Vec::new();
        let mut pages = 0;
        loop {
            let page: Page<T> = self.get(path, &query(next.clone())).await?;
            items.extend(page.items);
            pages += 1;
            next.cursor = page.next_cursor;
            if next.cursor.is_none() || pages == pages_max {
                let next_cursor = next.cursor;
                return Ok(Page { items, next_cursor });
            }
        }
    }
}
