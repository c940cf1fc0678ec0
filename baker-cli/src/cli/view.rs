//! `navbake view`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};

use super::args::BakedFile;
use super::terminal::Terminal;
use super::{Answer, Failure, output, pipeline};
use crate::report::diff::Diff;
use crate::report::view::view;

/// Make a page to look at a baked file with, or at two and what they differ in
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  navbake view level.navmesh                             level.html
  navbake view old.navmesh new.navmesh -o review.html

The page is one file and needs no network. Drag to pan, wheel to zoom, hover for numbers, click two
points for a path; the keyboard does all of it too.")]
pub(super) struct ViewArgs {
    #[command(flatten)]
    file: BakedFile,
    /// A newer one, to compare it with
    #[arg(value_name = "OTHER", value_hint = ValueHint::FilePath)]
    other: Option<PathBuf>,
    /// Where to write; the last file with .html by default, `-` for stdout
    #[arg(short, long, value_name = "HTML", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
}

pub(super) fn run(args: &ViewArgs, terminal: &Terminal) -> Result<Answer, Failure> {
    let files: Vec<&Path> = (std::iter::once(args.file.path()))
        .chain(args.other.as_deref())
        .collect();
    if files.iter().filter(|file| pipeline::is_dash(file)).count() > 1 {
        return Err(Failure::new(
            "only one of the two files can be stdin (-); write the other to a file first",
        ));
    }
    let last = args.other.as_deref().unwrap_or(args.file.path());
    let output = output::beside(args.output.as_deref(), last, "html");
    output::refuse_overwrite(&output, &files, "page", "another name with -o")?;
    let assets = (files.iter())
        .map(|file| pipeline::open(file))
        .collect::<Result<Vec<_>, _>>()?;
    let names: Vec<String> = (files.iter())
        .map(|file| {
            // The page may be handed on: it holds no folders of this machine.
            (file.file_name()).map_or_else(String::new, |name| name.to_string_lossy().into_owned())
        })
        .collect();
    let meshes: Vec<_> = (names.iter().map(String::as_str))
        .zip(assets.iter().map(|asset| &asset.mesh))
        .collect();
    let diff = match meshes[..] {
        [(a, old), (b, new)] => Some(Diff::new(old, new, [a, b])),
        _ => None,
    };
    let mut page = Vec::new();
    view(&meshes, diff.as_ref(), &mut page)?;
    let told = format!("{} bytes", page.len());
    output::write(&output, &page, &told, terminal)?;
    Ok(Answer::Yes)
}
