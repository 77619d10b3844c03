//! What is done to a world while the storm lasts.

use std::{sync::atomic::Ordering, time::Duration};

use super::World;
use crate::{link::Line, users};

const SECOND_MS: u64 = 1_000;
/// How long there may be no room for sandboxes after the storm: less than a session waits for its last try.
const FULL_MAX_MS: u64 = 60_000;

impl World {
    /// Something goes wrong, perhaps, in this much time.
    pub(crate) fn chaos(&mut self, length: Duration) {
        let millis = u64::try_from(length.as_millis()).unwrap_or_default();
        let rates = self.plan.rates;
        let happens = |rate: u64| self.rng.below(1_000 * SECOND_MS) < rate * millis;
        let (crash, pause) = (happens(rates.crash), happens(rates.pause));
        let (cut, outage) = (happens(rates.cut), happens(rates.outage));
        let (failover, strike) = (happens(rates.failover), happens(rates.strike));
        let (drain, moves) = (happens(rates.drain), happens(rates.moves));
        if crash {
            self.crash();
        }
        if pause {
            self.pause();
        }
        if cut {
            let line = self
                .rng
                .pick(&[Line::Store, Line::Coordination, Line::Agents]);
            let number = self.number();
            let until = self.now + self.rng.millis(500, 40_000);
            self.shared_parts
                .trace
                .fault("cut", format!("g{number} {line:?}"));
            self.gateway_slots[number].cut(line, until);
        }
        if outage {
            let line = self
                .rng
                .pick(&[Line::Store, Line::Coordination, Line::Coordination]);
            let until = self.now + self.rng.millis(500, 60_000);
            self.shared_parts.trace.fault("outage", format!("{line:?}"));
            for gateway_slot in &mut self.gateway_slots {
                gateway_slot.cut(line, until);
            }
        }
        if failover {
            self.shared_parts.trace.fault("failover", "keys are lost");
            self.shared_parts.coordination.fail_over();
        }
        if strike {
            let number = self.rng.next();
            if let Some(session) = self.shared_parts.sandbox_host.strike(number) {
                self.shared_parts.trace.fault("strike", session.to_string());
            }
        }
        if moves {
            self.have_moved();
        }
        if drain {
            let number = self.number();
            if self.gateway_slots[number].is_up() {
                self.shared_parts.trace.fault("drain", format!("g{number}"));
                let at_most = self.now + self.rng.millis(5_000, 30_000);
                self.gateway_slots[number].drain(&self.users.net, at_most);
            }
        }
    }

    /// A user requests a migration.
    fn have_moved(&self) {
        let sessions = self.users.ledger.sessions();
        let Some(index) = self.rng.next().checked_rem(sessions.len() as u64) else {
            return;
        };
        let session = sessions[usize::try_from(index).unwrap_or_default()];
        self.shared_parts.trace.fault("move", session.to_string());
        let moving = users::have_moved(self.users.clone(), session);
        self.outside.handle().spawn(moving);
    }

    fn crash(&mut self) {
        let number = self.number();
        self.shared_parts.trace.fault("crash", format!("g{number}"));
        let until = self.now + self.rng.millis(100, 40_000);
        self.gateway_slots[number].kill(&self.users.net, until);
    }

    /// Often longer than a lease.
    fn pause(&mut self) {
        let number = self.number();
        if self.gateway_slots[number].is_up() {
            self.shared_parts.trace.fault("pause", format!("g{number}"));
            let until = self.now + self.rng.millis(100, 60_000);
            self.gateway_slots[number].pause(until);
        }
    }

    fn number(&self) -> usize {
        usize::try_from(self.rng.below(self.gateway_slots.len() as u64)).unwrap_or_default()
    }

    /// The storm is over.
    pub(crate) fn calm(&mut self) {
        self.shared_parts.trace.note("calm");
        self.shared_parts.storm.store(false, Ordering::SeqCst);
        // Where sandboxes are, it may take longer: sessions have to wait for it by themselves.
        let full = self.rng.pick(&[0, 0, FULL_MAX_MS]);
        let until = self.now + self.rng.millis(0, full);
        self.shared_parts.sandbox_host.fill_until(until);
        for gateway_slot in &mut self.gateway_slots {
            gateway_slot.heal(self.now);
        }
    }
}
