//! The model usage of a session: tokens, their cost, and whether the budget is used up. Money is whole
//! micro-dollars; a dollar for a million tokens is one of them for a token.

use crate::{
    invalid::Invalid,
    limits::{MODEL_BUDGET_MICRO_USD_MAX, MODEL_TOKENS_COUNTED_MAX},
};

/// Nano-dollars for a token, of each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Price {
    input: i64,
    output: i64,
    cache_read: i64,
    cache_write: i64,
}

impl Price {
    /// From dollars for a million tokens. What is read from the provider's cache costs a tenth of input, what is
    /// written to it a quarter more.
    pub const fn of(input: i64, output: i64) -> Self {
        Self {
            input: input * 1000,
            output: output * 1000,
            cache_read: input * 100,
            cache_write: input * 1250,
        }
    }

    /// What the tokens cost, in micro-dollars, rounded up.
    pub const fn cost(self, tokens: Tokens) -> i64 {
        let nano = self.input * tokens.input
            + self.output * tokens.output
            + self.cache_read * tokens.cache_read
            + self.cache_write * tokens.cache_write;
        (nano + 999) / 1000
    }
}

/// Tokens of one request, or of many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tokens {
    /// Not from the cache.
    pub input: i64,
    pub output: i64,
    pub cache_read: i64,
    pub cache_write: i64,
}

impl Tokens {
    /// The larger of each kind: a stream reports running totals, some of them twice.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self {
            input: self.input.max(other.input),
            output: self.output.max(other.output),
            cache_read: self.cache_read.max(other.cache_read),
            cache_write: self.cache_write.max(other.cache_write),
        }
    }

    /// Usage as reported from outside, clamped to plausible values.
    #[must_use]
    pub fn bounded(self) -> Self {
        let bounded = |count: i64| count.clamp(0, MODEL_TOKENS_COUNTED_MAX);
        Self {
            input: bounded(self.input),
            output: bounded(self.output),
            cache_read: bounded(self.cache_read),
            cache_write: bounded(self.cache_write),
        }
    }
}

/// The usage so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    pub requests: i64,
    /// Those of them whose response was interrupted before it reported its usage: estimated by the
    /// bytes sent.
    pub estimated: i64,
    pub tokens: Tokens,
    pub cost_micro_usd: i64,
}

impl Usage {
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            requests: self.requests + other.requests,
            estimated: self.estimated + other.estimated,
            tokens: Tokens {
                input: self.tokens.input + other.tokens.input,
                output: self.tokens.output + other.tokens.output,
                cache_read: self.tokens.cache_read + other.tokens.cache_read,
                cache_write: self.tokens.cache_write + other.tokens.cache_write,
            },
            cost_micro_usd: self.cost_micro_usd + other.cost_micro_usd,
        }
    }
}

impl Usage {
    /// The difference between this and the other, for counters that only grow.
    #[must_use]
    pub fn beyond(self, other: Self) -> Self {
        let more = |all: i64, known: i64| (all - known).max(0);
        Self {
            requests: more(self.requests, other.requests),
            estimated: more(self.estimated, other.estimated),
            tokens: Tokens {
                input: more(self.tokens.input, other.tokens.input),
                output: more(self.tokens.output, other.tokens.output),
                cache_read: more(self.tokens.cache_read, other.tokens.cache_read),
                cache_write: more(self.tokens.cache_write, other.tokens.cache_write),
            },
            cost_micro_usd: more(self.cost_micro_usd, other.cost_micro_usd),
        }
    }
}

/// What a session may spend on its model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Budget {
    Unlimited,
    MicroUsd(i64),
}

impl Budget {
    pub const fn limit(self) -> Option<i64> {
        match self {
            Self::Unlimited => None,
            Self::MicroUsd(limit) => Some(limit),
        }
    }

    /// Rejects implausible values.
    pub fn validate(self, field: &str) -> Result<(), Invalid> {
        let bounds = 0..=MODEL_BUDGET_MICRO_USD_MAX;
        if self.limit().is_some_and(|limit| !bounds.contains(&limit)) {
            let why = format!("must be from 0 to {MODEL_BUDGET_MICRO_USD_MAX}, or null for none");
            return Err(Invalid::new(field, why));
        }
        Ok(())
    }

    /// Whether the budget is used up.
    pub const fn is_reached(self, spent: i64) -> bool {
        match self {
            Self::Unlimited => false,
            Self::MicroUsd(limit) => spent >= limit,
        }
    }

    /// The range of spending at which this budget stopped sessions and the other, in its place, resumes them. `None`
    /// if it resumes none.
    pub fn released_by(self, other: Self) -> Option<std::ops::RangeInclusive<i64>> {
        let stopped = self.limit()?;
        let last = other.limit().map_or(i64::MAX, |limit| limit - 1);
        (stopped <= last).then_some(stopped..=last)
    }

    /// Whether spending `more` on top of `before` is what reached it. True once.
    pub const fn is_reached_by(self, before: i64, more: i64) -> bool {
        !self.is_reached(before) && self.is_reached(before + more)
    }
}

