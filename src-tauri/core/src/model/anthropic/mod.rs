mod decode;
mod encode;

pub use decode::{Decoder, decode};
pub use encode::encode;
