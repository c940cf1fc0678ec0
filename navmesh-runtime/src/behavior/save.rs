//! Tree to data.

use super::data::{NodeDef, TaskDef, TreeDef, UtilityDef};
use super::error::BuildError;
use super::node::Kind;
use super::{Context, Tree};
use crate::coordination::{Score, Term};

impl<C: ?Sized + Context> Tree<C> {
    /// The tree as data. [`Registry::build`](super::Registry::build) makes the
    /// same tree of it.
    ///
    /// # Errors
    /// When a node has no form in a tree file: one made of a closure, say.
    pub fn to_def(&self) -> Result<TreeDef, BuildError> {
        let declared = self.schema.keys().filter(|(name, _)| {
            let name: &str = name;
            self.declared.iter().any(|declared| **declared == *name)
        });
        Ok(TreeDef {
            name: self.name.to_string(),
            pace: self.pace,
            keys: declared
                .map(|(name, kind)| (name.to_owned(), kind))
                .collect(),
            root: self.node_def(0)?,
        })
    }

    fn node_def(&self, at: usize) -> Result<NodeDef, BuildError> {
        let name = self.names[at].to_string();
        let children = || self.children_defs(at);
        let child = || self.node_def(at + 1).map(Box::new);
        Ok(match self.nodes[at].kind {
            Kind::Leaf { task, .. } => {
                let TaskDef { task, params } =
                    self.form(at, self.leaf_defs[task as usize].as_ref())?;
                NodeDef::Task { name, task, params }
            }
            Kind::Custom { node } => {
                let form = self.form(at, self.customs[node as usize].def.as_ref())?;
                NodeDef::Composite {
                    name,
                    composite: form.task,
                    params: form.params,
                    children: children()?,
                }
            }
            Kind::Sequence { pace, .. } => NodeDef::Sequence {
                name,
                pace,
                children: children()?,
            },
            Kind::Selector { pace, .. } => NodeDef::Selector {
                name,
                pace,
                children: children()?,
            },
            Kind::ReactiveSequence => NodeDef::ReactiveSequence {
                name,
                children: children()?,
            },
            Kind::ReactiveSelector => NodeDef::ReactiveSelector {
                name,
                children: children()?,
            },
            Kind::Race => NodeDef::Race {
                name,
                children: children()?,
            },
            Kind::Parallel { success, failure } => NodeDef::Parallel {
                name,
                success,
                failure,
                children: children()?,
            },
            Kind::Repeat { count } => NodeDef::Repeat {
                name,
                count,
                child: child()?,
            },
            Kind::Timeout { seconds } => NodeDef::Timeout {
                name,
                seconds,
                child: child()?,
            },
            Kind::Cooldown { seconds } => NodeDef::Cooldown {
                name,
                seconds,
                child: child()?,
            },
            Kind::Invert => NodeDef::Invert {
                name,
                child: child()?,
            },
            Kind::Force { success, turn } => {
                let child = child()?;
                if success {
                    NodeDef::ForceSuccess { name, turn, child }
                } else {
                    NodeDef::ForceFailure { name, turn, child }
                }
            }
            Kind::Always {
                success: true,
                turn,
            } => NodeDef::AlwaysSucceed { name, turn },
            Kind::Always { turn, .. } => NodeDef::AlwaysFail { name, turn },
            Kind::WithToken { spec } => {
                let spec = &self.tokens[spec as usize];
                NodeDef::WithToken {
                    name,
                    pool: self.token_pools[spec.pool as usize].to_string(),
                    wait: spec.wait,
                    priority: (spec.priority.def.clone()).ok_or_else(|| self.not_data(at))?,
                    child: child()?,
                }
            }
            Kind::WithWaypoint { spec } => {
                let spec = &self.waypoints[spec as usize];
                let fallback = self.nodes[at + 1].end as usize;
                let has_fallback = fallback < self.nodes[at].end as usize;
                NodeDef::WithWaypoint {
                    name,
                    pool: self.waypoint_pools[spec.pool as usize].to_string(),
                    wait: spec.wait,
                    utility: utility_def(&spec.score).ok_or_else(|| self.not_data(at))?,
                    no_repeat: spec.no_repeat,
                    child: child()?,
                    fallback: if has_fallback {
                        Some(Box::new(self.node_def(fallback)?))
                    } else {
                        None
                    },
                }
            }
        })
    }

    fn children_defs(&self, at: usize) -> Result<Vec<NodeDef>, BuildError> {
        self.children(at)
            .map(|child| self.node_def(child))
            .collect()
    }

    fn form(&self, at: usize, def: Option<&TaskDef>) -> Result<TaskDef, BuildError> {
        def.cloned().ok_or_else(|| self.not_data(at))
    }

    fn not_data(&self, at: usize) -> BuildError {
        BuildError::NotData {
            path: self.paths().swap_remove(at),
        }
    }
}

fn utility_def<C: ?Sized + Context>(score: &Score<C>) -> Option<UtilityDef> {
    let many = |terms: &[Score<C>]| terms.iter().map(utility_def).collect::<Option<Vec<_>>>();
    Some(match &score.0 {
        Term::Measure { measure, .. } => UtilityDef::Measure(*measure),
        Term::Function { name, .. } => UtilityDef::Named(name.as_ref()?.to_string()),
        Term::Constant(score) => UtilityDef::Constant(*score),
        Term::Tagged(tag) => UtilityDef::Tagged(tag.to_string()),
        Term::Sum(terms) => UtilityDef::Sum(many(terms)?),
        Term::Product(terms) => UtilityDef::Product(many(terms)?),
        Term::Veto { needs, score } => UtilityDef::OnlyIf {
            needs: Box::new(utility_def(needs)?),
            score: Box::new(utility_def(score)?),
        },
        Term::Weighted { weight, score } => UtilityDef::Weighted {
            weight: *weight,
            score: Box::new(utility_def(score)?),
        },
    })
}
