//! What a machine has without installing anything, the names under which packages are installed, and where installers
//! are. Long lists are files in `known/`, a name a line and sorted.

use std::sync::LazyLock;

use ruff_python_stdlib::sys::is_known_standard_library;
use skill::source::Span;

/// Whether Python brings the module itself, in any version from 3.8 to 3.14.
pub fn is_python_own(module: &str) -> bool {
    module.starts_with('_')
        || (8..=14).any(|minor| is_known_standard_library(minor, module))
        || WITH_PYTHON.binary_search(&module).is_ok()
}

/// Whether the program that runs it, or the editor, brings the package itself.
pub fn is_node_own(package: &str) -> bool {
    let root = package.split('/').next().unwrap_or_default();
    package.contains(':') || matches!(package, "bun" | "vscode") || NODE.binary_search(&root).is_ok()
}

/// The names under which a Python module is installed, if they differ from its own.
pub fn distributions(module: &str) -> &'static [&'static str] {
    DISTRIBUTIONS.iter().find(|(name, _)| *name == module).map_or(&[], |(_, names)| names)
}

/// A package whose name is a word of English, so that a text with this word need not mean the package.
pub fn is_common_word(package: &str) -> bool {
    COMMON_WORDS.binary_search(&package).is_ok()
}

/// A program that is on any machine with a shell, or part of the shell.
pub fn is_everywhere(program: &str) -> bool {
    PROGRAMS.binary_search(&program).is_ok()
}

/// What a program comes with, by common names.
pub fn bundles(program: &str) -> &'static [&'static str] {
    BUNDLES.iter().find(|(programs, _)| programs.contains(&program)).map_or(&[], |(_, names)| names)
}

/// An address below one that a tool's makers tell people to install it from.
pub fn is_installer(address: &str) -> bool {
    INSTALLERS.iter().any(|start| address.starts_with(start))
}

/// What could be the name of a program: no path, no variable, no flag.
pub fn is_program_name(word: &str) -> bool {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.' | '+');
    word.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && word.chars().all(is_part)
        && !word.contains('.')
        && word.len() > 1
}

/// A variable that a shell, a system or an agent sets by itself.
pub fn is_set_anyway(variable: &str) -> bool {
    VARIABLES.binary_search(&variable).is_ok() || variable.starts_with("LC_") || variable.starts_with("BASH_")
}

/// Whether a name looks like that of an environment variable.
pub fn is_variable_name(name: &str) -> bool {
    name.len() > 2
        && name.starts_with(|letter: char| letter.is_ascii_uppercase())
        && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

/// The host of the first address in a text; none for the machine itself, examples, and names that are not hosts.
pub fn host(text: &str) -> Option<String> {
    let at = text.find("://")?;
    if !text[..at].ends_with("http") && !text[..at].ends_with("https") {
        return None;
    }
    let rest = &text[at + 3..];
    let end =
        rest.find(|letter: char| !letter.is_ascii_alphanumeric() && !matches!(letter, '.' | '-')).unwrap_or(rest.len());
    let name = rest[..end].trim_end_matches('.').to_ascii_lowercase();
    let is_place = name.contains('.') && !name.starts_with("127.") && !name.starts_with("0.");
    let is_example = name.split('.').any(|part| matches!(part, "example" | "localhost" | "test" | "invalid"));
    // A user's name or a variable in place of the host is nothing that can be named.
    let whole = !rest[end..].starts_with(['@', '{', '$', '<', '%']);
    let is_schema = ["w3.org", "openxmlformats.org", "schemas.microsoft.com", "json-schema.org", "purl.org"];
    (is_place && !is_example && whole && !is_schema.iter().any(|schema| name.ends_with(schema))).then_some(name)
}

/// A path that is neither below the current folder nor a place for temporary files.
pub fn is_outside(path: &str) -> bool {
    let thrown_away = ["/dev/", "/tmp/", "/var/tmp/", "/proc/self/"];
    (path.starts_with('/')
        && path.len() > 1
        && !thrown_away.iter().any(|place| path.starts_with(place))
        && path != "/tmp")
        || path == "~"
        || path.starts_with("~/")
}

/// Whether [`home_path`] can find anything in a text, or in a part of it.
pub fn has_home(text: &str) -> bool {
    HOMES.iter().any(|mark| text.contains(mark))
}

/// The first path in a user's home, and its place in the text.
pub fn home_path(text: &str) -> Option<(String, Span)> {
    for mark in HOMES {
        for (at, _) in text.match_indices(mark).take(20) {
            let name_start = at + mark.len();
            let rest = &text[name_start..];
            let end = rest.find(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '.' | '-' | '_'));
            let Some(end) = end.filter(|end| rest[*end..].starts_with(['/', '\\'])) else { continue };
            let name = rest[..end].to_ascii_lowercase();
            let start = if mark.starts_with('/') { at } else { at.saturating_sub(1) };
            // Part of a longer path or of an address.
            let inside =
                text[..start].ends_with(|letter: char| letter.is_alphanumeric() || matches!(letter, '.' | '}' | '/'));
            if inside || end == 0 || is_nobody(&name) {
                continue;
            }
            let tail = rest[end..].find(|letter: char| letter.is_whitespace() || "\"'`,;:()[]{}<>|$".contains(letter));
            let span = Span::new(start, name_start + tail.map_or(rest.len(), |tail| end + tail));
            return Some((span.of(text).to_owned(), span));
        }
    }
    None
}

