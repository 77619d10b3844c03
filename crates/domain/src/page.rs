//! Pages of a list: newest first, continued by a cursor rather than an offset, so that a page
//! neither repeats nor skips a row when rows arrive in between.

use crate::{
    invalid::Invalid,
    limits::{PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX},
};

/// Which slice of a list: at most `limit` rows whose id sorts before `before`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageRequest<Id> {
    pub before: Option<Id>,
    pub limit: u32,
}

impl<Id> PageRequest<Id> {
    pub fn new(before: Option<Id>, limit: Option<u32>) -> Result<Self, Invalid> {
        let limit = limit.unwrap_or(PAGE_SIZE_DEFAULT);
        if limit == 0 || limit > PAGE_SIZE_MAX {
            return Err(Invalid::new(
                "limit",
                format!("must be between 1 and {PAGE_SIZE_MAX}"),
            ));
        }
        Ok(Self { before, limit })
    }

    /// One more than asked for, to learn whether another page follows.
    pub fn fetch_limit(&self) -> i64 {
        i64::from(self.limit) + 1
    }

    /// Cuts what `fetch_limit` brought down to the page and names the cursor of the next one.
    pub fn page<T>(&self, mut rows: Vec<T>, id: impl Fn(&T) -> Id) -> Page<T, Id> {
        let size = self.limit as usize;
        let more = rows.len() > size;
        rows.truncate(size);
        let next = rows.last().filter(|_| more).map(id);
        Page { items: rows, next }
    }
}

/// One page and, if more follow, the cursor that continues it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T, Id> {
    pub items: Vec<T>,
    pub next: Option<Id>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_page_followed_by_more_has_a_cursor() {
        let request = PageRequest::<u32>::new(None, Some(2)).unwrap();
        let page = request.page(vec![9, 8, 7], |n| *n);
        assert_eq!(
            page,
            Page {
                items: vec![9, 8],
                next: Some(8)
            }
        );
        assert_eq!(request.page(vec![9, 8], |n| *n).next, None);
        assert_eq!(request.page(vec![], |n: &u32| *n).next, None);
    }

    #[test]
    fn the_size_is_bounded() {
        assert!(PageRequest::<u32>::new(None, Some(0)).is_err());
        assert!(PageRequest::<u32>::new(None, Some(101)).is_err());
        assert_eq!(PageRequest::<u32>::new(None, None).unwrap().limit, 50);
    }
}
