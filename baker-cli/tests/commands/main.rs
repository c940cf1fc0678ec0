//! The commands of `navbake`, run as programs.

#[path = "../support/mod.rs"]
mod common;
#[path = "../support/page.rs"]
mod page;
#[path = "../support/random_cases.rs"]
mod random_cases;
#[path = "../support/sandbox.rs"]
mod sandbox;

mod arena;
mod art;
mod art_edits;
mod bake_interrupted;
mod bake_many;
mod bake_recipes;
mod bake_watch;
mod configuration;
mod conveniences;
mod diff;
mod diff_meaning;
mod editor_files;
mod explain;
mod formats;
mod help_and_bake;
mod inputs;
mod lint;
mod lint_truth;
mod merge_git;
mod messages;
mod moving_platforms;
mod overwrites;
mod pages;
mod platforms;
mod review_git;
mod schemas;
mod simulate;
mod tiled_extension;
mod undecided;
mod view_legend;
mod view_page;
