//! `--tokenizer`.

use api::Workbench;
use clap::ValueEnum;
use model::tokens::Tokenizer;

#[derive(clap::Args)]
pub struct Counting {
    /// What tokens are counted with; defaults to what is chosen in the window, else o200k_base. Rules and recorded runs always
    /// count with o200k_base
    #[arg(long, value_enum, value_name = "NAME")]
    tokenizer: Option<Named>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Named {
    /// Of OpenAI's models since GPT-4o
    #[value(name = "o200k_base")]
    O200kBase,
    /// Of GPT-4 and GPT-3.5
    #[value(name = "cl100k_base")]
    Cl100kBase,
}

impl Counting {
    pub fn apply(&self, bench: &Workbench) {
        if let Some(named) = self.tokenizer {
            bench.count_with(match named {
                Named::O200kBase => Tokenizer::O200kBase,
                Named::Cl100kBase => Tokenizer::Cl100kBase,
            });
        }
    }
}
