//! Sandboxes that are made although their caller no longer waits: half of one cannot be left, and a whole one is
//! removed again.

use async_trait::async_trait;
use tokio::sync::oneshot;

use crate::{Error, Handle, Result, SandboxId, Spec};

/// How a provider makes a sandbox and removes it.
#[async_trait]
pub(crate) trait Maker: Clone + Send + Sync + 'static {
    /// When it fails, nothing is left.
    async fn make_whole(&self, spec: Spec) -> Result<Handle>;

    /// Removes whatever there is of it.
    async fn unmake(&self, id: &SandboxId) -> Result<()>;
}

/// Makes it in a task of its own.
pub(crate) async fn make<M: Maker>(maker: &M, spec: Spec) -> Result<Handle> {
    let (sender, receiver) = oneshot::channel();
    let maker = maker.clone();
    tokio::spawn(async move {
        let made = maker.make_whole(spec).await.map(|handle| Unclaimed {
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

/// A sandbox whose handle was not returned yet: it is removed, unless its caller takes it.
struct Unclaimed<M: Maker> {
    maker: M,
    handle: Option<Handle>,
}

impl<M: Maker> Drop for Unclaimed<M> {
    fn drop(&mut self) {
        let handle = self.handle.take();
        let (Some(handle), Ok(runtime)) = (handle, tokio::runtime::Handle::try_current()) else {
            return;
        };
        let maker = self.maker.clone();
        runtime.spawn(async move {
            if let Err(error) = maker.unmake(&handle.id).await {
                tracing::error!(sandbox = %handle.id, %error, "an unclaimed sandbox was not removed");
            }
        });
    }
}
