//! Lists and records, declared as tables: a noun names its columns and its facts once, with how each is read from the type
//! of the API. How they are fetched and printed is the same for all nouns and is here: a table or lines for people, the
//! answer of the gateway as it is with `-o json`.

use chrono::{DateTime, Utc};
use serde::{Serialize, de::DeserializeOwned};
use wire::page::Page;

use crate::{
    client::{Client, EndpointArgs, PageArgs, Pages, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
    printer::{Output, Printer, printable},
};

/// A name, and how its value is read; `None` where there is nothing to show.
pub(crate) type Field<T> = (&'static str, fn(&T) -> Option<String>);
/// A name, and how all of its values are read.
pub(crate) type Repeated<T> = (&'static str, fn(&T) -> Vec<String>);

/// A list: a row for each item, and a dash in a cell with nothing to show.
#[derive(Debug)]
pub(crate) struct List<T: 'static> {
    pub(crate) columns: &'static [Field<T>],
    /// Said on stderr when there are no items.
    pub(crate) none: &'static str,
}

impl<T: 'static> List<T> {
    /// The page as it is for programs; for people a table, and how to see the next page.
    pub(crate) fn print_page(&self, printer: Printer, page: &Page<T>)
    where
        T: Serialize,
    {
        if printer.output == Output::Json {
            return printer.json(page);
        }
        self.print_table(printer, &page.items);
        printer.more(page.next_cursor.as_deref());
    }

    /// The table alone.
    pub(crate) fn print_table<'a>(&self, printer: Printer, items: impl IntoIterator<Item = &'a T>) {
        let headings: Vec<&str> = self.columns.iter().map(|(name, _)| *name).collect();
        let rows: Vec<_> = items.into_iter().map(|item| self.row(item)).collect();
        printer.table(&headings, &rows, self.none);
    }

    fn row(&self, item: &T) -> Vec<String> {
        let cell = |(_, read): &Field<T>| read(item).unwrap_or_else(|| "-".to_owned());
        self.columns.iter().map(cell).collect()
    }
}

/// A record: a line for each fact that is there.
#[derive(Debug)]
pub(crate) struct Record<T: 'static> {
    pub(crate) facts: &'static [Field<T>],
    /// Below the facts: names with a line for each of their values.
    pub(crate) repeated: &'static [Repeated<T>],
}

impl<T: 'static> Record<T> {
    /// The value as it is for programs, its lines for people.
    pub(crate) fn print(&self, printer: Printer, value: &T)
    where
        T: Serialize,
    {
        printer.result(value, |value| self.text(value));
    }

    pub(crate) fn text(&self, value: &T) -> String {
        self.lines(value).join("\n")
    }

    pub(crate) fn lines(&self, value: &T) -> Vec<String> {
        let facts = self.facts.iter();
        let facts = facts.filter_map(|(name, read)| Some(line(name, &read(value)?)));
        let repeated = self.repeated.iter();
        let repeated = repeated.flat_map(|(name, read)| {
            let values = read(value).into_iter();
            values.map(|value| line(name, &value))
        });
        facts.chain(repeated).collect()
    }
}

/// A fact on its line: the name, and beside it the value, which came from elsewhere.
fn line(name: &str, value: &str) -> String {
    format!("{name:<14} {}", printable(value))
}

/// Runs a command that lists: fetches one page and prints it.
pub(crate) async fn run_list<T, Q>(
    context: &Context,
    endpoint: EndpointArgs,
    path: &str,
    page: PageArgs,
    query: impl Fn(PageArgs) -> Q,
    list: &List<T>,
) -> Outcome
where
    T: Serialize + DeserializeOwned + 'static,
    Q: Serialize,
{
    let client = connect(context, endpoint)?;
    list_from(context, &client, path, page, query, list).await
}

/// The same with a client that has looked something up already.
pub(crate) async fn list_from<T, Q>(
    context: &Context,
    client: &Client,
    path: &str,
    page: PageArgs,
    query: impl Fn(PageArgs) -> Q,
    list: &List<T>,
) -> Outcome
where
    T: Serialize + DeserializeOwned + 'static,
    Q: Serialize,
{
    let page = client.pages(path, Pages::One(page), query).await?;
    list.print_page(context.printer, &page);
    Ok(Exit::Ok)
}

/// Runs a command that shows: fetches one value and prints its record.
pub(crate) async fn run_show<T>(
    context: &Context,
    endpoint: EndpointArgs,
    path: &str,
    record: &Record<T>,
) -> Outcome
where
    T: Serialize + DeserializeOwned + 'static,
{
    show_from(context, &connect(context, endpoint)?, path, record).await
}

/// The same with a client that has looked something up already.
pub(crate) async fn show_from<T>(
    context: &Context,
    client: &Client,
    path: &str,
    record: &Record<T>,
) -> Outcome
where
    T: Serialize + DeserializeOwned + 'static,
{
    let value: T = client.get(path, &()).await?;
    record.print(context.printer, &value);
    Ok(Exit::Ok)
}

/// A value that is always there.
#[allow(
    clippy::unnecessary_wraps,
    reason = "a field's reader may find nothing"
)]
pub(crate) fn text(value: &(impl ToString + ?Sized)) -> Option<String> {
    Some(value.to_string())
}

/// A value that may be absent.
pub(crate) fn optional(value: Option<&impl ToString>) -> Option<String> {
    value.map(ToString::to_string)
}

/// Names one after another; absent when there are none.
pub(crate) fn joined<V: ToString>(values: impl IntoIterator<Item = V>) -> Option<String> {
    let values: Vec<String> = values.into_iter().map(|value| value.to_string()).collect();
    (!values.is_empty()).then(|| values.join(", "))
}

pub(crate) const fn yes_or_no(is: bool) -> &'static str {
    if is { "yes" } else { "no" }
}

/// A time to the second, in UTC.
pub(crate) fn seconds(at: DateTime<Utc>) -> String {
    at.format("%Y-%m-%d %H:%M:%S").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fruit {
        name: &'static str,
        color: Option<&'static str>,
        seeds: Vec<u32>,
    }

    const LIST: List<Fruit> = List {
        columns: &[
            ("NAME", |fruit| text(&fruit.name)),
            ("COLOR", |fruit| optional(fruit.color.as_ref())),
        ],
        none: "no fruit",
    };
    const RECORD: Record<Fruit> = Record {
        facts: LIST.columns,
        repeated: &[("seed", |fruit| {
            fruit.seeds.iter().map(ToString::to_string).collect()
        })],
    };

    #[test]
    fn a_missing_value_is_a_dash_in_a_row_and_no_line_of_a_record() {
        let mut fruit = Fruit {
            name: "pear\u{1b}",
            color: None,
            seeds: vec![3, 5],
        };
        assert_eq!(LIST.row(&fruit), ["pear\u{1b}", "-"]);
        let lines = [
            "NAME           pear\\u{1b}",
            "seed           3",
            "seed           5",
        ];
        assert_eq!(RECORD.lines(&fruit), lines);
        fruit.color = Some("green");
        assert_eq!(LIST.row(&fruit)[1], "green");
        assert_eq!(RECORD.lines(&fruit)[1], "COLOR          green");
    }
}
