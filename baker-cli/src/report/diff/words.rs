//! How reports call things: platforms, links, places, numbers.

use std::collections::BTreeMap;

use super::links::{LinkChange, LinkFact};
use super::markers::MarkerFact;
use super::{AirPart, Place};

/// Names come from the level: none may move a terminal's cursor, or end the
/// code that stands between backticks.
pub(super) fn printable(text: &str) -> String {
    (text.chars())
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect()
}

/// A number with at most two digits after the point.
pub(super) fn num(v: f64) -> String {
    let rounded = (v * 100.0).round() / 100.0;
    // No "-0".
    format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
}

pub(super) fn count(number: u64, one: &str, more: &str) -> String {
    let number_told = crate::report::inspect::grouped(number);
    format!("{number_told} {}", if number == 1 { one } else { more })
}

pub(super) fn ways(number: u64) -> String {
    count(number, "more way", "more ways")
}

pub(super) fn range(a: f64, b: f64) -> String {
    let (low, high) = (a.min(b), a.max(b));
    if num(low) == num(high) {
        num(low)
    } else {
        format!("{}..{}", num(low), num(high))
    }
}

pub(super) fn rectangle(min: [f64; 2], max: [f64; 2]) -> String {
    format!("x {}, y {}", range(min[0], max[0]), range(min[1], max[1]))
}

pub(super) fn spot(place: &Place) -> String {
    rectangle(place.left, place.right)
}

pub(super) fn place(place: &Place) -> String {
    format!("platform {} ({})", place.id, spot(place))
}

/// A platform of the old file, by the number it had there.
pub(super) fn old_place(place: &Place) -> String {
    format!("old {}", self::place(place))
}

/// Several platforms: each of a few, or the number of many and where they are.
pub(super) fn several(places: &[Place]) -> String {
    if places.len() <= 3 {
        let all: Vec<String> = places.iter().map(place).collect();
        return all.join(" and ");
    }
    let all = || places.iter().flat_map(|p| [p.left, p.right]);
    let least = |i: usize| all().map(|p| p[i]).fold(f64::INFINITY, f64::min);
    let most = |i: usize| all().map(|p| p[i]).fold(f64::NEG_INFINITY, f64::max);
    format!(
        "{} platforms ({})",
        places.len(),
        rectangle([least(0), least(1)], [most(0), most(1)])
    )
}

pub(super) fn air(part: &AirPart) -> String {
    format!(
        "the air at {} ({})",
        rectangle(part.min, part.max),
        count(part.vertices, "vertex", "vertices")
    )
}

pub(super) fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "'"))
}

pub(super) fn spawns(names: &[String]) -> String {
    if let [one] = names {
        return format!("spawn {}", quoted(one));
    }
    let all: Vec<String> = names.iter().map(|name| quoted(name)).collect();
    format!("spawns {}", all.join(", "))
}

pub(super) fn ends(link: &LinkFact) -> String {
    let ([a, b], [c, d]) = (link.from.map(num), link.to.map(num));
    format!("{} {a},{b} -> {c},{d}", link.kind)
}

/// Links by the platforms they join; those that are the only way come first.
pub(super) fn bundles<'a>(links: &[&'a LinkFact]) -> Vec<Vec<&'a LinkFact>> {
    let mut bundles: BTreeMap<(bool, u32, u32), Vec<&LinkFact>> = BTreeMap::new();
    for link in links {
        let key = (!link.only_way, link.from_platform, link.to_platform);
        bundles.entry(key).or_default().push(link);
    }
    bundles.into_values().collect()
}

/// Links of one kind between the same two platforms.
pub(super) fn links_of(bundle: &[&LinkFact], whose: &str, lost: &str) -> String {
    let Some(first) = bundle.first() else {
        return String::new();
    };
    let more = if first.only_way { lost } else { "" };
    let over = |value: &dyn Fn(&LinkFact) -> f64| {
        let all = || bundle.iter().map(|l| value(l));
        range(
            all().fold(f64::INFINITY, f64::min),
            all().fold(f64::NEG_INFINITY, f64::max),
        )
    };
    let number = if bundle.len() == 1 {
        first.kind.to_string()
    } else {
        format!("{} {}s", bundle.len(), first.kind)
    };
    format!(
        "{number} from {whose} {} ({}, {}) to {whose} {} ({}, {}), {} s{more}",
        first.from_platform,
        over(&|l| l.from[0]),
        over(&|l| l.from[1]),
        first.to_platform,
        over(&|l| l.to[0]),
        over(&|l| l.to[1]),
        over(&|l| l.cost),
    )
}

pub(super) fn change(change: &LinkChange) -> String {
    let mut told = ends(&change.old);
    for what in &change.what {
        let more = match *what {
            "ends" => {
                let ([a, b], [c, d]) = (change.new.from.map(num), change.new.to.map(num));
                format!("now {a},{b} -> {c},{d}")
            }
            "cost" => pair("cost", change.old.cost, change.new.cost),
            "tolerance" => pair("tolerance", change.old.tolerance, change.new.tolerance),
            _ => "by another arc".to_string(),
        };
        told.push_str(", ");
        told.push_str(&more);
    }
    told
}

pub(super) fn pair(what: &str, old: f64, new: f64) -> String {
    let short = |v: f64| format!("{}", (v * 1e4).round() / 1e4);
    format!("{what} {} -> {} s", short(old), short(new))
}

pub(super) fn marker(marker: &MarkerFact) -> String {
    let [x, y] = marker.position.map(num);
    let class = if marker.class.is_empty() {
        "marker"
    } else {
        &marker.class
    };
    if marker.name.is_empty() {
        format!("{class} at {x},{y}")
    } else {
        format!("{class} {} at {x},{y}", quoted(&marker.name))
    }
}
