//! What the model is shown and what its calls get.
