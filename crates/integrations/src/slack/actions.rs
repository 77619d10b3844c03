//! The actions of Slack.

use domain::action::Risk;

use super::{replies, requests};
use crate::{
    schema::build::{body, flag, name, object, optional, page_size, required},
    service::ActionDefinition,
};

pub(super) fn definitions() -> Vec<ActionDefinition> {
    vec![
        ActionDefinition {
            name: "list_channels",
            description: "List public channels that are not archived.",
            risk: Risk::Read,
            schema: object([
                optional(
                    "include_private",
                    flag(),
                    "Also private channels the app is in.",
                ),
                optional("limit", page_size(), "How many, at most 50."),
                optional("cursor", name(), "`next` of the page before."),
            ]),
            request: requests::list_channels,
            answer: replies::channels,
        },
        ActionDefinition {
            name: "send_message",
            description: "Send a message to a channel, or as a reply in a thread.",
            risk: Risk::Write,
            schema: object([
                required(
                    "channel",
                    name(),
                    "Id of the channel, or its name such as #general.",
                ),
                required("text", body(), "The message in Slack's mrkdwn."),
                optional("thread_ts", name(), "`ts` of the message to reply to."),
            ]),
            request: requests::send_message,
            answer: replies::whole,
        },
        ActionDefinition {
            name: "delete_message",
            description: "Delete a message.",
            risk: Risk::Danger,
            schema: object([
                required("channel", name(), "Id of the channel."),
                required("ts", name(), "`ts` of the message."),
            ]),
            request: requests::delete_message,
            answer: replies::whole,
        },
    ]
}
