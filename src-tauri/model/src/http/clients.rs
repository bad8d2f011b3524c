//! The connections that all models share: a client for each way to the outside.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use camino::Utf8Path;
use futures::future::BoxFuture;
use hyper::Uri;
use hyper_util::client::proxy::matcher::Matcher;
use reqwest::{Certificate, Client, Proxy, Url};
use wording::{Message, message};

use super::causes::cause;
use crate::entry::Network;
use crate::entry::check::PROXY_SCHEMES;
use crate::{ModelError, address};

type Pause = Arc<dyn Fn(Duration) -> BoxFuture<'static, ()> + Send + Sync>;
type Jitter = Arc<dyn Fn() -> f64 + Send + Sync>;

/// Clones share their connections.
#[derive(Clone)]
pub struct Http {
    network: Network,
    clients: Arc<Mutex<Vec<(Way, Client)>>>,
    /// Waits before a retry.
    pub(super) pause: Pause,
    /// A number from 0 up to 1, another one each time.
    pub(super) jitter: Jitter,
}

/// All that makes one client differ from another.
#[derive(Debug, Clone, PartialEq)]
struct Way {
    by: By,
    trust: Trust,
    connect: Duration,
}

#[derive(Debug, Clone, PartialEq)]
enum By {
    Straight,
    /// As the system's settings say.
    System,
    Proxy(String),
}

#[derive(Debug, Clone, PartialEq)]
enum Trust {
    /// For connections without encryption: the system may even lack certificate authorities.
    Nobody,
    System,
    /// The system's authorities and those of a file with this text.
    And(Vec<u8>),
}

/// The first host on the way to a server.
#[derive(Debug, Clone, PartialEq)]
pub struct Stop {
    pub host: String,
    pub port: u16,
    /// The way does lead over it.
    pub is_sure: bool,
}

impl Http {
    /// As the system's settings say.
    pub fn new() -> Self {
        Self::with(Arc::new(|time| Box::pin(tokio::time::sleep(time))), Arc::new(fastrand::f64))
    }

    pub(super) fn with(pause: Pause, jitter: Jitter) -> Self {
        // An error means that a provider was chosen before, which is fine.
        let _ = rustls::crypto::ring::default_provider().install_default();
        Self { network: Network::default(), clients: Arc::default(), pause, jitter }
    }

    /// As `models.yaml` says, with the connections of this one.
    pub fn through(&self, network: &Network) -> Self {
        Self { network: network.clone(), ..self.clone() }
    }

    /// The client for an address. Settings that cannot be used are an error of each request; they are checked again for
    /// each.
    pub(super) async fn client(&self, url: &Url, connect: Duration) -> Result<Client, ModelError> {
        let by = self.by(url)?;
        let trust = match (&by, url.scheme(), &self.network.certificates) {
            (By::Straight, "http", _) => Trust::Nobody,
            (_, _, Some(path)) => Trust::And(read(path).await?),
            (_, _, None) => Trust::System,
        };
        let way = Way { by, trust, connect };
        let known = |clients: &Vec<(Way, Client)>| {
            clients.iter().find(|(known, _)| *known == way).map(|(_, client)| client.clone())
        };
        let lock = || self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = known(&lock()) {
            return Ok(client);
        }
        let client = self.build(&way, url)?;
        let mut clients = lock();
        if let Some(client) = known(&clients) {
            return Ok(client);
        }
        clients.push((way, client.clone()));
        Ok(client)
    }

    /// What a request to this address connects to first, as far as that is known: the server itself or the proxy. Even
    /// if the system's settings name no proxy, they may use one in a way that is unknown here.
    pub(crate) fn first_stop(&self, url: &Url) -> Result<Stop, ModelError> {
        let stop = |url: &Url, is_sure| {
            let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']).to_owned();
            Stop { host, port: url.port_or_known_default().unwrap_or_default(), is_sure }
        };
        match self.by(url)? {
            By::Straight => Ok(stop(url, true)),
            By::System => {
                Ok(named(&Matcher::from_system(), url).map_or_else(|| stop(url, false), |to| stop(&to, true)))
            }
            By::Proxy(address) => {
                Ok(Url::parse(&address).map_or_else(|_| stop(url, false), |proxy| stop(&proxy, true)))
            }
        }
    }

    /// The secrets in the proxies' addresses, which a proxy may repeat in its answers: those of `models.yaml` and of
    /// the environment.
    pub(super) fn credentials(&self, env: impl Fn(&str) -> Option<String>) -> Vec<String> {
        let of_env = PROXIES.iter().flat_map(|name| [env(name), env(&name.to_ascii_uppercase())]).flatten();
        of_env.chain(self.network.proxy.clone()).flat_map(|proxy| address::credentials(&proxy)).collect()
    }

    /// The proxy that leads to an address, of models.yaml or of the system's settings.
    pub(super) fn proxy(&self, url: &str) -> Option<String> {
        let url = Url::parse(url).ok()?;
        match self.by(&url).ok()? {
            By::Proxy(proxy) => Some(address::shown(&proxy)),
            By::System => named(&Matcher::from_system(), &url).map(|proxy| address::shown(proxy.as_str())),
            By::Straight => None,
        }
    }

