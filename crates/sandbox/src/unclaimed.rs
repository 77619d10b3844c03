//! Sandboxes that are made although their caller no longer waits: half of one cannot be left, and a whole one is
//! removed again.

use async_trait::async_trait;
use tokio::sync::oneshot;

use crate::{Error, Handle, Result, SandboxId, Spec};

/// Makes and removes the sandboxes of a provider.
#[async_trait]
pub(crate) trait SandboxMaker: Clone + Send + Sync + 'static {
    /// Makes a whole sandbox. A failure leaves nothing behind.
    async fn make_sandbox(&self, spec: Spec) -> Result<Handle>;

    /// Removes everything there is of a sandbox.
    async fn remove_sandbox(&self, id: &SandboxId) -> Result<()>;
}

/// Makes a sandbox in a task of its own.
pub(crate) async fn make_sandbox<M: SandboxMaker>(maker: &M, spec: Spec) -> Result<Handle> {
    let (sender, receiver) = oneshot::channel();
    let maker = maker.clone();
    tokio::spawn(async move {
        let made = maker.make_sandbox(spec).await;
        let made = made.map(|handle| UnclaimedSandbox {
            maker,
            handle: Some(handle),
        });
        let _ = sender.send(made);
    });
    let made = receiver.await;
    let mut made =
        made.map_err(|_| Error::failed("making the sandbox", "it was interrupted"))??;
    made.handle.take().ok_or(Error::Gone)
}

/// A sandbox whose handle was not returned yet: it is removed unless its caller takes the handle.
struct UnclaimedSandbox<M: SandboxMaker> {
    maker: M,
    handle: Option<Handle>,
}

impl<M: SandboxMaker> Drop for UnclaimedSandbox<M> {
    fn drop(&mut self) {
        let handle = self.handle.take();
        let (Some(handle), Ok(runtime)) = (handle, tokio::runtime::Handle::try_current()) else {
            return;
        };
        let maker = self.maker.clone();
        runtime.spawn(async move {
            if let Err(error) = maker.remove_sandbox(&handle.id).await {
                tracing::error!(sandbox = %handle.id, %error, "an unclaimed sandbox was not removed");
            }
        });
    }
}
