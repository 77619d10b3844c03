//! Reads the result of a tool, without the connector's own secret.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use bytes::Bytes;
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};

use super::secret_scrubber::SecretScrubber;
use crate::output::{ActionOutput, OutputPart, ResourceBody};

/// Types a result. The server may have echoed the connector's secret: `scrubber` removes it.
pub(crate) fn read_result(result: CallToolResult, scrubber: &SecretScrubber) -> ActionOutput {
    let part = |block| scrubber.part(part(block));
    ActionOutput {
        parts: result.content.into_iter().map(part).collect(),
        structured: result.structured_content.map(|value| scrubber.value(value)),
    }
}

fn part(block: ContentBlock) -> OutputPart {
    match block {
        ContentBlock::Text(text) => OutputPart::Text(text.text),
        ContentBlock::Image(image) => match decoded(&image.data) {
            Some(bytes) => OutputPart::Image {
                media_type: image.mime_type,
                bytes,
            },
            None => unreadable("an image"),
        },
        ContentBlock::Audio(audio) => match decoded(&audio.data) {
            Some(bytes) => OutputPart::Audio {
                media_type: audio.mime_type,
                bytes,
            },
            None => unreadable("a sound"),
        },
        ContentBlock::Resource(embedded) => resource(embedded.resource),
        ContentBlock::ResourceLink(link) => OutputPart::ResourceLink {
            uri: link.uri,
            name: link.name,
            media_type: link.mime_type,
        },
        _ => unreadable("a part of an unknown kind"),
    }
}

fn resource(contents: ResourceContents) -> OutputPart {
    match contents {
        ResourceContents::TextResourceContents {
            uri,
            mime_type,
            text,
            ..
        } => OutputPart::Resource {
            uri,
            media_type: mime_type,
            body: ResourceBody::Text(text),
        },
        ResourceContents::BlobResourceContents {
            uri,
            mime_type,
            blob,
            ..
        } => match decoded(&blob) {
            Some(bytes) => OutputPart::Resource {
                uri,
                media_type: mime_type,
                body: ResourceBody::Bytes(bytes),
            },
            None => unreadable("a document"),
        },
        _ => unreadable("a document of an unknown kind"),
    }
}

fn decoded(base64: &str) -> Option<Bytes> {
    STANDARD.decode(base64).ok().map(Bytes::from)
}

/// The call was executed: a part of its result that cannot be read must not hide that.
fn unreadable(what: &str) -> OutputPart {
    OutputPart::Text(format!("[{what} that cannot be read]"))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn content(result: Value) -> ActionOutput {
        let result = serde_json::from_value(result).unwrap();
        read_result(result, &SecretScrubber::default())
    }

    #[test]
    fn every_kind_of_part_is_typed() {
        let content = content(json!({
            "content": [
                {"type": "text", "text": "hello"},
                {"type": "image", "data": "aGk=", "mimeType": "image/png"},
                {"type": "audio", "data": "aGk=", "mimeType": "audio/wav"},
                {"type": "resource", "resource": {"uri": "x://1", "mimeType": "text/plain", "text": "t"}},
                {"type": "resource", "resource": {"uri": "x://2", "blob": "aGk="}},
                {"type": "resource_link", "uri": "x://3", "name": "three"},
                {"type": "image", "data": "***", "mimeType": "image/png"},
            ],
        }));
        let bytes = Bytes::from_static(b"hi");
        let (uri, media_type) = (|n: u8| format!("x://{n}"), Some("text/plain".to_owned()));
        assert_eq!(
            content.parts,
            [
                OutputPart::Text("hello".into()),
                OutputPart::Image {
                    media_type: "image/png".into(),
                    bytes: bytes.clone()
                },
                OutputPart::Audio {
                    media_type: "audio/wav".into(),
                    bytes: bytes.clone()
                },
                OutputPart::Resource {
                    uri: uri(1),
                    media_type,
                    body: ResourceBody::Text("t".into())
                },
                OutputPart::Resource {
                    uri: uri(2),
                    media_type: None,
                    body: ResourceBody::Bytes(bytes)
                },
                OutputPart::ResourceLink {
                    uri: uri(3),
                    name: "three".into(),
                    media_type: None
                },
                OutputPart::Text("[an image that cannot be read]".into()),
            ]
        );
        assert_eq!(content.value().as_array().unwrap().len(), 7);
        assert_eq!(
            content.value()[1],
            json!({"type": "image", "mediaType": "image/png", "bytes": 2})
        );
    }

    #[test]
    fn the_value_is_the_structured_one_else_json_else_text() {
        let text = |text: &str| json!({"type": "text", "text": text});
        for (result, expected) in [
            (
                json!({"content": [text("x")], "structuredContent": {"a": 1}}),
                json!({"a": 1}),
            ),
            (
                json!({"content": [text("x")], "structuredContent": null}),
                json!(null),
            ),
            (json!({"content": [text("{\"a\":1}")]}), json!({"a": 1})),
            (json!({"content": [text("a"), text("b")]}), json!("a\nb")),
            (
                json!({"content": [text("{\"a\":1,\"a\":2}")]}),
                json!("{\"a\":1,\"a\":2}"),
            ),
            (json!({"content": []}), json!("")),
        ] {
            assert_eq!(content(result).value(), expected);
        }
    }
}
