//! Randomness that repeats for the same seed: SplitMix64, which is good enough to choose faults and to tell ids apart.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use domain::clock::Entropy;

/// One stream of choices. Clones draw from the same stream.
#[derive(Debug, Clone)]
pub(crate) struct Rng(Arc<Mutex<u64>>);

impl Rng {
    /// A stream of its own for each purpose, so that what one draws does not change what another does.
    pub(crate) fn new(seed: u64, purpose: u64) -> Self {
        let mixed = mix(seed ^ mix(purpose));
        Self(Arc::new(Mutex::new(mixed)))
    }

    pub(crate) fn next(&self) -> u64 {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(*state)
    }

    /// Below `end`, which must not be zero.
    pub(crate) fn below(&self, end: u64) -> u64 {
        self.next() % end
    }

    pub(crate) fn between(&self, from: u64, to: u64) -> u64 {
        from + self.below(to - from + 1)
    }

    pub(crate) fn millis(&self, from: u64, to: u64) -> Duration {
        Duration::from_millis(self.between(from, to))
    }

    /// So many times in a thousand.
    pub(crate) fn chance(&self, per_mille: u64) -> bool {
        self.below(1000) < per_mille
    }

    pub(crate) fn pick<T: Copy>(&self, of: &[T]) -> T {
        let index = usize::try_from(self.below(of.len() as u64)).unwrap_or_default();
        of[index]
    }
}

impl Entropy for Rng {
    fn fill(&self, buffer: &mut [u8]) {
        for chunk in buffer.chunks_mut(8) {
            let bytes = self.next().to_le_bytes();
            chunk.copy_from_slice(&bytes[..chunk.len()]);
        }
    }
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
