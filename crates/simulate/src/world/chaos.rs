//! What is done to a world while the storm lasts.

use std::{sync::atomic::Ordering, time::Duration};

use super::World;
use crate::{link::Line, people};

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
            self.commons
                .trace
                .fault("cut", format!("g{number} {line:?}"));
            self.seats[number].cut(line, until);
        }
        if outage {
            let line = self
                .rng
                .pick(&[Line::Store, Line::Coordination, Line::Coordination]);
            let until = self.now + self.rng.millis(500, 60_000);
            self.commons.trace.fault("outage", format!("{line:?}"));
            for seat in &mut self.seats {
                seat.cut(line, until);
            }
        }
        if failover {
            self.commons.trace.fault("failover", "keys are lost");
            self.commons.coordination.fail_over();
        }
        if strike {
            let number = self.rng.next();
            if let Some(session) = self.commons.yard.strike(number) {
                self.commons.trace.fault("strike", session.to_string());
            }
        }
        if moves {
            self.have_moved();
        }
        if drain {
            let number = self.number();
            if self.seats[number].is_up() {
                self.commons.trace.fault("drain", format!("g{number}"));
                let at_most = self.now + self.rng.millis(5_000, 30_000);
                self.seats[number].drain(&self.people.net, at_most);
            }
        }
    }

    /// A user requests a migration.
    fn have_moved(&self) {
        let sessions = self.people.ledger.sessions();
        let Some(index) = self.rng.next().checked_rem(sessions.len() as u64) else {
            return;
        };
        let session = sessions[usize::try_from(index).unwrap_or_default()];
        self.commons.trace.fault("move", session.to_string());
        let moving = people::have_moved(self.people.clone(), session);
        self.outside.handle().spawn(moving);
    }

    fn crash(&mut self) {
        let number = self.number();
        self.commons.trace.fault("crash", format!("g{number}"));
        let until = self.now + self.rng.millis(100, 40_000);
        self.seats[number].kill(&self.people.net, until);
    }

    /// Often longer than a lease.
    fn pause(&mut self) {
        let number = self.number();
        if self.seats[number].is_up() {
            self.commons.trace.fault("pause", format!("g{number}"));
            let until = self.now + self.rng.millis(100, 60_000);
            self.seats[number].pause(until);
        }
    }

    fn number(&self) -> usize {
        usize::try_from(self.rng.below(self.seats.len() as u64)).unwrap_or_default()
    }

    /// The storm is over.
    pub(crate) fn calm(&mut self) {
        self.commons.trace.note("calm");
        self.commons.storm.store(false, Ordering::SeqCst);
        // Where sandboxes are, it may take longer: sessions have to wait for it by themselves.
        let full = self.rng.pick(&[0, 0, FULL_MAX_MS]);
        let until = self.now + self.rng.millis(0, full);
        self.commons.yard.fill_until(until);
        for seat in &mut self.seats {
            seat.heal(self.now);
        }
    }
}
