//! How the program handles files: its own are readable by their owner only, files are written whole, one process at a
//! time changes a file, and reading has a size limit. Earlier versions of a file come from `versions` and `git`,
//! deleted files from `trash`.

pub mod git;
pub mod outside;
pub mod trash;
pub mod versions;

mod digest;
mod folder;
mod moving;
mod opening;
mod private;
mod program;
mod reading;
mod real;
mod tree;
mod turn;
mod whole;

pub use digest::digest;
pub use folder::{Blocked, EntryKind, Facts, Folder};
pub use moving::rename_new;
pub use opening::{not_regular, open, open_unlinked};
pub use private::{make_private_file, make_private_folder, tighten};
pub use program::program;
pub use reading::{read, read_stream, read_text, text};
pub use real::{PATH_LIMIT, is_below, real};
pub use tree::remove_tree;
pub use turn::{Turn, turn};
pub use whole::{Growing, claim, sweep, write_atomically, write_itself, write_loosely, write_new, write_privately};
