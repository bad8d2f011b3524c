//! What a model may cause on this machine: running a script and reading a file, with limits.
