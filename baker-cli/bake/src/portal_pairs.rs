//! Connections between the portals of a level, and the links that a game performs.

use std::collections::BTreeMap;

use glam::Vec2;
use navmesh_runtime::mesh::{Marker, MarkerKind};

use crate::links::movers::{MOVING_PLATFORM, PLATFORM_PATH};

/// The property of a marker of class `link` with the points of its line: `x,y x,y`.
pub const POINTS: &str = "points";

/// The points of the line of a marker of class `link`, of a platform that moves, or of its way;
/// none if it has no line.
pub fn line_points(marker: &Marker) -> Vec<Vec2> {
    let text = marker.property(POINTS).unwrap_or_default();
    let points = text.split_whitespace().map(|point| {
        let (x, y) = point.split_once(',')?;
        let point = Vec2::new(x.parse().ok()?, y.parse().ok()?);
        point.is_finite().then_some(point)
    });
    let points: Vec<Vec2> = points.collect::<Option<_>>().unwrap_or_default();
    let is_way = [MOVING_PLATFORM, PLATFORM_PATH]
        .iter()
        .any(|class| marker.class.trim().eq_ignore_ascii_case(class));
    if (is_way || marker.kind() == MarkerKind::Link) && points.len() > 1 {
        points
    } else {
        Vec::new()
    }
}

/// A connection from one portal to another.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PortalConnection {
    /// The index of the entrance among the markers.
    pub from: usize,
    /// The index of the exit.
    pub to: usize,
    /// Its cost, seconds. For a link without `time`, 0.
    pub cost: f32,
    /// The line of a link that is a single marker, from its start to its end. `from` and
    /// `to` are this marker.
    pub line: Vec<Vec2>,
}

/// The connections between the portals of a level: markers of class `portal`, and of class
/// `link`. A link whose marker is a line leads from its first point to its last, and back
/// unless it has `one_way` set. Others are pairs, as portals are, with `time` for `cost`.
///
/// - A portal with a property `to` leads to the portal of that name, or to the
///   object of that number (in LDtk, the entity of that `iid`). Its partner leads
///   back, unless the partner has a `to` of its own, or several portals lead to the
///   partner.
/// - Two portals with the same name and without `to` lead to each other.
/// - If either portal of such a pair has `one_way` set, only the portal with `to`
///   leads to the other. If both or none have `to`, only the portal with `one_way`
///   does; if both have `one_way`, both do, and this is an error.
/// - `cost` is the time to pass, in seconds; without it, the cost of the
///   partner, or else 0.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Portals {
    /// The connections. Every portal has at most one that leaves it.
    pub connections: Vec<PortalConnection>,
    /// What is wrong with portals, each with the index of its marker.
    pub errors: Vec<(usize, String)>,
}

impl Portals {
    /// Connects the portals among markers.
    pub fn of(markers: &[Marker]) -> Self {
        let mut this = Self::default();
        this.connect(markers, MarkerKind::Portal);
        this.connect(markers, MarkerKind::Link);
        this
    }

    /// Connects the markers of a kind.
    fn connect(&mut self, markers: &[Marker], kind: MarkerKind) {
        let own = (markers.iter().enumerate()).filter(|(_, marker)| marker.kind() == kind);
        let (lines, all): (Vec<_>, Vec<_>) = own.partition(|(_, own)| !line_points(own).is_empty());
        let all: Vec<Entry<'_>> = all.into_iter().map(|(i, own)| Entry::new(i, own)).collect();
        for (index, marker) in lines {
            let entry = Entry::new(index, marker);
            let mut line = line_points(marker);
            for _ in 0..2 - usize::from(entry.one_way) {
                self.connections.push(PortalConnection {
                    from: index,
                    to: index,
                    cost: entry.cost.unwrap_or(0.0),
                    line: line.clone(),
                });
                line.reverse();
            }
            self.errors.extend(entry.cost_error());
        }
        let named = by_text(&all, |entry| Some(entry.marker.name.trim()));
        let mut numbered = by_text(&all, |entry| entry.marker.property("id"));
        numbered.extend(by_text(&all, |entry| entry.marker.property("iid")));
        let leads: Vec<Option<Result<usize, String>>> = (0..all.len())
            .map(|i| partner(&all, i, &named, &numbered))
            .collect();
        let mut sources: Vec<Vec<usize>> = vec![Vec::new(); all.len()];
        for (from, lead) in leads.iter().enumerate() {
            if let Some(Ok(to)) = lead {
                sources[*to].push(from);
            }
        }
        let mut free = named.clone();
        for entries in free.values_mut() {
            entries.retain(|&i| leads[i].is_none() && sources[i].is_empty());
        }
        let exits: Vec<Result<Option<usize>, String>> = (0..all.len())
            .map(|i| match &leads[i] {
                Some(lead) => lead.clone().map(Some),
                None => led_back(&all, &sources[i], &free, i),
            })
            .collect();
        for (i, entry) in all.iter().enumerate() {
            match &exits[i] {
                Ok(Some(to)) => {
                    let partner = &all[*to];
                    let is_pair = exits[*to] == Ok(Some(i));
                    if is_pair && let Some(error) = one_way_error(entry, partner) {
                        self.errors.push((entry.index, error));
                    }
                    if !(is_pair && is_exit_only(entry, partner)) {
                        self.connections.push(PortalConnection {
                            from: entry.index,
                            to: partner.index,
                            cost: entry.cost.or(partner.cost).unwrap_or(0.0),
                            line: Vec::new(),
                        });
                    }
                }
                Ok(None) => {}
                Err(error) => self.errors.push((entry.index, error.clone())),
            }
            self.errors.extend(entry.cost_error());
        }
    }
}

