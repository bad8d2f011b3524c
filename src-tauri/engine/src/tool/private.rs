//! Files that no model may get: keys, and the files of programs in home folders. A framework that would read them gets
//! nothing, even in a run with the framework's real behaviour. Folders that the user opened are not checked here.

use camino::{Utf8Component, Utf8Path};

/// Whether a real path is private, or inside of something private.
pub fn is_private(real: &Utf8Path) -> bool {
    let names = || {
        real.components().filter_map(|part| match part {
            Utf8Component::Normal(name) => Some(name),
            _ => None,
        })
    };
    OF_THE_SYSTEM.iter().any(|place| real.starts_with(place)) || is_of_a_program(real) || names().any(is_called_a_key)
}

/// Keys and passwords of the system, and what runs now.
const OF_THE_SYSTEM: [&str; 14] = [
    "/etc/shadow",
    "/etc/shadow-",
    "/etc/gshadow",
    "/etc/gshadow-",
    "/etc/sudoers",
    "/etc/sudoers.d",
    "/etc/ssh",
    "/etc/ssl/private",
    "/etc/pki/tls/private",
    "/etc/NetworkManager",
    "/etc/wpa_supplicant",
    "/run",
    "/var/run",
    "/private/var/run",
];

/// Files of programs in any user's home folder: names with a leading dot, and their counterparts on other systems.
fn is_of_a_program(real: &Utf8Path) -> bool {
    let own = dirs::home_dir().and_then(|home| real.strip_prefix(home.to_str()?).ok().map(Utf8Path::to_owned));
    let root = real.strip_prefix("/root").ok().map(Utf8Path::to_owned);
    let others = ["/home", "/Users"].into_iter().filter_map(|homes| {
        let mut within = real.strip_prefix(homes).ok()?.components();
        within.next()?;
        Some(within.as_path().to_owned())
    });
    own.into_iter().chain(root).chain(others).any(|within| {
        let first = within.components().next().map(|part| part.as_str().to_owned()).unwrap_or_default();
        first.starts_with('.') || ["AppData", "Library"].contains(&first.as_str())
    })
}

/// Names of keys and passwords, in any folder.
fn is_called_a_key(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let (stem, ending) = name.rsplit_once('.').unwrap_or((&name, ""));
    NAMES.contains(&name.as_str())
        || STEMS.iter().any(|known| stem == *known || name == *known)
        || ENDINGS.contains(&ending)
        || name.starts_with(".env.")
}

const NAMES: [&str; 10] =
    [".env", ".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass", ".htpasswd", ".git-credentials", ".ssh", ".gnupg"];

/// With any ending, or none.
const STEMS: [&str; 5] = ["credentials", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"];

const ENDINGS: [&str; 8] = ["pem", "key", "p12", "pfx", "jks", "keystore", "kdbx", "ppk"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_what_programs_keep_at_home_are_private_and_other_files_are_not() {
        let home = dirs::home_dir().unwrap();
        let home = Utf8Path::from_path(&home).unwrap();
        let private = [
            home.join(".ssh"),
            home.join(".ssh/config"),
            home.join(".config/skill-workbench/models.yaml"),
            home.join("Library/Keychains/login.keychain-db"),
            "/home/other/.bash_history".into(),
            "/root/.aws/config".into(),
            "/etc/shadow".into(),
            "/etc/ssl/private/server.crt".into(),
            "/run/secrets/token".into(),
            "/srv/project/.env".into(),
            "/srv/project/.env.production".into(),
            "/srv/project/tls/server.key".into(),
            "/srv/backup/.ssh/config".into(),
            "/srv/backup/ID_RSA".into(),
            "/srv/backup/id_ed25519.pub".into(),
            "/srv/backup/credentials.json".into(),
        ];
        for path in private {
            assert!(is_private(&path), "{path}");
        }
        let open = [
            home.to_owned(),
            home.join("notes.md"),
            home.join("projects/.github/workflow.yml"),
            "/etc/hosts".into(),
            "/etc/passwd".into(),
            "/srv/project/keys.md".into(),
            "/srv/project/environment.yml".into(),
            "/srv/project/.envrc-example".into(),
            "/home".into(),
            "/home/other/notes.md".into(),
            "/".into(),
        ];
        for path in open {
            assert!(!is_private(&path), "{path}");
        }
    }
}
