//! The table a measurement ends in.

use std::time::Duration;

use comfy_table::{CellAlignment, Table as Lines, presets::UTF8_FULL_CONDENSED};

use crate::load::LoadMeasurement;

/// Rows in the order they were measured.
#[derive(Debug, Default)]
pub(crate) struct Table(Vec<[String; 8]>);

impl Table {
    /// `direct` is the same work without us, measured in the same run, where there is such a thing.
    pub(crate) fn row(
        &mut self,
        name: &str,
        on: &str,
        load: &LoadMeasurement,
        direct: Option<&LoadMeasurement>,
    ) {
        let ratio = direct.map_or_else(
            || "-".to_owned(),
            |direct| format!("{:.2}", load.per_second() / direct.per_second()),
        );
        let row = [
            name.to_owned(),
            on.to_owned(),
            load.workers.to_string(),
            format!("{:.0}", load.per_second()),
            micros(load.quantile(0.50)),
            micros(load.quantile(0.99)),
            load.worked_us_each()
                .map_or_else(|| "-".to_owned(), |us| format!("{us} us")),
            ratio,
        ];
        eprint_row(&row);
        self.0.push(row);
    }

    /// How much later the slowest answers come than usually.
    pub(crate) fn ratio(
        &mut self,
        name: &str,
        on: &str,
        load: &LoadMeasurement,
        usual: &LoadMeasurement,
    ) {
        let [late, usually] = [load, usual].map(|of| of.quantile(0.99).max(1));
        let row = [
            name.to_owned(),
            on.to_owned(),
            load.workers.to_string(),
            format!("{:.0}", load.per_second()),
            micros(load.quantile(0.50)),
            micros(late),
            "-".to_owned(),
            times(late, usually),
        ];
        eprint_row(&row);
        self.0.push(row);
    }

    /// How much more memory this process has than usually.
    pub(crate) fn memory_ratio(&mut self, on: &str, bytes: u64, usually: u64) {
        let megabytes = format!("{} MB", bytes / 1024 / 1024);
        let ratio = times(bytes, usually.max(1));
        let row = ["memory", on, "-", "-", &megabytes, "-", "-", &ratio].map(str::to_owned);
        eprint_row(&row);
        self.0.push(row);
    }

    /// Work without requests: how many of it in a second, one after the other.
    pub(crate) fn rate(&mut self, name: &str, on: &str, count: u32, took: Duration) {
        let per_second = f64::from(count) / took.as_secs_f64();
        let (rate, each) = (format!("{per_second:.0}"), took / count.max(1));
        let each = format!("{} ns each", each.as_nanos());
        let row = [name, on, "1", &rate, &each, "-", "-", "-"].map(str::to_owned);
        eprint_row(&row);
        self.0.push(row);
    }

    /// What each of so many takes.
    pub(crate) fn bytes(&mut self, name: &str, on: &str, count: u32, bytes: u64) {
        let each = format!("{} KB each", bytes / u64::from(count.max(1)) / 1024);
        let row = [name, on, &count.to_string(), "-", &each, "-", "-", "-"].map(str::to_owned);
        eprint_row(&row);
        self.0.push(row);
    }

    /// Work that takes long, tried a few times: the middle one and the longest. `direct` is the same without us.
    pub(crate) fn tries(
        &mut self,
        name: &str,
        on: &str,
        at_once: usize,
        tries: Vec<Duration>,
        direct: Option<Vec<Duration>>,
    ) {
        let (middle, longest) = middle_and_longest(tries);
        let ratio = direct.map_or_else(
            || "-".to_owned(),
            |direct| {
                let (direct, _) = middle_and_longest(direct);
                format!("{:.2}", direct.as_secs_f64() / middle.as_secs_f64())
            },
        );
        let millis = |took: Duration| format!("{:.1} ms", took.as_secs_f64() * 1000.0);
        let row = [
            name.to_owned(),
            on.to_owned(),
            at_once.to_string(),
            "-".to_owned(),
            millis(middle),
            millis(longest),
            "-".to_owned(),
            ratio,
        ];
        eprint_row(&row);
        self.0.push(row);
    }

    #[expect(clippy::print_stdout, reason = "the table is what this program is for")]
    pub(crate) fn print(self) {
        let mut lines = Lines::new();
        lines.load_style(UTF8_FULL_CONDENSED);
        let head = [
            "question",
            "on",
            "at once",
            "per second",
            "p50",
            "p99",
            "processor",
            "of direct",
        ];
        lines.set_header(head);
        lines.add_rows(self.0);
        for column in lines.column_iter_mut().skip(2) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        println!("{lines}");
    }
}

fn middle_and_longest(mut tries: Vec<Duration>) -> (Duration, Duration) {
    tries.sort();
    let middle = tries.get(tries.len() / 2).copied().unwrap_or_default();
    (middle, tries.last().copied().unwrap_or_default())
}

/// Progress, since a measurement takes a while.
#[expect(clippy::print_stderr, reason = "progress of a run that takes minutes")]
fn eprint_row(row: &[String; 8]) {
    eprintln!("{}", row.join("  "));
}

fn times(one: u64, other: u64) -> String {
    let tenths = one * 10 / other;
    format!("{}.{} times", tenths / 10, tenths % 10)
}

fn micros(us: u64) -> String {
    if us >= 10_000 {
        return format!("{} ms", us / 1000);
    }
    format!("{us} us")
}
