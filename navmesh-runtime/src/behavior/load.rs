//! Data to tree.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::builder::Builder;
use super::data::{NodeDef, Priority, TaskDef, TreeDef, UtilityDef};
use super::error::BuildError;
use super::params::Params;
use super::registry::{Make, Registry};
use super::tree::{Rank, RankOf};
use super::{Context, Pace, Tree};
use crate::coordination::{Score, Waypoint};

impl<C: ?Sized + Context> Registry<C> {
    /// Makes a tree of its data.
    ///
    /// # Errors
    /// The first mistake, with the path of the node.
    pub fn build(&self, def: &TreeDef) -> Result<Tree<C>, BuildError>
    where
        C: 'static,
    {
        let mut builder = Builder::new(&def.name).pace(def.pace);
        for (name, kind) in &def.keys {
            builder.declare(name, *kind);
        }
        self.add(builder, &def.root)?.build()
    }

    fn add(&self, b: Builder<C>, def: &NodeDef) -> Result<Builder<C>, BuildError>
    where
        C: 'static,
    {
        let opened = match def {
            NodeDef::Task { name, task, params } => {
                let (def, label) = (form(task, params), label(name, "task"));
                let made = make(&self.tasks, &b, label, "task", &def)?;
                return Ok(b.leaf(name, made, Some(def)));
            }
            NodeDef::Composite {
                name,
                composite,
                params,
                ..
            } => {
                let (def, label) = (form(composite, params), label(name, "composite"));
                let made = make(&self.composites, &b, label, "composite", &def)?;
                b.custom(name, made, Some(def))
            }
            NodeDef::Sequence { name, pace, .. } => paced(b.sequence(name), *pace),
            NodeDef::Selector { name, pace, .. } => paced(b.selector(name), *pace),
            NodeDef::ReactiveSequence { name, .. } => b.reactive_sequence(name),
            NodeDef::ReactiveSelector { name, .. } => b.reactive_selector(name),
            NodeDef::Race { name, .. } => b.race(name),
            NodeDef::Parallel {
                name,
                success,
                failure,
                ..
            } => b.parallel(name, *success, *failure),
            NodeDef::Repeat { name, count, .. } => b.repeat_times(name, *count),
            NodeDef::Timeout { name, seconds, .. } => b.timeout(name, *seconds),
            NodeDef::Cooldown { name, seconds, .. } => b.cooldown(name, *seconds),
            NodeDef::Invert { name, .. } => b.invert(name),
            NodeDef::ForceSuccess { name, turn, .. } => b.force_success(name, *turn),
            NodeDef::ForceFailure { name, turn, .. } => b.force_failure(name, *turn),
            NodeDef::AlwaysSucceed { name, turn } => return Ok(b.always_succeed(name, *turn)),
            NodeDef::AlwaysFail { name, turn } => return Ok(b.always_fail(name, *turn)),
            NodeDef::WithToken {
                name,
                pool,
                wait,
                priority,
                ..
            } => {
                let rank = self.rank(&b, label(name, "with_token"), priority)?;
                b.with_token(name, pool, *wait).rank(rank)
            }
            NodeDef::WithWaypoint {
                name,
                pool,
                wait,
                utility,
                no_repeat,
                ..
            } => {
                let label = label(name, "with_waypoint");
                let score = self.score(&b, label, utility)?;
                let Some(arrive) = self.arrive.clone() else {
                    return Err(BuildError::Unknown {
                        path: b.path_of_next(label),
                        what: "use for a waypoint",
                        name: pool.clone(),
                        hint: "; call `Registry::on_waypoint` first".to_owned(),
                    });
                };
                let arrive =
                    move |context: &mut C::In<'_>, waypoint: &Waypoint| arrive(context, waypoint);
                let opened = b.with_waypoint_by(name, pool, *wait, score, arrive);
                if *no_repeat {
                    opened.no_repeat()
                } else {
                    opened
                }
            }
        };
        // A tree that is too deep is found here, before going any deeper.
        if opened.failed() {
            return Ok(opened);
        }
        let mut b = opened;
        for child in children(def) {
            b = self.add(b, child)?;
        }
        Ok(b.end())
    }

    fn rank(&self, b: &Builder<C>, label: &str, def: &Priority) -> Result<Rank<C>, BuildError> {
        let rank = match def {
            Priority::Fixed(rank) => RankOf::Fixed(*rank),
            Priority::Named(name) => match self.ranks.get(name) {
                Some(rank) => RankOf::Function(Arc::clone(rank)),
                None => return Err(unknown(b, label, "priority", name, self.ranks.keys())),
            },
        };
        Ok(Rank {
            def: Some(def.clone()),
            rank,
        })
    }

