//! Positions on the command line: numbers, or the name of a marker.

use std::str::FromStr;

use glam::Vec2;
use navmesh_runtime::mesh::{Marker, MarkerKind, NavMesh, marker_kind};

use crate::cli::failure::Failure;
use crate::config::nearest;
use crate::report::{place_text, printable};

/// A position as the user gives it.
#[derive(Debug, Clone, PartialEq)]
pub enum Place {
    /// `24,96.5`, world units.
    Point(Vec2),
    /// `spawn:player`: the feet of an agent at a marker.
    Marker { class: String, name: String },
}

/// Shown when a text is no place.
const FORMS: &str =
    "a position is two numbers X,Y or a marker CLASS:NAME, for example 24,96.5 or spawn:player";

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(at) = point(text) {
            return Ok(Self::Point(at));
        }
        match text.split_once(':') {
            Some((class, name)) if is_class(class) => Ok(Self::Marker {
                class: class.trim().to_owned(),
                name: name.to_owned(),
            }),
            _ => Err(FORMS.to_owned()),
        }
    }
}

fn number(text: &str) -> Option<f32> {
    text.trim().parse().ok().filter(|v: &f32| v.is_finite())
}

fn point(text: &str) -> Option<Vec2> {
    let (x, y) = text.split_once(',')?;
    Some(Vec2::new(number(x)?, number(y)?))
}

/// A class of a marker has letters; a text without any is a mistyped number.
fn is_class(text: &str) -> bool {
    text.chars().any(char::is_alphabetic) && !text.contains(',')
}

/// The start and the end of a path: `24,96:400,48` or `spawn:player:exit:east`.
pub fn ends(text: &str) -> Result<(Place, Place), String> {
    // Names of markers may have colons too: the first one that leaves a position on either
    // side counts.
    text.match_indices(':')
        .find_map(|(at, _)| Some((text[..at].parse().ok()?, text[at + 1..].parse().ok()?)))
        .ok_or_else(|| format!("a path is two positions FROM:TO; {FORMS}"))
}

impl Place {
    /// The position in a level.
    pub fn resolve(&self, mesh: &NavMesh) -> Result<Vec2, Failure> {
        let (class, name) = match self {
            Self::Point(at) => return Ok(*at),
            Self::Marker { class, name } => (class, name),
        };
        let text = format!("{class}:{name}");
        // Classes may have colons too, so every colon may end one.
        let is_meant = |marker: &&Marker| {
            text.match_indices(':').any(|(at, _)| {
                let (class, name) = (text[..at].trim(), &text[at + 1..]);
                is_of_class(marker, class)
                    && (marker.name == name || marker.property("id") == Some(name))
            })
        };
        let found: Vec<&Marker> = mesh.markers().iter().filter(is_meant).collect();
        match found[..] {
            [marker] => Ok(marker.feet(mesh.down())),
            [] => Err(Failure::with_help(
                format_args!("no marker is named {class}:{name}"),
                known(mesh, class, name),
            )),
            _ => {
                let positions: Vec<_> = (found.iter())
                    .map(|marker| place_text(marker.feet(mesh.down())))
                    .collect();
                let problem = format_args!("{} markers are named {class}:{name}", found.len());
                let help = format_args!("give the position of one: {}", positions.join(" or "));
                Err(Failure::with_help(problem, help))
            }
        }
    }
}

fn is_of_class(marker: &Marker, class: &str) -> bool {
    match marker_kind(class) {
        MarkerKind::Other => marker.class.trim().eq_ignore_ascii_case(class),
        kind => marker.kind() == kind,
    }
}

/// The markers that could have been meant: those of the class, or else all.
fn known(mesh: &NavMesh, class: &str, name: &str) -> String {
    /// More names than this hide the one that is searched for.
    const SHOWN: usize = 12;
    let of_class = |marker: &&Marker| is_of_class(marker, class);
    let has_class = mesh.markers().iter().any(|marker| of_class(&marker));
    let mut names: Vec<_> = (mesh.markers().iter())
        .filter(|marker| !has_class || of_class(marker))
        .filter(|marker| !marker.class.trim().is_empty())
        .map(|marker| printable(&format!("{}:{}", marker.class.trim(), marker.name)))
        .collect();
    names.sort();
    names.dedup();
    let near = nearest(&format!("{class}:{name}"), names.iter().map(String::as_str));
    let meant = near.map_or(String::new(), |near| format!("did you mean {near}? "));
    let more = names.len().saturating_sub(SHOWN);
    names.truncate(SHOWN);
    let shown = names.join(", ");
    match (names.is_empty(), more) {
        (true, _) => "the level has no markers with a class; give the position X,Y".to_owned(),
        (false, 0) => format!("{meant}the markers are: {shown}"),
        (false, more) => format!("{meant}some markers are: {shown} and {more} more"),
    }
}
