mod select;
mod serve;