    fn score(&self, b: &Builder<C>, label: &str, def: &UtilityDef) -> Result<Score<C>, BuildError> {
        let many = |defs: &[UtilityDef]| {
            let scores = defs.iter().map(|def| self.score(b, label, def));
            scores.collect::<Result<Vec<_>, _>>()
        };
        Ok(match def {
            UtilityDef::Measure(measure) => match self.measure {
                Some(make) => make(*measure),
                None => {
                    return Err(BuildError::Unknown {
                        path: b.path_of_next(label),
                        what: "utility",
                        name: "measure".to_owned(),
                        hint: "; measures need `Registry::for_world`".to_owned(),
                    });
                }
            },
            UtilityDef::Named(name) => match self.utilities.get(name) {
                Some(utility) => Score::named(name, Arc::clone(utility)),
                None => return Err(unknown(b, label, "utility", name, self.utilities.keys())),
            },
            UtilityDef::Constant(score) => Score::constant(*score),
            UtilityDef::Tagged(tag) => Score::tagged(tag),
            UtilityDef::Sum(defs) => Score::sum(many(defs)?),
            UtilityDef::Product(defs) => Score::product(many(defs)?),
            UtilityDef::OnlyIf { needs, score } => self
                .score(b, label, score)?
                .only_if(self.score(b, label, needs)?),
            UtilityDef::Weighted { weight, score } => {
                self.score(b, label, score)?.weighted(*weight)
            }
        })
    }
}

fn make<C: ?Sized + Context, T: ?Sized>(
    makers: &BTreeMap<String, Make<T>>,
    b: &Builder<C>,
    label: &str,
    what: &'static str,
    def: &TaskDef,
) -> Result<Box<T>, BuildError> {
    let Some(make) = makers.get(&def.task) else {
        return Err(unknown(b, label, what, &def.task, makers.keys()));
    };
    make(&def.params).map_err(|message| BuildError::Parameters {
        path: b.path_of_next(label),
        task: def.task.clone(),
        message,
    })
}

fn children(def: &NodeDef) -> Vec<&NodeDef> {
    match def {
        NodeDef::Task { .. } | NodeDef::AlwaysSucceed { .. } | NodeDef::AlwaysFail { .. } => {
            Vec::new()
        }
        NodeDef::Composite { children, .. }
        | NodeDef::Sequence { children, .. }
        | NodeDef::Selector { children, .. }
        | NodeDef::ReactiveSequence { children, .. }
        | NodeDef::ReactiveSelector { children, .. }
        | NodeDef::Race { children, .. }
        | NodeDef::Parallel { children, .. } => children.iter().collect(),
        NodeDef::Repeat { child, .. }
        | NodeDef::Timeout { child, .. }
        | NodeDef::Cooldown { child, .. }
        | NodeDef::Invert { child, .. }
        | NodeDef::ForceSuccess { child, .. }
        | NodeDef::ForceFailure { child, .. }
        | NodeDef::WithToken { child, .. } => vec![child],
        NodeDef::WithWaypoint {
            child, fallback, ..
        } => std::iter::once(child)
            .chain(fallback)
            .map(|child| &**child)
            .collect(),
    }
}

fn paced<C: ?Sized + Context>(b: Builder<C>, pace: Option<Pace>) -> Builder<C> {
    match pace {
        Some(pace) => b.own_pace(pace),
        None => b,
    }
}

fn label<'a>(name: &'a str, kind: &'a str) -> &'a str {
    if name.is_empty() { kind } else { name }
}

fn form(task: &str, params: &Params) -> TaskDef {
    TaskDef {
        task: task.to_owned(),
        params: params.clone(),
    }
}

/// A name the registry does not have, with what it does have.
fn unknown<'a, C: ?Sized + Context>(
    b: &Builder<C>,
    label: &str,
    what: &'static str,
    name: &str,
    known: impl Iterator<Item = &'a String>,
) -> BuildError {
    let known: Vec<&str> = known.map(String::as_str).collect();
    let near = known
        .iter()
        .map(|other| (distance(name, other), *other))
        .min()
        .filter(|(far, _)| *far <= 2);
    let hint = match near {
        Some((_, near)) => format!("; did you mean {near:?}?"),
        None if known.is_empty() => "; the registry has none".to_owned(),
        None => format!("; the registry has {}", known.join(", ")),
    };
    BuildError::Unknown {
        path: b.path_of_next(label),
        what,
        name: name.to_owned(),
        hint,
    }
}

/// Levenshtein distance.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
