//! The agent's messages of a session, read page by page from the newest on. The whole record is bounded: the client is told
//! what that leaves out, and a record that never ends ends the agent.

use domain::limits::{
    AGENT_ANSWER_BYTES_MAX, AGENT_MESSAGES_MAX, AGENT_MESSAGES_PAGE, AGENT_RECORD_BYTES_MAX,
    AGENT_RECORD_MEMORY_MAX, AGENT_RECORD_PAGES_MAX,
};
use reqwest::Method;

use super::{
    client::{AgentClient, ParsedResponse, segment},
    error::{AgentError, ExceededLimit},
    shapes::StoredMessage,
};

const NEXT_PAGE: &str = "x-next-cursor";
/// A page that is too large is requested again with a tenth of its messages: some have pictures.
const PAGE_DIVISOR: usize = 10;

struct RecordPage {
    messages: Vec<StoredMessage>,
    bytes: usize,
    /// An upper bound of the memory that it took while it was parsed.
    memory: usize,
    /// The end of the page before this one.
    next: Option<String>,
}

impl AgentClient {
    /// Returns the messages after `settled`, oldest first, and whether that is all of them.
    pub async fn messages_after(
        &self,
        session_id: &str,
        settled: Option<&str>,
    ) -> Result<(Vec<StoredMessage>, bool), AgentError> {
        let mut pages: Vec<Vec<StoredMessage>> = Vec::new();
        let (mut count, mut bytes, mut memory) = (0, 0, 0);
        let (mut before, mut limit) = (None, AGENT_MESSAGES_PAGE);
        for _ in 0..AGENT_RECORD_PAGES_MAX {
            let page = self.page(session_id, before.as_deref(), limit).await;
            let RecordPage {
                mut messages,
                bytes: read,
                memory: taken,
                next,
            } = match page {
                Err(AgentError::Exceeded(ExceededLimit::Answer(_))) if limit > 1 => {
                    limit = (limit / PAGE_DIVISOR).max(1);
                    continue;
                }
                page => page?,
            };
            let all = messages.len();
            messages
                .retain(|message| settled.is_none_or(|settled| message.info.id.as_str() > settled));
            let is_reached = messages.len() < all;
            count += messages.len();
            bytes += read;
            memory += taken;
            pages.push(messages);
            let is_whole = is_reached || next.is_none();
            let is_enough = count >= AGENT_MESSAGES_MAX
                || bytes >= AGENT_RECORD_BYTES_MAX
                || memory >= AGENT_RECORD_MEMORY_MAX;
            if is_whole || is_enough {
                let messages = pages.into_iter().rev().flatten().collect();
                return Ok((messages, is_whole));
            }
            before = next;
        }
        Err(ExceededLimit::Pages(AGENT_RECORD_PAGES_MAX).into())
    }

    /// Returns one page, oldest first.
    async fn page(
        &self,
        session_id: &str,
        before: Option<&str>,
        limit: usize,
    ) -> Result<RecordPage, AgentError> {
        let mut path = format!("/session/{}/message?limit={limit}", segment(session_id)?);
        if let Some(before) = before {
            path.push_str("&before=");
            path.push_str(segment(before)?);
        }
        let answer = self.sent(Method::GET, &path, None).await?;
        let next = answer.headers().get(NEXT_PAGE);
        let next = next
            .and_then(|next| next.to_str().ok())
            .map(ToOwned::to_owned);
        let body = self.limiter.body(answer, AGENT_ANSWER_BYTES_MAX).await?;
        let ParsedResponse {
            value: mut messages,
            memory,
            reservation,
        } = self.parse::<Vec<StoredMessage>>(&body).await?;
        if messages.len() > limit {
            return Err(ExceededLimit::Page(limit).into());
        }
        for message in &mut messages {
            message.check_ids()?;
            message.cut();
        }
        drop(reservation);
        Ok(RecordPage {
            messages,
            bytes: body.len(),
            memory,
            next,
        })
    }
}
