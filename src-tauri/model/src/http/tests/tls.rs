//! Encrypted connections.

use rcgen::{BasicConstraints, Certificate, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use super::*;
use crate::check::{CheckState, check};
use crate::entry::Network;

/// An authority of our own, as a PEM file, and a server that it vouches for.
pub struct Authority {
    pub pem: tempfile::NamedTempFile,
    config: Arc<ServerConfig>,
}

impl Authority {
    pub fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let authority = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        let key = KeyPair::generate().unwrap();
        let certificate =
            CertificateParams::new(vec!["127.0.0.1".into()]).unwrap().signed_by(&key, &authority).unwrap();
        Self::showing(&certificate, key, &authority.pem())
    }

    /// A server that shows a certificate which it signed itself, and that is listed.
    fn self_made(is_ca: IsCa) -> Self {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(vec!["127.0.0.1".into()]).unwrap();
        params.is_ca = is_ca;
        let certificate = params.self_signed(&key).unwrap();
        Self::showing(&certificate, key, &certificate.pem())
    }

    fn showing(certificate: &Certificate, key: KeyPair, listed: &str) -> Self {
        let mut pem = tempfile::NamedTempFile::new().unwrap();
        pem.write_all(listed.as_bytes()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], key.into())
            .unwrap();
        Self { pem, config: Arc::new(config) }
    }

    pub fn network(&self) -> Network {
        Network { proxy: None, certificates: Some(self.pem.path().to_str().unwrap().into()) }
    }

    /// A server with a turn for each connection.
    pub fn serve(&self, turns: Vec<Turn>) -> (String, UnboundedReceiver<Heard>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("https://{}/v1", listener.local_addr().unwrap());
        let (heard, hearing) = unbounded_channel();
        let config = self.config.clone();
        thread::spawn(move || {
            for turn in turns {
                let connection = ServerConnection::new(config.clone()).unwrap();
                let mut stream = StreamOwned::new(connection, accept(&listener));
                // A client that does not trust this server ends the handshake in the middle.
                if stream.conn.complete_io(&mut stream.sock).is_ok() {
                    attend(stream, turn, &heard);
                }
            }
        });
        (base, hearing)
    }
}

#[tokio::test]
async fn trusts_an_authority_of_ones_own_and_no_other() {
    let json = || answer("200 OK", "content-type: application/json\r\n", HI);
    let authority = Authority::new();
    let (base, mut heard) = authority.serve(vec![json(), json()]);
    let stranger = Bench::new(&base);
    let error = stranger.error().await;
    let ModelError::Certificate { url, reason } = &error else { panic!("{error:?}") };
    assert_eq!((url, reason.as_str()), (&stranger.url(), "UnknownIssuer"));
    assert!(stranger.waits().is_empty(), "it stays as it is");

    assert_eq!(Bench::through(&authority.network(), &entry(&base)).events().await, hi());
    let Some(Heard::Request { head, .. }) = heard.recv().await else { panic!("no request") };
    assert!(head.contains(&format!("authorization: bearer {KEY}\r\n")), "only the one that was trusted: {head}");
    assert_eq!(heard.recv().await, None);
}

#[tokio::test]
async fn a_check_tells_a_certificate_that_does_not_hold_from_a_server_that_is_not_there() {
    let turn = || Turn { pieces: vec![], then: Then::Close };
    let (base, _heard) = Authority::new().serve(vec![turn(), turn()]);
    let checks: Vec<_> = check(&entry(&base), Http::new(), keys()).collect().await;
    let states: Vec<_> = checks.iter().map(|check| check.state).collect();
    use CheckState::{Failed, Passed, Skipped};
    assert_eq!(states, [Passed, Failed, Skipped, Skipped, Skipped, Skipped, Skipped]);
    let hint = checks[1].hint.as_deref().unwrap_or_default();
    assert!(hint.contains("`network.certificates`"), "{hint}");
}

#[tokio::test]
async fn a_certificate_that_a_server_made_itself_is_trusted_once_listed_unless_it_is_one_of_an_authority() {
    let json = || answer("200 OK", "content-type: application/json\r\n", HI);
    let plain = Authority::self_made(IsCa::ExplicitNoCa);
    let (base, _heard) = plain.serve(vec![json()]);
    assert_eq!(Bench::through(&plain.network(), &entry(&base)).events().await, hi());

    let authority = Authority::self_made(IsCa::Ca(BasicConstraints::Unconstrained));
    let (base, _heard) = authority.serve(vec![json()]);
    let refused = Bench::through(&authority.network(), &entry(&base));
    let error = refused.error().await;
    assert_eq!(
        error.to_string(),
        format!(
            "the certificate of {} is not trusted: it is that of an authority, which a server must not show",
            refused.url()
        )
    );
    let step = error.next_step().unwrap();
    assert!([&step.en, &step.zh].iter().all(|step| step.contains("basicConstraints=critical,CA:FALSE")), "{step:?}");
}
