//! Connections between the portals of a level.

use std::collections::BTreeMap;

use navmesh_runtime::mesh::{Marker, MarkerKind};

/// A connection from one portal to another.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct PortalConnection {
    /// The index of the entrance among the markers.
    pub from: usize,
    /// The index of the exit.
    pub to: usize,
    /// Its cost, seconds.
    pub cost: f32,
}

/// The connections between the portals of a level: markers of class `portal`.
///
/// - A portal with a property `to` leads to the portal of that name, or to the
///   object of that number (in LDtk, the entity of that `iid`). Its partner leads
///   back, unless the portal has `one_way` set, the partner has a `to` of its own,
///   or several portals lead to the partner.
/// - Two portals with the same name and without `to` lead to each other. If one
///   of them has `one_way` set, only that portal leads to the other.
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
        let all: Vec<Entry<'_>> = markers
            .iter()
            .enumerate()
            .filter(|(_, marker)| marker.kind() == MarkerKind::Portal)
            .map(|(index, marker)| Entry::new(index, marker))
            .collect();
        let mut this = Self::default();
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
        for (i, entry) in all.iter().enumerate() {
            let exit = match &leads[i] {
                Some(lead) => lead.clone().map(Some),
                None => led_back(&all, &sources[i], &free, i),
            };
            match exit {
                Ok(Some(to)) => this.connections.push(PortalConnection {
                    from: entry.index,
                    to: all[to].index,
                    cost: entry.cost.or(all[to].cost).unwrap_or(0.0),
                }),
                Ok(None) => {}
                Err(error) => this.errors.push((entry.index, error)),
            }
            if let Some(text) = entry.wrong_cost {
                let error =
                    format!("its cost is {text:?}, but must be seconds, 0 or more; 0 is used");
                this.errors.push((entry.index, error));
            }
        }
        this
    }
}

/// A portal with its properties decoded.
struct Entry<'a> {
    index: usize,
    marker: &'a Marker,
    to: Option<&'a str>,
    one_way: bool,
    cost: Option<f32>,
    wrong_cost: Option<&'a str>,
}

impl<'a> Entry<'a> {
    fn new(index: usize, marker: &'a Marker) -> Self {
        let said = marker.property("cost").filter(|text| !text.is_empty());
        let cost = marker.number("cost").filter(|cost| *cost >= 0.0);
        Self {
            index,
            marker,
            to: marker.property("to").filter(|to| !to.is_empty()),
            one_way: marker.flag("one_way") == Some(true),
            cost,
            wrong_cost: said.filter(|_| cost.is_none()),
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
    // Tiled writes 0 for a reference to no object.
    let to = all[of].to.filter(|to| *to != "0")?;
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

/// The exit of a portal without `to`: the only one of the `sources` that lead
/// to it, or its only namesake among the `free` portals, which have no
/// connection of their own. `None` when that portal is an entrance only.
fn led_back(
    all: &[Entry<'_>],
    sources: &[usize],
    free: &ByText<'_>,
    of: usize,
) -> Result<Option<usize>, String> {
    if let Some(&from) = sources.first() {
        let is_pair = sources.len() == 1 && !all[from].one_way;
        return Ok(is_pair.then_some(from));
    }
    let name = all[of].marker.name.trim();
    let mut free = others(free, name, of).filter(|_| !name.is_empty());
    match (free.next(), free.next()) {
        (Some(other), None) => {
            let is_entrance = all[other].one_way && !all[of].one_way;
            Ok((!is_entrance).then_some(other))
        }
        (Some(_), Some(_)) => Err(ambiguous(name)),
        (None, _) => Err(
            "it has no partner: set its property `to` to the name of another \
                          portal, or give exactly one other portal the same name"
                .to_owned(),
        ),
    }
}
