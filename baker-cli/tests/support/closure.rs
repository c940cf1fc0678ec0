//! Which platforms reach which, computed from a JSON dump alone.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// A platform by the bits of its ends, which are the same in two dumps.
pub type Lips = [u64; 4];

/// One agent of a dump as a graph of platforms.
pub struct Closure {
    /// Platforms by id.
    pub lips: Vec<Lips>,
    reach: BTreeMap<Lips, BTreeSet<Lips>>,
}

impl Closure {
    /// The transitive closure of the links, by repeated search.
    pub fn new(dump: &Value, agent: &str) -> Self {
        let agents = dump["agents"].as_array().unwrap();
        let agent = agents.iter().find(|a| a["name"] == agent).unwrap();
        let number = |v: &Value| v.as_f64().unwrap().to_bits();
        let lips: Vec<Lips> = (agent["platforms"].as_array().unwrap().iter())
            .map(|p| {
                [
                    number(&p["left"][0]),
                    number(&p["left"][1]),
                    number(&p["right"][0]),
                    number(&p["right"][1]),
                ]
            })
            .collect();
        let links: Vec<(usize, usize)> = (agent["links"].as_array().unwrap().iter())
            .map(|l| {
                let end = |key: &str| l[key].as_u64().unwrap() as usize;
                (end("from_platform"), end("to_platform"))
            })
            .collect();
        let mut reach = BTreeMap::new();
        for (i, start) in lips.iter().enumerate() {
            let mut seen = BTreeSet::from([i]);
            loop {
                let more: Vec<usize> = (links.iter())
                    .filter(|(from, to)| seen.contains(from) && !seen.contains(to))
                    .map(|(_, to)| *to)
                    .collect();
                if more.is_empty() {
                    break;
                }
                seen.extend(more);
            }
            reach.insert(*start, seen.into_iter().map(|i| lips[i]).collect());
        }
        Self { lips, reach }
    }

    pub fn reaches(&self, from: &Lips, to: &Lips) -> bool {
        self.reach[from].contains(to)
    }

    /// The platform that a body lands on when it falls straight down from a
    /// point.
    pub fn below(&self, at: [f64; 2]) -> Option<Lips> {
        let number = f64::from_bits;
        (self.lips.iter())
            .filter(|l| number(l[0]) <= at[0] && at[0] <= number(l[2]) && number(l[1]) >= at[1])
            .min_by(|a, b| number(a[1]).total_cmp(&number(b[1])))
            .copied()
    }
}