impl From<Option<i64>> for Budget {
    fn from(limit: Option<i64>) -> Self {
        limit.map_or(Self::Unlimited, Self::MicroUsd)
    }
}

/// Digits of a millionth.
const PLACES: usize = 6;

/// Parses dollars, `5` or `2.50`, to micro-dollars. `None` for an amount that a budget cannot have.
pub fn micro_usd(text: &str) -> Option<i64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole) || !digits(part) || part.len() > PLACES || whole.len() > 7 {
        return None;
    }
    let micro: i64 = format!("{whole}{part:0<PLACES$}").parse().ok()?;
    (micro <= MODEL_BUDGET_MICRO_USD_MAX).then_some(micro)
}

/// Formats micro-dollars as dollars: `2.50`, with more digits only where needed.
pub fn dollars(micro_usd: i64) -> String {
    let (whole, rest) = (micro_usd / 1_000_000, (micro_usd % 1_000_000).abs());
    let places = format!("{rest:06}");
    let places = places.trim_end_matches('0');
    format!("${whole}.{places:0<2}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{MODELS, Model};

    fn tokens(input: i64, output: i64, cache_read: i64, cache_write: i64) -> Tokens {
        Tokens {
            input,
            output,
            cache_read,
            cache_write,
        }
    }

    #[test]
    fn a_million_tokens_of_each_kind_cost_what_the_price_list_says() {
        const M: i64 = 1_000_000;
        // Micro-dollars: input, output, cache read, cache write.
        let table = [
            (Model::ClaudeOpus46, [5 * M, 25 * M, M / 2, 6_250_000]),
            (Model::ClaudeOpus45, [5 * M, 25 * M, M / 2, 6_250_000]),
            (Model::ClaudeSonnet4, [3 * M, 15 * M, 300_000, 3_750_000]),
        ];
        assert_eq!(table.len(), MODELS.len());
        for (model, [input, output, read, write]) in table {
            let price = model.spec().price;
            assert_eq!(price.cost(tokens(M, 0, 0, 0)), input, "{model:?}");
            assert_eq!(price.cost(tokens(0, M, 0, 0)), output, "{model:?}");
            assert_eq!(price.cost(tokens(0, 0, M, 0)), read, "{model:?}");
            assert_eq!(price.cost(tokens(0, 0, 0, M)), write, "{model:?}");
        }
    }

    #[test]
    fn a_part_of_a_micro_dollar_is_a_whole_one_and_the_most_does_not_overflow() {
        let price = Price::of(5, 25);
        assert_eq!(price.cost(Tokens::default()), 0);
        assert_eq!(price.cost(tokens(0, 0, 1, 0)), 1);
        assert_eq!(price.cost(tokens(1, 1, 1, 1)), 37);
        let most = Tokens {
            input: i64::MAX,
            output: i64::MAX,
            cache_read: i64::MAX,
            cache_write: -1,
        };
        assert!(price.cost(most.bounded()) > 0);
        assert_eq!(most.bounded().cache_write, 0);
    }

    #[test]
    fn a_budget_is_reached_once() {
        let budget = Budget::from(Some(100));
        let table = [
            (0, 99, false),
            (0, 100, true),
            (99, 1, true),
            (99, 50, true),
            (100, 1, false),
            (100, 0, false),
        ];
        for (before, more, reached) in table {
            assert_eq!(
                budget.is_reached_by(before, more),
                reached,
                "{before} {more}"
            );
        }
        assert!(Budget::from(Some(0)).is_reached(0));
        assert!(!Budget::from(None).is_reached(i64::MAX));
    }

    #[test]
    fn a_raised_budget_lets_those_go_on_that_it_had_stopped() {
        let table = [
            (Some(5), Some(7), Some(5..=6)),
            (Some(5), None, Some(5..=i64::MAX)),
            (Some(0), Some(1), Some(0..=0)),
            (Some(5), Some(5), None),
            (Some(5), Some(4), None),
            (None, Some(5), None),
            (None, None, None),
        ];
        for (before, after, released) in table {
            let found = Budget::from(before).released_by(Budget::from(after));
            assert_eq!(found, released, "{before:?} {after:?}");
        }
    }

    #[test]
    fn dollars_are_written_as_people_write_them() {
        for (micro, text) in [
            (0, "$0.00"),
            (2_500_000, "$2.50"),
            (1, "$0.000001"),
            (12_345_600, "$12.3456"),
        ] {
            assert_eq!(dollars(micro), text);
            assert_eq!(micro_usd(&text[1..]), Some(micro), "{text}");
        }
        for (text, micro) in [("5", 5_000_000), ("1000000", 1_000_000_000_000)] {
            assert_eq!(micro_usd(text), Some(micro), "{text}");
        }
        for none in [
            "",
            ".5",
            "5.",
            "-1",
            "1e3",
            "$5",
            "0.0000001",
            "1000001",
            "none",
        ] {
            assert_eq!(micro_usd(none), None, "{none}");
        }
    }
}
