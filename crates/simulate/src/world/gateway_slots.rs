//! The places of gateways: each has one process, or none for a while.

use std::time::Duration;

use tokio::task::JoinHandle;

use crate::{
    gateway::Gateway,
    link::Line,
    net::{Entry, Net},
    rng::Rng,
    shared_parts::SharedParts,
};

#[derive(Debug)]
pub(super) struct GatewaySlot {
    pub(super) number: usize,
    lives: u64,
    skew_ms: i64,
    standing: Standing,
    /// Lines that are cut, and until when.
    cuts: Vec<(Line, Duration)>,
}

#[derive(Debug)]
enum Standing {
    Up(Box<Gateway>),
    /// Stopped where it stands; its clients wait.
    Paused(Box<Gateway>, Duration),
    /// On its way out in order, at most until then.
    Draining(Box<Gateway>, JoinHandle<()>, Duration),
    Down(Duration),
}

impl GatewaySlot {
    pub(super) fn new(number: usize, rng: &Rng) -> Self {
        let millis = rng.pick(&[0_i64, 10, 700, 5_000]);
        let skew_ms = if rng.chance(500) { millis } else { -millis };
        Self {
            number,
            lives: 0,
            skew_ms,
            standing: Standing::Down(Duration::ZERO),
            cuts: Vec::new(),
        }
    }

    pub(super) fn start(&mut self, shared_parts: &SharedParts, net: &Net) {
        let gateway = Gateway::start(shared_parts, self.number, self.lives, self.skew_ms);
        self.lives += 1;
        shared_parts
            .trace
            .note(format!("{} starts", gateway.link.who));
        net.set(
            self.number,
            Some(Entry {
                handle: gateway.node.handle().clone(),
                app: gateway.app.clone(),
                hub: gateway.hub.clone(),
            }),
        );
        for (line, _) in &self.cuts {
            gateway.link.cut(*line, true);
        }
        self.standing = Standing::Up(Box::new(gateway));
    }

    pub(super) fn run(&self, from: Duration, to: Duration) {
        match &self.standing {
            Standing::Up(gateway) | Standing::Draining(gateway, ..) => gateway.node.run(from, to),
            Standing::Paused(..) | Standing::Down(_) => {}
        }
    }

    pub(super) fn is_up(&self) -> bool {
        matches!(self.standing, Standing::Up(_))
    }

    /// Ends the process as it stands.
    pub(super) fn kill(&mut self, net: &Net, until: Duration) {
        net.set(self.number, None);
        let standing = std::mem::replace(&mut self.standing, Standing::Down(until));
        match standing {
            Standing::Up(gateway) | Standing::Paused(gateway, _) => gateway.node.kill(),
            Standing::Draining(gateway, closing, _) => {
                closing.abort();
                gateway.node.kill();
            }
            Standing::Down(_) => {}
        }
    }

    pub(super) fn pause(&mut self, until: Duration) {
        let standing = std::mem::replace(&mut self.standing, Standing::Down(until));
        self.standing = match standing {
            Standing::Up(gateway) => Standing::Paused(gateway, until),
            other => other,
        };
    }

    /// Asks it to end.
    pub(super) fn drain(&mut self, net: &Net, at_most: Duration) {
        let standing = std::mem::replace(&mut self.standing, Standing::Down(at_most));
        self.standing = match standing {
            Standing::Up(gateway) => {
                net.set(self.number, None);
                let hub = gateway.hub.clone();
                let handle = gateway.node.handle();
                let closing = handle.spawn(async move { hub.fleet.close().await });
                Standing::Draining(gateway, closing, at_most)
            }
            other => other,
        };
    }

    pub(super) fn cut(&mut self, line: Line, until: Duration) {
        self.cuts.push((line, until));
        self.set_line(line, true);
    }

    fn set_line(&self, line: Line, is_cut: bool) {
        match &self.standing {
            Standing::Up(gateway)
            | Standing::Paused(gateway, _)
            | Standing::Draining(gateway, ..) => gateway.link.cut(line, is_cut),
            Standing::Down(_) => {}
        }
    }

    /// What comes back by itself when its time is over.
    pub(super) fn recover(&mut self, now: Duration, shared_parts: &SharedParts, net: &Net) {
        let (over, on): (Vec<_>, Vec<_>) = std::mem::take(&mut self.cuts)
            .into_iter()
            .partition(|(_, until)| *until <= now);
        self.cuts = on;
        for (line, _) in over {
            if !self.cuts.iter().any(|(other, _)| *other == line) {
                self.set_line(line, false);
                shared_parts
                    .trace
                    .note(format!("g{} has its {line:?} again", self.number));
            }
        }
        let standing = std::mem::replace(&mut self.standing, Standing::Down(now));
        self.standing = match standing {
            Standing::Paused(gateway, until) if until <= now => {
                shared_parts
                    .trace
                    .note(format!("{} wakes", gateway.link.who));
                Standing::Up(gateway)
            }
            Standing::Draining(gateway, closing, until)
                if until <= now || closing.is_finished() =>
            {
                shared_parts
                    .trace
                    .note(format!("{} has ended", gateway.link.who));
                gateway.node.kill();
                Standing::Down(now)
            }
            other => other,
        };
        if matches!(self.standing, Standing::Down(until) if until <= now) {
            self.start(shared_parts, net);
        }
    }

    /// Everything is as it should be from the next step on.
    pub(super) fn heal(&mut self, now: Duration) {
        for (_, until) in &mut self.cuts {
            *until = now;
        }
        match &mut self.standing {
            Standing::Paused(_, until) | Standing::Down(until) => *until = now,
            Standing::Up(_) | Standing::Draining(..) => {}
        }
    }
}
