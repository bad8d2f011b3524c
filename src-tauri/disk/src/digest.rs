//! The sum by which a content is known.

use sha2::{Digest, Sha256};

/// SHA-256 in hexadecimal digits.
pub fn digest(bytes: impl AsRef<[u8]>) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