    fn by(&self, url: &Url) -> Result<By, ModelError> {
        match self.network.proxy.as_deref().map(str::trim) {
            _ if is_loopback(url) => Ok(By::Straight),
            Some("none") => Ok(By::Straight),
            None => Ok(By::System),
            Some(address) => match Url::parse(address) {
                Ok(url) if PROXY_SCHEMES.contains(&url.scheme()) && url.has_host() => Ok(By::Proxy(address.to_owned())),
                // It may hold a password, so it is not repeated.
                Ok(_) | Err(_) => Err(setting(
                    "network.proxy",
                    message!(
                        "it is not an address such as `http://proxy:3128`",
                        "它不是 `http://proxy:3128` 这样的地址"
                    ),
                )),
            },
        }
    }

    fn build(&self, way: &Way, url: &Url) -> Result<Client, ModelError> {
        let builder = Client::builder()
            .connect_timeout(way.connect)
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("skill-workbench/", env!("CARGO_PKG_VERSION")));
        let builder = match &way.by {
            By::Straight => builder.no_proxy(),
            By::System => builder,
            By::Proxy(address) => {
                builder.proxy(Proxy::all(address).map_err(|error| setting("network.proxy", cause(&error)))?)
            }
        };
        let builder = match &way.trust {
            Trust::Nobody => builder.tls_certs_only([]),
            Trust::System => builder,
            Trust::And(bundle) => builder.tls_certs_merge(self.authorities(bundle)?),
        };
        builder.build().map_err(|error| match &way.trust {
            Trust::And(_) => self.unusable(&cause(&error)),
            Trust::Nobody | Trust::System => ModelError::unreachable(url.as_str(), cause(&error)),
        })
    }

    fn authorities(&self, bundle: &[u8]) -> Result<Vec<Certificate>, ModelError> {
        match Certificate::from_pem_bundle(bundle) {
            Ok(certificates) if certificates.is_empty() => {
                Err(self.unusable(&message!("there is no PEM certificate in it", "其中没有 PEM 证书")))
            }
            Ok(certificates) => Ok(certificates),
            Err(error) => Err(self.unusable(&cause(&error))),
        }
    }

    fn unusable(&self, reason: &Message) -> ModelError {
        let path = self.network.certificates.as_ref().map_or("", |path| path.as_str());
        setting("network.certificates", message!("{path}: {reason}", "{path}：{reason}"; reason))
    }
}

/// The proxy that settings name for an address.
fn named(settings: &Matcher, url: &Url) -> Option<Url> {
    let to: Uri = url.as_str().parse().ok()?;
    let found = settings.intercept(&to)?;
    Url::parse(&found.uri().to_string()).ok()
}

/// The variables that name proxies, also in capitals.
const PROXIES: [&str; 3] = ["http_proxy", "https_proxy", "all_proxy"];

impl Default for Http {
    fn default() -> Self {
        Self::new()
    }
}

/// This machine's own servers, which no proxy can reach.
pub(crate) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// More than all certificates of a system take together.
const CERTIFICATE_BYTES: u64 = 16 << 20;

async fn read(path: &Utf8Path) -> Result<Vec<u8>, ModelError> {
    let file = path.to_owned();
    let read = tokio::task::spawn_blocking(move || disk::read(&file, CERTIFICATE_BYTES)).await;
    let read = read.unwrap_or_else(|error| Err(error.into()));
    read.map_err(|error| {
        let error = wording::why(&error);
        setting("network.certificates", message!("cannot read {path}: {error}", "无法读取 {path}：{error}"; error))
    })
}

fn setting(setting: &str, reason: Message) -> ModelError {
    ModelError::Setting { setting: setting.to_owned(), reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn keeps_one_client_for_each_way() {
        let http = Http::new();
        let seconds = Duration::from_secs;
        let ask = async |http: &Http, url: &str, connect: u64| {
            http.client(&Url::parse(url).unwrap(), seconds(connect)).await.unwrap();
            http.clients.lock().unwrap().len()
        };
        assert_eq!(ask(&http, "http://127.0.0.1:1/v1", 10).await, 1);
        assert_eq!(ask(&http, "http://[::1]:2/v1", 10).await, 1, "another server of this machine");
        assert_eq!(ask(&http, "http://localhost:2/v1", 5).await, 2, "another patience");
        let proxied = http.through(&Network { proxy: Some("http://127.0.0.1:3128".into()), certificates: None });
        assert_eq!(ask(&proxied, "http://localhost:2/v1", 5).await, 2, "no proxy for this machine");
        assert_eq!(ask(&proxied, "http://example.com/v1", 5).await, 3);
        assert_eq!(ask(&proxied, "https://example.org/v1", 5).await, 3);
        let direct = http.through(&Network { proxy: Some("none".into()), certificates: None });
        assert_eq!(ask(&direct, "http://example.com/v1", 5).await, 3, "as to this machine");
    }

    #[test]
    fn the_proxy_of_the_systems_settings_is_named_without_its_password() {
        let settings = Matcher::builder()
            .http("http://ada:secret@proxy.example:3128")
            .https("socks5h://127.0.0.1:1080")
            .no("inside.example")
            .build();
        let named =
            |url: &str| super::named(&settings, &Url::parse(url).unwrap()).map(|proxy| address::shown(proxy.as_str()));
        assert_eq!(named("http://models.example/v1").as_deref(), Some("http://proxy.example:3128/"));
        assert_eq!(named("https://models.example/v1").as_deref(), Some("socks5h://127.0.0.1:1080/"));
        assert_eq!(named("https://inside.example/v1"), None);
    }
}