const HOMES: [&str; 3] = ["/home/", "/Users/", ":\\Users\\"];

/// A user name, in small letters, that is a placeholder or common on machines of agents and builds.
pub fn is_nobody(user: &str) -> bool {
    NOBODY.binary_search(&user).is_ok() || user.starts_with("your") || user.contains("username")
}

static NOBODY: LazyLock<Vec<&str>> = LazyLock::new(|| lines(include_str!("known/nobody.txt")));

/// `(programs, what they come with)`
const BUNDLES: &[(&[&str], &[&str])] = &[
    (&["soffice", "lowriter", "localc"], &["libreoffice"]),
    (
        &["pdftotext", "pdftoppm", "pdfinfo", "pdfimages", "pdfunite", "pdfseparate", "pdftocairo"],
        &["poppler", "poppler-utils"],
    ),
    (&["convert", "magick", "identify", "mogrify", "montage"], &["imagemagick"]),
    (&["ffmpeg", "ffprobe", "ffplay"], &["ffmpeg"]),
    (&["gs"], &["ghostscript"]),
    (&["dot", "neato"], &["graphviz"]),
    (&["psql", "pg_dump", "pg_restore"], &["postgresql", "postgres", "postgresql-client"]),
    (&["sqlite3"], &["sqlite"]),
    (&["rg"], &["ripgrep"]),
    (&["fd", "fdfind"], &["fd-find"]),
    (&["aws"], &["awscli", "aws-cli"]),
    (&["gcloud", "gsutil", "bq"], &["google-cloud-sdk", "google-cloud-cli"]),
    (
        &["pdflatex", "xelatex", "lualatex", "latexmk", "bibtex"],
        &["latex", "texlive", "tex-live", "mactex", "tectonic"],
    ),
    (&["tsc"], &["typescript"]),
    (&["node", "npm", "npx"], &["node.js", "nodejs", "node"]),
    (&["cargo", "rustc"], &["rust", "rustup"]),
    (&["go", "gofmt"], &["golang"]),
    (&["java", "javac"], &["jdk", "openjdk", "jre"]),
    (&["mmdc"], &["mermaid-cli"]),
    (&["7z", "7za"], &["p7zip", "7-zip"]),
];

