//! AWS's signatures (version 4), of requests to Amazon Bedrock. AWS's own crate makes them.

use std::time::SystemTime;

use aws_sigv4::http_request::{SignableBody, SignableRequest, SigningSettings, sign};
use aws_sigv4::sign::v4;

use crate::secret::aws::Credentials;

/// As the service is called in signatures.
const SERVICE: &str = "bedrock";

/// The place of a region in a base address, filled in from the environment or the profile.
pub const PLACE: &str = "{region}";

/// The signed parts of a request.
pub struct Signed<'a> {
    pub method: &'a str,
    pub url: &'a str,
    /// Except for the host, which is signed anyway.
    pub headers: &'a [(&'a str, &'a str)],
    pub body: &'a [u8],
}

/// The headers that sign a request: `x-amz-date`, `authorization`, and `x-amz-security-token` of a session.
pub fn headers(
    request: &Signed<'_>,
    credentials: &Credentials,
    region: &str,
    time: SystemTime,
) -> Result<Vec<(String, String)>, String> {
    let session = credentials.session.as_ref().map(|session| session.reveal().to_owned());
    let secret = credentials.secret.reveal();
    let identity =
        aws_credential_types::Credentials::new(&*credentials.id, secret, session, None, "skill-workbench").into();
    let parameters = v4::SigningParams::builder()
        .identity(&identity)
        .region(region)
        .name(SERVICE)
        .time(time)
        .settings(SigningSettings::default())
        .build()
        .map_err(|error| error.to_string())?;
    let Signed { method, url, headers, body } = *request;
    let signable = SignableRequest::new(method, url, headers.iter().copied(), SignableBody::Bytes(body))
        .map_err(|error| error.to_string())?;
    let (instructions, _) = sign(signable, &parameters.into()).map_err(|error| error.to_string())?.into_parts();
    Ok(instructions.headers().map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
}

/// The region in the address of one of Bedrock's endpoints, public or private.
pub fn region_of(host: &str) -> Option<&str> {
    let mut labels = host.split('.');
    let is_service =
        |label: &str| ["bedrock", "bedrock-runtime", "bedrock-fips", "bedrock-runtime-fips"].contains(&label);
    labels.by_ref().find(|label| is_service(label))?;
    labels.next().filter(|label| label.contains('-'))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use serde_json::Value;

    use super::*;
    use crate::secret::Secret;

    #[test]
    fn reads_the_region_of_public_and_private_addresses() {
        for (host, region) in [
            ("bedrock-runtime.us-east-1.amazonaws.com", Some("us-east-1")),
            ("bedrock-runtime-fips.us-gov-west-1.amazonaws.com", Some("us-gov-west-1")),
            ("bedrock.cn-north-1.amazonaws.com.cn", Some("cn-north-1")),
            ("vpce-1-a.bedrock-runtime.eu-west-1.vpce.amazonaws.com", Some("eu-west-1")),
            ("bedrock-runtime.{region}.amazonaws.com", None),
            ("127.0.0.1", None),
            ("bedrock.example.com", None),
        ] {
            assert_eq!(region_of(host), region, "{host}");
        }
    }

    #[test]
    fn signs_as_botocore_does() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/bedrock/botocore.json");
        let golden: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let asked = golden["asked"].as_array().unwrap();
        assert!(asked.len() >= 8);
        for asked in asked {
            let secret = |value: &Value| Secret::new(text(value));
            let credentials = Credentials {
                id: text(&golden["key"][0]),
                secret: secret(&golden["key"][1]),
                session: asked.get("session_token").map(secret),
            };
            let (url, body) = (text(&asked["url"]), text(&asked["body"]));
            let headers = [("content-type", "application/json")];
            let request =
                Signed { method: &text(&asked["method"]), url: &url, headers: &headers, body: body.as_bytes() };
            let region = asked.get("region").map_or("us-east-1".to_owned(), text);
            let time = UNIX_EPOCH + Duration::from_secs(golden["time"].as_u64().unwrap());
            let mut signed = super::headers(&request, &credentials, &region, time).unwrap();
            signed.sort();
            let mut expected: Vec<(String, String)> = asked["headers"]
                .as_object()
                .unwrap()
                .iter()
                .filter(|(name, _)| name.starts_with("x-amz"))
                .map(|(name, value)| (name.clone(), text(value)))
                .collect();
            expected.push(("authorization".to_owned(), text(&asked["authorization"])));
            expected.sort();
            assert_eq!(signed, expected, "{url}");
        }
    }
}
