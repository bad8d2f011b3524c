mod run;
mod select;
