//! A map whose entries expire, as Redis keys do. Owns expiry and the bound on entries; does not
//! read a clock: `now` is an argument, which `moka` does not allow; nor may an entry be evicted before it expires.
//!
//! INVARIANT: an expired entry is never visible, and expired entries do not accumulate.

use std::{collections::HashMap, hash::Hash, time::Duration};

use crate::error::Full;

/// Below this many entries looking for expired ones is not worth it.
const PURGE_MIN: usize = 64;

#[derive(Debug)]
pub(crate) struct Expiring<K, V> {
    entries: HashMap<K, Entry<V>>,
    entries_max: usize,
    /// Entries at which expired ones are removed. Doubles with the live ones, so that the cost per
    /// insertion is constant on average.
    purge_at: usize,
}

#[derive(Debug)]
struct Entry<V> {
    value: V,
    expires_at: Duration,
}

impl<K: Eq + Hash, V> Expiring<K, V> {
    pub(crate) fn new(entries_max: usize) -> Self {
        Self {
            entries: HashMap::new(),
            entries_max,
            purge_at: PURGE_MIN,
        }
    }

    /// The live value and its remaining life.
    pub(crate) fn get_mut(&mut self, key: &K, now: Duration) -> Option<(&mut V, Duration)> {
        let entry = self.entries.get_mut(key)?;
        (entry.expires_at > now).then(|| (&mut entry.value, entry.expires_at.saturating_sub(now)))
    }

    pub(crate) fn insert(
        &mut self,
        key: K,
        value: V,
        now: Duration,
        ttl: Duration,
    ) -> Result<(), Full> {
        if !self.entries.contains_key(&key) {
            self.make_room(now)?;
        }
        let expires_at = now.saturating_add(ttl);
        self.entries.insert(key, Entry { value, expires_at });
        Ok(())
    }

    /// Removes the entry; whether it was live.
    pub(crate) fn remove(&mut self, key: &K, now: Duration) -> bool {
        self.entries
            .remove(key)
            .is_some_and(|entry| entry.expires_at > now)
    }

    pub(crate) fn live(&self, now: Duration) -> impl Iterator<Item = &V> {
        self.entries
            .values()
            .filter(move |entry| entry.expires_at > now)
            .map(|entry| &entry.value)
    }

    fn make_room(&mut self, now: Duration) -> Result<(), Full> {
        if self.entries.len() < self.purge_at.min(self.entries_max) {
            return Ok(());
        }
        self.entries.retain(|_, entry| entry.expires_at > now);
        self.purge_at = (self.entries.len() * 2).max(PURGE_MIN);
        if self.entries.len() < self.entries_max {
            Ok(())
        } else {
            Err(Full {
                entries_max: self.entries_max,
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn an_entry_ends_with_its_life() {
        let mut map = Expiring::new(10);
        map.insert("a", 1, Duration::ZERO, SECOND).unwrap();
        let just_before = Duration::from_nanos(999_999_999);
        assert!(map.get_mut(&"a", just_before).is_some());
        assert!(map.get_mut(&"a", SECOND).is_none());
        assert!(!map.remove(&"a", SECOND));
    }

    #[test]
    fn expired_entries_make_room_and_live_ones_do_not() {
        let mut map = Expiring::new(3);
        for key in 0..3 {
            map.insert(key, (), Duration::ZERO, SECOND).unwrap();
        }
        assert!(map.insert(3, (), Duration::ZERO, SECOND).is_err());
        assert!(map.insert(2, (), Duration::ZERO, SECOND).is_ok());
        assert!(map.insert(3, (), SECOND, SECOND).is_ok());
        assert_eq!(map.entries.len(), 1);
    }

    #[test]
    fn expired_entries_do_not_pile_up() {
        let mut map = Expiring::new(1_000_000);
        for step in 0..10_000_u32 {
            map.insert(step, (), SECOND * step, SECOND).unwrap();
            assert!(map.entries.len() <= PURGE_MIN);
        }
    }
}
