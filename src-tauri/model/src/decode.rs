//! What every codec does with a streamed answer.

use super::{ModelError, ModelEvent};

/// Reads a streamed answer, payload by payload. Usage and the finish come last, from [`Decode::end`], once each.
pub trait Decode: Send {
    /// What one `data` payload adds. `raw` in an error is the whole payload.
    fn push(&mut self, payload: &str) -> Result<Vec<ModelEvent>, ModelError>;

    /// The block of the answer that the last payload was about: texts of one block go on for themselves.
    fn block(&self) -> u64 {
        0
    }

    /// The model has finished; at most its usage is still to come.
    fn has_finished(&self) -> bool;

    /// Nothing more is to come.
    fn is_done(&self) -> bool;

    /// The last events of an answer that has ended.
    fn end(self: Box<Self>) -> Result<Vec<ModelEvent>, ModelError>;
}
