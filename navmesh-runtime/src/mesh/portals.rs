//! Connections between the portals of a level.

use super::marker::{Marker, MarkerKind};

/// A connection from one portal to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PortalWay {
    /// The index of the entrance among the markers.
    pub from: usize,
    /// The index of the exit.
    pub to: usize,
    /// Its cost, seconds.
    pub cost: f32,
}

/// Errors in the properties of a portal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PortalFault {
    /// Neither its property `to` nor its name leads to another portal.
    #[error(
        "it has no partner: set its property `to` to the name of another portal, or give \
         exactly one other portal the same name"
    )]
    NoPartner,
    /// No portal has the name or number in its `to`.
    #[error("it leads to {0:?}, but no portal has that name or number")]
    Unknown(String),
    /// Several portals have the name.
    #[error(
        "{0:?} is the name of several portals; give each its own name, or refer to one by its number"
    )]
    Ambiguous(String),
    /// It leads to itself.
    #[error("it leads to itself; set its property `to` to another portal")]
    Itself,
    /// Its cost is not a number of seconds.
    #[error("its cost is {0:?}, but must be seconds, 0 or more; 0 is used")]
    Cost(String),
}

/// The connections between the portals of a level: markers of class `portal`.
///
/// - A portal with a property `to` leads to the portal of that name, or to
///   the object of that number. Its partner leads back, unless the portal has
///   `one_way` set, the partner has a `to` of its own, or several portals lead
///   to the partner.
/// - Two portals with the same name and without `to` lead to each other. If one
///   of them has `one_way` set, only that portal leads to the other.
/// - `cost` is the time to pass, in seconds; without it, the cost of the
///   partner, or else 0.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Portals {
    ways: Vec<PortalWay>,
    faults: Vec<(usize, PortalFault)>,
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
        let mut pairs: Vec<[usize; 2]> = Vec::new();
        let leads: Vec<Option<Result<usize, PortalFault>>> =
            (0..all.len()).map(|i| partner(&all, i)).collect();
        let leading_to = |to: usize| {
            let found = leads.iter().enumerate();
            found.filter(move |(_, lead)| matches!(lead, Some(Ok(target)) if *target == to))
        };
        for (i, entry) in all.iter().enumerate() {
            match &leads[i] {
                Some(Ok(to)) => pairs.push([i, *to]),
                Some(Err(fault)) => this.faults.push((entry.index, fault.clone())),
                None => {
                    let mut sources = leading_to(i).map(|(from, _)| from);
                    match (sources.next(), sources.next()) {
                        (Some(from), None) if !all[from].one_way => pairs.push([i, from]),
                        (Some(_), _) => {}
                        (None, _) => match namesake(&all, &leads, i) {
                            Ok(other) if all[other].one_way && !entry.one_way => {}
                            Ok(other) => pairs.push([i, other]),
                            Err(fault) => this.faults.push((entry.index, fault)),
                        },
                    }
                }
            }
            if let Some(text) = entry.wrong_cost {
                this.faults
                    .push((entry.index, PortalFault::Cost(text.to_owned())));
            }
        }
        this.ways = pairs
            .into_iter()
            .map(|[from, to]| PortalWay {
                from: all[from].index,
                to: all[to].index,
                cost: all[from].cost.or(all[to].cost).unwrap_or(0.0),
            })
            .collect();
        this
    }

    /// The connections. Every portal has at most one that leaves it.
    pub fn ways(&self) -> &[PortalWay] {
        &self.ways
    }

    /// The errors, each with the index of its marker.
    pub fn faults(&self) -> &[(usize, PortalFault)] {
        &self.faults
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
fn partner(all: &[Entry<'_>], of: usize) -> Option<Result<usize, PortalFault>> {
    // Tiled writes 0 for a reference to no object.
    let to = all[of].to.filter(|to| *to != "0")?;
    let mut named = (0..all.len()).filter(|&i| i != of && all[i].marker.name.trim() == to);
    if let Some(first) = named.next() {
        return Some(match named.next() {
            None => Ok(first),
            Some(_) => Err(PortalFault::Ambiguous(to.to_owned())),
        });
    }
    let numbered = (0..all.len()).find(|&i| all[i].marker.property("id") == Some(to));
    Some(match numbered {
        Some(i) if i != of => Ok(i),
        Some(_) => Err(PortalFault::Itself),
        None if all[of].marker.name.trim() == to => Err(PortalFault::Itself),
        None => Err(PortalFault::Unknown(to.to_owned())),
    })
}

/// The only other portal of the same name that has no connection of its own.
fn namesake(
    all: &[Entry<'_>],
    leads: &[Option<Result<usize, PortalFault>>],
    of: usize,
) -> Result<usize, PortalFault> {
    let name = all[of].marker.name.trim();
    if name.is_empty() {
        return Err(PortalFault::NoPartner);
    }
    let is_taken = |i: usize| {
        leads[i].is_some()
            || leads
                .iter()
                .any(|lead| matches!(lead, Some(Ok(to)) if *to == i))
    };
    let same = (0..all.len()).filter(|&i| i != of && all[i].marker.name.trim() == name);
    let mut free = same.filter(|&i| !is_taken(i));
    match (free.next(), free.next()) {
        (Some(other), None) => Ok(other),
        (Some(_), Some(_)) => Err(PortalFault::Ambiguous(name.to_owned())),
        (None, _) => Err(PortalFault::NoPartner),
    }
}

#[cfg(test)]
#[path = "portals_test.rs"]
mod tests;
