//! What a seed means: how large the world is, how long the storm lasts, and how often what goes wrong.

use std::time::Duration;

use crate::rng::Rng;

/// Of one world.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) gateways: usize,
    pub(crate) sessions: u64,
    pub(crate) prompts: u64,
    pub(crate) actions: u64,
    pub(crate) watchers: u64,
    /// Calls of the grant that is there from the beginning.
    pub(crate) granted: u32,
    pub(crate) storm: Duration,
    /// How often each of them happens, in a thousand seconds.
    pub(crate) rates: Rates,
    /// Calls of each agent's tools.
    pub(crate) tools: u64,
    /// How long sandboxes live, if not for ever: their sessions move five minutes before.
    pub(crate) lifetime: Option<Duration>,
    /// Of a thousand things that are asked of the provider, how many fail.
    pub(crate) clumsy: u64,
    /// Of a thousand agents, how many never come up.
    pub(crate) stillborn: u64,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Rates {
    pub(crate) crash: u64,
    pub(crate) pause: u64,
    pub(crate) cut: u64,
    pub(crate) outage: u64,
    pub(crate) failover: u64,
    pub(crate) strike: u64,
    pub(crate) drain: u64,
    /// Of requested migrations.
    pub(crate) moves: u64,
}

impl Plan {
    pub(crate) fn of(seed: u64) -> Self {
        let rng = Rng::new(seed, 1);
        let few = |from, to| rng.between(from, to);
        // Each seed has its own mixture, so that some see much of one thing.
        let rate = || match rng.below(4) {
            0 => 0,
            1 => rng.between(1, 10),
            2 => rng.between(10, 30),
            _ => rng.between(30, 80),
        };
        Self {
            gateways: usize::try_from(few(2, 4)).unwrap_or(2),
            sessions: few(1, 4),
            prompts: few(3, 16),
            actions: few(4, 24),
            watchers: few(1, 2),
            granted: u32::try_from(few(1, 6)).unwrap_or(1),
            storm: Duration::from_secs(few(60, 180)),
            rates: Rates {
                crash: rate(),
                pause: rate(),
                cut: rate(),
                outage: rate() / 3,
                failover: rate() / 2,
                strike: rate() / 3,
                drain: rate() / 2,
                moves: 2 * rate(),
            },
            tools: few(0, 8),
            lifetime: rng
                .pick(&[None, None, Some(6), Some(8)])
                .map(Duration::from_mins),
            clumsy: rng.pick(&[0, 15, 15, 80]),
            stillborn: rng.pick(&[0, 0, 100, 400]),
        }
    }
}
