"""What the recorders of clients share: a copy of the fixtures as they were when the committed recordings were made, the
place of these, and one way to write. The questions of a recorder (wrong calls, small roots) come from the newest
committed recording, so that another version gets the same ones."""

import contextlib
import json
import os
import shutil
import subprocess
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

GOLDEN = Path(__file__).resolve().parent.parent / "fixtures" / "golden"

# Each is a text file that holds the link's target; `tests/lib.rs` has the same list.
LINKS = [
    "roots/symlinked/unit-converter",
    "roots/pdf-tools/pdf-tools/references/link.md",
    "roots/pdf-tools/pdf-tools/references/escape.txt",
    "skills/symlinked-dir",
    "skills/pdf-tools/references/link.md",
    "skills/pdf-tools/references/escape.txt",
]
EMPTY_FOLDERS = ["roots/empty", "skills/empty-dir"]
FOLDERS = ["roots", "skills", "symlink-target"]


def committed(client):
    """The folder of the newest committed recording of a client."""

    def version(folder):
        numbers = folder.name.removeprefix(f"{client}-").split(".")
        return [int(number) if number.isdigit() else 0 for number in numbers]

    return max(GOLDEN.glob(f"{client}-*"), key=version)


def asked(client, file):
    """What the committed recording holds in a file."""
    return json.loads((committed(client) / file).read_text(encoding="utf-8"))


def fixtures(client):
    """The names of the roots that the committed recording has; the one with all skills is the last."""
    names = (file.name[len("fixture_") : -len(".json")] for file in committed(client).glob("fixture_*.json"))
    return sorted(names, key=lambda name: (name == "skills", name))


def root(fixture):
    return "skills" if fixture == "skills" else f"roots/{fixture}"


@contextlib.contextmanager
def scratch():
    """A folder for as long as it takes."""
    # Below the system's own folder for such things its name would be in the way of rules about temporary files.
    folder = Path(tempfile.mkdtemp(prefix="record-")).resolve()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def copy_fixtures(into, links=True):
    """The fixtures with real links, or with copies of what these lead to, and empty folders."""
    if not links:
        with scratch() as linked:
            shutil.copytree(copy_fixtures(linked), into, dirs_exist_ok=True)
        return into
    for folder in FOLDERS:
        shutil.copytree(GOLDEN / folder, into / folder)
    for link in LINKS:
        path = into / link
        target = path.read_text(encoding="utf-8")
        path.unlink()
        path.symlink_to(target)
    for folder in EMPTY_FOLDERS:
        (into / folder).mkdir(parents=True, exist_ok=True)
    return into


def neutral(value, places):
    """With placeholders for paths; the longest first, so that one in another keeps its own."""
    text = json.dumps(value, ensure_ascii=False)
    for path, name in sorted(places.items(), key=lambda place: -len(str(place[0]))):
        text = text.replace(str(path), name)
    return json.loads(text)


def write(out, client, version, name, value):
    folder = out / f"{client}-{version}"
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(value, ensure_ascii=False, indent=1) + "\n"
    (folder / f"{name}.json").write_text(text, encoding="utf-8")
    print(f"{folder.name}/{name}.json", flush=True)


def clean_environment():
    """Settings of the machine must not appear in a recording."""
    for variable in list(os.environ):
        named = variable.startswith(("OPENAI_", "ANTHROPIC_", "GEMINI_", "GOOGLE_", "CODEX_", "OPENCODE_", "LANG", "OTEL_"))
        if named or variable.lower().endswith("_proxy"):
            del os.environ[variable]


def locate(value, places):
    """The other way round: paths for placeholders."""
    text = json.dumps(value, ensure_ascii=False)
    for name, path in places.items():
        text = text.replace(name, str(path))
    return json.loads(text)