/// A portal with its properties decoded.
struct Entry<'a> {
    index: usize,
    marker: &'a Marker,
    to: Option<&'a str>,
    one_way: bool,
    cost: Option<f32>,
    /// The property for the cost, and its text where that is wrong.
    wrong_cost: Option<(&'static str, &'a str)>,
}

impl<'a> Entry<'a> {
    fn new(index: usize, marker: &'a Marker) -> Self {
        let (property, said) = match marker.kind() {
            MarkerKind::Link => ("time", marker.property("time")),
            _ => ("cost", marker.property("cost")),
        };
        let said = said.filter(|text| !text.is_empty());
        let cost = marker.number(property).filter(|cost| *cost >= 0.0);
        Self {
            index,
            marker,
            // Tiled writes 0 for a reference to no object.
            to: marker
                .property("to")
                .filter(|to| !to.is_empty() && *to != "0"),
            one_way: marker.flag("one_way") == Some(true),
            cost,
            wrong_cost: said.filter(|_| cost.is_none()).map(|text| (property, text)),
        }
    }

    fn cost_error(&self) -> Option<(usize, String)> {
        let (property, text) = self.wrong_cost?;
        let error =
            format!("its {property} is {text:?}, but must be seconds, 0 or more; 0 is used");
        Some((self.index, error))
    }

    /// The portal as messages name it.
    fn display(&self) -> String {
        let number = self.marker.property("id").or(self.marker.property("iid"));
        match (self.marker.name.trim(), number) {
            ("", None) => "the other portal".to_owned(),
            ("", Some(number)) => format!("portal {number}"),
            (name, None) => format!("portal {name:?}"),
            (name, Some(number)) => format!("portal {name:?} (object {number})"),
        }
    }
}

/// The portal in the property `to` of a portal; `None` when it has no such
/// property.
fn partner(
    all: &[Entry<'_>],
    of: usize,
    named: &ByText<'_>,
    numbered: &ByText<'_>,
) -> Option<Result<usize, String>> {
    let to = all[of].to?;
    let mut namesakes = others(named, to, of);
    if let Some(first) = namesakes.next() {
        return Some(match namesakes.next() {
            None => Ok(first),
            Some(_) => Err(ambiguous(to)),
        });
    }
    Some(match numbered.get(to).and_then(|found| found.first()) {
        Some(&i) if i != of => Ok(i),
        None if all[of].marker.name.trim() != to => Err(format!(
            "it leads to {to:?}, but no portal has that name or number"
        )),
        _ => Err("it leads to itself; set its property `to` to another portal".to_owned()),
    })
}

fn ambiguous(name: &str) -> String {
    format!(
        "{name:?} is the name of several portals; give each its own name, or refer to one by its \
         number"
    )
}

/// Portals by a text, in their order.
type ByText<'a> = BTreeMap<&'a str, Vec<usize>>;

fn by_text<'a>(all: &[Entry<'a>], text: impl Fn(&Entry<'a>) -> Option<&'a str>) -> ByText<'a> {
    let mut found = ByText::new();
    for (i, entry) in all.iter().enumerate() {
        if let Some(text) = text(entry) {
            found.entry(text).or_default().push(i);
        }
    }
    found
}

/// The portals of a text except `of`.
fn others(found: &ByText<'_>, text: &str, of: usize) -> impl Iterator<Item = usize> {
    let found = found.get(text).map_or(&[][..], Vec::as_slice);
    found.iter().copied().filter(move |&i| i != of)
}

/// The exit of a portal without `to`, if it has a partner that leads back: the only
/// one of the `sources` that lead to it, or its only namesake among the `free`
/// portals, which have no connection of their own. `None` when several lead to it.
fn led_back(
    all: &[Entry<'_>],
    sources: &[usize],
    free: &ByText<'_>,
    of: usize,
) -> Result<Option<usize>, String> {
    match sources {
        [] => {}
        [only] => return Ok(Some(*only)),
        _ => return Ok(None),
    }
    let name = all[of].marker.name.trim();
    let mut free = others(free, name, of).filter(|_| !name.is_empty());
    match (free.next(), free.next()) {
        (Some(other), None) => Ok(Some(other)),
        (Some(_), Some(_)) => Err(ambiguous(name)),
        (None, _) => Err(
            "it has no partner: set its property `to` to the name of another \
                          portal, or give exactly one other portal the same name"
                .to_owned(),
        ),
    }
}

/// Whether only the partner leads to a portal of a pair.
fn is_exit_only(portal: &Entry<'_>, partner: &Entry<'_>) -> bool {
    match (portal.to, partner.to) {
        (Some(_), None) => false,
        (None, Some(_)) => portal.one_way || partner.one_way,
        _ => partner.one_way && !portal.one_way,
    }
}

/// What is wrong with `one_way` of a portal that forms a pair with `partner`: what
/// they have set contradicts it. Of two portals that both have `one_way`, only the
/// first has an error.
fn one_way_error(portal: &Entry<'_>, partner: &Entry<'_>) -> Option<String> {
    let is_repeated = partner.one_way && partner.index < portal.index;
    if !portal.one_way || is_repeated || portal.to.is_some() != partner.to.is_some() {
        return None;
    }
    let name = partner.display();
    Some(match (partner.one_way, portal.to) {
        (true, _) => format!(
            "it and {name} both have `one_way`, so agents pass in both directions: remove \
             `one_way` from the portal that is only the exit, or from both"
        ),
        (false, Some(_)) => format!(
            "it has `one_way`, but {name} leads back to it by its `to`, which is ignored: remove \
             the `to` of {name}, or `one_way` here"
        ),
        (false, None) => return None,
    })
}
