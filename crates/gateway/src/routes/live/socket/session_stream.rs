//! The stream of a session as a WebSocket route: the client's subscription, then the message loop.

use app::access::{Insider, SessionAccess};
use axum::extract::ws::WebSocket;
use domain::limits::LIVE_FRAME_BYTES_MAX;

use super::{
    super::hub,
    handler::{SocketHandler, UpgradeContext},
    message_loop::{AdmittedClient, MessageLoop},
};
use crate::{error::Failure, extract::StreamCredential};

/// The stream of a session.
pub(super) struct SessionStream {
    pub(super) after: Option<u64>,
}

impl SocketHandler for SessionStream {
    type Admitted = AdmittedClient;
    const FRAME_BYTES_MAX: usize = LIVE_FRAME_BYTES_MAX;
    const REFUSED_AS: Option<&'static str> = None;

    /// Subscribes to the stream.
    async fn enter(
        &self,
        context: &UpgradeContext,
        insider: Insider,
    ) -> Result<Self::Admitted, Failure> {
        let hub = hub(&context.gateway)?;
        let access = SessionAccess::of(&context.gateway.app, &insider, context.id).await?;
        let user_id = insider.user_id().map(ToString::to_string);
        let watching = hub.watchers.watch(&access, user_id, self.after).await?;
        Ok(AdmittedClient {
            insider,
            access,
            watching,
        })
    }

    async fn run(
        context: UpgradeContext,
        admitted: AdmittedClient,
        credential: StreamCredential,
        socket: WebSocket,
    ) {
        MessageLoop::new(context, admitted, socket)
            .run(credential)
            .await;
    }
}
