//! `cargo xtask test-otlp`: a run is sent to Phoenix, a tracing back end that others wrote, and is read back from it.
//! Phoenix comes from PyPI, is kept below `target`, and runs on this machine alone.

use std::net::TcpListener;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use crate::python::Environment;
use crate::{binary, cargo, command, must, target};

/// A cold start takes about a minute.
const STARTS: Duration = Duration::from_secs(300);

pub fn test() -> Result<(), String> {
    let phoenix = Environment::install_pinned("phoenix", "tests/otlp/phoenix.txt")?;
    must(cargo(&["build", "--quiet", "-p", "skillbench"]))?;
    let home = target().join("tmp/phoenix");
    if home.exists() {
        fs::remove_dir_all(&home).map_err(|error| format!("cannot remove {}: {error}", home.display()))?;
    }
    fs::create_dir_all(&home).map_err(|error| format!("cannot create {}: {error}", home.display()))?;
    let [port, grpc] = [free_port()?, free_port()?];
    let log = home.join("log");
    let written = fs::File::create(&log).map_err(|error| format!("cannot create {}: {error}", log.display()))?;
    let again = written.try_clone().map_err(|error| error.to_string())?;
    let mut serve = command(phoenix.program("phoenix"), &["serve"]);
    serve
        .env("PHOENIX_WORKING_DIR", &home)
        .env("PHOENIX_HOST", "127.0.0.1")
        .env("PHOENIX_PORT", &port)
        .env("PHOENIX_GRPC_PORT", &grpc)
        .env("PHOENIX_TELEMETRY_ENABLED", "false")
        .stdin(Stdio::null())
        .stdout(written)
        .stderr(again);
    let server = Server(serve.spawn().map_err(|error| format!("phoenix could not start: {error}"))?);
    println!("Waiting for Phoenix on port {port}; it says {}.", log.display());
    server.answers(&port)?;
    let mut check = command(phoenix.program("python"), &["-B", "tests/otlp/phoenix.py"]);
    check
        .arg(binary("skillbench"))
        .arg(format!("http://127.0.0.1:{port}"))
        .env("SKILL_WORKBENCH_HOME", home.join("home"));
    must(check)
}

fn free_port() -> Result<String, String> {
    let listener = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    listener.map(|address| address.port().to_string()).map_err(|error| format!("there is no free port: {error}"))
}

/// It ends with this value.
struct Server(Child);

impl Server {
    fn answers(&self, port: &str) -> Result<(), String> {
        let begun = Instant::now();
        while begun.elapsed() < STARTS {
            if std::net::TcpStream::connect(format!("127.0.0.1:{port}")).is_ok() {
                return Ok(());
            }
            thread::sleep(Duration::from_millis(500));
        }
        Err(format!("phoenix did not answer within {} s", STARTS.as_secs()))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing left to end.
        if self.0.kill().is_ok() {
            let _ = self.0.wait();
        }
    }
}
