//! Scrubs spans before they leave for the collector: what may not be logged may not be traced.

use std::borrow::Cow;

use opentelemetry::{Array, KeyValue, StringValue, Value, trace::Status};
use opentelemetry_sdk::trace::SpanData;

use super::scrub::{SCRUBBED, Scrubber};

pub(super) fn scrub_span(scrubber: &Scrubber, mut span: SpanData) -> SpanData {
    scrub_name(scrubber, &mut span.name);
    scrub_attributes(scrubber, &mut span.attributes);
    for event in &mut span.events.events {
        scrub_name(scrubber, &mut event.name);
        scrub_attributes(scrubber, &mut event.attributes);
    }
    if let Status::Error { description } = &mut span.status {
        scrub_name(scrubber, description);
    }
    span
}

fn scrub_name(scrubber: &Scrubber, name: &mut Cow<'static, str>) {
    if let Cow::Owned(clean) = scrubber.scrub(name) {
        *name = Cow::Owned(clean);
    }
}

fn scrub_attributes(scrubber: &Scrubber, attributes: &mut [KeyValue]) {
    for attribute in attributes {
        let by_name = scrubber.is_secret_name(attribute.key.as_str());
        match &mut attribute.value {
            Value::String(text) => scrub_text(scrubber, text, by_name),
            Value::Array(Array::String(texts)) => {
                for text in texts {
                    scrub_text(scrubber, text, by_name);
                }
            }
            _ => {}
        }
    }
}

fn scrub_text(scrubber: &Scrubber, text: &mut StringValue, by_name: bool) {
    if by_name {
        *text = SCRUBBED.into();
    } else if let Cow::Owned(clean) = scrubber.scrub(text.as_str()) {
        *text = clean.into();
    }
}
