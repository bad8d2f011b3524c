//! A server that ends when its value is dropped.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use super::{last_lines, logged};

/// Reading the model takes seconds; on a busy machine many.
const PATIENCE: Duration = Duration::from_secs(180);

const BETWEEN_TRIES: Duration = Duration::from_millis(200);

pub struct Server {
    process: Child,
    port: u16,
    log: PathBuf,
}

impl Server {
    /// `command` gets the port; the server is up once it answers requests for `path`.
    pub fn start(name: &str, home: &Path, path: &str, command: impl Fn(&str) -> Command) -> Result<Self, String> {
        let port = free_port().map_err(|error| format!("loopback has no free port: {error}"))?;
        let log = home.join(format!("{name}.log"));
        println!("Starting {name} on port {port}.");
        let process = logged(command(&port.to_string()), &log)
            .and_then(|mut command| command.spawn())
            .map_err(|error| format!("{name} could not start: {error}"))?;
        // Made first, so that the process ends with it whatever comes.
        let mut server = Self { process, port, log };
        server.wait_until_up(path).map_err(|why| format!("{name} {why}; {}", last_lines(&server.log)))?;
        Ok(server)
    }

    /// Without a path.
    pub fn address(&self) -> String {
        format!("http://{}:{}", Ipv4Addr::LOCALHOST, self.port)
    }

    /// The file with what it said.
    pub fn log(&self) -> std::path::Display<'_> {
        self.log.display()
    }

    fn wait_until_up(&mut self, path: &str) -> Result<(), String> {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if let Ok(Some(status)) = self.process.try_wait() {
                return Err(format!("ended with {status} before it was up"));
            }
            if answers(self.port, path) {
                return Ok(());
            }
            thread::sleep(BETWEEN_TRIES);
        }
        Err(format!("did not answer within {} s", PATIENCE.as_secs()))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing left to end.
        if self.process.kill().is_ok() {
            let _ = self.process.wait();
        }
    }
}

fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

/// Whether a GET is answered with 200.
fn answers(port: u16, path: &str) -> bool {
    let ask = || {
        let mut connection = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
        connection.set_read_timeout(Some(Duration::from_secs(2)))?;
        write!(connection, "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
        let mut head = [0; 12];
        connection.read_exact(&mut head)?;
        std::io::Result::Ok(head.ends_with(b" 200"))
    };
    ask().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader};

    use super::*;

    #[test]
    fn a_server_that_ends_before_it_is_up_is_reported_with_its_last_output() {
        let home = std::env::temp_dir().join(format!("skillbench-server-{}", std::process::id()));
        std::fs::create_dir_all(&home).unwrap();
        let error = Server::start("cargo", &home, "/", |port| {
            let mut command = Command::new("cargo");
            command.arg(format!("no-command-{port}"));
            command
        })
        .err()
        .unwrap();
        std::fs::remove_dir_all(&home).unwrap();
        assert!(error.starts_with("cargo ended with ") && error.contains("no such command: `no-command-"), "{error}");
    }

    #[test]
    fn only_an_answer_of_200_counts() {
        for (said, is_up) in [("HTTP/1.1 200 OK\r\n\r\n", true), ("HTTP/1.1 503 Busy\r\n\r\n", false), ("", false)] {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
            let port = listener.local_addr().unwrap().port();
            // If a connection is closed before the whole request was read, the answer on it is lost.
            let answering = thread::spawn(move || {
                let mut connection = BufReader::new(listener.accept().unwrap().0);
                let heard = connection.by_ref().lines().map(Result::unwrap).take_while(|line| !line.is_empty()).count();
                (heard, connection.get_mut().write_all(said.as_bytes()))
            });
            assert_eq!(answers(port, "/health"), is_up, "{said}");
            let (heard, said) = answering.join().unwrap();
            assert_eq!((heard, said.is_ok()), (3, true));
        }
    }
}
