//! What a tool answers with, typed. A server's words and bytes are data: nothing here is read for a
//! decision.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use bytes::Bytes;
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde_json::{Value, json};

use super::scrub::Scrub;

/// What a call left.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Content {
    pub parts: Vec<Part>,
    /// The result as a value, where the tool gives one.
    pub structured: Option<Value>,
}

/// One part of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    Text(String),
    Image {
        media_type: String,
        bytes: Bytes,
    },
    Audio {
        media_type: String,
        bytes: Bytes,
    },
    /// A document that came with the answer.
    Resource {
        uri: String,
        media_type: Option<String>,
        body: ResourceBody,
    },
    /// A document that the server has. Nobody follows it.
    ResourceLink {
        uri: String,
        name: String,
        media_type: Option<String>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResourceBody {
    Text(String),
    Bytes(Bytes),
}

impl Content {
    pub(crate) fn text(text: String) -> Self {
        Self {
            parts: vec![Part::Text(text)],
            structured: None,
        }
    }

    /// Types a result, without the connector's own secret should the server have echoed it.
    pub(crate) fn from_result(result: CallToolResult, scrub: &Scrub) -> Self {
        let part = |block| scrub.part(part(block));
        Self {
            parts: result.content.into_iter().map(part).collect(),
            structured: result.structured_content.map(|value| scrub.value(value)),
        }
    }

    /// The result as one value: the structured one, else the text (as JSON if it is), else what there is.
    pub fn value(&self) -> Value {
        if let Some(structured) = &self.structured {
            return structured.clone();
        }
        let text = |part: &Part| match part {
            Part::Text(text) => Some(text.clone()),
            _ => None,
        };
        let texts: Option<Vec<String>> = self.parts.iter().map(text).collect();
        match texts {
            Some(texts) => {
                let joined = texts.join("\n");
                let parsed = domain::canonical::parse(joined.as_bytes());
                parsed.unwrap_or(Value::String(joined))
            }
            None => Value::Array(self.parts.iter().map(Part::described).collect()),
        }
    }
}

impl Part {
    /// A part in words; bytes are counted, not given.
    fn described(&self) -> Value {
        match self {
            Self::Text(text) => json!({"type": "text", "text": text}),
            Self::Image { media_type, bytes } => {
                json!({"type": "image", "mediaType": media_type, "bytes": bytes.len()})
            }
            Self::Audio { media_type, bytes } => {
                json!({"type": "audio", "mediaType": media_type, "bytes": bytes.len()})
            }
            Self::Resource {
                uri,
                media_type,
                body: ResourceBody::Text(text),
            } => json!({"type": "resource", "uri": uri, "mediaType": media_type, "text": text}),
            Self::Resource {
                uri,
                media_type,
                body: ResourceBody::Bytes(bytes),
            } => {
                json!({"type": "resource", "uri": uri, "mediaType": media_type, "bytes": bytes.len()})
            }
            Self::ResourceLink {
                uri,
                name,
                media_type,
            } => {
                json!({"type": "resource_link", "uri": uri, "name": name, "mediaType": media_type})
            }
        }
    }
}

fn part(block: ContentBlock) -> Part {
    match block {
        ContentBlock::Text(text) => Part::Text(text.text),
        ContentBlock::Image(image) => match decoded(&image.data) {
            Some(bytes) => Part::Image {
                media_type: image.mime_type,
                bytes,
            },
            None => unreadable("an image"),
        },
        ContentBlock::Audio(audio) => match decoded(&audio.data) {
            Some(bytes) => Part::Audio {
                media_type: audio.mime_type,
                bytes,
            },
            None => unreadable("a sound"),
        },
        ContentBlock::Resource(embedded) => resource(embedded.resource),
        ContentBlock::ResourceLink(link) => Part::ResourceLink {
            uri: link.uri,
            name: link.name,
            media_type: link.mime_type,
        },
        _ => unreadable("a part of an unknown kind"),
    }
}

fn resource(contents: ResourceContents) -> Part {
    match contents {
        ResourceContents::TextResourceContents {
            uri,
            mime_type,
            text,
            ..
        } => Part::Resource {
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
            Some(bytes) => Part::Resource {
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

/// The call was done; that a part of its answer is unreadable must not hide it.
fn unreadable(what: &str) -> Part {
    Part::Text(format!("[{what} that cannot be read]"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(result: Value) -> Content {
        let result = serde_json::from_value(result).unwrap();
        Content::from_result(result, &Scrub::default())
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
                Part::Text("hello".into()),
                Part::Image {
                    media_type: "image/png".into(),
                    bytes: bytes.clone()
                },
                Part::Audio {
                    media_type: "audio/wav".into(),
                    bytes: bytes.clone()
                },
                Part::Resource {
                    uri: uri(1),
                    media_type,
                    body: ResourceBody::Text("t".into())
                },
                Part::Resource {
                    uri: uri(2),
                    media_type: None,
                    body: ResourceBody::Bytes(bytes)
                },
                Part::ResourceLink {
                    uri: uri(3),
                    name: "three".into(),
                    media_type: None
                },
                Part::Text("[an image that cannot be read]".into()),
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
