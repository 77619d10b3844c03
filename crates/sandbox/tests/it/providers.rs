//! The conformance suite on every provider.

use std::sync::Arc;

use sandbox::{fake::Fake, local::Tier};

use crate::{
    engine::Engine,
    support::{Machine, entropy},
};

mod fake {
    use super::*;

    conformance!(((), Arc::new(Fake::new(entropy())) as _));
}

mod root {
    use super::*;

    conformance!({
        let machine = Machine::new(Tier::Root);
        let provider = Arc::new(machine.local.clone());
        (machine, provider as _)
    });
}

mod rootless {
    use super::*;

    conformance!({
        let machine = Machine::new(Tier::Rootless);
        let provider = Arc::new(machine.local.clone());
        (machine, provider as _)
    });
}

mod podman {
    use super::*;

    conformance!({
        let engine = Engine::open(entropy()).await;
        let provider = Arc::new(engine.container.clone());
        (engine, provider as _)
    });
}
