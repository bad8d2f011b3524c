//! What a machine has by itself, and how packages are called where they are installed. Each list is sorted.

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

/// The names under which a Python module is installed, where they are not its own.
pub fn distributions(module: &str) -> &'static [&'static str] {
    DISTRIBUTIONS.iter().find(|(name, _)| *name == module).map_or(&[], |(_, names)| names)
}

/// A package whose name is a word of English, so that a text with it need not speak of the package.
pub fn is_common_word(package: &str) -> bool {
    COMMON_WORDS.binary_search(&package).is_ok()
}

/// A program that is on any machine with a shell, or part of the shell.
pub fn is_everywhere(program: &str) -> bool {
    PROGRAMS.binary_search(&program).is_ok()
}

/// What a program comes with, by the names people give that.
pub fn bundles(program: &str) -> &'static [&'static str] {
    BUNDLES.iter().find(|(programs, _)| programs.contains(&program)).map_or(&[], |(_, names)| names)
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

/// An environment variable, to go by its name.
pub fn is_variable_name(name: &str) -> bool {
    name.len() > 2
        && name.starts_with(|letter: char| letter.is_ascii_uppercase())
        && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

/// The host of the first address in a text; none for the machine itself, examples, and names that are no places.
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
    // A user's name or a variable in the place of the host is nothing that can be named.
    let whole = !rest[end..].starts_with(['@', '{', '$', '<', '%']);
    let is_schema = ["w3.org", "openxmlformats.org", "schemas.microsoft.com", "json-schema.org", "purl.org"];
    (is_place && !is_example && whole && !is_schema.iter().any(|schema| name.ends_with(schema))).then_some(name)
}

/// A path that is neither below the current folder nor a place for what is thrown away.
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

/// The first path in somebody's home, and where it is in the text.
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

/// A user, in small letters, who stands for any, or whom machines have that agents and builds run on.
pub fn is_nobody(user: &str) -> bool {
    NOBODY.binary_search(&user).is_ok() || user.starts_with("your") || user.contains("username")
}

/// Sorted.
const NOBODY: [&str; 62] = [
    "admin",
    "agent",
    "alice",
    "app",
    "bob",
    "carol",
    "circleci",
    "claude",
    "coder",
    "codespace",
    "container",
    "dave",
    "default",
    "demo",
    "dev",
    "developer",
    "emma",
    "eve",
    "example",
    "foo",
    "gitpod",
    "home",
    "jack",
    "jane",
    "jane.doe",
    "janedoe",
    "jdoe",
    "john",
    "john.doe",
    "johndoe",
    "jovyan",
    "jsmith",
    "linuxbrew",
    "mary",
    "me",
    "myname",
    "myuser",
    "name",
    "node",
    "nonroot",
    "oai",
    "path",
    "pi",
    "public",
    "root",
    "runner",
    "sam",
    "sandbox",
    "sarah",
    "shared",
    "somebody",
    "someone",
    "test",
    "tester",
    "u",
    "ubuntu",
    "user",
    "username",
    "vscode",
    "x",
    "xxx",
    "you",
];

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

/// Sorted.
const COMMON_WORDS: [&str; 45] = [
    "attrs",
    "box",
    "chalk",
    "click",
    "colors",
    "commander",
    "docker",
    "express",
    "fire",
    "git",
    "github",
    "glob",
    "google",
    "inquirer",
    "invoke",
    "jose",
    "magic",
    "markdown",
    "marked",
    "networks",
    "open",
    "openai",
    "ora",
    "path",
    "polars",
    "prompts",
    "redis",
    "request",
    "requests",
    "rich",
    "schedule",
    "semver",
    "serial",
    "sharp",
    "slack",
    "slugify",
    "stripe",
    "tables",
    "tabulate",
    "telegram",
    "tree",
    "typing",
    "usb",
    "wand",
    "watch",
];

/// What an installation of Python has besides its standard library.
const WITH_PYTHON: [&str; 6] = ["macurl2path", "pip", "pkg_resources", "setuptools", "test", "wheel"];

/// Without `node:`.
const NODE: [&str; 45] = [
    "assert",
    "async_hooks",
    "buffer",
    "child_process",
    "cluster",
    "console",
    "constants",
    "crypto",
    "dgram",
    "diagnostics_channel",
    "dns",
    "domain",
    "events",
    "fs",
    "http",
    "http2",
    "https",
    "inspector",
    "module",
    "net",
    "os",
    "path",
    "perf_hooks",
    "process",
    "punycode",
    "querystring",
    "readline",
    "repl",
    "sea",
    "sqlite",
    "stream",
    "string_decoder",
    "sys",
    "test",
    "timers",
    "tls",
    "trace_events",
    "tty",
    "url",
    "util",
    "v8",
    "vm",
    "wasi",
    "worker_threads",
    "zlib",
];

/// POSIX, GNU, the builtins of shells, the usual interpreters, and what one system or another installs and opens with.
const PROGRAMS: [&str; 242] = [
    "[",
    "alias",
    "apk",
    "apt",
    "apt-get",
    "autoload",
    "awk",
    "base64",
    "basename",
    "bash",
    "bc",
    "bg",
    "break",
    "brew",
    "builtin",
    "bunzip2",
    "bzip2",
    "cal",
    "caller",
    "case",
    "cat",
    "cd",
    "chgrp",
    "chmod",
    "choco",
    "chown",
    "cksum",
    "clear",
    "cmd",
    "cmp",
    "comm",
    "command",
    "compdef",
    "compgen",
    "complete",
    "continue",
    "coproc",
    "cp",
    "cut",
    "cygpath",
    "dash",
    "date",
    "dd",
    "declare",
    "df",
    "diff",
    "dir",
    "dirname",
    "dirs",
    "disown",
    "dnf",
    "do",
    "done",
    "du",
    "echo",
    "egrep",
    "elif",
    "else",
    "emulate",
    "enable",
    "env",
    "esac",
    "eval",
    "exec",
    "exit",
    "expand",
    "explorer",
    "export",
    "expr",
    "false",
    "fc",
    "fg",
    "fgrep",
    "fi",
    "file",
    "find",
    "fmt",
    "fold",
    "for",
    "free",
    "function",
    "getconf",
    "getopt",
    "getopts",
    "git",
    "grep",
    "groups",
    "gtimeout",
    "gunzip",
    "gzip",
    "hash",
    "head",
    "help",
    "hexdump",
    "history",
    "hostname",
    "iconv",
    "id",
    "if",
    "in",
    "install",
    "jobs",
    "join",
    "kill",
    "less",
    "let",
    "ln",
    "local",
    "locale",
    "logger",
    "logname",
    "logout",
    "ls",
    "lsof",
    "make",
    "man",
    "mapfile",
    "md5",
    "md5sum",
    "mkdir",
    "mkfifo",
    "mktemp",
    "more",
    "mv",
    "nice",
    "nl",
    "nohup",
    "nproc",
    "numfmt",
    "od",
    "open",
    "osascript",
    "pacman",
    "paste",
    "patch",
    "pathchk",
    "pbcopy",
    "pbpaste",
    "pgrep",
    "ping",
    "pip",
    "pip3",
    "pkill",
    "popd",
    "powershell",
    "pr",
    "printenv",
    "printf",
    "ps",
    "pushd",
    "pwd",
    "pwsh",
    "python",
    "python3",
    "read",
    "readarray",
    "readlink",
    "readonly",
    "realpath",
    "reset",
    "return",
    "rev",
    "rm",
    "rmdir",
    "script",
    "sed",
    "select",
    "seq",
    "set",
    "setopt",
    "sh",
    "sha1sum",
    "sha256sum",
    "shasum",
    "shift",
    "shopt",
    "shuf",
    "sleep",
    "sort",
    "source",
    "split",
    "ss",
    "stat",
    "strings",
    "stty",
    "su",
    "sudo",
    "suspend",
    "sync",
    "tac",
    "tail",
    "tar",
    "tee",
    "test",
    "then",
    "time",
    "timeout",
    "times",
    "top",
    "touch",
    "tput",
    "tr",
    "trap",
    "true",
    "truncate",
    "tsort",
    "tty",
    "type",
    "typeset",
    "ulimit",
    "umask",
    "unalias",
    "uname",
    "unexpand",
    "uniq",
    "unlink",
    "unset",
    "unsetopt",
    "until",
    "unzip",
    "uptime",
    "usage",
    "users",
    "wait",
    "watch",
    "wc",
    "which",
    "while",
    "who",
    "whoami",
    "winget",
    "xargs",
    "xclip",
    "xdg-open",
    "xxd",
    "yes",
    "yum",
    "zcat",
    "zip",
    "zmodload",
    "zsh",
    "zstyle",
];

/// Set by shells, systems and agents.
const VARIABLES: [&str; 80] = [
    "APPDATA",
    "BASH",
    "BASH_LINENO",
    "BASH_REMATCH",
    "BASH_SOURCE",
    "BASH_VERSION",
    "CI",
    "CLAUDECODE",
    "CLAUDE_PLUGIN_ROOT",
    "CLAUDE_PROJECT_DIR",
    "CLAUDE_SESSION_ID",
    "CLAUDE_SKILL_DIR",
    "COLUMNS",
    "COMSPEC",
    "DISPLAY",
    "EDITOR",
    "EUID",
    "FORCE_COLOR",
    "FUNCNAME",
    "GITHUB_ACTIONS",
    "HOME",
    "HOMEDRIVE",
    "HOMEPATH",
    "HOSTNAME",
    "HOSTTYPE",
    "IFS",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_CTYPE",
    "LINENO",
    "LINES",
    "LOCALAPPDATA",
    "LOGNAME",
    "MACHTYPE",
    "NODE_ENV",
    "NO_COLOR",
    "OLDPWD",
    "OPTARG",
    "OPTIND",
    "OSTYPE",
    "PAGER",
    "PATH",
    "PATHEXT",
    "PIPESTATUS",
    "PPID",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "PROMPT_COMMAND",
    "PWD",
    "PYTHONIOENCODING",
    "PYTHONPATH",
    "PYTHONUNBUFFERED",
    "PYTHONUTF8",
    "RANDOM",
    "REPLY",
    "SECONDS",
    "SHELL",
    "SHLVL",
    "SSH_AUTH_SOCK",
    "SYSTEMROOT",
    "TEMP",
    "TERM",
    "TMP",
    "TMPDIR",
    "TZ",
    "UID",
    "USER",
    "USERNAME",
    "USERPROFILE",
    "VIRTUAL_ENV",
    "VISUAL",
    "WAYLAND_DISPLAY",
    "WINDIR",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR",
    "XDG_STATE_HOME",
    "_",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted_so_that_they_can_be_searched() {
        for list in [&COMMON_WORDS[..], &WITH_PYTHON, &NODE, &PROGRAMS, &VARIABLES] {
            assert!(list.is_sorted(), "{list:?}");
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
