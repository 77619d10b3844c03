//! Lists in pages, for every command that has one.

/// Which page of a list.
#[derive(Debug, clap::Args)]
pub(crate) struct PageArgs {
    /// How many at most, 1 to 100 (default 50)
    #[arg(long, value_name = "NUMBER")]
    pub(crate) limit: Option<u32>,
    /// Continue where an earlier page ended
    #[arg(long)]
    pub(crate) cursor: Option<String>,
}
