//! The contract of providers, mostly the fake's.

use async_trait::async_trait;
use bytes::Bytes;
use domain::limits::AGENT_PORT;
use sandbox::{
    Collected, Destination, Endpoint, Entry, Error, ExecRequest, ExecResult, File, Handle,
    HomePath, ListedSandbox, Liveness, LogChunk, Origin, ProcessSpec, ProcessState, Provider,
    Result, SnapshotId, SnapshotRef, SnapshotRequest, Spec,
};

use super::{FIRST_PORT, Place, SandboxHost};
use crate::agents::{Agent, Memory};

#[async_trait]
impl Provider for SandboxHost {
    fn name(&self) -> &'static str {
        self.fake.name()
    }

    fn address_inside(&self, destination: &Destination) -> String {
        self.fake.address_inside(destination)
    }

    async fn create(&self, mut spec: Spec) -> Result<Handle> {
        self.takes(50, 3_000).await?;
        self.has_room()?;
        let session = spec.label.parse();
        let session = session.map_err(|_| Error::invalid("not the label of a session"))?;
        let memory = match &spec.origin {
            Origin::Template => Memory::default(),
            Origin::Snapshot(from) => {
                let found = self.state().saved.get(&from.id).cloned();
                found.unwrap_or_default()
            }
        };
        let port = {
            let mut state = self.state();
            state.next += 1;
            FIRST_PORT + state.next
        };
        // No two are alike, so no two snapshots have one name.
        let own = HomePath::new("which")?;
        spec.files
            .push(File::new(own, port.to_string().into_bytes()));
        let handle = self.fake.create(spec).await?;
        let place = Place {
            handle: handle.clone(),
            session,
            port,
            memory,
            agent: None,
        };
        self.agent_context
            .trace
            .note(format!("sandbox {port} for {session}"));
        self.state().boxes.insert(handle.id.clone(), place);
        if let Some(moment) = handle.expires_at {
            self.ends_at(&handle.id, moment);
        }
        Ok(handle)
    }

    async fn reattach(&self, handle: &Handle) -> Result<()> {
        self.fake.reattach(handle).await
    }

    async fn liveness(&self, handle: &Handle) -> Liveness {
        if self.takes(1, 20).await.is_err() {
            return Liveness::Unknown;
        }
        self.fake.liveness(handle).await
    }

    async fn exec(&self, handle: &Handle, request: ExecRequest) -> Result<ExecResult> {
        self.takes(1, 100).await?;
        self.fake.exec(handle, request).await
    }

    async fn start(&self, handle: &Handle, process: ProcessSpec) -> Result<()> {
        self.takes(1, 100).await?;
        let is_agent = process.name == "agent";
        self.fake.start(handle, process).await?;
        if is_agent && let Some(place) = self.state().boxes.get_mut(&handle.id) {
            let memory = place.memory.clone();
            let agent = Agent::start(&self.agent_context, place.session, memory);
            if self.is_stormy() && self.agent_context.rng.chance(self.stillborn) {
                self.agent_context
                    .trace
                    .fault("stillborn", place.port.to_string());
                agent.kill();
            }
            place.agent = Some(agent);
        }
        Ok(())
    }

    async fn process(&self, handle: &Handle, name: &str) -> Result<ProcessState> {
        self.fake.process(handle, name).await
    }

    async fn stop(&self, handle: &Handle, name: &str) -> Result<()> {
        self.fake.stop(handle, name).await
    }

    async fn log(&self, handle: &Handle, name: &str, from: u64) -> Result<LogChunk> {
        self.fake.log(handle, name, from).await
    }

    async fn write(&self, handle: &Handle, files: Vec<File>) -> Result<()> {
        self.takes(1, 50).await?;
        self.fake.write(handle, files).await
    }

    async fn read(&self, handle: &Handle, path: &HomePath) -> Result<Bytes> {
        self.fake.read(handle, path).await
    }

    async fn list(&self, handle: &Handle, path: &HomePath) -> Result<Vec<Entry>> {
        self.fake.list(handle, path).await
    }

    async fn remove(&self, handle: &Handle, paths: Vec<HomePath>) -> Result<()> {
        self.fake.remove(handle, paths).await
    }

    async fn endpoint(&self, handle: &Handle, port: u16) -> Result<Endpoint> {
        let endpoint = self.fake.endpoint(handle, port).await?;
        let state = self.state();
        let place = state.boxes.get(&handle.id).ok_or(Error::Gone)?;
        if port != AGENT_PORT {
            return Ok(endpoint);
        }
        let address = Self::address(place.port);
        Ok(Endpoint {
            listen: address,
            address,
        })
    }

    async fn snapshot(&self, handle: &Handle, request: SnapshotRequest) -> Result<SnapshotRef> {
        self.takes(20, 4_000).await?;
        let number = {
            let mut state = self.state();
            state.snapshots += 1;
            state.snapshots
        };
        let own = File::new(HomePath::new("snapshot")?, number.to_string().into_bytes());
        self.fake.write(handle, vec![own]).await?;
        let taken = self.fake.snapshot(handle, request).await?;
        let mut state = self.state();
        let agent = state
            .boxes
            .get(&handle.id)
            .and_then(|one| one.agent.clone());
        if let Some(agent) = agent {
            state.saved.insert(taken.id.clone(), agent.memory());
        }
        Ok(taken)
    }

    async fn destroy(&self, handle: &Handle) -> Result<()> {
        self.takes(1, 200).await?;
        self.fake.destroy(handle).await?;
        let gone = self.state().boxes.remove(&handle.id);
        if let Some(place) = gone {
            let (port, session) = (place.port, place.session);
            self.agent_context
                .trace
                .note(format!("sandbox {port} of {session} destroyed"));
            place.end();
        }
        Ok(())
    }

    async fn list_sandboxes(&self) -> Result<Vec<ListedSandbox>> {
        self.takes(1, 20).await?;
        self.fake.list_sandboxes().await
    }

    async fn collect_snapshots(&self, live: &[SnapshotId]) -> Result<Collected> {
        let collected = self.fake.collect_snapshots(live).await?;
        Ok(collected)
    }
}