/// `(module, distributions)`
const DISTRIBUTIONS: &[(&str, &[&str])] = &[
    ("Bio", &["biopython"]),
    ("Crypto", &["pycryptodome"]),
    ("Cryptodome", &["pycryptodomex"]),
    ("MySQLdb", &["mysqlclient"]),
    ("OpenSSL", &["pyopenssl"]),
    ("PIL", &["pillow"]),
    ("attr", &["attrs"]),
    ("bpy", &["blender"]),
    ("bs4", &["beautifulsoup4", "beautifulsoup"]),
    ("cairo", &["pycairo"]),
    ("cv2", &["opencv-python", "opencv-python-headless", "opencv-contrib-python", "opencv"]),
    ("dateutil", &["python-dateutil"]),
    ("docx", &["python-docx"]),
    ("dotenv", &["python-dotenv"]),
    ("faiss", &["faiss-cpu", "faiss-gpu"]),
    ("fitz", &["pymupdf"]),
    ("gi", &["pygobject"]),
    ("git", &["gitpython"]),
    ("github", &["pygithub"]),
    ("google", &["google-cloud", "google-genai", "google-auth", "google-api-python-client", "protobuf"]),
    ("googleapiclient", &["google-api-python-client"]),
    ("jose", &["python-jose"]),
    ("jwt", &["pyjwt"]),
    ("magic", &["python-magic"]),
    ("mpl_toolkits", &["matplotlib"]),
    ("nacl", &["pynacl"]),
    ("pptx", &["python-pptx"]),
    ("psycopg2", &["psycopg2-binary"]),
    ("pythoncom", &["pywin32"]),
    ("serial", &["pyserial"]),
    ("skimage", &["scikit-image"]),
    ("sklearn", &["scikit-learn"]),
    ("slugify", &["python-slugify"]),
    ("telegram", &["python-telegram-bot"]),
    ("usb", &["pyusb"]),
    ("whisper", &["openai-whisper"]),
    ("win32com", &["pywin32"]),
    ("wx", &["wxpython"]),
    ("yaml", &["pyyaml", "ruamel"]),
    ("zmq", &["pyzmq"]),
];

static COMMON_WORDS: LazyLock<Vec<&str>> = LazyLock::new(|| lines(include_str!("known/common_words.txt")));

/// Modules that come with Python in addition to its standard library.
const WITH_PYTHON: [&str; 6] = ["macurl2path", "pip", "pkg_resources", "setuptools", "test", "wheel"];

/// Without `node:`.
static NODE: LazyLock<Vec<&str>> = LazyLock::new(|| lines(include_str!("known/node.txt")));

/// POSIX, GNU, the builtins of shells, the usual interpreters, and what one system or another installs and opens with.
static PROGRAMS: LazyLock<Vec<&str>> = LazyLock::new(|| lines(include_str!("known/programs.txt")));

/// How addresses of installers begin.
static INSTALLERS: LazyLock<Vec<&str>> = LazyLock::new(|| lines(include_str!("known/installers.txt")));

/// Set by shells, systems and agents.
static VARIABLES: LazyLock<Vec<&str>> = LazyLock::new(|| lines(include_str!("known/variables.txt")));

fn lines(list: &'static str) -> Vec<&'static str> {
    list.lines().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted_so_that_they_can_be_searched() {
        for list in [&NOBODY[..], &COMMON_WORDS, &WITH_PYTHON, &NODE, &PROGRAMS, &INSTALLERS, &VARIABLES] {
            assert!(list.iter().is_sorted_by(|one, next| one < next), "{list:?}");
        }
    }

    #[test]
    fn homes_are_of_somebody_and_not_part_of_an_address() {
        let found = |text| home_path(text).map(|(path, _)| path);
        assert_eq!(found("open /home/ada/x.txt now"), Some("/home/ada/x.txt".into()));
        assert_eq!(found("C:\\Users\\Ada\\x"), Some("C:\\Users\\Ada\\x".into()));
        assert_eq!(found("https://site.org/home/ada/x"), None);
        assert_eq!(found("/home/user/x and /Users/<you>/y and /home/$USER/z"), None);
    }

    #[test]
    fn hosts_are_places_that_could_be_named() {
        assert_eq!(host("https://api.github.com/repos"), Some("api.github.com".into()));
        for text in [
            "http://localhost:8080",
            "https://example.com/a",
            "https://{host}/a",
            "http://www.w3.org/2000/svg",
            "ftp://a.b",
        ] {
            assert_eq!(host(text), None, "{text}");
        }
    }
}
