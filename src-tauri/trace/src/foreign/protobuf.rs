//! OTLP as protobuf: one message with spans or records of a log, or several, each behind its length. Lengths are written as protobuf writes
//! numbers, or in four bytes, as the collector's exporter to files has it. What becomes of the spans is in `otlp`.

use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use prost::Message as _;
use wording::{Message, message};

/// Control characters that texts have.
const OF_TEXTS: [u8; 4] = [b'\t', b'\n', b'\r', 0x0c];

/// Whether a file that begins with these bytes is binary.
pub fn is_binary(head: &[u8]) -> bool {
    head.iter().any(|byte| *byte < b' ' && !OF_TEXTS.contains(byte))
}

/// A message as its JSON, or why it cannot be read.
pub type Told = Result<String, Message>;

/// The messages of a file; `None`: it is not one of spans or of a log.
pub fn messages(bytes: &[u8]) -> Option<Vec<Told>> {
    if let Some(whole) = told(bytes) {
        return Some(vec![whole]);
    }
    [varint as Length, four_bytes].into_iter().find_map(|length| framed(bytes, length))
}

/// How long the next message is, and how many bytes say so.
type Length = fn(&[u8]) -> Option<(usize, usize)>;

fn varint(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut rest = bytes;
    let length = prost::encoding::decode_varint(&mut rest).ok()?;
    Some((usize::try_from(length).ok()?, bytes.len() - rest.len()))
}

fn four_bytes(bytes: &[u8]) -> Option<(usize, usize)> {
    let length = u32::from_be_bytes(bytes.first_chunk().copied()?);
    Some((usize::try_from(length).ok()?, 4))
}

fn framed(bytes: &[u8], length: Length) -> Option<Vec<Told>> {
    let mut found = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let Some((long, head)) = length(rest) else { break };
        rest = &rest[head..];
        let body = rest.get(..long);
        match (body.and_then(told), body) {
            (Some(told), _) => found.push(told),
            // The first one decides what kind of file it is.
            (None, _) if found.is_empty() => return None,
            (None, Some(_)) => found.push(Err(message!("not a message of OTLP", "不是 OTLP 消息"))),
            (None, None) => {
                let missing = long - rest.len();
                found.push(Err(message!("the file ends {missing} bytes too early", "文件提前 {missing} 字节结束")));
            }
        }
        rest = rest.get(long..).unwrap_or_default();
    }
    (!found.is_empty()).then_some(found)
}

/// A message in which each span has its ids: many bytes are a message of something.
fn spans(bytes: &[u8]) -> Option<ExportTraceServiceRequest> {
    let request = ExportTraceServiceRequest::decode(bytes).ok()?;
    let mut spans = request.resource_spans.iter().flat_map(|each| &each.scope_spans).flat_map(|each| &each.spans);
    let first = spans.next()?;
    let has_ids = first.trace_id.len() == 16 && first.span_id.len() == 8;
    has_ids.then_some(request)
}

/// A message in which the first record has a time and says something.
fn records(bytes: &[u8]) -> Option<ExportLogsServiceRequest> {
    let request = ExportLogsServiceRequest::decode(bytes).ok()?;
    let mut records = request.resource_logs.iter().flat_map(|each| &each.scope_logs).flat_map(|each| &each.log_records);
    let first = records.next()?;
    let has_time = first.time_unix_nano > 0 || first.observed_time_unix_nano > 0;
    (has_time && (first.body.is_some() || !first.attributes.is_empty())).then_some(request)
}

/// `None`: it is not a message of OTLP.
fn told(bytes: &[u8]) -> Option<Told> {
    let told = spans(bytes).map(|spans| serde_json::to_string(&spans));
    let told = told.or_else(|| records(bytes).map(|records| serde_json::to_string(&records)))?;
    Some(told.map_err(|error| message!("it cannot be converted to JSON: {error}", "无法转为 JSON：{error}")))
}