class Model:
    """A model on the loopback interface that speaks a client's protocol and keeps the requests. `answer` makes the
    bytes and the content type for the entries of `answers`, in turn; when they are used up, for a text. `None`: the
    path is unknown."""

    def __init__(self, answer):
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"null")
                made = model.reply(self.path, body)
                written, kind = made or (b"{}", "application/json")
                self.send_response(200 if made else 404)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(written)))
                self.end_headers()
                self.wfile.write(written)

            do_GET = do_POST

            def log_message(self, *_):
                pass

        self._answer = answer
        self._lock = threading.Lock()
        self.answers, self.requests = [], []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def reply(self, path, body):
        with self._lock:
            made = self._answer(path, body, self.answers[0] if self.answers else {"say": "Done."})
            if made:
                self.requests.append(body)
                self.answers = self.answers[1:]
            return made

    def close(self):
        self._server.shutdown()
        self._server.server_close()


def events(*values):
    """Server-sent events."""
    return "".join(f"data: {value if isinstance(value, str) else json.dumps(value)}\n\n" for value in values).encode()


class Machine:
    """A home folder and a project of a client, with nothing of this machine's own, and what they are called in a recording."""

    def __init__(self, folder, skills):
        self.folder = folder
        self.home, self.project = folder / "home", folder / "project"
        self.skills = self.project / skills
        self.home.mkdir(parents=True)
        self.project.mkdir()
        # Marks the root of the project for clients that search for it: the minimum that Git accepts as a repository.
        for inner in ("objects", "refs"):
            (self.project / ".git" / inner).mkdir(parents=True)
        (self.project / ".git/HEAD").write_text("ref: refs/heads/main\n")
        self.places = {self.project: "{PROJECT}", self.home: "{HOME}"}

    def take(self, fixture):
        """The skills of a fixture, as a copy with its links."""
        shutil.copytree(GOLDEN / root(fixture), self.skills)
        # A link to a folder must lead somewhere; one file leads nowhere from here, as in the committed recordings.
        shutil.copytree(GOLDEN / "symlink-target", self.skills.parent.parent / "symlink-target")
        for link in LINKS:
            if link.startswith(f"{root(fixture)}/"):
                path = self.skills / link[len(root(fixture)) + 1 :]
                target = path.read_text(encoding="utf-8")
                path.unlink()
                path.symlink_to(target)
        for folder in EMPTY_FOLDERS:
            if folder.startswith(f"{root(fixture)}/"):
                (self.skills / folder[len(root(fixture)) + 1 :]).mkdir(exist_ok=True)
        self.places[self.skills] = "{FIXTURES}/" + root(fixture)
        self.places[self.project / "symlink-target"] = "{FIXTURES}/symlink-target"

    def put(self, case):
        """The files of a case of `extras.json` and the like, in the skills' folder if they name no other."""
        for path, text in case["files"].items():
            self.write(self.skills / path, text)
        for path, digits in case.get("hex", {}).items():
            self.write(self.skills / path, bytes.fromhex(digits))
        for path in case.get("empty_folders", []):
            (self.skills / path).mkdir(parents=True, exist_ok=True)
        for path, target in case.get("links", {}).items():
            inside = path.removeprefix("{PROJ}/")
            link = (self.skills if inside == path else self.project) / inside
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(target.replace("{PROJECT}", str(self.project)).replace("{HOME}", str(self.home)))
        for path, text in case.get("elsewhere", {}).items():
            inside = path.removeprefix("{PROJ}/")
            text = text.replace("{PROJECT}", str(self.project)).replace("{HOME}", str(self.home))
            self.write((self.project if inside != path else self.home) / inside, text)
        self.places[self.skills] = "{ROOT}"

    def write(self, path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        if not isinstance(text, bytes):
            text = (text if isinstance(text, str) else json.dumps(text)).encode()
        path.write_bytes(text)

    def unknown(self, names):
        """Names of folders with a `SKILL.md` that are not the name of a skill."""
        found = {file.parent.name for file in self.skills.rglob("SKILL.md")}
        return sorted(found - set(names))

    def run(self, command, environment, seconds=180):
        """Its output and its errors. The environment has only the given variables."""
        kept = {key: os.environ[key] for key in ("PATH",) if key in os.environ}
        done = subprocess.run(
            command,
            cwd=self.project,
            env={**kept, "HOME": str(self.home), **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
        )
        return done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def each(work, items):
    """`work` of all items, some at once, in their order. A client takes seconds to start."""
    with ThreadPoolExecutor(max_workers=max(2, os.cpu_count() or 2)) as pool:
        return list(pool.map(work, items))
