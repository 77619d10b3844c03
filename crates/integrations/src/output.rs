//! The typed output of an action. Text and bytes of an integration are data: no decision depends on them.

use bytes::Bytes;
use serde_json::{Value, json};

/// The output of an action: of a built-in source a value, of a connector's tool parts as well.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ActionOutput {
    pub parts: Vec<OutputPart>,
    /// The result as a value, where the integration gives one.
    pub structured: Option<Value>,
}

/// One part of an output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutputPart {
    Text(String),
    Image {
        media_type: String,
        bytes: Bytes,
    },
    Audio {
        media_type: String,
        bytes: Bytes,
    },
    /// A document that came with the output.
    Resource {
        uri: String,
        media_type: Option<String>,
        body: ResourceBody,
    },
    /// A document that the server has. The gateway does not fetch it.
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

impl ActionOutput {
    pub fn structured(value: Value) -> Self {
        Self {
            parts: Vec::new(),
            structured: Some(value),
        }
    }

    pub fn text(text: String) -> Self {
        Self {
            parts: vec![OutputPart::Text(text)],
            structured: None,
        }
    }

    /// The result as one value: the structured one, else the text (as JSON if it is), else a description of the parts.
    pub fn value(&self) -> Value {
        if let Some(structured) = &self.structured {
            return structured.clone();
        }
        let text = |part: &OutputPart| match part {
            OutputPart::Text(text) => Some(text.clone()),
            _ => None,
        };
        let texts: Option<Vec<String>> = self.parts.iter().map(text).collect();
        match texts {
            Some(texts) => {
                let joined = texts.join("\n");
                let parsed = domain::canonical::parse(joined.as_bytes());
                parsed.unwrap_or(Value::String(joined))
            }
            None => Value::Array(self.parts.iter().map(OutputPart::described).collect()),
        }
    }
}

impl OutputPart {
    /// A part as JSON; bytes are counted, not included.
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
