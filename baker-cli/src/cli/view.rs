//! `navbake view`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};

use crate::cli::art::ArtArgs;
use crate::cli::failure::{ExitStatus, Failure};
use crate::cli::io::{self, file_name, refuse_overwrite};
use crate::cli::mesh_input::{MeshFile, open_mesh};
use crate::cli::place::{Place, ends};
use crate::cli::route;
use crate::cli::terminal::Terminal;
use crate::report::diff::Diff;
use crate::report::view::{PageFile, view};

/// Write an HTML page that shows one baked file, or compares two
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  navbake view level.navmesh                             level.navmesh.html
  navbake view old.navmesh new.navmesh -o review.html
  navbake view level.navmesh --agent ground --path 24,96:400,48
  navbake view level.tmx --over                          with the level's own tiles and images

The page is one file and needs no network. Drag to pan, turn the wheel to zoom, point at something
for its numbers, click a platform for its links. Everything also works with the keyboard.
Exit status 1 when there is no path to show.")]
pub(crate) struct ViewArgs {
    #[command(flatten)]
    file: MeshFile,
    /// A newer baked file or level to compare with
    #[arg(value_name = "OTHER", value_hint = ValueHint::FilePath)]
    other: Option<PathBuf>,
    /// Write to this file; the default is the baked file's name with .html after it, `-` is stdout
    #[arg(short, long, value_name = "HTML", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Show the path between two places of the last file, each X,Y or a marker CLASS:NAME
    #[arg(long, value_name = "FROM:TO", value_parser = ends, allow_hyphen_values = true)]
    path: Option<(Place, Place)>,
    /// Agent of the path; the default is the first
    #[arg(long, value_name = "NAME", requires = "path")]
    agent: Option<String>,
    #[command(flatten)]
    art: ArtArgs,
}

pub(crate) fn run(args: &ViewArgs, terminal: &Terminal) -> Result<ExitStatus, Failure> {
    let mut files: Vec<&Path> = vec![&args.file.file];
    files.extend(args.other.as_deref());
    let last = args.other.as_deref().unwrap_or(&args.file.file);
    let read = args.file.config.inputs(files.iter().copied())?;
    let output = io::beside(args.output.as_deref(), last, "html");
    refuse_overwrite(&output, &read, "-o")?;
    let assets = (files.iter())
        .map(|file| open_mesh(file, &args.file.config, terminal))
        .collect::<Result<Vec<_>, _>>()?;
    args.file.config.warn_if_unread(terminal);
    // The page may be given to other people: it names files without folders.
    let names: Vec<String> = files.iter().map(|file| file_name(file)).collect();
    let pages: Vec<_> = (files.iter().zip(&names).zip(&assets))
        .map(|((file, name), asset)| {
            let mesh = &asset.mesh;
            let art = args.art.of(file, mesh, &output, terminal)?;
            let art = art.map(|picture| io::png(&picture)).transpose()?;
            Ok(PageFile { name, mesh, art })
        })
        .collect::<Result<_, Failure>>()?;
    let diff = match &pages[..] {
        [a, b] => Some(Diff::new(a.mesh, b.mesh, [a.name, b.name])),
        _ => None,
    };
    let (mut route, mut has_path) = (None, true);
    if let (Some(ends), Some(asset)) = (&args.path, assets.last()) {
        let layer = asset.layer(args.agent.as_deref())?;
        let found = route::between(ends, &asset.mesh, layer, terminal)?;
        has_path = found.is_found();
        route = Some((layer, found));
    }
    let path = route.as_ref().map(|(layer, route)| (*layer, route));
    let mut page = Vec::new();
    view(&pages, diff.as_ref(), path, &mut page)?;
    io::write(&output, page, None, terminal)?;
    Ok(ExitStatus::answer(has_path))
}
